"""Knockout: one is left, nobody comes back, top seeds have the byes, and drawn matches end."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from skyjo_server.tournaments.formats import board_count, next_round
from skyjo_server.tournaments.knockout import EXTRA_ROUNDS, levels, levels_won
from skyjo_server.tournaments.values import Format, Round, Shape, point_units
from tests.server.tournaments.events import (
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

KNOCKOUT = Shape(format=Format.KNOCKOUT, duplicate=True)
SOME = settings(max_examples=40)


@st.composite
def events(draw: st.DrawFn, leaving: float = 0.0) -> Played:
    """Whole knockouts, with draws, and with entries that withdraw between rounds."""
    per_owner = draw(st.integers(1, 3))
    shape = replace(
        KNOCKOUT, boards=draw(st.sampled_from([2, 4])), entries_per_owner=per_owner, seeded=draw(st.booleans())
    )
    entries = draw(owned_entries(2, 20, per_owner))
    draws = draw(st.sampled_from([0.0, 0.5, 1.0]))
    return play(shape, entries, draw(seeds), withdrawing(draw(seeds), leaving), draws)


def main_rounds(played: Played) -> list[Round]:
    """The first round of each level: two that meet again are in an extra round."""
    met: set[frozenset[int]] = set()
    mains = []
    for round_ in played.rounds:
        meetings = {frozenset(table.seats) for table in round_.tables}
        if not meetings & met:
            mains.append(round_)
        met |= meetings
    return mains


def reached(played: Played) -> dict[int, int]:
    return levels_won(played.shape, played.entries, played.lots, played.rounds, played.points)


@given(events())
@SOME
def test_each_level_halves_the_field_and_one_is_left(played: Played) -> None:
    mains = main_rounds(played)
    assert len(mains) == levels(len(played.entries))
    left = frozenset(range(len(played.entries)))
    for main in mains:
        assert main.entries() <= left
        left = main.entries()
    sizes = [len(main.entries()) for main in mains]
    assert sizes[0] == len(played.entries)
    assert sizes[1:] == [2 ** (len(mains) - level) for level in range(1, len(mains))]
    assert max(reached(played).values()) == len(mains)
    assert Counter(reached(played).values())[len(mains)] == 1


@given(events())
@SOME
def test_whoever_has_more_points_in_a_match_gets_on(played: Played) -> None:
    won = reached(played)
    for level, main in enumerate(main_rounds(played)):
        for one, other in {tuple(sorted(table.seats)) for table in main.tables}:
            numbers = [round_.number for round_ in played.rounds if {one, other} <= round_.entries()]
            numbers = [number for number in numbers if (one, other) in pairs_of(played.rounds[number])]
            lead = point_units(played.points[one][number] - played.points[other][number] for number in numbers)
            if lead:
                assert won[one if lead > 0 else other] > level
                assert won[other if lead > 0 else one] == level
            else:
                assert len(numbers) == 1 + EXTRA_ROUNDS, "lots decide when every extra round was drawn"
                assert sorted((won[one] > level, won[other] > level)) == [False, True]


def pairs_of(round_: Round) -> set[tuple[int, ...]]:
    return {tuple(sorted(table.seats)) for table in round_.tables}


@given(events())
@SOME
def test_byes_are_in_the_first_round_alone_and_go_to_the_top_seeds(played: Played) -> None:
    count = len(played.entries)
    assert all(not round_.byes for round_ in played.rounds[1:])
    assert len(played.rounds[0].byes) == 2 ** levels(count) - count
    if played.shape.seeded:
        assert played.rounds[0].byes == tuple(range(len(played.rounds[0].byes)))


@given(seeds)
@SOME
def test_the_best_two_seeds_meet_in_the_last_round_if_the_better_always_wins(seed: int) -> None:
    shape = replace(KNOCKOUT, seeded=True)
    entries = strangers(2 + seed % 15)
    lots = drawn(seed, len(entries))
    rounds: list[Round] = []
    points: dict[int, list[float]] = {entry.number: [] for entry in entries}
    while (following := next_round(shape, entries, lots, rounds, points)) is not None:
        rounds.append(following)
        best = {min(table.seats) for table in following.tables}
        for number, got in points.items():
            got.append(2.0 if number in best else 0.0)
    assert set(rounds[-1].tables[0].seats) == {0, 1}


@given(events())
@SOME
def test_seats_are_exactly_even(played: Played) -> None:
    assert seat_imbalance(played.tables) == 0


@given(events())
@SOME
def test_no_owner_meets_a_board_at_two_tables_in_rounds_of_a_kind(played: Played) -> None:
    meetings = meetings_of_boards(played)
    assert len(set(meetings)) == len(meetings)
    assert {table.board for table in played.tables} <= set(range(board_count(played.shape, played.entries)))


@given(events(leaving=0.15))
@SOME
def test_whoever_withdraws_is_out_and_one_is_left_at_most(played: Played) -> None:
    """The last of the rounds has the final, or its winner was known before: everybody else had withdrawn."""
    assert len(main_rounds(played)) <= levels(len(played.entries))
    won = reached(played)
    furthest = [entry for entry, level in won.items() if level == max(won.values())]
    active = {entry.number for entry in played.entries if entry.active}
    still_in = played.rounds[-1].entries() & active
    assert len(furthest) == 1 or len(still_in) < 2 or set(furthest) & active
    again = next_round(played.shape, played.entries, played.lots, played.rounds, played.points)
    assert again is None


def test_the_same_history_gives_the_same_round() -> None:
    played = play(KNOCKOUT, strangers(11), seed=4, draws=0.5)
    for number, round_ in enumerate(played.rounds[1:], 1):
        points = {entry: got[:number] for entry, got in played.points.items()}
        assert next_round(played.shape, played.entries, played.lots, played.rounds[:number], points) == round_
