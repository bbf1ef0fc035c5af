"""Seats are as even as they can be, whoever meets whom in whatever order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from skyjo_server.tournaments.seating import even_seats, rotated


@st.composite
def tables(draw: st.DrawFn) -> tuple[int, list[list[int]]]:
    """The size of a table, and any tables of that size."""
    size = draw(st.integers(2, 8))
    entries = draw(st.integers(size, 12))
    table = st.permutations(range(entries)).map(lambda order: order[:size])
    return size, draw(st.lists(table, max_size=60))


def uneven_runs(seated: Sequence[Sequence[int]], size: int) -> list[int]:
    """The entries that have one seat twice within a run of their tables."""
    by_entry: dict[int, list[int]] = {}
    for table in seated:
        for seat, entry in enumerate(table):
            by_entry.setdefault(entry, []).append(seat)
    return [
        entry
        for entry, seats in by_entry.items()
        for start in range(0, len(seats), size)
        if len(set(run := seats[start : start + size])) < len(run)
    ]


@given(tables())
def test_no_seat_comes_twice_before_every_other_came_once(drawn: tuple[int, list[list[int]]]) -> None:
    size, given_tables = drawn
    seated = even_seats(given_tables, size)
    assert [sorted(table) for table in seated] == [sorted(table) for table in given_tables]
    assert uneven_runs(seated, size) == []


@given(st.integers(2, 8), st.integers(0, 30))
def test_rotations_give_everybody_every_seat_once(size: int, first: int) -> None:
    seats = tuple(range(first, first + size))
    counts = Counter((entry, seat) for by in range(size) for seat, entry in enumerate(rotated(seats, by)))
    assert set(counts.values()) == {1}
    assert len(counts) == size * size
