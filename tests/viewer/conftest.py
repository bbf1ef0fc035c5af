"""The real service in processes of its own, and a real Chromium that looks at its page; all tests here share both."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from skyjo_client import TournamentFormat
from skyjo_server.postgres import EmbeddedPostgres
from tests.database import new_database
from tests.faults.serving import RunningService, started
from tests.viewer.looking import Look
from tests.viewer.tables import event


@pytest.fixture(scope="package")
def running(
    postgres: EmbeddedPostgres, template: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningService]:
    """The service on a database of these tests' own."""
    with (
        new_database(postgres, template) as conninfo,
        started(conninfo, tmp_path_factory.mktemp("viewer") / "log") as service,
    ):
        yield service


@pytest.fixture(scope="package")
def cup(running: RunningService) -> str:
    """A tournament that is over."""
    return event(running)


@pytest.fixture(scope="package")
def bracket(running: RunningService) -> str:
    """A knockout that is over: most of its twenty entries never met."""
    house = ("greedy", "threshold", "random") * 6 + ("greedy", "random")
    return event(running, name="House bracket", format=TournamentFormat.KNOCKOUT, house=house)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The Chromium of this system."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        pytest.skip("there is no Chromium here")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Browser, running: RunningService) -> Iterator[Page]:
    """A page on a desk, at the service; whatever goes wrong inside it fails the test."""
    with Look(browser, running.url).desk() as opened:
        yield opened


@pytest.fixture
def look(browser: Browser, running: RunningService) -> Look:
    """Opens further pages."""
    return Look(browser, running.url)
