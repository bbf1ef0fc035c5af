"""Who did what against whom: one cell for each pair of entries that met. It ranks nobody."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from skyjo_server.tournaments.scoring import STAYED
from skyjo_server.tournaments.values import Outcome, TableResult


@dataclass(frozen=True, slots=True)
class Cell:
    """What one entry did against another.

    Attributes:
        tables: at which both sat, with a result.
        halves: two for each table at which the entry was ranked before the other, one where they tied.
        margin: points that the other had more, over the tables that both played to the end; positive is good.
    """

    tables: int = 0
    halves: int = 0
    margin: int = 0

    def __add__(self, other: Cell) -> Cell:
        return Cell(self.tables + other.tables, self.halves + other.halves, self.margin + other.margin)

    @property
    def mirrored(self) -> Cell:
        """The same from the other's side."""
        return Cell(self.tables, 2 * self.tables - self.halves, -self.margin)

    @property
    def share(self) -> float:
        """Part of the tables that were won against the other, ties a half: 0 to 1; a half if there were none."""
        return self.halves / (2 * self.tables) if self.tables else 0.5


class Encounter(NamedTuple):
    """Two entries at one table; `cell` is from the side of `entry`, who has the lower number."""

    entry: int
    other: int
    cell: Cell


Crosstable = Mapping[int, Mapping[int, Cell]]
"""By entry and by other entry; only pairs that met, each from both sides."""


def encounters(result: TableResult) -> Iterator[Encounter]:
    """Give every pair of a table with a result once, the lower number first.

    >>> from skyjo_server.tournaments.values import Cause, Table
    >>> table = Table(0, 0, None, (5, 2))
    >>> list(encounters(TableResult(table, Outcome.FINISHED, (40, 105), (1, 2), (Cause.FINISHED,) * 2)))
    [Encounter(entry=2, other=5, cell=Cell(tables=1, halves=0, margin=-65))]
    """
    if result.outcome is not Outcome.FINISHED or result.ranks is None or result.totals is None:
        return
    for one, other in combinations(range(len(result.ranks)), 2):
        ahead = result.ranks[other] - result.ranks[one]
        stayed = STAYED.issuperset((result.causes[one], result.causes[other]))
        margin = result.totals[other] - result.totals[one] if stayed else 0
        cell = Cell(1, 1 + (ahead > 0) - (ahead < 0), margin)
        first, second = result.table.seats[one], result.table.seats[other]
        if first < second:
            yield Encounter(first, second, cell)
        elif first > second:
            yield Encounter(second, first, cell.mirrored)


def crosstable(met: Iterable[Encounter]) -> Crosstable:
    """Add up encounters, in any order."""
    cells: dict[int, dict[int, Cell]] = {}
    for entry, other, cell in met:
        _add(cells, entry, other, cell)
        _add(cells, other, entry, cell.mirrored)
    return cells


def _add(cells: dict[int, dict[int, Cell]], entry: int, other: int, cell: Cell) -> None:
    row = cells.setdefault(entry, {})
    row[other] = row[other] + cell if other in row else cell
