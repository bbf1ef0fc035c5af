"""Ratings: what permuting, winning and tying may and may not change, held against a library of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from math import isfinite
from random import Random

import choix
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skyjo_server.tournaments.likelihood import Likelihood
from skyjo_server.tournaments.live import LiveRating, updated
from skyjo_server.tournaments.rankings import SHARES, Choices, Ranking, count_choices
from skyjo_server.tournaments.ratings import MIDDLE, POINTS_PER_UNIT, Rating, expected, rate

ENTRIES = range(6)
A_THOUSANDTH = 0.002

SOME = settings(max_examples=40, deadline=None)
"""A fit takes milliseconds, or many on a busy machine."""


@st.composite
def rankings(draw: st.DrawFn, most: int = 5) -> Ranking:
    """One table of two or more, with ties or without."""
    entries = draw(st.permutations(ENTRIES))[: draw(st.integers(2, most))]
    ranks = draw(st.lists(st.integers(1, len(entries)), min_size=len(entries), max_size=len(entries)))
    return Ranking(tuple(entries), tuple(ranks))


TABLES = st.lists(rankings(), max_size=20)
PAIRS = st.lists(rankings(2), max_size=30)
LIVE = st.builds(LiveRating, st.floats(-3000, 6000), st.floats(20, 500))


def numbers(rated: dict[int, Rating]) -> dict[int, float]:
    return {entry: rating.rating for entry, rating in rated.items()}


@SOME
@given(TABLES, st.randoms(use_true_random=False))
def test_the_order_of_games_and_of_seats_changes_no_bit(played: list[Ranking], chance: Random) -> None:
    mixed = []
    for ranking in played:
        seats = list(zip(ranking.entries, ranking.ranks, strict=True))
        chance.shuffle(seats)
        mixed.append(Ranking(*(tuple(column) for column in zip(*seats, strict=True))))
    chance.shuffle(mixed)
    assert rate(mixed, ENTRIES) == rate(played, ENTRIES)


@SOME
@given(PAIRS, st.permutations(ENTRIES))
def test_a_winner_of_a_table_of_two_never_loses_by_its_win_and_the_loser_never_gains(
    played: list[Ranking], pair: Sequence[int]
) -> None:
    winner, loser = pair[:2]
    before = numbers(rate(played, ENTRIES))
    after = numbers(rate([*played, Ranking((winner, loser), (1, 2))], ENTRIES))
    assert after[winner] >= before[winner]
    assert after[loser] <= before[loser]


@SOME
@given(TABLES, rankings())
def test_being_first_never_lowers_a_rating_at_a_larger_table_either(played: list[Ranking], table: Ranking) -> None:
    winner, *_ = table.entries
    before = strengths(count_choices(played, ENTRIES))
    after = strengths(with_first_place(count_choices(played, ENTRIES), winner, table.entries))
    assert after[winner] > before[winner]


def strengths(choices: Choices) -> dict[int, float]:
    return dict(zip(choices.entries, Likelihood(choices).most_likely().tolist(), strict=True))


def with_first_place(choices: Choices, winner: int, entries: Sequence[int]) -> Choices:
    """The choices and one more: who was first at a table, whatever the others did among themselves."""
    members = tuple(sorted(entries))
    counts = dict(zip(choices.sets, choices.counts, strict=True))
    counts[members] = counts.get(members, 0) + SHARES
    chosen = tuple(
        often + SHARES * (entry == winner) for entry, often in zip(choices.entries, choices.chosen, strict=True)
    )
    return Choices(choices.entries, choices.games, chosen, tuple(counts), tuple(counts.values()))


@SOME
@given(TABLES)
def test_bots_with_equal_results_have_equal_ratings(played: list[Ranking]) -> None:
    """Everything is played once more with two bots in each other's place, so both have done the same."""
    swapped = {0: 1, 1: 0}
    mirrored = [
        Ranking(tuple(swapped.get(entry, entry) for entry in ranking.entries), ranking.ranks) for ranking in played
    ]
    rated = rate([*played, *mirrored], ENTRIES)
    assert rated[0] == rated[1]


@SOME
@given(TABLES)
def test_every_rating_is_finite_and_inside_its_interval(played: list[Ranking]) -> None:
    for rating in rate(played, ENTRIES).values():
        assert isfinite(rating.rating)
        assert rating.interval.low < rating.rating < rating.interval.high
        assert isfinite(rating.interval.high - rating.interval.low)


@settings(max_examples=10, deadline=None)
@given(st.lists(rankings(), max_size=10))
def test_ratings_are_those_of_an_independent_library(played: list[Ranking]) -> None:
    """It knows no ties and no bot in the middle: so there are none, and that bot is one more."""
    strict = [Ranking(ranking.entries, tuple(range(1, len(ranking.entries) + 1))) for ranking in played]
    data = [ranking.entries for ranking in strict for _ in range(2)]
    middle = len(ENTRIES)
    data += [pair for entry in ENTRIES for pair in ((entry, middle), (middle, entry))]
    found = choix.opt_rankings(middle + 1, data, alpha=1e-9, tol=1e-9)
    for entry, rating in numbers(rate(strict, ENTRIES)).items():
        assert rating == pytest.approx(MIDDLE + POINTS_PER_UNIT * (found[entry] - found[middle]), abs=0.1)


@given(st.lists(st.permutations(range(4)), min_size=1, max_size=4))
def test_a_tie_counts_as_the_mean_over_the_orders_of_those_that_tie(orders: list[list[int]]) -> None:
    tied = [Ranking(tuple(order), (1, 2, 2, 4)) for order in orders]
    both = [Ranking(tuple(order), ranks) for order in orders for ranks in ((1, 2, 3, 4), (1, 3, 2, 4))]
    doubled, spread = count_choices(tied + tied, ENTRIES), count_choices(both, ENTRIES)
    assert doubled.chosen == spread.chosen
    assert doubled.sets == spread.sets
    assert doubled.counts == spread.counts


@pytest.mark.parametrize("games", [1, 1_000, 100_000])
def test_who_always_wins_has_a_finite_rating_that_grows_with_the_games(games: int) -> None:
    rated = rate([Ranking((0, 1), (1, 2))] * games)
    assert MIDDLE < rated[0].rating < 4_000
    assert rated[0].rating - MIDDLE == pytest.approx(MIDDLE - rated[1].rating, abs=A_THOUSANDTH)


def test_nobody_and_nothing_played_are_rated_without_fuss() -> None:
    assert rate([]) == {}
    (alone,) = rate([], [3]).values()
    assert (alone.rating, alone.games) == (MIDDLE, 0)
    assert alone.interval.high - alone.interval.low > 1_000


def test_many_entries_are_rated_without_a_matrix_of_all_of_them_and_alike() -> None:
    chance = Random(5)
    played = [Ranking((one, one + 1 + chance.randrange(3)), (1, 2)) for one in range(1_100) for _ in range(2)]
    choices = count_choices(played)
    assert len(choices.entries) > 1_000
    likelihood = Likelihood(choices)
    assert abs(likelihood._slope(likelihood.most_likely())).max() < 1e-9


def test_the_interval_of_a_rating_holds_the_truth_about_as_often_as_it_says() -> None:
    chance = Random(11)
    truth = [1300.0, 1400.0, 1500.0, 1600.0, 1700.0]
    held = 0
    for _ in range(60):
        played = []
        for _ in range(150):
            one, other = chance.sample(range(5), 2)
            first = chance.random() < expected(truth[one], truth[other])
            played.append(Ranking((one, other), (1, 2) if first else (2, 1)))
        held += sum(
            rating.interval.low <= truth[entry] <= rating.interval.high for entry, rating in rate(played).items()
        )
    assert held / 300 > 0.88


def test_a_ranking_names_each_entry_once_with_one_rank() -> None:
    with pytest.raises(ValueError, match="each entry once"):
        Ranking((1, 1), (1, 2))
    with pytest.raises(ValueError, match="each entry once"):
        Ranking((1, 2), (1,))


@given(st.lists(LIVE, min_size=2, max_size=8), st.data())
def test_live_a_sole_winner_loses_neither_mean_nor_shown_rating(before: list[LiveRating], data: st.DataObject) -> None:
    others = data.draw(st.lists(st.integers(2, 8), min_size=len(before) - 1, max_size=len(before) - 1))
    after = updated(before, [1, *others])
    assert after[0].mean >= before[0].mean
    assert after[0].shown >= before[0].shown
    assert all(isfinite(rating.mean) and rating.deviation > 0 for rating in after)


@given(LIVE, st.lists(LIVE, max_size=3), st.data())
def test_live_equals_that_tie_stay_equal(rating: LiveRating, others: list[LiveRating], data: st.DataObject) -> None:
    ranks = data.draw(st.lists(st.integers(1, 4), min_size=len(others), max_size=len(others)))
    tied = data.draw(st.integers(1, 4))
    one, other, *_ = updated([rating, rating, *others], [tied, tied, *ranks])
    assert one.mean == pytest.approx(other.mean)
    assert one.deviation == pytest.approx(other.deviation)


def test_live_ten_thousand_wins_in_a_row_end_in_finite_ratings() -> None:
    winner, loser = LiveRating(), LiveRating()
    for _ in range(10_000):
        winner, loser = updated([winner, loser], [1, 2])
    assert winner.games == 10_000
    assert 2_000 < winner.mean < 10_000
    assert -7_000 < loser.mean < 1_000


def test_live_a_table_needs_two_seats_and_a_rank_for_each() -> None:
    with pytest.raises(ValueError, match="at least two"):
        updated([LiveRating()], [1])
    with pytest.raises(ValueError, match="at least two"):
        updated([LiveRating()] * 2, [1])


def test_a_worker_that_never_rates_loads_no_numbers_library() -> None:
    modules = ("live", "ratings", "scoring", "standings")
    names = ", ".join(f"skyjo_server.tournaments.{name}" for name in modules)
    program = f"import sys, {names}; print(sorted({{'numpy', 'scipy', 'openskill'}} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
