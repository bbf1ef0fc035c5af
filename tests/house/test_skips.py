"""In CI, no test that needs an installed tool is left out silently."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.tree import ROOT

SKIPPING = """
import pytest

@pytest.mark.node
def test_that_needs_node():
    pytest.skip("no node here")

def test_that_may_be_skipped():
    pytest.skip("not on this system")
"""


@pytest.fixture
def inner(tmp_path: Path) -> Path:
    """A small project under this project's ground rules and settings."""
    (tmp_path / "tests").mkdir()
    for name in ("pyproject.toml", "tests/ground.py"):
        (tmp_path / name).write_text((ROOT / name).read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "tests" / "conftest.py").write_text("pytest_plugins = ['tests.ground']", encoding="utf-8")
    (tmp_path / "tests" / "test_inner.py").write_text(SKIPPING, encoding="utf-8")
    return tmp_path


def closing_line(folder: Path, environment: dict[str, str]) -> str:
    command = [sys.executable, "-m", "pytest", "-q"]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    ).stdout.splitlines()[-1]


def test_in_ci_a_skipped_test_that_needs_a_tool_has_failed(inner: Path) -> None:
    assert closing_line(inner, {"CI": "true"}).startswith("1 failed, 1 skipped")


def test_elsewhere_it_is_skipped(inner: Path) -> None:
    assert closing_line(inner, {}).startswith("2 skipped")
