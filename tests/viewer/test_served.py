"""What the page is made of: files of this service alone, under a strict policy, of a shape that can be read."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path
from typing import Final, cast
from urllib.parse import urljoin

import pytest
from flask.testing import FlaskClient

from skyjo_server.http import create_http_app, viewer
from skyjo_server.http.ports import AllUseCases
from tests.house.tree import shown

OURS: Final = [path for path in viewer.files() if "vendor" not in path.parts]
MODULES: Final = [path for path in OURS if path.suffix == ".js"]
LINES_MAX: Final = 400
LIT_HTML: Final = "b878e7f95dec8a9b6e9b217faca6b6a11bad82ebc44c0caa77419ed83edd81f2"
"""The SHA-256 of `lit-html.js` of version 3.3.3, as its package has it."""

UNSAFE: Final = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|unsafeHTML|\sstyle=|\bstyle\."
)
"""Ways in which data could become more than a text, or which the policy forbids."""


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    """A client of the page; nothing is asked of the service behind it."""
    return create_http_app(cast(AllUseCases, None)).test_client()


def address(path: Path) -> str:
    """Where a file is served."""
    return f"{viewer.FILES_PATH}/{path.relative_to(viewer.FOLDER).as_posix()}"


def test_every_file_is_served_with_its_type_under_the_policy_and_can_be_kept(client: FlaskClient) -> None:
    for path in ("/", *map(address, viewer.files())):
        answer = client.get(path)
        assert answer.status_code == 200
        assert answer.headers["Content-Security-Policy"] == viewer.POLICY
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.content_type in viewer.MEDIA_TYPES.values()
        again = client.get(path, headers={"If-None-Match": answer.headers["ETag"]})
        assert (again.status_code, again.data) == (304, b"")
    assert client.get("/viewer/package.json").status_code == 404
    assert client.get("/viewer/../app.py").status_code == 404


def test_the_policy_lets_nothing_in_from_elsewhere_and_no_text_become_script() -> None:
    assert viewer.POLICY.startswith("default-src 'none'; script-src 'self'; ")
    assert "require-trusted-types-for 'script'" in viewer.POLICY
    assert not re.search(r"https?:|//|\*|unsafe", viewer.POLICY)


def test_whatever_the_page_and_its_modules_load_is_served(client: FlaskClient) -> None:
    page = client.get("/").text
    loaded = re.findall(r'(?:src|href)="(viewer/[^"]+)"', page)
    assert len(loaded) == 5
    assert [path for path in loaded if client.get(f"/{path}").status_code != 200] == []
    for module in MODULES:
        imports = re.findall(r'(?:from|import) "(\.[^"]+)"', module.read_text(encoding="utf-8"))
        answers = [client.get(urljoin(address(module), name)).status_code for name in imports]
        assert set(answers) <= {200}, module


def test_nothing_names_an_address_elsewhere() -> None:
    for path in (*OURS, viewer.FOLDER / "index.html"):
        found = re.findall(r"\w+://[^\s\"']+", path.read_text(encoding="utf-8"))
        assert set(found) <= {"http://www.w3.org/2000/svg"}, path


@pytest.mark.parametrize("path", OURS, ids=shown)
def test_data_stays_text_and_no_style_stands_in_a_template(path: Path) -> None:
    assert UNSAFE.findall(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", MODULES, ids=shown)
def test_a_module_says_what_it_is_and_is_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.match(r"/\*\*\s+(?:\* )?[A-Z`]", text)
    assert text.count("\n") <= LINES_MAX


def test_the_library_is_the_one_that_was_published_and_its_licence_lies_beside_it() -> None:
    library = viewer.FOLDER / "vendor" / "lit-html.js"
    assert sha256(library.read_bytes()).hexdigest() == LIT_HTML
    assert "BSD 3-Clause License" in library.with_suffix(".LICENSE").read_text(encoding="utf-8")
