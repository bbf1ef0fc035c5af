"""The mutable twin, held to the immutable game: move for move, view for view, refusal for refusal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyjo import (
    Action,
    FairChance,
    IllegalAction,
    InvalidRules,
    Phase,
    RuleSet,
    decide,
    decision,
    default_action,
    legal_actions,
)
from skyjo.twin import Twin
from tests.strategies import PlayedGame, games, universe


def twin_of(game: PlayedGame) -> Twin:
    """A twin after the first deal of a game."""
    return Twin(game.rules, game.seats, game.chance)


def follow(twin: Twin, game: PlayedGame, version: int) -> None:
    """Do in the twin what was done in one event of a game."""
    event = game.events[version]
    assert event.seat is not None
    if event.action is None:
        twin.leave(event.seat)
    else:
        twin.play(event.seat, event.action)


@given(games())
def test_the_twin_is_in_the_same_state_after_every_event(game: PlayedGame) -> None:
    twin = twin_of(game)
    assert twin.state() == game.states[0]
    for version in range(1, len(game.events)):
        follow(twin, game, version)
        assert twin.state() == game.states[version]


@given(games())
def test_the_twin_gives_the_same_views_actions_and_defaults(game: PlayedGame) -> None:
    twin = twin_of(game)
    for version in range(1, len(game.events)):
        follow(twin, game, version)
    for viewer in (None, *range(game.seats)):
        assert decision(twin, viewer) == decision(game.state, viewer)
    for seat in range(game.seats):
        assert twin.legal_actions(seat) == legal_actions(twin, seat) == legal_actions(game.state, seat)
    assert [default_action(twin, seat) for seat in twin.to_act] == [
        default_action(game.state, seat) for seat in game.state.to_act
    ]


@given(games(), st.sampled_from(range(8)))
def test_the_twin_refuses_what_the_game_refuses_with_the_same_words_and_stays_as_it_is(
    game: PlayedGame, seat: int
) -> None:
    twin = twin_of(game)
    for version in range(1, len(game.events)):
        follow(twin, game, version)
    seat %= game.seats
    for action in universe(game.rules):
        if action in legal_actions(game.state, seat):
            continue
        with pytest.raises(IllegalAction) as by_twin:
            twin.play(seat, action)
        with pytest.raises(IllegalAction) as by_game:
            decide(game.state, seat, action, game.chance)
        assert (by_twin.value.reason, str(by_twin.value)) == (by_game.value.reason, str(by_game.value))
    assert twin.state() == game.state


def test_a_state_taken_from_the_twin_does_not_change_with_it() -> None:
    twin = Twin(RuleSet(), 2, FairChance(bytes(32)))
    before = twin.state()
    twin.play(0, Action.flip("a1", "a2"))
    assert before.version == 0
    assert before.chosen == (None, None)
    assert before != twin.state()


def test_a_seat_that_leaves_a_table_of_two_ends_the_game() -> None:
    twin = Twin(RuleSet(), 2, FairChance(bytes(32)))
    twin.leave(0)
    assert (twin.phase, twin.ranks, twin.to_act) == (Phase.OVER, (2, 1), ())
    with pytest.raises(IllegalAction, match="over"):
        twin.leave(1)


@pytest.mark.parametrize("seats", [1, 9])
def test_the_twin_has_as_many_seats_as_a_game(seats: int) -> None:
    with pytest.raises(InvalidRules, match="2 to 8"):
        Twin(RuleSet(), seats, FairChance(bytes(32)))
