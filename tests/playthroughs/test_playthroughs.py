"""The engine plays the kept games as it always has: a change of its behaviour without new rules fails here."""

from __future__ import annotations

from dataclasses import replace

import pytest

from skyjo import Cause, Phase, RuleSet
from skyjo.notation import KINDS
from tests.playthroughs.files import path_of, stray, text_of
from tests.playthroughs.games import Kept, kept_games
from tests.playthroughs.text import written
from tests.strategies import PlayedGame

KEPT = list(kept_games())


@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: kept.name)
def test_a_kept_game_is_played_as_it_always_was(kept: Kept) -> None:
    before = path_of(kept).read_text(encoding="utf-8").splitlines()
    now = text_of(kept).splitlines()
    first = next((number for number, (old, new) in enumerate(zip(before, now, strict=False), 1) if old != new), None)
    assert first is None, (
        f"line {first}: was {before[first - 1]!r}, is {now[first - 1]!r}; see python -m tests.playthroughs"
    )
    assert len(before) == len(now)


def test_no_text_is_kept_of_a_game_that_is_not() -> None:
    assert stray() == []


def test_each_preset_is_kept_with_every_number_of_seats() -> None:
    names = {kept.name for kept in KEPT}
    assert {f"{preset}-{seats}" for preset in ("classic", "french") for seats in range(2, 9)} <= names


def test_the_kept_games_show_every_kind_of_fact_every_cause_and_chosen_openers() -> None:
    games = [kept.played() for kept in KEPT]
    events = [event for game in games for event in game.events]
    assert {type(fact) for event in events for fact in event.facts} == set(KINDS.values())
    assert {event.cause for event in events} == set(Cause)
    assert any(event.opener is not None for event in events)
    rounds = [scored for game in games for scored in game.state.rounds]
    assert {scored.truncated for scored in rounds} == {True, False}
    assert any(scored.final != scored.raw for scored in rounds)
    assert all(game.state.phase is Phase.OVER for game in games)


def test_a_change_of_one_rule_shows_in_the_text() -> None:
    kept = KEPT[0]
    game = kept.played()
    last = replace(game.state, rules=RuleSet(ender_multiplier=3))
    changed = PlayedGame(game.chance, game.events, (*game.states[:-1], last))
    assert written(kept.name, changed) != written(kept.name, game)
