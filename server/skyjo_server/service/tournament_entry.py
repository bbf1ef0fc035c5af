"""Who is in an event: entering, coming back, and the beginning, which fixes what can be fixed. Pairs nobody."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from skyjo_server.service.errors import AlreadyEntered, EntryClosed, EntryLimit, TooFewEntries, TournamentOver
from skyjo_server.service.tournament_model import EntryStatus, TournamentStatus
from skyjo_server.service.tournament_pairing import KNOWN_AT_START, add, rounds_at_start
from skyjo_server.service.tournament_ports import Book, NewEntry, StoredEntry
from skyjo_server.service.tournament_schedule import commitment_of_boards, fillers_needed, least_entries, values_of
from skyjo_server.tournaments.formats import board_count, round_count
from skyjo_server.tournaments.values import Format

WITHDRAWN: Final = "withdrawn"
"""The reason that stands with an entry that was withdrawn by its owner."""


def admit(book: Book, bot_id: UUID, owner_id: UUID, name: str) -> StoredEntry:
    """Enter a bot, and begin the event if it was the last one that was waited for; harmless if it is in already.

    Raises:
        TournamentOver, EntryClosed, EntryLimit: nobody enters any more, or not this one.
        AlreadyEntered: it has left.
    """
    entry = book.entry_of(bot_id)
    if entry is not None and entry.info.status is EntryStatus.ACTIVE:
        book.call_again(soon=True)  # a write of its own, so that the answer is vouched for as the first one was
        return entry
    _refuse_late(book)
    _refuse_too_many(book, owner_id)
    if entry is not None:
        return _take_back(book, entry)
    entry = add_entry(book, NewEntry(bot_id, owner_id, None, name, _since_round(book)))
    begin_if_full(book)
    return entry


def add_entry(book: Book, new: NewEntry) -> StoredEntry:
    """Add an entry, of whomever."""
    entry = book.add_entry(new)
    told = {"entry": entry.info.number, "bot": None if new.bot_id is None else str(new.bot_id), "house": new.house}
    book.log("entered", {**told, "name": new.name, "since_round": new.since_round})
    book.call_again(soon=True)
    return entry


def add_house(book: Book, house: str) -> None:
    """Enter a house bot; several of one kind are told apart by a number."""
    same = sum(each.info.house == house for each in book.entries())
    name = f"{house} {same + 1}" if same else house
    add_entry(book, NewEntry(None, None, house, name, _since_round(book)))


def begin(book: Book) -> None:
    """Begin: fill up with house bots, publish what fixes the boards, and the schedule where all of it is known.

    Raises:
        TooFewEntries: nothing has changed.
    """
    event = book.event
    new, active = event.info.new, book.active_entries()
    if active < least_entries(new.shape):
        raise TooFewEntries(active, least_entries(new.shape))
    if new.filler is not None:
        for _ in range(fillers_needed(new.shape, active)):
            add_house(book, new.filler)
    everybody = book.entries()
    for each in everybody:
        if each.info.status is not EntryStatus.ACTIVE:
            # Who has left before is not of those that the number of rounds goes by.
            book.set_entry(each.info.number, each.info.status, each.info.reason, since_round=1)
    entries = values_of(each for each in everybody if each.info.status is EntryStatus.ACTIVE)
    boards = board_count(new.shape, entries)
    committed = commitment_of_boards(event, boards) if boards else None
    if committed is not None:
        book.set_boards_commitment(committed)
    book.set_rounds(round_count(new.shape, entries))
    book.set_status(TournamentStatus.RUNNING)
    told = None if committed is None else committed.hex()
    book.log("started", {"boards": boards, "boards_commitment": told})
    if new.shape.format in KNOWN_AT_START:
        add(book, rounds_at_start(book))
    book.call_again(soon=True)


def _refuse_late(book: Book) -> None:
    event = book.event
    info, new = event.info, event.info.new
    if info.status.is_over:
        raise TournamentOver(info.status.value)
    if new.closes_at is not None and new.closes_at <= event.now:
        raise EntryClosed(f"entry closed at {new.closes_at.isoformat()}")
    lets_in_late = new.shape.format is Format.LADDER or (new.late_entry and new.shape.format is Format.SWISS)
    if info.status is not TournamentStatus.ENTRY and not lets_in_late:
        raise EntryClosed("it has begun")


def _refuse_too_many(book: Book, owner_id: UUID) -> None:
    shape = book.event.info.new.shape
    if shape.entries_max is not None and book.active_entries() >= shape.entries_max:
        raise EntryClosed(f"all {shape.entries_max} places are taken")
    if book.entries_of(owner_id) >= shape.entries_per_owner:
        raise EntryLimit(shape.entries_per_owner)


def _take_back(book: Book, entry: StoredEntry) -> StoredEntry:
    """Let a bot that has withdrawn come back: to an event that has not begun, or to a ladder."""
    info = entry.info
    may = book.event.info.status is TournamentStatus.ENTRY or book.event.info.new.shape.format is Format.LADDER
    if info.status is not EntryStatus.WITHDRAWN or not may:
        raise AlreadyEntered(info.number, info.status.value)
    book.set_entry(info.number, EntryStatus.ACTIVE, None)
    book.log("returned", {"entry": info.number})
    book.call_again(soon=True)
    begin_if_full(book)
    return book.entries([info.number])[0]


def begin_if_full(book: Book) -> None:
    """Begin an event that begins by itself, once everybody is in whom it waits for."""
    info = book.event.info
    new = info.new
    if info.status is TournamentStatus.ENTRY and new.start_when_full and book.active_entries() == new.shape.entries_max:
        begin(book)


def _since_round(book: Book) -> int:
    """The first round that whoever enters now can be paired in."""
    info = book.event.info
    begun = info.progress.round is not None and info.new.shape.format is not Format.LADDER
    return (info.progress.round or 0) + 1 if begun else 0
