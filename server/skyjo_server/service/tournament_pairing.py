"""Making rounds when it is time for them, and tables of a ladder: what formats are given. Knows no rule of pairing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from skyjo_server.service.tournament_model import EntryStatus
from skyjo_server.service.tournament_ports import Book
from skyjo_server.service.tournament_schedule import lots_of, player_of, values_of
from skyjo_server.tournaments.formats import first_rounds, next_round
from skyjo_server.tournaments.knockout import levels_won
from skyjo_server.tournaments.ladder import LadderEntry, ladder_tables
from skyjo_server.tournaments.points import points_of
from skyjo_server.tournaments.tally import Tally
from skyjo_server.tournaments.values import Format, InvalidShape, Round, Table

KNOWN_AT_START: Final = frozenset({Format.ROUND_ROBIN, Format.GAUNTLET})
"""Formats whose whole schedule is known when the event begins."""


def pair(book: Book) -> bool:
    """Pair what can be paired now; says whether all is played, and nothing is to come."""
    event = book.event
    shape = event.info.new.shape
    if shape.format is Format.LADDER:
        return _ladder(book)
    while not _is_open(book):
        rounds = _next_rounds(book)
        if not rounds:
            return True
        add(book, rounds)  # a round of byes alone is over at once
    return False


def stages(book: Book) -> Mapping[int, int]:
    """How far every entry of a knockout has got."""
    event = book.event
    entries = values_of(book.entries())
    history, results = book.history()
    shape, lots = event.info.new.shape, lots_of(event, len(entries))
    return levels_won(shape, entries, lots, history, points_of(shape, history, results))


def _is_open(book: Book) -> bool:
    progress = book.event.info.progress
    return progress.tables_over < progress.tables_total


def rounds_at_start(book: Book) -> Sequence[Round]:
    """All that can be paired at the beginning. Raises InvalidShape if these entries cannot play it."""
    event = book.event
    entries = values_of(book.entries())
    return first_rounds(event.info.new.shape, entries, lots_of(event, len(entries)))


def _next_rounds(book: Book) -> Sequence[Round]:
    event = book.event
    shape = event.info.new.shape
    if shape.format in KNOWN_AT_START:
        return ()
    if event.info.progress.round is None:
        with suppress(InvalidShape):  # so many have left since the beginning that there is nothing to play
            return rounds_at_start(book)
        return ()
    entries = values_of(book.entries())
    lots = lots_of(event, len(entries))
    history, results = book.history()
    following = next_round(shape, entries, lots, history, points_of(shape, history, results))
    return () if following is None else (following,)


def add(book: Book, rounds: Sequence[Round]) -> None:
    """Put rounds into the schedule, and give what byes are worth."""
    book.add_rounds(rounds)
    for round_ in rounds:
        book.log("paired", _told(round_))
    shape = book.event.info.new.shape
    if shape.format in KNOWN_AT_START:
        book.set_rounds(len(rounds))
    byes = Counter(entry for round_ in rounds for entry in round_.byes)
    book.add_scores({entry: Tally.bye(shape.boards * count) for entry, count in byes.items()}, {})


def _ladder(book: Book) -> bool:
    """New tables of a ladder while there is room; it is over once everybody has played as much as it asks for."""
    event = book.event
    shape = event.info.new.shape
    pending = book.pending()
    free = shape.tables_at_once - len(pending)
    made = ladder_tables(shape, _standing(book, Counter(seat for each in pending for seat in each.table.seats)), free)
    if made:
        first = book.next_table(0)
        tables = tuple(Table(0, first + place, None, seats) for place, seats in enumerate(made))
        add(book, [Round(0, tables)])
    return shape.rounds is not None and not made and not pending and event.info.progress.tables_total > 0


def _standing(book: Book, playing: Mapping[int, int]) -> list[LadderEntry]:
    active = [each for each in book.entries() if each.info.status is EntryStatus.ACTIVE]
    ratings = book.ratings(map(player_of, active))
    return [
        LadderEntry(
            number=each.info.number,
            rating=None if (rated := ratings.get(player_of(each))) is None else rated.mean,
            games=each.tables - playing.get(each.info.number, 0),
            playing=playing.get(each.info.number, 0),
            owner=None if each.owner_id is None else str(each.owner_id),
        )
        for each in active
    ]


def _told(round_: Round) -> dict[str, Any]:
    """A round as the log keeps it; its boards are for the service alone while they are played."""
    return {
        "round": round_.number,
        "first_table": round_.tables[0].table if round_.tables else 0,
        "tables": [list(table.seats) for table in round_.tables],
        "boards": [table.board for table in round_.tables],
        "byes": list(round_.byes),
    }
