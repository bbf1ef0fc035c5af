"""What anybody may read about tournaments, a page at a time: each page is one indexed read, however long the event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Engine, Select, Text, and_, cast, exists, func, select, text, tuple_

from skyjo_server.service.model import Page
from skyjo_server.service.tournament_model import (
    EntryInfo,
    LeaderboardRow,
    StandingRow,
    TableInfo,
    TableSeat,
    TournamentEvent,
    TournamentEventPage,
    TournamentInfo,
    TournamentStatus,
)
from skyjo_server.storage.cursors import read_cursor, read_place, write_cursor, write_place
from skyjo_server.storage.engine import transaction
from skyjo_server.storage.schema import BOTS
from skyjo_server.storage.tournament_rows import (
    EVENT_COLUMNS,
    STANDING_COLUMNS,
    AnyRow,
    read_entry,
    read_event,
    read_standing,
    read_table,
)
from skyjo_server.storage.tournament_schema import (
    RATINGS,
    TOURNAMENT_ENTRIES,
    TOURNAMENT_EVENTS,
    TOURNAMENT_SEATS,
    TOURNAMENT_SECRETS,
    TOURNAMENT_STANDINGS,
    TOURNAMENT_TABLES,
    TOURNAMENTS,
)
from skyjo_server.storage.tournament_scores import read_pairs
from skyjo_server.tournaments.crosstable import Crosstable
from skyjo_server.tournaments.values import Outcome

EVENT: Final = select(*EVENT_COLUMNS).join(
    TOURNAMENT_SECRETS, TOURNAMENT_SECRETS.c.tournament_id == TOURNAMENTS.c.tournament_id
)

_NAMES: Final = text("""
SELECT entry, name, bot_id FROM tournament_entries WHERE tournament_id = :id AND entry = ANY(:entries)
""")

_RANK: Final = text("SELECT count(*) FROM ratings WHERE shown > :shown OR (shown = :shown AND player <= :player)")


class TournamentPages:
    """The reading part of the store of tournaments."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def owner(self, tournament_id: UUID) -> UUID | None:
        """Who may steer an event."""
        wanted = select(TOURNAMENTS.c.owner_id).where(TOURNAMENTS.c.tournament_id == tournament_id)
        with transaction(self._engine) as connection:
            return connection.execute(wanted).scalar_one_or_none()

    def owners(self, tournament_id: UUID) -> Mapping[int, UUID]:
        """Whose each entry is; house bots are missing."""
        table = TOURNAMENT_ENTRIES.c
        wanted = select(table.entry, table.owner_id).where(
            table.tournament_id == tournament_id, table.owner_id.is_not(None)
        )
        with transaction(self._engine) as connection:
            return {row.entry: row.owner_id for row in connection.execute(wanted)}

    def tournament(self, tournament_id: UUID) -> TournamentInfo | None:
        """An event."""
        with transaction(self._engine) as connection:
            row = connection.execute(EVENT.where(TOURNAMENTS.c.tournament_id == tournament_id)).one_or_none()
            return None if row is None else read_event(row)

    def tournaments(self, status: TournamentStatus | None, limit: int, cursor: str | None) -> Page[TournamentInfo]:
        """Events, newest first; the order is by creation and id, neither of which ever changes."""
        table = TOURNAMENTS.c
        wanted = EVENT.order_by(table.created_at.desc(), table.tournament_id.desc())
        if status is not None:
            wanted = wanted.where(table.status == status.value)
        if cursor is not None:
            wanted = wanted.where(tuple_(table.created_at, table.tournament_id) < tuple_(*read_cursor(cursor)))
        found, more = self._some(wanted, limit)
        last = write_cursor(found[-1].created_at, found[-1].tournament_id) if more else None
        return Page(tuple(map(read_event, found)), last)

    def entries(self, tournament_id: UUID, limit: int, cursor: str | None) -> Page[EntryInfo]:
        """Entries in order of entry."""
        table = TOURNAMENT_ENTRIES.c
        wanted = select(TOURNAMENT_ENTRIES).where(table.tournament_id == tournament_id).order_by(table.entry)
        if cursor is not None:
            wanted = wanted.where(table.entry > read_place(cursor, int)[0])
        found, more = self._some(wanted, limit)
        return Page(tuple(map(read_entry, found)), write_place(found[-1].entry) if more else None)

    def tables(
        self,
        tournament_id: UUID,
        round_number: int | None,
        entry: int | None,
        outcome: Outcome | None,
        limit: int,
        cursor: str | None,
    ) -> Page[TableInfo]:
        """The schedule in order."""
        table = TOURNAMENT_TABLES.c
        wanted = select(TOURNAMENT_TABLES).where(table.tournament_id == tournament_id)
        if round_number is not None:
            wanted = wanted.where(table.round == round_number)
        if entry is not None:
            wanted = wanted.where(exists().where(*_seated(tournament_id, entry)))
        if outcome is not None:
            wanted = wanted.where(table.outcome == outcome.value)
        order = (table.round, table.number, table.attempt)
        if cursor is not None:
            wanted = wanted.where(tuple_(*order) > tuple_(*read_place(cursor, int, int, int)))
        found, more = self._some(wanted.order_by(*order), limit)
        last = write_place(found[-1].round, found[-1].number, found[-1].attempt) if more else None
        return Page(self._named(tournament_id, found), last)

    def table(self, tournament_id: UUID, round_number: int, table: int, attempt: int | None) -> TableInfo | None:
        """One table of the schedule, at the latest attempt unless one is named."""
        column = TOURNAMENT_TABLES.c
        wanted = select(TOURNAMENT_TABLES).where(
            column.tournament_id == tournament_id, column.round == round_number, column.number == table
        )
        if attempt is not None:
            wanted = wanted.where(column.attempt == attempt)
        found, _ = self._some(wanted.order_by(column.attempt.desc()), 1)
        return next(iter(self._named(tournament_id, found)), None)

    def standings(self, tournament_id: UUID, limit: int, cursor: str | None) -> Page[StandingRow]:
        """The ranking, best first."""
        table = TOURNAMENT_STANDINGS.c
        wanted = (
            select(*STANDING_COLUMNS)
            .join(
                TOURNAMENT_ENTRIES,
                and_(
                    TOURNAMENT_ENTRIES.c.tournament_id == table.tournament_id,
                    TOURNAMENT_ENTRIES.c.entry == table.entry,
                ),
            )
            .where(table.tournament_id == tournament_id)
            .order_by(table.place, table.entry)
        )
        if cursor is not None:
            wanted = wanted.where(tuple_(table.place, table.entry) > tuple_(*read_place(cursor, int, int)))
        found, more = self._some(wanted, limit)
        last = write_place(found[-1].place, found[-1].entry) if more else None
        return Page(tuple(map(read_standing, found)), last)

    def met(self, tournament_id: UUID, entries: Sequence[int]) -> Crosstable:
        """The crosstable of some entries."""
        with transaction(self._engine) as connection:
            return read_pairs(connection, tournament_id, entries)

    def events(self, tournament_id: UUID, after: int, limit: int) -> TournamentEventPage | None:
        """The log after a version, with everything that only the service may know."""
        event, table = TOURNAMENTS.c, TOURNAMENT_EVENTS.c
        now = select(event.version, event.status).where(event.tournament_id == tournament_id)
        wanted = select(TOURNAMENT_EVENTS).where(table.tournament_id == tournament_id, table.version > after)
        with transaction(self._engine) as connection:
            row = connection.execute(now).one_or_none()
            if row is None:
                return None
            found = connection.execute(
                wanted.where(table.version <= row.version).order_by(table.version).limit(limit)
            ).all()
        events = tuple(TournamentEvent(each.version, each.kind, each.at, each.data) for each in found)
        return TournamentEventPage(tournament_id, events, row.version, TournamentStatus(row.status))

    def leaderboard(self, limit: int, cursor: str | None) -> Page[LeaderboardRow]:
        """Live ratings, best first; one that changes meanwhile may be met twice, or not at all."""
        table = RATINGS.c
        name = func.coalesce(BOTS.c.name, table.house).label("name")
        wanted = select(*table, name).join(BOTS, BOTS.c.bot_id == table.bot_id, isouter=True)
        rank = 0
        if cursor is not None:
            shown, player = read_place(cursor, float, str)
            wanted = wanted.where(tuple_(-table.shown, cast(table.player, Text)) > tuple_(-shown, player))
            with transaction(self._engine) as connection:
                rank = connection.execute(_RANK, {"shown": shown, "player": player}).scalar_one()
        found, more = self._some(wanted.order_by(table.shown.desc(), table.player), limit)
        last = write_place(found[-1].shown, found[-1].player) if more else None
        return Page(tuple(_rated(rank + place, row) for place, row in enumerate(found, 1)), last)

    def _some(self, wanted: Select[Any], limit: int) -> tuple[Sequence[AnyRow], bool]:
        """So many rows at most, and whether there are more."""
        with transaction(self._engine) as connection:
            found = connection.execute(wanted.limit(limit + 1)).all()
        return found[:limit], len(found) > limit

    def _named(self, tournament_id: UUID, found: Sequence[AnyRow]) -> tuple[TableInfo, ...]:
        entries = sorted({entry for row in found for entry in row.seats})
        with transaction(self._engine) as connection:
            names = connection.execute(_NAMES, {"id": tournament_id, "entries": entries})
            players = {row.entry: (row.name, row.bot_id) for row in names}
        return tuple(_table_info(row, players) for row in found)


def _seated(tournament_id: UUID, entry: int) -> tuple[Any, ...]:
    seat, table = TOURNAMENT_SEATS.c, TOURNAMENT_TABLES.c
    return (
        seat.tournament_id == tournament_id,
        seat.entry == entry,
        seat.round == table.round,
        seat.number == table.number,
        seat.attempt == table.attempt,
    )


def _table_info(row: AnyRow, players: dict[int, tuple[str, UUID | None]]) -> TableInfo:
    """A table as everybody may see it: nothing of its result, nor its board, while others play the same."""
    stored = read_table(row)
    hidden = row.board is not None and not row.scored
    embargoed = hidden and not stored.own_deal and stored.outcome is not Outcome.CANCELLED
    result = None if embargoed else stored.result
    seats = []
    for seat, entry in enumerate(stored.table.seats):
        name, bot_id = players[entry]
        total = None if result is None or result.totals is None else result.totals[seat]
        rank = None if result is None or result.ranks is None else result.ranks[seat]
        seats.append(TableSeat(entry, name, bot_id, total, rank, None if result is None else result.causes[seat]))
    return TableInfo(
        round=stored.table.round,
        table=stored.table.table,
        attempt=stored.attempt,
        board=None if hidden else stored.table.board,
        seats=tuple(seats),
        game_id=stored.game_id,
        outcome=stored.outcome,
        embargoed=embargoed,
        complete=None if result is None else result.complete,
    )


def _rated(rank: int, row: AnyRow) -> LeaderboardRow:
    return LeaderboardRow(rank, row.bot_id, row.house, row.name, row.shown, row.mu, row.sigma, row.games)
