"""Deriving what the tables say of each event from its log and its games again: what differs is told, and can be mended.

Left out is what follows from nothing, whose event it is and by which key it was made; when it is looked at next; and
what is estimated beside it from all results at once, which is made anew as soon as an event is mended: ratings of its
entries, and live ratings, which go by the order in which games of all events ended, and that is in no log. The ranking
of an event that goes on is as old as it may be, so it is looked at once the event is over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, Engine, Table, delete, insert, null, select, text, update
from sqlalchemy.dialects.postgresql import JSONB

from skyjo import Cause as EventCause
from skyjo import CorruptLog
from skyjo_server.service.model import SeatKind
from skyjo_server.service.tournament_model import TournamentEvent
from skyjo_server.service.tournament_options import options_to_dict
from skyjo_server.service.tournament_ports import GameEnd
from skyjo_server.service.tournament_refolding import Refolding
from skyjo_server.storage.engine import transaction
from skyjo_server.storage.packing import NotPackable, PackedGame, unpack, unpack_info
from skyjo_server.storage.rebuilding import AT_ONCE, Difference, Subject
from skyjo_server.storage.tournament_rows import NO_STANDING, AnyRow, read_game_end, result_columns, standing_row
from skyjo_server.storage.tournament_schema import (
    TOURNAMENT_BOARD_OWNERS,
    TOURNAMENT_ENTRIES,
    TOURNAMENT_EVENTS,
    TOURNAMENT_PAIRS,
    TOURNAMENT_SEATS,
    TOURNAMENT_STANDINGS,
    TOURNAMENT_TABLES,
    TOURNAMENTS,
)
from skyjo_server.storage.transcripts import COLUMNS, read_packed
from skyjo_server.tournaments.tally import to_numbers
from skyjo_server.tournaments.values import Cause

Key = tuple[Any, ...]
"""A row's primary key within its event."""

Rows = Mapping[Key, Mapping[str, Any]]
"""The columns of rows that follow from the log, by key."""

_FIRST: Final = UUID(int=0)

_IDS: Final = text(
    "SELECT tournament_id FROM tournaments WHERE tournament_id > :last ORDER BY tournament_id LIMIT :most"
)

_LOCKED: Final = text("""
SELECT s.seed FROM tournaments t JOIN tournament_secrets s USING (tournament_id)
WHERE t.tournament_id = :id FOR NO KEY UPDATE OF t
""")

_OWNERS: Final = text("""
SELECT b.bot_id, b.owner_id FROM tournament_events e JOIN bots b ON b.bot_id = CAST(e.data ->> 'bot' AS uuid)
WHERE e.tournament_id = :id AND e.kind = 'entered'
""")

_ENDS: Final = text("""
SELECT g.game_id, g.status AS game_status, g.result AS game_result, EXISTS (
    SELECT FROM events e JOIN game_seats s USING (game_id, seat)
    WHERE e.game_id = g.game_id AND e.cause = 'player' AND s.kind = 'bot'
) AS begun
FROM games g WHERE g.game_id = ANY(:games) AND g.result IS NOT NULL
""")

_PACKED: Final = text(f"SELECT {COLUMNS} FROM transcripts t WHERE t.game_id = ANY(:games)")  # noqa: S608 - our own constant

_DO_AGAIN: Final = text("""
UPDATE tournaments SET due = true, unranked = unranked OR :stale, assessed = 0, assess_after = now()
WHERE tournament_id = :id
""")
"""Whatever is made of the tables that were mended: the ranking, unless it was mended too, and what is estimated."""


class TournamentRebuilder:
    """Compares the tables of events with their logs.

    Args:
        engine: the database.
        write: whether to mend what differs.
    Attributes:
        tournaments: how many were looked at so far.
    """

    def __init__(self, engine: Engine, *, write: bool) -> None:
        self._engine = engine
        self._write = write
        self.tournaments = 0

    def differences(self) -> Iterator[Difference]:
        """What differs, event by event; each is looked at in a transaction of its own, under its lock.

        What games say of their ends is taken as it stands: they are to be looked at before.
        """
        last = _FIRST
        while found := self._after(last):
            for last in found:
                yield from self._tournament(last)

    def _after(self, last: UUID) -> Sequence[UUID]:
        with transaction(self._engine) as connection:
            return connection.execute(_IDS, {"last": last, "most": AT_ONCE}).scalars().all()

    def _tournament(self, tournament_id: UUID) -> list[Difference]:
        self.tournaments += 1
        with transaction(self._engine) as connection:
            seed = connection.execute(_LOCKED, {"id": tournament_id}).scalar_one_or_none()
            if seed is None:
                return [Difference(Subject.TOURNAMENT, tournament_id, "seed", "none", "one")]
            try:
                event = _folded(connection, tournament_id, bytes(seed))
            except (NotPackable, CorruptLog, ValueError, KeyError, TypeError, StopIteration) as error:
                return [Difference(Subject.TOURNAMENT, tournament_id, "log", str(error), "what can have happened")]
            found = list(self._compared(connection, event))
            if found and self._write:
                stale = event.is_scored and not event.is_final
                connection.execute(_DO_AGAIN, {"id": tournament_id, "stale": stale})
            return found

    def _compared(self, connection: Connection, event: Refolding) -> Iterator[Difference]:
        for table, expected in _expected(connection, event):
            found = _found(connection, table, event.info.id)
            differing = [key for key in sorted({*found, *expected}, key=str) if _differs(found, expected, key)]
            for key in differing:
                for what, was, becomes in _told(found.get(key), expected.get(key)):
                    name = " ".join(map(str, (table.name, *key, *what)))
                    yield Difference(Subject.TOURNAMENT, event.info.id, name, was, becomes, mended=self._write)
            if self._write:
                _mend(connection, table, event.info.id, found, expected, differing)


def _folded(connection: Connection, tournament_id: UUID, seed: bytes) -> Refolding:
    """An event made anew from its log. Raises CorruptLog."""
    owners = {row.bot_id: row.owner_id for row in connection.execute(_OWNERS, {"id": tournament_id})}
    table = TOURNAMENT_EVENTS.c
    wanted = select(TOURNAMENT_EVENTS).where(table.tournament_id == tournament_id).order_by(table.version)
    with connection.execute(wanted.execution_options(yield_per=AT_ONCE)) as log:
        created = log.fetchone()
        if created is None:
            raise CorruptLog("there is none")
        event = Refolding(_event(created), tournament_id, seed, owners, lambda games: _ends(connection, games))
        for row in log:
            event.add(_event(row))
    return event


def _event(row: AnyRow) -> TournamentEvent:
    return TournamentEvent(row.version, row.kind, row.at, row.data)


def _ends(connection: Connection, games: Sequence[UUID]) -> dict[UUID, GameEnd]:
    """How games ended, those that have become transcripts included."""
    ends = {row.game_id: read_game_end(row) for row in connection.execute(_ENDS, {"games": games})}
    packed = [game_id for game_id in games if game_id not in ends]
    if packed:
        rows = connection.execute(_PACKED, {"games": packed}).all()
        ends.update((row.game_id, _end_of(read_packed(row))) for row in rows)
    return ends


def _end_of(packed: PackedGame) -> GameEnd:
    info = unpack_info(packed)
    result = info.result
    if result is None:
        raise CorruptLog(f"game {info.id} has no result")
    bots = frozenset(seat.seat for seat in info.seats if seat.kind is SeatKind.BOT)
    causes = tuple(map(Cause, result.causes))
    begun = bool(bots) and (_has_begun(causes, bots) or _is_begun_in(packed, bots))
    return GameEnd(result.status, result.totals, result.ranks, causes, begun)


def _has_begun(causes: Sequence[Cause], bots: AbstractSet[int]) -> bool:
    """Whether it is certain that a bot acted by itself, by how the game ended for the seats.

    Who was made to leave later than at once has, who resigned too, and who let no time run out in a game that nobody
    left without having acted.
    """
    acted = (
        {Cause.FORFEIT, Cause.RESIGNED} if Cause.NO_SHOW in causes else {Cause.FORFEIT, Cause.RESIGNED, Cause.FINISHED}
    )
    return any(causes[seat] in acted for seat in bots)


def _is_begun_in(packed: PackedGame, bots: AbstractSet[int]) -> bool:
    """The same by playing the game again, which takes its time."""
    game = unpack(packed)
    return any(each.event.cause is EventCause.PLAYER and each.event.seat in bots for each in game.events)


def _expected(connection: Connection, event: Refolding) -> Iterator[tuple[Table, Rows]]:
    """The rows of every table that is derived, the event's own last."""
    yield TOURNAMENT_ENTRIES, {(number,): _entry(event, number) for number in event.entries}
    yield TOURNAMENT_TABLES, {key: _table(event, key) for key in event.tables}
    sat = ((entry, *key) for key, each in event.tables.items() for entry in each.table.seats)
    yield TOURNAMENT_SEATS, {key: {} for key in sat}
    met = event.met_boards.items()
    yield TOURNAMENT_BOARD_OWNERS, {key: {"round": place[0], "number": place[1]} for key, place in met}
    pairs = event.met.items()
    yield TOURNAMENT_PAIRS, {key: asdict(cell) for key, cell in pairs}
    yield TOURNAMENT_STANDINGS, _standings(connection, event)
    yield TOURNAMENTS, {(): _columns(event)}


def _columns(event: Refolding) -> dict[str, Any]:
    info, verdict = event.info, event.verdict()
    return {
        "name": info.new.name,
        "status": info.status.value,
        "version": info.version,
        "options": options_to_dict(info.new),
        "commitment": info.commitment,
        "boards_commitment": info.boards_commitment,
        "revealed": info.seed is not None,
        "entries": info.entries,
        **asdict(info.progress),
        "start_at": info.new.start_at,
        "created_at": info.created_at,
        "started_at": info.started_at,
        "finished_at": info.finished_at,
        "verdict": None if verdict is None else asdict(verdict),
    }


def _entry(event: Refolding, number: int) -> dict[str, Any]:
    entry = event.entries[number]
    info = entry.info
    return {
        "bot_id": info.bot_id,
        "owner_id": entry.owner_id,
        "house": info.house,
        "name": info.name,
        "status": info.status.value,
        "reason": info.reason,
        "since_round": info.since_round,
        "absences": entry.absences,
        "tables": entry.tables,
        "entered_at": info.entered_at,
    }


def _table(event: Refolding, key: tuple[int, int, int]) -> dict[str, Any]:
    stored = event.tables[key]
    board, over = stored.table.board, stored.result is not None
    return {
        "board": board,
        "own_deal": stored.own_deal,
        "seats": list(stored.table.seats),
        "game_id": stored.game_id,
        **(result_columns(stored) if over else {**_NO_RESULT, "outcome": stored.outcome.value}),
        "scored": over if board is None else board in event.revealed,
    }


_NO_RESULT: Final = {"totals": None, "ranks": None, "causes": None, "complete": None}


def _standings(connection: Connection, event: Refolding) -> Rows:
    """The tallies, and where it is certain which ranking was made last, the ranks."""
    rows: dict[Key, dict[str, Any]] = {(entry,): {"tally": to_numbers(tally)} for entry, tally in event.tallies.items()}
    if not event.is_scored:
        for entry in event.tallies:
            rows[entry,] |= {"place": entry + 1, "standing": dict(NO_STANDING)}
        return rows
    unranked = select(TOURNAMENTS.c.unranked).where(TOURNAMENTS.c.tournament_id == event.info.id)
    if event.is_final and not connection.execute(unranked).scalar_one():
        for row in event.ranking():
            rows[row.entry,] |= {"place": row.place, "standing": standing_row(row)}
    return rows


def _found(connection: Connection, table: Table, tournament_id: UUID) -> dict[Key, dict[str, Any]]:
    names = _key_names(table)
    rows = connection.execute(select(table).where(table.c.tournament_id == tournament_id))
    return {tuple(row[name] for name in names): dict(row) for row in rows.mappings()}


def _key_names(table: Table) -> list[str]:
    return [column.name for column in table.primary_key if column.name != "tournament_id"]


def _differs(found: Rows, expected: Rows, key: Key) -> bool:
    if key not in found or key not in expected:
        return True
    return any(found[key][name] != value for name, value in expected[key].items())


def _told(
    found: Mapping[str, Any] | None, expected: Mapping[str, Any] | None
) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """What differs in a row: a column, or all of it; what stands there, and what should."""
    if found is None or expected is None:
        yield (), "no row" if found is None else "a row", "one" if expected is not None else "none"
        return
    for name, value in expected.items():
        if found[name] != value:
            yield (name,), str(found[name]), str(value)


def _mend(
    connection: Connection, table: Table, tournament_id: UUID, found: Rows, expected: Rows, differing: Sequence[Key]
) -> None:
    """Make rows what they should be; columns that do not follow from the log stay as they are."""
    if table is TOURNAMENTS:
        changed = update(table).where(table.c.tournament_id == tournament_id)
        for key in differing:
            connection.execute(
                changed.values({name: _written(table, name, expected[key][name]) for name in expected[key]})
            )
        return
    names = _key_names(table)
    # All of them go before any comes back: what two rows have exchanged may be unique.
    for key in differing:
        here = (table.c[name] == part for name, part in zip(names, key, strict=True))
        connection.execute(delete(table).where(table.c.tournament_id == tournament_id, *here))
    for key in differing:
        if key in expected:
            row = {
                "tournament_id": tournament_id,
                **dict(zip(names, key, strict=True)),
                **_UNRANKED.get(table.name, {}),
            }
            row |= {**found.get(key, {}), **expected[key]}
            connection.execute(
                insert(table).values({name: _written(table, name, value) for name, value in row.items()})
            )


_UNRANKED: Final[Mapping[str, Mapping[str, Any]]] = {
    TOURNAMENT_STANDINGS.name: {"place": 1, "standing": dict(NO_STANDING)}
}
"""What stands in a row that was gone, until the ranking is made anew."""


def _written(table: Table, name: str, value: Any) -> Any:
    return null() if value is None and isinstance(table.c[name].type, JSONB) else value
