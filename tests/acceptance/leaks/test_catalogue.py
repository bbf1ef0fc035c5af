"""The catalogue of requests is the whole API: a new route, parameter or media type that it leaves out fails here."""

from __future__ import annotations

import re
from collections.abc import Iterable
from random import Random
from urllib.parse import parse_qsl

import pytest
from flask import Flask

from skyjo_server.http import create_http_app
from skyjo_server.http.openapi import document as described
from tests.acceptance.leaks.catalogue import everything
from tests.acceptance.leaks.entries import ENTRIES
from tests.acceptance.leaks.people import People
from tests.acceptance.leaks.scenes import scenes
from tests.acceptance.leaks.sights import Sight
from tests.acceptance.leaks.twins import route
from tests.acceptance.leaks.worlds import Ask, World
from tests.contract.document import Document, Operation

SENT_BY_TWINS = {"If-None-Match"}
"""The entity tag of the answer before; every answer that has one is asked for again with it."""

DOCUMENT = Document(described())
OPERATIONS = list(DOCUMENT.operations())
PLACE = re.compile(r"<(?:\w+:)?(\w+)>")


@pytest.fixture(scope="module")
def asks(people: People) -> dict[str, list[Ask]]:
    """What is asked about some scenes, by route."""
    found: dict[str, list[Ask]] = {}
    sights = ((scene, person) for scene in scenes(people, range(60)) for person in scene.group.viewers)
    for number, (scene, person) in enumerate(sights):
        for ask in everything(Sight(scene, person, people, scene.state.version, Random(number), number)):
            found.setdefault(route(ask), []).append(ask)
    return found


def routes(app: Flask) -> set[str]:
    """Every route of an application, as the OpenAPI document writes them."""
    return {
        " ".join((method, PLACE.sub(r"{\1}", rule.rule)))
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }


def test_every_route_has_an_entry_and_every_entry_a_route(worlds: tuple[World, World]) -> None:
    assert routes(worlds[0].app) == set(ENTRIES)


def test_a_new_route_is_found(worlds: tuple[World, World]) -> None:
    app = create_http_app(worlds[0].arena)
    app.add_url_rule("/v1/games/<uuid:game_id>/secrets", "secrets", str)
    assert routes(app) - set(ENTRIES) == {"GET /v1/games/{game_id}/secrets"}


def test_an_entry_asks_its_own_route_alone(asks: dict[str, list[Ask]]) -> None:
    assert set(asks) == set(ENTRIES)


@pytest.mark.parametrize("operation", OPERATIONS, ids=[operation.operation_id for operation in OPERATIONS])
def test_every_parameter_and_media_type_is_used(operation: Operation, asks: dict[str, list[Ask]]) -> None:
    sent = asks[f"{operation.method.upper()} {operation.path}"]
    queries = {name for ask in sent for name, _ in parse_qsl(ask.query)}
    assert queries >= set(operation.parameters("query"))
    headers = {name for ask in sent for name, _ in ask.headers}
    assert headers >= set(operation.parameters("header")) - SENT_BY_TWINS
    if len(given := media_types(operation)) > 1:
        assert {value for ask in sent for name, value in ask.headers if name == "Accept"} >= given


def media_types(operation: Operation) -> set[str]:
    """What a success of an operation can be."""
    successes: Iterable[str] = (status for status in operation.described["responses"] if status.startswith("2"))
    found = (DOCUMENT.resolve(operation.described["responses"][status]) for status in successes)
    return {name for response in found for name in response.get("content", {})}
