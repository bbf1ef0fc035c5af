"""Complete columns and rows: rules 15 to 19."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyjo import GONE, PLACES, Grid, Place, RuleSet
from skyjo.cards import HIGHEST, LOWEST
from skyjo.facts import Removed
from skyjo.lines import COLUMN_MASKS, ROW_MASKS, column_clears, complete_lines, final_lines
from tests.skyjo.tables import CLASSIC, Table, grid, position
from tests.strategies import SOME, PlayedGame, games, rule_sets

OTHER = "(4) (3) (2) (1) / 12 11 10 9 / 8 7 6 5"
ROWS = RuleSet(remove_rows=True)
ROWS_ONLY = RuleSet(remove_rows=True, remove_columns=False)


def removed(table: Table) -> list[tuple[str, int]]:
    """What was removed: places as one text, and the card."""
    return [(" ".join(map(str, fact.places)), fact.card) for fact in table.facts(Removed)]


@pytest.mark.parametrize("card", range(LOWEST, HIGHEST + 1))
def test_a_column_of_any_value_goes_also_one_of_zeros_or_negatives(card: int) -> None:
    table = position(f"1 (2) (3) {card} / 5 6 7 {card} / 9 10 11 ({card})", OTHER, discard="5", hand=4).play(
        "reject d3"
    )
    assert removed(table) == [("d1 d2 d3", card)]
    assert table.state.discard_pile == (5, 4, card, card, card)
    assert table.view().seats[0].columns[3] is None
    assert table.state.grids[0].held == 0b000111111111


@pytest.mark.parametrize("column", ["7 7 (7)", "(7) (7) (7)", "7 (7) 7", "7 7 8", "7 8 7"])
def test_a_column_stays_until_all_three_are_open_and_equal(column: str) -> None:
    top, middle, bottom = column.split()
    table = position(f"{top} (2) (3) 4 / {middle} 6 0 8 / {bottom} 10 11 12", OTHER, hand=4).play("reject b1")
    assert removed(table) == []


def test_columns_stay_where_the_option_is_off() -> None:
    rules = RuleSet(remove_columns=False)
    table = position("7 (2) (3) 4 / 7 6 0 8 / (7) 10 11 12", OTHER, hand=4, rules=rules).play("reject a3")
    assert removed(table) == []
    assert table.view().seats[0].columns[0] == (7, 7, 7)


@pytest.mark.parametrize(
    ("action", "below"), [("take a3", (9,)), ("keep a3", (5, 9)), ("reject a3", (5, 6))], ids=["take", "keep", "reject"]
)
def test_whatever_completes_a_column_its_card_goes_on_the_discards_first(action: str, below: tuple[int, ...]) -> None:
    third = "(7)" if action.startswith("reject") else "9"
    hand = {"take": None, "keep": 7, "reject": 6}[action.split(maxsplit=1)[0]]
    table = position(
        f"7 (2) (3) 4 / 7 6 0 8 / {third} 10 11 12", OTHER, discard="7" if hand is None else "5", hand=hand
    ).play(action)
    assert table.state.discard_pile == (*below, 7, 7, 7)
    assert table.events[-1].facts[-1] == Removed(0, PLACES[:3], 7)


def test_the_next_seat_may_take_the_removed_value() -> None:
    table = position("7 (2) (3) 4 / 7 6 0 8 / (7) 10 11 12", OTHER, hand=6).play("reject a3", "take a1")
    assert table.view().seats[1].card(PLACES[0]) == 7
    assert table.state.discard_pile == (5, 6, 7, 7, 4)


def test_a_removed_column_leaves_its_place_empty_and_nothing_shifts() -> None:
    table = position("1 7 (3) 4 / 5 7 0 8 / 9 (7) 11 12", OTHER, hand=6).play("reject b3")
    assert table.view().seats[0].columns == ((1, 5, 9), None, (None, 0, 11), (4, 8, 12))
    assert table.view().seats[0].card(Place.parse("b2")) == GONE


def test_several_complete_columns_go_at_the_final_reveal_lowest_first_found_before_anything_moves() -> None:
    table = position("(1) 0 2 3 / 4 5 6 7 / 8 9 10 11", "9 8 (1) 0 / (9) (8) 2 5 / (9) (8) 3 6", draws="5 5").play_out()
    assert removed(table) == [("a1 a2 a3", 9), ("b1 b2 b3", 8)]
    assert set(table.facts(Removed)) <= set(table.events[-1].facts)
    assert table.scored.raw[1] == 17


def test_four_equal_cards_in_a_row_go_where_the_option_is_on() -> None:
    table = position("4 4 4 (4) / (5) 6 7 8 / 9 10 11 12", OTHER, hand=6, rules=ROWS).play("reject d1")
    assert removed(table) == [("a1 b1 c1 d1", 4)]
    assert table.state.discard_pile == (5, 6, 4, 4, 4, 4)
    assert table.view().seats[0].columns == ((GONE, None, 9), (GONE, 6, 10), (GONE, 7, 11), (GONE, 8, 12))
    stays = position("4 4 4 (4) / (5) 6 7 8 / 9 10 11 12", OTHER, hand=6).play("reject d1")
    assert removed(stays) == []


def test_an_emptied_place_blocks_its_row_for_the_round() -> None:
    table = position(". 4 4 (4) / . 6 7 8 / . (10) 11 12", OTHER, hand=6, rules=ROWS).play("reject d1")
    assert removed(table) == []


def test_a_row_that_is_gone_blocks_its_columns() -> None:
    table = position(". . . . / (4) 6 7 8 / 4 10 11 (12)", OTHER, hand=6, rules=ROWS).play("reject a2")
    assert removed(table) == []


@pytest.mark.parametrize(("rules", "lines"), [(ROWS, ["a1 a2 a3", "b2 c2 d2"]), (ROWS_ONLY, ["a2 b2 c2 d2"])])
def test_a_column_and_a_row_that_cross_go_together_the_column_first_and_each_card_once(
    rules: RuleSet, lines: list[str]
) -> None:
    table = position("4 1 2 3 / (4) 4 4 4 / 4 (5) 6 8", OTHER, hand=6, rules=rules).play("reject a2")
    assert removed(table) == [(places, 4) for places in lines]
    crossing = 6 if len(lines) == 2 else 4
    assert table.state.discard_pile == (5, 6, *(4,) * crossing)


def test_at_the_final_reveal_two_columns_and_a_row_may_go_at_once() -> None:
    table = position("(1) 0 2 3 / 4 5 6 7 / 8 9 10 11", "9 9 (9) 9 / (9) (9) 2 5 / (9) (9) 3 6", rules=ROWS).play_out()
    assert removed(table) == [("a1 a2 a3", 9), ("b1 b2 b3", 9), ("c1 d1", 9)]
    assert set(table.facts(Removed)) <= set(table.events[-1].facts)
    assert table.scored.raw[1] == 16


def test_a_grid_of_twelve_equal_cards_goes_as_four_columns_that_leave_nothing_of_its_rows() -> None:
    zeros = "(0) (0) (0) (0) / 0 0 0 0 / 0 0 0 0"
    table = position("(1) 2 3 4 / 4 5 6 7 / 8 9 10 11", zeros, draws="5 5", rules=ROWS).play_out()
    assert removed(table) == [("a1 a2 a3", 0), ("b1 b2 b3", 0), ("c1 c2 c3", 0), ("d1 d2 d3", 0)]
    assert table.scored.raw[1] == 0
    rows_alone = position("(1) 2 3 4 / 4 5 6 7 / 8 9 10 11", zeros, draws="5 5", rules=ROWS_ONLY).play_out()
    assert len(removed(rows_alone)) == 3


@SOME
@given(games())
def test_no_complete_line_is_left_lying_after_any_event_of_a_round(game: PlayedGame) -> None:
    for state in game.states:
        if state.phase.value != "over":
            assert [complete_lines(state.rules, one) for one in state.grids] == [()] * state.seats


@SOME
@given(games())
def test_what_is_removed_was_equal_and_open_and_a_whole_column_or_the_rest_of_a_row(game: PlayedGame) -> None:
    for event in game.events:
        for fact in event.facts:
            if isinstance(fact, Removed):
                columns, rows = {place.column for place in fact.places}, {place.row for place in fact.places}
                whole_column = len(columns) == 1 and len(fact.places) == 3
                assert game.rules.remove_columns if whole_column else game.rules.remove_rows
                assert whole_column or len(rows) == 1


@SOME
@given(games(rule_sets(remove_columns=False, remove_rows=False)))
def test_without_lines_nothing_ever_leaves_a_grid(game: PlayedGame) -> None:
    assert all(one.held == 0b111111111111 for state in game.states for one in state.grids)


@given(st.lists(st.integers(-2, 12) | st.none(), min_size=3, max_size=3))
def test_a_column_clears_when_its_three_cards_are_open_and_equal(column: list[int | None]) -> None:
    assert column_clears(column) == (None not in column and len(set(column)) == 1)


@pytest.mark.parametrize("column", [[], [7], [7, 7], [7, 7, 7, 7]])
def test_a_column_of_another_length_is_refused(column: list[int | None]) -> None:
    with pytest.raises(ValueError, match="a column has 3 cards"):
        column_clears(column)


@given(st.lists(st.integers(-2, 1), min_size=12, max_size=12), st.integers(0, 4095), st.booleans(), st.booleans())
def test_lines_are_found_columns_first_and_the_final_option_chooses_among_them(
    cards: list[int], open_: int, columns: bool, rows: bool
) -> None:
    one = Grid(tuple(cards), 4095 & ~open_, open_)
    expected = [
        mask
        for on, masks in ((columns, COLUMN_MASKS), (rows, ROW_MASKS))
        for mask in masks
        if on and mask & open_ == mask and len({cards[place] for place in PLACES if mask >> place & 1}) == 1
    ]
    for final, kept in (
        ("mandatory", expected),
        ("never", []),
        ("beneficial", [mask for mask in expected if sum(cards[place] for place in PLACES if mask >> place & 1) > 0]),
    ):
        rules = RuleSet.from_dict({"remove_columns": columns, "remove_rows": rows, "final_removal": final})
        assert list(complete_lines(rules, one)) == expected
        assert list(final_lines(rules, one)) == kept


def test_a_zero_is_a_card_and_an_empty_place_is_not() -> None:
    one = grid("0 0 . 1 / 0 0 . 2 / 0 (0) . 3")
    assert complete_lines(CLASSIC, one) == (COLUMN_MASKS[0],)
    assert column_clears([0, 0, 0])
    assert not column_clears([None, None, None])
