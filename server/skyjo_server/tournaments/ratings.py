"""Ratings of everybody from all games at once: the Plackett-Luce model, ties included. It knows no order of games.

A bot's strength is a number, and who comes first at a table is a choice with odds in proportion to strength. The
strengths that make the results most likely are the ratings, on the scale of Elo: 1500 in the middle, 400 points for
odds of ten to one. So that a bot that always wins has a rating too, everybody is taken to have drawn one game with a
bot of 1500.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING, Final

from skyjo_server.tournaments.rankings import Choices, Ranking, count_choices
from skyjo_server.tournaments.tally import DEVIATIONS, Interval

if TYPE_CHECKING:
    # A worker that never rates does not load it.
    from skyjo_server.tournaments.likelihood import Likelihood

MIDDLE: Final = 1500.0
POINTS_PER_UNIT: Final = 400 / log(10)
"""Rating points for a factor e in strength."""

DECIMALS: Final = 3
"""Ratings are given to a thousandth: what solves the equations is a little less exact than the results are equal."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A bot's rating.

    Attributes:
        rating: on the scale of Elo, 1500 in the middle.
        interval: where it lies at 95 %, by the curvature of the likelihood; games count as independent of each other.
        games: how many rankings it rests on; without one, the rating is 1500 and the interval wide.
    """

    rating: float
    interval: Interval
    games: int


def rate(rankings: Iterable[Ranking], entries: Iterable[int] = ()) -> dict[int, Rating]:
    """Rate everybody from all rankings at once.

    Void games do not belong here; a seat that left is ranked last, and is rated as last.

    Args:
        rankings: how tables ended, in any order: the order changes no bit.
        entries: who is to be rated even without a game.
    Returns:
        by entry, ascending.

    >>> rated = rate([Ranking((0, 1), (1, 2)), Ranking((1, 2), (1, 1))])
    >>> [(entry, round(found.rating)) for entry, found in rated.items()]
    [(0, 1647), (1, 1406), (2, 1453)]
    """
    from skyjo_server.tournaments.likelihood import Likelihood  # noqa: PLC0415 - it loads numpy, which takes a moment

    choices = count_choices(rankings, entries)
    return _rated(choices, Likelihood(choices)) if choices.entries else {}


def _rated(choices: Choices, likelihood: Likelihood) -> dict[int, Rating]:
    strengths = likelihood.most_likely()
    errors = likelihood.errors(strengths)
    found = {}
    for entry, games, strength, error in zip(
        choices.entries, choices.games, strengths.tolist(), errors.tolist(), strict=True
    ):
        middle, reach = MIDDLE + POINTS_PER_UNIT * strength, DEVIATIONS * POINTS_PER_UNIT * error
        interval = Interval(round(middle - reach, DECIMALS), round(middle + reach, DECIMALS))
        found[entry] = Rating(round(middle, DECIMALS), interval, games)
    return found


def expected(one: float, other: float) -> float:
    """Chance that a bot of the first rating is ranked before one of the second.

    >>> round(expected(1900, 1500), 3)
    0.909
    """
    return 1 / (1 + 10 ** ((other - one) / 400))
