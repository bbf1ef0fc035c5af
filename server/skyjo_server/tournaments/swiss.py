"""Swiss: who meets whom in the next round, from what they have so far. Knows no boards; pairing itself is elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import ceil, log2

from skyjo_server.tournaments.boards import Owners, owners_of
from skyjo_server.tournaments.grouping import grouped
from skyjo_server.tournaments.pairing import Candidate, paired
from skyjo_server.tournaments.schedule import Meeting, Stage
from skyjo_server.tournaments.values import Entry, Lots, Points, Round, Shape, point_units


def swiss_rounds(shape: Shape, entries: int) -> int:
    """How many rounds there are, by the entries at the start; no more than can go without a rematch or a second bye.

    By default one more than tell the best of all from the others, log2(n) + 1, but no more than half of what would be a
    round robin, where a pairing without rematches always exists.
    """
    size, over = shape.table_size, entries % shape.table_size
    most = entries - 1 if size == 2 else shape.rounds or entries
    if over:
        most = min(most, (entries - 1) // over)
    wanted = shape.rounds or min(ceil(log2(max(2, entries))) + 1, max(entries // 2, min(entries - 1, 3)))
    return max(1, min(wanted, most))


def swiss_stage(
    shape: Shape, entries: Sequence[Entry], lots: Lots, history: Sequence[Round], points: Points
) -> Stage | None:
    """Pair the next round; None if that cannot be done by the rules, or all rounds are played.

    Entries stand by points, equal ones in the order drawn for the round. Byes go to the last that had fewest, never to
    the leader, never a second one to anybody while another has had none. Two at a table never meet twice; of more,
    pairs meet again as rarely as exchanges among neighbours can make it. Where withdrawals leave no such round, the
    event is over.

    Args:
        shape: of the event.
        entries: all of them, as they are now.
        lots: what was drawn.
        history: all rounds so far.
        points: of every entry.
    """
    number = len(history)
    order = _order(entries, number, lots, points)
    at_start = len(history[0].entries()) if history else len(order)
    if number >= swiss_rounds(shape, at_start) or len(order) < shape.table_size:
        return None
    met, had = _met(entries, history), Counter(entry for round_ in history for entry in round_.byes)
    owners = owners_of(entries)
    for byes in _bye_choices(order, had, len(order) % shape.table_size):
        playing = [(entry, group) for entry, group in order if entry not in byes]
        meetings = _meetings(shape, playing, met, owners)
        if meetings is not None:
            return Stage(meetings, byes)
    return None


def _order(entries: Sequence[Entry], number: int, lots: Lots, points: Points) -> list[tuple[int, int]]:
    """Who can be paired, leaders first, each with the number of its score group."""
    drawn = [entries[index] for index in lots(number)]
    able = [entry.number for entry in drawn if entry.active and entry.since_round <= number]
    units = {number: point_units(points.get(number, ())) for number in able}
    groups = {score: group for group, score in enumerate(sorted(set(units.values()), reverse=True))}
    return [(number, groups[units[number]]) for number in sorted(able, key=lambda number: -units[number])]


def _met(entries: Sequence[Entry], history: Sequence[Round]) -> dict[int, set[int]]:
    met: dict[int, set[int]] = {entry.number: set() for entry in entries}
    for round_ in history:
        for table in round_.tables:
            for seat in table.seats:
                met[seat].update(table.seats)
    for number, others in met.items():
        others.discard(number)
    return met


def _bye_choices(order: Sequence[tuple[int, int]], had: Mapping[int, int], count: int) -> Iterator[tuple[int, ...]]:
    """Who may have the byes, the best choice first; nothing if nobody may.

    One bye goes to each in turn of those that may have it; of several, the last alone changes.
    """
    if not count:
        yield ()
        return
    fewest_first = sorted((entry for entry, _ in reversed(order)), key=lambda entry: had.get(entry, 0))
    leader = order[0][0]
    able = [entry for entry in fewest_first if entry != leader]
    fixed, last = able[: count - 1], able[count - 1 :]
    for entry in last:
        chosen = (*fixed, entry)
        others_had = min(had.get(other, 0) for other in fewest_first if other not in chosen)
        if others_had or not any(had.get(other, 0) for other in chosen):
            yield chosen


def _meetings(
    shape: Shape, order: Sequence[tuple[int, int]], met: Mapping[int, set[int]], owners: Owners
) -> tuple[Meeting, ...] | None:
    candidates = [Candidate(entry, group, owners[entry]) for entry, group in order]
    if shape.table_size == 2:
        return paired(candidates, met)
    return grouped(candidates, shape.table_size, met)
