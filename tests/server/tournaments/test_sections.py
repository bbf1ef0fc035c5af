"""Nobody meets a board twice: meetings of one owner are in different sections, and those are few."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from skyjo_server.tournaments.boards import most_of_one_owner, owners_of, sections, sections_bound
from skyjo_server.tournaments.values import Entry
from tests.server.tournaments.events import entries_of, owned_entries


@given(st.data(), st.integers(2, 8), st.integers(1, 4))
def test_no_owner_is_in_two_meetings_of_a_section(data: st.DataObject, size: int, per_owner: int) -> None:
    entries = data.draw(owned_entries(0, 60, per_owner))
    owners = owners_of(entries)
    numbers = [entry.number for entry in entries]
    meetings = [tuple(numbers[at : at + size]) for at in range(0, len(numbers) - size + 1, size)]
    section_of = sections(meetings, owners)
    met = Counter(
        (section, owner)
        for section, meeting in zip(section_of, meetings, strict=True)
        for owner in {owners[entry] for entry in meeting} - {None}
    )
    assert all(count == 1 for count in met.values())
    assert sorted(set(section_of)) == list(range(len(set(section_of))))
    assert len(set(section_of)) <= sections_bound(size, most_of_one_owner(owners))


def test_meetings_of_strangers_and_house_bots_share_all_boards() -> None:
    entries = entries_of(["ann", None, "bob", None, None, None])
    assert sections([(0, 1), (2, 3), (4, 5), (1, 5)], owners_of(entries)) == (0, 0, 0, 0)


def test_an_owner_that_meets_itself_is_at_one_table() -> None:
    entries = entries_of(["ann", "ann", "bob", "eve"])
    assert sections([(0, 1), (2, 3)], owners_of(entries)) == (0, 0)


def test_a_meeting_is_not_left_alone_where_another_can_join_it() -> None:
    entries = [Entry(number, owner) for number, owner in enumerate("aabcdefg")]
    section_of = sections([(0, 2), (3, 4), (5, 6), (1, 7)], owners_of(entries))
    assert sorted(Counter(section_of).values()) == [2, 2]
