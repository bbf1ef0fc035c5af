"""Which tables of a round may play the same boards: nobody meets a board twice. Decides nothing about who meets whom.

A bot may remember what it saw, and its owner's other bots may know it; so an owner is at one table of a board at most.
House bots have no memory. Tables are put into sections, and every section has boards of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from skyjo_server.tournaments.values import Entry

Owners = Mapping[int, str | None]
"""The owner of each entry by its number; None = a house bot."""


def owners_of(entries: Sequence[Entry]) -> dict[int, str | None]:
    """The owner of each entry by its number."""
    return {entry.number: entry.owner for entry in entries}


def sections_bound(table_size: int, entries_per_owner: int) -> int:
    """How many sections are enough for a round in which each entry has one table.

    >>> sections_bound(4, 1), sections_bound(2, 3)
    (1, 5)
    """
    return table_size * (entries_per_owner - 1) + 1


def most_of_one_owner(owners: Owners) -> int:
    """How many entries of one owner there are at most, house bots apart; 1 if there are none."""
    return max(Counter(owner for owner in owners.values() if owner is not None).values(), default=1)


def sections(meetings: Sequence[Sequence[int]], owners: Owners) -> tuple[int, ...]:
    """Put meetings into sections 0, 1 …, as few as come by themselves, so that no owner is in two meetings of one.

    Where each entry that has an owner has one meeting, they are no more than :func:`sections_bound`. A section of one
    meeting would have nothing to compare; it gets a second one where another section can spare it.

    >>> sections([(0, 1), (2, 3), (4, 5)], {0: "ann", 1: "bob", 2: "eve", 3: "ann", 4: "joe", 5: None})
    (0, 1, 0)
    """
    who = [frozenset(owners[entry] for entry in meeting) - {None} for meeting in meetings]
    members: list[list[int]] = []
    present: list[set[str | None]] = []
    for meeting, here in enumerate(who):
        section = next((section for section, others in enumerate(present) if here.isdisjoint(others)), len(present))
        if section == len(present):
            members.append([])
            present.append(set())
        members[section].append(meeting)
        present[section] |= here
    _fill_up(members, present, who)
    by_meeting = {meeting: section for section, meetings in enumerate(members) for meeting in meetings}
    return tuple(by_meeting[meeting] for meeting in range(len(meetings)))


def _fill_up(members: list[list[int]], present: list[set[str | None]], who: Sequence[frozenset[str | None]]) -> None:
    """Give sections of a single meeting another one, from the section that has most."""
    for section, alone in enumerate(members):
        most = max(members, key=len)
        if len(alone) > 1 or len(most) < 3:
            continue
        spare = next((meeting for meeting in reversed(most) if who[meeting].isdisjoint(present[section])), None)
        if spare is not None:
            most.remove(spare)
            alone.append(spare)
            present[section] |= who[spare]
