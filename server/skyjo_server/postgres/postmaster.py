"""The server of a cluster: one running postmaster. When to start and stop it is for the keeper to say."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from typing import Final

from skyjo_server.postgres.cluster import Cluster, directory_argument
from skyjo_server.postgres.identity import launch
from skyjo_server.postgres.log import open_log
from skyjo_server.postgres.processes import clear_pid_file, read_pid_file
from skyjo_server.postgres.runtime import PORT, clear_sockets

SETTINGS: Final[Mapping[str, str]] = {
    # Closed: no network, one socket, passwords stored as scram-sha-256.
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "password_encryption": "scram-sha-256",
    # Durable: what was committed is there after a power cut.
    "fsync": "on",
    "full_page_writes": "on",
    "synchronous_commit": "on",
    # For one machine that does other things too: recovery after a crash replays at most a few hundred MB.
    "shared_buffers": "128MB",
    "max_connections": "100",
    "max_wal_size": "512MB",
    "wal_compression": "on",
    "jit": "off",
    # A log for people: no statements, whose text could hold secrets, and no routine.
    "log_destination": "stderr",
    "logging_collector": "off",
    "log_checkpoints": "off",
    "log_line_prefix": "%m [%p] ",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_timezone": "UTC",
    "timezone": "UTC",
    "lc_messages": "C",
    "cluster_name": "skyjo-arena",
    "port": str(PORT),
}
"""Given on the command line, which beats every configuration file of the cluster."""
_RECOVERY: Final = {"recovery_init_sync_method": "syncfs"} if sys.platform == "linux" else {}
"""After a crash, flush the disk once and not once for each of a thousand files: 0.3 s instead of 6 on a slow disk."""
_STOP_SECONDS: Final = ((signal.SIGINT, 30.0), (signal.SIGQUIT, 5.0), (signal.SIGKILL, 5.0))
"""Fast shutdown, then immediate (the next start recovers), then none."""


class Postmaster:
    """The running server of a cluster, a child of this process.

    Args:
        cluster: where it runs.
        lock: descriptor of the cluster's lock, inherited by the whole tree of processes; closed here, so that from now
            on the lock is free exactly when all of them have ended.
    """

    def __init__(self, cluster: Cluster, lock: int) -> None:
        self._cluster = cluster.home.cluster
        try:
            clear_pid_file(self._cluster)
            clear_sockets(cluster.runtime)
            self._process = _launch_postmaster(cluster, lock)
        finally:
            os.close(lock)

    @property
    def exit_code(self) -> int | None:
        """The exit code once it has ended; negative if a signal ended it."""
        return self._process.poll()

    def is_ready(self) -> bool:
        """Say whether it takes connections."""
        return read_pid_file(self._cluster) == (self._process.pid, "ready")

    def stop(self) -> None:
        """Stop it cleanly, or less cleanly where that takes too long, and wait for its end."""
        for signal_number, seconds in _STOP_SECONDS:
            self._process.send_signal(signal_number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(seconds)
                return


def _launch_postmaster(cluster: Cluster, lock: int) -> subprocess.Popen[bytes]:
    # Directories may have spaces in their names; within double quotes only a double quote is special.
    sockets = str(cluster.runtime.db).replace('"', '""')
    settings = {**SETTINGS, **_RECOVERY, "unix_socket_directories": f'"{sockets}"'}
    log = open_log(cluster.home)
    try:
        with directory_argument(cluster, cluster.home.cluster) as (directory, keep):
            command = [str(cluster.binaries.bin / "postgres"), "-D", directory, *_as_options(settings)]
            # SIGINT is a fast shutdown: a server whose supervisor ended stops cleanly.
            return launch(cluster.account, command, output=log, keep=[lock, *keep], death_signal=signal.SIGINT)
    finally:
        os.close(log)


def _as_options(settings: Mapping[str, str]) -> Iterator[str]:
    for name, value in settings.items():
        yield from ("-c", f"{name}={value}")
