"""Tournaments on PostgreSQL: creating them, opening them under their lock, and what is due. Decides nothing.

The lock is the event's row. Whoever moves an event on without being asked passes over one that is locked; whoever has
been asked to do something waits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final
from uuid import UUID

import orjson
from sqlalchemy import Connection, insert, select, text
from sqlalchemy.dialects.postgresql import insert as upsert

from skyjo_server.service.errors import KeyReused
from skyjo_server.service.tournament_model import TournamentStatus
from skyjo_server.service.tournament_options import options_to_dict
from skyjo_server.service.tournament_ports import Assessment, Book, NewStoredTournament
from skyjo_server.storage.engine import transaction
from skyjo_server.storage.tournament_book import PostgresBook
from skyjo_server.storage.tournament_pages import EVENT, TournamentPages
from skyjo_server.storage.tournament_rows import rating_row, read_table
from skyjo_server.storage.tournament_schema import (
    TOURNAMENT_EVENTS,
    TOURNAMENT_SECRETS,
    TOURNAMENT_TABLES,
    TOURNAMENTS,
)
from skyjo_server.tournaments.values import Outcome, TableResult

ROWS_AT_ONCE: Final = 2_000
"""How many results are in memory at once while a whole event is read."""

_DUE: Final = text("""
SELECT tournament_id FROM tournaments t
WHERE (status IN ('entry', 'running', 'paused') OR due OR unranked OR assessed <> tables_over)
  AND (due OR (status = 'entry' AND start_at <= now()) OR (unranked AND rank_after <= now()) OR EXISTS (
      SELECT FROM tournament_tables x JOIN games g USING (game_id)
      WHERE x.tournament_id = t.tournament_id AND x.outcome = 'playing' AND g.status NOT IN ('open', 'running')
  ))
ORDER BY tournament_id
""")

_TO_STOP: Final = text("""
SELECT x.game_id FROM tournaments t JOIN tournament_tables x USING (tournament_id) JOIN games g USING (game_id)
WHERE t.tournament_id = :id AND t.status = 'aborted' AND x.outcome = 'playing' AND g.status IN ('open', 'running')
""")

_CLAIM: Final = text("""
UPDATE tournaments SET assess_after = now() + interval '1 minute'
WHERE tournament_id = (
    SELECT tournament_id FROM tournaments
    WHERE (status IN ('entry', 'running', 'paused') OR due OR unranked OR assessed <> tables_over)
      AND assessed <> tables_over AND assess_after <= now()
    ORDER BY assess_after LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
)
RETURNING tournament_id
""")

_ASSESSED: Final = text("""
UPDATE tournaments
SET assessed = :tables_over,
    assess_after = now() + make_interval(secs => CASE WHEN status IN ('finished', 'aborted') THEN 0 ELSE :pause END)
WHERE tournament_id = :id AND assessed <= :tables_over
""")

_RATE: Final = text("""
UPDATE tournament_standings s SET rating = r.rating
FROM json_to_recordset(CAST(:rows AS json)) AS r(entry int, rating jsonb)
WHERE s.tournament_id = :id AND s.entry = r.entry
""")


class PostgresTournaments(TournamentPages):
    """The :class:`~skyjo_server.service.tournament_ports.TournamentStore` on PostgreSQL."""

    def create(self, wanted: NewStoredTournament, prepare: Callable[[Book], None]) -> UUID:
        """Create an event and prepare it, in one transaction; the one that the key created before, if there is one."""
        with transaction(self._engine) as connection:
            if not _insert(connection, wanted):
                return _earlier(connection, wanted)
            secret = {"tournament_id": wanted.tournament_id, "seed": wanted.seed}
            connection.execute(insert(TOURNAMENT_SECRETS).values(**secret))
            told = {"options": options_to_dict(wanted.new), "commitment": wanted.commitment.hex()}
            created = {"tournament_id": wanted.tournament_id, "version": 0, "kind": "created", "data": told}
            connection.execute(insert(TOURNAMENT_EVENTS).values(**created))
            row = connection.execute(EVENT.where(TOURNAMENTS.c.tournament_id == wanted.tournament_id)).one()
            book = PostgresBook(connection, row)
            prepare(book)
            book.close()
            return wanted.tournament_id

    @contextmanager
    def opened(self, tournament_id: UUID, *, wait: bool) -> Iterator[PostgresBook | None]:
        """An event under its lock; None if there is none, or if it is locked and is not to be waited for."""
        locked = EVENT.where(TOURNAMENTS.c.tournament_id == tournament_id).with_for_update(
            of=TOURNAMENTS, key_share=True, skip_locked=not wait
        )
        with transaction(self._engine) as connection:
            row = connection.execute(locked).one_or_none()
            book = None if row is None else PostgresBook(connection, row)
            yield book
            if book is not None:
                book.close()

    def due(self) -> tuple[UUID, ...]:
        """Events that a step would move on."""
        with transaction(self._engine) as connection:
            return tuple(connection.execute(_DUE).scalars())

    def to_stop(self, tournament_id: UUID) -> tuple[UUID, ...]:
        """Games of an aborted event that are on."""
        with transaction(self._engine) as connection:
            return tuple(connection.execute(_TO_STOP, {"id": tournament_id}).scalars())

    def claim_assessment(self) -> UUID | None:
        """An event whose results are newer than its assessment, for this process to assess."""
        with transaction(self._engine) as connection:
            return connection.execute(_CLAIM).scalar_one_or_none()

    @contextmanager
    def assessed_results(self, tournament_id: UUID) -> Iterator[tuple[int, Iterator[TableResult]]]:
        """How many tables are over, and the results that count, in the order of the schedule, read on the way."""
        table = TOURNAMENT_TABLES.c
        over = select(TOURNAMENTS.c.tables_over).where(TOURNAMENTS.c.tournament_id == tournament_id)
        wanted = select(TOURNAMENT_TABLES).where(
            table.tournament_id == tournament_id, table.outcome == Outcome.FINISHED.value, table.scored
        )
        ordered = wanted.order_by(table.round, table.number, table.attempt)
        with transaction(self._engine) as connection:
            tables_over = connection.execute(over).scalar_one()
            found = connection.execution_options(yield_per=ROWS_AT_ONCE).execute(ordered)
            yield tables_over, (result for row in found if (result := read_table(row).result) is not None)

    def save_assessment(self, tournament_id: UUID, assessment: Assessment) -> None:
        """Keep an assessment, unless a newer one is there."""
        rows = [{"entry": entry, "rating": rating_row(assessment, entry)} for entry in assessment.ratings]
        noted = {"id": tournament_id, "tables_over": assessment.tables_over, "pause": assessment.pause_seconds}
        with transaction(self._engine) as connection:
            if connection.execute(_ASSESSED, noted).rowcount and rows:
                connection.execute(_RATE, {"id": tournament_id, "rows": orjson.dumps(rows).decode()})


def _insert(connection: Connection, wanted: NewStoredTournament) -> bool:
    added = (
        upsert(TOURNAMENTS)
        .values(
            tournament_id=wanted.tournament_id,
            owner_id=wanted.owner_id,
            creation_key=wanted.key,
            name=wanted.new.name,
            status=TournamentStatus.ENTRY.value,
            version=0,
            options=options_to_dict(wanted.new),
            commitment=wanted.commitment,
            start_at=wanted.new.start_at,
        )
        .on_conflict_do_nothing(index_elements=[TOURNAMENTS.c.owner_id, TOURNAMENTS.c.creation_key])
        .returning(TOURNAMENTS.c.tournament_id)
    )
    return connection.execute(added).first() is not None


def _earlier(connection: Connection, wanted: NewStoredTournament) -> UUID:
    """The event that this key created before, if it asked for the same; told by a write, so that it is vouched for."""
    table = TOURNAMENTS.c
    found = connection.execute(
        select(table.tournament_id, table.options).where(
            table.owner_id == wanted.owner_id, table.creation_key == wanted.key
        )
    ).one()
    if found.options != options_to_dict(wanted.new):
        raise KeyReused(wanted.key or "")
    touch = TOURNAMENTS.update().where(table.tournament_id == found.tournament_id)
    connection.execute(touch.values(creation_key=table.creation_key))
    earlier: UUID = found.tournament_id
    return earlier
