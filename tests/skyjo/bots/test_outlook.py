"""What columns are worth to `greedy`: exact where nothing more is played, and sensible before."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyjo import COPIES, GONE, RuleSet
from skyjo.bots.columns import CARDS, MISSING, NO_CARD, PAIRING, REST_OF, STATE_OF
from skyjo.bots.outlook import opening_values, outlook
from skyjo.view import Cell

CLASSIC = RuleSet()
CELLS: tuple[Cell, ...] = (*sorted(COPIES), None, GONE)
COLUMNS = st.tuples(*[st.sampled_from(CELLS)] * 3)
HORIZONS = st.integers(0, 8)


def counted(column: tuple[Cell, Cell, Cell], rules: RuleSet) -> float:
    """The expected final sum of a column: all its hidden cards counted out."""
    total = 0.0
    for cards in product(*[sorted(COPIES) if cell is None else [cell] for cell in column]):
        chance = 1.0
        for cell, card in zip(column, cards, strict=True):
            chance *= COPIES[int(card)] / 150 if cell is None else 1.0
        total += chance * final_sum(cards, rules)
    return total


def final_sum(cards: tuple[int | str, ...], rules: RuleSet) -> int:
    values = [card for card in cards if isinstance(card, int)]
    removed = rules.remove_columns and rules.final_removal != "never" and len(values) == 3 and len(set(values)) == 1
    if removed and (values[0] > 0 or rules.final_removal == "mandatory"):
        return 0
    return sum(values)


@pytest.mark.parametrize(
    "rules",
    [CLASSIC, RuleSet(final_removal="beneficial"), RuleSet(final_removal="never"), RuleSet(remove_columns=False)],
)
@given(COLUMNS.filter(lambda column: None in column))
def test_without_a_turn_to_go_a_column_is_worth_its_expected_final_sum(
    rules: RuleSet, column: tuple[Cell, Cell, Cell]
) -> None:
    assert outlook(0, rules).value[STATE_OF[column]] == pytest.approx(counted(column, rules))


@given(COLUMNS, HORIZONS)
def test_another_turn_never_makes_a_column_worse(column: tuple[Cell, Cell, Cell], turns: int) -> None:
    state = STATE_OF[column]
    assert outlook(turns + 1, CLASSIC).value[state] <= outlook(turns, CLASSIC).value[state] + 1e-9


@given(COLUMNS)
def test_the_order_of_the_cells_makes_no_difference(column: tuple[Cell, Cell, Cell]) -> None:
    top, middle, bottom = column
    assert STATE_OF[column] == STATE_OF[bottom, top, middle] == STATE_OF[middle, top, bottom]


@given(st.sampled_from(range(1, 13)), HORIZONS)
def test_a_third_equal_card_empties_the_column_and_is_its_greatest_gain(card: int, turns: int) -> None:
    look = outlook(turns, CLASSIC)
    state = STATE_OF[card, card, 12 if card < 12 else 11]
    assert look.gain[state][card] == pytest.approx(-look.value[state])
    assert look.gain[state][card] == min(look.gain[state])


@given(st.sampled_from(range(1, 13)), HORIZONS)
def test_a_pair_is_worth_its_chance_of_a_third(card: int, turns: int) -> None:
    pair, no_pair = STATE_OF[card, card, None], STATE_OF[card, None, None]
    assert outlook(turns, CLASSIC).pair[pair] > 0
    assert outlook(turns, CLASSIC).pair[no_pair] == 0
    assert outlook(turns, RuleSet(remove_columns=False)).pair[pair] == 0


@given(COLUMNS)
def test_two_equal_cards_beside_a_third_place_miss_a_card_and_no_other_cells_do(
    column: tuple[Cell, Cell, Cell],
) -> None:
    pairs = [cell for cell in set(column) if isinstance(cell, int) and column.count(cell) == 2]
    missing = MISSING[STATE_OF[column]]
    assert [CARDS[missing]] == pairs if pairs and GONE not in column else missing == NO_CARD


@given(st.tuples(*[st.sampled_from(CELLS)] * 2), st.sampled_from(sorted(COPIES)))
def test_a_card_beside_two_others_makes_the_pairs_that_are_listed(rest: tuple[Cell, Cell], card: int) -> None:
    state = STATE_OF[(*rest, card)]
    listed = {paired: (after, missing) for paired, after, missing in PAIRING[REST_OF[rest]]}
    assert listed.get(card, (state, NO_CARD)) == (state, MISSING[state])


def test_turning_up_cards_is_worth_something_for_what_can_still_be_done_about_them() -> None:
    values = opening_values(8, CLASSIC)
    assert list(values) == sorted(values, reverse=True)
    unmoved = opening_values(0, RuleSet(remove_columns=False))
    assert unmoved == pytest.approx([unmoved[0]] * 4)
