"""Which data directories are taken, which refused, and that nothing that exists is ever opened or given away."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from skyjo_server.postgres import DataDirectoryRefused, EmbeddedPostgres, NotReady
from skyjo_server.postgres.home import Home, default_data_dir, ensure_password, prepare, read_password
from skyjo_server.postgres.log import LIMIT_BYTES, log_tail, rotate_log
from tests.server.postgres.users import value_of

OWN_MODE = 0o711 if os.geteuid() == 0 else 0o700


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(params=[0o022, 0o077, 0o000], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


@pytest.mark.usefixtures("umask")
def test_what_is_made_is_closed_to_others_whatever_the_umask(tmp_path: Path) -> None:
    prepare(tmp_path / "above" / "data")
    assert mode_of(tmp_path / "above") == OWN_MODE
    assert mode_of(tmp_path / "above" / "data") == OWN_MODE


@pytest.mark.parametrize("mode", [0o700, 0o755, 0o711])
def test_an_empty_directory_of_ours_is_taken_as_it_is(tmp_path: Path, mode: int) -> None:
    given = tmp_path / "given"
    given.mkdir()
    given.chmod(mode)
    with EmbeddedPostgres(given) as server:
        assert value_of(server.dsn, "SELECT 1") == 1
    assert mode_of(given) == mode


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702, 0o1777])
def test_a_directory_that_others_may_write_to_is_refused(tmp_path: Path, mode: int) -> None:
    given = tmp_path / "given"
    given.mkdir()
    given.chmod(mode)
    with pytest.raises(DataDirectoryRefused, match="chmod go-w"):
        prepare(given)
    assert mode_of(given) == mode
    assert list(given.iterdir()) == []


@pytest.mark.usefixtures("as_root")
def test_a_directory_of_somebody_else_is_refused_to_root(tmp_path: Path) -> None:
    given = tmp_path / "given"
    given.mkdir()
    os.chown(given, 65534, -1)
    with pytest.raises(DataDirectoryRefused, match=r"belongs to user 65534.*Run as its owner"):
        prepare(given)
    assert list(given.iterdir()) == []


@pytest.mark.usefixtures("as_ordinary_user")
def test_a_directory_of_somebody_else_is_refused_to_an_ordinary_user() -> None:
    with pytest.raises(DataDirectoryRefused, match="belongs to user 0"):
        prepare(Path("/usr"))


def test_a_directory_with_other_things_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(DataDirectoryRefused, match=r"holds other things \(thesis.tex\)"):
        prepare(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_the_data_directory_of_another_postgresql_is_refused(tmp_path: Path) -> None:
    (tmp_path / "PG_VERSION").touch()
    with pytest.raises(DataDirectoryRefused, match="SKYJO_DATABASE_URL"):
        prepare(tmp_path)


def test_the_root_of_a_fresh_disk_is_taken(tmp_path: Path) -> None:
    (tmp_path / "lost+found").mkdir()
    assert prepare(tmp_path) == Home(tmp_path)


def test_a_place_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DataDirectoryRefused, match="cannot be made"):
        prepare(tmp_path / "file" / "data")


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda home: home.password_file.unlink(), "missing or empty"),
        (lambda home: home.password_file.write_text(""), "missing or empty"),
        (lambda home: home.password_file.chmod(0o644), r"chmod 0600"),
        (lambda home: home.cluster.chmod(0o750), r"chmod 0700"),
        (lambda home: (home.cluster / "PG_VERSION").write_text("eighteen"), "damaged"),
    ],
    ids=["no-password", "empty-password", "open-password", "open-cluster", "damaged"],
)
def test_data_in_disorder_is_refused_with_the_way_out(
    made_data_dir: Path, spoil: Callable[[Home], object], reason: str
) -> None:
    spoil(Home(made_data_dir))
    with pytest.raises(DataDirectoryRefused, match=reason):
        EmbeddedPostgres(made_data_dir).start()


def test_a_server_that_cannot_start_says_so_with_its_own_words(made_data_dir: Path) -> None:
    (made_data_dir / "cluster" / "global" / "pg_control").unlink()
    with pytest.raises(NotReady, match=r"ended before it was ready(.|\n)*could not (find|open).*pg_control"):
        EmbeddedPostgres(made_data_dir).start()


def test_a_replaced_password_is_noticed_at_the_start(made_data_dir: Path) -> None:
    (made_data_dir / "password").write_text("another\n")
    with pytest.raises(NotReady, match=r"refuses to let us in.*put the old one back"):
        EmbeddedPostgres(made_data_dir).start()


def test_a_password_is_drawn_once_and_long(tmp_path: Path) -> None:
    home = prepare(tmp_path / "data")
    password = ensure_password(home)
    assert len(password) >= 43  # 256 bits in base64
    assert ensure_password(home) == read_password(home) == password
    assert ensure_password(prepare(tmp_path / "other")) != password


@pytest.mark.usefixtures("as_root")
def test_roots_data_lie_where_another_account_can_reach_them() -> None:
    assert default_data_dir() == Path("/var/lib/skyjo-arena/postgres")


@pytest.mark.usefixtures("as_ordinary_user")
def test_an_ordinary_users_data_lie_in_its_own_data_directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_data_dir() == tmp_path / "skyjo-arena" / "postgres"


def test_a_log_past_its_limit_is_moved_aside_while_it_is_written_to(tmp_path: Path) -> None:
    home = prepare(tmp_path / "data")
    with home.log.open("ab", buffering=0) as writer:
        writer.write(b"x" * (LIMIT_BYTES + 1))
        rotate_log(home)
        writer.write(b"and on\n")
    assert home.log.read_text() == "and on\n"
    assert home.log.with_name("postgres.log.1").stat().st_size == LIMIT_BYTES + 1


def test_the_tail_of_a_log_begins_where_it_is_told(tmp_path: Path) -> None:
    home = prepare(tmp_path / "data")
    assert log_tail(home) == "(no log)"
    home.log.write_text("old\n" + "".join(f"line {number}\n" for number in range(30)))
    assert log_tail(home, start=4, lines=40).splitlines()[0] == "line 0"
    assert log_tail(home, lines=2) == "line 28\nline 29"
    assert log_tail(home, start=10_000) == "(the log is empty)"
