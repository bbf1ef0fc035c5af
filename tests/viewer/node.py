"""The viewer's modules under Node, as tests use them: one process for many questions. Judges nothing itself."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import pytest

HERE: Final = Path(__file__).parent


def asked(program: str, questions: Iterable[Any]) -> list[Any]:
    """Put questions to a program of this folder, one JSON text a line; give its answers in their order."""
    lines = "".join(f"{json.dumps(question)}\n" for question in questions)
    return [json.loads(line) for line in run(str(HERE / program), given=lines).splitlines()]


def run(*arguments: str, given: str = "") -> str:
    """Run Node; give what it wrote, or fail with all that it said."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no Node here")
    ran = subprocess.run(
        [node, *arguments], input=given, capture_output=True, text=True, check=False, timeout=300, cwd=HERE
    )
    assert ran.returncode == 0, f"node ended with {ran.returncode}:\n{ran.stdout}\n{ran.stderr}"
    return ran.stdout
