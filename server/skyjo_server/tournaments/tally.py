"""What an entry has gathered so far: sums of whole numbers, one row an entry. It compares nobody with anybody.

A tally is added to, board by board, in any order, and never read back from games: a row costs the same after a million.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from math import sqrt
from operator import add
from typing import Final, NamedTuple

from skyjo_server.tournaments.scoring import THOUSANDTHS, SeatScore
from skyjo_server.tournaments.values import Cause, Scoring

CAUSES: Final = tuple(Cause)
"""The order in which a tally counts causes."""

DEVIATIONS: Final = 1.959963984540054
"""Standard deviations on either side of the mean that hold 95 % of a normal distribution."""

BLOCKS_MIN: Final = 2
"""Blocks from which on an interval can be given at all."""


class Interval(NamedTuple):
    """Where a figure lies with a stated confidence: 95 % unless told otherwise."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Moments:
    """Sums over blocks, from which the mean of a table and its error follow; all are whole numbers.

    A block is what shares its luck: the tables of one board. `n` is how many tables of the entry a block has, `s` the
    sum of what the entry got at them.

    Attributes:
        blocks: how many.
        n: sum of n.
        s: sum of s.
        nn: sum of n².
        ns: sum of n · s.
        ss: sum of s².
    """

    blocks: int = 0
    n: int = 0
    s: int = 0
    nn: int = 0
    ns: int = 0
    ss: int = 0

    @classmethod
    def of(cls, values: Sequence[int]) -> Moments:
        """The sums of one block; none if it has no table."""
        n, s = len(values), sum(values)
        return cls(1, n, s, n * n, n * s, s * s) if n else cls()

    def __add__(self, other: Moments) -> Moments:
        return Moments(*map(add, self.row(), other.row()))

    def row(self) -> tuple[int, ...]:
        """The six sums, in the order of the attributes."""
        return self.blocks, self.n, self.s, self.nn, self.ns, self.ss

    def interval(self, unit: float) -> Interval | None:
        """Where the mean of a table lies, by the normal approximation with blocks as the unit of chance.

        Args:
            unit: what a figure is divided by, to be in points or match points.
        Returns:
            None below two blocks, which say nothing about their spread.
        """
        if self.blocks < BLOCKS_MIN:
            return None
        mean = self.s / self.n
        scatter = max(self.ss * self.n**2 - 2 * self.s * self.n * self.ns + self.s**2 * self.nn, 0)
        error = sqrt(scatter * self.blocks / (self.blocks - 1)) / self.n**2
        return Interval((mean - DEVIATIONS * error) / unit, (mean + DEVIATIONS * error) / unit)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What one entry has gathered.

    Attributes:
        wins: tables at which every other seat was beaten.
        shared: tables at which the first rank was shared.
        byes: tables that byes stood for.
        causes: how tables ended for the entry, in the order of `CAUSES`; void ones included.
        seats: tables by the seat that the entry had at them.
        halves: match points in halves (:class:`SeatScore`) at tables with a result.
        points: thousandths of a point at tables that can be compared.
    """

    wins: int = 0
    shared: int = 0
    byes: int = 0
    causes: tuple[int, ...] = (0,) * len(CAUSES)
    seats: tuple[int, ...] = ()
    halves: Moments = field(default_factory=Moments)
    points: Moments = field(default_factory=Moments)

    @classmethod
    def of(cls, scores: Iterable[SeatScore]) -> Tally:
        """The tally of one entry at one board; a block of its own.

        Raises:
            ValueError: if the scores are of several entries.

        >>> from skyjo_server.tournaments.values import Outcome, Table, TableResult
        >>> from skyjo_server.tournaments.scoring import score_board
        >>> result = TableResult(Table(0, 0, None, (4, 9)), Outcome.FINISHED, (40, 105), (1, 2), (Cause.FINISHED,) * 2)
        >>> tally = Tally.of(score_board([result])[:1])
        >>> tally.tables, tally.wins, tally.mean(Scoring.POINTS, 2)
        (1, 1, 65.0)
        """
        kept = list(scores)
        if len({score.entry for score in kept}) > 1:
            raise ValueError("the scores are of several entries: make a tally for each")
        with_result = [score for score in kept if score.halves is not None]
        return cls(
            wins=sum(score.halves == _most(score) for score in with_result),
            shared=sum(_shares_first(score) for score in with_result),
            causes=tuple(sum(score.cause is cause for score in kept) for cause in CAUSES),
            seats=_counts([score.seat for score in with_result]),
            halves=Moments.of([score.halves for score in kept if score.halves is not None]),
            points=Moments.of([score.points for score in kept if score.points is not None]),
        )

    @classmethod
    def bye(cls, tables: int) -> Tally:
        """The tally of a round without a table, which stands for so many."""
        return cls(byes=tables)

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            wins=self.wins + other.wins,
            shared=self.shared + other.shared,
            byes=self.byes + other.byes,
            causes=_sum_rows(self.causes, other.causes),
            seats=_sum_rows(self.seats, other.seats),
            halves=self.halves + other.halves,
            points=self.points + other.points,
        )

    @property
    def tables(self) -> int:
        """Tables with a result."""
        return self.halves.n

    @property
    def compared(self) -> int:
        """Tables that can be compared by points."""
        return self.points.n

    @property
    def boards(self) -> int:
        """Boards on which the entry had a table with a result; a deal of its own is a board."""
        return self.halves.blocks

    def count(self, cause: Cause) -> int:
        """How many tables ended so for the entry."""
        return self.causes[CAUSES.index(cause)]

    def mean(self, scoring: Scoring, table_size: int) -> float | None:
        """Match points (0 to 1) or points a table; None without one."""
        moments = self.moments(scoring)
        return moments.s / moments.n / unit(scoring, table_size) if moments.n else None

    def interval(self, scoring: Scoring, table_size: int) -> Interval | None:
        """Where the true mean of a table lies at 95 %, boards as blocks; None below two boards.

        A share of match points stays between none and all of them.
        """
        found = self.moments(scoring).interval(unit(scoring, table_size))
        if found is None or scoring is not Scoring.RANKS:
            return found
        return Interval(max(found.low, 0.0), min(found.high, 1.0))

    def moments(self, scoring: Scoring) -> Moments:
        """The sums of what counts."""
        return self.halves if scoring is Scoring.RANKS else self.points


def unit(scoring: Scoring, table_size: int) -> int:
    """What a sum is divided by: half points of a table's match point, or thousandths of a point."""
    return 2 * (table_size - 1) if scoring is Scoring.RANKS else THOUSANDTHS


def to_numbers(tally: Tally) -> dict[str, int | list[int]]:
    """A tally as plain data, for storage; :func:`from_numbers` reads it."""
    found: dict[str, int | list[int]] = {}
    for member in fields(Tally):
        value = getattr(tally, member.name)
        kept = value.row() if isinstance(value, Moments) else value
        found[member.name] = kept if isinstance(kept, int) else list(kept)
    return found


def from_numbers(numbers: dict[str, int | list[int]]) -> Tally:
    """Read what :func:`to_numbers` wrote.

    >>> from_numbers(to_numbers(Tally.bye(2))) == Tally.bye(2)
    True
    """
    given = dict(numbers)
    rows = {name: _row(given.pop(name)) for name in ("causes", "seats", "halves", "points")}
    wins, shared, byes = (_number(given[name]) for name in ("wins", "shared", "byes"))
    halves, points = Moments(*rows["halves"]), Moments(*rows["points"])
    return Tally(
        wins=wins, shared=shared, byes=byes, causes=rows["causes"], seats=rows["seats"], halves=halves, points=points
    )


def _row(value: int | list[int]) -> tuple[int, ...]:
    return (value,) if isinstance(value, int) else tuple(value)


def _number(value: int | list[int]) -> int:
    return value if isinstance(value, int) else sum(value)


def _most(score: SeatScore) -> int:
    return 2 * (score.seats - 1)


def _shares_first(score: SeatScore) -> bool:
    """Nobody was better and somebody as good: what is missing to all match points are ties, a half each."""
    return score.rank == 1 and score.halves != _most(score)


def _counts(seats: Sequence[int]) -> tuple[int, ...]:
    return tuple(seats.count(seat) for seat in range(max(seats, default=-1) + 1))


def _sum_rows(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    """The sums place by place; the shorter row ends in noughts."""
    size = max(len(one), len(other))
    return tuple(map(add, _padded(one, size), _padded(other, size)))


def _padded(row: tuple[int, ...], size: int) -> tuple[int, ...]:
    return row + (0,) * (size - len(row))
