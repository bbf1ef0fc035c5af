"""The live rating: moved by each game as it ends, so it depends on their order. Standings and events never use it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

MEAN: Final = 1500.0
DEVIATION: Final = 500.0
"""How little is known of a bot without a game; openskill's own proportions (25, 25/3) on a scale around 1500."""

_BETA: Final = DEVIATION / 2
_TAU: Final = DEVIATION / 100


@dataclass(frozen=True, slots=True)
class LiveRating:
    """What is believed of a bot's strength.

    Attributes:
        mean: rating points; 1500 without a game.
        deviation: how uncertain the mean is, as a standard deviation in rating points.
        games: how many it rests on.
    """

    mean: float = MEAN
    deviation: float = DEVIATION
    games: int = 0

    @property
    def shown(self) -> float:
        """What a leaderboard goes by: the strength that the bot has almost certainly, 0 without a game.

        >>> LiveRating().shown
        0.0
        """
        return self.mean - 3 * self.deviation


def updated(ratings: Sequence[LiveRating], ranks: Sequence[int]) -> tuple[LiveRating, ...]:
    """Move the ratings of a table by its result.

    A seat that beat all others never loses mean nor shown rating; seats that were rated equal and tie stay equal.

    Args:
        ratings: by seat, before the game; at least two.
        ranks: by seat, 1 = first, ties sharing one; not those of a void game.
    Returns:
        by seat, after the game.
    Raises:
        ValueError: for fewer than two seats, or another number of ranks.

    >>> [round(rating.mean) for rating in updated([LiveRating(), LiveRating()], [1, 2])]
    [1658, 1342]
    """
    if len(ratings) < 2 or len(ratings) != len(ranks):
        raise ValueError(f"{len(ratings)} ratings with {len(ranks)} ranks: give both for each of at least two seats")
    model = _model()
    before = [[model.rating(mu=rating.mean, sigma=rating.deviation)] for rating in ratings]
    after = model.rate(before, ranks=[float(rank) for rank in ranks])
    return tuple(
        LiveRating(moved.mu, moved.sigma, rating.games + 1) for rating, (moved,) in zip(ratings, after, strict=True)
    )


@cache
def _model() -> PlackettLuce:
    from openskill.models import PlackettLuce  # noqa: PLC0415 - a worker that never rates does not load it

    # A bot's uncertainty never grows by a game: otherwise a winner's shown rating could fall.
    return PlackettLuce(mu=MEAN, sigma=DEVIATION, beta=_BETA, tau=_TAU, limit_sigma=True)
