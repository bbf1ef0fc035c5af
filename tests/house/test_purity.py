"""The rules package needs Python and nothing else. Which parts of Python it may use, the import contracts say."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.tree import PACKAGES, python_files, shown


def imported(source: str) -> Iterator[str]:
    """Give the top-level names of what a module imports."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").partition(".")[0]


@pytest.mark.parametrize("path", list(python_files(PACKAGES["skyjo"])), ids=shown)
def test_the_rules_import_the_standard_library_and_themselves(path: Path) -> None:
    others = set(imported(path.read_text(encoding="utf-8"))) - sys.stdlib_module_names - {"skyjo"}
    assert others == set()


def test_an_import_is_seen_wherever_it_stands() -> None:
    assert set(imported("import os.path\ndef f():\n    from flask import g\n")) == {"os", "flask"}
