"""The formats, behind three functions: what is known at the start, what comes next, and how many boards it may need.

Plays nothing and keeps nothing: whoever runs an event calls them with its entries and history, and gets the same again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from skyjo_server.tournaments.boards import most_of_one_owner, owners_of, sections_bound
from skyjo_server.tournaments.knockout import EXTRA_GAMES, EXTRA_ROUNDS, knockout_step, levels
from skyjo_server.tournaments.robin import gauntlet, round_robin
from skyjo_server.tournaments.schedule import Boards, even_rounds, rotation_round
from skyjo_server.tournaments.swiss import swiss_rounds, swiss_stage
from skyjo_server.tournaments.values import Entry, Format, InvalidShape, Lots, Points, Round, Shape


def first_rounds(shape: Shape, entries: Sequence[Entry], lots: Lots) -> tuple[Round, ...]:
    """Everything that is known when the event starts.

    All rounds of a round robin and a gauntlet, the first of a Swiss and a knockout, nothing of a ladder.

    Args:
        shape: of the event.
        entries: in order of entry; those that are not active are left out.
        lots: what was drawn.
    Raises:
        InvalidShape: if these entries cannot play it.

    >>> shape = Shape(format=Format.ROUND_ROBIN, boards=1)
    >>> for round_ in first_rounds(shape, [Entry(number, None) for number in range(3)], lambda _: range(3)):
    ...     print([table.seats for table in round_.tables], round_.byes)
    [(2, 1)] (0,)
    [(1, 0)] (2,)
    [(0, 2)] (1,)
    """
    active = [entry for entry in entries if entry.active]
    if len(active) < shape.table_size:
        raise InvalidShape(
            "table_size",
            f"table_size is {shape.table_size}, but there are {len(active)} entries: let more enter, or add house bots",
        )
    match shape.format:
        case Format.ROUND_ROBIN:
            return even_rounds(shape, round_robin(shape, _drawn(entries, lots)), owners_of(entries))
        case Format.GAUNTLET:
            owners, numbers = owners_of(entries), [entry.number for entry in active]
            return even_rounds(shape, gauntlet(shape, numbers, _drawn(entries, lots), owners), owners)
        case Format.SWISS | Format.KNOCKOUT:
            first = next_round(shape, entries, lots, (), {})
            return () if first is None else (first,)
        case Format.LADDER:
            return ()
        case _:
            assert_never(shape.format)


def next_round(
    shape: Shape, entries: Sequence[Entry], lots: Lots, history: Sequence[Round], points: Points
) -> Round | None:
    """The next round of a Swiss or a knockout, once all tables of the last one are over; None = the event is over.

    Args:
        shape: of the event.
        entries: all of them in order of entry, as they are now.
        lots: what was drawn.
        history: all rounds so far.
        points: what each entry got in each of them, byes included.
    """
    owners, number = owners_of(entries), len(history)
    at_once = sections_bound(shape.table_size, shape.entries_per_owner)
    match shape.format:
        case Format.SWISS:
            stage = swiss_stage(shape, entries, lots, history, points)
            boards = Boards(number * shape.boards * at_once, owners)
            return None if stage is None else rotation_round(shape, number, stage, boards, shape.boards)
        case Format.KNOCKOUT:
            step = knockout_step(shape, entries, lots, history, points)
            if step is None:
                return None
            before = shape.boards + EXTRA_GAMES * (step.extra - 1) if step.extra else 0
            boards = Boards((step.level * _level_boards(shape) + before) * at_once, owners)
            return rotation_round(shape, number, step.stage, boards, EXTRA_GAMES if step.extra else shape.boards)
        case _:
            return None


def round_count(shape: Shape, entries: Sequence[Entry]) -> int | None:
    """How many rounds a Swiss has at most, by its entries at the start; None for other formats."""
    return swiss_rounds(shape, _active(entries)) if shape.format is Format.SWISS else None


def board_count(shape: Shape, entries: Sequence[Entry]) -> int:
    """How many duplicate boards the event may need, numbered from 0; 0 if it has none. Lots change nothing about it.

    Args:
        shape: of the event.
        entries: those at the start, in order of entry.
    """
    if not shape.duplicate:
        return 0
    at_once = sections_bound(shape.table_size, shape.entries_per_owner)
    match shape.format:
        case Format.SWISS:
            return swiss_rounds(shape, _active(entries)) * shape.boards * at_once
        case Format.KNOCKOUT:
            return levels(_active(entries)) * _level_boards(shape) * at_once
        case _:
            rounds = first_rounds(shape, entries, lambda _: range(len(entries)))
            most = most_of_one_owner(owners_of(entries))
            return len(rounds) * shape.boards * sections_bound(shape.table_size, most)


def _level_boards(shape: Shape) -> int:
    return shape.boards + EXTRA_ROUNDS * EXTRA_GAMES


def _active(entries: Sequence[Entry]) -> int:
    return sum(entry.active for entry in entries)


def _drawn(entries: Sequence[Entry], lots: Lots) -> list[int]:
    """The entries that play, in the order drawn."""
    return [entries[index].number for index in lots(0) if entries[index].active]
