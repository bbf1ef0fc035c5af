"""The real service in processes of its own, for tests that meet it as any client does: over a socket. Tests nothing."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from uuid import uuid4

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from skyjo_server.postgres import EmbeddedPostgres
from tests.faults.serving import RunningService


@pytest.fixture(scope="module")
def running(
    postgres: EmbeddedPostgres, template: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningService]:
    """The service on a database of its own, shared by the tests of a module."""
    if sys.platform != "linux":
        pytest.skip("the service's processes are looked after as Linux shows them")
    name = f"running_{uuid4().hex}"
    with psycopg.connect(postgres.dsn, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}".encode())
        service = RunningService(make_conninfo(postgres.dsn, dbname=name), tmp_path_factory.mktemp("service") / "log")
        try:
            service.start()
            yield service
        finally:
            service.kill()
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())
