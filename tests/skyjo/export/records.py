"""Records for the tests of exchange and proof: the published games, and random ones. Asserts nothing."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any, Final
from uuid import UUID

from hypothesis import strategies as st

from skyjo import (
    Cause,
    Event,
    FairChance,
    GameRecord,
    LoggedEvent,
    Phase,
    Result,
    RuleSet,
    State,
    Status,
    commitment,
    decide,
    decide_leave,
    default_action,
    evolve,
    forced_seat,
    initial_state,
    read_jsonl,
    shuffle_key,
    start,
)
from skyjo.chain import event_salt, hashed
from skyjo.record import Board
from skyjo.shuffle import WordStream
from tests.house.tree import ROOT
from tests.strategies import Habits, action_stream, habits, presets, random_action, rule_sets, seat_counts, seeds

VECTORS: Final = ROOT / "tests" / "vectors"
NUMBERS: Final = range(1, 35)
"""The published games are numbered in their order."""

Lines = list[dict[str, Any]]


@cache
def vector_records() -> tuple[GameRecord, ...]:
    """The published games, read."""
    with (VECTORS / "games.jsonl").open("rb") as file:
        return tuple(read_jsonl(file))


@cache
def vector_texts() -> tuple[tuple[str, ...], ...]:
    """The published games as lines."""
    games: list[list[str]] = []
    for line in (VECTORS / "games.jsonl").read_text(encoding="utf-8").splitlines():
        if line.startswith('{"skyjo"'):
            games.append([])
        games[-1].append(line)
    return tuple(map(tuple, games))


def vector_lines(number: int) -> Lines:
    """The lines of a published game, parsed by nothing of ours."""
    return [json.loads(line) for line in vector_texts()[number - 1]]


def text_of(lines: Lines) -> str:
    """Lines as JSON."""
    return "".join(f"{json.dumps(line)}\n" for line in lines)


def record_of(number: int) -> GameRecord:
    """A published game."""
    return vector_records()[number - 1]


def command(state: State, words: WordStream, habits: Habits, timed_out: Cause) -> Event:
    """What happens next in a random game: who does what and why. Its facts are left out."""
    stay = [seat for seat, left in enumerate(state.left) if not left]
    if habits.leave_one_in and words.uniform(habits.leave_one_in) == 0:
        cause = (Cause.PLAYER, Cause.FORFEIT)[words.uniform(2)]
        return Event(state.version + 1, stay[words.uniform(len(stay))], None, cause, ())
    forced = forced_seat(state)
    if forced is not None:
        return Event(state.version + 1, forced, default_action(state, forced), Cause.FORFEIT, ())
    seat = state.to_act[words.uniform(len(state.to_act))]
    goes_on = state.phase is Phase.DRAWN and timed_out is Cause.TIMEOUT
    if goes_on or (habits.timeout_one_in and words.uniform(habits.timeout_one_in) == 0):
        return Event(state.version + 1, seat, default_action(state, seat), Cause.TIMEOUT, ())
    action = random_action(state, seat, words, habits.style)
    return Event(state.version + 1, seat, action, Cause.PLAYER, ())


def played(
    rules: RuleSet, seats: int, chance: FairChance, words: WordStream, steps: int, habits: Habits
) -> list[Event]:
    """The events of a random game in which every turn that a timeout begins, a timeout ends."""
    events = [start(rules, seats, chance)]
    state = evolve(initial_state(rules, seats), events[0])
    while len(events) <= steps and state.phase is not Phase.OVER:
        told = command(state, words, habits, events[-1].cause)
        assert told.seat is not None
        if told.action is None:
            events.append(decide_leave(state, told.seat, told.cause))
        else:
            events.append(decide(state, told.seat, told.action, chance, told.cause))
        state = evolve(state, events[-1])
    return events


def result_of(rules: RuleSet, seats: int, events: list[Event], stopped: Status) -> Result:
    """How a game that was played so far ended: by itself, or stopped."""
    state = initial_state(rules, seats)
    for event in events:
        state = evolve(state, event)
    return Result(stopped if state.ranks is None else Status.FINISHED, state.totals, state.ranks)


NAMES: Final = st.text(
    st.characters(exclude_categories=("C", "Z")) | st.sampled_from(' "\\[]{};:'), min_size=1, max_size=12
)


@st.composite
def records(draw: st.DrawFn, steps: st.SearchStrategy[int] | None = None) -> GameRecord:
    """A random game: any rules and seats, timeouts, leavers, stopped or finished, on a duplicate board or not."""
    rules, seats = draw(presets() | rule_sets()), draw(seat_counts())
    game, seed = draw(st.uuids()), draw(st.binary(min_size=32, max_size=32))
    entropy = draw(st.just(()) | st.tuples(*[st.binary(max_size=64)] * seats).filter(any))
    board = draw(st.none() | st.builds(Board, st.uuids(), st.binary(min_size=32, max_size=32)))
    shuffled_as: UUID = game if board is None else board.id
    chance = FairChance(shuffle_key(seed, shuffled_as, rules.canonical_name, entropy))
    events = played(
        rules, seats, chance, action_stream(draw(seeds())), draw(steps or st.integers(0, 200)), draw(habits())
    )
    names = draw(st.tuples(*[NAMES] * seats))
    result = result_of(rules, seats, events, draw(st.sampled_from([Status.VOID, Status.ABORTED])))
    logged = tuple(LoggedEvent(event) for event in events)
    record = GameRecord(game, rules, names, bytes(32), seed, entropy, logged, result, board)
    record = replace(record, commitment=record.true_commitment())
    return with_additions(hashed(record)) if draw(st.booleans()) else record


def with_additions(record: GameRecord) -> GameRecord:
    """The record with a time and a salt beside every event."""
    return replace(
        record,
        events=tuple(
            replace(
                logged,
                at=f"2026-01-31T18:{version // 60 % 60:02}:{version % 60:02}.25Z",
                salt=event_salt(record.seed, record.game, version),
            )
            for version, logged in enumerate(record.events)
        ),
    )


def small_record(seed: int = 1, rules: RuleSet | None = None) -> GameRecord:
    """A game of two seats, stopped after its deal."""
    rules, secret, game = rules or RuleSet(), seed.to_bytes(32, "big"), UUID(int=seed)
    chance = FairChance(shuffle_key(secret, game, rules.canonical_name))
    events = (LoggedEvent(start(rules, 2, chance)),)
    committed = commitment(secret, game, rules.canonical_name)
    return GameRecord(game, rules, ("Ann", "Ben"), committed, secret, (), events, Result(Status.VOID, (0, 0), None))
