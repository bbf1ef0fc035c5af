"""One table over HTTP: looking, waiting, acting, and being refused."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask

from tests.contract.document import Document
from tests.server.http.client import Client, members, places, problem_code
from tests.server.http.conftest import Player
from tests.server.http.playing import act, play_on, view


def on_move(client: Client, game: str, players: tuple[Player, Player]) -> tuple[Player, dict[str, Any]]:
    seen = ((player, view(client, game, player.token)) for player in players)
    return next((player, decision) for player, decision in seen if decision["legal_actions"])


def test_an_action_without_a_version_is_refused(client: Client, ada: Player, game: dict[str, Any]) -> None:
    answer = client.post(f"/v1/games/{game['id']}/actions", {"action": "flip a1 b1"}, ada.token)
    assert (answer.status_code, problem_code(answer)) == (428, "precondition-required")


def test_an_action_for_an_old_version_is_refused_with_the_current_decision(
    client: Client, ada: Player, game: dict[str, Any]
) -> None:
    act(client, game["id"], ada.token, "flip a1 b1", 0)
    answer = act(client, game["id"], ada.token, "flip a1 c1", 0)
    assert (answer.status_code, problem_code(answer)) == (412, "stale-version")
    assert members(answer)["version"] == 1
    assert members(answer)["decision"] == view(client, game["id"], ada.token)


def test_an_illegal_action_is_refused_with_the_reason_and_the_legal_ones(
    client: Client, ada: Player, game: dict[str, Any]
) -> None:
    answer = act(client, game["id"], ada.token, "draw", 0)
    assert (answer.status_code, problem_code(answer)) == (422, "illegal-action")
    assert (members(answer)["reason"], members(answer)["version"]) == ("wrong-phase", 0)
    assert members(answer)["legal_actions"] == view(client, game["id"], ada.token)["legal_actions"]
    assert view(client, game["id"], ada.token)["version"] == 0


def test_an_action_sent_again_with_its_key_gets_the_first_answer_again(
    client: Client, ada: Player, bob: Player, game: dict[str, Any]
) -> None:
    play_on(client, game["id"], [ada.token, bob.token], 4)
    player, seen = on_move(client, game["id"], (ada, bob))
    first = act(client, game["id"], player.token, "draw", seen["version"], Idempotency_Key="k-1")
    again = act(client, game["id"], player.token, "draw", seen["version"], Idempotency_Key="k-1")
    assert (again.status_code, again.data, again.headers["ETag"]) == (200, first.data, first.headers["ETag"])
    other = act(client, game["id"], player.token, "take a1", seen["version"], Idempotency_Key="k-1")
    assert (other.status_code, problem_code(other)) == (422, "idempotency-key-reused")


def test_a_table_looks_different_from_each_seat_and_from_outside(
    client: Client, ada: Player, bob: Player, game: dict[str, Any]
) -> None:
    play_on(client, game["id"], [ada.token, bob.token], 4)
    player, seen = on_move(client, game["id"], (ada, bob))
    act(client, game["id"], player.token, "draw", seen["version"])
    views = [view(client, game["id"], token) for token in (ada.token, bob.token, None)]
    assert [found["seat"] for found in views] == [0, 1, None]
    assert [found["drawn"] is not None for found in views] == [ada == player, bob == player, False]
    assert [found["legal_actions"] != [] for found in views] == [ada == player, bob == player, False]
    shared = [{name: found[name] for name in ("version", "seats", "discard_pile", "draw_pile_size")} for found in views]
    assert shared[0] == shared[1] == shared[2]


def test_the_legal_actions_are_those_of_the_view(client: Client, ada: Player, game: dict[str, Any]) -> None:
    for token in (ada.token, None):
        seen = view(client, game["id"], token)
        expected = {name: seen[name] for name in ("game", "version", "seat", "legal_actions")}
        assert members(client.get(f"/v1/games/{game['id']}/actions", token)) == expected


def test_a_game_with_an_open_seat_has_no_view(client: Client, ada: Player) -> None:
    seats = [{"kind": "bot", "bot": ada.bot}, {"kind": "open"}]
    game = members(client.post("/v1/games", {"seats": seats}, ada.token))["id"]
    for answer in (
        client.get(f"/v1/games/{game}/view", ada.token),
        client.get(f"/v1/games/{game}/actions", ada.token),
        act(client, game, ada.token, "flip a1 b1", 0),
    ):
        assert (answer.status_code, problem_code(answer)) == (409, "game-not-started")
    page = members(client.get(f"/v1/games/{game}/events", ada.token))
    assert page == {"events": [], "version": -1, "status": "open"}


def test_a_seat_with_a_clock_sees_its_own_deadline_and_nobody_elses(
    client: Client, organiser: str, ada: Player, bob: Player
) -> None:
    seats = [{"kind": "bot", "bot": player.bot} for player in (ada, bob)]
    game = members(client.post("/v1/games", {"seats": seats, "move_seconds": 600}, organiser))["id"]
    act(client, game, ada.token, "flip a1 b1", 0)
    deadlines = [view(client, game, token)["deadline"] for token in (ada.token, bob.token, None)]
    assert [deadline is not None for deadline in deadlines] == [False, True, False]


def test_a_stranger_may_look_and_may_not_act(client: Client, ada: Player, register: Any, game: dict[str, Any]) -> None:
    stranger = register()
    assert view(client, game["id"], stranger.token)["seat"] is None
    missing = act(client, "00112233-4455-6677-8899-aabbccddeeff", stranger.token, "flip a1 b1", 0)
    foreign = act(client, game["id"], stranger.token, "flip a1 b1", 0)
    assert (missing.status_code, missing.data) == (foreign.status_code, foreign.data)
    assert problem_code(foreign) == "not-found"
    assert view(client, game["id"], ada.token)["version"] == 0


def test_another_owners_bot_cannot_be_named(client: Client, ada: Player, bob: Player, game: dict[str, Any]) -> None:
    assert problem_code(client.get(f"/v1/games/{game['id']}/view?bot={bob.bot}", ada.token)) == "not-found"
    assert problem_code(client.get(f"/v1/games/{game['id']}/view?bot={bob.bot}")) == "not-found"


def test_a_view_waits_for_a_later_version(
    app: Flask, document: Document, client: Client, ada: Player, bob: Player, game: dict[str, Any]
) -> None:
    path = f"/v1/games/{game['id']}/view?after=0&wait=30"
    with ThreadPoolExecutor(2) as threads:
        waiting = [threads.submit(Client(app, document).get, path, token) for token in (bob.token, None)]
        act(client, game["id"], ada.token, "flip a1 b1", 0)
        assert [members(answer.result())["version"] for answer in waiting] == [1, 1]


def test_a_view_that_waited_in_vain_is_given_as_it_is(client: Client, ada: Player, game: dict[str, Any]) -> None:
    assert members(client.get(f"/v1/games/{game['id']}/view?after=0&wait=0.01", ada.token))["version"] == 0
    tag = {"If-None-Match": '"0"'}
    assert client.get(f"/v1/games/{game['id']}/view?after=0&wait=0.01", ada.token, headers=tag).status_code == 304


@pytest.mark.parametrize("body", ['{"action": "flip a1 b1", "version": 0}', "{}", '{"action": null}'])
def test_an_action_is_the_one_member_of_its_body(client: Client, ada: Player, game: dict[str, Any], body: str) -> None:
    sent = {"If-Match": '"0"', "Content-Type": "application/json"}
    answer = client.send("POST", f"/v1/games/{game['id']}/actions", ada.token, sent, data=body)
    assert problem_code(answer) == "invalid-request"
    assert places(answer) == ["/version" if "version" in json.loads(body) else "/action"]
    assert view(client, game["id"], ada.token)["version"] == 0
