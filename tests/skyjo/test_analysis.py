"""Analysis: a decision costs what `greedy` would have saved by the same view; no card that came later counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings

from skyjo import Action, Cause, GameRecord, Phase, State, Verb, decision, evolve, initial_state
from skyjo.analysis import ScoredDecision, analyse
from skyjo.bots import evaluate
from skyjo_client import Arena, load_bot
from tests.skyjo.export.records import NUMBERS, record_of, records


def steps(record: GameRecord) -> Iterator[tuple[State, int]]:
    """Each state that an event was played in, and the event's version."""
    state = initial_state(record.rules, len(record.seats))
    for event in record.bare_events():
        yield state, event.version
        state = evolve(state, event)


def arena_game(*bots: str, number: int = 0) -> GameRecord:
    record = Arena([load_bot(bot) for bot in bots], seed="analysis").play_one(number, record=True).record
    assert record is not None
    return record


@pytest.mark.parametrize("number", NUMBERS)
def test_every_decision_that_a_seat_took_itself_is_scored_and_nothing_else(number: int) -> None:
    record = record_of(number)
    taken = [
        (event.version, event.seat, event.action)
        for event in record.bare_events()
        if event.action is not None and event.cause is Cause.PLAYER
    ]
    assert [(scored.version, scored.seat, scored.played) for scored in analyse(record)] == taken


@settings(max_examples=15)
@given(records())
def test_a_cost_is_what_the_best_legal_action_would_have_saved(record: GameRecord) -> None:
    before = {version: state for state, version in steps(record)}
    for scored in analyse(record):
        costs = evaluate(decision(before[scored.version], scored.seat))
        played = scored.played
        if played.verb is Verb.FLIP:
            played = Action.flip(*sorted(played.places))
        assert scored.cost == costs[played] - min(costs.values()) >= 0
        assert (scored.cost == 0) == (scored.best == scored.played)
        assert scored.cost == 0 or costs[scored.best] == min(costs.values())


def test_greedy_itself_loses_nothing() -> None:
    scored = analyse(arena_game("greedy", "greedy"))
    assert scored
    assert {decision.cost for decision in scored} == {0.0}


def test_the_weaker_a_bot_the_more_its_decisions_cost() -> None:
    record = arena_game("greedy", "threshold", "random", number=1)

    def mean(bot: str) -> float:
        costs = [decision.cost for decision in analyse(record) if record.seats[decision.seat] == bot]
        return sum(costs) / len(costs)

    assert 0 == mean("greedy") < mean("threshold") < mean("random")


def test_what_came_later_does_not_change_what_a_decision_cost() -> None:
    record = arena_game("random", "threshold")
    whole, half = analyse(record), replace(record, events=record.events[: len(record.events) // 2])
    assert analyse(half) == whole[: len(analyse(half))]


def test_a_game_that_was_stopped_before_anybody_acted_has_no_decisions() -> None:
    record = arena_game("random", "threshold")
    assert analyse(replace(record, events=record.events[:1])) == ()
    assert analyse(replace(record, events=())) == ()


def test_a_choice_of_flips_is_scored_whatever_the_order_of_its_places() -> None:
    record = record_of(1)
    (flip,) = [event for event in record.bare_events() if event.version == 1]
    assert flip.action is not None
    turned = replace(flip, action=Action.flip(*reversed(flip.action.places)))
    (first, *_), (again, *_) = analyse(record), analyse(replace(record, events=(
        record.events[0], replace(record.events[1], event=turned),
    )))  # fmt: skip
    assert isinstance(first, ScoredDecision)
    assert (again.played, again.cost) == (turned.action, first.cost)
    assert next(state.phase for state, version in steps(record) if version == 1) is Phase.FLIP
