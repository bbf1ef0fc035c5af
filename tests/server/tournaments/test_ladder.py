"""The ladder: a fair share of games for everybody, near ratings, even seats; nobody can crowd others out."""

from __future__ import annotations

import random
from collections import Counter, deque
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skyjo_server.tournaments.ladder import NEAR, LadderEntry, ladder_tables
from skyjo_server.tournaments.values import Format, Shape
from tests.server.tournaments.events import seeds

LADDER = Shape(format=Format.LADDER)
SOME = settings(max_examples=25)


@dataclass
class Ladder:
    """A ladder that runs: games last as long as they like, and a rating goes up with every game won."""

    shape: Shape
    entries: list[LadderEntry]
    luck: random.Random
    in_order: bool = False
    running: deque[tuple[int, ...]] = field(default_factory=deque)
    started: list[tuple[int, ...]] = field(default_factory=list)

    def step(self) -> bool:
        """Start what can be started, and end some games; says whether there was anything to do."""
        tables = ladder_tables(self.shape, self.entries, self.shape.tables_at_once - len(self.running))
        self.running += tables
        self.started += tables
        for seats in tables:
            self.change(seats, playing=1)
        ending = min(len(self.running), self.luck.randint(1, 4))
        for _ in range(ending):
            self.end(0 if self.in_order else self.luck.randrange(len(self.running)))
        return ending > 0

    def end(self, place: int) -> None:
        seats = self.running[place]
        del self.running[place]
        self.change(seats, playing=-1, games=1)
        winner = max(seats, key=lambda entry: entry + self.luck.gauss(0, 4))
        self.entries[winner] = replace(self.entries[winner], rating=(self.entries[winner].rating or 0) + 1)

    def change(self, seats: tuple[int, ...], playing: int, games: int = 0) -> None:
        for entry in seats:
            now = self.entries[entry]
            self.entries[entry] = replace(now, playing=now.playing + playing, games=now.games + games)


@st.composite
def ladders(draw: st.DrawFn, *, owners: bool = True, in_order: bool = False, rounds: int | None = None) -> Ladder:
    """Ladders before their first game."""
    size = draw(st.integers(2, 4))
    tables_at_once = draw(st.integers(size, 30))
    shape = replace(LADDER, table_size=size, boards=size, rounds=rounds, tables_at_once=tables_at_once)
    luck = random.Random(draw(seeds))
    count = draw(st.integers(size, 16))
    whose = luck.choices([None, "ann", "bob"], k=count) if owners else [None] * count
    entries = [LadderEntry(number, luck.choice([None, 0.0, 10.0]), 0, 0, owner) for number, owner in enumerate(whose)]
    return Ladder(shape, entries, luck, in_order)


@given(ladders(owners=False, in_order=True))
@SOME
def test_everybody_gets_as_many_games_whoever_wins(ladder: Ladder) -> None:
    for _ in range(60):
        ladder.step()
    shares = [entry.share for entry in ladder.entries]
    assert max(shares) - min(shares) <= 3 * ladder.shape.boards


@given(ladders())
@SOME
def test_whoever_has_had_least_and_can_play_is_in_the_next_meeting(ladder: Ladder) -> None:
    shape = ladder.shape
    for _ in range(40):
        ladder.step()
        tables = ladder_tables(shape, ladder.entries, shape.tables_at_once - len(ladder.running))
        able = [entry.share for entry in ladder.entries if entry.playing + shape.boards <= shape.games_at_once]
        assert not tables or ladder.entries[tables[0][0]].share == min(able)


@given(ladders())
@SOME
def test_meetings_are_whole_and_seats_exactly_even(ladder: Ladder) -> None:
    for _ in range(40):
        ladder.step()
    counts = Counter((entry, seat) for seats in ladder.started for seat, entry in enumerate(seats))
    for entry in ladder.entries:
        assert len({counts[entry.number, seat] for seat in range(ladder.shape.table_size)}) == 1
    assert all(len(set(seats)) == ladder.shape.table_size for seats in ladder.started)


@given(ladders())
@SOME
def test_no_more_games_run_at_once_than_are_allowed(ladder: Ladder) -> None:
    for _ in range(40):
        ladder.step()
        assert len(ladder.running) <= ladder.shape.tables_at_once
        assert all(entry.playing <= ladder.shape.games_at_once for entry in ladder.entries)


@given(ladders(owners=False, rounds=8))
@SOME
def test_a_ladder_with_an_end_ends_and_everybody_has_had_its_games(ladder: Ladder) -> None:
    for _ in range(2_000):
        if not ladder.step():
            break
    assert not ladder.running
    wanted = 8
    assert all(entry.games >= wanted for entry in ladder.entries)
    assert max(entry.games for entry in ladder.entries) <= wanted + 3 * ladder.shape.boards


def test_a_bot_whose_games_never_end_takes_no_games_from_others() -> None:
    entries = [LadderEntry(number, float(number), 0, 0) for number in range(10)]
    ladder = Ladder(replace(LADDER, tables_at_once=12), entries, random.Random(1), in_order=True)
    for _ in range(400):
        ladder.step()
        stuck = [seats for seats in ladder.running if 3 in seats]
        moving = [seats for seats in ladder.running if 3 not in seats]
        ladder.running = deque([*moving, *stuck])
    assert ladder.entries[3].playing <= ladder.shape.games_at_once
    others = [entry.games for entry in ladder.entries if entry.number != 3]
    assert min(others) > 20


def test_opponents_are_near_and_not_always_the_same() -> None:
    entries = [LadderEntry(number, float(number), 100 * (number != 20), 0) for number in range(40)]
    met = set()
    for games in range(0, 24, 2):
        entries[20] = replace(entries[20], games=games)
        met.add(ladder_tables(LADDER, entries, 2)[0][1])
    assert len(met) == NEAR
    assert met <= set(range(20 - NEAR, 20 + NEAR + 1)) - {20}


@pytest.mark.parametrize(("owners", "first_meets"), [("aab", {2}), ("aaa", {1, 2})])
def test_bots_of_one_owner_meet_only_where_nobody_else_is_there(owners: str, first_meets: set[int]) -> None:
    entries = [LadderEntry(number, float(number), number, 0, owner) for number, owner in enumerate(owners)]
    assert ladder_tables(LADDER, entries, 2)[0][1] in first_meets


def test_nothing_starts_where_nothing_is_free() -> None:
    entries = [LadderEntry(number, None, 0, 0) for number in range(4)]
    assert ladder_tables(LADDER, entries, 1) == ()
    assert ladder_tables(LADDER, entries[:1], 64) == ()
    assert len(ladder_tables(LADDER, entries, 64)) == 16
