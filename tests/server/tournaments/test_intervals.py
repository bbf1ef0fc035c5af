"""Intervals hold their level, say nothing where nothing can be said, and are the same for the same data."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skyjo_server.tournaments.intervals import BLOCKS_MAX, Block, blocks_of, bootstrap, students_quantile
from skyjo_server.tournaments.scoring import THOUSANDTHS, score_board
from skyjo_server.tournaments.tally import Moments
from skyjo_server.tournaments.values import Scoring, TableResult
from tests.server.tournaments.results import boards, played

BLOCKS = st.lists(st.tuples(st.integers(1, 4), st.integers(-400, 400)), min_size=2, max_size=30)
SOME = settings(max_examples=30, deadline=None)


@SOME
@given(BLOCKS, st.randoms(use_true_random=False))
def test_the_same_blocks_in_any_order_have_the_same_interval_to_the_bit(blocks: list[Block], chance: Random) -> None:
    mixed = list(blocks)
    chance.shuffle(mixed)
    assert bootstrap(mixed) == bootstrap(blocks)


@SOME
@given(BLOCKS)
def test_an_interval_lies_within_what_was_seen_and_a_higher_level_within_nothing_less(blocks: list[Block]) -> None:
    inner, outer = bootstrap(blocks, level=0.8), bootstrap(blocks, level=0.99)
    assert inner is not None
    assert outer is not None
    means = [total / tables for tables, total in blocks]
    assert min(means) - 1e-9 <= outer.low <= inner.low <= inner.high <= outer.high <= max(means) + 1e-9


@given(st.integers(-400, 400), st.integers(2, 20))
def test_where_nothing_varies_both_ends_are_the_mean(value: int, blocks: int) -> None:
    assert bootstrap([(2, 2 * value)] * blocks) == (value, value)


def test_below_two_blocks_with_a_table_there_is_no_interval() -> None:
    assert bootstrap([]) is None
    assert bootstrap([(1, 5), (0, 0)]) is None


@pytest.mark.parametrize("blocks", [6, 20, 60])
def test_intervals_hold_the_truth_about_as_often_as_they_say(blocks: int) -> None:
    chance = Random(blocks)
    held, by_sums = 0, 0
    for _ in range(150):
        data = [(2, round(1_000 * (chance.gauss(5, 30) + chance.gauss(5, 10)))) for _ in range(blocks)]
        found = bootstrap(data)
        quick = sum((Moments(1, n, s, n * n, n * s, s * s) for n, s in data), Moments()).interval(1)
        assert found is not None
        assert quick is not None
        held += found.low <= 5_000 <= found.high
        by_sums += quick.low <= 5_000 <= quick.high
    assert 0.89 <= held / 150 <= 0.99
    assert by_sums / 150 >= (0.82 if blocks < 20 else 0.89)


def test_tables_of_one_board_are_one_block_so_that_repeating_a_deal_tells_nothing_new() -> None:
    chance = Random(1)
    data = [round(chance.gauss(0, 30_000)) for _ in range(40)]
    once, often = bootstrap([(1, value) for value in data]), bootstrap([(5, 5 * value) for value in data])
    assert once is not None
    assert often is not None
    assert often.high - often.low == pytest.approx(once.high - once.low, rel=0.1)


def test_very_many_blocks_are_put_together_and_keep_their_spread() -> None:
    chance = Random(2)
    data = [(1, round(chance.gauss(0, 1_000))) for _ in range(4 * BLOCKS_MAX)]
    found = bootstrap(data)
    assert found is not None
    assert found.high - found.low == pytest.approx(2 * 1.96 * 1_000 / (4 * BLOCKS_MAX) ** 0.5, rel=0.15)


@given(boards())
def test_blocks_hold_every_score_that_counts(tables: list[TableResult]) -> None:
    scores = score_board(tables)
    found = blocks_of(scores, Scoring.POINTS)
    for entry in {score.entry for score in scores}:
        own = [score.points for score in scores if score.entry == entry and score.points is not None]
        assert sum(total for _, total in found.get(entry, [])) == sum(own)
        assert sum(tables for tables, _ in found.get(entry, [])) == len(own)


def test_tables_with_a_deal_of_their_own_are_blocks_of_their_own() -> None:
    scores = [score for number in range(3) for score in score_board([played(number, (0, 1), (10, 20))])]
    assert blocks_of(scores, Scoring.POINTS)[0] == [(1, 10 * THOUSANDTHS)] * 3
    assert blocks_of(scores, Scoring.RANKS)[1] == [(1, 0)] * 3


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (6, 2.447), (10, 2.228), (30, 2.042)]
)
def test_students_quantile_is_that_of_the_tables(freedom: int, quantile: float) -> None:
    """Abramowitz and Stegun, table 26.10."""
    assert students_quantile(0.975, freedom) == pytest.approx(quantile, rel=0.005)
