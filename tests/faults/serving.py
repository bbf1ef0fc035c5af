"""The real service in processes of its own, as a test starts, kills and ends it."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import httpx

from tests.database import PEPPER
from tests.faults.processes import LISTENING, children_of, sockets_of
from tests.faults.waiting import LONGEST_SECONDS, until
from tests.server.postgres.users import Processes

PROGRAM: Final = Path(__file__).with_name("serve_program.py")
WORKERS: Final = 2
LOG_TAIL_CHARACTERS: Final = 8000

_WITHOUT_WAITING: Final = os.WEXITED | os.WNOHANG | os.WNOWAIT


class RunningService:
    """The service on a database, with two workers; its port stays the same over every restart.

    Args:
        conninfo: the database, its schema up to date.
        log: the file that what it says is appended to.
    """

    def __init__(self, conninfo: str, log: Path) -> None:
        self.conninfo = conninfo
        self.port = free_port()
        self._log = log
        self._main: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def has_ended(self) -> bool:
        """Whether the main process has ended by itself."""
        # It is not waited for: its process id, which is its group's too, stays its own until `kill`.
        return self._main is not None and os.waitid(os.P_PID, self._main.pid, _WITHOUT_WAITING) is not None

    def start(self) -> None:
        """Start it, and wait until every worker answers."""
        environment = os.environ | {"SKYJO_PEPPER": PEPPER.decode(), "SKYJO_WORKERS": str(WORKERS)}
        with self._log.open("ab") as log:
            self._main = subprocess.Popen(
                [sys.executable, PROGRAM, self.conninfo, str(self.port)],
                env=environment,
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        until(self.is_whole, "all workers of the service")
        self.wait_until_ready()

    def is_whole(self) -> bool:
        """Whether every worker listens."""
        assert not self.has_ended, f"the service has ended:\n{self.log_tail()}"
        return len(self.workers()) == WORKERS

    def wait_until_ready(self) -> None:
        """Wait until it says that it can serve."""
        until(self.is_ready, "a service that is ready")

    def is_ready(self) -> bool:
        """Whether it says that it can serve."""
        try:
            return httpx.get(f"{self.url}/readyz", timeout=LONGEST_SECONDS, trust_env=False).status_code == 200
        except httpx.TransportError:
            return False

    def workers(self) -> list[int]:
        """Give the process ids of the workers that listen."""
        assert self._main is not None
        try:
            return [pid for pid in children_of(self._main.pid) if sockets_of(pid, self.port, LISTENING)]
        except FileNotFoundError:
            return []

    def kill_worker(self, choose: random.Random) -> None:
        """Kill one of the workers, unless there is none right now."""
        if workers := self.workers():
            worker = Processes([choose.choice(workers)])
            worker.kill()
            worker.wait()

    def kill(self) -> int | None:
        """Kill the main process and all workers at one moment; give the exit code, None if it does not run."""
        main, self._main = self._main, None
        if main is None:
            return None
        assert main.stdin is not None
        main.stdin.close()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(main.pid, signal.SIGKILL)
        return main.wait(LONGEST_SECONDS)

    def tell_to_stop(self) -> None:
        """Send SIGTERM to the main process, as whatever runs it in production does."""
        assert self._main is not None
        os.kill(self._main.pid, signal.SIGTERM)

    def exit_code(self) -> int | None:
        """Wait for the end of the main process by itself."""
        until(lambda: self.has_ended, "the end of the service")
        return self.kill()

    def log_tail(self) -> str:
        """The end of its log."""
        return self._log.read_text(errors="replace")[-LOG_TAIL_CHARACTERS:]


@contextmanager
def started(conninfo: str, log: Path) -> Iterator[RunningService]:
    """The service on a database, for as long as this lasts."""
    service = RunningService(conninfo, log)
    try:
        service.start()
        yield service
    finally:
        service.kill()


def free_port() -> int:
    """Give a port that nobody listens at, from below those that the kernel gives to clients.

    A client that tries a port of theirs in vain, again and again, is in the end connected to itself, and then nobody
    else can listen there.
    """
    first, last = 10_000, int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0]) - 1
    for port in random.SystemRandom().sample(range(first, last), 100):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError(f"no port from {first} to {last} is free")
