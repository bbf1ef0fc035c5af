"""Tokens are shown once, to whom they were given, and never stand in the database or in any log, whatever is sent."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import httpx
import psycopg
import pytest
from flask import Flask
from psycopg import sql

from skyjo_server.app import Service, open_service
from skyjo_server.service import secrets
from skyjo_server.service.errors import Unauthenticated
from skyjo_server.service.model import Scope
from skyjo_server.settings import Settings
from tests.contract.document import Document
from tests.faults.serving import RunningService, started
from tests.server.http.client import Client, members, places, problem_code

GAME: Final = "00112233-4455-6677-8899-aabbccddeeff"
SEATS: Final = {"seats": [{"kind": "open"}, {"kind": "open"}]}
FLIP: Final = {"action": "flip a1 b1"}

ODD_PLACES: Final[dict[str, Callable[[str], dict[str, Any]]]] = {
    "the path": lambda token: {"method": "GET", "url": f"/v1/bots/{token}"},
    "the query": lambda token: {"method": "GET", "url": f"/v1/games?token={token}"},
    "a cursor": lambda token: {"method": "GET", "url": f"/v1/games?cursor={token}"},
    "the request's id": lambda token: {"method": "GET", "url": "/v1/me", "headers": {"X-Request-Id": f"me-{token}"}},
    "another scheme": lambda token: {"method": "GET", "url": "/v1/me", "headers": {"Authorization": f"Basic {token}"}},
    "another header": lambda token: {"method": "GET", "url": "/v1/me", "headers": {"X-Api-Key": token}},
    "an event's id": lambda token: {
        "method": "GET",
        "url": f"/v1/games/{GAME}/events",
        "headers": {"Last-Event-ID": token},
    },
    "a name": lambda token: {"method": "POST", "url": "/v1/bots", "json": {"name": token}},
    "an invitation": lambda token: {"method": "POST", "url": "/v1/bots", "json": {"name": "a", "invitation": token}},
    "a member": lambda token: {"method": "POST", "url": "/v1/games", "json": {**SEATS, token: token}},
    "broken JSON": lambda token: {"method": "POST", "url": "/v1/games", "content": f'{{"{token}'},
    "a game's key": lambda token: {
        "method": "POST",
        "url": "/v1/games",
        "json": SEATS,
        "headers": {"Idempotency-Key": token},
    },
    "an action": lambda token: {"method": "POST", "url": f"/v1/games/{GAME}/actions", "json": {"action": token}},
    "an action's key": lambda token: {
        "method": "POST",
        "url": f"/v1/games/{GAME}/actions",
        "json": FLIP,
        "headers": {"If-Match": '"0"', "Idempotency-Key": token},
    },
    "a turn's key": lambda token: {
        "method": "POST",
        "url": "/v1/turns",
        "json": {"actions": [{"game": GAME, "version": 0, "key": token, **FLIP}]},
    },
}
"""Where a client may put a token by mistake."""


def dumped(conninfo: str) -> str:
    """Every column of every table as text."""
    with psycopg.connect(conninfo) as connection:
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        return "\n".join(
            row
            for (table,) in tables
            for (row,) in connection.execute(sql.SQL("SELECT t::text FROM {} t").format(sql.Identifier(table)))
        )


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


@pytest.fixture
def running(conninfo: str, log: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RunningService]:
    """The service in processes of its own, which log all that they ever log."""
    if sys.platform != "linux":
        pytest.skip("the service's processes are looked after as Linux shows them")
    monkeypatch.setenv("SKYJO_LOG_LEVEL", "debug")
    with started(conninfo, log) as service:
        yield service


def test_no_token_is_ever_in_the_database_or_a_log(running: RunningService, conninfo: str, log: Path) -> None:
    # A body that is refused unread ends its connection: each request has one of its own.
    single = httpx.Limits(max_keepalive_connections=0)
    with httpx.Client(base_url=running.url, trust_env=False, timeout=60, limits=single) as client:
        ada, house = _registered(client), {"kind": "house", "house": "greedy"}
        issued = client.post("/v1/tokens", json={}, headers=_signed(ada)).json()["token"]
        bot = client.get("/v1/me", headers=_signed(issued)).json()["bot"]["id"]
        wanted = {"seats": [{"kind": "bot", "bot": bot}, house]}
        game = client.post("/v1/games", json=wanted, headers=_signed(issued)).json()["id"]
        (decision,) = client.get("/v1/turns", headers=_signed(ada)).json()["decisions"]
        action = {"game": game, "version": decision["version"], "action": decision["legal_actions"][0], "key": "k"}
        played = client.post("/v1/turns", json={"actions": [action]}, headers=_signed(ada)).json()["results"]
        assert [result["status"] for result in played] == ["accepted"]
        tokens = [ada, issued, secrets.new_secret()]
        for token in tokens:
            _misplace(client, token)
        _break_everything(client, conninfo, tokens)
    stored, logged = dumped(conninfo), log.read_text()
    assert f'"request_id": "fails-{len(tokens)}"' in logged, "what failed is logged, and this is that log"
    for token in tokens:
        assert [line for line in f"{stored}\n{logged}".splitlines() if token in line] == []
    assert secrets.shown_prefix(ada) in stored, "what is stored has been searched"


def _registered(client: httpx.Client) -> str:
    token: str = client.post("/v1/bots", json={"name": uuid4().hex}).json()["token"]["token"]
    return token


def _signed(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def _misplace(client: httpx.Client, token: str) -> None:
    for wrong in (place(token) for place in ODD_PLACES.values()):
        headers = {**_signed(token), "Content-Type": "application/json", **wrong.pop("headers", {})}
        client.request(**wrong, headers=headers)


def _break_everything(client: httpx.Client, conninfo: str, tokens: list[str]) -> None:
    """Have requests fail inside, by a table that is not where it should be."""
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute("ALTER TABLE tokens RENAME TO tokens_elsewhere")
        for number, token in enumerate(tokens, 1):
            answer = client.get("/v1/me", headers=_signed(token) | {"X-Request-Id": f"fails-{number}"})
            assert answer.status_code == 500
            _misplace(client, token)
        connection.execute("ALTER TABLE tokens_elsewhere RENAME TO tokens")


@pytest.mark.parametrize("place", ["a name", "a game's key", "an action's key", "a turn's key"])
def test_a_text_that_would_be_kept_may_not_hold_a_token(client: Client, organiser: str, place: str) -> None:
    wrong = ODD_PLACES[place](secrets.new_secret())
    answer = client.send(wrong["method"], wrong["url"], organiser, wrong.get("headers"), json=wrong["json"])
    assert (answer.status_code, problem_code(answer), len(places(answer))) == (422, "invalid-request", 1)
    (error,) = members(answer)["errors"]
    assert error["detail"] == "must not have a token in it"


def test_the_id_of_a_request_never_holds_a_token(client: Client) -> None:
    token = secrets.new_secret()
    answer = client.get("/healthz", headers={"X-Request-Id": f"a-{token}-b"})
    assert token not in answer.headers["X-Request-Id"]
    almost = f"a-{token[:-1]}-b"
    assert client.get("/healthz", headers={"X-Request-Id": almost}).headers["X-Request-Id"] == almost


def test_tokens_are_stored_under_a_key_that_is_not_in_the_database(
    service: Service, settings: Settings, conninfo: str
) -> None:
    secret = service.arena.grant_token(Scope.ADMIN).secret
    other = open_service(Settings(pepper=settings.pepper[::-1], threads=64, waiters=32, followers=8), conninfo)
    try:
        with pytest.raises(Unauthenticated):
            other.arena.authenticate(secret)
    finally:
        other.close()
    assert service.arena.authenticate(secret).scope is Scope.ADMIN
    assert settings.pepper.decode() not in dumped(conninfo)
    assert settings.pepper.hex() not in dumped(conninfo)


def test_a_registration_that_is_sent_many_times_at_once_makes_one_bot(app: Flask, document: Document) -> None:
    name, key, ready = uuid4().hex, {"Idempotency-Key": uuid4().hex}, threading.Barrier(8)

    def register(_: int) -> Any:
        own = Client(app, document)
        ready.wait()
        return own.post("/v1/bots", {"name": name}, headers=key)

    with ThreadPoolExecutor(ready.parties) as threads:
        answers = list(threads.map(register, range(ready.parties)))
    assert {(answer.status_code, answer.data) for answer in answers} == {(201, answers[0].data)}


def test_a_registration_whose_token_was_revoked_cannot_be_told_again(client: Client) -> None:
    key = {"Idempotency-Key": uuid4().hex}
    first = client.post("/v1/bots", {"name": uuid4().hex}, headers=key)
    token = members(first)["token"]
    assert client.delete(f"/v1/tokens/{token['id']}", token["token"]).status_code == 204
    again = client.post("/v1/bots", {"name": uuid4().hex}, headers=key)
    assert (again.status_code, problem_code(again)) == (422, "idempotency-key-reused")
