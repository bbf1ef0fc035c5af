"""Figures that a correct deck, shuffle and engine show: exact ones exactly, others within four sigma."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb, prod, sqrt
from statistics import fmean

import pytest

from skyjo import COPIES, DECK, RuleSet, start
from skyjo.facts import Dealt
from tests.strategies import Habits, action_stream, fair_chance, play

SIGMAS = 4
TIES = RuleSet(initial_flip_choice="random", starter_tie="random")
"""With these rules, the first event names an opener exactly when two or more seats tie for the highest sum."""


def variance(values: tuple[int, ...]) -> Fraction:
    mean = Fraction(sum(values), len(values))
    return sum((value - mean) ** 2 for value in values) / Fraction(len(values))


def test_a_card_is_worth_5_07_on_average_with_a_deviation_of_4_23() -> None:
    assert Fraction(sum(DECK), 150) == Fraction(760, 150)
    assert float(Fraction(760, 150)) == pytest.approx(5.0667, abs=5e-5)
    assert sqrt(variance(DECK)) == pytest.approx(4.226, abs=5e-4)


def test_twelve_dealt_cards_are_worth_60_8_with_a_deviation_of_14_09_and_two_10_13() -> None:
    without_replacement = Fraction(150 - 12, 150 - 1)
    assert Fraction(sum(DECK), 150) * 12 == Fraction(608, 10)
    assert sqrt(12 * variance(DECK) * without_replacement) == pytest.approx(14.09, abs=5e-3)
    assert float(Fraction(sum(DECK), 150) * 2) == pytest.approx(10.13, abs=5e-3)


def test_a_dealt_column_is_uniform_in_2025_of_551300_deals() -> None:
    uniform = sum(comb(copies, 3) for copies in COPIES.values())
    assert Fraction(uniform, comb(150, 3)) == Fraction(2025, 551300)


def test_two_seats_tie_for_the_first_opening_in_4_5_of_100_deals() -> None:
    assert float(exact_ties_of_two()) == pytest.approx(0.045, abs=5e-4)


def exact_ties_of_two() -> Fraction:
    """How likely two seats' two cards each have the same sum, from the deck alone."""
    ties = Fraction(0)
    for a, b, c in product(COPIES, repeat=3):
        d = a + b - c
        if d in COPIES:
            ties += ways((a, b, c, d))
    return ties


def ways(cards: tuple[int, ...]) -> Fraction:
    """How likely the deck's first cards are these, in this order."""
    left = Counter(COPIES)
    chances = []
    for drawn, card in enumerate(cards):
        chances.append(Fraction(left[card], 150 - drawn))
        left[card] -= 1
    return prod(chances, start=Fraction(1))


@pytest.mark.parametrize(("seats", "expected"), [(2, 0.045), (4, 0.081), (8, 0.113)])
def test_ties_for_the_first_opening_are_as_frequent_as_they_should_be(seats: int, expected: float) -> None:
    deals = 4000
    ties = sum(start(TIES, seats, fair_chance(number)).opener is not None for number in range(deals))
    # The expected figures are rounded to a tenth of a percent.
    assert ties / deals == pytest.approx(expected, abs=SIGMAS * sqrt(expected * (1 - expected) / deals) + 5e-4)


def test_the_engines_deals_have_the_decks_mean_at_every_place() -> None:
    deals = [fact.cards for number in range(1500) for fact in first_deals(number)]
    sigma = sqrt(variance(DECK) / len(deals))
    means = [fmean(cards) for cards in zip(*deals, strict=True)]
    # Five sigma: there are 150 places to look at.
    assert all(mean == pytest.approx(760 / 150, abs=5 * sigma) for mean in means)
    columns = [deal[at : at + 3] for deal in deals for at in range(0, 24, 3)]
    uniform = sum(len(set(column)) == 1 for column in columns)
    expected = 2025 / 551300
    assert uniform / len(columns) == pytest.approx(expected, abs=SIGMAS * sqrt(expected / len(columns)))


def first_deals(number: int) -> list[Dealt]:
    return [fact for fact in start(RuleSet(), 2, fair_chance(number)).facts if isinstance(fact, Dealt)]


def test_uniformly_random_play_of_two_seats_scores_57_to_63_raw_points_a_round() -> None:
    rules = RuleSet(max_rounds=1, score_limit=None)
    games = [play(rules, 2, fair_chance(number), action_stream(number), 10_000, Habits("any")) for number in range(200)]
    assert 57 < fmean(points for game in games for points in game.state.rounds[0].raw) < 63
