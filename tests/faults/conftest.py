"""A PostgreSQL that these tests may kill, and the real service on it."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from skyjo_server.postgres import EmbeddedPostgres
from skyjo_server.storage.engine import make_engine
from skyjo_server.storage.migrate import migrate
from tests.faults.administrator import Administrator
from tests.faults.serving import RunningService, started

collect_ignore = ["serve_program.py", "bot_program.py"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Processes and their connections are looked at as Linux shows them."""
    if sys.platform != "linux":
        for item in items:
            if "cluster" in getattr(item, "fixturenames", ()):
                item.add_marker(pytest.mark.skip(reason="these tests look at processes as Linux shows them"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show the service's log beside a failure."""
    report = yield
    services = [value for value in getattr(item, "funcargs", {}).values() if isinstance(value, RunningService)]
    if report.failed:
        report.sections += [("log of the service", service.log_tail()) for service in services]
    return report


@pytest.fixture(scope="session")
def cluster() -> Iterator[EmbeddedPostgres]:
    """A PostgreSQL for these tests alone: they kill it, fill it and change its settings."""
    folder = Path(tempfile.mkdtemp(prefix="skyjo-faults-"))
    folder.chmod(0o755)
    with EmbeddedPostgres(folder / "data") as server:
        yield server
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def database(cluster: EmbeddedPostgres) -> str:
    """A connection string to a migrated, empty database that the tests of a module share."""
    name = f"faults_{uuid4().hex}"
    with psycopg.connect(cluster.dsn, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    conninfo = make_conninfo(cluster.dsn, dbname=name)
    engine = make_engine(conninfo, 1)
    migrate(engine)
    engine.dispose()
    return conninfo


@pytest.fixture(scope="module")
def running(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """The service with two workers, shared by the tests of a module, which leave it as it is."""
    with started(database, tmp_path_factory.mktemp("service") / "log") as service:
        yield service


@pytest.fixture
def own_service(database: str, tmp_path: Path) -> Iterator[RunningService]:
    """The service with two workers, for one test, which may do to it what it likes."""
    with started(database, tmp_path / "service.log") as service:
        yield service


@pytest.fixture
def administrator(cluster: EmbeddedPostgres, database: str) -> Iterator[Administrator]:
    """Whoever administers the service's database."""
    opened = Administrator(cluster, database)
    yield opened
    opened.close()
