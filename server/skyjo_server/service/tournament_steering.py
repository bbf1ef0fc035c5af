"""What an organiser or an owner does to an event under its lock, and what an event may be. Asks who does so nowhere."""

from __future__ import annotations

from dataclasses import replace
from math import comb
from typing import Final

from skyjo.bots import HOUSE_BOTS
from skyjo_server.service.errors import InvalidRequest, TournamentNotStarted, TournamentOver
from skyjo_server.service.games import refuse_endless
from skyjo_server.service.tournament_entry import add_house, begin, begin_if_full
from skyjo_server.service.tournament_model import EntryInfo, EntryStatus, NewTournament, TournamentStatus
from skyjo_server.service.tournament_pairing import KNOWN_AT_START
from skyjo_server.service.tournament_ports import Book
from skyjo_server.service.tournament_results import settle, take_out
from skyjo_server.service.tournament_schedule import least_entries
from skyjo_server.service.tournament_step import abort as end_at_once
from skyjo_server.tournaments.values import Shape

GAMES_MOST: Final = 200_000
"""Games of a schedule that is known from the start, at most."""


def checked(wanted: NewTournament) -> NewTournament:
    """The options of a new event, as they are played.

    Raises:
        RulesInvalid: for games that would take too long to be served.
        InvalidRequest: for options that cannot be.
    """
    refuse_endless(wanted.rules)
    shape = wanted.shape
    _refuse_too_many_games(shape)
    for place, house in [*((f"/house/{index}", name) for index, name in enumerate(wanted.house)), _filler(wanted)]:
        if house is not None and house not in HOUSE_BOTS:
            raise InvalidRequest(place, f"{house!r} is no house bot", f"choose one of {', '.join(HOUSE_BOTS)}")
    if wanted.clock.move_seconds is None:
        raise InvalidRequest("/move_seconds", "a bot that is gone would hold the event up", "set move_seconds")
    if wanted.start_when_full and shape.entries_max is None:
        raise InvalidRequest("/start_when_full", "it is never full without entries_max", "set entries_max")
    if shape.entries_max is not None and shape.entries_max < least_entries(shape):
        detail = f"entries_max is {shape.entries_max}, but it needs {least_entries(shape)} entries to begin"
        raise InvalidRequest("/entries_max", detail, "set a greater one, or smaller tables")
    if shape.entries_max is not None and len(wanted.house) > shape.entries_max:
        detail = f"{len(wanted.house)} house bots are more than entries_max, {shape.entries_max}"
        raise InvalidRequest("/house", detail, "name fewer, or set a greater entries_max")
    if shape.sequential is not None and shape.entries_max != 2:
        raise InvalidRequest("/entries_max", "a sequential test is about two entries", "set entries_max to 2")
    return replace(wanted, rules=replace(wanted.rules, draw_streams="per_seat")) if shape.duplicate else wanted


def enter_house_bots(book: Book) -> None:
    """Enter the house bots that are there from the start, and begin if nobody else is waited for."""
    for house in book.event.info.new.house:
        add_house(book, house)
    begin_if_full(book)


def start(book: Book) -> None:
    """Begin; harmless if it has begun. Raises TooFewEntries or TournamentOver."""
    status = book.event.info.status
    if status.is_over:
        raise TournamentOver(status.value)
    if status is TournamentStatus.ENTRY:
        begin(book)


def pause(book: Book) -> None:
    """Begin no more games. Raises TournamentNotStarted or TournamentOver."""
    _refuse_outside(book)
    if book.event.info.status is TournamentStatus.RUNNING:
        book.set_status(TournamentStatus.PAUSED)
        book.log("paused", {})


def resume(book: Book) -> None:
    """Go on. Raises TournamentNotStarted or TournamentOver."""
    _refuse_outside(book)
    if book.event.info.status is TournamentStatus.PAUSED:
        book.set_status(TournamentStatus.RUNNING)
        book.log("resumed", {})
        book.call_again(soon=True)


def abort(book: Book) -> None:
    """End at once; harmless if that was done before. Raises TournamentOver if it is finished."""
    status = book.event.info.status
    if status is TournamentStatus.FINISHED:
        raise TournamentOver(status.value)
    if status is not TournamentStatus.ABORTED:
        end_at_once(book, "organiser")


def taken_out(book: Book, entry: EntryInfo, status: EntryStatus, reason: str) -> EntryInfo:
    """Take an entry out for good or bad; harmless if it is out. Raises TournamentOver."""
    event = book.event.info
    if event.status.is_over:
        raise TournamentOver(event.status.value)
    if entry.status is EntryStatus.ACTIVE or status is EntryStatus.DISQUALIFIED is not entry.status:
        settle(book, take_out(book, entry.number, status, reason))
    book.call_again(soon=True)
    return book.entries([entry.number])[0].info


def _refuse_too_many_games(shape: Shape) -> None:
    """Refuse a schedule that is written down at the beginning and would take minutes to be. Raises InvalidRequest."""
    if shape.format not in KNOWN_AT_START:
        return
    meetings = shape.tables_max
    if shape.entries_max is not None:
        meetings = min(meetings, comb(shape.entries_max, shape.table_size))
    games = meetings * shape.boards * (shape.rounds or 1)
    if games > GAMES_MOST:
        member = "rounds" if shape.boards * meetings <= GAMES_MOST else "boards"
        detail = f"{meetings} meetings of {shape.boards} games, {shape.rounds or 1} times, are {games} games"
        way_out = f"{GAMES_MOST} are served at most: lower boards, rounds, tables_max or entries_max"
        raise InvalidRequest(f"/{member}", detail, way_out)


def _refuse_outside(book: Book) -> None:
    status = book.event.info.status
    if status is TournamentStatus.ENTRY:
        raise TournamentNotStarted
    if status.is_over:
        raise TournamentOver(status.value)


def _filler(wanted: NewTournament) -> tuple[str, str | None]:
    return "/filler", wanted.filler
