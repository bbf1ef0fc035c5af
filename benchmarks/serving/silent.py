"""The service with waking between processes switched off: no NOTIFY, no LISTEN. For comparison only.

Whoever waits is woken by the watcher alone, within a second, as it is behind a pooler that passes on no notifications.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from uuid import UUID

from flask import Flask

from skyjo_server import app
from skyjo_server.storage.postgres import PostgresStorage
from skyjo_server.storage.wake import PostgresWaker


class SilentWaker(PostgresWaker):
    """Tells nobody."""

    def open(self, deliver: Callable[[Iterable[UUID]], None]) -> None:
        """Start nothing."""

    def close(self) -> None:
        """Stop nothing."""

    def wake(self, topics: Sequence[UUID]) -> None:
        """Pass nothing on."""


class SilentStorage(PostgresStorage):
    """Storage with a waker that tells nobody."""

    def __init__(self, conninfo: str) -> None:
        super().__init__(conninfo)
        self.waker = SilentWaker(conninfo)


def create_worker() -> Flask:
    """The WSGI application of one worker, from the environment."""
    return app.create_worker(SilentStorage)
