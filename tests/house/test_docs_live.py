"""The examples of the guide that need a running service, run as they are shown, on a real one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.faults.serving import RunningService
from tests.house import documents
from tests.house.tree import ROOT

REASON = "<!-- not run: needs a running service -->\n"
SHOWN_URL = "http://127.0.0.1:8000"
PAGES = [path for path in sorted((ROOT / "docs").glob("*.md")) if REASON in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_examples_that_need_a_service_run_as_shown(
    path: Path, running: RunningService, organiser: str, tmp_path: Path
) -> None:
    if "$ curl" in path.read_text(encoding="utf-8") and shutil.which("curl") is None:
        pytest.skip("its examples are for curl, which is not here")
    (tmp_path / "organiser.txt").write_text(organiser, encoding="utf-8")
    page = path.read_text(encoding="utf-8").replace(REASON, "").replace(SHOWN_URL, running.url)
    left_out = documents.blocks(path.read_text(encoding="utf-8"))
    assert documents.run(page, tmp_path) >= sum(block.not_run == "needs a running service" for block in left_out)


def test_there_are_such_pages_for_those_who_begin() -> None:
    assert {"quickstart-bot", "quickstart-frontend", "quickstart-organiser", "sdk"} <= {path.stem for path in PAGES}
