"""The service put together, and run: storage, use cases and HTTP in each worker, and what keeps the workers."""

from __future__ import annotations

import gc
import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import Any, Final

import structlog
from flask import Flask
from granian import Granian
from granian.constants import Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels

from skyjo_server.postgres import EmbeddedPostgres
from skyjo_server.service import Arena
from skyjo_server.service.compaction import Keeping
from skyjo_server.service.hub import Hub
from skyjo_server.service.secrets import without_tokens
from skyjo_server.settings import Settings
from skyjo_server.storage.postgres import PostgresStorage

GRACE_SECONDS: Final = 10
"""How long a worker that was told to stop may finish what is in flight."""

COLLECT_AFTER: Final = (10_000, 20, 50)
"""When the garbage collector looks for cycles: after so many new objects, and its older generations so much rarer.

Each move makes hundreds of values, none of which is in a cycle, beside thousands of tables that stay; as Python is set
up, looking through them takes an eighth of a worker's time.
"""


@dataclass(frozen=True, slots=True)
class Service:
    """An arena on an open storage."""

    arena: Arena
    storage: PostgresStorage
    hub: Hub

    def close(self) -> None:
        """Let waiters go and connections end."""
        self.arena.sweeper.close()
        self.arena.compactor.close()
        self.arena.runner.close()
        self.hub.close()
        self.storage.close()


def open_service(
    settings: Settings, conninfo: str, storage_class: Callable[[str], PostgresStorage] = PostgresStorage
) -> Service:
    """An arena on a database; the schema is not touched.

    Args:
        settings: the settings.
        conninfo: a libpq connection string or URL.
        storage_class: makes its storage; benchmarks compare others with the usual one.
    """
    storage = storage_class(conninfo)
    hub = Hub(storage.log, settings.waiters)
    storage.open(hub.wake)
    keeping = Keeping(settings.compact_after, settings.receipt_days)
    arena = Arena(storage, hub, settings.pepper, settings.tables, settings.followers, settings.invitation, keeping)
    return Service(arena, storage, hub)


@contextmanager
def database(settings: Settings) -> Iterator[str]:
    """The database as a connection string: the one that is set, else the embedded one for as long as this lasts."""
    if settings.database_url is not None:
        yield settings.database_url
        return
    with EmbeddedPostgres(settings.data_dir) as server:
        yield server.dsn


def migrate_database(settings: Settings, conninfo: str) -> str:
    """Bring the schema to this version's; gives the revision."""
    service = open_service(settings, conninfo)
    try:
        return service.storage.migrate()
    finally:
        service.close()


def create_worker(storage_class: Callable[[str], PostgresStorage] = PostgresStorage) -> Flask:
    """The WSGI application of one worker, from the environment."""
    from skyjo_server.http import create_http_app  # noqa: PLC0415 - who only migrates needs no HTTP

    settings = Settings.from_environment()
    configure_logging(settings.log_level)
    assert settings.database_url is not None  # noqa: S101 - `serve` sets it for its workers
    service = open_service(settings, settings.database_url, storage_class)
    service.arena.sweeper.start()
    service.arena.compactor.start()
    service.arena.runner.start()
    _on_stop_signal(service.hub.close)
    _stop_with_parent()
    app = create_http_app(service.arena, cors_origins=settings.cors_origins, rate_limit=settings.rate_limit)
    collect_rarely()
    return app


def collect_rarely() -> None:
    """Let the garbage collector leave alone what a worker has made so far, and look seldom at the rest."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)


def serve(
    settings: Settings,
    conninfo: str,
    host: str,
    port: int,
    ready: Callable[[], None] | None = None,
    worker: str = f"{__name__}:create_worker",
) -> None:
    """Answer requests until a SIGTERM or SIGINT; then finish what is in flight.

    Args:
        settings: the settings; each worker reads the same ones from the environment.
        conninfo: the database, its schema up to date.
        host: the address to listen on.
        port: the port to listen on.
        ready: called once the port is open.
        worker: what makes the application of a worker.
    """
    os.environ["SKYJO_DATABASE_URL"] = conninfo
    os.environ["SKYJO_PEPPER"] = settings.pepper.decode()
    server = Granian(
        worker,
        address=host,
        port=port,
        interface=Interfaces.WSGI,
        factory=True,
        workers=settings.workers,
        blocking_threads=settings.threads,
        backpressure=settings.threads,
        http1_settings=HTTP1Settings(header_read_timeout=10_000),
        websockets=False,
        respawn_failed_workers=True,
        respawn_interval=0.2,
        workers_kill_timeout=GRACE_SECONDS,
        log_level=LogLevels(settings.log_level),
        log_access=False,
    )
    if ready is not None:
        server.on_startup(ready)
    server.serve()


def configure_logging(level: str) -> None:
    """One JSON object per line on standard error, for the service's own events and the libraries' alike.

    Tokens are taken out of each line: what fails may quote what was sent.
    """
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
            _cut_tokens,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level.upper())),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )


def _cut_tokens(_logger: Any, _method: str, line: Any) -> str:
    return without_tokens(line)


def _on_stop_signal(stop: Callable[[], Any]) -> None:
    """Call `stop` when this process is told to end, beside whatever handler the server sets for it."""
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)

    def watch() -> None:
        with reader, writer:
            while number := reader.recv(1):
                if number[0] in {signal.SIGTERM, signal.SIGINT}:
                    stop()

    threading.Thread(target=watch, name="stop-watch", daemon=True).start()


def _stop_with_parent() -> None:
    """End this worker when the process that started it is gone, however it went."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="parent-watch", daemon=True).start()
