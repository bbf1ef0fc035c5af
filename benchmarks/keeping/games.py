"""Finished games as rows of the service's tables: played offline by house bots, with times as of bots on a network.

Each game is another one: its number decides its deals, its bots and its times. It stores nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Final
from uuid import UUID

import orjson
from psycopg.types.json import Jsonb

from skyjo import GameRecord
from skyjo.notation import fact_to_dict
from skyjo_client import Arena, load_bot
from skyjo_server.service.model import ClockRules, Seat, SeatKind
from skyjo_server.service.ports import StoredEvent
from skyjo_server.service.replaying import Replay

BEGAN: Final = datetime(2026, 1, 1, tzinfo=UTC)
FASTEST_SECONDS: Final = 0.005
MEAN_SECONDS: Final = 0.05
"""What a bot takes for a decision, its way through the network included: the fastest, and on average beyond that."""

BOTS: Final = 64
_PAIR: Final = ("threshold", "threshold")
_MAX_TIMEOUTS: Final = 3

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of one finished game, by table."""

    games: Row
    game_seats: tuple[Row, ...]
    game_secrets: Row
    events: tuple[Row, ...]
    submissions: tuple[Row, ...]


COLUMNS: Final = {
    "games": "game_id, owner_id, creation_key, status, version, rules, commitment, clock_started, last_thinking, "
    "bank_seconds, on_timeout, max_timeouts, created_at, started_at, finished_at, result",
    "game_seats": "game_id, seat, kind, bot_id, owner_id, name, active",
    "game_secrets": "game_id, seed",
    "events": "game_id, version, seat, action, cause, facts, opener, at, thinking_seconds, hash",
    "submissions": "game_id, seat, key, sent_version, action, version, answer_version",
}
"""The columns of each table, in the order of the rows."""


def bot(number: int) -> tuple[UUID, UUID, str]:
    """A bot, its owner and its name."""
    random = Random(f"bot {number}")
    return UUID(int=random.getrandbits(128)), UUID(int=random.getrandbits(128)), f"threshold-{number}"


def game_rows(number: int) -> Rows:
    """The rows of a game by its number."""
    random = Random(f"game {number}")
    record = Arena([load_bot(name) for name in _PAIR], seed="storage").play_one(number, record=True).record
    assert record is not None
    players = [bot(player) for player in random.sample(range(BOTS), len(record.seats))]
    seats = tuple(
        Seat(seat, SeatKind.BOT, bot_id, owner_id, None, name) for seat, (bot_id, owner_id, name) in enumerate(players)
    )
    record = replace(record, seats=tuple(name for _, _, name in players))
    created = BEGAN + timedelta(seconds=number, milliseconds=random.randrange(1_000))
    events = _events(record, seats, created, random)
    return Rows(
        games=_game_row(record, created, events, random),
        game_seats=tuple(
            (record.game, seat.seat, "bot", seat.bot_id, seat.owner_id, seat.name, False) for seat in seats
        ),
        game_secrets=(record.game, record.seed),
        events=tuple(_event_row(record.game, stored) for stored in events),
        submissions=tuple(_submission_row(record.game, stored, random) for stored in events[1:]),
    )


def _events(record: GameRecord, seats: tuple[Seat, ...], at: datetime, random: Random) -> tuple[StoredEvent, ...]:
    replay, events = Replay(record, seats, ClockRules()), []
    for logged in record.events:
        if logged.event.version:
            took = FASTEST_SECONDS + random.expovariate(1 / MEAN_SECONDS)
            at += timedelta(milliseconds=int(took * 1_000))
        events.append(replay.play(logged.event, at, replay.expected_thinking(logged.event, at)))
    return tuple(events)


def _game_row(record: GameRecord, created: datetime, events: tuple[StoredEvent, ...], random: Random) -> Row:
    result = record.result
    assert result.ranks is not None
    told = {
        "status": "finished",
        "totals": result.totals,
        "ranks": result.ranks,
        "causes": ["finished"] * len(record.seats),
    }
    last = events[-1]
    return (
        record.game, UUID(int=random.getrandbits(128)), _key(random), "finished", len(events) - 1,
        Jsonb(record.rules.to_dict()), record.commitment, last.at, last.thinking_seconds,
        0.0, "default", _MAX_TIMEOUTS, created, events[0].at, last.at, Jsonb(told),
    )  # fmt: skip


def _event_row(game: UUID, stored: StoredEvent) -> Row:
    event = stored.event
    facts = orjson.dumps([fact_to_dict(fact) for fact in event.facts]).decode()
    action = None if event.action is None else str(event.action)
    return (
        game, event.version, event.seat, action, event.cause.value, facts, event.opener,
        stored.at, stored.thinking_seconds, stored.hash,
    )  # fmt: skip


def _submission_row(game: UUID, stored: StoredEvent, random: Random) -> Row:
    event = stored.event
    return (game, event.seat, _key(random), event.version - 1, str(event.action), event.version, event.version)


def _key(random: Random) -> str:
    """An idempotency key as the SDK makes them."""
    return f"{random.getrandbits(128):032x}"
