"""Knockout: the bracket, and who is still in it. Knows no boards; what a table is worth, the scoring decides.

The bracket has the seeds in the order in which the best two would meet last; its empty places are byes of the top
seeds. A match that is drawn goes on in extra rounds, in which nobody else plays; when it is still drawn after a few,
lots decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from skyjo_server.tournaments.schedule import Stage
from skyjo_server.tournaments.values import Entry, Lots, Points, Round, Shape, point_units

EXTRA_ROUNDS: Final = 4
"""Extra rounds of a drawn match, at most."""

EXTRA_GAMES: Final = 2
"""Games of a match in an extra round: one in each order of the seats."""

Slots = tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """What is played next.

    Attributes:
        stage: who meets whom.
        level: how often those in it have got on, 0 in the first round.
        extra: 0, or which extra round of the level.
    """

    stage: Stage
    level: int
    extra: int = 0


@dataclass(frozen=True, slots=True)
class _Level:
    """The rounds of one level, and who stood in the bracket; neighbours are a match."""

    slots: Slots
    rounds: tuple[Round, ...]

    def matches(self) -> Iterable[tuple[int | None, int | None]]:
        """The two places of every match."""
        return zip(self.slots[::2], self.slots[1::2], strict=True)


def levels(entries: int) -> int:
    """How many matches the winner of a bracket plays, byes included.

    >>> levels(2), levels(9)
    (1, 4)
    """
    return (entries - 1).bit_length()


def knockout_step(
    shape: Shape, entries: Sequence[Entry], lots: Lots, history: Sequence[Round], points: Points
) -> Step | None:
    """What is played next; None when one is left.

    Whoever withdraws loses its match; if both do, the next opponent has a bye. A round may have byes alone.

    Args:
        shape: of the event.
        entries: all of them, as they are now.
        lots: what was drawn.
        history: all rounds so far.
        points: of every entry.
    """
    if not history:
        return _main(_first_slots(shape, entries, lots, {entry.number for entry in entries if entry.active}), 0)
    played = _levels(shape, entries, lots, history)
    level = played[-1]
    active = {entry.number for entry in entries if entry.active}
    drawn = tuple(match for match in _pairs(level) if set(match) <= active and _lead(match, level, points) == 0)
    if drawn and len(level.rounds) <= EXTRA_ROUNDS:
        return Step(Stage(drawn), len(played) - 1, len(level.rounds))
    order = [entries[index].number for index in lots(len(history))]
    return _main(tuple(_winner(match, level, points, active, order) for match in level.matches()), len(played))


def levels_won(
    shape: Shape, entries: Sequence[Entry], lots: Lots, history: Sequence[Round], points: Points
) -> dict[int, int]:
    """How many levels each entry has got past: what comes first in the standings of a knockout.

    Args and meaning are those of :func:`knockout_step`.
    """
    if not history:
        return {}
    played = _levels(shape, entries, lots, history)
    won = {slot: 0 for slot in played[0].slots if slot is not None}
    for number, level in enumerate(played):
        won.update((slot, number) for slot in level.slots if slot is not None)
    if knockout_step(shape, entries, lots, history, points) is None:
        level, active = played[-1], {entry.number for entry in entries if entry.active}
        order = [entries[index].number for index in lots(len(history))]
        winners = (_winner(match, level, points, active, order) for match in level.matches())
        won.update((winner, len(played)) for winner in winners if winner is not None)
    return won


def _first_slots(shape: Shape, entries: Sequence[Entry], lots: Lots, present: AbstractSet[int]) -> Slots:
    """The bracket of the first level: seed 0 meets the last one, and so on."""
    drawn = entries if shape.seeded else [entries[index] for index in lots(0)]
    seeds = [entry.number for entry in drawn if entry.number in present]
    places = [0]
    while len(places) < max(2, len(seeds)):
        last = 2 * len(places) - 1
        places = [place for seed in places for place in (seed, last - seed)]
    return tuple(seeds[place] if place < len(seeds) else None for place in places)


def _main(slots: Slots, level: int) -> Step | None:
    """The main round of a level; None if fewer than two are left."""
    if sum(slot is not None for slot in slots) < 2:
        return None
    matches = list(zip(slots[::2], slots[1::2], strict=True))
    pairs = tuple((one, other) for one, other in matches if one is not None and other is not None)
    alone = tuple(who for match in matches if None in match for who in match if who is not None)
    return Step(Stage(pairs, alone), level)


def _levels(shape: Shape, entries: Sequence[Entry], lots: Lots, history: Sequence[Round]) -> list[_Level]:
    """The rounds by level; whoever is in a main round got there, whatever has become of it since."""
    played: list[_Level] = []
    for round_ in history:
        present = round_.entries()
        if not played:
            played.append(_Level(_first_slots(shape, entries, lots, present), (round_,)))
        elif _is_extra(round_, played[-1]):
            played[-1] = _Level(played[-1].slots, (*played[-1].rounds, round_))
        else:
            slots = tuple(next((who for who in match if who in present), None) for match in played[-1].matches())
            played.append(_Level(slots, (round_,)))
    return played


def _is_extra(round_: Round, level: _Level) -> bool:
    """Two that have met meet again in extra rounds only."""
    return bool(round_.tables) and frozenset(round_.tables[0].seats) in set(map(frozenset, _pairs(level)))


def _pairs(level: _Level) -> list[tuple[int, int]]:
    """The matches of a level that were played, in the order of the bracket."""
    met = {frozenset(table.seats) for table in level.rounds[0].tables}
    return [
        (one, other)
        for one, other in level.matches()
        if one is not None and other is not None and frozenset((one, other)) in met
    ]


def _lead(match: tuple[int, int], level: _Level, points: Points) -> int:
    """By how many millionths of a point the first of a match leads over all rounds of its level."""
    numbers = [round_.number for round_ in level.rounds]
    one, other = (point_units(points[who][number] for number in numbers) for who in match)
    return one - other


def _winner(
    match: tuple[int | None, int | None], level: _Level, points: Points, active: AbstractSet[int], order: Sequence[int]
) -> int | None:
    """Who gets on: of those that are still active the better; of two that are level, the one drawn first."""
    left = [who for who in match if who is not None and who in active]
    if len(left) < 2:
        return next(iter(left), None)
    one, other = left
    lead = _lead((one, other), level, points)
    return (one if lead > 0 else other) if lead else min(left, key=order.index)
