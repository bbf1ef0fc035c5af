"""The servers under load, each a process tree of its own on a port of its own. They all run as the service itself does.

``python -m benchmarks.serving.servers TARGET PORT`` runs one; the environment says on which database.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from skyjo_server.app import serve
from skyjo_server.settings import Settings

HOST: Final = "127.0.0.1"
PEPPER: Final = "a pepper for benchmarks, and for benchmarks alone"
WORKERS: Final = 2
WAITERS: Final = 400
"""Of each worker. Connections spread over the workers by chance, so each has room for more than its half of 500."""

SERVICE: Final = "skyjo_server.app:create_worker"
SILENT: Final = "benchmarks.serving.silent:create_worker"
ORM: Final = "benchmarks.serving.orm_endpoint:create_worker"
PLAIN: Final = "benchmarks.serving.plain_endpoint:create_worker"

_START_SECONDS: Final = 30.0
_STOP_SECONDS: Final = 20.0


@dataclass(frozen=True, slots=True)
class Server:
    """A server that answers.

    Attributes:
        port: where.
        pid: its main process; the workers are its children.
    """

    port: int
    pid: int

    def memory_per_worker(self) -> float:
        """MiB of a worker, what it shares with others counted in part (PSS); 0 where the system does not say."""
        shares = [share for pid in self._workers() if (share := _share(pid)) is not None]
        return sum(shares) / len(shares) if shares else 0.0

    def _workers(self) -> list[int]:
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children")
        pids = [int(pid) for pid in children.read_text().split()] if children.exists() else []
        # multiprocessing keeps a small process of its own beside the workers.
        return [pid for pid in pids if b"resource_tracker" not in Path(f"/proc/{pid}/cmdline").read_bytes()]


@contextmanager
def running(target: str, conninfo: str, log: Path) -> Iterator[Server]:
    """Run a server for as long as this lasts.

    Args:
        target: what its workers run; see the constants of this module.
        conninfo: its database.
        log: where its output goes.
    """
    port = _free_port()
    command = [sys.executable, "-m", "benchmarks.serving.servers", target, str(port)]
    with log.open("ab") as output:
        process = subprocess.Popen(
            command, env=os.environ | _environment(conninfo), stdout=output, stderr=output, start_new_session=True
        )
    try:
        _await_answer(port, process, log)
        yield Server(port, process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def main(target: str, port: int) -> None:
    """Serve until told to stop."""
    settings = Settings.from_environment()
    assert settings.database_url is not None
    serve(settings, settings.database_url, HOST, port, worker=target)


def _environment(conninfo: str) -> Mapping[str, str]:
    return {
        "SKYJO_DATABASE_URL": conninfo,
        "SKYJO_PEPPER": PEPPER,
        "SKYJO_WORKERS": str(WORKERS),
        "SKYJO_WAITERS": str(WAITERS),
        "SKYJO_THREADS": str(WAITERS + 256),
        "SKYJO_RATE_LIMIT": "0",
        # What is stored beside the load is to stay as it is.
        "SKYJO_COMPACT_AFTER": "1000000000",
        "SKYJO_LOG_LEVEL": "warning",
    }


def _free_port() -> int:
    with socket.socket() as asked:
        asked.bind((HOST, 0))
        port: int = asked.getsockname()[1]
        return port


def _await_answer(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until the port is open."""
    end = monotonic() + _START_SECONDS
    while monotonic() < end:
        if process.poll() is not None:
            break
        with suppress(OSError), socket.create_connection((HOST, port), timeout=1):
            return
        sleep(0.02)
    raise RuntimeError(f"the server did not start:\n{log.read_text(errors='replace')[-2000:]}")


def _share(pid: int) -> float | None:
    path = Path(f"/proc/{pid}/smaps_rollup")
    if not path.exists():
        return None
    lines = [line for line in path.read_text().splitlines() if line.startswith("Pss:")]
    return int(lines[0].split()[1]) / 1024 if lines else None


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
