"""The open ladder: who plays next. Keeps nothing between two calls, draws no lots and knows no results but ratings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from skyjo_server.tournaments.seating import rotated
from skyjo_server.tournaments.values import Shape

NEAR: Final = 6
"""Opponents are taken among so many of the nearest ratings."""


@dataclass(frozen=True, slots=True)
class LadderEntry:
    """Where an entry stands on the ladder.

    Attributes:
        number: its number in the event.
        rating: higher is better; None = it has none yet, and stands in the middle.
        games: games that are over.
        playing: games that run or are scheduled.
        owner: whose it is; None = a house bot.
    """

    number: int
    rating: float | None
    games: int
    playing: int
    owner: str | None = None

    @property
    def share(self) -> int:
        """Games that it has had or is going to have."""
        return self.games + self.playing


def ladder_tables(shape: Shape, entries: Sequence[LadderEntry], free: int) -> tuple[tuple[int, ...], ...]:
    """The seats of the tables to be started next; whole meetings only, each in every rotation of its seats.

    Whoever has the smallest share of games chooses first, so nobody can be crowded out, neither by bots that lose nor
    by bots that let their time run out. It meets entries near its rating that have a small share too; which of them,
    changes from meeting to meeting. Bots of one owner meet only where nobody else is there.

    Args:
        shape: `boards` games a meeting, `games_at_once` of an entry; after `rounds` games it chooses no more.
        entries: every entry that can be paired, in any order.
        free: how many tables may be started.
    """
    ladder = _Ladder(shape, entries)
    tables: list[tuple[int, ...]] = []
    while len(tables) + shape.boards <= free and (meeting := ladder.next_meeting()) is not None:
        tables += (rotated(meeting, game) for game in range(shape.boards))
    return tuple(tables)


class _Ladder:
    """What is still free on the ladder while meetings are taken from it."""

    def __init__(self, shape: Shape, entries: Sequence[LadderEntry]) -> None:
        self._shape = shape
        self._share = {entry.number: entry.share for entry in entries}
        rated = [entry.rating for entry in entries if entry.rating is not None]
        middle = median(rated) if rated else 0.0
        able = (entry for entry in entries if entry.playing + shape.boards <= shape.games_at_once)
        self._able = sorted(able, key=lambda entry: (middle if entry.rating is None else entry.rating, entry.number))
        self._room = {entry.number: shape.games_at_once - entry.playing for entry in self._able}
        self._choosers = [entry for entry in self._able if shape.rounds is None or entry.share < shape.rounds]

    def next_meeting(self) -> tuple[int, ...] | None:
        """The entries of one more meeting; None if there is none."""
        while self._choosers:
            chooser = min(self._choosers, key=lambda entry: self._share[entry.number])
            opponents = self._opponents(chooser)
            if len(opponents) == self._shape.table_size - 1:
                meeting = (chooser.number, *(entry.number for entry in opponents))
                self._take(meeting)
                return meeting
            self._choosers.remove(chooser)
        return None

    def _opponents(self, chooser: LadderEntry) -> list[LadderEntry]:
        """Of the nearest those with the smallest share; equal ones take turns."""
        place = self._able.index(chooser)
        nearest = sorted((abs(other - place), other) for other in range(len(self._able)) if other != place)
        by_distance = [self._able[other] for _, other in nearest]
        strangers = [entry for entry in by_distance if entry.owner is None or entry.owner != chooser.owner]
        wanted = self._shape.table_size - 1
        near = (strangers if len(strangers) >= wanted else by_distance)[: max(NEAR, wanted)]
        turn = self._share[chooser.number] // self._shape.boards
        near = [near[(turn + step) % len(near)] for step in range(len(near))]
        return sorted(near, key=lambda entry: self._share[entry.number])[:wanted]

    def _take(self, meeting: Iterable[int]) -> None:
        for entry in meeting:
            self._share[entry] += self._shape.boards
            self._room[entry] -= self._shape.boards
        limit = self._shape.rounds
        self._able = [entry for entry in self._able if self._room[entry.number] >= self._shape.boards]
        able = set(self._able)
        self._choosers = [
            entry for entry in self._choosers if entry in able and (limit is None or self._share[entry.number] < limit)
        ]
