"""A client can be generated: openapi-python-client makes all of it from the document, without a word of complaint."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from skyjo import read_jsonl, verify
from skyjo.transcript import read_transcript
from skyjo_server.http.openapi import document as described
from tests.contract.document import Document
from tests.faults.serving import RunningService
from tests.house.tree import ROOT

PLAY = Path(__file__).with_name("play.py")
PACKAGE = "skyjo_arena_client"
ARCHIVES_ARE_BYTES = "content_type_overrides:\n  application/zip: application/octet-stream\n"
"""What the generator has to be told: it knows no archives."""


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the generated package."""
    folder = tmp_path_factory.mktemp("generated")
    config = folder / "config.yaml"
    config.write_text(ARCHIVES_ARE_BYTES, encoding="utf-8")
    generate = ["generate", "--fail-on-warning", "--meta", "none", "--path", str(ROOT / "openapi.yaml")]
    options = ["--config", str(config), "--output-path", str(folder / PACKAGE)]
    run(["-m", "openapi_python_client", *generate, *options], folder)
    return folder


def run(arguments: list[str], folder: Path) -> str:
    """Run this Python in a folder, with its package and the tools beside this Python; give what it wrote."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(folder), "MYPYPATH": str(folder)}
    command = [sys.executable, *arguments]
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=600)
    assert ran.returncode == 0, f"{' '.join(command)} ended with {ran.returncode}:\n{ran.stdout}\n{ran.stderr}"
    return ran.stdout


def test_a_generated_client_has_a_function_for_every_operation(generated: Path) -> None:
    made = {path.stem for path in (generated / PACKAGE / "api").rglob("*.py")} - {"__init__"}
    assert {name.replace("_", "") for name in made} == {
        operation.operation_id.lower() for operation in Document(described()).operations()
    }


def test_a_generated_client_has_the_types_that_its_user_needs(generated: Path) -> None:
    run(["-m", "mypy", "--strict", "--no-incremental", "--config-file", os.devnull, str(PLAY)], generated)


def test_a_generated_client_plays_a_whole_game_and_reads_its_replay(generated: Path, running: RunningService) -> None:
    seen: dict[str, Any] = json.loads(run(["-W", "error", str(PLAY), running.url, f"py-{uuid4().hex[:12]}"], generated))
    (record,) = read_transcript(seen["text"])
    (same,) = read_jsonl(seen["lines"])
    verify(record)
    verify(same)
    assert str(record.game) == str(same.game) == seen["game"]
    assert list(record.result.totals) == seen["totals"]
    assert len(record.events) == seen["version"] + 1
