"""The rule sheet S3 (English guide), sentence by sentence, under the preset `classic`.

Which sentence is held by which test, :mod:`tests.skyjo.test_sheets` lists.
"""

from __future__ import annotations

import pytest

from skyjo import PLACES, Phase, Reason
from skyjo.facts import Removed
from tests.skyjo.tables import CLASSIC, Script, dealt, first_deal, position

PLAIN = "(1) (2) (3) (4) / 5 6 7 8 / 9 10 11 12"
OTHER = "(4) (3) (2) (1) / 12 11 10 9 / 8 7 6 5"
LAST_HIDDEN = "(1) 2 3 4 / 5 6 7 8 / 9 10 11 12"
LOW = "(1) 2 3 4 / 1 0 0 0 / 5 0 0 0"
UNTURNED = "1 2 3 4 / 5 6 7 8 / 9 10 11 12"


def test_s3_low_totals_win_and_high_cards_are_replaced_by_lower_ones() -> None:
    table = position(PLAIN, LOW, discard="0", totals=(30, 95), draws="5 5", turn=1).play("take a1", "take d3")
    assert table.scored.raw == (67, 15)
    assert table.state.totals == (97, 110)
    assert table.state.ranks == (1, 2)


@pytest.mark.parametrize(("seats", "left"), [(2, 125), (3, 113), (5, 89)])
def test_s3_the_set_up_twelve_cards_each_one_discard_and_the_rest_to_draw(seats: int, left: int) -> None:
    table = first_deal(CLASSIC, *[UNTURNED] * seats, discard=4)
    assert all(seat.columns == ((None,) * 3,) * 4 for seat in table.view().seats)
    assert table.view().discard_pile == (4,)
    assert table.view().draw_pile_size == left


def test_s3_a_table_of_any_size_deals_twelve_cards_and_shares_one_draw_pile() -> None:
    for seats in range(2, 9):
        state = first_deal(CLASSIC, *[UNTURNED] * seats).state
        assert [len(grid.cards) for grid in state.grids] == [12] * seats
        assert state.taken == (0,)
        assert state.draw_pile_size == 149 - 12 * seats


def test_s3_everybody_turns_up_any_two_of_its_cards() -> None:
    legal = first_deal(CLASSIC, UNTURNED, UNTURNED).legal(1)
    assert len(legal) == 66
    assert all(len(text.split()) == 3 for text in legal)


def test_s3_a_small_draw_pile_runs_out_and_is_made_anew_from_the_discards() -> None:
    table = position(PLAIN, OTHER, discard="3 5", left_to_draw=0)
    below = table.state.discard_pile[:-1]
    table.play("draw")
    assert table.state.discard_pile == (5,)
    assert sorted(table.state.pile) == sorted(below)
    assert table.state.hand == table.state.pile[0]


def test_s3_the_first_round_is_opened_by_the_highest_sum_of_two_and_minus_counts_as_minus() -> None:
    table = first_deal(
        CLASSIC, "12 -2 0 0 / 1 1 2 3 / 4 5 6 7", "9 0 1 1 / 1 2 2 3 / 4 5 6 7", "11 0 1 1 / 2 2 3 3 / 4 5 6 7"
    )
    table.play("flip a1 b1", "flip a1 b1", "flip b1 c1")
    assert [sum(seat.open_cards.values()) for seat in table.view().seats] == [10, 9, 1]
    assert table.state.to_act == (0,)


def test_s3_the_first_round_of_the_example_19_6_and_minus_3() -> None:
    table = first_deal(
        CLASSIC, "7 12 0 0 / 1 1 2 3 / 4 5 6 7", "6 0 1 1 / 2 2 3 3 / 4 5 6 7", "-2 -1 1 1 / 2 2 3 3 / 4 5 6 7"
    )
    table.play("flip a1 b1", seat=2).play("flip a1 b1", seat=1).play("flip a1 b1", seat=0)
    assert [sum(seat.open_cards.values()) for seat in table.view().seats] == [19, 6, -3]
    assert table.state.to_act == (0,)


def test_s3_every_later_round_is_opened_by_whoever_ended_the_round_before() -> None:
    script = Script({3: dealt(UNTURNED, UNTURNED, UNTURNED)})
    table = position(PLAIN, LAST_HIDDEN, OTHER, turn=1, totals=(-99, -99, -99), chance=script).play_out()
    assert table.scored.ender == 1
    # Seat 2 shows the most, which counts in the first round only.
    table.play("flip a1 b1", "flip a1 b1", "flip c3 d3")
    assert table.state.to_act == (1,)


def test_s3_a_turn_chooses_between_the_discard_and_the_draw_pile() -> None:
    assert position(PLAIN, OTHER).legal()[0] == "draw"
    assert position(PLAIN, OTHER).legal()[1:] == [f"take {place}" for place in PLACES]


def test_s3_the_discard_replaces_one_card_and_cannot_be_put_back() -> None:
    table = position(PLAIN, OTHER, discard="3 6")
    assert table.refusal("reject a1") is Reason.WRONG_PHASE
    table.play("take b1")
    assert table.view().discard_pile == (3, 2)
    assert table.view().seats[0].card(PLACES[3]) == 6


def test_s3_a_card_drawn_blind_replaces_one_or_is_discarded_for_a_flip() -> None:
    table = position(PLAIN, OTHER, draws="12").play("draw")
    assert {text.split()[0] for text in table.legal()} == {"keep", "reject"}
    assert table.refusal("reject") is Reason.FLIP_REQUIRED


def test_s3_the_card_that_was_put_down_stays_open_and_the_replaced_one_is_the_new_top_discard() -> None:
    table = position(PLAIN, OTHER, discard="3", draws="12").play("draw", "keep c1")
    assert table.view().seats[0].card(PLACES[6]) == 12
    assert table.view().discard_pile == (3, 3)


def test_s3_a_reject_alone_does_not_end_the_turn() -> None:
    table = position(PLAIN, OTHER, hand=12)
    assert "reject" not in table.legal()
    assert table.play("reject d1").view().seats[0].card(PLACES[9]) == 4


def test_s3_three_equal_open_cards_in_a_column_leave_as_a_whole() -> None:
    table = position("3 (2) (4) (4) / 3 6 7 8 / (9) 10 11 12", OTHER, draws="3", discard="5").play("draw", "keep a3")
    assert table.view().seats[0].columns[0] is None
    assert table.view().discard_pile == (5, 9, 3, 3, 3)


def test_s3_the_exchanged_card_comes_first_and_the_column_lies_on_it() -> None:
    table = position("3 (2) (4) (4) / 3 6 7 8 / (9) 10 11 12", OTHER, discard="5 3").play("take a3")
    assert table.view().discard_pile == (5, 9, 3, 3, 3)


def test_s3_a_row_does_not_count() -> None:
    table = position("3 3 3 (4) / 5 6 7 8 / 9 10 11 (12)", OTHER, draws="3").play("draw", "keep d1")
    assert table.facts(Removed) == []
    assert table.view().seats[0].columns[0] == (3, 5, 9)


def test_s3_turning_up_the_last_card_ends_the_round_and_everybody_else_has_one_turn() -> None:
    table = position(LAST_HIDDEN, OTHER, PLAIN, draws="5 5 5").play("draw", "reject a1")
    assert table.state.ender == 0
    table.play("take a1", "take a1")
    assert [event.seat for event in table.events] == [0, 0, 1, 2]
    assert len(table.state.rounds) == 1


def test_s3_all_cards_are_turned_up_and_what_remains_is_added() -> None:
    assert position(LAST_HIDDEN, PLAIN, draws="5 5").play_out().scored.raw == (78, 78)


def test_s3_the_enders_positive_score_doubles_unless_it_is_the_single_lowest() -> None:
    assert position(LAST_HIDDEN, PLAIN, draws="5 5").play_out().scored.final == (156, 78)
    assert position(LOW, PLAIN, draws="5 5").play_out().scored.final == (16, 78)


def test_s3_the_game_goes_on_until_100_points_and_the_lowest_total_wins() -> None:
    assert position(LOW, PLAIN, draws="5 5", totals=(0, 21)).play_out().state.phase is Phase.FLIP
    over = position(LOW, PLAIN, draws="5 5", totals=(85, 22)).play_out().state
    assert over.totals == (101, 100)
    assert over.ranks == (2, 1)


def test_s3_the_hand_of_nine_cards_that_counts_24() -> None:
    table = position(". (12) 7 1 / . 5 2 -2 / . -1 0 0", PLAIN, draws="5 5").play_out()
    assert table.scored.raw[0] == 24


def test_s3_a_removed_column_adds_nothing() -> None:
    table = position("7 (12) 7 1 / 7 5 2 -2 / (7) -1 0 0", PLAIN, draws="5 5 7", turn=0)
    table.play("draw", "reject a3", "take a1", "draw", "reject b1", "take a1")
    assert table.scored.raw[0] == 24


def test_s3_the_next_deal_follows_at_once() -> None:
    script = Script({2: dealt(UNTURNED, UNTURNED, discard=9)})
    table = position(LOW, PLAIN, draws="5 5", chance=script).play_out()
    assert table.state.round == 2
    assert table.view().discard_pile == (9,)
    assert table.state.to_act == (0, 1)
