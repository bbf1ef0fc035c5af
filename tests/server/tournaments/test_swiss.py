"""Swiss: no rematches, fair byes, near scores; whoever comes late or leaves, and for ten thousand."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skyjo_server.tournaments.formats import board_count, next_round, round_count
from skyjo_server.tournaments.pairing import Candidate, paired
from skyjo_server.tournaments.values import Entry, Format, Round, Shape, Table, point_units
from tests.server.tournaments.events import (
    Change,
    Played,
    drawn,
    meetings_of_boards,
    owned_entries,
    play,
    seat_imbalance,
    seeds,
    strangers,
    withdrawing,
)

SWISS = Shape(format=Format.SWISS)
OF_THREE = Shape(format=Format.SWISS, table_size=3, boards=3, duplicate=True)


def coming_and_going(seed: int) -> Change:
    """Before each round some withdraw, and one more may enter."""
    leave = withdrawing(seed, 0.1)

    def change(round_: int, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
        left = leave(round_, entries)
        return (*left, Entry(len(left), f"late {round_}", since_round=round_)) if (seed + round_) % 2 else left

    return change


@st.composite
def events(draw: st.DrawFn, size: int = 2) -> Played:
    """Whole Swiss events, with as many rounds as they can be asked for, and people coming and going."""
    rounds = draw(st.sampled_from([None, 3, 7, 20]))
    shape = Shape(format=Format.SWISS, table_size=size, boards=size, rounds=rounds)
    return play(shape, strangers(draw(st.integers(size, 18))), draw(seeds), coming_and_going(draw(seeds)))


def meetings(round_: Round) -> list[frozenset[int]]:
    return list({frozenset(table.seats) for table in round_.tables})


@given(events())
def test_nobody_meets_anybody_in_two_rounds(played: Played) -> None:
    met = Counter(meeting for round_ in played.rounds for meeting in meetings(round_))
    assert all(count == 1 for count in met.values())


@given(st.sampled_from([2, 3, 4]).flatmap(events))
def test_seats_are_exactly_even(played: Played) -> None:
    assert seat_imbalance(played.tables) == 0


@given(st.sampled_from([2, 3, 4]).flatmap(events))
def test_no_bye_goes_to_the_leader_or_twice_to_one_while_another_had_none(played: Played) -> None:
    had: Counter[int] = Counter()
    for round_ in played.rounds:
        present = round_.entries()
        before = {entry: point_units(played.points[entry][: round_.number]) for entry in present}
        leaders = [entry for entry in present if before[entry] == max(before.values())]
        assert leaders == [*round_.byes][:1] or len(leaders) > 1 or leaders[0] not in round_.byes
        without = [entry for entry in present if entry not in round_.byes and not had[entry]]
        assert not (without and any(had[entry] for entry in round_.byes))
        had.update(round_.byes)


@given(st.sampled_from([2, 3, 4]).flatmap(events))
def test_everybody_who_can_play_is_in_every_round(played: Played) -> None:
    for round_ in played.rounds:
        seated = [entry for meeting in meetings(round_) for entry in meeting]
        assert len(seated) == len(set(seated))
        assert not set(seated) & set(round_.byes)
        assert len(round_.byes) < played.shape.table_size
        late = [entry.number for entry in played.entries if entry.since_round > round_.number]
        assert not round_.entries() & set(late)


def test_whoever_has_withdrawn_is_not_paired() -> None:
    entries = strangers(9)

    def without_the_first(round_: int, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
        return tuple(replace(entry, active=entry.number >= round_) for entry in entries)

    for round_ in play(SWISS, entries, 5, without_the_first).rounds:
        assert round_.entries() == frozenset(range(round_.number, 9))


@given(st.integers(4, 40), seeds)
@settings(max_examples=40)
def test_an_event_without_changes_has_all_its_rounds(count: int, seed: int) -> None:
    played = play(SWISS, strangers(count), seed)
    assert len(played.rounds) == round_count(SWISS, played.entries)


@given(st.data(), st.integers(1, 3), seeds)
@settings(max_examples=40)
def test_no_owner_meets_a_board_at_two_tables(data: st.DataObject, per_owner: int, seed: int) -> None:
    for shape in (replace(SWISS, duplicate=True), OF_THREE):
        entries = data.draw(owned_entries(3, 16, per_owner))
        played = play(replace(shape, entries_per_owner=per_owner), entries, seed)
        met = meetings_of_boards(played)
        assert len(set(met)) == len(met)
        assert {table.board for table in played.tables} <= set(range(board_count(played.shape, entries)))


def test_bots_of_one_owner_are_paired_only_where_they_must_be() -> None:
    entries = tuple(Entry(number, "ann" if number < 4 else f"owner {number}") for number in range(12))
    played = play(replace(SWISS, entries_per_owner=4), entries, seed=8)
    assert all(len(meeting & {0, 1, 2, 3}) < 2 for round_ in played.rounds for meeting in meetings(round_))


@given(seeds)
@settings(max_examples=20)
def test_tables_of_three_repeat_no_pair_while_that_is_easy(seed: int) -> None:
    played = play(replace(OF_THREE, rounds=4), strangers(27), seed)
    met = Counter(
        frozenset(pair) for round_ in played.rounds for meeting in meetings(round_) for pair in combinations(meeting, 2)
    )
    assert max(met.values()) == 1


@given(seeds)
@settings(max_examples=20)
def test_the_same_history_gives_the_same_round(seed: int) -> None:
    played = play(SWISS, strangers(21), seed)
    lots = drawn(seed, 21)
    for number, round_ in enumerate(played.rounds[1:], 1):
        points = {entry: got[:number] for entry, got in played.points.items()}
        assert next_round(SWISS, played.entries, lots, played.rounds[:number], points) == round_


def cheapest(order: Sequence[Candidate], met: Mapping[int, set[int]]) -> int | None:
    """The least sum of squares of distances over all pairings, by trying every one."""
    if not order:
        return 0
    costs = [
        (order[0].group - other.group) ** 2 + rest
        for place, other in enumerate(order[1:], 1)
        if other.number not in met[order[0].number]
        and (rest := cheapest([*order[1:place], *order[place + 1 :]], met)) is not None
    ]
    return min(costs, default=None)


@given(st.integers(1, 4), seeds)
def test_no_pairing_is_better_and_one_is_found_where_there_is_one(half: int, seed: int) -> None:
    luck = random.Random(seed)
    order = [Candidate(number, group, None) for number, group in enumerate(sorted(luck.choices(range(4), k=2 * half)))]
    met: dict[int, set[int]] = {candidate.number: set() for candidate in order}
    for one, other in combinations(range(2 * half), 2):
        if luck.random() < 0.6:
            met[one].add(other)
            met[other].add(one)
    pairs = paired(order, met)
    best = cheapest(order, met)
    assert (pairs is None) == (best is None)
    if pairs is not None:
        assert sum((order[one].group - order[other].group) ** 2 for one, other in pairs) == best
        assert all(other not in met[one] for one, other in pairs)
        assert sorted(entry for pair in pairs for entry in pair) == list(range(2 * half))


@pytest.mark.parametrize("last", [63, 127, 199])
def test_a_pairing_is_found_though_the_last_two_have_met_and_stand_alone(last: int) -> None:
    order = [Candidate(number, 0, None) for number in range(last + 3)]
    met: dict[int, set[int]] = {number: set() for number in range(last + 3)}
    met[last + 1], met[last + 2] = {last + 2}, {last + 1}
    order = order if len(order) % 2 == 0 else order[1:]
    pairs = paired(order, met)
    assert pairs is not None
    assert len(pairs) == len(order) // 2
    assert (last + 1, last + 2) not in pairs


def test_ten_thousand_are_paired() -> None:
    entries = strangers(10_000)
    halves = [(number, number + 5_000) for number in range(5_000)]
    first = Round(0, tuple(Table(0, number, None, pair) for number, pair in enumerate(halves)))
    points = {number: [2.0 if number % 3 else 0.0] for number in range(10_000)}
    second = next_round(SWISS, entries, drawn(1, len(entries)), (first,), points)
    assert second is not None
    assert len(meetings(second)) == 5_000
    assert not set(meetings(second)) & set(meetings(first))
    assert sum(points[one] != points[other] for one, other in map(tuple, meetings(second))) <= 1
