"""The benchmark of the rules measures what it says: the same random games on values and on the twin."""

from __future__ import annotations

from random import Random

import pytest
from rich.progress import Progress

from benchmarks.engine import play_twin, play_values, run


@pytest.mark.parametrize("seats", [2, 5, 8])
def test_both_paths_play_the_same_random_games(seats: int) -> None:
    assert play_twin(seats, 9, Random(9)).state() == play_values(seats, 9, Random(9))


def test_a_quick_run_fills_every_row_and_sets_four_floors() -> None:
    report = run(Progress(disable=True), quick=True)
    assert all(row.value > 0 for row in report.rows)
    assert [row.floor for row in report.rows] == [0.008, 0.7, 0.02, 0.7, None, None, None]
