"""The embedded PostgreSQL as its users see it: start, connect, stop. The work is done by a supervisor process."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import Final, Self
from urllib.parse import quote

from skyjo_server.postgres.cluster import DATABASE, OWNER, SUPERUSER
from skyjo_server.postgres.errors import NotReady
from skyjo_server.postgres.home import Home, default_data_dir, prepare, read_password
from skyjo_server.postgres.joining import join
from skyjo_server.postgres.membership import Membership
from skyjo_server.postgres.runtime import PORT, find_runtime

URL_VARIABLE: Final = "SKYJO_DATABASE_URL"


def database_url() -> str | None:
    """Give the database that the environment names (`SKYJO_DATABASE_URL`), or None: then use `EmbeddedPostgres`.

    An empty value counts as none. The text is a libpq URI or key-value string; it is not looked into here.
    """
    return os.environ.get(URL_VARIABLE, "").strip() or None


class EmbeddedPostgres:
    """A PostgreSQL of our own, running for as long as somebody uses it.

    Processes that name one data directory share one server; it stops when the last of them stops it, or ends, however
    it ends. A server that dies is started again by itself, at the same place, so that clients just reconnect.

    Args:
        data_dir: where the data is, or is to be; None = `default_data_dir()`.

    ::

        with EmbeddedPostgres() as server:
            psycopg.connect(server.dsn)
    """

    def __init__(self, data_dir: Path | None = None) -> None:
        self._data_dir = (data_dir or default_data_dir()).expanduser().absolute()
        self._membership: Membership | None = None

    def __repr__(self) -> str:
        return f"EmbeddedPostgres({self._data_dir!r})"

    @property
    def data_dir(self) -> Path:
        """The data directory, absolute."""
        return self._data_dir

    @property
    def logfile(self) -> Path:
        """The log of the server and its supervisor."""
        return Home(self._data_dir).log

    @property
    def dsn(self) -> str:
        """How the application connects: libpq's key-value string, password included. Keep it out of logs.

        The role owns the database and may make others, but is no superuser.
        """
        return self._conninfo(OWNER, DATABASE)

    @property
    def superuser_dsn(self) -> str:
        """How an operator connects, for what only a superuser may do."""
        return self._conninfo(SUPERUSER, SUPERUSER)

    @property
    def sqlalchemy_url(self) -> str:
        """The same as `dsn` for SQLAlchemy with psycopg."""
        password, sockets = self._access()
        return f"postgresql+psycopg://{OWNER}:{quote(password)}@/{DATABASE}?host={quote(sockets, safe='')}&port={PORT}"

    def start(self) -> None:
        """Join the server, starting it if nobody has; nothing if this process did so before.

        Raises:
            EmbeddedPostgresError: with the way out, if the server cannot be had.
        """
        if self._membership is not None and self._membership.is_ours:
            return
        home = prepare(self._data_dir)
        self._membership = Membership(home, join(home))
        try:
            _log_in(self.superuser_dsn)
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Leave the server; if nobody else uses it, it stops, and this waits for its end."""
        membership, self._membership = self._membership, None
        if membership is not None:
            membership.leave()

    def _conninfo(self, role: str, database: str) -> str:
        password, sockets = self._access()
        pairs = {"host": sockets, "port": str(PORT), "dbname": database, "user": role, "password": password}
        return " ".join(f"{name}={_quoted(value)}" for name, value in pairs.items())

    def _access(self) -> tuple[str, str]:
        """Give the password and the directory of the socket."""
        home = Home(self._data_dir)
        runtime = find_runtime(home)
        if self._membership is None or runtime is None:
            raise NotReady(f"The embedded PostgreSQL of {home.path} does not run", "Call start() first.")
        return read_password(home), str(runtime.db)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def _quoted(value: str) -> str:
    """Quote a value for libpq's key-value string (PostgreSQL manual, "Connection Strings")."""
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _log_in(dsn: str) -> None:
    """See that the password fits the server; as superuser, for whom a place is kept when all others are taken."""
    import psycopg  # noqa: PLC0415 - the supervisor imports this package too, and starts faster without it

    try:
        psycopg.connect(dsn).close()
    except psycopg.OperationalError as error:
        raise NotReady(
            f"The embedded PostgreSQL runs, and refuses to let us in: {error}",
            "If the password file was replaced, put the old one back.",
        ) from error
