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

_Edge = tuple[int, _Run]
"""A table, and whose run it belongs to."""


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
    ((1, 0), (0, 2), (2, 1))
    """
    met: Counter[int] = Counter()
    edges: list[_Edge] = []
    for table, entries in enumerate(tables):
        for entry in entries:
            edges.append((table, (entry, met[entry] // size)))
            met[entry] += 1
    seats: list[list[int]] = [[] for _ in tables]
    for colour in _coloured(edges, size):
        for table, (entry, _) in colour:
            seats[table].append(entry)
    return tuple(map(tuple, seats))


def _coloured(edges: Sequence[_Edge], colours: int) -> list[list[_Edge]]:
    """The edges of each colour: halved as long as their number is even, as that takes one walk along all of them."""
    if colours == 1:
        return [list(edges)]
    if colours % 2 == 0:
        return [colour for half in _halves(edges) for colour in _coloured(half, colours // 2)]
    colouring = _Colouring(colours)
    for table, run in edges:
        colouring.add(table, run)
    return colouring.edges()


def _halves(edges: Sequence[_Edge]) -> tuple[list[_Edge], list[_Edge]]:
    """Split a graph so that each vertex has half its edges in either part, one more or less where they are odd.

    The edges of a walk go to the parts in turn. Walks begin where edges are odd, as long as that is somewhere, and then
    anywhere: those come back, by an even number of edges, as tables and runs take turns on them.
    """
    at: dict[int | _Run, list[_Edge]] = {}
    for edge in edges:
        for vertex in edge:
            at.setdefault(vertex, []).append(edge)
    walk = _Walk(at)
    for vertex in at:
        if walk.left[vertex] % 2:
            walk.go(vertex)
    for vertex in at:
        walk.go(vertex)
    return walk.parts


class _Walk:
    """Walks along edges, each once, that put them into two parts in turn."""

    def __init__(self, at: dict[int | _Run, list[_Edge]]) -> None:
        self._at = at
        self._walked: set[_Edge] = set()
        self.left = {vertex: len(edges) for vertex, edges in at.items()}
        self.parts: tuple[list[_Edge], list[_Edge]] = ([], [])

    def go(self, here: int | _Run) -> None:
        """Walk until there is no way on."""
        part = 0
        while self.left[here]:
            while (edge := self._at[here].pop()) in self._walked:
                pass
            self._walked.add(edge)
            self.parts[part].append(edge)
            table, run = edge
            self.left[table] -= 1
            self.left[run] -= 1
            here, part = run if here == table else table, 1 - part


class _Colouring:
    """A proper colouring of the edges added so far. Its vertices are tables, by number, and runs of entries' tables.

    No vertex may be given more edges than there are colours.
    """

    def __init__(self, colours: int) -> None:
        self._colours = range(colours)
        self._at_table: dict[int, dict[int, _Run]] = {}
        self._of_run: dict[_Run, dict[int, int]] = {}

    def add(self, table: int, run: _Run) -> None:
        """Colour one more edge; where no colour is free at both its ends, others change theirs."""
        here, there = self._at_table.setdefault(table, {}), self._of_run.setdefault(run, {})
        colour = next((colour for colour in self._colours if colour not in here and colour not in there), None)
        if colour is None:
            colour = next(colour for colour in self._colours if colour not in here)
            self._exchange(run, colour, next(free for free in self._colours if free not in there))
        here[colour], there[colour] = run, table

    def edges(self) -> list[list[_Edge]]:
        """The edges of each colour."""
        return [
            [(table, run[colour]) for table, run in self._at_table.items() if colour in run] for colour in self._colours
        ]

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
