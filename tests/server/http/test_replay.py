"""Events and transcripts over HTTP."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask

from skyjo.export import read_jsonl
from skyjo.transcript import read_transcript
from skyjo.verify import verify
from tests.contract.document import Document
from tests.server.http.client import Client, members, problem_code
from tests.server.http.conftest import Player
from tests.server.http.playing import SHORT, act, play_on


@pytest.fixture
def short_game(client: Client, organiser: str, ada: Player, bob: Player) -> str:
    """A game of Ada and Bob that is over after a few turns, just dealt."""
    seats = [{"kind": "bot", "bot": player.bot} for player in (ada, bob)]
    game: str = members(client.post("/v1/games", {"rules": SHORT, "seats": seats}, organiser))["id"]
    return game


def events(client: Client, game: str, token: str | None = None, query: str = "") -> dict[str, Any]:
    return members(client.get(f"/v1/games/{game}/events{query}", token))


def facts(page: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [fact for event in page["events"] for fact in event["facts"] if fact["kind"] == kind]


def test_events_come_in_order_and_can_be_asked_for_in_part(
    client: Client, ada: Player, bob: Player, game: dict[str, Any]
) -> None:
    play_on(client, game["id"], [ada.token, bob.token], 8)
    whole = events(client, game["id"])
    assert [event["version"] for event in whole["events"]] == list(range(9))
    assert (whole["version"], whole["status"]) == (8, "running")
    assert {event["game"] for event in whole["events"]} == {game["id"]}
    assert events(client, game["id"], None, "?after=3&limit=2")["events"] == whole["events"][4:6]
    assert events(client, game["id"], None, "?after=8") == {**whole, "events": []}


def test_while_a_game_is_on_its_events_show_a_reader_what_that_reader_may_know(
    client: Client, ada: Player, bob: Player, game: dict[str, Any]
) -> None:
    play_on(client, game["id"], [ada.token, bob.token], 2)
    for player in (ada, bob) * 2:
        seen = members(client.get(f"/v1/games/{game['id']}/view", player.token))
        if seen["legal_actions"]:
            act(client, game["id"], player.token, "draw", seen["version"])
            break
    pages = {token: events(client, game["id"], token) for token in (ada.token, bob.token, None)}
    for page in pages.values():
        (dealt,) = facts(page, "dealt")
        assert sum(card is not None for card in dealt["cards"]) == 1
    drawn = {token: facts(page, "drawn")[0] for token, page in pages.items()}
    assert sum(fact["card"] is not None for fact in drawn.values()) == 1
    assert drawn[player.token]["card"] is not None


def test_a_game_that_is_over_shows_everything_to_everybody(
    client: Client, ada: Player, bob: Player, short_game: str
) -> None:
    play_on(client, short_game, [ada.token, bob.token])
    page = events(client, short_game)
    assert page == events(client, short_game, ada.token)
    assert page["status"] == "finished"
    assert None not in facts(page, "dealt")[0]["cards"]
    assert len(facts(page, "game_ended")) == 1


def test_events_can_be_waited_for(
    app: Flask, document: Document, client: Client, ada: Player, game: dict[str, Any]
) -> None:
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(events, Client(app, document), game["id"], None, "?after=0&wait=30")
        act(client, game["id"], ada.token, "flip a1 b1", 0)
        assert [event["version"] for event in waiting.result()["events"]] == [1]


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        (None, "text/plain"),
        ("*/*", "text/plain"),
        ("text/*", "text/plain"),
        ("application/jsonl", "application/jsonl"),
        ("text/plain;q=0.5, application/jsonl", "application/jsonl"),
    ],
)
def test_a_game_that_is_over_can_be_read_whole_and_verified(
    client: Client, ada: Player, bob: Player, short_game: str, accept: str | None, media_type: str
) -> None:
    last = play_on(client, short_game, [ada.token, bob.token])
    answer = client.get(f"/v1/games/{short_game}/transcript", headers={} if accept is None else {"Accept": accept})
    assert answer.content_type == f"{media_type}; charset=utf-8"
    assert "Accept" in answer.headers["Vary"]
    (record,) = (read_transcript if media_type == "text/plain" else read_jsonl)(answer.text)
    verify(record)
    assert (str(record.game), record.events[-1].event.version) == (short_game, last["version"])


def test_a_media_type_that_a_transcript_does_not_have_is_refused(client: Client, short_game: str) -> None:
    answer = client.get(f"/v1/games/{short_game}/transcript", headers={"Accept": "text/html"})
    assert (answer.status_code, problem_code(answer)) == (406, "not-acceptable")
    assert "application/jsonl" in members(answer)["hint"]


def test_nothing_is_read_whole_before_the_end(client: Client, ada: Player, bob: Player, short_game: str) -> None:
    play_on(client, short_game, [ada.token, bob.token], 3)
    answer = client.get(f"/v1/games/{short_game}/transcript")
    assert (answer.status_code, problem_code(answer)) == (409, "game-not-finished")
