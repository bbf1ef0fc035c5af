"""Worlds to test in, and asynchronous tests without a plugin."""

from __future__ import annotations

import asyncio
import inspect

import pytest

from tests.sdk.little.http import LittleApp
from tests.sdk.little.service import LittleService
from tests.sdk.worlds import World


@pytest.fixture
def service() -> LittleService:
    """The little service behind `little`."""
    return LittleService()


@pytest.fixture
def little(service: LittleService) -> World:
    """A world with the little service, for tests that look into it."""
    return World(LittleApp(service))


@pytest.fixture
def world(little: World) -> World:
    """A world with any service: nothing can be looked into."""
    return little


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run an asynchronous test to its end, each in a loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True
