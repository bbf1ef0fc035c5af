"""Who stands where, and by which tie-break. It reads tallies and the crosstable, never games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Final

from skyjo_server.tournaments.crosstable import Cell, Crosstable
from skyjo_server.tournaments.tally import Interval, Tally, unit
from skyjo_server.tournaments.values import Format, Scoring, Shape


class TieBreak(StrEnum):
    """What tells two entries apart.

    STAGE: how far a knockout was survived. SCORE: what the event counts. BUCHHOLZ: the scores of those that were met.
    DIRECT: the encounters among those that are still level, if all of them met equally often. WINS: tables won.
    OTHER: points where the event counts ranks, match points where it counts points. LOTS: drawn from the event's seed.
    """

    STAGE = "stage"
    SCORE = "score"
    BUCHHOLZ = "buchholz"
    DIRECT = "direct"
    WINS = "wins"
    OTHER = "other"
    LOTS = "lots"


TIE_BREAKS: Final[dict[Format, tuple[TieBreak, ...]]] = {
    Format.ROUND_ROBIN: (TieBreak.SCORE, TieBreak.DIRECT, TieBreak.WINS, TieBreak.OTHER, TieBreak.LOTS),
    Format.GAUNTLET: (TieBreak.SCORE, TieBreak.WINS, TieBreak.OTHER, TieBreak.LOTS),
    Format.SWISS: (
        TieBreak.SCORE, TieBreak.BUCHHOLZ, TieBreak.DIRECT, TieBreak.WINS, TieBreak.OTHER, TieBreak.LOTS,
    ),
    Format.KNOCKOUT: (TieBreak.STAGE, TieBreak.SCORE, TieBreak.WINS, TieBreak.OTHER, TieBreak.LOTS),
    Format.LADDER: (TieBreak.SCORE, TieBreak.WINS, TieBreak.OTHER, TieBreak.LOTS),
}  # fmt: skip
"""By format, what is compared, in this order."""

SUMMED: Final = frozenset({Format.SWISS, Format.KNOCKOUT})
"""Formats that count the sum over all tables; the others count the mean of a table, since numbers of tables differ."""

BYE_MATCH_POINTS: Final = 1
"""What a bye is worth for each table that it stands for, where match points are summed. In points it is worth nought,
the mean of all tables."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the standings.

    Attributes:
        place: 1 first; no two are equal, as lots are the last tie-break.
        entry: number of the entry.
        score: what the event counts, in match points or points; None without a table that counts.
        interval: where the true mean of a table lies at 95 %; None below two boards.
        decided_by: what set it below the row before it; None in the first row.
        buchholz: sum of the scores of those that were met, byes as the own score; None where it is no tie-break.
        tally: what the entry gathered.
    """

    place: int
    entry: int
    score: float | None
    interval: Interval | None
    decided_by: TieBreak | None
    buchholz: float | None
    tally: Tally


@dataclass(frozen=True, slots=True)
class _Field:
    """Everything that tie-breaks look at."""

    shape: Shape
    tallies: Mapping[int, Tally]
    met: Crosstable
    stages: Mapping[int, int]
    lots: Mapping[int, int]
    scores: Mapping[int, Fraction | None]


def ranked(
    shape: Shape,
    tallies: Mapping[int, Tally],
    *,
    met: Crosstable | None = None,
    stages: Mapping[int, int] | None = None,
    lots: Sequence[int] = (),
) -> tuple[Standing, ...]:
    """Put the entries of an event in order.

    Args:
        shape: the event's.
        tallies: by entry, for every entry.
        met: the crosstable; without it nobody has met anybody.
        stages: knockout: by entry, how far it got; more is better.
        lots: entries in an order that was drawn; those that it lacks follow by number.
    Returns:
        a row for each entry, the first place first. It depends on what is given alone, not on the order of a mapping.

    >>> from skyjo_server.tournaments.tally import Moments
    >>> level = {number: Tally(halves=Moments.of([2, 0])) for number in (1, 2, 3)}
    >>> rows = ranked(Shape(format=Format.ROUND_ROBIN), level, lots=[2, 3, 1])
    >>> [(row.place, row.entry, row.score, str(row.decided_by)) for row in rows]
    [(1, 2, 0.5, 'None'), (2, 3, 0.5, 'lots'), (3, 1, 0.5, 'lots')]
    """
    drawn = {entry: place for place, entry in enumerate(lots)}
    field = _Field(
        shape=shape,
        tallies=tallies,
        met=met or {},
        stages=stages or {},
        lots={entry: drawn.get(entry, len(drawn) + entry) for entry in tallies},
        scores={entry: score(shape, tally) for entry, tally in tallies.items()},
    )
    order = _ordered(field, sorted(tallies), TIE_BREAKS[shape.format])
    rows = (_row(field, entry, decided_by) for entry, decided_by in order)
    return tuple(replace(row, place=place) for place, row in enumerate(rows, 1))


def score(shape: Shape, tally: Tally) -> Fraction | None:
    """What an event counts, exactly: in match points or points, a sum or the mean of a table.

    Returns:
        None for a mean without a table.
    """
    moments, divisor = tally.moments(shape.scoring), unit(shape.scoring, shape.table_size)
    if shape.format in SUMMED:
        byes = tally.byes * BYE_MATCH_POINTS if shape.scoring is Scoring.RANKS else 0
        return Fraction(moments.s, divisor) + byes
    return Fraction(moments.s, moments.n * divisor) if moments.n else None


def _ordered(field: _Field, group: Sequence[int], tie_breaks: Sequence[TieBreak]) -> list[tuple[int, TieBreak | None]]:
    """Put a group in order; with each entry but the first, what set it below the one before."""
    if len(group) < 2 or not tie_breaks:
        return [(entry, None) for entry in group]
    values = _MEASURES[tie_breaks[0]](field, group)
    groups: dict[Fraction, list[int]] = {}
    for entry in group:
        groups.setdefault(values[entry], []).append(entry)
    order: list[tuple[int, TieBreak | None]] = []
    for value in sorted(groups, reverse=True):
        (first, _), *rest = _ordered(field, groups[value], tie_breaks[1:])
        order += [(first, tie_breaks[0] if order else None), *rest]
    return order


def _row(field: _Field, entry: int, decided_by: TieBreak | None) -> Standing:
    shape, tally, exact = field.shape, field.tallies[entry], field.scores[entry]
    by_buchholz = TieBreak.BUCHHOLZ in TIE_BREAKS[shape.format]
    return Standing(
        place=0,
        entry=entry,
        score=None if exact is None else float(exact),
        interval=tally.interval(shape.scoring, shape.table_size),
        decided_by=decided_by,
        buchholz=float(_buchholz(field, entry)) if by_buchholz else None,
        tally=tally,
    )


Measure = Callable[[_Field, Sequence[int]], Mapping[int, Fraction]]
"""For a group of entries that are level so far, a figure for each; more is better."""


def _each(measure: Callable[[_Field, int], Fraction]) -> Measure:
    return lambda field, group: {entry: measure(field, entry) for entry in group}


def _stage(field: _Field, entry: int) -> Fraction:
    return Fraction(field.stages.get(entry, 0))


def _score(field: _Field, entry: int) -> Fraction:
    found = field.scores[entry]
    return _BELOW_ALL if found is None else found


def _buchholz(field: _Field, entry: int) -> Fraction:
    own = field.scores[entry] or Fraction(0)
    met = sum((cell.tables * (field.scores.get(other) or 0) for other, cell in _met(field, entry)), Fraction(0))
    return (met + own * field.tallies[entry].byes) / field.shape.boards


def _direct(field: _Field, group: Sequence[int]) -> Mapping[int, Fraction]:
    members = set(group)
    cells = {entry: [cell for other, cell in _met(field, entry) if other in members] for entry in group}
    often = {cell.tables for row in cells.values() for cell in row}
    if len(often) != 1 or any(len(row) != len(members) - 1 for row in cells.values()):
        return dict.fromkeys(group, Fraction(0))
    return {entry: Fraction(sum(cell.halves for cell in row)) for entry, row in cells.items()}


def _wins(field: _Field, entry: int) -> Fraction:
    tally = field.tallies[entry]
    byes = tally.byes if field.shape.format in SUMMED else 0
    return Fraction(tally.wins + byes, 1 if field.shape.format in SUMMED else max(tally.tables, 1))


def _other(field: _Field, entry: int) -> Fraction:
    other = Scoring.POINTS if field.shape.scoring is Scoring.RANKS else Scoring.RANKS
    found = score(replace(field.shape, scoring=other), field.tallies[entry])
    return _BELOW_ALL if found is None else found


def _lot(field: _Field, entry: int) -> Fraction:
    return Fraction(-field.lots[entry])


def _met(field: _Field, entry: int) -> Iterable[tuple[int, Cell]]:
    return field.met.get(entry, {}).items()


_BELOW_ALL: Final = Fraction(-(10**12))
"""Where an entry without a table stands."""

_MEASURES: Final[dict[TieBreak, Measure]] = {
    TieBreak.STAGE: _each(_stage),
    TieBreak.SCORE: _each(_score),
    TieBreak.BUCHHOLZ: _each(_buchholz),
    TieBreak.DIRECT: _direct,
    TieBreak.WINS: _each(_wins),
    TieBreak.OTHER: _each(_other),
    TieBreak.LOTS: _each(_lot),
}
