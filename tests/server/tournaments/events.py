"""Events for property tests: entries, lots, and whole events played with random results. Asserts nothing."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from skyjo.boards import lots
from skyjo_server.tournaments.formats import first_rounds, next_round
from skyjo_server.tournaments.values import Entry, Format, Lots, Round, Shape, Table
from tests.strategies import GAME_ID

IN_STEPS = (Format.SWISS, Format.KNOCKOUT)

seeds = st.integers(0, 2**32 - 1)
"""One number, from which the lots and the results of a whole event follow."""


@dataclass(frozen=True)
class Played:
    """An event that is over, or as far as it goes before anything is played."""

    shape: Shape
    entries: tuple[Entry, ...]
    rounds: tuple[Round, ...]
    points: dict[int, list[float]]
    lots: Lots

    @property
    def tables(self) -> list[Table]:
        return [table for round_ in self.rounds for table in round_.tables]


def entries_of(owners: Iterable[str | None]) -> tuple[Entry, ...]:
    """Active entries of these owners."""
    return tuple(Entry(number, owner) for number, owner in enumerate(owners))


def strangers(count: int) -> tuple[Entry, ...]:
    """Entries of as many owners."""
    return entries_of(f"owner {number}" for number in range(count))


@st.composite
def owned_entries(draw: st.DrawFn, least: int, most: int, per_owner: int) -> tuple[Entry, ...]:
    """Entries of owners that have some each, and house bots, in any order."""
    count = draw(st.integers(least, most))
    owners: list[str | None] = [None if number % 5 == 4 else f"owner {number // per_owner}" for number in range(count)]
    return entries_of(draw(st.permutations(owners)))


def drawn(seed: int, count: int) -> Lots:
    """Lots of an event with this seed."""
    return lambda round_: lots(seed.to_bytes(32, "big"), GAME_ID, round_, count)


Change = Callable[[int, tuple[Entry, ...]], tuple[Entry, ...]]
"""What happens to the entries before a round is paired."""


def unchanged(_round: int, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    return entries


def play(shape: Shape, entries: tuple[Entry, ...], seed: int, change: Change = unchanged, draws: float = 0.2) -> Played:
    """Play a whole event; a Swiss or knockout round by round, with random results and a share of drawn tables."""
    luck = random.Random(seed)
    rounds = first_rounds(shape, entries, drawn(seed, len(entries)))
    points: dict[int, list[float]] = {}
    while shape.format in IN_STEPS:
        points = {entry.number: points.get(entry.number, [0.0] * (len(rounds) - 1)) for entry in entries}
        add_points(shape, rounds[-1], points, luck, draws)
        entries = change(len(rounds), entries)
        points |= {entry.number: [0.0] * len(rounds) for entry in entries if entry.number not in points}
        following = next_round(shape, entries, drawn(seed, len(entries)), rounds, points)
        if following is None:
            break
        rounds = (*rounds, following)
    return Played(shape, entries, rounds, points, drawn(seed, len(entries)))


def add_points(shape: Shape, round_: Round, points: dict[int, list[float]], luck: random.Random, draws: float) -> None:
    """What everybody gets in a round."""
    for got in points.values():
        got.append(0.0)
    for entry in round_.byes:
        points[entry][-1] = float(shape.boards)
    for table in round_.tables:
        level = luck.random() < draws
        for place, entry in enumerate(luck.sample(table.seats, len(table.seats))):
            points[entry][-1] += 0.5 if level else place / (len(table.seats) - 1)


def withdrawing(seed: int, share: float) -> Change:
    """Before each round a share of those that are left withdraws."""
    luck = random.Random(seed)
    return lambda _, entries: tuple(replace(entry, active=entry.active and luck.random() >= share) for entry in entries)


def seat_counts(tables: Iterable[Table]) -> Counter[tuple[int, int]]:
    """How often each entry has each seat."""
    return Counter((entry, seat) for table in tables for seat, entry in enumerate(table.seats))


def seat_imbalance(tables: Sequence[Table]) -> int:
    """By how much the most frequent seat of an entry exceeds its rarest, at most."""
    counts = seat_counts(tables)
    sizes = {entry: len(table.seats) for table in tables for entry in table.seats}
    by_entry = ([counts[entry, seat] for seat in range(size)] for entry, size in sizes.items())
    return max((max(of_entry) - min(of_entry) for of_entry in by_entry), default=0)


def meetings_of_boards(played: Played) -> list[tuple[int, str]]:
    """Every board with every owner that is at a table of it, once for each such table."""
    owners = {entry.number: entry.owner for entry in played.entries}
    return [
        (table.board, owner)
        for table in played.tables
        if table.board is not None
        for owner in {owners[entry] for entry in table.seats}
        if owner is not None
    ]
