"""The service behind HTTP, on a real PostgreSQL, and bots that play on it. The tests of a module share one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask

from skyjo_server.app import Service, open_service
from skyjo_server.http import create_http_app
from skyjo_server.http.openapi import document as described
from skyjo_server.postgres import EmbeddedPostgres
from skyjo_server.service.model import Scope
from skyjo_server.settings import Settings
from tests.contract.document import Document
from tests.database import PEPPER, new_database
from tests.server.http.client import Client, members


@dataclass(frozen=True)
class Player:
    """A registered bot."""

    bot: str
    name: str
    token: str


@pytest.fixture(scope="session")
def document() -> Document:
    """The document that the code describes."""
    return Document(described())


@pytest.fixture(scope="module")
def shared_service(postgres: EmbeddedPostgres, template: str) -> Iterator[Service]:
    """The service on a database of the module's own."""
    with new_database(postgres, template) as conninfo:
        opened = open_service(Settings(pepper=PEPPER, threads=64, waiters=32, followers=8), conninfo)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def app(shared_service: Service) -> Flask:
    """The application."""
    return create_http_app(shared_service.arena)


@pytest.fixture
def client(app: Flask, document: Document) -> Client:
    """A client of it."""
    return Client(app, document)


@pytest.fixture
def organiser(shared_service: Service) -> str:
    """A token of an organiser."""
    return shared_service.arena.grant_token(Scope.ORGANISER).secret


@pytest.fixture
def register(client: Client) -> Callable[[], Player]:
    """Registers bots, each of an owner of its own and under a name that nobody has."""

    def new() -> Player:
        made = members(client.post("/v1/bots", {"name": f"bot {uuid4().hex[:12]}"}))
        return Player(made["bot"]["id"], made["bot"]["name"], made["token"]["token"])

    return new


@pytest.fixture
def ada(register: Callable[[], Player]) -> Player:
    """A bot."""
    return register()


@pytest.fixture
def bob(register: Callable[[], Player]) -> Player:
    """Another bot, of another owner."""
    return register()


@pytest.fixture
def game(client: Client, organiser: str, ada: Player, bob: Player) -> dict[str, Any]:
    """A game of Ada and Bob that has just been dealt."""
    seats = [{"kind": "bot", "bot": player.bot} for player in (ada, bob)]
    return members(client.post("/v1/games", {"seats": seats}, organiser))
