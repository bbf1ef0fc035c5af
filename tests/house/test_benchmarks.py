"""The benchmark runner: what it prints, and the exit codes that scripts can use."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.report import Report, Row
from tests.house.tree import ROOT

BENCHMARK = '''
"""A benchmark that knows its result."""

from benchmarks.report import Report, Row


def run(progress):
    for _ in progress.track(range(3)):
        pass
    play = Row(name="play", value=%s, unit="moves/s", yardstick="loop", yardstick_value=100.0, floor=0.5)
    return Report("%s", (play,))
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the runner with two benchmarks: one keeps its floor, one misses it."""
    package = tmp_path / "benchmarks"
    package.mkdir()
    for runner in ("__init__.py", "__main__.py", "report.py"):
        (package / runner).write_text((ROOT / "benchmarks" / runner).read_text(encoding="utf-8"), encoding="utf-8")
    (package / "quick.py").write_text(BENCHMARK % ("75.0", "quick"), encoding="utf-8")
    (package / "slow.py").write_text(BENCHMARK % ("25.0", "slow"), encoding="utf-8")
    return tmp_path


def benchmarks(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "benchmarks", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_a_kept_floor_exits_with_0_and_shows_figure_yardstick_ratio_and_floor(folder: Path) -> None:
    done = benchmarks(folder, "quick")
    assert done.returncode == 0, done.stderr
    assert [word for word in ("75 moves/s", "loop: 100", "75 %", "≥ 50 %", "kept") if word not in done.stdout] == []


def test_a_missed_floor_exits_with_1_and_says_so(folder: Path) -> None:
    done = benchmarks(folder, "slow")
    assert done.returncode == 1, done.stderr
    assert "MISSED" in done.stdout


def test_json_on_standard_output_is_for_programs(folder: Path) -> None:
    done = benchmarks(folder, "slow", "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout) == {
        "name": "slow",
        "rows": [
            {
                "name": "play",
                "value": 25.0,
                "unit": "moves/s",
                "yardstick": "loop",
                "yardstick_value": 100.0,
                "ratio": 0.25,
                "floor": 0.5,
                "ok": False,
            }
        ],
        "notes": [],
        "ok": False,
    }


@pytest.mark.parametrize("arguments", [(), ("nosuch",), ("report",)])
def test_an_unknown_name_exits_with_2_and_lists_the_known_ones(folder: Path, arguments: tuple[str, ...]) -> None:
    done = benchmarks(folder, *arguments)
    assert done.returncode == 2
    assert "there are: quick, slow" in done.stderr


def test_an_option_that_a_benchmark_does_not_have_exits_with_2_and_says_so(folder: Path) -> None:
    done = benchmarks(folder, "slow", "--quick")
    assert done.returncode == 2
    assert "'slow' has no option quick" in done.stderr


def test_a_floor_bounds_the_ratio_and_is_kept_at_the_floor_itself() -> None:
    row = Row(name="play", value=50.0, unit="moves/s", yardstick="loop", yardstick_value=100.0, floor=0.5)
    assert (row.ratio, row.ok) == (0.5, True)


def test_a_row_without_a_floor_is_only_printed() -> None:
    row = Row(name="memory", value=12.0, unit="MB")
    assert (row.ratio, row.ok) == (None, True)
    assert Report("size", (row,)).ok


@pytest.mark.parametrize(
    ("yardstick", "yardstick_value", "floor"),
    [("loop", None, None), (None, 1.0, None), ("loop", 0.0, None), ("loop", float("nan"), None), (None, None, 0.5)],
)
def test_a_row_whose_ratio_means_nothing_is_refused(
    yardstick: str | None, yardstick_value: float | None, floor: float | None
) -> None:
    with pytest.raises(ValueError, match="play"):
        Row(name="play", value=1.0, unit="moves/s", yardstick=yardstick, yardstick_value=yardstick_value, floor=floor)
