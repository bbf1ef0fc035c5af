"""The sequential test of a match between two entries: when it may stop, and for whom. It starts and stops no game.

Blocks of tables are looked at in the order of the schedule, never in the order in which they finish: otherwise quick
results would be overrated, and who loses fast would lose the test. The first bound that is crossed decides for good.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import log
from typing import Final

from skyjo_server.tournaments.ratings import expected
from skyjo_server.tournaments.scoring import THOUSANDTHS, SeatScore, score_board
from skyjo_server.tournaments.values import Outcome, Sequential, TableResult, Unit

BLOCKS_MIN: Final = 8
"""Blocks before which nothing is decided: what varies between fewer says too little."""

_PRIOR: Final[dict[Unit, float]] = {Unit.ELO: 0.25, Unit.POINTS: 400.0}
"""Squared deviation that is taken as seen before the first block, so that results without any variance decide cleanly:
as of a match point that is won or lost, and as of one game at a distance of twenty points."""


class Accepted(StrEnum):
    """What a test has come to: one of its two hypotheses, or nothing yet."""

    LOW = "low"
    HIGH = "high"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Where a test stands.

    Attributes:
        accepted: the hypothesis; NEITHER asks for more blocks, or says that the schedule was too short.
        blocks: how many were looked at; none after the one that decided.
        mean: what the first entry got in them on average, in match points or in points a game; None without a block.
        log_ratio: log of the likelihood under `high` over that under `low`, each with the variance that suits it best.
        lower: at or below it, `low` is accepted.
        upper: at or above it, `high` is accepted.
    """

    accepted: Accepted
    blocks: int
    mean: float | None
    log_ratio: float
    lower: float
    upper: float


def verdict(test: Sequential, values: Sequence[float | None]) -> Verdict:
    """Look at blocks in the order of the schedule, as far as all are over.

    Args:
        test: the hypotheses and the bounds of error.
        values: by block, what the first entry got in it, in match points (Elo) or points a game; None = not yet over.

    >>> won = verdict(Sequential(low=0, high=100), [1.0] * 30)
    >>> str(won.accepted), won.blocks
    ('high', 11)
    >>> str(verdict(Sequential(), [None, 1.0, 1.0]).accepted)
    'neither'
    """
    lower, upper = log(test.beta / (1 - test.alpha)), log((1 - test.beta) / test.alpha)
    low, high = _means(test)
    from_low = from_high = _PRIOR[test.unit]
    found = Verdict(Accepted.NEITHER, 0, None, 0.0, lower, upper)
    total = 0.0
    for blocks, value in enumerate(_over(values), 1):
        total += value
        from_low += (value - low) ** 2
        from_high += (value - high) ** 2
        ratio = blocks / 2 * log(from_low / from_high)
        found = replace(found, blocks=blocks, mean=total / blocks, log_ratio=ratio, accepted=_accepted(ratio, found))
        if blocks >= BLOCKS_MIN and found.accepted is not Accepted.NEITHER:
            return found
    return replace(found, accepted=Accepted.NEITHER)


def match_values(
    test: Sequential, tables: Sequence[TableResult | None], *, first: int, size: int = 2
) -> tuple[float | None, ...]:
    """Turn the tables of a match into what :func:`verdict` looks at.

    Args:
        test: says whether match points or points count.
        tables: in the order of the schedule; None = not yet over.
        first: the entry whose lead is tested.
        size: tables of a block: one for each rotation of the seats.
    Returns:
        by block, the mean over its tables with a result; None if one is not yet over. Blocks without any result are
        left out. The other's leaving counts for the entry as its own would against it.
    """
    found: list[float | None] = []
    for begin in range(0, len(tables), size):
        block = tables[begin : begin + size]
        if any(table is None for table in block) or len(block) < size:
            found.append(None)
            continue
        leads = [lead for table in block if table is not None for lead in _leads(test.unit, table, first)]
        if leads:
            found.append(sum(leads) / len(leads))
    return tuple(found)


def _over(values: Sequence[float | None]) -> Iterator[float]:
    for value in values:
        if value is None:
            return
        yield value


def _means(test: Sequential) -> tuple[float, float]:
    if test.unit is Unit.POINTS:
        return test.low, test.high
    return expected(test.low, 0), expected(test.high, 0)


def _accepted(ratio: float, bounds: Verdict) -> Accepted:
    if ratio >= bounds.upper:
        return Accepted.HIGH
    return Accepted.LOW if ratio <= bounds.lower else Accepted.NEITHER


def _leads(unit: Unit, result: TableResult, first: int) -> Iterator[float]:
    if result.outcome is not Outcome.FINISHED:
        return
    # Within one table: what the board's other tables did is no part of the match.
    scores = score_board([replace(result, table=replace(result.table, board=None))])
    own = next(score for score in scores if score.entry == first)
    if unit is Unit.ELO and own.match_points is not None:
        yield own.match_points
    elif unit is Unit.POINTS:
        yield _points(own, next(score for score in scores if score.entry != first))


def _points(own: SeatScore, other: SeatScore) -> float:
    if own.points is not None:
        return own.points / THOUSANDTHS
    return -(other.points or 0) / THOUSANDTHS
