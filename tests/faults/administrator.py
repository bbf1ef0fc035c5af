"""What whoever administers the database sees and does there, while the service runs on it. Starts no process."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from skyjo_server.postgres import EmbeddedPostgres
from tests.faults.lines import Answer
from tests.faults.waiting import LONGEST_SECONDS, until

NOBODY = "nobody"
"""Name of a standby that does not exist."""


class Administrator:
    """A superuser's connection to the service's database.

    Args:
        cluster: the server.
        conninfo: the service's connection string.
    """

    def __init__(self, cluster: EmbeddedPostgres, conninfo: str) -> None:
        self._name = str(conninfo_to_dict(conninfo)["dbname"])
        self._conninfo = make_conninfo(cluster.superuser_dsn, dbname=self._name)
        self._connection = psycopg.connect(self._conninfo, autocommit=True)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def backends(self, statement: str = "", waiting_for: str = "") -> list[int]:
        """Give the processes that serve the service's database, but this one.

        Args:
            statement: those that run it now: a part of its text, "" for all.
            waiting_for: those that wait for it: the name of a wait event, or of a type of such; "" for all.
        """
        rows = self._connection.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = %(name)s AND pid <> pg_backend_pid() "
            "AND (%(part)s = '' OR (state = 'active' AND strpos(query, %(part)s) > 0)) "
            "AND (%(event)s = '' OR %(event)s IN (wait_event, wait_event_type)) ORDER BY backend_start",
            {"name": self._name, "part": statement, "event": waiting_for},
        )
        return [pid for (pid,) in rows]

    def await_backend(self, statement: str, waiting_for: str, request: Future[Answer] | None = None) -> int:
        """Give the first process that runs a statement and waits for something, as soon as there is one.

        The request that it does so for, if one is given, must not be answered before.
        """

        def found() -> bool:
            assert request is None or not request.done(), f"answered already: {request.result()}"
            return bool(self.backends(statement, waiting_for))

        until(found, f"{statement!r} that waits for {waiting_for}")
        return self.backends(statement, waiting_for)[0]

    def cancel(self, pid: int) -> None:
        """Cancel what a process runs."""
        self._connection.execute("SELECT pg_cancel_backend(%s)", (pid,))

    def terminate(self, *pids: int) -> None:
        """End processes, and their connections with them; return when they are gone."""
        ended = "SELECT pg_terminate_backend(pid, %s) FROM unnest(%s::int[]) AS pid"
        self._connection.execute(ended, (int(1000 * LONGEST_SECONDS), list(pids)))

    @contextmanager
    def locked(self, table: str) -> Iterator[None]:
        """Keep everybody else from a table."""
        # Not on the own connection: inside a transaction it would see the same processes again and again.
        with psycopg.connect(self._conninfo) as connection:
            connection.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE".encode())
            yield

    def places(self) -> int:
        """How many connections those who are no superusers can have at most."""
        row = self._connection.execute(
            "SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int "
            "- coalesce(current_setting('reserved_connections', true)::int, 0) - count(*) "
            "FROM pg_stat_activity WHERE backend_type = 'client backend' AND usename = current_user"
        ).fetchone()
        assert row is not None
        return int(row[0])

    def require_standby(self) -> None:
        """Let no commit be confirmed before a standby has it that does not exist; return when that is in force."""
        self._set_standby(NOBODY)
        # The heartbeat of the service is a commit too.
        self.await_backend("heartbeat", "SyncRep")

    def lift_requirement(self) -> None:
        """Let commits be confirmed again; those that wait are."""
        self._set_standby("")

    def _set_standby(self, name: str) -> None:
        self._connection.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{name}'".encode())
        self._connection.execute("SELECT pg_reload_conf()")
