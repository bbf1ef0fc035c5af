"""Pairing two by two: nobody meets twice, and scores lie as near as they can. Knows no rounds, no byes, no boards.

The pairs are a perfect matching of least cost, by the blossom algorithm: greedy pairing ends with somebody who has met
all that are left. The order is cut into pieces that a matching takes milliseconds for; a piece without a matching is
joined with its neighbour, in the end with all of them, so that a pairing is found wherever there is one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

PIECE: Final = 48
"""Entries that are paired by one matching, if that has a solution."""

Pair = tuple[int, int]

_SAME_OWNER_COST: Final = 1 << 40
_TIE_BITS: Final = 40


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entry to be paired.

    Attributes:
        number: the entry's.
        group: number of its score group, 0 = the leaders.
        owner: whose it is.
    """

    number: int
    group: int
    owner: str | None


def paired(order: Sequence[Candidate], met: Mapping[int, AbstractSet[int]]) -> tuple[Pair, ...] | None:
    """Pair everybody with somebody not met before; None if that cannot be.

    First as few pairs of one owner as can be, then the least sum of squares of the distances between score groups.
    Which of equally good pairings it is follows from the places in the order alone: costs are told apart by a hash of
    them, so that every exact matching gives the same one.

    Args:
        order: an even number of candidates, leaders first, equals in the order drawn.
        met: for every entry, whom it has met.

    >>> candidates = [Candidate(number, 0, None) for number in range(4)]
    >>> paired(candidates, {0: {1, 2}, 1: {0}, 2: {0}, 3: set()})
    ((0, 3), (1, 2))
    """
    done: list[tuple[int, tuple[Pair, ...]]] = []
    start = end = 0
    while end < len(order):
        end = min(len(order), end + PIECE)
        pairs = _matched(order, start, end, met)
        while pairs is None and end == len(order) and done:
            start = done.pop()[0]
            pairs = _matched(order, start, end, met)
        if pairs is not None:
            done.append((start, pairs))
            start = end
    return None if start < end else tuple(pair for _, pairs in done for pair in pairs)


def can_pair() -> bool:
    """Say whether the library that finds matchings is installed."""
    try:
        import rustworkx  # noqa: F401, PLC0415 - asked for, not used
    except ImportError:
        return False
    return True


def _matched(
    order: Sequence[Candidate], start: int, end: int, met: Mapping[int, AbstractSet[int]]
) -> tuple[Pair, ...] | None:
    """The best pairs of a piece of the order; None if somebody would be left over."""
    edges = list(_edges(order, start, end, met))
    highest = max((cost for _, _, cost in edges), default=0) + 1
    import rustworkx  # noqa: PLC0415 - a base installation audits archives, and pairs nobody

    # Kept by the Qiskit project: networkx has the same algorithm in Python, a hundred times slower; exact on whole
    # numbers of 128 bits, so that costs need no rounding.
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * (end - start))
    graph.add_edges_from([(first - start, second - start, highest - cost) for first, second, cost in edges])
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(matching) < end - start:
        return None
    return tuple((order[start + a].number, order[start + b].number) for a, b in sorted(map(_ascending, matching)))


def _ascending(pair: Pair) -> Pair:
    return (min(pair), max(pair))


def _edges(
    order: Sequence[Candidate], start: int, end: int, met: Mapping[int, AbstractSet[int]]
) -> Iterator[tuple[int, int, int]]:
    """Every pair that has not met, by places in the order, with its cost."""
    for first in range(start, end):
        one = order[first]
        known = met[one.number]
        for second in range(first + 1, end):
            other = order[second]
            if other.number not in known:
                same = _SAME_OWNER_COST if one.owner is not None and one.owner == other.owner else 0
                cost = same + (one.group - other.group) ** 2
                yield first, second, (cost << _TIE_BITS) | _tie(first, second)


def _tie(first: int, second: int) -> int:
    """A hash of two places, 40 bits: the finalizer of splitmix64."""
    mixed = (first << 32 | second) * 0x9E3779B97F4A7C15 & _WORD
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _WORD
    return (mixed ^ mixed >> 31) >> (64 - _TIE_BITS)


_WORD: Final = (1 << 64) - 1
