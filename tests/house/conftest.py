"""A real service for the examples that need one."""

from __future__ import annotations

import pytest

from skyjo_server.app import open_service
from skyjo_server.service.model import Scope
from skyjo_server.settings import Settings
from tests.contract.running import running
from tests.database import PEPPER
from tests.faults.serving import RunningService

__all__ = ["organiser", "running"]


@pytest.fixture
def organiser(running: RunningService) -> str:
    """A token of an organiser."""
    service = open_service(Settings(pepper=PEPPER), running.conninfo)
    try:
        return service.arena.grant_token(Scope.ORGANISER).secret
    finally:
        service.close()
