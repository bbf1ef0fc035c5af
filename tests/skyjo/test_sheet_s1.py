"""The rule sheet S1 (French), sentence by sentence, under the preset `french`.

Which sentence is held by which test, :mod:`tests.skyjo.test_sheets` lists.
"""

from __future__ import annotations

import pytest

from skyjo import PLACES, Phase, Reason
from skyjo.facts import Discarded, Flipped, GameEnded, Placed, Removed
from tests.skyjo.tables import FRENCH, Table, first_deal, position

PLAIN = "(1) (2) (3) (4) / 5 6 7 8 / 9 10 11 12"
OTHER = "(4) (3) (2) (1) / 12 11 10 9 / 8 7 6 5"
LAST_HIDDEN = "(1) 2 3 4 / 5 6 7 8 / 9 10 11 12"
LOW = "(1) 2 3 4 / 1 0 0 0 / 5 0 0 0"
UNTURNED = "1 2 3 4 / 5 6 7 8 / 9 10 11 12"


def french(
    *grids: str, draws: str = "5 5 5 5", hand: int | None = None, totals: tuple[int, ...] | None = None
) -> Table:
    """A table of the French rules, seat 0 on move."""
    return position(*grids, rules=FRENCH, draws=draws, hand=hand, totals=totals)


def test_s1_everybody_gets_twelve_cards_and_keeps_them_face_down() -> None:
    for seat in first_deal(FRENCH, UNTURNED, UNTURNED).view().seats:
        assert seat.hidden_places == PLACES


def test_s1_the_other_cards_are_the_draw_pile_and_one_of_them_opens_the_discard_pile() -> None:
    table = first_deal(FRENCH, UNTURNED, UNTURNED, UNTURNED, discard=-2)
    assert table.view().draw_pile_size == 113
    assert table.view().discard_pile == (-2,)


def test_s1_the_cards_lie_in_three_rows_of_four() -> None:
    columns = first_deal(FRENCH, UNTURNED, UNTURNED).view().seats[0].columns
    assert len(columns) == 4
    assert [len(column or ()) for column in columns] == [3, 3, 3, 3]


def test_s1_everybody_turns_up_two_cards_of_its_choice_and_the_highest_sum_opens() -> None:
    deal = first_deal(FRENCH, UNTURNED, UNTURNED, UNTURNED)
    table = deal.play("flip a1 d3", "flip c3 d3", "flip b3 d3")
    assert [sum(seat.open_cards.values()) for seat in table.view().seats] == [13, 23, 22]
    assert table.state.to_act == (1,)


def test_s1_the_game_goes_over_rounds_and_ends_when_somebody_reaches_100() -> None:
    assert french(LOW, PLAIN, totals=(0, 21)).play_out().state.phase is Phase.FLIP
    over = french(LOW, PLAIN, totals=(0, 22)).play_out().state
    assert over.totals[1] == 100
    assert over.phase is Phase.OVER


def test_s1_a_round_ends_when_somebody_has_turned_up_all_its_cards() -> None:
    table = french(LAST_HIDDEN, OTHER).play("take a1")
    assert table.state.ender == 0


def test_s1_then_everybody_else_has_one_last_turn() -> None:
    table = french(LAST_HIDDEN, OTHER, PLAIN).play("take a1")
    assert table.state.to_act == (1,)
    table.play("take a1")
    assert table.state.to_act == (2,)
    assert table.state.rounds == ()
    table.play("take a1")
    assert len(table.state.rounds) == 1


def test_s1_after_it_all_hidden_cards_are_turned_up_and_all_are_added() -> None:
    table = french(LAST_HIDDEN, PLAIN).play_out()
    assert table.facts(Flipped)[-3:] == [
        Flipped(1, place, card) for place, card in zip(PLACES[3:12:3], (2, 3, 4), strict=True)
    ]
    assert table.scored.raw == (78, 78)


def test_s1_the_rounds_winner_has_the_fewest_points_at_its_end() -> None:
    table = french(LAST_HIDDEN, LOW.replace("(1)", "1"), PLAIN)
    table.play_out()
    assert table.scored.final == (156, 16, 78)


def test_s1_on_its_turn_a_seat_takes_the_hidden_card_or_the_open_one() -> None:
    assert french(PLAIN, OTHER).legal() == ["draw", *(f"take {place}" for place in PLACES)]


def test_s1_who_draws_looks_at_the_card() -> None:
    assert french(PLAIN, OTHER, draws="11").play("draw").view(0).drawn == 11


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_s1_the_drawn_card_may_replace_any_of_the_twelve(place: object) -> None:
    table = french(PLAIN, OTHER, draws="11").play("draw", f"keep {place}")
    assert table.facts(Placed)[0].card == 11
    assert table.facts(Placed)[0].place == place


def test_s1_the_drawn_card_may_go_straight_on_the_discard_pile() -> None:
    table = french(PLAIN, OTHER, draws="11").play("draw", "reject")
    assert table.view().discard_pile == (5, 11)
    assert table.facts(Discarded) == [Discarded(0, 11)]


def test_s1_then_a_hidden_card_may_be_turned_up_but_need_not_be() -> None:
    table = french(PLAIN, OTHER, hand=11)
    assert table.legal()[12:] == ["reject a1", "reject b1", "reject c1", "reject d1", "reject"]
    assert table.play("reject").view().seats[0].hidden_places == (0, 3, 6, 9)
    assert table.state.to_act == (1,)


def test_s1_the_open_card_must_be_swapped_for_an_open_or_a_hidden_one() -> None:
    table = french(PLAIN, OTHER)
    assert table.refusal("reject") is Reason.WRONG_PHASE
    assert table.refusal("take a1") is None
    assert table.refusal("take a2") is None


def test_s1_three_equal_open_cards_in_a_vertical_column_go_on_the_discard_pile_after_the_turn() -> None:
    table = french("7 (2) (3) (4) / 7 6 0 8 / (9) 10 11 12", OTHER, draws="7").play("draw", "keep a3")
    assert table.view().discard_pile == (5, 9, 7, 7, 7)
    assert table.view().seats[0].columns[0] is None


def test_s1_a_column_may_also_be_removed_when_all_is_turned_up_at_the_end() -> None:
    table = french(LAST_HIDDEN, "6 (1) 2 2 / (6) 3 4 5 / (6) 8 9 9").play_out()
    assert table.facts(Removed) == [Removed(1, PLACES[:3], 6)]
    assert table.scored.raw[1] == 43


def test_s1_a_column_is_left_at_the_end_where_removing_it_would_not_help() -> None:
    table = french(LAST_HIDDEN, "-1 (1) 2 2 / (-1) 3 4 5 / (-1) 8 9 9", PLAIN.replace("(1)", "0").replace("5", "0"))
    assert table.play_out().facts(Removed) == []
    assert table.scored.raw[1] == 40


def test_s1_a_column_of_zeros_or_less_goes_at_once_when_a_turn_completes_it() -> None:
    # The choice is for the end only: in a turn the sheet says "put them away".
    table = french("-1 (2) (3) (4) / -1 6 0 8 / (9) 10 11 12", OTHER, draws="-1").play("draw", "keep a3")
    assert table.view().seats[0].columns[0] is None


def test_s1_play_passes_clockwise() -> None:
    table = french(PLAIN, OTHER, PLAIN).play("take a2", "take a2", "take a2")
    assert [event.seat for event in table.events] == [0, 1, 2]
    assert table.state.to_act == (0,)


def test_s1_whoever_turned_up_all_its_cards_first_is_doubled_if_it_has_not_the_fewest_points() -> None:
    assert french(LAST_HIDDEN, LOW).play_out().scored.final == (156, 16)


def test_s1_an_ender_that_shares_the_fewest_points_is_not_doubled() -> None:
    assert french(LAST_HIDDEN, PLAIN).play_out().scored.final == (78, 78)


def test_s1_the_sums_are_written_down_round_by_round() -> None:
    table = french(LOW, PLAIN, totals=(7, -1)).play_out()
    assert [seat.round_scores for seat in table.view().seats] == [(7, 16), (-1, 78)]


def test_s1_the_rounds_winner_opens_the_next_round() -> None:
    table = french(LAST_HIDDEN, PLAIN.replace("12", "0"), LOW.replace("(1)", "(0)"), totals=(-60, -60, -60)).play_out()
    assert (table.scored.ender, table.scored.raw) == (0, (78, 66, 15))
    table.play("flip a1 b1", "flip a2 b2", "flip a3 b3")
    assert table.state.to_act == (2,)


def test_s1_the_winner_by_the_scores_after_doubling_opens() -> None:
    # The ender has 78 against 80, and nobody is doubled; with a doubled 78 against 80 the other one opens.
    table = french(LAST_HIDDEN, UNTURNED.replace("1 2", "3 2"), totals=(-99, -99)).play_out()
    assert table.scored.final == (78, 80)
    assert table.play("flip a1 b1", "flip a2 b2").state.to_act == (0,)
    table = french(LAST_HIDDEN, UNTURNED.replace("1 2", "0 2"), totals=(-99, -99)).play_out()
    assert table.scored.final == (156, 77)
    assert table.play("flip a1 b1", "flip a2 b2").state.to_act == (1,)


def test_s1_the_game_is_over_when_somebody_has_100_points_or_more_and_the_fewest_points_win() -> None:
    table = french(LOW, PLAIN, totals=(90, 0)).play_out()
    assert table.facts(GameEnded) == [GameEnded((106, 78), (2, 1))]
