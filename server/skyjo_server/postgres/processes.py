"""The PostgreSQL processes of a cluster, found without trusting a process id that stands in a file; it starts none.

`postmaster.pid` outlives a crash, and its number may by then be another process's, or be torn off. So a process counts
only if it is a `postgres` whose working directory is the cluster, as /proc tells it; without /proc, if its command line
names both, as ps tells it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from skyjo_server.postgres.errors import DataDirectoryBusy

_PID_LINE, _STATUS_LINE = 0, 7
"""Where postmaster.pid has what we read (src/include/utils/pidfile.h)."""
_PID_FILE_BYTES: Final = 4096
_PROC: Final = Path("/proc")


def pid_file(cluster: Path) -> Path:
    """Say where a cluster has its pid file."""
    return cluster / "postmaster.pid"


def read_pid_file(cluster: Path) -> tuple[int | None, str]:
    """Read the postmaster's process id and status ("starting", "ready", "stopping"), as far as they are there."""
    try:
        # The file is of PostgreSQL's account: as root, follow no link from it and wait at no pipe.
        descriptor = os.open(pid_file(cluster), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None, ""
    with os.fdopen(descriptor, "rb") as file:
        lines = file.read(_PID_FILE_BYTES).decode("ascii", "replace").splitlines()
    pid = lines[_PID_LINE].strip() if lines else ""
    status = lines[_STATUS_LINE].strip() if len(lines) > _STATUS_LINE else ""
    return int(pid) if pid.isascii() and pid.isdigit() else None, status


def processes_of(cluster: Path) -> list[int]:
    """Give the process ids of the PostgreSQL that runs in a cluster; empty if none does."""
    if (_PROC / "self").exists():
        return list(_scan_proc(cluster))
    pid, _ = read_pid_file(cluster)
    return [pid] if pid is not None and _ps_says_postgres(pid, cluster) else []


def _scan_proc(cluster: Path) -> Iterator[int]:
    if not cluster.exists():
        return
    place = cluster.stat()
    for entry in _PROC.iterdir():
        if not entry.name.isdigit():
            continue
        with contextlib.suppress(OSError):  # it ended meanwhile, or is somebody else's
            if (entry / "comm").read_text().strip() == "postgres" and os.path.samestat((entry / "cwd").stat(), place):
                yield int(entry.name)


def _ps_says_postgres(pid: int, cluster: Path) -> bool:
    command = ["/bin/ps", "-p", str(pid), "-o", "command="]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return "postgres" in said and str(cluster) in said


def clear_pid_file(cluster: Path) -> None:
    """Remove a dead server's pid file, whole or torn; call it with the cluster's lock in hand.

    The lock says that no server which we started lives; this looks for one that somebody else started.

    Raises:
        DataDirectoryBusy: if there is one.
    """
    if running := processes_of(cluster):
        raise DataDirectoryBusy(
            f"Somebody started a PostgreSQL (process {min(running)}) in {cluster} by hand",
            f"Stop it: pg_ctl stop -D {cluster}",
        )
    pid_file(cluster).unlink(missing_ok=True)


class Eviction:
    """Ends what an earlier supervisor left behind, gently first; `tend` is called until the cluster's lock is free.

    Usually there is nothing to do: a server whose supervisor ended is already on its way out.
    """

    _STEPS: Final = (
        (0.3, "_stop"),
        (30.0, "_quit"),
        (35.0, "_kill"),
        (60.0, "_give_up"),
    )
    """Seconds after which each step is taken."""

    def __init__(self, cluster: Path) -> None:
        self._cluster = cluster
        self._began = time.monotonic()
        self._taken = 0

    def tend(self) -> None:
        """Take the steps whose time has come.

        Raises:
            DataDirectoryBusy: if all was in vain.
        """
        waited_seconds = time.monotonic() - self._began
        while self._taken < len(self._STEPS) and self._STEPS[self._taken][0] <= waited_seconds:
            self._taken += 1
            getattr(self, self._STEPS[self._taken - 1][1])()

    def _stop(self) -> None:
        running = processes_of(self._cluster)
        postmaster, _ = read_pid_file(self._cluster)
        if postmaster in running:
            _send(signal.SIGINT, [postmaster])
        else:  # backends without their postmaster notice only when their query ends
            _send(signal.SIGQUIT, running)

    def _quit(self) -> None:
        _send(signal.SIGQUIT, processes_of(self._cluster))

    def _kill(self) -> None:
        _send(signal.SIGKILL, processes_of(self._cluster))

    def _give_up(self) -> None:
        raise DataDirectoryBusy(
            f"Another process, perhaps in another container, runs PostgreSQL in {self._cluster}",
            "End it, or name another data directory.",
        )


def _send(signal_number: signal.Signals, pids: list[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal_number)
