"""The short way of the commonest turn, held to the long way that every turn can go."""

from __future__ import annotations

from hypothesis import given

from skyjo import Action, FairChance, RuleSet, Verb
from skyjo.engine import settle
from skyjo.evolution import fold
from skyjo.swap import swap
from tests.strategies import PlayedGame, action_stream, games, play


@given(games())
def test_the_short_way_decides_what_the_long_way_decides(game: PlayedGame) -> None:
    for state, event in zip(game.states, game.events[1:], strict=False):
        if isinstance(event.action, Action) and event.seat is not None:
            assert settle(state, event.seat, event.action, game.chance) == (event.facts, event.opener)


@given(games())
def test_the_short_way_evolves_as_the_long_way_does(game: PlayedGame) -> None:
    for before, event, after in zip(game.states, game.events[1:], game.states[1:], strict=False):
        assert fold(before, event) == after


def test_most_takes_and_keeps_go_the_short_way_and_no_other_action_does() -> None:
    game = play(RuleSet(), 3, FairChance(bytes(32)), action_stream(1), 400)
    short: dict[Verb, list[bool]] = {}
    for state, event in zip(game.states, game.events[1:], strict=False):
        if event.action is not None and event.seat is not None:
            short.setdefault(event.action.verb, []).append(swap(state, event.seat, event.action) is not None)
    for verb, went in short.items():
        assert sum(went) > len(went) / 2 if verb in {Verb.TAKE, Verb.KEEP} else not any(went)
