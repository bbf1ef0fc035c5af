"""Faults that other implementations of the game have had, each with the right value. One test per fault."""

from __future__ import annotations

from collections import Counter
from uuid import UUID

import pytest

from skyjo import (
    COPIES,
    DECK,
    PLACES,
    Cause,
    FairChance,
    Phase,
    Reason,
    RuleSet,
    commitment,
    decide,
    default_action,
    evolve,
    initial_state,
    legal_actions,
    replay,
    shuffle_key,
    start,
)
from skyjo.facts import Dealt, Discarded, Flipped, Removed, Reshuffled
from skyjo.scoring import final_scores
from tests.skyjo.tables import CLASSIC, Script, dealt, first_deal, position, summing_to
from tests.skyjo.test_conservation import all_cards
from tests.strategies import GAME_ID, action_stream, fair_chance, play

PLAIN = "(1) (2) (3) (4) / 5 6 7 8 / 9 10 11 12"
OTHER = "(4) (3) (2) (1) / 12 11 10 9 / 8 7 6 5"
LAST_HIDDEN = "(1) 2 3 4 / 5 6 7 8 / 9 10 11 12"
UNTURNED = "1 2 3 4 / 5 6 7 8 / 9 10 11 12"


def test_the_deck_had_ten_of_every_value() -> None:
    (deal,) = start(CLASSIC, 2, fair_chance(1)).facts
    assert isinstance(deal, Dealt)
    assert Counter(deal.cards) == Counter(DECK) == COPIES
    assert (Counter(deal.cards)[-2], Counter(deal.cards)[0], Counter(deal.cards)[12]) == (5, 15, 10)


def test_clearing_twelves_discarded_zeros() -> None:
    table = position("12 (1) 2 3 / 12 4 5 6 / (12) 8 9 10", OTHER, hand=1).play("reject a3")
    assert table.state.discard_pile == (5, 1, 12, 12, 12)


def test_of_adjacent_columns_one_was_skipped_because_the_list_shrank_under_the_loop() -> None:
    grid = "(9) 8 7 6 / (9) (8) (7) (6) / 9 (8) (7) (6)"
    table = position(LAST_HIDDEN, grid, draws="5 5").play_out()
    assert [fact.card for fact in table.facts(Removed)] == [9, 8, 7, 6]
    assert table.scored.raw[1] == 0


def test_a_hidden_column_of_equal_cards_was_removed() -> None:
    table = position("(9) (1) 2 3 / (9) 4 5 6 / (9) 7 8 10", OTHER, hand=5)
    for place in ("a1", "a2"):
        table.play(f"reject {place}", "draw", "keep d3", "draw")
        assert table.facts(Removed) == []
    assert table.play("reject a3").facts(Removed) == [Removed(0, PLACES[:3], 9)]


def test_a_zero_was_read_as_no_card() -> None:
    drawn = position(PLAIN, OTHER, discard="0", draws="0").play("draw")
    assert (drawn.state.hand, drawn.state.phase, drawn.view(0).drawn) == (0, Phase.DRAWN, 0)
    drawn.play("keep a1")
    assert drawn.view().seats[0].card(PLACES[0]) == 0
    taken = position(PLAIN, OTHER, discard="0").play("take a1")
    assert taken.view().seats[0].card(PLACES[0]) == 0
    column = position("0 (1) 2 3 / 0 4 5 6 / (0) 7 8 10", OTHER, hand=0).play("reject a3")
    assert column.state.discard_pile == (5, 0, 0, 0, 0)
    assert column.view().seats[0].columns[0] is None


def test_the_ender_was_compared_with_itself_or_not_with_seat_0() -> None:
    alone_lowest = position(*map(summing_to, (20, 30, 10)), turn=2).play_out()
    assert alone_lowest.scored.final == (20, 30, 10)
    beaten_by_seat_0 = position(*map(summing_to, (9, 30, 10)), turn=2).play_out()
    assert beaten_by_seat_0.scored.final == (9, 30, 20)


def test_a_negative_ender_was_doubled_and_a_tied_one_was_not() -> None:
    assert final_scores(CLASSIC, (-12, -16), 0) == (-12, -16)
    negative = position(*map(summing_to, (-5, -6))).play_out()
    assert negative.scored.final == negative.scored.raw == (-5, -6)
    tied = position(*map(summing_to, (24, 24))).play_out()
    assert tied.scored.final == (48, 24)


@pytest.mark.parametrize(("before", "over"), [(99 - 30, False), (100 - 30, True), (101 - 30, True)])
def test_the_game_ended_only_at_exactly_or_only_above_100(before: int, over: bool) -> None:
    table = position(*map(summing_to, (15, 15)), totals=(before, 0)).play_out()
    assert table.state.totals == (before + 30, 15)
    assert (table.state.phase is Phase.OVER) == over


def test_a_round_went_on_for_ever_once_a_column_was_gone() -> None:
    table = position(". (1) 2 3 / . 4 5 6 / . 7 8 10", OTHER, hand=5).play("reject b1")
    assert table.state.ender == 0


def test_an_emptied_grid_was_an_error() -> None:
    table = position("7 . . . / 7 . . . / (7) . . .", OTHER, draws="5 5").play("draw", "reject a3").play_out()
    assert table.scored.raw == (0, 78)
    assert table.view().seats[0].columns != ()


def test_a_taken_discard_could_be_thrown_back_for_a_flip() -> None:
    table = position(PLAIN, OTHER)
    assert table.refusal("reject a1") is Reason.WRONG_PHASE
    table.play("take a1")
    assert table.refusal("reject b1", 0) is Reason.NOT_YOUR_TURN


def test_flipping_an_open_card_was_a_free_pass() -> None:
    table = position(PLAIN, OTHER, hand=9)
    before = table.state
    assert table.refusal("reject a2") is Reason.PLACE_OPEN
    assert table.state == before


def test_the_drawn_card_vanished_when_a_timeout_cut_the_turn_short() -> None:
    table = position(PLAIN, OTHER, draws="9").play("draw").time_out()
    assert table.facts(Discarded) == [Discarded(0, 9)]
    assert all_cards(table.state) == COPIES
    left = position(PLAIN, OTHER, UNTURNED, hand=9).leave(0)
    left.play(str(default_action(left.state, 0)), cause=Cause.FORFEIT)
    assert left.state.discard_pile == (5, 9)
    assert all_cards(left.state) == COPIES


def test_a_reshuffle_was_not_logged_and_the_replay_drifted() -> None:
    rules = RuleSet(max_turns_per_seat=None)
    chance = fair_chance(3)
    events = [start(rules, 8, chance)]
    state = evolve(initial_state(rules, 8), events[0])
    while state.reshuffles < 2:
        text = {Phase.FLIP: "flip a1 b1", Phase.TURN: "draw", Phase.DRAWN: "keep a1"}[state.phase]
        action = next(action for action in legal_actions(state, state.to_act[0]) if str(action) == text)
        events.append(decide(state, state.to_act[0], action, chance))
        state = evolve(state, events[-1])
    assert sum(isinstance(fact, Reshuffled) for event in events for fact in event.facts) == 2
    assert replay(rules, 8, events) == state


def test_from_the_second_round_on_nobody_had_two_open_cards() -> None:
    script = Script({2: dealt(UNTURNED, UNTURNED)})
    table = position(*map(summing_to, (1, 2)), chance=script).play_out()
    assert table.state.to_act == (0, 1)
    table.play("flip a1 b1", "flip c1 d1")
    assert [len(seat.open_cards) for seat in table.view().seats] == [2, 2]


def test_a_seats_last_cards_were_shown_before_the_later_seats_had_played() -> None:
    table = position(LAST_HIDDEN, OTHER, PLAIN).play("take a1", "take a1")
    assert table.state.ender == 0
    assert len(table.view().seats[1].hidden_places) == 3
    assert table.facts(Flipped) == []
    table.play("take a1")
    assert {fact.seat for fact in table.facts(Flipped)} == {1, 2}
    assert len({event.version for event in table.events if any(isinstance(fact, Flipped) for fact in event.facts)}) == 1


def test_the_same_seed_gave_another_game_on_another_platform() -> None:
    game = UUID("00112233-4455-6677-8899-aabbccddeeff")
    chance = FairChance(shuffle_key(bytes(range(32)), game, "classic"))
    assert chance.deal(1)[:12] == (0, 2, 2, 9, -1, 0, 12, 4, 6, 10, 1, 0)


def test_a_seed_lost_precision_as_a_number() -> None:
    seeds = [(2**53).to_bytes(32, "big"), (2**53 + 1).to_bytes(32, "big")]
    assert bytes.fromhex(seeds[1].hex()) == seeds[1]
    assert len({commitment(seed, GAME_ID, "classic") for seed in seeds}) == 2
    assert len({FairChance(shuffle_key(seed, GAME_ID, "classic")).deal(1) for seed in seeds}) == 2


def test_the_default_move_was_illegal_and_a_finished_seat_got_a_turn() -> None:
    game = play(CLASSIC, 4, fair_chance(11), action_stream(11), 400)
    for state in game.states:
        for seat in state.to_act:
            assert default_action(state, seat) in legal_actions(state, seat)
            assert state.grids[seat].hidden
            assert seat != state.ender


def test_a_first_flip_named_one_card_twice() -> None:
    table = first_deal(CLASSIC, UNTURNED, UNTURNED)
    assert table.refusal("flip a1", 0) is Reason.FLIP_COUNT
