"""The data directory of one embedded PostgreSQL: where its files lie and who may touch them. It runs nothing.

::

    DATA/               ours; not writable by others
      README            marks it as ours and says what it is
      cluster/          PostgreSQL's own data directory, 0700, of the account that PostgreSQL runs as
      cluster.partial/  the same while initdb fills it
      binaries/         a copy of PostgreSQL's programs, where root's are closed to PostgreSQL's account
      password          0600
      postgres.log      what PostgreSQL and its supervisor have to say, 0600
      run               the directory of the sockets, or a link to it where this path is too long for a socket
      start.lock        held by a process that looks for the supervisor, or starts one
      supervisor.lock   held by the supervisor for as long as it lives
      cluster.lock      held by every process of the PostgreSQL tree for as long as it lives
"""

from __future__ import annotations

import ctypes
import errno
import os
import secrets
import stat
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from platformdirs import user_data_dir

from skyjo_server.postgres.errors import DataDirectoryRefused

ROOT_DATA_DIR: Final = Path("/var/lib/skyjo-arena/postgres")
_MARKER: Final = """\
This directory belongs to the embedded PostgreSQL of Skyjo Arena, which made it and keeps every game in it.
Back it up only while nothing uses it, and as a whole. Do not start another server in it.
"""
_OURS: Final = frozenset(
    {"README", "binaries", "cluster", "cluster.partial", "password", "password.partial", "run"}
    | {"postgres.log", "postgres.log.1", "start.lock", "supervisor.lock", "cluster.lock"}
)
_FOREIGN_YET_HARMLESS: Final = frozenset(["lost+found"])


@dataclass(frozen=True, slots=True)
class Home:
    """The paths below one data directory; `path` is absolute."""

    path: Path

    @property
    def cluster(self) -> Path:
        """PostgreSQL's own data directory."""
        return self.path / "cluster"

    @property
    def partial(self) -> Path:
        """The same while it is being made."""
        return self.path / "cluster.partial"

    @property
    def binaries(self) -> Path:
        """Copies of PostgreSQL's programs."""
        return self.path / "binaries"

    @property
    def password_file(self) -> Path:
        """The file with the database's password."""
        return self.path / "password"

    @property
    def log(self) -> Path:
        """The log of PostgreSQL and its supervisor."""
        return self.path / "postgres.log"

    @property
    def run(self) -> Path:
        """The directory of the sockets, or a link to it."""
        return self.path / "run"

    @property
    def start_lock(self) -> Path:
        """Held by a process that looks for the supervisor, or starts one."""
        return self.path / "start.lock"

    @property
    def supervisor_lock(self) -> Path:
        """Held by the supervisor for as long as it lives."""
        return self.path / "supervisor.lock"

    @property
    def cluster_lock(self) -> Path:
        """Held by every process of the PostgreSQL tree for as long as it lives."""
        return self.path / "cluster.lock"


def default_data_dir() -> Path:
    """Give the place for data when the user names none.

    For root that is below /var/lib, which the account that PostgreSQL runs as can reach; root's own home it cannot.
    """
    if os.geteuid() == 0:
        return ROOT_DATA_DIR
    return Path(user_data_dir("skyjo-arena", appauthor=False)) / "postgres"


def prepare(path: Path) -> Home:
    """Make the data directory if it is missing, and check that it is ours.

    Raises:
        DataDirectoryRefused: if it cannot be made, belongs to somebody else, can be written by others, or holds
            something else. Nothing that exists is ever given another mode or owner.
    """
    path = path.expanduser().absolute()
    _make(path)
    _check(path)
    marker = path / "README"
    if not marker.exists():
        marker.write_text(_MARKER, encoding="utf-8")
    return Home(path)


def _make(path: Path) -> None:
    try:
        make_directory(path)
    except OSError as error:
        raise DataDirectoryRefused(
            f"The data directory {path} cannot be made: {error.strerror}", "Name one that can, with --data-dir."
        ) from error


def make_directory(path: Path) -> None:
    """Make a directory and what is missing above it: 0700, as root 0711, whatever the umask says.

    As root, PostgreSQL's account has to pass through to its own part; what it may not see in there is 0600 or 0700.
    """
    for missing in reversed([path, *path.parents]):
        try:
            missing.mkdir(0o700)
        except FileExistsError:
            continue  # not made by us just now, so its mode is not ours to choose
        except OSError:
            if not missing.is_dir():  # a read-only file system says so before it says that the directory is there
                raise
        else:
            if os.geteuid() == 0:
                missing.chmod(0o711)
    if not path.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path))


def _check(path: Path) -> None:
    status = path.stat()
    if status.st_uid != os.geteuid():
        raise DataDirectoryRefused(
            f"The data directory {path} belongs to user {status.st_uid}, and this process is user {os.geteuid()}",
            "Run as its owner, or name a directory that does not exist yet (a new one below it will do).",
        )
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise DataDirectoryRefused(
            f"Others may write to the data directory {path} (mode {stat.S_IMODE(status.st_mode):04o})",
            f"Close it with `chmod go-w {path}`, or name a directory that does not exist yet.",
        )
    if not (path / "README").exists():
        _check_foreign_files(path)


def _check_foreign_files(path: Path) -> None:
    foreign = sorted({entry.name for entry in path.iterdir()} - _OURS - _FOREIGN_YET_HARMLESS)
    if "PG_VERSION" in foreign:
        raise DataDirectoryRefused(
            f"{path} is the data directory of a PostgreSQL that we did not make",
            "Start that server yourself and set SKYJO_DATABASE_URL, or name another directory.",
        )
    if foreign:
        raise DataDirectoryRefused(
            f"The directory {path} holds other things ({', '.join(foreign[:3])})", "Name an empty or a new directory."
        )


def read_password(home: Home) -> str:
    """Read the password of the database.

    Raises:
        DataDirectoryRefused: if the file is missing, empty, or open to others.
    """
    try:
        mode = stat.S_IMODE(home.password_file.lstat().st_mode)
        password = home.password_file.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        password, mode = "", 0o600
    if not password:
        raise DataDirectoryRefused(
            f"The password file {home.password_file} is missing or empty",
            "Put it back from a backup; without it nobody can log in to the database.",
        )
    if mode & 0o077:
        raise DataDirectoryRefused(
            f"Others may read the password file {home.password_file} (mode {mode:04o})",
            f"Close it with `chmod 0600 {home.password_file}`.",
        )
    return password


def ensure_password(home: Home) -> str:
    """Give the password of a database that is about to be made, drawing it the first time (256 bits)."""
    if not home.password_file.exists():
        _write_whole(home.password_file, secrets.token_urlsafe(32) + "\n")
    return read_password(home)


def _write_whole(path: Path, text: str) -> None:
    """Write a file so that after a crash it is there as a whole or not at all."""
    part = path.with_name(path.name + ".partial")
    part.unlink(missing_ok=True)
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    part.rename(path)
    sync_directory(path.parent)


def sync_file_system(path: Path) -> None:
    """Make all that was written on the file system of a path durable, with one flush of the disk where that can be."""
    if sys.platform != "linux":
        os.sync()
        return
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        if ctypes.CDLL(None, use_errno=True).syncfs(descriptor):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(path))
    finally:
        os.close(descriptor)


def sync_directory(path: Path) -> None:
    """Make the names in a directory durable."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
