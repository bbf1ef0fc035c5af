"""The examples in docstrings run as they are shown."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

from tests.house.tree import PACKAGES, ROOT, python_files


def dotted(path: Path) -> str:
    """Give the name under which a file is imported."""
    top = next(folder.parent for folder in (*PACKAGES.values(), ROOT / "benchmarks") if path.is_relative_to(folder))
    return ".".join(path.relative_to(top).with_suffix("").parts).removesuffix(".__init__")


WITH_EXAMPLES = [
    dotted(path)
    for path in python_files(*PACKAGES.values(), ROOT / "benchmarks")
    if ">>>" in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_examples_of_a_module_run_as_shown(name: str) -> None:
    failed, tried = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert tried > 0
    assert failed == 0, "the differences are printed above"
