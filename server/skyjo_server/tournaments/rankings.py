"""Rankings of tables as choices, counted: what a Plackett-Luce model is fitted to. It fits nothing.

A ranking without ties is a row of choices: the first out of all, the second out of the rest, and so on. Who ties could
stand in any order, so a ranking with ties counts as the mean over all orders of those that tie. By symmetry that mean
is a sum over subsets: if t tie, each subset of s of them is what is left in one of C(t, s) cases.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Final

SHARES: Final = 840
"""Choices are counted in parts of this: C(t, s) divides it for up to eight seats, so that all counts are whole."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """How one table ended.

    Attributes:
        entries: who sat there, each once.
        ranks: theirs, 1 = first, ties sharing one.

    Raises:
        ValueError: at creation, for entries without ranks, or one that is named twice.
    """

    entries: tuple[int, ...]
    ranks: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.entries) != len(self.ranks) or len(set(self.entries)) != len(self.entries):
            raise ValueError(f"entries {self.entries} with ranks {self.ranks}: each entry once, with one rank")


@dataclass(frozen=True, slots=True)
class Choices:
    """All choices of many rankings, in an order of their own: the order of the rankings has left no trace.

    Attributes:
        entries: everybody, ascending.
        games: by entry, in how many rankings it stands.
        chosen: by entry, how often it was chosen out of at least one other.
        sets: out of whom was chosen, each ascending, by size and then by member.
        counts: by set, how often, in parts of `SHARES`.
    """

    entries: tuple[int, ...]
    games: tuple[int, ...]
    chosen: tuple[int, ...]
    sets: tuple[tuple[int, ...], ...]
    counts: tuple[int, ...]


def count_choices(rankings: Iterable[Ranking], entries: Iterable[int] = ()) -> Choices:
    """Count the choices that rankings stand for.

    Args:
        rankings: in any order.
        entries: who is to be there even without a ranking.

    >>> counted = count_choices([Ranking((7, 3, 5), (1, 2, 2))])
    >>> counted.entries, [count / SHARES for count in counted.chosen]
    ((3, 5, 7), [0.5, 0.5, 1.0])
    >>> dict(zip(counted.sets, (count / SHARES for count in counted.counts)))
    {(3, 5): 1.0, (3, 5, 7): 1.0}
    """
    games, chosen, sets = Counter(entries), Counter[int](), Counter[tuple[int, ...]]()
    games = Counter(dict.fromkeys(games, 0))
    for ranking, often in Counter(map(_canonical, rankings)).items():
        _count(ranking, often, chosen, sets)
        for entry, _ in ranking:
            games[entry] += often
    order = sorted(games)
    ordered = sorted(sets, key=lambda members: (len(members), members))
    return Choices(
        entries=tuple(order),
        games=tuple(games[entry] for entry in order),
        chosen=tuple(chosen[entry] for entry in order),
        sets=tuple(ordered),
        counts=tuple(sets[members] for members in ordered),
    )


_Placed = tuple[tuple[int, int], ...]
"""Entries with their ranks, by entry."""


def _canonical(ranking: Ranking) -> _Placed:
    return tuple(sorted(zip(ranking.entries, ranking.ranks, strict=True)))


def _count(ranking: _Placed, often: int, chosen: Counter[int], sets: Counter[tuple[int, ...]]) -> None:
    rest: list[int] = []
    for rank in sorted({rank for _, rank in ranking}, reverse=True):
        tied = [entry for entry, own in ranking if own == rank]
        for size in range(1, len(tied) + 1):
            if size + len(rest) > 1:
                _count_subsets(tied, size, rest, often, sets)
        _count_chosen(tied, alone=not rest, often=often, chosen=chosen)
        rest += tied


def _count_subsets(
    tied: Sequence[int], size: int, rest: Sequence[int], often: int, sets: Counter[tuple[int, ...]]
) -> None:
    share = often * SHARES // comb(len(tied), size)
    for subset in combinations(tied, size):
        sets[tuple(sorted((*subset, *rest)))] += share


def _count_chosen(tied: Sequence[int], *, alone: bool, often: int, chosen: Counter[int]) -> None:
    """Each of those that tie is chosen once, but for the very last, who is left over: each as likely as another."""
    share = often * SHARES if not alone else often * SHARES * (len(tied) - 1) // len(tied)
    for entry in tied:
        chosen[entry] += share
