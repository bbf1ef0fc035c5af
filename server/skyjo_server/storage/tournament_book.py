"""An event under its lock, on PostgreSQL: everything that a step or a command does to it. Decides nothing about it.

What changes in the event's own row is gathered, and written with the log when the book is closed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, func, insert, select, update

from skyjo_server.service.model import GameInfo, SeatKind
from skyjo_server.service.ports import Move, NewStoredGame, StoredGame
from skyjo_server.service.table import dealing_move, starting_move
from skyjo_server.service.tournament_model import EntryStatus, SequentialVerdict, TournamentStatus
from skyjo_server.service.tournament_ports import (
    GameEnd,
    NewEntry,
    StoredEntry,
    StoredTable,
    StoredTournament,
)
from skyjo_server.storage.games import add_games
from skyjo_server.storage.tournament_rows import (
    NO_STANDING,
    AnyRow,
    read_event,
    read_game_end,
    read_stored_entry,
    read_table,
    result_columns,
)
from skyjo_server.storage.tournament_schema import (
    TOURNAMENT_ENTRIES,
    TOURNAMENT_EVENTS,
    TOURNAMENT_STANDINGS,
    TOURNAMENT_TABLES,
    TOURNAMENTS,
)
from skyjo_server.storage.tournament_scores import ScoreBook
from skyjo_server.storage.tournament_statements import ADD_TABLES, BOARDS_OVER, CANCEL, DEALT, END, ENDED, LIFT, SCORED
from skyjo_server.tournaments.crosstable import Crosstable
from skyjo_server.tournaments.standings import Standing
from skyjo_server.tournaments.tally import Tally, to_numbers
from skyjo_server.tournaments.values import Outcome, Round, Table, TableResult


class PostgresBook(ScoreBook):
    """The :class:`~skyjo_server.service.tournament_ports.Book` on PostgreSQL."""

    def __init__(self, connection: Connection, row: AnyRow) -> None:
        super().__init__(connection, row.tournament_id)
        self._event = StoredTournament(
            read_event(row), row.owner_id, bytes(row.seed), row.unranked, row.now, row.rank_after
        )
        self._changes: dict[str, Any] = {}
        self._log: list[dict[str, Any]] = []

    @property
    def event(self) -> StoredTournament:
        """The event as it is now."""
        return self._event

    def close(self) -> None:
        """Write what has been gathered."""
        if self._log:
            self._connection.execute(insert(TOURNAMENT_EVENTS), self._log)
        if self._changes:
            wanted = update(TOURNAMENTS).where(TOURNAMENTS.c.tournament_id == self._id)
            self._connection.execute(wanted.values(**self._changes))

    def log(self, kind: str, data: Mapping[str, Any]) -> None:
        """Append an event to its log."""
        version, at = self._event.info.version + 1, self._event.now
        self._log.append({"tournament_id": self._id, "version": version, "kind": kind, "data": dict(data), "at": at})
        self._change(version=version)

    def set_status(self, status: TournamentStatus) -> None:
        """Note where it stands; the times of its beginning and end with it."""
        self._change(status=status)
        now = self._event.now
        if status is TournamentStatus.RUNNING and self._event.info.started_at is None:
            self._change(started_at=now)
        if status.is_over:
            self._change(finished_at=now)
            self._changes["assess_after"] = now

    def set_boards_commitment(self, commitment: bytes) -> None:
        """Publish what fixes the boards."""
        self._change(boards_commitment=commitment)

    def set_rounds(self, rounds: int | None) -> None:
        """Note how many rounds there will be."""
        self._progress(rounds=rounds)

    def set_verdict(self, verdict: SequentialVerdict) -> None:
        """Note where the sequential test stands."""
        self._event = replace(self._event, info=replace(self._event.info, verdict=verdict))
        self._changes["verdict"] = asdict(verdict)

    def reveal(self) -> None:
        """Make the seed public."""
        self._event = replace(self._event, info=replace(self._event.info, seed=self._event.seed))
        self._changes["revealed"] = True

    def call_again(self, *, soon: bool) -> None:
        """Say whether a step has more to do at once."""
        self._changes["due"] = soon

    def entries(self, numbers: Iterable[int] | None = None) -> tuple[StoredEntry, ...]:
        """Entries in order of entry."""
        table = TOURNAMENT_ENTRIES.c
        wanted = select(TOURNAMENT_ENTRIES).where(table.tournament_id == self._id).order_by(table.entry)
        if numbers is not None:
            wanted = wanted.where(table.entry.in_(sorted(set(numbers))))
        return tuple(read_stored_entry(row) for row in self._connection.execute(wanted))

    def entry_of(self, bot_id: UUID) -> StoredEntry | None:
        """The entry of a bot."""
        table = TOURNAMENT_ENTRIES.c
        wanted = select(TOURNAMENT_ENTRIES).where(table.tournament_id == self._id, table.bot_id == bot_id)
        row = self._connection.execute(wanted).one_or_none()
        return None if row is None else read_stored_entry(row)

    def entries_of(self, owner_id: UUID) -> int:
        """How many active entries an owner has."""
        return self._active(TOURNAMENT_ENTRIES.c.owner_id == owner_id)

    def active_entries(self) -> int:
        """How many entries can be paired."""
        return self._active()

    def add_entry(self, entry: NewEntry) -> StoredEntry:
        """Enter."""
        number = self._event.info.entries
        added = insert(TOURNAMENT_ENTRIES).values(
            tournament_id=self._id,
            entry=number,
            bot_id=entry.bot_id,
            owner_id=entry.owner_id,
            house=entry.house,
            name=entry.name,
            since_round=entry.since_round,
            entered_at=self._event.now,
        )
        row = self._connection.execute(added.returning(*TOURNAMENT_ENTRIES.c)).one()
        place = {"place": number + 1, "tally": to_numbers(Tally()), "standing": dict(NO_STANDING)}
        self._connection.execute(insert(TOURNAMENT_STANDINGS).values(tournament_id=self._id, entry=number, **place))
        self._change(entries=number + 1)
        return read_stored_entry(row)

    def set_entry(self, entry: int, status: EntryStatus, reason: str | None, since_round: int | None = None) -> None:
        """Take an entry out, or back in."""
        changes: dict[str, Any] = {"status": status.value, "reason": reason, "absences": 0}
        if since_round is not None:
            changes["since_round"] = since_round
        self._connection.execute(self._of_entry(entry).values(**changes))

    def set_absences(self, absences: Mapping[int, int]) -> None:
        """Note how many games in a row entries have never played in."""
        for entry, count in absences.items():
            self._connection.execute(self._of_entry(entry).values(absences=count))

    def add_rounds(self, rounds: Sequence[Round]) -> None:
        """Add tables to the schedule, and count them for their entries."""
        tables = [table for round_ in rounds for table in round_.tables]
        self._run(ADD_TABLES, [_new_row(StoredTable(table, 0, own_deal=table.board is None)) for table in tables])
        self._progress(round=rounds[-1].number)
        self._count(total=len(tables))

    def add_replay(self, table: StoredTable) -> None:
        """Add one more attempt at a table."""
        self._run(ADD_TABLES, [_new_row(table)])
        self._count(total=1)

    def next_table(self, round_number: int) -> int:
        """The number that the next table of a round gets."""
        table = TOURNAMENT_TABLES.c
        wanted = select(func.max(table.number)).where(table.tournament_id == self._id, table.round == round_number)
        last = self._connection.execute(wanted).scalar_one()
        return 0 if last is None else int(last) + 1

    def cancel(self, entry: int | None) -> tuple[StoredTable, ...]:
        """Cancel the tables that have not begun, of one entry or all."""
        rows = self._connection.execute(CANCEL, {"id": self._id, "entry": entry}).all()
        self._count(total=-len(rows))
        return tuple(map(read_table, rows))

    def scheduled(self, limit: int) -> tuple[StoredTable, ...]:
        """The next tables to begin, in order."""
        return self._tables(TOURNAMENT_TABLES.c.outcome == Outcome.SCHEDULED.value, limit)

    def pending(self) -> tuple[StoredTable, ...]:
        """All tables that have not ended."""
        return self._tables(TOURNAMENT_TABLES.c.outcome.in_([Outcome.SCHEDULED.value, Outcome.PLAYING.value]))

    def deal(self, games: Sequence[tuple[StoredTable, NewStoredGame]]) -> tuple[GameInfo, ...]:
        """Begin the games of tables."""
        begun = add_games(self._connection, [game for _, game in games], _first_move)
        self._run(DEALT, [{**_key(table), "game_id": str(game.game_id)} for table, game in games])
        self._count(playing=len(games))
        return begun

    def schedule(self) -> tuple[StoredTable, ...]:
        """Every table of the event, in order."""
        return self._tables(None)

    def ended(self) -> tuple[tuple[StoredTable, GameEnd], ...]:
        """Tables that are noted as being played, and whose game is over."""
        rows = self._connection.execute(ENDED, {"id": self._id}).all()
        return tuple((read_table(row), read_game_end(row)) for row in rows)

    def end(self, tables: Sequence[StoredTable]) -> None:
        """Note the results of tables."""
        self._run(END, [{**_key(table), **result_columns(table)} for table in tables])
        self._count(over=len(tables), playing=-len(tables))

    def boards_over(self, boards: Iterable[int]) -> tuple[int, ...]:
        """Those of some boards of which no table is scheduled or played any more."""
        found = self._connection.execute(BOARDS_OVER, {"id": self._id, "boards": sorted(set(boards))})
        return tuple(found.scalars())

    def lift(self, boards: Sequence[int]) -> None:
        """End the embargo on the games of boards."""
        for statement in (LIFT, SCORED):
            self._connection.execute(statement, {"id": self._id, "boards": list(boards)})

    def results(self, boards: Sequence[int]) -> tuple[TableResult, ...]:
        """The results of all tables of boards."""
        found = self._tables(TOURNAMENT_TABLES.c.board.in_(boards))
        return tuple(table.result for table in found if table.result is not None)

    def history(self) -> tuple[tuple[Round, ...], tuple[TableResult, ...]]:
        """Every round so far with its byes, and every result."""
        tables = self.schedule()
        by_round: dict[int, list[Table]] = {}
        for table in tables:
            if table.attempt == 0:
                by_round.setdefault(table.table.round, []).append(table.table)
        rounds = [Round(number, tuple(by_round.get(number, ())), byes) for number, byes in self._paired()]
        return tuple(rounds), tuple(table.result for table in tables if table.result is not None)

    def add_scores(self, tallies: Mapping[int, Tally], met: Crosstable) -> None:
        """Add to what entries have gathered, and to the crosstable; the ranks are to be made anew."""
        super().add_scores(tallies, met)
        self._unranked(True)

    def rank(self, rows: Sequence[Standing], pause_seconds: float) -> None:
        """Write the ranking, in order; while games go on, it is not made anew for a while."""
        self.write_ranks(rows)
        self._unranked(False)
        self._changes["rank_after"] = self._event.now + timedelta(seconds=pause_seconds)

    def _unranked(self, unranked: bool) -> None:
        self._event = replace(self._event, is_unranked=unranked)
        self._changes["unranked"] = unranked

    def _paired(self) -> list[tuple[int, tuple[int, ...]]]:
        """The rounds of the log with their byes, those that are about to be written included."""
        table = TOURNAMENT_EVENTS.c
        wanted = select(table.data).where(table.tournament_id == self._id, table.kind == "paired")
        found = self._connection.execute(wanted.order_by(table.version)).scalars()
        new = [event["data"] for event in self._log if event["kind"] == "paired"]
        return [(data["round"], tuple(data["byes"])) for data in (*found, *new)]

    def _active(self, *conditions: Any) -> int:
        table = TOURNAMENT_ENTRIES.c
        wanted = select(func.count()).where(
            table.tournament_id == self._id, table.status == EntryStatus.ACTIVE.value, *conditions
        )
        return self._connection.execute(wanted).scalar_one()

    def _of_entry(self, entry: int) -> Any:
        table = TOURNAMENT_ENTRIES.c
        return update(TOURNAMENT_ENTRIES).where(table.tournament_id == self._id, table.entry == entry)

    def _tables(self, condition: Any, limit: int | None = None) -> tuple[StoredTable, ...]:
        table = TOURNAMENT_TABLES.c
        wanted = select(TOURNAMENT_TABLES).where(table.tournament_id == self._id)
        if condition is not None:
            wanted = wanted.where(condition)
        ordered = wanted.order_by(table.round, table.number, table.attempt).limit(limit)
        return tuple(map(read_table, self._connection.execute(ordered)))

    def _change(self, **changes: Any) -> None:
        """Change members that the row and the value name alike."""
        self._changes.update(changes)
        self._event = replace(self._event, info=replace(self._event.info, **changes))

    def _progress(self, **changes: Any) -> None:
        self._changes.update(changes)
        now = self._event.info.progress
        self._event = replace(self._event, info=replace(self._event.info, progress=replace(now, **changes)))

    def _count(self, total: int = 0, over: int = 0, playing: int = 0) -> None:
        now = self._event.info.progress
        self._progress(
            tables_total=now.tables_total + total,
            tables_over=now.tables_over + over,
            tables_playing=now.tables_playing + playing,
        )


def _first_move(stored: StoredGame) -> Move:
    """A game that a bot plays goes on until it is awaited; one of house bots alone is played by a sweeper."""
    awaited = any(seat.kind is SeatKind.BOT for seat in stored.info.seats)
    return starting_move(stored) if awaited else dealing_move(stored)


def _key(stored: StoredTable) -> dict[str, int]:
    return {"round": stored.table.round, "number": stored.table.table, "attempt": stored.attempt}


def _new_row(stored: StoredTable) -> dict[str, Any]:
    table = stored.table
    return {**_key(stored), "board": table.board, "own_deal": stored.own_deal, "seats": list(table.seats)}
