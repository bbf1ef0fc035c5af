"""Processes that use an embedded PostgreSQL, and the processes of the server, as the tests handle them."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO

import psycopg

from skyjo_server.postgres.processes import processes_of, read_pid_file

LONGEST_SECONDS = 60.0
"""How long a test waits for what must come; it fails then, and what comes sooner is not waited for."""
PROGRAMS = Path(__file__).parent
SOCKET = ".s.PGSQL.5432"


def eventually(condition: Callable[[], bool], what: str) -> None:
    """Wait until a condition holds."""
    deadline = time.monotonic() + LONGEST_SECONDS
    between = threading.Event()
    while not condition():
        assert time.monotonic() < deadline, f"never came: {what}"
        between.wait(0.01)


def is_serving(dsn: str) -> bool:
    try:
        psycopg.connect(dsn).close()
    except psycopg.OperationalError:
        return False
    return True


def value_of(dsn: str, query: str) -> object:
    """Give the one value that a query answers."""
    with psycopg.connect(dsn) as connection:
        row = connection.execute(query.encode()).fetchone()
    assert row is not None
    return row[0]


class Processes:
    """Processes that are no children of this one, held by the kernel's handles: their ids may be used again."""

    def __init__(self, pids: Iterable[int]) -> None:
        self.handles: dict[int, int] = {}
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                self.handles[pid] = os.pidfd_open(pid)

    def kill(self) -> None:
        for handle in self.handles.values():
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(handle, signal.SIGKILL)

    def wait(self) -> None:
        for pid, handle in self.handles.items():
            ended, _, _ = select.select([handle], [], [], LONGEST_SECONDS)
            os.close(handle)
            assert ended, f"process {pid} lives on"
        self.handles.clear()


class User:
    """A process that runs one of the programs beside this file."""

    def __init__(self, data_dir: Path, program: str = "user_program.py", **environment: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, PROGRAMS / program, data_dir],
            env=os.environ | environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    @property
    def said(self) -> IO[str]:
        assert self.process.stdout is not None
        return self.process.stdout

    def answer(self) -> dict[str, str]:
        """Read what the program says next."""
        answer = json.loads(self.said.readline())
        assert isinstance(answer, dict)
        return answer

    def go(self) -> None:
        """Have it exit, as a program does at its end, and wait for that."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        assert self.process.wait(LONGEST_SECONDS) == 0

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(LONGEST_SECONDS)

    def close(self) -> None:
        """Leave nothing behind, whatever the test left."""
        self.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()


def postmaster_of(data_dir: Path) -> int:
    """Give the process id of the server of this data directory, as soon as there is one."""
    found: list[int] = []

    def look() -> bool:
        pid, _ = read_pid_file(data_dir / "cluster")
        found.extend(own for own in processes_of(data_dir / "cluster") if own == pid)
        return bool(found)

    eventually(look, "a server")
    return found[0]


def supervisor_of(data_dir: Path) -> int:
    """Give the process id of the supervisor of this data directory, as soon as there is one."""
    found: list[int] = []

    def look() -> bool:
        found.extend(_supervisors_of(data_dir))
        return bool(found)

    eventually(look, "a supervisor")
    return found[0]


def _supervisors_of(data_dir: Path) -> Iterator[int]:
    # By its own arguments, not as somebody's parent: an orphan's parent is init, and no test may ever kill below that.
    ours = f"skyjo_server.postgres.supervisor\0{data_dir}\0".encode()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                if ours in (entry / "cmdline").read_bytes():
                    yield int(entry.name)


def server_of(data_dir: Path) -> list[int]:
    """Give every process of the server, the postmaster first, as soon as there is one."""
    postmaster = postmaster_of(data_dir)
    return [postmaster, *(pid for pid in processes_of(data_dir / "cluster") if pid != postmaster)]


def everything_of(data_dir: Path) -> list[int]:
    """Give the supervisor and every process of its server, in this order."""
    return [supervisor_of(data_dir), *server_of(data_dir)]


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def was_shut_down_cleanly(data_dir: Path) -> bool:
    """Say whether the log ends with a clean shutdown and the pid file is gone."""
    last = (data_dir / "postgres.log").read_text().splitlines()[-1]
    return last.endswith("database system is shut down") and not (data_dir / "cluster" / "postmaster.pid").exists()
