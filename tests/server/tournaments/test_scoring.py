"""What a seat gets: match points by rank, points against the same seat of the same deal."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyjo_server.tournaments.scoring import FORFEIT_POINTS, STAYED, THOUSANDTHS, compares, score_board
from skyjo_server.tournaments.values import Cause, Outcome, Table, TableResult
from tests.server.tournaments.results import boards, ended, played, results


@given(boards())
def test_the_match_points_of_a_table_add_up_to_half_its_seats(tables: list[TableResult]) -> None:
    scores = score_board(tables)
    for result in tables:
        got = [score.halves for score in scores if score.table == result.table.table and score.halves is not None]
        seats = len(result.table.seats)
        assert sum(got) == (seats * (seats - 1) if result.outcome is Outcome.FINISHED else 0)


@given(boards())
def test_better_ranks_get_more_match_points_and_equal_ranks_the_same(tables: list[TableResult]) -> None:
    for result in tables:
        scores = [score for score in score_board(tables) if score.table == result.table.table]
        for one in scores:
            for other in scores:
                if one.rank is not None and other.rank is not None:
                    assert one.halves is not None
                    assert other.halves is not None
                    assert (one.rank < other.rank) == (one.halves > other.halves)


def lead(result: TableResult, seat: int) -> Fraction:
    assert result.totals is not None
    others = [total for other, total in enumerate(result.totals) if other != seat]
    return Fraction(sum(others), len(others)) - result.totals[seat]


@given(boards())
def test_points_on_a_board_are_the_lead_minus_the_mean_lead_in_the_same_seat_elsewhere(
    tables: list[TableResult],
) -> None:
    counted = {result.table.table: result for result in tables if compares(result)}
    for score in score_board(tables):
        if score.cause in STAYED and score.points is not None:
            others = [lead(result, score.seat) for table, result in counted.items() if table != score.table]
            exact = lead(counted[score.table], score.seat) - Fraction(sum(others), len(others))
            assert abs(exact - Fraction(score.points, THOUSANDTHS)) <= Fraction(1, 2 * THOUSANDTHS)


@given(boards())
def test_points_at_a_table_cancel_out_whatever_the_board(tables: list[TableResult]) -> None:
    scores = score_board(tables)
    for result in tables:
        got = [score.points for score in scores if score.table == result.table.table and score.points is not None]
        if compares(result) and len(got) == len(result.table.seats):
            assert abs(sum(got)) <= len(got)


@given(boards())
def test_points_in_a_seat_cancel_out_over_the_tables_that_count(tables: list[TableResult]) -> None:
    scores = [score for score in score_board(tables) if score.cause in STAYED and score.points is not None]
    for seat in {score.seat for score in scores}:
        assert abs(sum(score.points or 0 for score in scores if score.seat == seat)) <= len(tables)


@given(boards(board=None))
def test_points_at_a_table_without_a_board_are_the_mean_of_the_others_minus_the_own(tables: list[TableResult]) -> None:
    (result,) = tables
    for score in score_board(tables):
        if score.cause in STAYED and score.points is not None:
            exact = lead(result, score.seat)
            assert abs(exact - Fraction(score.points, THOUSANDTHS)) <= Fraction(1, 2 * THOUSANDTHS)


@given(boards(), st.randoms(use_true_random=False))
def test_the_order_in_which_tables_are_given_changes_nothing(tables: list[TableResult], chance: Random) -> None:
    mixed = list(tables)
    chance.shuffle(mixed)
    assert score_board(mixed) == score_board(tables)


@given(boards())
def test_a_seat_that_left_never_gets_more_than_a_forfeit(tables: list[TableResult]) -> None:
    for score in score_board(tables):
        if score.halves is not None and score.cause not in STAYED:
            assert score.points is not None
            assert score.points <= -FORFEIT_POINTS * THOUSANDTHS


@given(boards(), st.data())
def test_what_happens_at_a_table_that_does_not_count_moves_no_other_table(
    tables: list[TableResult], data: st.DataObject
) -> None:
    incomplete = [result for result in tables if not compares(result)]
    if not incomplete:
        return
    chosen = data.draw(st.sampled_from(incomplete))
    other = data.draw(results(chosen.table).filter(lambda result: not compares(result)))
    changed = [other if result is chosen else result for result in tables]
    table = chosen.table.table
    assert [score for score in score_board(changed) if score.table != table] == [
        score for score in score_board(tables) if score.table != table
    ]


def test_a_replay_counts_for_match_points_and_is_compared_with_nothing() -> None:
    scores = score_board(
        [
            played(0, (1, 2), (40, 100), board=7),
            played(1, (3, 4), (60, 100), board=7),
            played(2, (5, 6), (10, 100), board=7, complete=False),
        ]
    )
    assert [(score.entry, score.match_points, score.points) for score in scores] == [
        (1, 1.0, 20_000), (2, 0.0, -20_000), (3, 1.0, -20_000), (4, 0.0, 20_000), (5, 1.0, None), (6, 0.0, None),
    ]  # fmt: skip


def test_a_replay_of_a_table_without_a_board_counts_like_any_other() -> None:
    scores = score_board([played(0, (1, 2), (40, 100), complete=False)])
    assert [score.points for score in scores] == [60_000, -60_000]


def test_who_leaves_loses_a_hundred_and_who_stays_gets_the_match_point() -> None:
    left = ended(Table(0, 0, None, (1, 2)), (0, 0), (Cause.NO_SHOW, Cause.FINISHED))
    assert [(score.match_points, score.points) for score in score_board([left])] == [(0.0, -100_000), (1.0, None)]


def test_a_void_table_gives_its_causes_alone_and_a_cancelled_one_nothing() -> None:
    table = Table(0, 0, 7, (1, 2))
    void = score_board([TableResult(table, Outcome.VOID, None, None, (Cause.VOID, Cause.VOID))])
    assert [(score.halves, score.points, score.rank, score.cause) for score in void] == [(None, None, None, "void")] * 2
    assert score_board([TableResult(table, Outcome.CANCELLED, None, None, (Cause.VOID, Cause.VOID))]) == ()


def test_the_only_table_of_a_board_is_compared_with_nothing() -> None:
    assert [score.points for score in score_board([played(0, (1, 2), (40, 100), board=7)])] == [None, None]


def test_tables_that_do_not_belong_together_are_refused() -> None:
    with pytest.raises(ValueError, match="one board"):
        score_board([played(0, (1, 2), (1, 2), board=1), played(1, (3, 4), (1, 2), board=2)])
    with pytest.raises(ValueError, match="one table without"):
        score_board([played(0, (1, 2), (1, 2)), played(1, (3, 4), (1, 2))])
