"""Tokens revoked in one process and refused in every other, by the first request that comes there afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

import pytest

from skyjo_server.app import Service, open_service
from skyjo_server.http import create_http_app
from skyjo_server.service.model import Scope
from skyjo_server.settings import Settings
from tests.contract.document import Document
from tests.server.http.client import Client, members, problem_code
from tests.server.http.playing import act, view

STREAM: Final = {"Accept": "text/event-stream"}
FLIP: Final = {"action": "flip a1 b1"}

Way = tuple[str, str, dict[str, Any]]

WAYS: Final[dict[str, Way]] = {
    "act": ("POST", "/v1/games/{game}/actions", {"json": FLIP, "headers": {"If-Match": '"0"'}}),
    "act late": ("POST", "/v1/games/{game}/actions", {"json": FLIP, "headers": {"If-Match": '"7"'}}),
    "act unsoundly": ("POST", "/v1/games/{game}/actions", {"json": {"action": 1}}),
    "view": ("GET", "/v1/games/{game}/view", {}),
    "view again": ("GET", "/v1/games/{game}/view", {"headers": {"If-None-Match": '"0"'}}),
    "view later": ("GET", "/v1/games/{game}/view?after=0&wait=30", {}),
    "actions": ("GET", "/v1/games/{game}/actions", {}),
    "events": ("GET", "/v1/games/{game}/events", {}),
    "events later": ("GET", "/v1/games/{game}/events?after=0&wait=30", {}),
    "stream": ("GET", "/v1/games/{game}/events", {"headers": STREAM}),
    "inbox": ("GET", "/v1/turns", {}),
    "inbox later": ("GET", "/v1/turns?wait=30", {}),
    "batch of none": ("POST", "/v1/turns", {"json": {"actions": []}}),
    "batch": ("POST", "/v1/turns", {"json": {"actions": [{"game": "{game}", "version": 0, **FLIP}]}}),
    "resign": ("POST", "/v1/games/{game}/resignation", {}),
    "me": ("GET", "/v1/me", {}),
    "another token": ("POST", "/v1/tokens", {"json": {}}),
    "another bot": ("POST", "/v1/bots", {"json": {"name": "another"}}),
    "another game": ("POST", "/v1/games", {"json": {"seats": [{"kind": "open"}] * 2}}),
}
"""Every way to use a token."""


@dataclass(frozen=True)
class Two:
    """Two processes' services on one database, and a game of Ada and Bob that both have in memory.

    Attributes:
        issued: a further token of Ada's, by which the second one knows her.
    """

    first: Client
    second: Client
    ada: str
    bob: str
    game: str
    issued: dict[str, Any]

    def revoke(self) -> None:
        """Revoke the token through the first."""
        assert self.first.delete(f"/v1/tokens/{self.issued['id']}", self.ada).status_code == 204

    def use(self, way: str, token: str) -> Any:
        """Use a token through the second."""
        method, path, options = WAYS[way]
        sent = {name: _filled(value, self.game) for name, value in options.items()}
        return self.second.send(method, path.format(game=self.game), token, **sent)


def _filled(value: Any, game: str) -> Any:
    if isinstance(value, dict):
        return {name: _filled(inner, game) for name, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner, game) for inner in value]
    return game if value == "{game}" else value


@pytest.fixture
def two(service: Service, settings: Settings, conninfo: str, document: Document) -> Iterator[Two]:
    elsewhere = open_service(settings, conninfo)
    first, second = (Client(create_http_app(each.arena), document) for each in (service, elsewhere))
    ada, bob = (members(first.post("/v1/bots", {"name": name})) for name in ("Ada", "Bob"))
    seats = [{"kind": "bot", "bot": made["bot"]["id"]} for made in (ada, bob)]
    organiser = service.arena.grant_token(Scope.ORGANISER).secret
    game = members(first.post("/v1/games", {"seats": seats}, organiser))["id"]
    secret = ada["token"]["token"]
    yield Two(first, second, secret, bob["token"]["token"], game, members(first.post("/v1/tokens", {}, secret)))
    elsewhere.close()


@pytest.mark.parametrize("way", WAYS)
def test_a_token_that_was_revoked_elsewhere_is_refused_by_the_first_request_that_comes(two: Two, way: str) -> None:
    for known in ("view", "actions", "events", "inbox", "batch of none", "me"):
        assert two.use(known, two.issued["token"]).status_code == 200
    two.revoke()
    answer = two.use(way, two.issued["token"])
    assert (answer.status_code, problem_code(answer)) == (401, "unauthenticated")
    assert view(two.first, two.game, two.ada)["version"] == 0


def test_whoever_waits_elsewhere_is_told_nothing_once_the_token_is_revoked(two: Two) -> None:
    waiting = ("view later", "events later", "inbox later")
    act(two.first, two.game, two.ada, FLIP["action"], 0)
    with ThreadPoolExecutor(len(waiting)) as threads:
        seen = [threads.submit(two.use, way, two.issued["token"]) for way in waiting]
        two.revoke()
        act(two.first, two.game, two.bob, FLIP["action"], 1)
        told = {way: answer.result() for way, answer in zip(waiting, seen, strict=True)}
    # Those that had looked before the token was revoked have told what there was then; none has told the second move.
    for way in ("view later", "events later"):
        assert told[way].status_code == 401 or members(told[way])["version"] == 1, way
    assert told["inbox later"].status_code == 401


def test_a_token_that_was_not_revoked_goes_on_everywhere(two: Two) -> None:
    two.revoke()
    assert two.use("act", two.ada).status_code == 200
    assert two.use("inbox", two.ada).status_code == 200
