"""Passing wake-ups between processes by LISTEN and NOTIFY. A hint: losing any of it costs a waiter a second at most.

Nothing is notified inside a move's transaction, which would make all commits queue up behind one another; a thread of
its own sends what has gathered, in transactions that nobody waits for.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Final
from uuid import UUID

import psycopg

CHANNEL: Final = "skyjo_news"

_TOPICS_PER_NOTE: Final = 200  # a payload must stay under 8000 bytes; 33 bytes a topic
_NOTE: Final = "SELECT pg_notify(%s, %s)"
_PAUSE_SECONDS: Final = 0.005
"""Between two notes: the first news are passed on at once, what comes right after them goes together."""

_RECONNECT_SECONDS: Final = 1.0
_LISTEN_SECONDS: Final = 5.0


class PostgresWaker:
    """Sends this process's wake-ups to the others, and brings theirs.

    Args:
        conninfo: a libpq connection string.
    """

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._queue: queue.SimpleQueue[Sequence[UUID] | None] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._threads: list[threading.Thread] = []

    def open(self, deliver: Callable[[Iterable[UUID]], None]) -> None:
        """Start sending, and listening; `deliver` is called with the topics that another process passed on."""
        self._keep("notifier", self._send)
        self._keep("listener", lambda connection: self._listen(connection, deliver))

    def close(self) -> None:
        """Stop both threads: the notifier sends a last, empty note, which ends the listener's wait too."""
        self._stopping.set()
        self._queue.put(None)
        for thread in self._threads:
            thread.join(_LISTEN_SECONDS)

    def wake(self, topics: Sequence[UUID]) -> None:
        """Pass on that these games and bots have news; returns at once, and never raises."""
        if topics:
            self._queue.put(topics)

    def _keep(self, name: str, work: Callable[[psycopg.Connection], None]) -> None:
        """Do the work in a thread of its own, on a connection that is made anew whenever it is lost."""

        def run() -> None:
            while not self._stopping.is_set():
                with suppress(psycopg.Error), psycopg.connect(self._conninfo, autocommit=True) as connection:
                    work(connection)
                self._stopping.wait(_RECONNECT_SECONDS)

        thread = threading.Thread(target=run, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _send(self, connection: psycopg.Connection) -> None:
        connection.execute("SET synchronous_commit = off")
        while topics := self._gathered():
            names = [topic.hex for topic in dict.fromkeys(topics)]
            for first in range(0, len(names), _TOPICS_PER_NOTE):
                note = " ".join(names[first : first + _TOPICS_PER_NOTE])
                connection.execute(_NOTE, (CHANNEL, note))
            self._stopping.wait(_PAUSE_SECONDS)
        connection.execute(_NOTE, (CHANNEL, ""))

    def _gathered(self) -> list[UUID]:
        """Everything that waits to be sent, at least one thing; nothing once it is time to stop."""
        topics: list[UUID] = []
        waiting = self._queue.get()
        with suppress(queue.Empty):
            while waiting is not None:
                topics += waiting
                waiting = self._queue.get_nowait()
        return [] if self._stopping.is_set() else topics

    def _listen(self, connection: psycopg.Connection, deliver: Callable[[Iterable[UUID]], None]) -> None:
        connection.execute(f"LISTEN {CHANNEL}")
        while not self._stopping.is_set():
            for note in connection.notifies(timeout=_LISTEN_SECONDS):
                deliver(UUID(hex=text) for text in note.payload.split())
                if self._stopping.is_set():
                    return
