"""Running the command line as a person or a script does: as a process, in a folder of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from skyjo_server.app import Service
from skyjo_server.http import create_http_app
from tests.house.tree import ROOT
from tests.sdk.serving import LocalServer

VECTORS = ROOT / "tests" / "vectors" / "games.jsonl"


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str


Skyjo = Callable[..., Ran]


@pytest.fixture
def skyjo(tmp_path: Path) -> Skyjo:
    """`skyjo …` in an empty folder."""

    def run(*arguments: str) -> Ran:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-m", "skyjo_server.cli", *arguments],
            cwd=tmp_path,
            env=os.environ | {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data"), "COLUMNS": "120"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def server(service: Service) -> Iterator[LocalServer]:
    """A service that moves events on."""
    service.arena.runner.start()
    service.arena.sweeper.start()
    local = LocalServer(create_http_app(service.arena))
    local.start()
    yield local
    local.stop()
