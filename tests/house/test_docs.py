"""The published documentation builds without a warning, loads nothing from elsewhere, and says what the code says."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from skyjo import Reason
from skyjo_server.service.errors import ProblemCode
from tests.house import guide_tables
from tests.house.tree import ROOT

PAGES = sorted((ROOT / "docs").glob("*.md"))
LOADING = re.compile(r"<(?:script|link|img|iframe|source|video|audio)\b[^>]*?\s(?:src|href)=[\"']?([^\"'\s>]+)")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    folder = tmp_path_factory.mktemp("docs")
    shutil.copytree(ROOT / "docs", folder / "docs")
    shutil.copy(ROOT / "mkdocs.yml", folder)
    built = build(folder)
    assert built.returncode == 0, built.stdout + built.stderr
    return folder / "out" / "site"


def build(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("zensical")), "build", "--strict"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def foreign(page: str) -> list[str]:
    """What a page would load from elsewhere."""
    return [target for target in LOADING.findall(page) if re.match(r"(?:https?:)?//", target)]


def test_every_page_is_built_and_loads_nothing_from_elsewhere(site: Path) -> None:
    for source in PAGES:
        page = (site / source.with_suffix(".html").name).read_text(encoding="utf-8")
        assert LOADING.search(page)
        assert foreign(page) == []


def test_its_styles_load_nothing_from_elsewhere(site: Path) -> None:
    styles = list(site.rglob("*.css"))
    assert styles
    assert [
        style.name for style in styles if re.search(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//", style.read_text())
    ] == []


def test_a_page_that_would_load_a_font_from_elsewhere_is_found() -> None:
    assert foreign('<link rel="x" href="https://fonts.example/a.css"><a href="https://example.org">x</a>') == [
        "https://fonts.example/a.css"
    ]


@pytest.mark.parametrize("link", ["nowhere.md", "rules.md#nowhere"])
def test_a_broken_link_ends_the_build(link: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    with (tmp_path / "docs" / "index.md").open("a", encoding="utf-8") as page:
        page.write(f"\n[broken]({link})\n")
    assert build(tmp_path).returncode != 0


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_generated_tables_of_a_page_are_what_the_code_says(path: Path) -> None:
    page = path.read_text(encoding="utf-8")
    assert guide_tables.filled(page) == page, "run: python -m tests.house.guide_tables"


def test_every_table_is_on_a_page_and_a_changed_one_is_found() -> None:
    marks = [mark[1] for path in PAGES for mark in guide_tables.MARK.findall(path.read_text(encoding="utf-8"))]
    assert sorted(marks) == sorted(guide_tables.TABLES)
    assert "not-your-turn" in guide_tables.filled("<!-- generated: reasons -->\nold\n<!-- end -->")


def test_the_catalogue_says_the_way_out_of_every_problem_and_explains_every_reason() -> None:
    assert list(guide_tables.WAYS_OUT) == list(ProblemCode)
    assert list(guide_tables.REASONS) == list(Reason)
