"""Server-sent events: what a page that follows a game gets, redacted for its reader, and resumable."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from flask import Flask

from skyjo_server.app import Service
from skyjo_server.http import create_http_app
from skyjo_server.service.arena import FOLLOWERS
from skyjo_server.service.follow import Following
from skyjo_server.service.model import GameInfo
from tests.server.service.people import OPEN_SEAT, Player, bot_seat, new_game, play_on, register, view

STREAM = {"Accept": "text/event-stream"}


@pytest.fixture
def app(service: Service) -> Flask:
    return create_http_app(service.arena)


@pytest.fixture
def players(service: Service) -> tuple[Player, ...]:
    return register(service, "Ada", "Bob")


@pytest.fixture
def game(service: Service, players: tuple[Player, ...]) -> GameInfo:
    game = new_game(service, *map(bot_seat, players))
    play_on(service, players, game, 6)
    return game


def stream(app: Flask, game_id: UUID, player: Player | None = None, **headers: str) -> Iterator[dict[str, Any]]:
    """The events of a stream, each with its id, as they come; a comment is an empty one."""
    sent = STREAM | headers | ({} if player is None else {"Authorization": f"Bearer {player.secret}"})
    answer = app.test_client().get(f"/v1/games/{game_id}/events", headers=sent)
    assert answer.status_code == 200
    assert answer.content_type == "text/event-stream"
    assert answer.headers["Cache-Control"] == "private, no-store"
    for chunk in answer.iter_encoded():
        for block in chunk.decode().removesuffix("\n\n").split("\n\n"):
            yield dict(line.split(": ", 1) for line in block.split("\n") if not line.startswith(":"))


def some(events: Iterator[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    return [next(events) for _ in range(count)]


def listed(app: Flask, game_id: UUID, player: Player | None) -> list[dict[str, Any]]:
    headers = {} if player is None else {"Authorization": f"Bearer {player.secret}"}
    answer = app.test_client().get(f"/v1/games/{game_id}/events?limit=1000", headers=headers).json
    assert answer is not None
    events: list[dict[str, Any]] = answer["events"]
    return events


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_a_stream_gives_what_a_list_gives_the_same_reader(
    app: Flask, game: GameInfo, players: tuple[Player, ...], seat: int | None
) -> None:
    reader = None if seat is None else players[seat]
    wanted = listed(app, game.id, reader)
    events = some(stream(app, game.id, reader), len(wanted))
    assert [json.loads(event["data"]) for event in events] == wanted
    assert [event["id"] for event in events] == [str(event["version"]) for event in wanted]


def test_a_stream_goes_on_with_what_happens_and_shows_a_drawn_card_to_its_drawer_alone(
    app: Flask, service: Service, game: GameInfo, players: tuple[Player, ...]
) -> None:
    known = service.arena.game(game.id).version
    drawer, seen = next(
        (player, seen) for player in players if (seen := view(service, player, game)).seat in seen.to_act
    )
    streams = {reader: stream(app, game.id, reader, **{"Last-Event-ID": str(known - 1)}) for reader in (*players, None)}
    for events in streams.values():
        assert next(events)["id"] == str(known)
    action = next(action for action in seen.legal_actions if str(action) in {"draw", "keep a1"})
    played = service.arena.play(drawer.caller, game.id, seen.version, action, None)
    news = {reader: json.loads(next(events)["data"]) for reader, events in streams.items()}
    assert {event["version"] for event in news.values()} == {known + 1}
    if played.drawn is not None:
        assert {reader: event["facts"][-1]["card"] for reader, event in news.items()} == {
            reader: played.drawn if reader == drawer else None for reader in streams
        }


def test_a_stream_ends_with_its_game_and_says_so(
    app: Flask, service: Service, game: GameInfo, players: tuple[Player, ...]
) -> None:
    events = stream(app, game.id)
    next(events)
    service.arena.resign(players[0].caller, game.id)
    rest = list(events)
    assert rest[-1] == {
        "event": "end",
        "data": json.dumps({"version": int(rest[-2]["id"]), "status": "finished"}, separators=(",", ":")),
    }
    again = list(stream(app, game.id, **{"Last-Event-ID": rest[-2]["id"]}))
    assert again == rest[-1:]


def test_a_stream_of_an_open_game_begins_with_its_deal(
    app: Flask, service: Service, players: tuple[Player, ...]
) -> None:
    game = new_game(service, bot_seat(players[0]), OPEN_SEAT)
    events = stream(app, game.id)
    assert next(events) == {}
    service.arena.join(players[1].caller, game.id, None, b"")
    assert json.loads(next(events)["data"])["version"] == 0


def test_an_id_that_is_none_is_refused(app: Flask, game: GameInfo) -> None:
    answer = app.test_client().get(f"/v1/games/{game.id}/events", headers=STREAM | {"Last-Event-ID": "-1"})
    assert answer.status_code == 422


def test_a_game_that_is_not_there_is_refused_at_once(app: Flask) -> None:
    answer = app.test_client().get(f"/v1/games/{UUID(int=1)}/events", headers=STREAM)
    assert answer.status_code == 404


def test_beyond_the_places_a_follower_is_told_to_come_back_and_a_place_that_is_left_is_free(
    service: Service, game: GameInfo
) -> None:
    following = Following(service.storage.log, service.arena._play._tables, service.hub, 1)
    first = following.follow(None, game.id, -1)
    next(first)
    with pytest.raises(Exception, match="too many follow"):
        following.follow(None, game.id, -1)
    first.close()  # type: ignore[attr-defined]  # it is a generator
    next(following.follow(None, game.id, -1))


def test_a_stream_ends_when_the_service_stops(app: Flask, service: Service, game: GameInfo) -> None:
    events = stream(app, game.id, None, **{"Last-Event-ID": str(service.arena.game(game.id).version)})
    assert next(events) == {}
    service.hub.close()
    assert list(events) == []


def test_whoever_asks_for_the_headers_alone_keeps_no_place(app: Flask, game: GameInfo) -> None:
    for _ in range(FOLLOWERS + 1):
        assert app.test_client().head(f"/v1/games/{game.id}/events", headers=STREAM).status_code == 200
    assert next(stream(app, game.id))["id"] == "0"
