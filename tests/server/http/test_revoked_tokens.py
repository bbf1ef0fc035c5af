"""A token that a process knows, and that is then revoked: refused at once by everything that may rely on knowing it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.http.client import Client, members, problem_code
from tests.server.http.conftest import Player
from tests.server.http.playing import act, view

NO_GAME = "00112233-4455-6677-8899-aabbccddeeff"


@pytest.fixture
def revoked(client: Client, ada: Player, game: dict[str, Any]) -> str:
    """A token that has read, played and waited, until it was revoked."""
    issued = members(client.post("/v1/tokens", {}, ada.token))
    token: str = issued["token"]
    seen = view(client, game["id"], token)
    assert (
        act(client, game["id"], token, seen["legal_actions"][0], seen["version"], Idempotency_Key="k").status_code
        == 200
    )
    assert client.get("/v1/turns", token).status_code == 200
    client.delete(f"/v1/tokens/{issued['id']}", ada.token)
    return token


def item(game: str, version: int, action: str = "flip a1 b1", key: str | None = None) -> dict[str, Any]:
    return {"game": game, "version": version, "action": action, "key": key}


@pytest.mark.parametrize("wait", ["", "?after=99&wait=1"], ids=["at once", "waiting"])
def test_it_sees_no_table_and_follows_none(client: Client, game: dict[str, Any], revoked: str, wait: str) -> None:
    path = f"/v1/games/{game['id']}"
    answers = [client.get(f"{path}/{kind}{wait}", revoked) for kind in ("view", "events")]
    answers.append(client.get(f"{path}/actions", revoked))
    assert [(answer.status_code, problem_code(answer)) for answer in answers] == [(401, "unauthenticated")] * 3


def test_it_is_told_nothing_about_games_that_do_not_exist(client: Client, revoked: str) -> None:
    answers = [client.get(f"/v1/games/{NO_GAME}/view", revoked), act(client, NO_GAME, revoked, "draw", 3)]
    assert [problem_code(answer) for answer in answers] == ["unauthenticated"] * 2


@pytest.mark.parametrize("version", [0, 1, 7], ids=["late", "in time", "early"])
def test_it_plays_nothing_whatever_version_it_answers(
    client: Client, ada: Player, game: dict[str, Any], revoked: str, version: int
) -> None:
    single = act(client, game["id"], revoked, "flip a1 b1", version)
    batch = client.post("/v1/turns", {"actions": [item(game["id"], version)]}, revoked)
    assert [problem_code(answer) for answer in (single, batch)] == ["unauthenticated"] * 2
    assert view(client, game["id"], ada.token)["version"] == 1


def test_it_does_not_learn_what_became_of_its_own_move(client: Client, game: dict[str, Any], revoked: str) -> None:
    again = client.post("/v1/turns", {"actions": [item(game["id"], 0, key="k")]}, revoked)
    assert problem_code(again) == "unauthenticated"


@pytest.mark.parametrize("actions", [[], [item(NO_GAME, 3)]], ids=["no actions", "a game that does not exist"])
def test_its_inbox_is_closed(client: Client, revoked: str, actions: list[dict[str, Any]]) -> None:
    answers = [client.get("/v1/turns", revoked), client.post("/v1/turns", {"actions": actions}, revoked)]
    assert [problem_code(answer) for answer in answers] == ["unauthenticated"] * 2


def test_what_is_wrong_with_its_request_is_not_said(client: Client, game: dict[str, Any], revoked: str) -> None:
    answers = [
        client.post(f"/v1/games/{game['id']}/actions", {"action": "draw"}, revoked),
        client.post("/v1/turns", {"actions": 1}, revoked),
        client.get("/v1/turns?nonsense=1", revoked),
    ]
    assert [problem_code(answer) for answer in answers] == ["unauthenticated"] * 3


def test_a_token_that_plays_for_no_bot_is_refused_too(client: Client, organiser: str) -> None:
    issued = members(client.post("/v1/tokens", {"scope": "organiser"}, organiser))
    assert client.get("/v1/turns", issued["token"]).status_code == 200
    client.delete(f"/v1/tokens/{issued['id']}", organiser)
    assert problem_code(client.get("/v1/turns", issued["token"])) == "unauthenticated"
