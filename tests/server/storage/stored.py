"""Games that are over as storage keeps them, made of random records. Asserts nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from uuid import UUID

from hypothesis import strategies as st

from skyjo import GameRecord, Status
from skyjo.bots import HOUSE_BOTS
from skyjo_server.service.model import (
    ClockRules,
    ForkPoint,
    GameInfo,
    GameResult,
    GameStatus,
    OnTimeout,
    Seat,
    SeatKind,
)
from skyjo_server.service.ports import StoredEvent, StoredGame
from skyjo_server.service.replaying import Replay
from skyjo_server.tournaments.values import Cause
from tests.skyjo.export.records import records

BEGAN = datetime(2026, 1, 31, 18, 30, 12, 345678, tzinfo=UTC)


def stored_game(
    record: GameRecord, random: Random, clock: ClockRules | None = None, *, house_only: bool = False
) -> StoredGame:
    """A record as a service would have kept it: bots and house bots at its seats, times in milliseconds or finer.

    Args:
        record: the game.
        random: decides who sits where and how long everything took.
        clock: the time that they had.
        house_only: whether house bots alone played, all of it in one commit.
    """
    names, rules = record.seats, clock or ClockRules()
    owners = [UUID(int=random.getrandbits(128)) for _ in names]
    seats = tuple(
        Seat(seat, SeatKind.BOT, UUID(int=random.getrandbits(128)), random.choice(owners), None, name)
        if not house_only and random.random() < 0.7
        else Seat(seat, SeatKind.HOUSE, None, None, house, house if house_only else random.choice([house, name]))
        for seat, name in enumerate(names)
        for house in [random.choice([*HOUSE_BOTS])]
    )
    record = _renamed(record, seats)
    replay = Replay(record, seats, rules)
    events = tuple(_at_once(record, replay) if house_only else _events(record, replay, random))
    over = GameStatus(record.result.status.value)
    info = GameInfo(
        id=record.game,
        status=over,
        rules=record.rules,
        seats=tuple(replace(seat, left=gone) for seat, gone in zip(seats, replay.state.left, strict=True)),
        version=len(events) - 1,
        commitment=record.commitment,
        clock=rules,
        created_at=BEGAN,
        started_at=events[0].at,
        finished_at=events[-1].at + timedelta(seconds=0 if record.result.status is Status.FINISHED else 5),
        result=GameResult(over, replay.state.totals, replay.state.ranks, _causes(over, len(names), random)),
        tournament_id=random.choice([None, UUID(int=random.getrandbits(128))]),
        forked=random.choice([None, ForkPoint(UUID(int=random.getrandbits(128)), random.randrange(100))]),
    )
    return StoredGame(info, record.seed, record.entropy or (b"",) * len(names), events, record.board)


def _causes(over: GameStatus, seats: int, random: Random) -> tuple[Cause, ...]:
    if over is not GameStatus.FINISHED:
        return (Cause.VOID,) * seats
    return tuple(random.choice([Cause.FINISHED, Cause.FINISHED, *Cause]) for _ in range(seats))


def _renamed(record: GameRecord, seats: tuple[Seat, ...]) -> GameRecord:
    return replace(record, seats=tuple(seat.name or "" for seat in seats), hash=None)


def _events(record: GameRecord, replay: Replay, random: Random) -> list[StoredEvent]:
    """The events with times: some in one commit, some in the same moment, some after a downtime that was given back."""
    unit = random.choice([1, 1000])
    at, events = BEGAN, []
    for logged in record.events:
        at += timedelta(microseconds=unit * random.choice([0, 0, random.randrange(200), random.randrange(2_000_000)]))
        thinking = replay.expected_thinking(logged.event, at)
        if random.random() < 0.05:
            thinking = random.choice([None, random.random() * 100])
        events.append(replay.play(logged.event, at, thinking))
    return events


def _at_once(record: GameRecord, replay: Replay) -> list[StoredEvent]:
    return [replay.play(logged.event, BEGAN, None) for logged in record.events]


@st.composite
def stored_games(draw: st.DrawFn, steps: st.SearchStrategy[int] | None = None) -> StoredGame:
    """A random game that is over: any rules, seats, timeouts, leavers; finished or stopped; with a clock or not."""
    clock = draw(
        st.just(ClockRules())
        | st.builds(
            ClockRules,
            st.none() | st.floats(0.1, 3600),
            st.floats(0, 3600),
            st.sampled_from(OnTimeout),
            st.integers(1, 9),
        )
    )
    return stored_game(draw(records(steps)), draw(st.randoms(use_true_random=False)), clock)
