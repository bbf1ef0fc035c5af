"""Two services on two databases that differ in secrets alone: same ids, same tokens, same clock. Compares nothing.

The clock of these databases stands still until it is set: ``now()`` is found in a schema of the tests before it is
found in PostgreSQL's own. Nothing of the service is replaced for that.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, Final
from uuid import UUID

import psycopg
from flask import Flask
from psycopg import sql

from skyjo_server.http import create_http_app
from skyjo_server.http.callers import EXTENSION
from skyjo_server.service import Arena
from skyjo_server.service.hub import Hub
from skyjo_server.service.ports import Move, NewStoredGame
from skyjo_server.settings import Settings
from skyjo_server.storage.connections import PlayConnection
from skyjo_server.storage.postgres import PostgresStorage

REQUEST_ID: Final = "a-fixed-one"

_FIXED_CLOCK: Final = """
CREATE SCHEMA fixed;
CREATE TABLE fixed.clock (at timestamptz NOT NULL);
INSERT INTO fixed.clock VALUES ('2026-01-01Z');
CREATE FUNCTION fixed.now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT at FROM fixed.clock';
DO $$
DECLARE found record;
BEGIN
    FOR found IN SELECT table_name, column_name FROM information_schema.columns
                 WHERE table_schema = 'public' AND column_default = 'now()' LOOP
        EXECUTE format('ALTER TABLE %I ALTER %I SET DEFAULT fixed.now()', found.table_name, found.column_name);
    END LOOP;
END $$;
"""

# No other default reads the time, and none may come to do so unnoticed.
_OTHER_CLOCKS: Final = """
SELECT table_name, column_name FROM information_schema.columns
WHERE table_schema = 'public' AND column_default ~ 'now|current_|clock_timestamp' AND column_default !~ '^fixed[.]now'
"""

_GAME_TABLES: Final = ("submissions", "events", "game_secrets", "game_seats", "games")

_REWIND: Final = """
WITH kept AS (SELECT * FROM jsonb_populate_record(NULL::games, %s))
UPDATE games g
SET version = k.version, status = k.status, to_act = k.to_act, left_seats = k.left_seats, deadline = k.deadline,
    clock_started = k.clock_started, last_thinking = k.last_thinking, finished_at = k.finished_at, result = k.result
FROM kept k WHERE g.game_id = k.game_id
"""


class _Counter(threading.local):
    """How often a thread has asked a database something."""

    exchanges = 0


_COUNTER: Final = _Counter()


class CountedConnection(PlayConnection):
    """A connection that counts every exchange with the server: each statement, begin and commit."""

    def wait(self, *args: Any, **options: Any) -> Any:
        """Carry out one exchange."""
        _COUNTER.exchanges += 1
        return super().wait(*args, **options)


@dataclass(frozen=True, slots=True)
class Ask:
    """A request as one viewer sends it.

    Attributes:
        counted: whether its statements can be compared: those of a request that waits depend on when it is woken.
        creates: whether its answer names things that have just come to be, under ids and secrets drawn at random.
        chunks: how much is read of an answer that goes on for as long as a game does; None = all.
    """

    method: str
    path: str
    token: str | None = None
    query: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    counted: bool = True
    creates: bool = False
    chunks: int | None = None

    def __str__(self) -> str:
        query = f"?{self.query}" if self.query else ""
        return f"{self.method} {self.path}{query} {dict(self.headers)} {self.body.decode()}"

    def environ(self) -> dict[str, Any]:
        """The request as a WSGI server passes it on."""
        environ = {
            "REQUEST_METHOD": self.method,
            "SCRIPT_NAME": "",
            "PATH_INFO": self.path,
            "QUERY_STRING": self.query,
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_HOST": "localhost",
            "HTTP_X_REQUEST_ID": REQUEST_ID,
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(self.body),
            "wsgi.errors": io.StringIO(),
            "wsgi.multithread": True,
            "wsgi.multiprocess": True,
            "wsgi.run_once": False,
        }
        if self.token is not None:
            environ["HTTP_AUTHORIZATION"] = f"Bearer {self.token}"
        if self.body:
            environ |= {"CONTENT_TYPE": "application/json", "CONTENT_LENGTH": str(len(self.body))}
        return environ | {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in self.headers}


@dataclass(frozen=True, slots=True)
class Answer:
    """Everything that is compared: status, headers in their order, body, and exchanges with the database."""

    status: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    exchanges: int

    def header(self, name: str) -> str | None:
        """One header, None if it is not there."""
        return next((value for known, value in self.headers if known == name), None)


class World:
    """A service on a database of its own.

    Args:
        conninfo: the database; its clock has been fixed.
        settings: the service's.
    """

    def __init__(self, conninfo: str, settings: Settings) -> None:
        self._admin = psycopg.connect(conninfo, autocommit=True)
        self._settings = settings
        self.storage = PostgresStorage(conninfo, CountedConnection)
        self._hub = Hub(self.storage.log, settings.waiters)
        self.storage.open(self._hub.wake)
        self._now: datetime | None = None
        self.arena = self._new_arena()
        self.app: Flask = create_http_app(self.arena)

    def close(self) -> None:
        """End it."""
        self._hub.close()
        self.storage.close()
        self._admin.close()

    def restart(self) -> None:
        """Forget what is in memory, as a new process on the same database would have nothing."""
        self.arena = self.app.extensions[EXTENSION] = self._new_arena()

    def set_clock(self, now: datetime) -> None:
        """Let the database's clock stand at a moment."""
        if now != self._now:
            self._admin.execute("UPDATE fixed.clock SET at = %s", (now,))
            self._now = now

    def store(self, game: NewStoredGame, moves: Iterable[tuple[datetime, Move]]) -> None:
        """Store a game with its log, each move committed at its time."""
        (first_at, first), *others = moves
        self.set_clock(first_at)
        self.storage.games.add_game(game, lambda _: first)
        for at, move in others:
            self.set_clock(at)
            assert self.storage.log.commit([move]), f"a move of {game.game_id} did not apply"

    def forget(self, game_id: UUID) -> None:
        """Delete a game, from the service's memory too."""
        for table in _GAME_TABLES:
            self._admin.execute(sql.SQL("DELETE FROM {} WHERE game_id = %s").format(sql.Identifier(table)), (game_id,))
        self.restart()

    def remember(self, game_id: UUID) -> Callable[[], None]:
        """Give what brings a game back to where it is now."""
        row = self._admin.execute("SELECT to_jsonb(g), version FROM games g WHERE game_id = %s", (game_id,)).fetchone()
        assert row is not None

        def bring_back() -> None:
            for table in ("submissions", "events"):
                self._admin.execute(
                    sql.SQL("DELETE FROM {} WHERE game_id = %s AND version > %s").format(sql.Identifier(table)),
                    (game_id, row[1]),
                )
            self._admin.execute(_REWIND, (psycopg.types.json.Jsonb(row[0]),))
            self.restart()

        return bring_back

    def ask(self, ask: Ask) -> Answer:
        """Answer a request."""
        started: list[Any] = []
        before = _COUNTER.exchanges
        with closing(self._chunks(ask, started)) as chunks:
            body = b"".join(islice(chunks, ask.chunks))
        return Answer(started[0], tuple(started[1]), body, _COUNTER.exchanges - before if ask.counted else 0)

    def follow(self, ask: Ask) -> Generator[bytes]:
        """Answer a request chunk by chunk, as they come."""
        return self._chunks(ask, [])

    def _chunks(self, ask: Ask, started: list[Any]) -> Generator[bytes]:
        def start(*arguments: Any) -> Any:
            started[:] = arguments

        answer = self.app(ask.environ(), start)
        try:
            yield from answer
        finally:
            getattr(answer, "close", lambda: None)()

    def _new_arena(self) -> Arena:
        return Arena(self.storage, self._hub, self._settings.pepper, self._settings.tables)


def fix_clock(conninfo: str) -> None:
    """Give a database, and every copy of it, a clock that can be set; see also :func:`use_fixed_clock`."""
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute(_FIXED_CLOCK)
        assert connection.execute(_OTHER_CLOCKS).fetchall() == []


def use_fixed_clock(connection: psycopg.Connection, name: str) -> None:
    """Let a database look there for the time; and as it is thrown away soon, let its commits not be durable."""
    database = sql.Identifier(name)
    for setting in ("search_path = fixed, pg_catalog, public", "synchronous_commit = off"):
        connection.execute(sql.SQL("ALTER DATABASE {} SET ").format(database) + sql.SQL(setting))
