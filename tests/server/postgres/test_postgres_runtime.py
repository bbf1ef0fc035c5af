"""Where the sockets go: short paths, closed directories, and no place that somebody else prepared."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from skyjo_server.postgres.home import Home, prepare
from skyjo_server.postgres.identity import Account, can_reach, choose_account
from skyjo_server.postgres.runtime import Runtime, find_runtime, make_runtime, remove_runtime


@pytest.fixture
def home(open_dir: Path) -> Home:
    return prepare(open_dir / "data")


@pytest.fixture
def deep_home(open_dir: Path) -> Home:
    return prepare(open_dir / ("a" * 60) / ("b" * 60) / "data")


@pytest.fixture
def account(home: Home) -> Account:
    return choose_account(home.cluster)


def test_a_short_data_directory_keeps_its_own_sockets(home: Home, account: Account) -> None:
    assert make_runtime(home, account) == Runtime(home.run)


def test_a_deep_data_directory_links_to_a_new_directory_of_unknown_name(deep_home: Home, account: Account) -> None:
    first = make_runtime(deep_home, account).base
    assert first == deep_home.run.readlink()
    remove_runtime(deep_home)
    assert not first.exists()
    assert make_runtime(deep_home, account).base != first
    remove_runtime(deep_home)


@pytest.mark.parametrize("which", ["home", "deep_home"])
def test_the_next_supervisor_takes_over_what_a_killed_one_left(
    request: pytest.FixtureRequest, account: Account, which: str
) -> None:
    home: Home = request.getfixturevalue(which)
    first = make_runtime(home, account)
    assert make_runtime(home, account) == first == find_runtime(home)
    remove_runtime(home)


def squat_with_open_mode(base: Path) -> None:
    base.chmod(0o777)


def squat_with_open_sockets(base: Path) -> None:
    (base / "db").chmod(0o755)


def squat_with_link(base: Path) -> None:
    moved = base.with_name(base.name + "-moved")
    base.rename(moved)
    base.symlink_to(moved)


def squat_with_file(base: Path) -> None:
    shutil.rmtree(base)
    base.touch()


SQUATS = [squat_with_open_mode, squat_with_open_sockets, squat_with_link, squat_with_file]


@pytest.mark.parametrize("squat", SQUATS)
def test_a_directory_that_is_not_as_we_made_it_is_neither_joined_nor_taken_over(
    deep_home: Home, account: Account, squat: Callable[[Path], None]
) -> None:
    first = make_runtime(deep_home, account).base
    squat(first)
    assert find_runtime(deep_home) is None
    second = make_runtime(deep_home, account)
    assert second.base != first
    assert stat.S_IMODE(second.db.stat().st_mode) == 0o700
    remove_runtime(deep_home)
    for left in first.parent.glob(first.name + "*"):
        if left.is_dir() and not left.is_symlink():
            shutil.rmtree(left)
        else:
            left.unlink()


@pytest.mark.usefixtures("as_root")
def test_a_directory_of_somebody_else_is_neither_joined_nor_taken_over(deep_home: Home, account: Account) -> None:
    first = make_runtime(deep_home, account).base
    os.chown(first, 65534, -1)
    assert find_runtime(deep_home) is None
    assert make_runtime(deep_home, account).base != first
    assert first.exists()
    remove_runtime(deep_home)
    shutil.rmtree(first)


@pytest.mark.usefixtures("as_root")
def test_where_postgresqls_account_cannot_walk_the_sockets_are_where_it_can(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(0o700)
    home = prepare(tmp_path / "closed" / "data")
    account = choose_account(home.cluster)
    runtime = make_runtime(home, account)
    assert runtime.base != home.run
    assert can_reach(account, runtime.db)
    assert (tmp_path / "closed").stat().st_mode & 0o777 == 0o700
    remove_runtime(home)


def test_removing_what_was_never_made_is_nothing(home: Home) -> None:
    remove_runtime(home)
    assert find_runtime(home) is None
