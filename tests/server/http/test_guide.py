"""The guide comes from this process alone: every page, every link, beside the reference and under the same policy."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from skyjo_server.http.guide import NAVIGATION, STYLE_PATH, address, page
from skyjo_server.http.reference import POLICY
from tests.house.tree import ROOT
from tests.server.http.client import Client


class Parts(HTMLParser):
    """What a page is made of.

    Attributes:
        tags: names of all its elements.
        anchors: all its ids.
        links: where its links lead.
        loaded: what it loads.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.tags.add(tag)
        self.anchors.update(given[name] for name in given if name == "id")
        if tag == "a":
            self.links.append(given["href"])
        else:
            self.loaded += [given[name] for name in ("href", "src") if name in given]


@pytest.mark.parametrize("name", NAVIGATION)
def test_a_page_is_served_under_the_policy_of_the_reference(name: str, client: Client) -> None:
    answer = client.get(address(name))
    assert (answer.status_code, answer.mimetype) == (200, "text/html")
    assert answer.headers["Content-Security-Policy"] == POLICY
    assert "<h1" in answer.text


@pytest.mark.parametrize("name", NAVIGATION)
def test_whatever_a_page_loads_is_served_here(name: str, client: Client) -> None:
    parts = Parts(page(name))
    assert parts.loaded
    assert "script" not in parts.tags
    assert [path for path in parts.loaded if client.get(path).status_code != 200] == []


@pytest.mark.parametrize("name", NAVIGATION)
def test_every_link_leads_somewhere(name: str, client: Client) -> None:
    broken = []
    # What leads out of the service is not followed: tests ask nothing of the network.
    for link in (link for link in Parts(page(name)).links if not link.startswith("https://")):
        path, _, anchor = link.partition("#")
        answer = client.get(path or address(name))
        if answer.status_code != 200 or (anchor and anchor not in Parts(answer.text).anchors):
            broken.append(link)
    assert broken == []


def test_reference_and_guide_lead_to_each_other(client: Client) -> None:
    assert address("index") in Parts(client.get("/docs").text).links
    assert "/docs" in Parts(page("index")).links


def test_the_guide_has_every_page_that_is_written_and_in_the_order_of_the_site() -> None:
    assert sorted(NAVIGATION) == sorted(path.stem for path in (ROOT / "docs").iterdir())
    order = re.findall(r": ([a-z-]+)\.md$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    assert list(NAVIGATION) == order


def test_nobody_reads_the_remarks_of_those_who_wrote_a_page() -> None:
    assert [name for name in NAVIGATION if "&lt;!--" in page(name) or "<!-- " in page(name)] == []


def test_the_style_has_the_type_that_a_browser_asks_for(client: Client) -> None:
    assert client.get(STYLE_PATH).mimetype == "text/css"
