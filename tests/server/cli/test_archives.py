"""`skyjo verify` on archives of events: what it says, and what it says it with."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from skyjo_server.tournaments.values import Format, Shape
from tests.server.cli.conftest import Skyjo
from tests.server.tournaments.archives import files_of, packed
from tests.server.tournaments.events import entries_of

SWISS = Shape(format=Format.SWISS, duplicate=True, rounds=2)


def test_an_archive_verifies_beside_other_files(skyjo: Skyjo, tmp_path: Path) -> None:
    files = files_of(SWISS, entries_of(["ann", "bob", "eve", None]))
    (tmp_path / "true.zip").write_bytes(packed(files))
    files["standings.json"][0]["wins"] += 1
    (tmp_path / "false.zip").write_bytes(packed(files))
    ran = skyjo("verify", "true.zip")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("✓ true.zip: 8 games verified, with the draw, the boards")
    ran = skyjo("verify", "true.zip", "false.zip", "--json")
    assert ran.code == 1
    said = json.loads(ran.out)
    assert (said["games"], said["failures"]) == (16, 1)
    assert [report["event"]["status"] for report in said["files"]] == ["finished", "finished"]
    assert "row 1 of the standings has as wins" in said["files"][1]["failures"][0]["message"]


def test_without_the_matching_library_all_but_the_pairings_of_a_swiss_is_proved(tmp_path: Path) -> None:
    """As in a base installation: the library cannot be imported."""
    (tmp_path / "true.zip").write_bytes(packed(files_of(SWISS, entries_of(["ann", "bob", "eve", None]))))
    program = "import sys; sys.modules['rustworkx'] = None; from skyjo_server.cli import main; main()"
    command = [sys.executable, "-W", "error", "-c", program, "verify", "true.zip"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.rstrip().endswith("its pairings were not made anew here")


def test_a_zip_file_that_is_no_archive_is_refused(skyjo: Skyjo, tmp_path: Path) -> None:
    (tmp_path / "torn.zip").write_bytes(b"PK\x03\x04 and no more")
    ran = skyjo("verify", "torn.zip")
    assert ran.code == 1
    assert "this is no ZIP archive" in ran.out
