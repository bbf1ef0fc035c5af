"""Worlds to test in, and asynchronous tests without a plugin."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Iterator

import httpx
import pytest
from flask import Flask

from skyjo_server.app import Service, open_service
from skyjo_server.http import create_http_app
from skyjo_server.postgres import EmbeddedPostgres
from skyjo_server.settings import Settings
from tests.database import PEPPER, new_database
from tests.sdk.little.faults import Handler
from tests.sdk.little.http import LittleApp
from tests.sdk.little.service import LittleService
from tests.sdk.serving import LocalServer
from tests.sdk.worlds import World


@pytest.fixture
def little_service() -> LittleService:
    """The little service behind `little`."""
    return LittleService()


@pytest.fixture
def little(little_service: LittleService) -> World:
    """A world with the little service, for tests that look into it."""
    return World(LittleApp(little_service))


def without_socket(app: Flask) -> Handler:
    """What answers in this process, as the real service does."""
    transport = httpx.WSGITransport(app=app)

    def handler(request: httpx.Request) -> httpx.Response:
        answer = transport.handle_request(request)
        return httpx.Response(answer.status_code, headers=answer.headers, content=answer.read())

    return handler


@pytest.fixture(scope="module")
def shared_handler(postgres: EmbeddedPostgres, template: str) -> Iterator[Handler]:
    """The real service on a database that the tests of a module share."""
    with new_database(postgres, template) as conninfo:
        opened = open_service(Settings(pepper=PEPPER, threads=64, waiters=32, followers=8), conninfo)
        yield without_socket(create_http_app(opened.arena))
        opened.close()


@pytest.fixture
def server(service: Service) -> Iterator[LocalServer]:
    """A server that runs."""
    local = LocalServer(create_http_app(service.arena))
    local.start()
    yield local
    local.stop()


@pytest.fixture
def real_world(service: Service) -> World:
    """A world with the real service on a database of its own."""
    return World(without_socket(create_http_app(service.arena)))


@pytest.fixture(params=["little", "real"])
def world(request: pytest.FixtureRequest) -> World:
    """A world with either service: nothing can be looked into."""
    if request.param == "little":
        return World(LittleApp())
    return World(request.getfixturevalue("shared_handler"))


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run an asynchronous test to its end, each in a loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True
