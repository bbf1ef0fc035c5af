"""When a game ends, who ranks where, and what happens to a seat that leaves: rules 26, 27 and 31."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyjo import (
    Action,
    Cause,
    IllegalAction,
    Phase,
    Reason,
    RuleSet,
    decide,
    decide_leave,
    default_action,
    forced_seat,
)
from skyjo.facts import GameEnded, Left
from skyjo.scoring import ranks
from tests.skyjo.tables import CLASSIC, Script, Table, first_deal, position, summing_to
from tests.strategies import SOME, PlayedGame, games

PLAIN = "(1) (2) (3) (4) / 5 6 7 8 / 9 10 11 12"
OTHER = "(4) (3) (2) (1) / 12 11 10 9 / 8 7 6 5"
UNTURNED = "1 2 3 4 / 5 6 7 8 / 9 10 11 12"
NO_LIMIT = RuleSet(score_limit=None, max_rounds=3)


def scored(*rounds: int, totals: tuple[int, ...], rules: RuleSet = CLASSIC) -> Table:
    """A round that gives these points, seat 0 ending it, on top of totals."""
    return position(*map(summing_to, rounds), rules=rules, totals=totals).play_out()


@pytest.mark.parametrize(("total", "over"), [(98, False), (99, False), (100, True), (101, True), (196, True)])
def test_a_game_is_over_when_any_total_is_at_least_100(total: int, over: bool) -> None:
    table = scored(1, 20, totals=(0, total - 20))
    assert table.state.totals == (1, total)
    assert (table.state.phase is Phase.OVER) == over


def test_doubling_counts_before_the_limit_is_looked_at() -> None:
    table = scored(20, 10, totals=(60, 0))
    assert table.state.totals == (100, 10)
    assert table.state.phase is Phase.OVER
    assert scored(20, 20, totals=(60, 0), rules=RuleSet(double_on_tie=False)).state.phase is Phase.FLIP


@pytest.mark.parametrize("limit", [1, 50, 100, 1000])
def test_the_score_limit_is_an_option(limit: int) -> None:
    rules = RuleSet(score_limit=limit)
    assert scored(0, 20, totals=(0, limit - 21), rules=rules).state.phase is Phase.FLIP
    assert scored(0, 20, totals=(0, limit - 20), rules=rules).state.phase is Phase.OVER


@pytest.mark.parametrize(("most", "over"), [(1, True), (2, True), (3, False), (None, False)])
def test_the_number_of_rounds_is_an_option(most: int | None, over: bool) -> None:
    table = scored(0, 1, totals=(0, 0), rules=RuleSet(max_rounds=most))
    assert table.scored.round == 2
    assert (table.state.phase is Phase.OVER) == over


def test_without_a_score_limit_only_the_rounds_count() -> None:
    assert scored(0, 20, totals=(0, 5000), rules=NO_LIMIT).state.phase is Phase.FLIP


def test_the_lowest_total_wins_also_when_all_are_at_or_above_100() -> None:
    table = scored(0, 20, 30, totals=(150, 100, 100))
    assert table.state.totals == (150, 120, 130)
    assert table.state.ranks == (3, 1, 2)
    assert table.events[-1].facts[-1] == GameEnded((150, 120, 130), (3, 1, 2))


def test_totals_may_be_negative() -> None:
    table = scored(-6, -5, totals=(-10, 110))
    assert table.state.totals == (-16, 105)
    assert table.state.ranks == (1, 2)


@pytest.mark.parametrize(
    ("totals", "expected"),
    [
        ((5, 5, 9), (1, 1, 3)),
        ((9, 5, 9), (2, 1, 2)),
        ((7, 7, 7), (1, 1, 1)),
        ((-3, 0, 3), (1, 2, 3)),
        ((3, 1, 1, 2), (4, 1, 1, 3)),
    ],
)
def test_equal_totals_share_a_rank(totals: tuple[int, ...], expected: tuple[int, ...]) -> None:
    assert ranks(totals, [False] * len(totals)) == expected
    table = position(*["(0) . . . / . . . . / . . . ."] * len(totals), totals=totals, rules=RuleSet(max_rounds=2))
    assert table.play_out().state.ranks == expected


def test_nothing_happens_when_the_game_is_over() -> None:
    table = scored(0, 20, totals=(0, 100))
    assert table.state.to_act == ()
    assert forced_seat(table.state) is None
    for seat in (0, 1):
        assert table.legal(seat) == []
        assert table.refusal("draw", seat) is Reason.GAME_OVER
        with pytest.raises(IllegalAction, match="the game is over: nobody can leave it") as refused:
            decide_leave(table.state, seat, Cause.PLAYER)
        assert refused.value.reason is Reason.GAME_OVER


@pytest.mark.parametrize("cause", [Cause.PLAYER, Cause.FORFEIT])
def test_a_seat_that_leaves_is_played_by_default_actions_and_the_others_go_on(cause: Cause) -> None:
    table = position(PLAIN, OTHER, UNTURNED, draws="12").leave(0, cause)
    event = table.events[-1]
    assert (event.seat, event.action, event.cause, event.facts) == (0, None, cause, (Left(0),))
    assert table.state.phase is Phase.TURN
    assert forced_seat(table.state) == 0
    table.play("draw", "reject a1", cause=Cause.FORFEIT)
    assert [event.cause for event in table.events[1:]] == [Cause.FORFEIT, Cause.FORFEIT]
    assert forced_seat(table.state) is None
    assert table.state.to_act == (1,)
    assert [seat.left for seat in table.view().seats] == [True, False, False]


def test_a_seat_may_leave_when_it_is_not_on_move_and_its_turn_is_forced_when_it_comes() -> None:
    table = position(PLAIN, OTHER, UNTURNED).leave(2)
    assert forced_seat(table.state) is None
    table.play("take a1", "take a1")
    assert forced_seat(table.state) == 2


def test_a_seat_may_leave_with_a_card_in_hand_which_is_then_rejected() -> None:
    table = position(PLAIN, OTHER, UNTURNED, hand=11).leave(0)
    assert table.state.hand == 11
    assert str(default_action(table.state, 0)) == "reject a1"
    table.play("reject a1", cause=Cause.FORFEIT)
    assert table.state.discard_pile == (5, 11)


def test_a_seat_may_leave_while_flips_are_chosen() -> None:
    table = first_deal(CLASSIC, UNTURNED, UNTURNED, UNTURNED).leave(1)
    assert forced_seat(table.state) == 1
    table.play("flip a1 b1", seat=1, cause=Cause.FORFEIT)
    assert table.state.to_act == (0, 2)


def test_nobody_leaves_twice() -> None:
    table = position(PLAIN, OTHER, UNTURNED).leave(1)
    with pytest.raises(IllegalAction, match="seat 1 has left already") as refused:
        decide_leave(table.state, 1, Cause.FORFEIT)
    assert refused.value.reason is Reason.ALREADY_LEFT


def test_when_one_seat_remains_the_game_ends_at_once_and_that_seat_is_first() -> None:
    table = position(PLAIN, OTHER, UNTURNED, totals=(10, 90, 40)).leave(0)
    table.leave(2)
    assert table.state.phase is Phase.OVER
    ending = (Left(2), GameEnded((10, 90, 40), (2, 1, 3)))
    assert [event.facts for event in table.events] == [(Left(0),), ending]
    assert table.state.ranks == (2, 1, 3)
    assert table.state.totals == (10, 90, 40)
    assert table.state.to_act == ()


@pytest.mark.parametrize("gone", [0, 1])
def test_of_two_seats_the_other_one_wins_whatever_the_points(gone: int) -> None:
    table = first_deal(CLASSIC, UNTURNED, UNTURNED).leave(gone)
    assert table.state.ranks == ((2, 1) if gone == 0 else (1, 2))


def test_seats_that_left_rank_below_all_that_stayed_and_by_total_among_themselves() -> None:
    assert ranks([13, 96, 44, 13], [True, True, False, True]) == (2, 4, 1, 2)
    grids = [summing_to(20), summing_to(0), summing_to(12), summing_to(1)]
    table = position(*grids, totals=(0, 0, 0, 99)).leave(1, Cause.FORFEIT).leave(2).play_out()
    assert table.state.totals == (40, 0, 12, 100)
    assert table.state.ranks == (1, 3, 4, 2)


def test_the_total_of_a_seat_that_left_still_ends_the_game() -> None:
    table = position(*map(summing_to, (0, 20, 20)), totals=(0, 80, 0)).leave(1).play_out()
    assert table.state.phase is Phase.OVER
    assert table.state.ranks == (1, 3, 2)


def test_a_seat_that_left_may_end_the_round_and_open_the_next_one() -> None:
    table = position(*map(summing_to, (0, 20, 20)), totals=(0, 0, 0)).leave(0).play_out()
    assert table.scored.ender == 0
    assert table.state.left == (True, False, False)
    table.time_out().time_out().time_out()
    assert table.state.to_act == (0,)
    assert forced_seat(table.state) == 0


@given(st.lists(st.tuples(st.booleans(), st.integers(-50, 300)), min_size=2, max_size=8))
def test_a_rank_is_one_more_than_the_number_of_better_seats(seats: list[tuple[bool, int]]) -> None:
    given_ranks = ranks([total for _, total in seats], [left for left, _ in seats])
    for seat, rank in zip(seats, given_ranks, strict=True):
        assert rank == 1 + sum(other < seat for other in seats)


@SOME
@given(games())
def test_a_game_that_somebody_left_goes_on_while_two_seats_remain(game: PlayedGame) -> None:
    for before, after in pairwise(game.states):
        assert all(now or not then for then, now in zip(before.left, after.left, strict=True))
        assert after.left.count(False) >= 1
        assert after.left.count(False) > 1 or after.phase is Phase.OVER


@SOME
@given(games())
def test_no_event_follows_the_games_end(game: PlayedGame) -> None:
    endings = [event.version for event in game.events for fact in event.facts if isinstance(fact, GameEnded)]
    assert endings == ([game.state.version] if game.state.phase is Phase.OVER else [])
    if endings:
        with pytest.raises(IllegalAction):
            decide(game.state, 0, Action.draw(), Script())
