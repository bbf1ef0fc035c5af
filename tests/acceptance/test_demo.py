"""The main job: a demo from nothing, and one that is killed in the middle and finished by the next."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from skyjo import GameRecord, read_jsonl, verify

COMMAND = [sys.executable, "-m", "skyjo_server.cli", "demo", "--quick", "--json"]
PATIENCE_SECONDS = 240


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "demo"


@pytest.fixture
def demo(home: Path) -> Iterator[Callable[[], subprocess.Popen[str]]]:
    """Starts demos in one folder; none outlives the test."""
    started: list[subprocess.Popen[str]] = []

    def begin() -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [*COMMAND, "--data-dir", str(home)],
            env=os.environ | {"HOME": str(home.parent)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        if process.poll() is None:
            process.terminate()
        process.communicate(timeout=PATIENCE_SECONDS)


def finished(process: subprocess.Popen[str]) -> dict[str, object]:
    """What a demo reported."""
    out, err = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 0, err
    report: dict[str, object] = json.loads(out)
    return report


def until(condition: Callable[[], bool]) -> None:
    """Wait for something that another process does."""
    give_up = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < give_up
        time.sleep(0.05)


def processes(home: Path, words: str) -> list[int]:
    """The demo's own processes whose command line has these words, in this folder only."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except (OSError, ValueError):
            continue
        if entry.name.isdigit() and str(home) in line and words in line:
            found.append(int(entry.name))
    return found


def records(report: dict[str, object]) -> list[GameRecord]:
    with Path(str(report["records"])).open("rb") as file:
        return list(read_jsonl(file))


def test_a_demo_plays_every_pair_on_every_seat_and_proves_every_log(
    demo: Callable[[], subprocess.Popen[str]],
) -> None:
    report = finished(demo())
    games = records(report)
    standings: Any = report["standings"]
    assert [row["rank"] for row in standings] == [1, 2, 3, 4]
    assert all(row["tables"] == 6 and row["seats"] == [3, 3] and row["interval"] and row["rating"] for row in standings)
    assert {"tournament.json", "standings.csv", "games.jsonl"} <= set(ZipFile(str(report["archive"])).namelist())
    for game in games:
        verify(game)
    pairs = [game.seats for game in games]
    assert len(pairs) == report["games"] == 12
    assert len(set(pairs)) == 12
    assert {pair[::-1] for pair in pairs} == set(pairs)
    assert report["failures"] == []
    assert Path(str(report["transcripts"])).read_text().count('[Skyjo "1"]') == 12


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found through Linux's /proc")
def test_a_demo_whose_service_and_database_are_killed_goes_on_to_its_end(
    demo: Callable[[], subprocess.Popen[str]], home: Path
) -> None:
    process = demo()
    until((home / "unfinished.json").exists)
    until(lambda: bool(processes(home, "server run")))
    for pid in processes(home, "server run"):
        os.kill(pid, signal.SIGKILL)
    postmaster = home / "postgres" / "cluster" / "postmaster.pid"
    until(postmaster.exists)
    os.kill(int(postmaster.read_text().splitlines()[0]), signal.SIGKILL)
    report = finished(process)
    assert (report["games"], report["failures"]) == (12, [])


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found through Linux's /proc")
def test_a_demo_that_was_killed_takes_its_processes_along_and_is_finished_by_the_next(
    demo: Callable[[], subprocess.Popen[str]], home: Path
) -> None:
    killed = demo()
    until((home / "unfinished.json").exists)
    event = json.loads((home / "unfinished.json").read_text())["id"]
    killed.kill()
    killed.communicate()
    until(lambda: not processes(home, "server run"))
    report = finished(demo())
    assert Path(str(report["records"])).name == f"games-{event}.jsonl"
    assert (report["games"], report["failures"]) == (12, [])
    assert not (home / "unfinished.json").exists()
