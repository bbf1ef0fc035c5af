"""The inbox over HTTP: many actions of many games in, results and next decisions out."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID, uuid4

import pytest
from flask import Flask

from tests.contract.document import Document
from tests.server.http.client import Client, members, places, problem_code
from tests.server.http.conftest import Player
from tests.server.http.playing import act, view


def turn(game: str, version: int, action: str, key: str | None = None) -> dict[str, Any]:
    return {"game": game, "version": version, "action": action, "key": key}


def play(client: Client, token: str, *actions: dict[str, Any], **more: Any) -> dict[str, Any]:
    return members(client.post("/v1/turns", {"actions": list(actions), **more}, token))


@pytest.fixture
def games(client: Client, organiser: str, ada: Player, bob: Player) -> list[str]:
    """Three games that have just been dealt, of Ada and Bob."""
    seats = [{"kind": "bot", "bot": player.bot} for player in (ada, bob)]
    return [members(client.post("/v1/games", {"seats": seats}, organiser))["id"] for _ in range(3)]


def test_every_decision_that_waits_for_a_bot_is_in_its_inbox(client: Client, ada: Player, games: list[str]) -> None:
    found = members(client.get("/v1/turns?wait=1", ada.token))["decisions"]
    assert {decision["game"] for decision in found} == set(games)
    assert found == [view(client, decision["game"], ada.token) for decision in found]
    assert len(members(client.get("/v1/turns?limit=2", ada.token))["decisions"]) == 2


def test_what_is_accepted_says_how_long_it_took(client: Client, ada: Player, games: list[str]) -> None:
    (accepted,) = play(client, ada.token, turn(games[0], 0, "flip a1 b1"))["results"]
    assert accepted["thinking_seconds"] >= 0
    page = members(client.get(f"/v1/games/{games[0]}/events", ada.token))
    assert [event["thinking_seconds"] for event in page["events"]] == [None, accepted["thinking_seconds"]]


def test_results_come_in_the_order_of_the_actions_and_one_that_is_refused_touches_no_other(
    client: Client, ada: Player, games: list[str]
) -> None:
    nowhere = str(uuid4())
    answer = play(
        client,
        ada.token,
        turn(games[0], 0, "flip a1 b1"),
        turn(games[1], 0, "draw"),
        turn(nowhere, 0, "flip a1 b1"),
        turn(games[1], 7, "flip a1 b1"),
        turn(games[2], 0, "flip c3 d3", "k-1"),
    )
    results = [(found["game"], found["status"], found["version"]) for found in answer["results"]]
    assert results[0] == (games[0], "accepted", 1)
    assert results[1] == (games[1], "refused", 0)
    assert results[2] == (nowhere, "refused", None)
    assert results[3] == (games[1], "refused", 0)
    assert results[4] == (games[2], "accepted", 1)
    codes = [found["problem"] and found["problem"]["type"].rpartition(":")[2] for found in answer["results"]]
    assert codes == [None, "illegal-action", "not-found", "stale-version", None]
    assert answer["results"][3]["problem"]["decision"] == view(client, games[1], ada.token)
    assert [decision["game"] for decision in answer["decisions"]] == [games[1]]


def test_several_actions_of_one_game_are_played_one_after_the_other(
    client: Client, organiser: str, ada: Player, bob: Player
) -> None:
    seats = [{"kind": "bot", "bot": player.bot} for player in (ada, bob)]
    rules = {"initial_flip_choice": "random", "first_starter": "lowest_seat"}
    game = members(client.post("/v1/games", {"rules": rules, "seats": seats}, organiser))["id"]
    answer = play(client, ada.token, turn(game, 0, "draw"), turn(game, 1, "keep a1"), turn(game, 2, "draw"))
    assert [found["status"] for found in answer["results"]] == ["accepted", "accepted", "refused"]
    assert [found["version"] for found in answer["results"]] == [1, 2, 2]


def test_a_batch_sent_again_plays_nothing_twice(client: Client, ada: Player, games: list[str]) -> None:
    actions = [turn(game, 0, "flip a1 b1", f"k-{number}") for number, game in enumerate(games)]
    assert play(client, ada.token, *actions)["results"] == play(client, ada.token, *actions)["results"]
    assert {view(client, game, ada.token)["version"] for game in games} == {1}


def test_one_action_that_cannot_be_read_refuses_the_batch_and_is_named(
    client: Client, ada: Player, games: list[str]
) -> None:
    actions = [turn(games[0], 0, "flip a1 b1"), turn(games[1], 0, "flip a9 b1")]
    answer = client.post("/v1/turns", {"actions": actions}, ada.token)
    assert (answer.status_code, problem_code(answer), places(answer)) == (422, "invalid-request", ["/actions/1/action"])
    assert view(client, games[0], ada.token)["version"] == 0


def test_more_actions_than_a_batch_can_have_are_refused_at_once(client: Client, ada: Player) -> None:
    actions = [turn(str(UUID(int=number)), 0, "draw") for number in range(257)]
    answer = client.post("/v1/turns", {"actions": actions}, ada.token)
    assert places(answer) == ["/actions"]
    assert len(play(client, ada.token, *actions[:256])["results"]) == 256


def test_a_batch_may_be_larger_than_another_body(client: Client, ada: Player) -> None:
    padding: dict[str, Any] = {"data": b" " * 200_000 + b'{"actions": []}', "content_type": "application/json"}
    assert client.send("POST", "/v1/turns", ada.token, **padding).status_code == 200
    assert problem_code(client.send("POST", "/v1/bots", ada.token, **padding)) == "body-too-large"


def test_the_inbox_waits_for_a_decision(
    app: Flask, document: Document, client: Client, ada: Player, bob: Player, games: list[str]
) -> None:
    flips = [turn(game, 0, "flip a1 b1") for game in games]
    assert play(client, ada.token, *flips)["decisions"] == []
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(Client(app, document).get, "/v1/turns?wait=30", ada.token)
        seen = members(act(client, games[1], bob.token, "flip a1 b1", 1))
        while not view(client, games[1], ada.token)["legal_actions"]:
            seen = members(act(client, games[1], bob.token, seen["legal_actions"][0], seen["version"]))
        assert [decision["game"] for decision in members(waiting.result())["decisions"]] == [games[1]]
