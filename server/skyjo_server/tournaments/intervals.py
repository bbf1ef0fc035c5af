"""Intervals by bootstrap, with boards as the unit of chance. It knows no entries and draws the same for the same data.

Loads numpy; load it where an interval is asked for, not where a worker starts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from math import pi, sqrt, tan
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import NDArray

from skyjo_server.tournaments.scoring import SeatScore
from skyjo_server.tournaments.tally import BLOCKS_MIN, Interval
from skyjo_server.tournaments.values import Scoring

RESAMPLES: Final = 4_000
BLOCKS_MAX: Final = 5_000
"""With more blocks than this they are put together by lots, which changes no expectation and bounds the work."""

_AT_ONCE: Final = 2_000_000
"""Blocks that are drawn at a time: a bound for memory."""

Block = tuple[int, int]
"""One board of one entry: how many tables, and the sum of what it got at them, in any unit."""


def blocks_of(scores: Iterable[SeatScore], scoring: Scoring) -> dict[int, list[Block]]:
    """Sort seat scores into the blocks of each entry; a table with a deal of its own is a block of its own."""
    found: dict[int, dict[tuple[int, ...], Block]] = {}
    for score in scores:
        value = score.halves if scoring is Scoring.RANKS else score.points
        if value is not None:
            board = (score.round, score.table) if score.board is None else (score.board,)
            tables, total = found.setdefault(score.entry, {}).get(board, (0, 0))
            found[score.entry][board] = (tables + 1, total + value)
    return {entry: list(blocks.values()) for entry, blocks in sorted(found.items())}


def bootstrap(blocks: Sequence[Block], *, level: float = 0.95, unit: float = 1.0) -> Interval | None:
    """Where the true mean of a table lies, by drawing blocks anew with replacement.

    The percentiles are those that hold their level for few blocks too: moved outwards as Student's t asks for.

    Args:
        blocks: in any order: the order changes nothing.
        level: how often the interval is to hold the truth.
        unit: what a figure is divided by.
    Returns:
        None below two blocks. Where nothing varies, both ends are the mean.
    Source: T. Hesterberg, "What teachers should know about the bootstrap", The American Statistician 69 (2015).

    >>> bootstrap([(1, 4)] * 10)
    Interval(low=4.0, high=4.0)
    >>> bootstrap([(1, 4)]) is None
    True
    """
    kept = np.array(sorted(block for block in blocks if block[0]), dtype=np.float64).reshape(-1, 2)
    if len(kept) < BLOCKS_MIN:
        return None
    chance = np.random.default_rng(list(sha256(kept.tobytes()).digest()))
    means = _means(_bounded(kept, chance), chance)
    tail = _tail(level, min(len(kept), BLOCKS_MAX))
    low, high = np.quantile(means, (tail, 1 - tail))
    return Interval(float(low) / unit, float(high) / unit)


def _bounded(blocks: NDArray[np.floating], chance: np.random.Generator) -> NDArray[np.floating]:
    if len(blocks) <= BLOCKS_MAX:
        return blocks
    group = np.arange(len(blocks)) % BLOCKS_MAX
    chance.shuffle(group)
    return np.stack([np.bincount(group, blocks[:, column], BLOCKS_MAX) for column in (0, 1)], axis=1)


def _means(blocks: NDArray[np.floating], chance: np.random.Generator) -> NDArray[np.floating]:
    size = len(blocks)
    batch = max(1, _AT_ONCE // size)
    found = []
    for begin in range(0, RESAMPLES, batch):
        drawn = blocks[chance.integers(0, size, (min(batch, RESAMPLES - begin), size))].sum(axis=1)
        found.append(drawn[:, 1] / drawn[:, 0])
    return np.concatenate(found)


def _tail(level: float, size: int) -> float:
    """What is cut off at either end: less than (1 - level) / 2 where there are few blocks."""
    return NormalDist().cdf(-sqrt(size / (size - 1)) * students_quantile((1 + level) / 2, size - 1))


def students_quantile(share: float, freedom: int) -> float:
    """The quantile of Student's t distribution, to a thousandth or better where it matters here.

    Args:
        share: above a half, below 1.
        freedom: degrees of freedom, from 1.
    Source: exact for one and two degrees; M. Abramowitz, I. Stegun, Handbook of Mathematical Functions, 26.7.5.

    >>> [round(students_quantile(0.975, freedom), 2) for freedom in (1, 2, 5, 30)]
    [12.71, 4.3, 2.57, 2.04]
    """
    if freedom == 1:
        return tan(pi * (share - 0.5))
    if freedom == 2:
        return (2 * share - 1) / sqrt(2 * share * (1 - share))
    z = NormalDist().inv_cdf(share)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    found = 0.0
    for power, term in enumerate(terms):
        found += term / freedom**power
    return found
