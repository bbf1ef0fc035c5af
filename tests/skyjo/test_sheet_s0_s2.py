"""The rule sheets S0 (Bavarian) and S2 (its English twin), sentence by sentence, under the preset `classic`.

Which sentence is held by which test, :mod:`tests.skyjo.test_sheets` lists.
"""

from __future__ import annotations

from collections import Counter

import pytest

from skyjo import DECK, PLACES, Phase, Reason, decision
from skyjo.facts import Discarded, Drawn, Flipped, GameEnded, Placed, Removed, RoundScored
from tests.skyjo.tables import CLASSIC, Script, cards, deck, first_deal, position

PLAIN = "(1) (2) (3) (4) / 5 6 7 8 / 9 10 11 12"
OTHER = "(4) (3) (2) (1) / 12 11 10 9 / 8 7 6 5"
UNTURNED = "1 2 3 4 / 5 6 7 8 / 9 10 11 12"


def test_s0_s2_the_numbers_of_minus_twos_zeros_and_other_cards() -> None:
    assert Counter(DECK) == {-2: 5, 0: 15} | dict.fromkeys((-1, *range(1, 13)), 10)


def test_s0_s2_the_game_goes_on_over_rounds_until_somebody_has_100_points() -> None:
    table = position("(1) 2 3 4 / 1 0 0 0 / 5 0 0 0", PLAIN, draws="5 5", totals=(0, 99 - 78), turn=0).play_out()
    assert table.state.totals == (16, 99)
    assert table.state.phase is Phase.FLIP
    assert table.state.round == 3
    table = position("(1) 2 3 4 / 1 0 0 0 / 5 0 0 0", PLAIN, draws="5 5", totals=(0, 100 - 78), turn=0).play_out()
    assert table.state.totals == (16, 100)
    assert table.state.phase is Phase.OVER


def test_s0_s2_the_fewest_points_win_the_game() -> None:
    table = position("(1) 2 3 4 / 1 0 0 0 / 5 0 0 0", PLAIN, OTHER, draws="5 5 5", totals=(90, 30, 20)).play_out()
    assert table.state.totals == (106, 108, 98)
    assert table.state.ranks == (2, 3, 1)
    assert table.facts(GameEnded) == [GameEnded((106, 108, 98), (2, 3, 1))]


def test_s0_s2_everybody_is_dealt_twelve_cards_face_down() -> None:
    table = first_deal(CLASSIC, UNTURNED, UNTURNED, UNTURNED)
    for seat in table.view().seats:
        assert seat.hidden_places == PLACES
        assert seat.open_cards == {}


def test_s0_s2_one_card_is_turned_up_to_begin_the_discard_pile() -> None:
    table = first_deal(CLASSIC, UNTURNED, UNTURNED, discard=11)
    assert table.state.phase is Phase.FLIP
    assert table.view().discard_pile == (11,)


@pytest.mark.parametrize(("seats", "left"), [(2, 125), (3, 113), (4, 101), (5, 89), (6, 77), (7, 65), (8, 53)])
def test_s0_s2_the_rest_of_the_cards_is_the_draw_pile(seats: int, left: int) -> None:
    table = first_deal(CLASSIC, *[UNTURNED] * seats)
    assert table.view().draw_pile_size == left == 150 - 12 * seats - 1


def test_s0_s2_the_cards_lie_in_four_columns_of_three() -> None:
    for seat in first_deal(CLASSIC, UNTURNED, UNTURNED).view().seats:
        assert seat.columns == ((None,) * 3,) * 4


def test_s0_s2_everybody_turns_up_two_cards_of_its_own_choice() -> None:
    table = first_deal(CLASSIC, UNTURNED, UNTURNED).play("flip d3 a2", "flip b1 c1")
    assert table.view().seats[0].open_cards == {PLACES[1]: 5, PLACES[11]: 12}
    assert table.view().seats[1].open_cards == {PLACES[3]: 2, PLACES[6]: 3}
    assert table.refusal("flip a1 b1") is Reason.WRONG_PHASE


def test_s0_s2_a_turn_begins_with_the_discard_or_the_draw_pile() -> None:
    legal = position(PLAIN, OTHER).legal()
    assert legal == ["draw", *(f"take {place}" for place in PLACES)]


def test_s0_s2_choice_1_the_discard_is_swapped_at_once_and_lies_open() -> None:
    table = position(PLAIN, OTHER, discard="3 0").play("take a1")
    assert table.view().seats[0].card(PLACES[0]) == 0
    assert table.state.turn == 1
    assert table.refusal("keep a1", 0) is Reason.NOT_YOUR_TURN


def test_s0_s2_choice_1_it_may_replace_an_open_or_a_hidden_card() -> None:
    assert position(PLAIN, OTHER).refusal("take a1") is None
    assert position(PLAIN, OTHER).refusal("take a2") is None


def test_s0_s2_hidden_cards_are_not_seen_before_they_are_swapped() -> None:
    table = position(PLAIN, OTHER, hand=6)
    for viewer in (None, 0, 1):
        assert table.view(viewer).seats[0].card(PLACES[0]) is None


def test_s0_s2_choice_1_the_swapped_card_goes_face_up_on_the_discard_pile() -> None:
    table = position(PLAIN, OTHER, discard="3 0").play("take d1")
    assert table.view().discard_pile == (3, 4)
    assert table.facts(Discarded) == [Discarded(0, 4)]


def test_s0_s2_choice_2_the_drawer_may_look_at_the_card_it_draws() -> None:
    table = position(PLAIN, OTHER, draws="12").play("draw")
    assert table.view(0).drawn == 12
    assert table.view(1).drawn is None
    assert table.view(None).drawn is None
    assert table.state.turn == 0


def test_s0_s2_choice_2_the_drawn_card_may_be_swapped_or_thrown_away() -> None:
    keeps = [f"keep {place}" for place in PLACES]
    assert position(PLAIN, OTHER, draws="12").play("draw").legal() == [
        *keeps,
        "reject a1",
        "reject b1",
        "reject c1",
        "reject d1",
    ]


def test_s0_s2_choice_2_a_kept_card_is_swapped_as_in_choice_1() -> None:
    table = position(PLAIN, OTHER, discard="3", draws="12").play("draw", "keep d1")
    assert table.facts(Placed) == [Placed(0, PLACES[9], 12)]
    assert table.view().discard_pile == (3, 4)
    assert table.view().seats[0].card(PLACES[9]) == 12


def test_s0_s2_choice_2_a_rejected_card_is_discarded_and_a_hidden_card_must_be_turned_up() -> None:
    table = position(PLAIN, OTHER, discard="3", draws="12").play("draw")
    assert table.refusal("reject") is Reason.FLIP_REQUIRED
    table.play("reject b1")
    assert table.view().discard_pile == (3, 12)
    assert table.view().seats[0].card(PLACES[3]) == 2
    assert table.facts(Flipped) == [Flipped(0, PLACES[3], 2)]


@pytest.mark.parametrize("actions", [["take a1"], ["draw", "keep a1"], ["draw", "reject a1"]])
def test_s0_s2_then_the_turn_is_over_and_the_next_seat_clockwise_plays(actions: list[str]) -> None:
    assert position(PLAIN, OTHER, PLAIN).play(*actions).state.to_act == (1,)
    assert position(PLAIN, OTHER, PLAIN, turn=2).play(*actions).state.to_act == (0,)


def test_s0_s2_three_equal_cards_in_a_column_are_discarded() -> None:
    table = position("7 (2) (3) (4) / 7 6 0 8 / (7) 10 11 12", OTHER, draws="5").play("draw", "reject a3")
    assert table.facts(Removed) == [Removed(0, PLACES[:3], 7)]
    assert table.view().seats[0].columns[0] is None


@pytest.mark.parametrize(
    ("actions", "pile"), [(["take a3"], (9, 7, 7, 7)), (["draw", "keep a3"], (7, 9, 7, 7, 7))], ids=["take", "keep"]
)
def test_s0_s2_a_column_made_by_a_swap_goes_on_top_of_the_swapped_card(
    actions: list[str], pile: tuple[int, ...]
) -> None:
    table = position("7 (2) (3) (4) / 7 6 0 8 / 9 10 11 12", OTHER, discard="7", draws="7").play(*actions)
    assert table.view().discard_pile == pile


def test_s0_s2_whoever_has_turned_up_all_its_cards_has_played_its_last_turn() -> None:
    table = position("(1) 2 3 4 / 5 6 7 8 / 9 10 11 12", OTHER, OTHER).play("take a1")
    assert table.state.ender == 0
    table.play("take a1", "take a1")
    assert [scored.ender for scored in table.facts(RoundScored)] == [0]


def test_s0_s2_everybody_after_the_ender_plays_once_more() -> None:
    table = position(PLAIN, OTHER, "(1) 2 3 4 / 5 6 7 8 / 9 10 11 12", PLAIN, turn=2).play("take a1")
    acting = []
    while not table.state.rounds:
        acting.append(table.state.to_act[0])
        table.play("take a1")
    assert acting == [3, 0, 1]


def test_s0_s2_hidden_cards_are_turned_up_at_the_end() -> None:
    table = position("(1) 2 3 4 / 5 6 7 8 / 9 10 11 12", PLAIN, discard="0").play("take a1", "take a1")
    assert table.facts(Flipped) == [
        Flipped(1, PLACES[3], 2),
        Flipped(1, PLACES[6], 3),
        Flipped(1, PLACES[9], 4),
    ]


def test_s0_s2_everybody_counts_the_points_of_its_grid() -> None:
    table = position("(1) 2 3 4 / 5 6 7 8 / 9 10 11 -2", PLAIN, draws="5 5").play_out()
    assert table.scored.raw == (64, 78)


def test_s0_s2_the_ender_is_doubled_unless_it_alone_has_the_fewest_points() -> None:
    beaten = position("(1) 2 3 4 / 5 6 7 8 / 9 10 11 12", "(1) 2 3 4 / 5 6 7 8 / 9 10 11 -1", draws="5 5").play_out()
    assert (beaten.scored.raw, beaten.scored.final) == ((78, 65), (156, 65))
    alone = position("(1) 2 3 4 / 5 6 7 8 / 9 10 11 -1", "(1) 2 3 4 / 5 6 7 8 / 9 10 11 12", draws="5 5").play_out()
    assert alone.scored.final == (65, 78)


def test_s0_s2_only_a_positive_score_is_doubled() -> None:
    nothing = "(-2) 0 0 -2 / 0 0 0 0 / 1 1 1 1"
    less = "(-2) 0 0 -2 / 0 0 0 0 / 1 1 1 -1"
    zero = position(nothing, less, draws="5 5").play_out()
    assert (zero.scored.raw, zero.scored.final) == ((0, -2), (0, -2))


def test_s0_s2_the_example_of_players_a_b_and_c() -> None:
    table = position(
        "(0) 2 1 -1 / 0 -2 1 3 / 5 3 0 -2",
        "(1) 3 7 4 / -2 0 -1 0 / 1 0 12 -1",
        "(2) -2 5 3 / 0 0 2 -1 / 2 -1 0 0",
        draws="9 9 9",
    ).play_out()
    assert table.scored.ender == 0
    assert table.scored.raw == (10, 24, 10)
    assert table.scored.final == (20, 24, 10)


def test_s0_s2_points_are_added_to_those_of_the_rounds_before() -> None:
    table = position("(1) 2 3 4 / 5 6 7 8 / 9 10 11 -2", PLAIN, draws="5 5", totals=(-3, 10)).play_out()
    assert table.state.totals == (61, 88)
    assert [seat.round_scores for seat in table.view().seats] == [(-3, 64), (10, 78)]
    assert [seat.total for seat in table.view().seats] == [61, 88]


def test_s0_s2_a_game_has_more_rounds_than_one_and_each_is_dealt_anew() -> None:
    order = deck(*cards("12 12 12"))
    grids = ("(1) 2 3 4 / 5 6 7 8 / 9 10 11 -2", PLAIN)
    table = position(*grids, draws="5 5", chance=Script({2: order})).play_out()
    assert table.state.round == 2
    assert table.state.grids[0].cards == order[:12]
    assert table.state.to_act == (0, 1)


def test_s0_s2_a_drawn_card_is_nobody_elses_to_see_until_it_is_put_down() -> None:
    table = position(PLAIN, OTHER, draws="12").play("draw")
    assert table.facts(Drawn) == [Drawn(0, 12)]
    assert decision(table.state, 1).drawn is None
    table.play("keep a1")
    assert decision(table.state, 1).seats[0].card(PLACES[0]) == 12
