"""All of storage on one PostgreSQL: opening it, closing it, and saying whether it is fit for use."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.exc import ProgrammingError

from skyjo_server.service.errors import Unavailable
from skyjo_server.storage.accounts import PostgresAccounts
from skyjo_server.storage.compaction import PostgresArchive
from skyjo_server.storage.connections import Connections, PlayConnection
from skyjo_server.storage.engine import make_engine, transaction
from skyjo_server.storage.games import PostgresGames
from skyjo_server.storage.log import PostgresLog
from skyjo_server.storage.migrate import head_revision, migrate
from skyjo_server.storage.rebuilding import Rebuilder
from skyjo_server.storage.tournament_rebuilding import TournamentRebuilder
from skyjo_server.storage.tournaments import PostgresTournaments
from skyjo_server.storage.wake import PostgresWaker

ENGINE_CONNECTIONS: Final = 4
PLAY_CONNECTIONS: Final = 12


class PostgresStorage:
    """The service's storage; nothing connects before :meth:`open`.

    Args:
        conninfo: a libpq connection string.
        connection_class: what its connections are; another than the usual one can watch what is sent.
    """

    def __init__(self, conninfo: str, connection_class: type[PlayConnection] = PlayConnection) -> None:
        self._engine = make_engine(conninfo, ENGINE_CONNECTIONS, connection_class)
        self._connections = Connections(conninfo, PLAY_CONNECTIONS, connection_class)
        self.accounts = PostgresAccounts(self._engine)
        self.games = PostgresGames(self._engine)
        self.log = PostgresLog(self._connections)
        self.archive = PostgresArchive(self._connections)
        self.tournaments = PostgresTournaments(self._engine)
        self.waker = PostgresWaker(conninfo)

    def open(self, deliver: Callable[[Iterable[UUID]], None]) -> None:
        """Start connecting; `deliver` is called with the games and bots that another process has news of."""
        self._connections.open()
        self.waker.open(deliver)

    def rebuilder(self, *, write: bool) -> Rebuilder:
        """What compares the tables of games with their logs, and mends them if asked to."""
        return Rebuilder(self._connections, write=write)

    def tournament_rebuilder(self, *, write: bool) -> TournamentRebuilder:
        """The same for the tables of events; the games come first."""
        return TournamentRebuilder(self._engine, write=write)

    def close(self) -> None:
        """Let go of every connection."""
        self.waker.close()
        self._connections.close()
        self._engine.dispose()

    def migrate(self) -> str:
        """Bring the schema to this version's; gives the revision."""
        return migrate(self._engine)

    def check(self) -> None:
        """Raises Unavailable unless the database answers and has the schema that this version needs."""
        try:
            with transaction(self._engine) as connection:
                found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()
        except ProgrammingError:
            found = None
        if found != head_revision():
            raise Unavailable(f"the schema is at {found}, but must be at {head_revision()}: run 'skyjo server migrate'")
