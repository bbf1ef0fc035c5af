"""How a process becomes a user of a data directory's server: it finds the supervisor, or starts one. No state here."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import sysconfig
import time
from pathlib import Path
from typing import Final

from skyjo_server.postgres.channel import Channel
from skyjo_server.postgres.errors import NotReady
from skyjo_server.postgres.home import Home
from skyjo_server.postgres.locks import held
from skyjo_server.postgres.log import log_tail, open_log
from skyjo_server.postgres.runtime import find_runtime

READY_SECONDS: Final = 600.0
"""How long the server may take: recovery after a crash can be long. A server that ends is noticed at once."""
MEET_SECONDS: Final = 75.0
"""How long a supervisor may take to answer; one that follows another waits for that one's end."""
_SUPERVISOR: Final = "skyjo_server.postgres.supervisor"
_IMPORT_ROOT: Final = Path(__file__).resolve().parents[2]


def join(home: Home) -> Channel:
    """Become a user of the server; it lives at least until the channel is closed, or this process ends.

    Raises:
        EmbeddedPostgresError: if the server cannot be started, or is not ready in time.
    """
    try:
        channel = _meet_supervisor(home)
        _wait_until_ready(home, channel)
    except TimeoutError as error:
        raise NotReady(
            "The embedded PostgreSQL did not become ready in time",
            f"Its log, {home.log}, ends with:\n{log_tail(home)}\nIf it still recovers, just start again.",
        ) from error
    return channel


def _meet_supervisor(home: Home) -> Channel:
    # The lock makes "look, then start" one step: of two processes that find no supervisor, one starts it.
    with held(home.start_lock, MEET_SECONDS):
        return _attach(home) or _start(home)


def _attach(home: Home) -> Channel | None:
    """Join the supervisor that is there, or give None; one that is just ending does not answer."""
    runtime = find_runtime(home)
    if runtime is None:
        return None
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(str(runtime.control))
    except OSError:
        connection.close()
        return None
    return _greeted(Channel(connection))


def _greeted(channel: Channel) -> Channel | None:
    if channel.receive(time.monotonic() + MEET_SECONDS) is None:
        channel.close()
        return None
    return channel


def _start(home: Home) -> Channel:
    log_start = home.log.stat().st_size if home.log.exists() else 0
    ours, theirs = socket.socketpair()
    channel = Channel(ours)
    with theirs:
        _spawn(home, theirs)
    if _greeted(channel) is None:
        raise NotReady("The supervisor of the embedded PostgreSQL ended at once", _read_log(home, log_start))
    return channel


def _spawn(home: Home, connection: socket.socket) -> None:
    # -P: the working directory is nothing to import from.
    command = [sys.executable, "-P", "-m", _SUPERVISOR, str(home.path), str(connection.fileno())]
    log = open_log(home)
    try:
        # It forks and the first process ends at once, so the wait is short and leaves no zombie.
        subprocess.run(
            command,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            pass_fds=[connection.fileno()],
            start_new_session=True,
            check=False,
        )
    finally:
        os.close(log)


def _environment() -> dict[str, str]:
    """Give the supervisor our environment, and where to import it from if that is not where packages are installed."""
    if str(_IMPORT_ROOT) == sysconfig.get_path("purelib"):
        return dict(os.environ)  # naming that place again would put it before the standard library
    path = [str(_IMPORT_ROOT), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path))}


def _wait_until_ready(home: Home, channel: Channel) -> None:
    log_start = home.log.stat().st_size
    try:
        news = channel.receive(time.monotonic() + READY_SECONDS)
    except BaseException:
        channel.close()
        raise
    if news is None:
        channel.close()
        raise NotReady("The supervisor of the embedded PostgreSQL ended", _read_log(home, log_start))


def _read_log(home: Home, start: int) -> str:
    return f"Its log, {home.log}, says:\n{log_tail(home, start)}"
