"""What never changes while the game does: the cards, where they may be, and what they can add up to."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from hypothesis import given

from skyjo import COPIES, PLACES, Phase, RuleSet, State
from skyjo.facts import RoundScored
from tests.skyjo.shadow import Shadow
from tests.strategies import SOME, PlayedGame, games, rule_sets


def all_cards(state: State) -> Counter[int]:
    """Every card of a state: draw pile, discard pile, grids and hand."""
    drawn = sum(state.taken)
    streams = len(state.taken)
    left = [card for index, card in enumerate(state.pile) if index // streams >= state.taken[index % streams]]
    assert len(left) == len(state.pile) - drawn == state.draw_pile_size
    laid = [grid.cards[place] for grid in state.grids for place in PLACES if grid.held >> place & 1]
    return Counter([*left, *state.discard_pile, *laid, *([] if state.hand is None else [state.hand])])


def scores(game: PlayedGame) -> list[RoundScored]:
    return list(game.state.rounds)


@given(games())
def test_the_150_cards_are_the_deck_in_every_reachable_state(game: PlayedGame) -> None:
    for state in game.states:
        assert all_cards(state) == Counter(COPIES)


@given(games())
def test_every_fact_moves_the_card_that_lies_there_and_the_state_shows_it_where_it_went(game: PlayedGame) -> None:
    shadow = Shadow(game.rules, game.seats)
    for event, state in zip(game.events, game.states, strict=True):
        shadow.watch(event)
        assert len(set(shadow.everything())) == len(shadow.everything()) == 150
        assert_same_table(shadow, state)


def assert_same_table(shadow: Shadow, state: State) -> None:
    assert state.discard_pile == shadow.values(shadow.discards)
    assert state.draw_pile_size == sum(map(len, shadow.streams))
    assert (state.hand is None) == (shadow.hand is None)
    for grid, laid, open_ in zip(state.grids, shadow.grids, shadow.open, strict=True):
        for place, card in zip(PLACES, laid, strict=True):
            assert (card is not None) == bool(grid.held >> place & 1)
            assert (place in open_) == bool(grid.open >> place & 1)
            assert not grid.hidden & grid.open
            assert card is None or grid.cards[place] == shadow.value[card]


@SOME
@given(games())
def test_the_discard_pile_is_never_empty_when_somebody_is_to_act(game: PlayedGame) -> None:
    assert all(state.discard_pile for state in game.states if state.phase is not Phase.OVER)


@SOME
@given(games())
def test_a_card_is_in_hand_only_inside_a_turn(game: PlayedGame) -> None:
    for state in game.states:
        left_in_the_middle = state.phase is Phase.OVER and state.left.count(False) == 1
        assert left_in_the_middle or (state.hand is not None) == (state.phase is Phase.DRAWN)


@SOME
@given(games())
def test_at_least_54_cards_lie_outside_the_grids_so_that_a_draw_is_always_possible(game: PlayedGame) -> None:
    for state in game.states:
        hand = state.hand is not None
        assert state.draw_pile_size + len(state.discard_pile) + hand >= 54
        assert state.phase is not Phase.TURN or state.draw_pile_size > 0 or len(state.discard_pile) > 1


@given(games())
def test_a_raw_round_score_lies_between_minus_17_and_140_and_a_doubled_one_at_most_at_280(game: PlayedGame) -> None:
    most = 140 if game.rules.remove_columns and game.rules.final_removal != "never" else 142
    for scored in scores(game):
        assert all(-17 <= points <= most for points in scored.raw)
        assert all(points <= most * game.rules.ender_multiplier for points in scored.final)
        assert all(
            final == raw
            for seat, (raw, final) in enumerate(zip(scored.raw, scored.final, strict=True))
            if seat != scored.ender
        )


@SOME
@given(games(rule_sets(double_non_positive=False)))
def test_no_score_below_one_is_ever_multiplied(game: PlayedGame) -> None:
    for scored in scores(game):
        assert all(final == raw for raw, final in zip(scored.raw, scored.final, strict=True) if raw <= 0)


@SOME
@given(games())
def test_totals_are_the_plain_sums_of_the_rounds(game: PlayedGame) -> None:
    sums = tuple(sum(points) for points in zip(*(scored.final for scored in scores(game)), strict=True))
    assert game.state.totals == (sums or (0,) * game.seats)
    assert [scored.round for scored in scores(game)] == list(range(1, len(scores(game)) + 1))


@SOME
@given(games())
def test_whoever_is_to_act_has_a_hidden_card_left(game: PlayedGame) -> None:
    assert all(state.grids[seat].hidden for state in game.states for seat in state.to_act)


@SOME
@given(games())
def test_the_turn_passes_clockwise_and_the_ender_gets_none_after_its_last(game: PlayedGame) -> None:
    for before, after in pairwise(game.states):
        if before.phase is Phase.FLIP or after.phase is Phase.OVER or before.round != after.round:
            continue
        moved_on = before.turns != after.turns
        assert after.turn == ((before.turn or 0) + moved_on) % game.seats
        assert after.turn != after.ender


@SOME
@given(games(rule_sets(max_turns_per_seat=None)))
def test_in_a_round_that_was_ended_everybody_has_played_as_many_turns_as_the_seats_before_the_ender_allow(
    game: PlayedGame,
) -> None:
    for before, after in pairwise(game.states):
        if len(after.rounds) > len(before.rounds):
            ended = after.rounds[-1]
            assert ended.ender == before.ender is not None
            assert not ended.truncated
            turns = [count + (seat == before.turn) for seat, count in enumerate(before.turns)]
            assert_turns_of_an_ended_round(turns, before)


def assert_turns_of_an_ended_round(turns: list[int], state: State) -> None:
    assert state.ender is not None
    assert state.opener is not None
    seats = state.seats
    enders_step = (state.ender - state.opener) % seats
    for seat, count in enumerate(turns):
        opened_before_ender = (seat - state.opener) % seats < enders_step
        assert count == turns[state.ender] + opened_before_ender


@SOME
@given(games())
def test_who_is_ranked_first_stayed_and_has_the_lowest_total_of_those_who_stayed(game: PlayedGame) -> None:
    state = game.state
    assert (state.ranks is None) == (state.phase is not Phase.OVER)
    if state.ranks is None:
        return
    keys = [(left, total) for left, total in zip(state.left, state.totals, strict=True)]
    assert [rank == 1 for rank in state.ranks] == [key == min(keys) for key in keys]
    assert sorted(state.ranks) == sorted(1 + sum(other < key for other in keys) for key in keys)


def test_the_deck_adds_up_to_760() -> None:
    assert sum(value * copies for value, copies in COPIES.items()) == 760
    assert sum(COPIES.values()) == 150
    assert RuleSet().name == "classic"
