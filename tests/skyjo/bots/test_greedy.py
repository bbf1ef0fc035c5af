"""The bot `greedy`, by what it must see: lines, unseen cards, the next seat, the round's end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from skyjo import Action, LegalActions, RuleSet
from skyjo.bots import HOUSE_BOTS, evaluate
from tests.skyjo.bots.match import CLASSIC
from tests.skyjo.tables import Table, first_deal, position
from tests.strategies import action_stream

FAR = "(4) (3) (2) (1) / (12) (11) 10 9 / (8) (7) (6) (5)"
"""Another seat's grid that is far from its end, and has no use for any card in particular."""


def chosen(table: Table) -> str:
    """What it plays for the seat on move."""
    return str(HOUSE_BOTS["greedy"](action_stream(0)).choose(table.view(table.state.to_act[0])))


def cost(table: Table, action: str) -> float:
    """What it thinks that an action costs the seat on move, in points."""
    return evaluate(table.view(table.state.to_act[0]))[Action.parse(action)]


@pytest.mark.parametrize(("discard", "hand", "action"), [("9", None, "take a3"), ("5", 9, "keep a3")])
def test_it_completes_a_column_even_with_a_high_card(discard: str, hand: int | None, action: str) -> None:
    assert chosen(position("9 (1) 12 4 / 9 3 (0) 2 / 5 4 (1) 3", FAR, discard=discard, hand=hand)) == action


def test_it_takes_a_zero_and_leaves_a_twelve() -> None:
    assert chosen(position(FAR, FAR, discard="0")).startswith("take")
    assert chosen(position(FAR, FAR, discard="12")) == "draw"


def test_a_pair_is_worth_less_when_its_third_cards_are_gone() -> None:
    grid = "10 9 (4) (3) / 10 1 (0) (2) / 3 2 (1) (3)"
    hope = position(grid, FAR, hand=4, discard="5 5 5 5 5 5 5")
    none = position(grid, FAR, hand=4, discard="10 10 10 10 10 10 10")
    assert breaking_the_pair(none) < breaking_the_pair(hope) - 1


def breaking_the_pair(table: Table) -> float:
    """By how much it is dearer to put the card on one of the 10s than on the 9."""
    return cost(table, "keep a1") - cost(table, "keep b1")


def test_a_pair_is_not_worth_making_when_its_third_cards_are_gone() -> None:
    grid = "10 9 (4) (3) / (7) 1 (0) (2) / 3 2 (1) (3)"
    hope = position(grid, FAR, hand=10, discard="5 5 5 5 5 5 5")
    none = position(grid, FAR, hand=10, discard="10 10 10 10 10 10 10")
    assert making_a_pair(none) > making_a_pair(hope) + 1


def making_a_pair(table: Table) -> float:
    """By how much it is dearer to put the 10 beside another than on a place of its own."""
    return cost(table, "keep a2") - cost(table, "keep b1")


def test_it_does_not_throw_away_what_the_next_seat_waits_for() -> None:
    grid = "12 11 1 2 / 1 1 0 (2) / 2 0 2 (3)"
    waiting = "12 (3) 2 (1) / 12 (11) 10 4 / 5 (7) (6) (5)"
    assert chosen(position(grid, FAR, hand=0)) == "keep a1"
    assert chosen(position(grid, waiting, hand=0)) == "keep b1"


def test_what_it_throws_away_matters_less_the_more_others_there_are() -> None:
    grid, waiting = "9 8 (4) (3) / 1 1 (0) (2) / 2 2 (1) (3)", "9 (3) 2 (1) / 9 (11) 10 4 / 5 (7) (6) (5)"
    two = position(grid, waiting, hand=0)
    four = position(grid, waiting, FAR, FAR, hand=0)
    assert cost(two, "keep a1") - cost(two, "keep b1") > cost(four, "keep a1") - cost(four, "keep b1") + 2


def test_a_column_that_it_removes_lies_open_for_the_next_seat() -> None:
    grid, waiting = "9 (1) 12 4 / 9 3 (0) 2 / 12 4 (1) 3", "9 (3) 2 (1) / 9 (11) 10 4 / 5 (7) (6) (5)"
    given = cost(position(grid, waiting, hand=9), "keep a3") - cost(position(grid, FAR, hand=9), "keep a3")
    assert given > 3


def test_it_does_not_care_for_a_next_seat_that_plays_no_more() -> None:
    ended = "12 3 2 1 / 12 11 10 4 / 5 7 6 5"
    assert chosen(position("12 11 1 2 / 1 1 0 (2) / 2 0 2 (3)", ended, hand=0, ender=1)) == "keep a1"


def test_it_ends_the_round_when_it_is_far_ahead() -> None:
    assert chosen(position("1 2 0 (4) / 1 2 0 1 / 0 0 1 1", FAR, hand=12)) == "reject d1"


@pytest.mark.parametrize(("hand", "rules"), [(12, CLASSIC), (2, CLASSIC), (12, RuleSet.preset("french"))])
def test_it_does_not_end_the_round_when_it_would_be_doubled(hand: int, rules: RuleSet) -> None:
    low = "0 1 2 (3) / 0 1 1 0 / 1 0 2 1"
    table = position("8 7 6 (4) / 6 8 7 9 / 7 6 10 9", low, hand=hand, rules=rules)
    assert "d1" not in chosen(table)


def test_drawing_is_cheaper_where_a_rejected_card_costs_no_flip() -> None:
    grids = "8 7 6 (4) / 6 8 7 9 / 7 6 10 9", "0 1 2 (3) / 0 1 1 0 / 1 0 2 1"
    required, optional = (
        cost(position(*grids, discard="12", rules=RuleSet(flip_after_reject=flip)), "draw")
        for flip in ("required", "optional")
    )
    assert optional < required


def test_how_far_ahead_it_must_be_depends_on_the_penalty() -> None:
    grid, other = "1 2 0 (4) / 1 2 0 1 / 4 0 1 1", "1 2 (0) (4) / 1 2 0 1 / 4 5 (1) (1)"
    played = [chosen(position(grid, other, hand=6, rules=RuleSet(ender_multiplier=times))) for times in (1, 2)]
    assert played == ["reject d1", "keep a3"]


def test_in_the_last_lap_it_plays_for_the_score_at_once() -> None:
    grid = "10 9 (4) (3) / 10 1 (0) (2) / 3 2 (1) (3)"
    assert chosen(position(grid, FAR, hand=4)) not in ("keep a1", "keep a2")
    ended = "0 1 2 3 / 0 1 1 0 / 1 0 2 1"
    assert chosen(position(grid, ended, hand=4, ender=1)) == "keep a1"


def test_in_the_last_turn_a_cost_is_the_expected_score() -> None:
    table = position("12 9 . (3) / 1 1 . 2 / 3 2 . 4", "0 1 2 3 / 0 1 1 0 / 1 0 2 1", hand=4, ender=1)
    assert cost(table, "keep d1") == 12 + 9 + 1 + 1 + 3 + 2 + 4 + 2 + 4
    assert cost(table, "keep a1") == pytest.approx(4 + 9 + 1 + 1 + 3 + 2 + 2 + 4 + 760 / 150)


def test_it_completes_a_row_where_rows_are_removed() -> None:
    grid = "8 8 8 3 / (1) 1 (0) (2) / (3) 2 (1) (3)"
    assert chosen(position(grid, FAR, hand=8, rules=RuleSet(remove_rows=True))) == "keep d1"
    assert chosen(position(grid, FAR, hand=8)) != "keep d1"


def test_a_row_that_lacks_one_card_is_worth_something_where_rows_are_removed() -> None:
    grid = "8 8 9 3 / (1) 1 (0) (2) / (3) 2 (1) (3)"
    rows, no_rows = (position(grid, FAR, hand=8, rules=RuleSet(remove_rows=on)) for on in (True, False))
    assert third_in_the_row(rows) < third_in_the_row(no_rows) - 1


def third_in_the_row(table: Table) -> float:
    """By how much it is dearer to put the 8 beside two others than below, where it makes no line."""
    return cost(table, "keep c1") - cost(table, "keep c2")


def test_it_ends_the_round_by_a_row_that_takes_its_high_cards_along() -> None:
    table = position("12 12 12 (4) / 0 1 0 2 / 1 0 2 0", FAR, hand=12, rules=RuleSet(remove_rows=True))
    assert chosen(table) == "keep d1"


def test_without_a_card_to_draw_it_takes_the_discard() -> None:
    seen = position(FAR, FAR, discard="12").view(0)
    without_draw = replace(seen, legal_actions=LegalActions(seen.legal_actions[1:]))
    assert str(HOUSE_BOTS["greedy"](action_stream(0)).choose(without_draw)) == "take c2"


def test_of_two_flips_it_prefers_two_in_one_column_by_a_hair() -> None:
    table = first_deal(CLASSIC, FAR, FAR)
    assert chosen(table) == "flip a1 a2"
    assert 0 < cost(table, "flip a1 b1") - cost(table, "flip a1 a2") < 0.05
    assert cost(table, "flip c2 d3") == cost(table, "flip a1 b1")
