"""The interactive reference comes from this process alone, and shows the document that the code describes."""

from __future__ import annotations

import re

from flask import Flask

from skyjo_server.http import guide, viewer
from skyjo_server.http.app import describe
from skyjo_server.http.openapi import document as described
from skyjo_server.http.reference import PAGE, POLICY, START
from tests.server.http.client import Client

FILES = ("start.js", "swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png")


def test_the_document_that_is_served_is_the_one_that_the_code_describes(client: Client) -> None:
    answer = client.get("/openapi.json")
    assert answer.json == described()
    assert answer.mimetype == "application/json"


def test_beside_the_document_there_are_only_the_pages_that_show_it(app: Flask) -> None:
    described_app, _ = describe()
    shown = {rule.rule for rule in app.url_map.iter_rules()} - {
        rule.rule for rule in described_app.url_map.iter_rules()
    }
    page = {viewer.PAGE_PATH, *(f"{viewer.FILES_PATH}/{path.relative_to(viewer.FOLDER)}" for path in viewer.files())}
    assert shown == {"/openapi.json", "/docs", *(f"/docs/{name}" for name in FILES), *guide.files(), *page}


def test_whatever_the_page_loads_is_served_here(client: Client) -> None:
    page = client.get("/docs")
    assert page.text == PAGE
    loaded = re.findall(r'(?:src|href)="([^"]+)"', page.text) + re.findall(r'url: "([^"]+)"', START)
    assert len(loaded) == 7
    for path in loaded:
        answer = client.get(path)
        assert (answer.status_code, len(answer.data) > 100) == (200, True), path


def test_the_page_may_load_nothing_from_elsewhere(client: Client) -> None:
    assert client.get("/docs").headers["Content-Security-Policy"] == POLICY
    assert "default-src 'none'; script-src 'self';" in POLICY
    assert not re.search(r"https?:|//|\*|unsafe-eval|unsafe", POLICY)
    assert "://" not in PAGE + START


def test_the_files_have_the_types_that_a_browser_asks_for(client: Client) -> None:
    types = {"start.js": "text/javascript", "swagger-ui-bundle.js": "text/javascript", "swagger-ui.css": "text/css"}
    assert {name: client.get(f"/docs/{name}").mimetype for name in types} == types
