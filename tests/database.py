"""A real PostgreSQL for the tests: the embedded one, once a run, and a database of its own for each test that asks."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from skyjo_server.app import Service, open_service
from skyjo_server.postgres import EmbeddedPostgres
from skyjo_server.settings import Settings
from skyjo_server.storage.engine import make_engine
from skyjo_server.storage.migrate import migrate

PEPPER = b"a pepper for tests, and only for tests"

_SEND_AWAY = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND backend_type = 'client backend'"
)


@contextmanager
def new_database(postgres: EmbeddedPostgres, template: str) -> Iterator[str]:
    """A connection string to a copy of a database; it is dropped afterwards, whoever is connected to it still."""
    name = f"{template[:20]}_{uuid4().hex}"
    with psycopg.connect(postgres.dsn, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        yield make_conninfo(postgres.dsn, dbname=name)
        drop_database(connection, name)


def drop_database(connection: psycopg.Connection, name: str) -> None:
    """Drop a database, whoever is connected to it still.

    Not by force, which ends in an error when a vacuum is there: that makes way by itself when it is not forced.
    """
    connection.execute(_SEND_AWAY, (name,))
    connection.execute(f"DROP DATABASE {name}".encode())


@pytest.fixture(scope="session")
def postgres() -> Iterator[EmbeddedPostgres]:
    """The server, shared by the whole run."""
    folder = Path(tempfile.mkdtemp(prefix="skyjo-tests-"))
    folder.chmod(0o755)
    with EmbeddedPostgres(folder / "data") as server:
        yield server
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def template(postgres: EmbeddedPostgres) -> str:
    """The name of a database with the schema and nothing in it."""
    name = f"template_{uuid4().hex}"
    with psycopg.connect(postgres.dsn, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    engine = make_engine(make_conninfo(postgres.dsn, dbname=name), 1)
    migrate(engine)
    engine.dispose()
    return name


@pytest.fixture
def conninfo(postgres: EmbeddedPostgres, template: str) -> Iterator[str]:
    """A connection string to a migrated, empty database of the test's own."""
    with new_database(postgres, template) as made:
        yield made


@pytest.fixture
def settings() -> Settings:
    """Settings for a service in this process."""
    return Settings(pepper=PEPPER, workers=1, threads=64, waiters=32, followers=8)


@pytest.fixture
def service(conninfo: str, settings: Settings) -> Iterator[Service]:
    """The service on a database of its own."""
    opened = open_service(settings, conninfo)
    yield opened
    opened.close()
