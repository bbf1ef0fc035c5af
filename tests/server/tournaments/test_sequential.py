"""The sequential test: its error rates, its order, and its end where results are extreme."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.sequential import Match, error_rates
from skyjo_server.tournaments.sequential import BLOCKS_MIN, Accepted, Verdict, match_values, verdict
from skyjo_server.tournaments.values import Cause, Outcome, Sequential, Table, TableResult, Unit
from tests.server.tournaments.results import ended, played

ELO = Sequential(low=0, high=50)
POINTS = Sequential(low=0, high=10, unit=Unit.POINTS)
VALUES = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), max_size=200)
TESTS = st.builds(
    Sequential,
    low=st.floats(-400, -1),
    high=st.floats(0, 400),
    unit=st.sampled_from(Unit),
    alpha=st.floats(0.001, 0.49),
    beta=st.floats(0.001, 0.49),
)


@given(TESTS, VALUES, st.lists(st.one_of(st.none(), st.floats(-500, 500)), max_size=20))
def test_what_comes_after_a_decision_or_a_gap_changes_nothing(
    test: Sequential, values: list[float], later: list[float | None]
) -> None:
    found = verdict(test, values)
    if found.accepted is Accepted.NEITHER:
        assert verdict(test, [*values, None, *later]) == found
    else:
        assert verdict(test, [*values, *later]) == found
        assert verdict(test, values[: found.blocks]) == found


@given(TESTS, st.lists(st.floats(-1e6, 1e6), max_size=60))
def test_every_verdict_is_finite_and_consistent(test: Sequential, values: list[float]) -> None:
    found = verdict(test, values)
    assert isfinite(found.log_ratio)
    assert found.lower < 0 < found.upper
    assert found.blocks <= len(values)
    if found.accepted is not Accepted.NEITHER:
        assert found.blocks >= BLOCKS_MIN
        assert found.log_ratio >= found.upper or found.log_ratio <= found.lower


@given(VALUES)
def test_the_test_seen_from_the_other_side_decides_the_opposite(values: list[float]) -> None:
    test = Sequential(low=-30, high=30)
    opposite = {Accepted.LOW: Accepted.HIGH, Accepted.HIGH: Accepted.LOW, Accepted.NEITHER: Accepted.NEITHER}
    mirrored = verdict(test, [1 - value for value in values])
    # Rounding may put a ratio on the other side of a bound, a block later.
    found = verdict(test, values)
    if abs(mirrored.blocks - found.blocks) == 0:
        assert mirrored.accepted is opposite[found.accepted]


@pytest.mark.parametrize(
    ("test", "value", "accepted"),
    [
        (ELO, 1.0, Accepted.HIGH),
        (ELO, 0.0, Accepted.LOW),
        (ELO, 0.5, Accepted.LOW),
        (POINTS, 100.0, Accepted.HIGH),
        (POINTS, -100.0, Accepted.LOW),
        (POINTS, 10.0, Accepted.HIGH),
        (POINTS, 0.0, Accepted.LOW),
    ],
)
def test_results_without_any_variance_end_cleanly(test: Sequential, value: float, accepted: Accepted) -> None:
    found = verdict(test, [value] * 2_000)
    assert found.accepted is accepted
    assert found.mean == value


def test_without_variance_right_between_the_hypotheses_nothing_is_decided() -> None:
    found = verdict(POINTS, [5.0] * 2_000)
    assert (found.accepted, found.blocks, found.log_ratio) == (Accepted.NEITHER, 2_000, 0.0)


def test_nothing_played_decides_nothing() -> None:
    assert verdict(ELO, []) == Verdict(Accepted.NEITHER, 0, None, 0.0, *bounds())


def bounds() -> tuple[float, float]:
    found = verdict(ELO, [])
    assert found.upper == pytest.approx(-found.lower) == pytest.approx(2.944, abs=1e-3)
    return found.lower, found.upper


@pytest.mark.parametrize("match", [Match(seconds_by_result=(1, 1, 1)), Match(seconds_by_result=(1, 3, 8))])
@pytest.mark.parametrize("test", [Sequential(low=0, high=60, alpha=0.1, beta=0.1)])
def test_error_rates_hold_also_where_the_length_of_a_game_depends_on_its_result(test: Sequential, match: Match) -> None:
    """500 matches a side: three standard deviations of a rate of a tenth are 4 %."""
    rates = error_rates(test, match, matches=500, seed=1)
    assert rates.alpha < 0.14
    assert rates.beta < 0.14


def test_in_order_of_finish_the_same_test_would_not_keep_its_error_rates() -> None:
    rates = error_rates(
        Sequential(low=0, high=60), Match(seconds_by_result=(1, 4, 12)), matches=200, seed=1, by_finish=True
    )
    assert max(rates.alpha, rates.beta) > 0.1


def test_a_match_is_looked_at_in_rotations_and_as_far_as_it_is_over() -> None:
    tables: list[TableResult | None] = [
        played(0, (0, 1), (10, 20)), played(1, (1, 0), (10, 20)), played(2, (0, 1), (10, 20)), None,
    ]  # fmt: skip
    assert match_values(ELO, tables, first=0) == (0.5, None)
    assert match_values(ELO, tables[:3], first=0) == (0.5, None)
    assert match_values(POINTS, tables, first=1) == (0.0, None)


@pytest.mark.parametrize(
    ("causes", "first", "points"),
    [((Cause.FORFEIT, Cause.FINISHED), 0, -100.0), ((Cause.FORFEIT, Cause.FINISHED), 1, 100.0)],
)
def test_leaving_counts_against_one_what_it_counts_for_the_other(
    causes: Sequence[Cause], first: int, points: float
) -> None:
    left = ended(Table(0, 0, 3, (0, 1)), (0, 0), causes)
    assert match_values(POINTS, [left], first=first, size=1) == (points,)
    assert match_values(ELO, [left], first=first, size=1) == (float(first),)


def test_tables_without_a_result_are_left_out() -> None:
    void = TableResult(Table(0, 0, None, (0, 1)), Outcome.VOID, None, None, (Cause.VOID, Cause.VOID))
    assert match_values(ELO, [void, void, void, played(3, (1, 0), (10, 20))], first=0) == (0.0,)
