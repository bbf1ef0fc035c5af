"""Which test holds which sentence of the rule sheets: every sentence that states a rule, in the sheet's order.

The sentences are named by their topics; a topic that stands twice in a sheet is listed twice.
"""

from __future__ import annotations

from types import ModuleType

import pytest

from tests.skyjo import test_sheet_s0_s2, test_sheet_s1, test_sheet_s3

S0_S2 = [
    ("card counts", "the_numbers_of_minus_twos_zeros_and_other_cards"),
    ("several rounds, to 100", "the_game_goes_on_over_rounds_until_somebody_has_100_points"),
    ("who wins", "the_fewest_points_win_the_game"),
    ("twelve cards face down", "everybody_is_dealt_twelve_cards_face_down"),
    ("first discard", "one_card_is_turned_up_to_begin_the_discard_pile"),
    ("draw pile", "the_rest_of_the_cards_is_the_draw_pile"),
    ("layout", "the_cards_lie_in_four_columns_of_three"),
    ("two first flips", "everybody_turns_up_two_cards_of_its_own_choice"),
    ("two choices", "a_turn_begins_with_the_discard_or_the_draw_pile"),
    ("choice 1: swap at once, face up", "choice_1_the_discard_is_swapped_at_once_and_lies_open"),
    ("choice 1: open or hidden", "choice_1_it_may_replace_an_open_or_a_hidden_card"),
    ("choice 1: no look before", "hidden_cards_are_not_seen_before_they_are_swapped"),
    ("choice 1: swapped card to the discards", "choice_1_the_swapped_card_goes_face_up_on_the_discard_pile"),
    ("choice 2: draw face down", "choice_2_the_drawer_may_look_at_the_card_it_draws"),
    ("choice 2: face down for the others", "a_drawn_card_is_nobody_elses_to_see_until_it_is_put_down"),
    ("choice 2: swap or discard", "choice_2_the_drawn_card_may_be_swapped_or_thrown_away"),
    ("choice 2: keep", "choice_2_a_kept_card_is_swapped_as_in_choice_1"),
    ("choice 2: reject", "choice_2_a_rejected_card_is_discarded_and_a_hidden_card_must_be_turned_up"),
    ("end of the turn, clockwise", "then_the_turn_is_over_and_the_next_seat_clockwise_plays"),
    ("equal column", "three_equal_cards_in_a_column_are_discarded"),
    ("equal column by a swap", "a_column_made_by_a_swap_goes_on_top_of_the_swapped_card"),
    ("all revealed", "whoever_has_turned_up_all_its_cards_has_played_its_last_turn"),
    ("the others once more", "everybody_after_the_ender_plays_once_more"),
    ("final reveal", "hidden_cards_are_turned_up_at_the_end"),
    ("counting", "everybody_counts_the_points_of_its_grid"),
    ("doubling", "the_ender_is_doubled_unless_it_alone_has_the_fewest_points"),
    ("doubling: positive only", "only_a_positive_score_is_doubled"),
    ("doubling: the example", "the_example_of_players_a_b_and_c"),
    ("running totals", "points_are_added_to_those_of_the_rounds_before"),
    ("the next round", "a_game_has_more_rounds_than_one_and_each_is_dealt_anew"),
    ("to 100, again", "the_game_goes_on_over_rounds_until_somebody_has_100_points"),
    ("who wins, again", "the_fewest_points_win_the_game"),
]

S1 = [
    ("preparation 1: twelve cards", "everybody_gets_twelve_cards_and_keeps_them_face_down"),
    ("preparation 2: draw pile", "the_other_cards_are_the_draw_pile_and_one_of_them_opens_the_discard_pile"),
    ("preparation 3: discard pile", "the_other_cards_are_the_draw_pile_and_one_of_them_opens_the_discard_pile"),
    ("preparation 4: layout", "the_cards_lie_in_three_rows_of_four"),
    ("preparation 5: two flips", "everybody_turns_up_two_cards_of_its_choice_and_the_highest_sum_opens"),
    ("preparation 5: who opens", "everybody_turns_up_two_cards_of_its_choice_and_the_highest_sum_opens"),
    ("aim 1: few points", "the_game_is_over_when_somebody_has_100_points_or_more_and_the_fewest_points_win"),
    ("aim 2: rounds, to 100", "the_game_goes_over_rounds_and_ends_when_somebody_reaches_100"),
    ("aim 3: end of a round", "a_round_ends_when_somebody_has_turned_up_all_its_cards"),
    ("aim 3: last turns", "then_everybody_else_has_one_last_turn"),
    ("aim 3: final reveal", "after_it_all_hidden_cards_are_turned_up_and_all_are_added"),
    ("aim 4: the round's winner", "the_rounds_winner_has_the_fewest_points_at_its_end"),
    ("play 1: two choices", "on_its_turn_a_seat_takes_the_hidden_card_or_the_open_one"),
    ("play 1: look", "who_draws_looks_at_the_card"),
    ("play 1: any of the twelve", "the_drawn_card_may_replace_any_of_the_twelve"),
    ("play 1: throw away", "the_drawn_card_may_go_straight_on_the_discard_pile"),
    ("play 1: optional flip", "then_a_hidden_card_may_be_turned_up_but_need_not_be"),
    ("play 1: the open card must be swapped", "the_open_card_must_be_swapped_for_an_open_or_a_hidden_one"),
    ("play 2: equal column", "three_equal_open_cards_in_a_vertical_column_go_on_the_discard_pile_after_the_turn"),
    ("play 2: equal column, whatever its value", "a_column_of_zeros_or_less_goes_at_once_when_a_turn_completes_it"),
    ("play 3: equal column at the end", "a_column_may_also_be_removed_when_all_is_turned_up_at_the_end"),
    ("play 3: it is a choice", "a_column_is_left_at_the_end_where_removing_it_would_not_help"),
    ("play 4: clockwise", "play_passes_clockwise"),
    ("play 5: last card", "a_round_ends_when_somebody_has_turned_up_all_its_cards"),
    ("play 6: all others once more", "then_everybody_else_has_one_last_turn"),
    ("play 7: reveal and count", "after_it_all_hidden_cards_are_turned_up_and_all_are_added"),
    ("play 8: written sums", "the_sums_are_written_down_round_by_round"),
    ("play 9: lowest", "whoever_turned_up_all_its_cards_first_is_doubled_if_it_has_not_the_fewest_points"),
    ("play 9: a tie is lowest", "an_ender_that_shares_the_fewest_points_is_not_doubled"),
    ("play 10: the winner opens", "the_rounds_winner_opens_the_next_round"),
    ("play 10: winner by final scores", "the_winner_by_the_scores_after_doubling_opens"),
    ("play 11: end and winner", "the_game_is_over_when_somebody_has_100_points_or_more_and_the_fewest_points_win"),
]

S3 = [
    ("aim", "low_totals_win_and_high_cards_are_replaced_by_lower_ones"),
    ("set up", "the_set_up_twelve_cards_each_one_discard_and_the_rest_to_draw"),
    ("set up: two flips", "everybody_turns_up_any_two_of_its_cards"),
    ("three table sizes", "the_set_up_twelve_cards_each_one_discard_and_the_rest_to_draw"),
    ("any table size", "a_table_of_any_size_deals_twelve_cards_and_shares_one_draw_pile"),
    ("a thin pile", "a_small_draw_pile_runs_out_and_is_made_anew_from_the_discards"),
    ("first opener", "the_first_round_is_opened_by_the_highest_sum_of_two_and_minus_counts_as_minus"),
    ("first opener: the example", "the_first_round_of_the_example_19_6_and_minus_3"),
    ("later openers", "every_later_round_is_opened_by_whoever_ended_the_round_before"),
    ("a turn's choice", "a_turn_chooses_between_the_discard_and_the_draw_pile"),
    ("discard must be used", "the_discard_replaces_one_card_and_cannot_be_put_back"),
    ("drawn card used or discarded", "a_card_drawn_blind_replaces_one_or_is_discarded_for_a_flip"),
    ("what is open and on top", "the_card_that_was_put_down_stays_open_and_the_replaced_one_is_the_new_top_discard"),
    ("a reject does not end the turn", "a_reject_alone_does_not_end_the_turn"),
    ("equal column", "three_equal_open_cards_in_a_column_leave_as_a_whole"),
    ("order on the discards", "the_exchanged_card_comes_first_and_the_column_lies_on_it"),
    ("no rows", "a_row_does_not_count"),
    ("end of a round", "turning_up_the_last_card_ends_the_round_and_everybody_else_has_one_turn"),
    ("reveal and add", "all_cards_are_turned_up_and_what_remains_is_added"),
    ("doubling", "the_enders_positive_score_doubles_unless_it_is_the_single_lowest"),
    ("100 points and the winner", "the_game_goes_on_until_100_points_and_the_lowest_total_wins"),
    ("counting: the example", "the_hand_of_nine_cards_that_counts_24"),
    ("counting: a removed column", "a_removed_column_adds_nothing"),
    ("the whole game: one round after another", "the_next_deal_follows_at_once"),
]

SHEETS = [
    pytest.param(test_sheet_s0_s2, "test_s0_s2_", S0_S2, id="S0 and S2"),
    pytest.param(test_sheet_s1, "test_s1_", S1, id="S1"),
    pytest.param(test_sheet_s3, "test_s3_", S3, id="S3"),
]


@pytest.mark.parametrize(("module", "prefix", "sentences"), SHEETS)
def test_every_sentence_of_a_sheet_has_its_test(
    module: ModuleType, prefix: str, sentences: list[tuple[str, str]]
) -> None:
    missing = [topic for topic, name in sentences if not callable(getattr(module, prefix + name, None))]
    assert missing == []


@pytest.mark.parametrize(("module", "prefix", "sentences"), SHEETS)
def test_every_test_of_a_sheet_is_listed_with_its_sentence(
    module: ModuleType, prefix: str, sentences: list[tuple[str, str]]
) -> None:
    tests = {name for name in vars(module) if name.startswith("test_")}
    assert tests == {prefix + name for _, name in sentences}
