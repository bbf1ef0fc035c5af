"""Connections for the path of a move: psycopg, prepared statements, autocommit. Knows no tables.

A statement is retried once when its connection turned out to be dead, so every statement that goes through here must be
safe to send twice. A commit that PostgreSQL only vouches for locally (SQLSTATE 01000) is never reported as done.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from psycopg import Connection, InterfaceError, OperationalError
from psycopg.errors import DeadlockDetected, Diagnostic, QueryCanceled, SerializationFailure
from psycopg.rows import TupleRow
from psycopg_pool import ConnectionPool, PoolTimeout, TooManyRequests

from skyjo_server.service.errors import Unavailable

CHECKOUT_SECONDS: Final = 2.0
"""How long a request waits for a connection before it is told to come back."""

PLANNING: Final = {
    "enable_seqscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
    "enable_material": "off",
    "plan_cache_mode": "force_generic_plan",
}
"""How statements on the path of a move are planned: by index, and once for each connection.

They all look for a few rows by key. Left to itself PostgreSQL reckons with a hundred, reads whole tables, which grow,
and plans anew for each call where that seems to pay; here planning takes longer than the statement.
"""

_PLAN: Final = "SELECT " + ", ".join(f"set_config('{name}', '{value}', false)" for name, value in PLANNING.items())

_TRIES: Final = 3
_WARNING: Final = "01000"

Rows = list[TupleRow]


class PlayConnection(Connection[TupleRow]):
    """A connection that remembers whether the server warned about the last commit."""

    warned: str | None = None

    def note(self, diagnostic: Diagnostic) -> None:
        """Keep a warning that a commit may not be durable everywhere it must be."""
        if diagnostic.sqlstate == _WARNING:
            self.warned = diagnostic.message_primary or _WARNING


class Connections:
    """A pool of connections, and running one statement in one round trip.

    Args:
        conninfo: a libpq connection string.
        size: connections held open at most.
        connection_class: what they are; another than the usual one can watch what is sent.
    """

    def __init__(self, conninfo: str, size: int, connection_class: type[PlayConnection] = PlayConnection) -> None:
        self._pool: ConnectionPool[PlayConnection] = ConnectionPool(
            conninfo,
            connection_class=connection_class,
            kwargs={"autocommit": True, "prepare_threshold": 0},
            configure=_configure,
            min_size=min(2, size),
            max_size=size,
            timeout=CHECKOUT_SECONDS,
            # A connection that cannot be had is not tried for again in the background, after ever longer pauses: the
            # next request tries, so that all is well as soon as the database is.
            reconnect_timeout=0,
            open=False,
            name="play",
        )

    def open(self) -> None:
        """Start connecting; does not wait for the database."""
        self._pool.open()

    def close(self) -> None:
        """Close every connection."""
        self._pool.close()

    def fetch(self, statement: str, parameters: Sequence[Any]) -> Rows:
        """Run one statement in a transaction of its own and give its rows; see :meth:`fetch_resending`."""
        return self.fetch_resending(statement, parameters)[0]

    def fetch_resending(self, statement: str, parameters: Sequence[Any]) -> tuple[Rows, bool]:
        """Run one statement, sending it again if its connection dies; say whether that happened.

        Raises:
            Unavailable: if no connection can be had, or the commit is not known to be durable.
        """
        resent = False
        with _translated():
            for _ in range(_TRIES - 1):
                try:
                    return self._run(statement, parameters), resent
                except (OperationalError, InterfaceError) as error:
                    if not _worth_retrying(error):
                        raise
                    if not isinstance(error, SerializationFailure | DeadlockDetected):
                        resent = True
                        self._pool.check()
            return self._run(statement, parameters), resent

    @contextmanager
    def transaction(self) -> Iterator[PlayConnection]:
        """Several statements in one transaction.

        Raises:
            Unavailable: as :meth:`fetch`; nothing is retried here.
        """
        with _translated(), self._pool.connection() as connection:
            connection.warned = None
            with connection.transaction():
                yield connection
            _refuse_warning(connection)

    def _run(self, statement: str, parameters: Sequence[Any]) -> Rows:
        with self._pool.connection() as connection:
            connection.warned = None
            rows = connection.execute(statement, parameters).fetchall()
            _refuse_warning(connection)
            return rows


def _configure(connection: PlayConnection) -> None:
    connection.execute(_PLAN, prepare=False)
    connection.add_notice_handler(connection.note)


def _refuse_warning(connection: PlayConnection) -> None:
    if connection.warned is not None:
        raise Unavailable(f"the commit is not confirmed: {connection.warned}")


def _worth_retrying(error: Exception) -> bool:
    return not isinstance(error, PoolTimeout | TooManyRequests | QueryCanceled)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except (OperationalError, InterfaceError) as error:
        raise Unavailable("the database does not answer now") from error
