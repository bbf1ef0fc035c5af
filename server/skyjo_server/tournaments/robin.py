"""Round robin and gauntlet: meetings that are all known from the start. Gives no seats and no boards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skyjo_server.tournaments.boards import Owners
from skyjo_server.tournaments.designs import blocks, disjoint_groups
from skyjo_server.tournaments.schedule import Meeting, Stage
from skyjo_server.tournaments.values import InvalidShape, Shape


def round_robin(shape: Shape, order: Sequence[int]) -> tuple[Stage, ...]:
    """Everybody meets everybody, as often as the shape's `rounds`; in each stage nobody has two meetings.

    Two at a table meet by the circle method. Larger tables are all that there can be, or a cyclic design where those
    would be more than `tables_max`.

    Args:
        shape: of the event.
        order: the entries in the order drawn, at least as many as seats.
    """
    if shape.table_size == 2:
        once = _circle(order, shape.tables_max)
    else:
        tables = blocks(len(order), shape.table_size, shape.tables_max)
        groups = disjoint_groups(tables, len(order) // shape.table_size)
        once = tuple(Stage(tuple(_named(table, order) for table in group)) for group in groups)
    return once * (shape.rounds or 1)


def gauntlet(shape: Shape, numbers: Sequence[int], order: Sequence[int], owners: Owners) -> tuple[Stage, ...]:
    """Every challenger meets the same parts of the field: all that there can be, or a balanced choice of them.

    A part of the field that has no memory meets all challengers in one stage: they are compared on the same boards
    against the same field. Others go round, so that in each stage everybody else has one meeting at most.

    Args:
        shape: of the event.
        numbers: the entries in order of entry; the first are the challengers.
        order: the entries in the order drawn.
        owners: of all entries.
    Raises:
        InvalidShape: if too few are left for the field.
    """
    challengers = numbers[: shape.challengers]
    field = [number for number in order if number not in set(challengers)]
    _check_field(shape, len(numbers), len(field))
    parts = _parts(shape, field)
    houses = [part for part in parts if all(owners[entry] is None for entry in part)]
    owned = [part for part in parts if any(owners[entry] is not None for entry in part)]
    stages = [Stage(tuple((challenger, *part) for challenger in challengers)) for part in houses]
    for group in disjoint_groups(owned, len(field) // (shape.table_size - 1)):
        stages += _in_turn(challengers, group)
    return tuple(stages) * (shape.rounds or 1)


def _in_turn(challengers: Sequence[int], parts: Sequence[Meeting]) -> Iterator[Stage]:
    """Every challenger with every part, in as few stages as there are of the one or the other."""
    turns = max(len(challengers), len(parts))
    for turn in range(turns):
        places = ((index, (index + turn) % turns) for index in range(len(challengers)))
        yield Stage(tuple((challengers[index], *parts[part]) for index, part in places if part < len(parts)))


def _check_field(shape: Shape, entries: int, field: int) -> None:
    if field < shape.table_size - 1 or not field:
        raise InvalidShape(
            "challengers",
            f"challengers is {shape.challengers} of {entries} entries: {field} are left as the field, but a table needs"
            f" {shape.table_size - 1}",
        )


def _circle(order: Sequence[int], tables_max: int) -> tuple[Stage, ...]:
    """One entry stays, the others go round it; of an odd number, whoever meets the empty place has a bye."""
    ring: list[int | None] = [*order, None] if len(order) % 2 else [*order]
    turns = min(len(ring) - 1, max(1, tables_max // (len(order) // 2)))
    return tuple(_turn([ring[0], *ring[1 + by :], *ring[1 : 1 + by]]) for by in range(turns))


def _turn(ring: Sequence[int | None]) -> Stage:
    pairs = list(_facing(ring))
    meetings = tuple((first, second) for first, second in pairs if first is not None and second is not None)
    alone = {who for pair in pairs if None in pair for who in pair if who is not None}
    return Stage(meetings, tuple(alone))


def _facing(ring: Sequence[int | None]) -> Iterator[tuple[int | None, int | None]]:
    return zip(ring[: len(ring) // 2], reversed(ring), strict=False)


def _parts(shape: Shape, field: Sequence[int]) -> list[Meeting]:
    """The parts of the field that challengers meet, each one seat smaller than a table."""
    most = max(1, shape.tables_max // shape.challengers)
    if shape.table_size == 2:
        return [(entry,) for entry in field[:most]]
    return [_named(part, field) for part in blocks(len(field), shape.table_size - 1, most)]


def _named(block: Sequence[int], order: Sequence[int]) -> Meeting:
    return tuple(order[place] for place in block)
