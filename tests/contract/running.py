"""The real service in processes of its own, for tests that meet it as any client does: over a socket. Tests nothing."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from skyjo_server.postgres import EmbeddedPostgres
from tests.database import new_database
from tests.faults.serving import RunningService, started


@pytest.fixture(scope="module")
def running(
    postgres: EmbeddedPostgres, template: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningService]:
    """The service on a database of its own, shared by the tests of a module."""
    if sys.platform != "linux":
        pytest.skip("the service's processes are looked after as Linux shows them")
    with (
        new_database(postgres, template) as conninfo,
        started(conninfo, tmp_path_factory.mktemp("service") / "log") as service,
    ):
        yield service
