"""Balanced sets of tables for more entries than all tables would serve. Knows numbers only: entries are 0, 1 … n − 1.

A cyclic design is a few base tables, each moved round the circle of all entries: whatever two entries lie d apart meet
as often as the base tables hold the difference d. So the base tables are sought in which all differences come equally
often.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import comb
from typing import Final

Block = tuple[int, ...]

_SWEEPS: Final = 12

_EFFORT: Final = 10_000
"""Places of base tables that are tried in searches for one design, about."""


def all_blocks(entries: int, size: int) -> tuple[Block, ...]:
    """Every table there can be: each pair meets equally often. Where two tables seat everybody, both follow each other.

    >>> all_blocks(3, 2)
    ((0, 1), (0, 2), (1, 2))
    """
    tables = tuple(combinations(range(entries), size))
    if entries != 2 * size:
        return tables
    half = len(tables) // 2
    return tuple(table for pair in zip(tables[:half], reversed(tables), strict=False) for table in pair)


def blocks(entries: int, size: int, most: int) -> tuple[Block, ...]:
    """All tables if they are no more than `most`, else the smallest cyclic design in which everybody meets everybody.

    Where even that has more than `most` tables, as many turns of the circle as fit, and one at least.
    """
    return all_blocks(entries, size) if comb(entries, size) <= most else cyclic_blocks(entries, size, most // entries)


def cyclic_blocks(entries: int, size: int, turns_max: int) -> tuple[Block, ...]:
    """A cyclic design: every entry has equally many tables, and pairs meet as evenly as the search can make them.

    Args:
        entries: at least as many as `size`.
        size: of a table.
        turns_max: turns of the circle at most; as few as are enough for every pair to meet, and one at least.

    >>> cyclic_blocks(7, 3, 10)
    ((0, 2, 6), (0, 1, 3), (1, 2, 4), (2, 3, 5), (3, 4, 6), (0, 4, 5), (1, 5, 6))
    """
    turns = max(1, min(turns_max, -(-(entries - 1) // (size * (size - 1)))))
    while (search := _best_search(entries, size, turns)).spread[0] and turns < turns_max:
        turns = min(turns_max, turns + 1 + turns // 8)
    return search.blocks()


def _best_search(entries: int, size: int, turns: int) -> _Search:
    """The most even of a few searches from different starts, small designs from many."""
    starts = max(1, _EFFORT // (entries * turns * size))
    best = _Search(entries, size, turns, 0)
    for start in range(1, starts):
        if best.spread <= (False, 1):
            break
        best = min(best, _Search(entries, size, turns, start), key=lambda search: search.spread)
    return best


def meeting_counts(tables: Iterable[Sequence[int]]) -> dict[tuple[int, int], int]:
    """How often each pair meets, by (lower, higher); pairs that never meet are left out."""
    counts: dict[tuple[int, int], int] = {}
    for table in tables:
        for pair in combinations(sorted(table), 2):
            counts[pair] = counts.get(pair, 0) + 1
    return counts


def disjoint_groups(tables: Sequence[Block], group_size: int) -> tuple[tuple[Block, ...], ...]:
    """Put tables into groups in which nobody sits twice, each as full as first fit makes it.

    Args:
        tables: of the whole.
        group_size: how many tables have room in a group.
    """
    groups: list[tuple[int, list[Block]]] = []
    open_from = 0
    for table in tables:
        mask = sum(1 << entry for entry in table)
        at = next((at for at in range(open_from, len(groups)) if not groups[at][0] & mask), len(groups))
        if at == len(groups):
            groups.append((0, []))
        taken, members = groups[at]
        members.append(table)
        groups[at] = (taken | mask, members)
        while open_from < len(groups) and len(groups[open_from][1]) == group_size:
            open_from += 1
    return _without_singles([members for _, members in groups])


def _without_singles(groups: list[list[Block]]) -> tuple[tuple[Block, ...], ...]:
    """Give each table that is alone in its group another one, as far as one or two exchanges do that."""
    singles = [members for members in groups if len(members) == 1]
    for alone in singles:
        if len(alone) == 1:
            next((members for members in groups if members is not alone and _joined(alone, members, singles)), None)
    return tuple(tuple(members) for members in groups if members)


def _joined(alone: list[Block], members: list[Block], singles: Sequence[list[Block]]) -> bool:
    """Move a table of a group to the one that is alone; of a group of two, the one left behind joins another single."""
    for moving in members if len(members) > 1 else ():
        rest = [table for table in members if table is not moving]
        if not set(alone[0]).isdisjoint(moving):
            continue
        if len(rest) > 1:
            alone.append(moving)
            members[:] = rest
            return True
        for other in singles:
            if len(other) == 1 and other is not alone and set(other[0]).isdisjoint(rest[0]):
                alone.append(moving)
                other.append(rest[0])
                members.clear()
                return True
    return False


class _Search:
    """Base tables and how often each difference is in them; improved one place at a time, always in the same order."""

    def __init__(self, entries: int, size: int, turns: int, start: int) -> None:
        self._entries = entries
        self._met = [0] * (entries // 2 + 1)
        self.bases: list[list[int]] = []
        for turn in range(turns):
            preferred, second = divmod(start + turn, entries // 2)
            base = [0, 1 + second]
            self._count(base[:1], base[1], 1)
            while len(base) < size:
                place = self._best_place(base, preferred)
                self._count(base, place, 1)
                base.append(place)
            self.bases.append(base)
        for sweep in range(_SWEEPS):
            moved = [self._move(base, place, sweep) for base in self.bases for place in range(1, size)]
            if self.spread <= (False, 1) or not any(moved):
                break

    @property
    def spread(self) -> tuple[bool, int]:
        """Whether two entries never meet, and by how much the most frequent meeting exceeds the rarest."""
        least, most = min(self._met[1:]), max(self._met[1:])
        return least == 0, most - least

    def blocks(self) -> tuple[Block, ...]:
        """Every base table on its turn round the circle."""
        return tuple(
            tuple(sorted((place + by) % self._entries for place in base))
            for base in self.bases
            for by in range(self._entries)
        )

    def _move(self, base: list[int], place: int, sweep: int) -> bool:
        """Move one place of a base table to where it makes the differences most even; say whether it moved.

        Of equally good ones each sweep prefers others: a walk on level ground leads out of many dead ends.
        """
        others, old = base[:place] + base[place + 1 :], base[place]
        self._count(others, old, -1)
        base[place] = self._best_place(others, old + 1 + sweep)
        self._count(others, base[place], 1)
        return base[place] != old

    def _best_place(self, others: Sequence[int], first: int) -> int:
        """The place that adds least to the sum of squares of all meetings; of equal ones the next from `first` on."""
        half = [2 * met + 1 for met in self._met]
        if self._entries % 2 == 0:
            half[-1] = 4 * self._met[-1] + 4
        single = half + half[(self._entries - 1) // 2 : 0 : -1]
        rows = (single[-other:] + single[:-other] for other in others)
        bounds = list(map(sum, zip(*rows, strict=True)))
        best, least = -1, sum(bounds) + 1
        inorder = [p % self._entries for p in range(first, first + self._entries) if p % self._entries not in others]
        for place in sorted(inorder, key=bounds.__getitem__):
            if bounds[place] >= least:
                break
            # Two equal differences at once cost more than each of them alone; never less.
            if (cost := self._cost(others, place)) < least:
                best, least = place, cost
        return best

    def _cost(self, others: Sequence[int], place: int) -> int:
        added: dict[int, int] = {}
        for difference, weight in self._differences(others, place):
            added[difference] = added.get(difference, 0) + weight
        return sum(weight * (2 * self._met[difference] + weight) for difference, weight in added.items())

    def _count(self, others: Sequence[int], place: int, sign: int) -> None:
        for difference, weight in self._differences(others, place):
            self._met[difference] += sign * weight

    def _differences(self, others: Sequence[int], place: int) -> Iterator[tuple[int, int]]:
        """Each difference to the others, at most n/2; entries that lie opposite meet twice on one turn."""
        for other in others:
            apart = abs(place - other)
            yield (difference := min(apart, self._entries - apart)), 2 if 2 * difference == self._entries else 1
