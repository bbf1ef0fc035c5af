"""The shape of the code that the linter does not measure: lengths, and reasons beside opt-outs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.tree import ROOT, python_files, shown

MODULE_LINES = 400
FUNCTION_LINES = 50

# A migration is one list of steps, written by a generator and never changed again.
GENERATED = ROOT / "server" / "skyjo_server" / "storage" / "migrations" / "versions"
CODE = sorted(python_files(*(ROOT / folder for folder in ("benchmarks", "client_sdk", "server", "tests"))))
OPT_OUT = re.compile(r"#\s*(noqa|type:\s*ignore|pragma|ruff:|mypy:)")
# mypy takes a reason in a second comment only.
OPT_OUT_WITH_REASON = re.compile(r"#\s*(noqa: [A-Z0-9, ]+ - |type: ignore\[[a-z, -]+\] +# |pragma: no cover - )\S+ \S+")


def functions(source: str) -> Iterator[tuple[str, int]]:
    """Give each function's name and its length in lines, signature and docstring included."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1


def bare_opt_outs(source: str) -> list[str]:
    """Give the lines that switch a check off without saying why on the same line."""
    return [
        line.strip() for line in source.splitlines() if OPT_OUT.search(line) and not OPT_OUT_WITH_REASON.search(line)
    ]


@pytest.mark.parametrize("path", CODE, ids=shown)
def test_a_module_is_short_enough_to_read_at_one_sitting(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").count("\n")
    assert lines <= MODULE_LINES, f"{shown(path)} has {lines} lines: past {MODULE_LINES} a module wants a sibling"


@pytest.mark.parametrize("path", [path for path in CODE if GENERATED not in path.parents], ids=shown)
def test_a_function_is_short_enough_to_have_one_name(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    long = {name: lines for name, lines in functions(source) if lines > FUNCTION_LINES}
    assert not long, f"{shown(path)}: past {FUNCTION_LINES} lines a function wants a second name: {long}"


@pytest.mark.parametrize("path", [path for path in CODE if path != Path(__file__)], ids=shown)
def test_every_opt_out_of_a_check_carries_its_reason(path: Path) -> None:
    assert bare_opt_outs(path.read_text(encoding="utf-8")) == []


def test_an_opt_out_without_a_reason_is_found() -> None:
    reasoned = "x = 1  # noqa: S311 - a bot's play is no secret\nx = 2  # type: ignore[misc]  # made at run time"
    assert bare_opt_outs(f"{reasoned}\ny = 2  # noqa\nz = 3  # type: ignore[misc]\n") == [
        "y = 2  # noqa",
        "z = 3  # type: ignore[misc]",
    ]


def test_the_length_of_a_function_counts_from_its_name_to_its_end() -> None:
    assert dict(functions("def one():\n    return 1\n\n\nasync def two():\n    a = 1\n    return a\n")) == {
        "one": 2,
        "two": 3,
    }
