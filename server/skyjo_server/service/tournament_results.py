"""What the end of a game means for its event: outcome, causes, replay, scores. Writes through a book only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from skyjo_server.service.model import GameStatus
from skyjo_server.service.tournament_model import EntryStatus, SequentialVerdict
from skyjo_server.service.tournament_ports import Book, GameEnd, StoredEntry, StoredTable
from skyjo_server.service.tournament_ranking import rate
from skyjo_server.tournaments.crosstable import Crosstable, Encounter, crosstable, encounters
from skyjo_server.tournaments.points import blocks_of
from skyjo_server.tournaments.scoring import SeatScore, score_board
from skyjo_server.tournaments.sequential import Accepted, match_values, verdict
from skyjo_server.tournaments.tally import Tally
from skyjo_server.tournaments.values import Cause, Outcome, Sequential, TableResult

ATTEMPTS_MAX: Final = 3
"""Games of one table at most: if each was void, the table counts for nobody."""

ABSENCES_MAX: Final = 3
"""Games in a row that a bot may fail to appear in before it is withdrawn."""

CONTINUE: Final = "continue"
"""The sequential test asks for more games, or was given too few."""

_DECISIONS: Final = {Accepted.NEITHER: CONTINUE, Accepted.HIGH: "first", Accepted.LOW: "not-first"}

NO_SHOW: Final = "no-show"
"""The reason that stands with an entry that was withdrawn for never appearing."""


def ingest(book: Book) -> tuple[StoredTable, ...]:
    """Note every game that is over: results, replays of void ones, absences; gives the tables that have ended.

    Tables that were cancelled because an entry never appears are among them.
    """
    ended = book.ended()
    if not ended:
        return ()
    entries = {each.info.number: each for each in book.entries(_seated(table for table, _ in ended))}
    noted = [(judged(table, end, entries), end) for table, end in ended]
    tables = tuple(table for table, _ in noted)
    book.end(tables)
    withdrawn = _count_absences(book, noted, entries)
    gone = {number for number, each in entries.items() if each.info.status is not EntryStatus.ACTIVE} | set(withdrawn)
    replays = [replay_of(table, end) for table, end in noted if _is_replayed(book, table, gone)]
    for again in replays:
        book.add_replay(again)
    book.log("ended", {"tables": [_told(table) for table in tables], "replays": [_told(again) for again in replays]})
    cancelled = [table for entry in withdrawn for table in take_out(book, entry, EntryStatus.WITHDRAWN, NO_SHOW)]
    return (*tables, *cancelled)


def take_out(book: Book, entry: int, status: EntryStatus, reason: str) -> tuple[StoredTable, ...]:
    """Let an entry be paired no more, and cancel its tables that have not begun; gives those."""
    book.set_entry(entry, status, reason)
    cancelled = book.cancel(entry)
    book.log(status.value, {"entry": entry, "reason": reason, "cancelled": [_told(table) for table in cancelled]})
    return cancelled


def settle(book: Book, ended: Sequence[StoredTable]) -> None:
    """Score what is over everywhere: single tables, and boards with no table left, whose embargo ends."""
    boards = book.boards_over(table.table.board for table in ended if table.table.board is not None)
    blocks = [[table.result] for table in ended if table.table.board is None and table.result is not None]
    if boards:
        book.lift(boards)
        book.log("revealed", {"boards": list(boards)})
        blocks += blocks_of(book.results(boards))
    if not blocks:
        return
    book.add_scores(*scores_of(blocks))
    rate(book, [result for block in blocks for result in block])
    _stop_early(book)


def _stop_early(book: Book) -> None:
    """Cancel what has not begun once the sequential test has decided, on complete blocks in schedule order."""
    event = book.event.info
    test, before = event.new.shape.sequential, event.verdict
    if test is None or event.entries != 2 or (before is not None and before.decision != CONTINUE):
        return
    latest = {(each.table.round, each.table.table): each for each in book.schedule()}
    found = verdict_of(test, [each.result for each in latest.values()], event.new.shape.table_size)
    book.set_verdict(found)
    if found.decision != CONTINUE:
        book.log("decided", {"decision": found.decision, "boards": found.boards})
        settle(book, book.cancel(None))


def verdict_of(test: Sequential, results: Sequence[TableResult | None], size: int) -> SequentialVerdict:
    """Where the sequential test stands after the latest results of all tables, in the order of the schedule."""
    found = verdict(test, match_values(test, results, first=0, size=size))
    return SequentialVerdict(_DECISIONS[found.accepted], found.log_ratio, found.lower, found.upper, found.blocks)


def judged(stored: StoredTable, end: GameEnd, entries: Mapping[int, StoredEntry]) -> StoredTable:
    """A table with its result. A game that no bot ever did anything in never began: void, nobody's fault (case 53)."""
    table = stored.table
    of_bots = any(entries[entry].info.bot_id is not None for entry in table.seats)
    if end.status is GameStatus.FINISHED and (end.begun or not of_bots):
        outcome, causes = Outcome.FINISHED, end.causes
    else:
        outcome = Outcome.ABORTED if end.status is GameStatus.ABORTED else Outcome.VOID
        causes = (Cause.VOID,) * len(table.seats)
    counts = outcome is Outcome.FINISHED
    result = TableResult(
        table=table,
        outcome=outcome,
        totals=end.totals if counts else None,
        ranks=end.ranks if counts else None,
        causes=causes,
        complete=counts and (table.board is None or not stored.own_deal),
    )
    return replace(stored, outcome=outcome, result=result)


def _is_replayed(book: Book, table: StoredTable, gone: set[int]) -> bool:
    if table.outcome is not Outcome.VOID or table.attempt + 1 >= ATTEMPTS_MAX or gone.intersection(table.table.seats):
        return False
    return not book.event.info.status.is_over


def replay_of(table: StoredTable, end: GameEnd) -> StoredTable:
    """The next attempt: on the same board if nobody acted on it, as nobody saw more than the first view of its deal.

    Where the game was declared void in its midst, more of the deal is known: the replay gets one of its own.
    """
    return StoredTable(table.table, table.attempt + 1, own_deal=table.own_deal or end.begun)


def _count_absences(
    book: Book, ended: Sequence[tuple[StoredTable, GameEnd]], entries: dict[int, StoredEntry]
) -> tuple[int, ...]:
    """Count games in a row that bots never appeared in; gives the entries for whom they are too many."""
    absences = absences_after(ended, entries)
    book.set_absences({entry: count for entry, count in absences.items() if count != entries[entry].absences})
    active = {entry for entry, each in entries.items() if each.info.status is EntryStatus.ACTIVE}
    return tuple(entry for entry, count in absences.items() if count >= ABSENCES_MAX and entry in active)


def absences_after(ended: Sequence[tuple[StoredTable, GameEnd]], entries: Mapping[int, StoredEntry]) -> dict[int, int]:
    """How many games in a row those bots have never appeared in that sat at these tables; entries as before them."""
    absences: dict[int, int] = {}
    for table, end in ended:
        if end.status is not GameStatus.FINISHED:
            continue
        for entry, cause in zip(table.table.seats, end.causes, strict=True):
            if entries[entry].info.bot_id is not None:
                before = absences.get(entry, entries[entry].absences)
                absences[entry] = before + 1 if cause is Cause.NO_SHOW or not end.begun else 0
    return absences


def scores_of(blocks: Iterable[Sequence[TableResult]]) -> tuple[dict[int, Tally], Crosstable]:
    """What entries get for boards that are over, and against whom; each block is scored together."""
    tallies: dict[int, Tally] = {}
    met: list[Encounter] = []
    for block in blocks:
        by_entry: dict[int, list[SeatScore]] = {}
        for score in score_board(block):
            by_entry.setdefault(score.entry, []).append(score)
        for entry, scores in by_entry.items():
            tallies[entry] = tallies.get(entry, Tally()) + Tally.of(scores)
        met += [encounter for result in block for encounter in encounters(result)]
    return tallies, crosstable(met)


def _seated(tables: Iterable[StoredTable]) -> set[int]:
    return {entry for table in tables for entry in table.table.seats}


def _told(table: StoredTable) -> dict[str, object]:
    """A table as the log names it."""
    return {
        "round": table.table.round,
        "table": table.table.table,
        "attempt": table.attempt,
        "outcome": table.outcome.value,
    }
