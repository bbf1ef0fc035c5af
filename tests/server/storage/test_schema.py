"""The migrations and the tables agree, and bringing a database up to date is safe to repeat."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from skyjo_server.app import Service, open_service
from skyjo_server.postgres import EmbeddedPostgres
from skyjo_server.service.errors import Unavailable
from skyjo_server.settings import Settings
from skyjo_server.storage.engine import make_engine
from skyjo_server.storage.migrate import current_revision, head_revision, migrate, schema_differences


@pytest.fixture
def empty(postgres: EmbeddedPostgres) -> str:
    """A connection string to a database without tables."""
    name = f"empty_{uuid4().hex}"
    with psycopg.connect(postgres.dsn, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return make_conninfo(postgres.dsn, dbname=name)


def test_the_migrations_make_exactly_the_tables_that_the_code_knows(conninfo: str) -> None:
    engine = make_engine(conninfo, 1)
    with engine.connect() as connection:
        assert current_revision(connection) == head_revision()
        assert schema_differences(connection) == []
    engine.dispose()


def test_migrating_again_changes_nothing(conninfo: str) -> None:
    engine = make_engine(conninfo, 1)
    assert migrate(engine) == migrate(engine) == head_revision()
    engine.dispose()


def test_several_processes_may_migrate_an_empty_database_at_once(empty: str) -> None:
    engines = [make_engine(empty, 2) for _ in range(4)]
    with ThreadPoolExecutor(len(engines)) as pool:
        assert list(pool.map(migrate, engines)) == [head_revision()] * len(engines)
    for engine in engines:
        engine.dispose()


def test_a_service_on_a_database_without_tables_is_not_ready_and_says_what_to_do(
    empty: str, settings: Settings
) -> None:
    service = open_service(settings, empty)
    try:
        with pytest.raises(Unavailable, match="skyjo server migrate"):
            service.arena.ready()
    finally:
        service.close()


def test_a_service_on_a_migrated_database_is_ready(service: Service) -> None:
    service.arena.ready()
