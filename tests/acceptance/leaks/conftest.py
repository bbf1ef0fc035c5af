"""Two worlds on the test run's PostgreSQL: copies of one database in which everybody has been registered."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from uuid import uuid4

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from skyjo_server.app import open_service
from skyjo_server.postgres import EmbeddedPostgres
from skyjo_server.settings import Settings
from tests.acceptance.leaks.people import People, settle
from tests.acceptance.leaks.twins import Twins
from tests.acceptance.leaks.worlds import World, fix_clock, use_fixed_clock
from tests.database import PEPPER, drop_database

SETTINGS = Settings(pepper=PEPPER, threads=8, waiters=4, followers=2)


@pytest.fixture(scope="session")
def two_databases(postgres: EmbeddedPostgres, template: str) -> Iterator[tuple[People, str, str]]:
    """Everybody, and two databases that know them."""
    names = [f"leaks_{uuid4().hex}" for _ in range(3)]
    conninfos = [make_conninfo(postgres.dsn, dbname=name) for name in names]
    with psycopg.connect(postgres.dsn, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {names[0]} TEMPLATE {template}")
        fix_clock(conninfos[0])
        use_fixed_clock(connection, names[0])
        with closing(open_service(SETTINGS, conninfos[0])) as service:
            people = settle(service.arena)
        for name in names[1:]:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {names[0]}")
            use_fixed_clock(connection, name)
        yield people, conninfos[1], conninfos[2]
        for name in names:
            drop_database(connection, name)


@pytest.fixture(scope="session")
def people(two_databases: tuple[People, str, str]) -> People:
    """Everybody."""
    return two_databases[0]


@pytest.fixture(scope="session")
def worlds(two_databases: tuple[People, str, str]) -> Iterator[tuple[World, World]]:
    """A service on each database."""
    _, *conninfos = two_databases
    with ExitStack() as stack:
        one, other = (stack.enter_context(closing(World(conninfo, SETTINGS))) for conninfo in conninfos)
        yield one, other


@pytest.fixture
def twins(worlds: tuple[World, World], people: People) -> Twins:
    """The two worlds, nothing compared yet."""
    return Twins(worlds, people)
