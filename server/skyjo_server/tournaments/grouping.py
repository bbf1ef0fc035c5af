"""Tables of three and more among neighbours in the standings. Knows no rounds, no byes, no boards.

Which tables are best is a hard problem already for three; so tables are filled from the top, each with whom its entries
know least, and then neighbours are exchanged as long as that makes fewer pairs meet again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations, product
from typing import Final

from skyjo_server.tournaments.pairing import Candidate

_LOOK_AHEAD: Final = 3
"""A seat is offered to as many as three tables hold."""

_NEIGHBOURS: Final = 3
"""Entries are exchanged with as many tables on either side."""

_SWEEPS: Final = 20

_AGAIN: Final = 1_000_000
_SAME_OWNER: Final = 1_000


def grouped(order: Sequence[Candidate], size: int, met: Mapping[int, AbstractSet[int]]) -> tuple[tuple[int, ...], ...]:
    """Put everybody at a table: as few pairs that met as can be found, then of one owner, then far apart in scores.

    Args:
        order: a multiple of `size` candidates, leaders first, equals in the order drawn.
        size: of a table.
        met: for every entry, whom it has met.

    >>> candidates = [Candidate(number, 0, None) for number in range(6)]
    >>> grouped(candidates, 3, {number: {(number + 1) % 2} for number in range(6)})
    ((0, 2, 4), (1, 3, 5))
    """
    waiting = list(order)
    tables: list[list[Candidate]] = []
    while waiting:
        table = [waiting.pop(0)]
        while len(table) < size:
            ahead = waiting[: _LOOK_AHEAD * size]
            table.append(waiting.pop(min(range(len(ahead)), key=lambda place: _cost(ahead[place], table, met))))
        tables.append(table)
    for _ in range(_SWEEPS):
        improved = [_improve(one, other, met) for one, other in _neighbours(tables)]
        if not any(improved):
            break
    return tuple(tuple(candidate.number for candidate in table) for table in tables)


def _neighbours(tables: Sequence[list[Candidate]]) -> Iterator[tuple[list[Candidate], list[Candidate]]]:
    """Each table with the next few."""
    for place, one in enumerate(tables):
        for other in tables[place + 1 : place + 1 + _NEIGHBOURS]:
            yield one, other


def _improve(one: list[Candidate], other: list[Candidate], met: Mapping[int, AbstractSet[int]]) -> bool:
    """Make the first exchange of two seats that helps, if tables have a fault at all; say whether there was one."""
    if _fault(one, met) + _fault(other, met) < _SAME_OWNER:
        return False
    before = _fault(one, met) + _fault(other, met)
    for here, there in product(range(len(one)), range(len(other))):
        one[here], other[there] = other[there], one[here]
        if _fault(one, met) + _fault(other, met) < before:
            return True
        one[here], other[there] = other[there], one[here]
    return False


def _fault(table: Sequence[Candidate], met: Mapping[int, AbstractSet[int]]) -> int:
    return sum(_cost(second, (first,), met) for first, second in combinations(table, 2))


def _cost(candidate: Candidate, table: Sequence[Candidate], met: Mapping[int, AbstractSet[int]]) -> int:
    """What a candidate at a table costs; far below the next fault, its distance from whoever sits there first."""
    known = met[candidate.number]
    again = sum(other.number in known for other in table)
    same = sum(candidate.owner is not None and candidate.owner == other.owner for other in table)
    return again * _AGAIN + same * _SAME_OWNER + min(abs(candidate.group - table[0].group), _SAME_OWNER - 1)
