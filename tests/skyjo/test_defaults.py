"""What is played for a seat that lets its time run out: rule 30."""

from __future__ import annotations

import pytest
from hypothesis import given

from skyjo import PLACES, Cause, Phase, RuleSet, default_action
from skyjo.facts import Discarded
from skyjo.places import PLACES_BY_ROW
from tests.skyjo.tables import FRENCH, first_deal, position
from tests.skyjo.test_conservation import all_cards
from tests.strategies import SOME, PlayedGame, games

PLAIN = "(1) (2) (3) (4) / 5 6 7 8 / 9 10 11 12"
UNTURNED = "1 2 3 4 / 5 6 7 8 / 9 10 11 12"
BY_ROW = ["a1", "b1", "c1", "d1", "a2", "b2", "c2", "d2", "a3", "b3", "c3", "d3"]


@pytest.mark.parametrize("count", range(1, 12))
def test_default_flips_are_the_first_places_row_by_row(count: int) -> None:
    table = first_deal(RuleSet(initial_flips=count, remove_columns=False), UNTURNED, UNTURNED)
    assert str(default_action(table.state, 1)) == f"flip {' '.join(BY_ROW[:count])}"
    table.time_out().time_out()
    assert table.state.phase is Phase.TURN
    assert [event.cause for event in table.events[1:]] == [Cause.TIMEOUT, Cause.TIMEOUT]


@pytest.mark.parametrize(
    ("grid", "action"),
    [
        ("(1) 2 3 4 / (5) 6 7 8 / 9 10 11 12", "reject a1"),
        ("1 (2) 3 4 / 5 6 7 8 / (9) 10 11 12", "reject a3"),
        ("1 (2) (3) 4 / 5 6 7 (8) / 9 10 11 12", "reject b1"),
        (". 2 3 4 / . 6 7 8 / . 10 11 (12)", "reject d3"),
    ],
)
def test_a_drawn_card_is_rejected_and_the_first_hidden_place_is_flipped_column_by_column(
    grid: str, action: str
) -> None:
    assert str(default_action(position(grid, PLAIN, hand=6).state, 0)) == action
    assert str(default_action(position(grid, PLAIN, hand=6, rules=FRENCH).state, 0)) == action


def test_a_turn_that_a_timeout_begins_a_timeout_ends() -> None:
    table = position(PLAIN, PLAIN, draws="7").time_out()
    assert [str(event.action) for event in table.events] == ["draw"]
    assert table.state.phase is Phase.DRAWN
    table.time_out()
    assert [str(event.action) for event in table.events] == ["draw", "reject a1"]
    assert {event.cause for event in table.events} == {Cause.TIMEOUT}
    assert table.state.to_act == (1,)


def test_a_turn_cut_short_after_a_draw_puts_the_drawn_card_on_the_discards() -> None:
    table = position(PLAIN, PLAIN, draws="7").play("draw")
    before = all_cards(table.state)
    table.time_out()
    assert table.facts(Discarded) == [Discarded(0, 7)]
    assert table.state.discard_pile == (5, 7)
    assert all_cards(table.state) == before


def test_the_default_takes_no_card_even_where_that_would_help() -> None:
    assert str(default_action(position(PLAIN, PLAIN, discard="-2").state, 0)) == "draw"


@SOME
@given(games())
def test_a_default_never_keeps_a_card_nor_takes_the_discard(game: PlayedGame) -> None:
    for state in game.states:
        for seat in state.to_act:
            verbs = {Phase.FLIP: "flip", Phase.TURN: "draw", Phase.DRAWN: "reject"}
            assert default_action(state, seat).verb == verbs[state.phase]


@SOME
@given(games())
def test_a_default_depends_on_no_card_that_lies_hidden(game: PlayedGame) -> None:
    for state in game.states[-3:]:
        for seat in state.to_act:
            hidden = [place for place in PLACES if state.grids[seat].hidden >> place & 1]
            expected = {
                Phase.FLIP: PLACES_BY_ROW[: state.rules.initial_flips],
                Phase.TURN: (),
                Phase.DRAWN: tuple(hidden[:1]),
            }
            assert default_action(state, seat).places == expected[state.phase]
