"""Round robin and gauntlet: who meets whom, on which boards, in which seats; all of it known from the start."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skyjo_server.tournaments.formats import board_count, first_rounds, next_round
from skyjo_server.tournaments.values import Entry, Format, InvalidShape, Shape, Table
from tests.server.tournaments.events import (
    Played,
    drawn,
    entries_of,
    meetings_of_boards,
    owned_entries,
    play,
    seat_imbalance,
    seeds,
    strangers,
)

SOME = settings(max_examples=60)


@st.composite
def shapes(draw: st.DrawFn, format_: Format, duplicate: bool | None = None) -> Shape:
    """Shapes of one of the two formats, of tables that are not too many for a test."""
    return Shape(
        format=format_,
        table_size=draw(st.integers(2, 4)),
        boards=draw(st.integers(1, 5)),
        rounds=draw(st.sampled_from([None, 1, 2])),
        duplicate=draw(st.booleans()) if duplicate is None else duplicate,
        challengers=draw(st.integers(2, 3)) if format_ is Format.GAUNTLET else 1,
        tables_max=draw(st.sampled_from([10_000, 40])),
    )


@st.composite
def events(draw: st.DrawFn, format_: Format, duplicate: bool | None = None) -> Played:
    """Whole schedules."""
    shape = draw(shapes(format_, duplicate))
    entries = draw(owned_entries(shape.challengers + shape.table_size, 10, draw(st.integers(1, 3))))
    return play(shape, entries, draw(seeds))


def pairs(tables: Iterable[Table]) -> Counter[frozenset[int]]:
    return Counter(frozenset(pair) for table in tables for pair in combinations(table.seats, 2))


both = st.sampled_from([Format.ROUND_ROBIN, Format.GAUNTLET])


@given(both.flatmap(events))
@SOME
def test_seats_are_even(played: Played) -> None:
    assert seat_imbalance(played.tables) <= 1


@given(both.flatmap(events))
@SOME
def test_tables_and_rounds_are_numbered_from_nought(played: Played) -> None:
    assert [round_.number for round_ in played.rounds] == list(range(len(played.rounds)))
    for round_ in played.rounds:
        assert [table.table for table in round_.tables] == list(range(len(round_.tables)))
        assert {table.round for table in round_.tables} == {round_.number}


@given(both.flatmap(lambda format_: events(format_, duplicate=True)))
@SOME
def test_no_owner_meets_a_board_at_two_tables(played: Played) -> None:
    meetings = meetings_of_boards(played)
    assert len(set(meetings)) == len(meetings)


@given(both.flatmap(lambda format_: events(format_, duplicate=True)))
@SOME
def test_boards_are_no_more_than_were_counted_before_the_draw(played: Played) -> None:
    boards = {table.board for table in played.tables}
    assert boards <= set(range(board_count(played.shape, played.entries)))


@given(both.flatmap(events))
@SOME
def test_the_same_event_has_the_same_schedule(played: Played) -> None:
    lots = drawn(7, len(played.entries))
    assert first_rounds(played.shape, played.entries, lots) == first_rounds(played.shape, played.entries, lots)
    assert next_round(played.shape, played.entries, lots, played.rounds, {}) is None


@given(st.integers(2, 24), st.integers(1, 4), seeds)
def test_two_at_a_table_all_meet_as_often_as_a_meeting_has_boards(count: int, boards: int, seed: int) -> None:
    played = play(Shape(format=Format.ROUND_ROBIN, boards=boards), strangers(count), seed)
    met = pairs(played.tables)
    assert set(met.values()) == {boards}
    assert len(met) == comb(count, 2)
    assert len(played.rounds) == count - 1 + count % 2


@given(st.integers(2, 24), seeds)
def test_everybody_has_one_meeting_or_a_bye_in_a_round(count: int, seed: int) -> None:
    played = play(Shape(format=Format.ROUND_ROBIN, boards=1, duplicate=True), strangers(count), seed)
    for round_ in played.rounds:
        seated = [entry for table in round_.tables for entry in table.seats]
        assert sorted([*seated, *round_.byes]) == list(range(count))
        assert {table.board for table in round_.tables} == {round_.number}


@given(st.integers(3, 4), st.data(), seeds)
@SOME
def test_more_at_a_table_all_meet_equally_often(size: int, data: st.DataObject, seed: int) -> None:
    count = data.draw(st.integers(size, 9))
    played = play(Shape(format=Format.ROUND_ROBIN, table_size=size, boards=1), strangers(count), seed)
    assert len(played.tables) == comb(count, size)
    assert len(set(pairs(played.tables).values())) == 1


def test_sixteen_at_tables_of_four_are_a_balanced_part_where_all_tables_are_too_many() -> None:
    played = play(Shape(format=Format.ROUND_ROBIN, table_size=4, tables_max=200), strangers(16), seed=1)
    assert len(played.tables) <= 2 * 200
    met = pairs(played.tables)
    assert len(met) == comb(16, 2)
    assert max(met.values()) - min(met.values()) <= 2, "boards are two, so once more or less are two games"


def test_a_large_round_robin_of_two_is_cut_after_whole_rounds() -> None:
    played = play(Shape(format=Format.ROUND_ROBIN, boards=1, tables_max=1_000), strangers(100), seed=1)
    assert len(played.rounds) == 20
    assert set(pairs(played.tables).values()) == {1}


@given(st.permutations(range(9)), seeds)
@SOME
def test_the_order_of_entry_changes_nothing_about_the_balance(order: Sequence[int], seed: int) -> None:
    entries = [entries_of(["ann", "ann", "bob", "eve", None, "joe", None, "kim", "lea"])[place] for place in order]
    entered = tuple(Entry(number, entry.owner) for number, entry in enumerate(entries))
    for size in (2, 3):
        shape = Shape(format=Format.ROUND_ROBIN, table_size=size, boards=1, duplicate=True, entries_per_owner=2)
        played = play(shape, entered, seed)
        assert seat_imbalance(played.tables) <= 1
        assert len(set(pairs(played.tables).values())) == 1


@given(events(Format.GAUNTLET))
@SOME
def test_every_challenger_meets_the_field_and_no_challenger(played: Played) -> None:
    challengers = set(range(played.shape.challengers))
    assert all(len(challengers & set(table.seats)) == 1 for table in played.tables)
    field = set(range(len(played.entries))) - challengers
    met = pairs(played.tables)
    assert {(one, other) for one in challengers for other in field if met[frozenset((one, other))]} == {
        (one, other) for one in challengers for other in field
    }
    games = Counter(challenger for table in played.tables for challenger in challengers & set(table.seats))
    assert len(set(games.values())) == 1


def test_challengers_meet_house_bots_on_the_same_boards() -> None:
    entries = entries_of(["ann", "bob", "eve", None, None])
    played = play(Shape(format=Format.GAUNTLET, challengers=3, duplicate=True), entries, seed=3)
    for round_ in played.rounds:
        assert len(round_.tables) == 6
        by_board = Counter(table.board for table in round_.tables)
        assert set(by_board.values()) == {3}
        assert len({frozenset(table.seats) - {0, 1, 2} for table in round_.tables}) == 1


def test_challengers_share_the_boards_of_a_field_with_owners_too() -> None:
    played = play(Shape(format=Format.GAUNTLET, challengers=2, duplicate=True), strangers(8), seed=3)
    assert set(Counter(table.board for table in played.tables).values()) == {2}


@pytest.mark.parametrize(
    ("shape", "count", "member"),
    [
        (Shape(format=Format.ROUND_ROBIN, table_size=4), 3, "table_size"),
        (Shape(format=Format.SWISS), 1, "table_size"),
        (Shape(format=Format.KNOCKOUT), 1, "table_size"),
        (Shape(format=Format.GAUNTLET, challengers=3), 3, "challengers"),
        (Shape(format=Format.GAUNTLET, table_size=4), 4, None),
        (Shape(format=Format.GAUNTLET, challengers=2, table_size=4), 4, "challengers"),
    ],
)
def test_too_few_entries_are_refused_with_the_member_that_asks_for_more(
    shape: Shape, count: int, member: str | None
) -> None:
    if member is None:
        assert first_rounds(shape, strangers(count), drawn(0, count))
        return
    with pytest.raises(InvalidShape) as refused:
        first_rounds(shape, strangers(count), drawn(0, count))
    assert refused.value.member == member
