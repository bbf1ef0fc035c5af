"""Moving an event on under its lock: begin it, note what has ended, pair, deal, rank, finish. Runs no thread.

What a step does follows from the log and the games alone, so that it does not matter which process makes it, nor how
often one was broken off: nothing of it is there before all of it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from skyjo_server.service.model import GameInfo
from skyjo_server.service.tournament_entry import begin
from skyjo_server.service.tournament_model import TournamentStatus
from skyjo_server.service.tournament_pairing import pair
from skyjo_server.service.tournament_ports import Book, StoredTable
from skyjo_server.service.tournament_ranking import rank
from skyjo_server.service.tournament_results import ingest, settle
from skyjo_server.service.tournament_schedule import entries_at, least_entries, new_game

GAMES_AT_ONCE: Final = 16
"""Games that one step begins at most: others wait for the lock meanwhile."""

RANK_SECONDS: Final = 2.0
ENTRIES_A_SECOND: Final = 100
"""How long the ranking stays as it is at least while games go on: longer where it has many rows."""


def advance(book: Book) -> tuple[GameInfo, ...]:
    """Do everything that can be done now; gives the games that have begun."""
    book.call_again(soon=False)
    _begin_by_clock(book)
    settle(book, ingest(book))
    begun: tuple[GameInfo, ...] = ()
    is_played_out = False
    if book.event.info.status is TournamentStatus.RUNNING:
        is_played_out = pair(book)
        begun = _deal(book)
    _end(book, is_played_out)
    _rank(book)
    return begun


def _begin_by_clock(book: Book) -> None:
    """Begin an event whose time has come; one that nearly nobody has entered is called off."""
    event = book.event
    start_at, shape = event.info.new.start_at, event.info.new.shape
    if event.info.status is not TournamentStatus.ENTRY or start_at is None or start_at > event.now:
        return
    if book.active_entries() < least_entries(shape):
        abort(book, "too-few-entries")
    else:
        begin(book)


def abort(book: Book, reason: str) -> None:
    """End an event at once: what has not begun is cancelled; what is on is stopped by whoever makes the next step."""
    book.set_status(TournamentStatus.ABORTED)
    cancelled = book.cancel(None)
    book.log("aborted", {"reason": reason})
    settle(book, cancelled)
    book.call_again(soon=True)


def _deal(book: Book) -> tuple[GameInfo, ...]:
    """Begin games while fewer are on than may be."""
    event = book.event
    free = event.info.new.shape.tables_at_once - event.info.progress.tables_playing
    tables = book.scheduled(min(free, GAMES_AT_ONCE)) if free > 0 else ()
    if not tables:
        return ()
    entries = entries_at(book, tables)
    games = [(table, new_game(event, table, entries)) for table in tables]
    begun = book.deal(games)
    book.log("dealt", {"tables": [_dealt(table, str(game.game_id)) for table, game in games]})
    book.call_again(soon=len(tables) == GAMES_AT_ONCE)
    return begun


def _dealt(table: StoredTable, game_id: str) -> Mapping[str, object]:
    return {
        "round": table.table.round,
        "table": table.table.table,
        "attempt": table.attempt,
        "game": game_id,
    }


def _end(book: Book, is_played_out: bool) -> None:
    """Finish an event of which nothing is left, and reveal the seed of one that is over."""
    info = book.event.info
    if info.progress.tables_over < info.progress.tables_total or info.seed is not None:
        return
    if info.status is TournamentStatus.RUNNING and is_played_out:
        book.set_status(TournamentStatus.FINISHED)
        book.reveal()
        book.log("finished", {"seed": book.event.seed.hex()})
    elif info.status is TournamentStatus.ABORTED:
        book.reveal()
        book.log("seed-revealed", {"seed": book.event.seed.hex()})


def _rank(book: Book) -> None:
    """Make the ranking anew where scores have changed: at once when the event is over, else now and then."""
    event = book.event
    if event.is_unranked and (event.info.status.is_over or event.rank_after <= event.now):
        rank(book, max(RANK_SECONDS, event.info.entries / ENTRIES_A_SECOND))
