"""The directory of the sockets: short enough for a socket's path, and closed to others. It opens no socket.

A socket's path holds at most 107 bytes on Linux and 103 on macOS. The directory is `run` in the data directory, so that
every process that sees the data sees it too. Where that path is too long, or PostgreSQL's account cannot reach it, or
the file system knows no sockets, it is a new directory of random name below the machine's temporary one, and `run` is a
link to it: nobody can guess the name, so nobody can take it before us. ::

    BASE/         ours: 0700, as root 0711
      control     the supervisor's socket, 0600
      db/         of PostgreSQL's account, 0700
        .s.PGSQL.5432
"""

from __future__ import annotations

import os
import shutil
import socket
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skyjo_server.postgres.errors import DataDirectoryRefused
from skyjo_server.postgres.home import Home
from skyjo_server.postgres.identity import Account, can_reach

PORT: Final = 5432
"""Names the socket's file; no port of the network is opened."""
SOCKET_PATH_BYTES: Final = 103


@dataclass(frozen=True, slots=True)
class Runtime:
    """The directory of the sockets; `base` is absolute and no link."""

    base: Path

    @property
    def control(self) -> Path:
        """The socket at which the supervisor meets its users."""
        return self.base / "control"

    @property
    def db(self) -> Path:
        """The directory of PostgreSQL's socket."""
        return self.base / "db"

    @property
    def is_short(self) -> bool:
        """Whether sockets fit; libpq would take a comma for the end of one host and the start of another."""
        longest = self.db / f".s.PGSQL.{PORT}"
        return len(os.fsencode(longest)) <= SOCKET_PATH_BYTES and "," not in str(self.base)


def find_runtime(home: Home) -> Runtime | None:
    """Give the directory that a supervisor made, if it is still there and still closed to others."""
    try:
        base = home.run.readlink() if home.run.is_symlink() else home.run
        runtime = Runtime(base)
        ours = _is_closed(base, os.geteuid()) and _is_closed(runtime.db, None)
    except FileNotFoundError:
        return None
    return runtime if ours and runtime.is_short else None


def _is_closed(path: Path, owner: int | None) -> bool:
    status = path.lstat()
    only_passage = 0o711 if os.geteuid() == 0 else 0o700
    closed = not stat.S_IMODE(status.st_mode) & ~only_passage
    return stat.S_ISDIR(status.st_mode) and closed and owner in (None, status.st_uid)


def make_runtime(home: Home, account: Account) -> Runtime:
    """Make the directory, or take over the one that an earlier supervisor left: its users still look there.

    Raises:
        DataDirectoryRefused: if sockets fit nowhere.
    """
    runtime = find_runtime(home)
    if runtime is not None and _is_closed(runtime.db, account.uid) and can_reach(account, runtime.db):
        return runtime
    remove_runtime(home)
    for base in _new_bases(home):
        runtime = Runtime(base)
        _make_db(runtime, account)
        if _takes_sockets(runtime) and can_reach(account, runtime.db):
            return runtime
        shutil.rmtree(base)
    remove_runtime(home)
    raise DataDirectoryRefused(
        f"{home.path} is too long for a socket, or closed to {account.name}, and so is {tempfile.gettempdir()}",
        "Name a data directory with a shorter path, or set TMPDIR to a short one.",
    )


def _new_bases(home: Home) -> Iterator[Path]:
    mode = 0o711 if os.geteuid() == 0 else 0o700
    if Runtime(home.run).is_short:
        home.run.mkdir(mode)
        home.run.chmod(mode)
        yield home.run
    for place in dict.fromkeys([tempfile.gettempdir(), "/tmp", "/var/tmp"]):  # noqa: S108 - mkdtemp is safe in there
        if Runtime(Path(place, "skyjo-12345678")).is_short and os.access(place, os.W_OK | os.X_OK):
            base = Path(tempfile.mkdtemp(prefix="skyjo-", dir=place))
            home.run.unlink(missing_ok=True)
            home.run.symlink_to(base)
            base.chmod(mode)
            yield base


def _make_db(runtime: Runtime, account: Account) -> None:
    runtime.db.mkdir(0o700)
    if not account.is_us:
        os.chown(runtime.db, account.uid, account.gid)


def _takes_sockets(runtime: Runtime) -> bool:
    """Say whether the file system knows sockets; some that are shared with another system do not."""
    with socket.socket(socket.AF_UNIX) as trial:
        try:
            trial.bind(str(runtime.control))
        except OSError:
            return False
    runtime.control.unlink()
    return True


def remove_runtime(home: Home) -> None:
    """Remove the directory, and the link to it if it is elsewhere; what is not ours stays."""
    runtime = find_runtime(home)
    if home.run.is_symlink():
        home.run.unlink()
    elif home.run.is_dir():
        shutil.rmtree(home.run)
    if runtime is not None and runtime.base != home.run:
        shutil.rmtree(runtime.base, ignore_errors=True)


def clear_sockets(runtime: Runtime) -> None:
    """Remove what a dead server left: its lock file names a process id that another process may have by now."""
    for entry in runtime.db.iterdir():
        entry.unlink()
