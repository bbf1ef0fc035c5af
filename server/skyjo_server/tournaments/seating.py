"""Who sits where: seats as even as they can be. Knows no format; what a seat is worth, the game decides.

Tables and entries are the two sides of a graph, and a seat is the colour of an edge: no table has a colour twice, and
no entry has one colour two times more often than another. Such a colouring exists for every graph of this kind (König
1916), whatever the order of entries.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

_Run = tuple[int, int]
"""An entry, and which run of its tables: the first so many as a table has seats are run 0."""


def rotated(seats: Sequence[int], by: int) -> tuple[int, ...]:
    """The same seats, everybody moved by so many.

    >>> rotated((4, 5, 6), 1)
    (5, 6, 4)
    """
    by %= len(seats)
    return (*seats[by:], *seats[:by])


def even_seats(tables: Sequence[Sequence[int]], size: int) -> tuple[tuple[int, ...], ...]:
    """Order the seats of every table so that no entry has one seat two times more often than another.

    Moreover each entry has every seat once in each run of `size` of its tables, in the order given.

    Args:
        tables: the entries at each, in any order, none twice; all tables have `size` seats.
        size: 2 to 8.

    >>> even_seats([(0, 1), (0, 2), (1, 2)], 2)
    ((0, 1), (2, 0), (1, 2))
    """
    colouring = _Colouring(len(tables), size)
    met: Counter[int] = Counter()
    for table, entries in enumerate(tables):
        for entry in entries:
            colouring.add(table, (entry, met[entry] // size))
            met[entry] += 1
    return tuple(tuple(entry for entry, _ in seats) for seats in colouring.seats())


class _Colouring:
    """A proper colouring of the edges added so far. Its vertices are tables, by number, and runs of entries' tables.

    No vertex may be given more edges than there are colours.
    """

    def __init__(self, tables: int, colours: int) -> None:
        self._colours = range(colours)
        self._at_table: list[dict[int, _Run]] = [{} for _ in range(tables)]
        self._of_run: dict[_Run, dict[int, int]] = {}

    def add(self, table: int, run: _Run) -> None:
        """Colour one more edge; where no colour is free at both its ends, others change theirs."""
        here, there = self._at_table[table], self._of_run.setdefault(run, {})
        colour = next((colour for colour in self._colours if colour not in here and colour not in there), None)
        if colour is None:
            colour = next(colour for colour in self._colours if colour not in here)
            self._exchange(run, colour, next(free for free in self._colours if free not in there))
        here[colour], there[colour] = run, table

    def seats(self) -> Iterable[tuple[_Run, ...]]:
        """What sits at each table, by colour."""
        return (tuple(seats[colour] for colour in self._colours) for seats in self._at_table)

    def _exchange(self, run: _Run, colour: int, free: int) -> None:
        """Exchange two colours along the path that leaves a run by the first of them; the second is free there.

        The path reaches tables by `colour` only, so never one where that is free.
        """
        path = list(self._path(run, colour, free))
        for end, table, used in path:
            del self._of_run[end][used], self._at_table[table][used]
        for end, table, used in path:
            other = free if used == colour else colour
            self._of_run[end][other], self._at_table[table][other] = table, end

    def _path(self, run: _Run, colour: int, free: int) -> Iterable[tuple[_Run, int, int]]:
        here: _Run | None = run
        while here is not None and (table := self._of_run[here].get(colour)) is not None:
            yield here, table, colour
            here = self._at_table[table].get(free)
            if here is not None:
                yield here, table, free
