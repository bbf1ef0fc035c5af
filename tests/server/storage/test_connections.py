"""Connections that die, commits that are not vouched for, and a database that has no place left."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from skyjo_server.postgres import EmbeddedPostgres
from skyjo_server.service.errors import Unavailable
from skyjo_server.storage.connections import Connections
from skyjo_server.storage.engine import make_engine, transaction


@pytest.fixture
def connections(conninfo: str) -> Iterator[Connections]:
    opened = Connections(conninfo, 2)
    opened.open()
    yield opened
    opened.close()


def backend(connections: Connections) -> int:
    process: int = connections.fetch("SELECT pg_backend_pid()", ())[0][0]
    return process


WARNING = "DO $$ BEGIN RAISE WARNING 'not on the standby yet'; END $$"


def test_a_statement_whose_connection_was_killed_is_sent_again(
    connections: Connections, postgres: EmbeddedPostgres
) -> None:
    with psycopg.connect(postgres.superuser_dsn, autocommit=True) as administrator:
        for _ in range(3):
            killed = backend(connections)
            administrator.execute("SELECT pg_terminate_backend(%s, 5000)", (killed,))
            rows, _ = connections.fetch_resending("SELECT pg_backend_pid()", ())
            assert rows[0][0] != killed


def test_a_commit_with_a_warning_is_not_reported_as_done(connections: Connections) -> None:
    with connections.transaction() as connection:
        connection.execute(
            "CREATE FUNCTION warn_me() RETURNS int LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE WARNING USING ERRCODE = '01000', MESSAGE = 'not on the standby yet'; RETURN 1; END $$"
        )
    with pytest.raises(Unavailable, match="not on the standby yet"):
        connections.fetch("SELECT warn_me()", ())
    assert connections.fetch("SELECT 1", ()) == [(1,)]


def test_a_warned_commit_off_the_path_of_a_move_is_not_reported_either(conninfo: str) -> None:
    engine = make_engine(conninfo, 1)
    with pytest.raises(Unavailable, match="not on the standby yet"), transaction(engine) as connection:
        connection.exec_driver_sql(WARNING)
    with transaction(engine) as connection:
        assert connection.exec_driver_sql("SELECT 1").scalar_one() == 1
    engine.dispose()


def test_a_request_that_gets_no_connection_in_time_is_told_to_come_back(connections: Connections) -> None:
    with connections.transaction(), connections.transaction(), ThreadPoolExecutor(1) as pool:
        refused = pool.submit(connections.fetch, "SELECT 1", ()).exception()
    assert isinstance(refused, Unavailable)
    assert refused.retry_after_seconds == 1
