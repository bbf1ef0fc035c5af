"""Designs for events that are too large for all tables: everybody plays equally often, and meetings are even."""

from __future__ import annotations

from collections import Counter
from itertools import chain, combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skyjo_server.tournaments.designs import all_blocks, blocks, cyclic_blocks, disjoint_groups, meeting_counts


@st.composite
def sizes(draw: st.DrawFn, most: int) -> tuple[int, int]:
    """How many entries, and how many seats."""
    size = draw(st.integers(3, 8))
    return draw(st.integers(size, most)), size


@given(sizes(20), st.integers(1, 6))
@settings(max_examples=30)
def test_everybody_has_as_many_tables_in_a_cyclic_design(drawn: tuple[int, int], turns: int) -> None:
    entries, size = drawn
    tables = cyclic_blocks(entries, size, turns)
    assert all(len(set(table)) == size for table in tables)
    counts = Counter(chain.from_iterable(tables))
    assert sorted(counts) == list(range(entries))
    assert len(set(counts.values())) == 1
    assert len(tables) <= entries * turns


@pytest.mark.parametrize("size", range(3, 9))
def test_everybody_meets_everybody_almost_equally_often(size: int) -> None:
    for entries in range(size + 1, 26):
        met = meeting_counts(cyclic_blocks(entries, size, 10_000 // entries))
        assert len(met) == comb(entries, 2), "everybody meets everybody"
        # An even one does not exist for all sizes, or not on a circle: 12 entries at tables of 7, for example.
        assert max(met.values()) - min(met.values()) <= (1 if size <= 5 else 3)


@pytest.mark.parametrize(("entries", "size"), [(7, 3), (13, 3), (13, 4), (21, 5)])
def test_a_perfect_design_is_found_where_a_small_one_is_known(entries: int, size: int) -> None:
    """Cyclic difference families: projective planes, and one of two base tables."""
    tables = cyclic_blocks(entries, size, 10_000 // entries)
    met = meeting_counts(tables)
    assert max(met.values()) == min(met.values())
    assert len(met) == comb(entries, 2)


@given(sizes(10))
def test_all_tables_are_taken_where_there_is_room_for_them(drawn: tuple[int, int]) -> None:
    entries, size = drawn
    assert sorted(blocks(entries, size, comb(entries, size))) == list(combinations(range(entries), size))


def test_no_more_tables_are_taken_than_are_asked_for() -> None:
    assert len(blocks(30, 4, 1_000)) < comb(30, 4)
    for most in (30, 60, 100, 1_000):
        assert 30 <= len(blocks(30, 4, most)) <= most


@given(sizes(11))
@settings(max_examples=30)
def test_a_group_holds_every_table_once_and_nobody_twice(drawn: tuple[int, int]) -> None:
    entries, size = drawn
    tables = all_blocks(entries, size)
    groups = disjoint_groups(tables, entries // size)
    assert sorted(table for group in groups for table in group) == sorted(tables)
    for group in groups:
        seated = list(chain.from_iterable(group))
        assert len(set(seated)) == len(seated)


@pytest.mark.parametrize(("entries", "size", "alone"), [(8, 4, 0), (9, 3, 0), (12, 3, 0), (10, 4, 4), (16, 4, 0)])
def test_hardly_a_table_is_alone_in_its_group(entries: int, size: int, alone: int) -> None:
    groups = disjoint_groups(all_blocks(entries, size), entries // size)
    assert sum(len(group) == 1 for group in groups) <= alone
