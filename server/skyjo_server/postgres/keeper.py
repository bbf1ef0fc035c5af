"""Keeps one server running: starts it, sees that it is ready, starts it again when it ends. It knows no users.

It never waits, but does what there is to do each time `tend` is called.
"""

from __future__ import annotations

import contextlib
import sys
import time
from typing import Final

from skyjo_server.postgres.cluster import Cluster, open_cluster
from skyjo_server.postgres.errors import EmbeddedPostgresError, NotReady
from skyjo_server.postgres.home import Home
from skyjo_server.postgres.identity import Account
from skyjo_server.postgres.locks import try_lock
from skyjo_server.postgres.log import log_tail
from skyjo_server.postgres.postmaster import Postmaster
from skyjo_server.postgres.processes import Eviction
from skyjo_server.postgres.runtime import Runtime

BACK_OFF_SECONDS: Final = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Waits before the first, second … start again; the last one goes on for ever: a full disk may be emptied some day."""
STABLE_SECONDS: Final = 30.0
"""A server that was ready for so long has not failed again, but anew."""
_BUSY_PAUSE_SECONDS: Final = 0.01
_IDLE_PAUSE_SECONDS: Final = 60.0


class Keeper:
    """Keeps the server of one data directory running."""

    def __init__(self, home: Home, account: Account, runtime: Runtime) -> None:
        self._home, self._account, self._runtime = home, account, runtime
        self._cluster: Cluster | None = None
        self._postmaster: Postmaster | None = None
        self._eviction: Eviction | None = None
        self._failures = 0
        self._not_before = 0.0
        self._ready_since: float | None = None
        self._was_ever_ready = False
        self._log_start = home.log.stat().st_size if home.log.exists() else 0

    @property
    def is_ready(self) -> bool:
        """Whether the server takes connections, as last seen."""
        return self._ready_since is not None

    def pause_seconds(self) -> float:
        """Say how long nothing needs to be done, unless a child process ends."""
        if self.is_ready:
            return _IDLE_PAUSE_SECONDS
        return max(_BUSY_PAUSE_SECONDS, self._not_before - time.monotonic())

    def tend(self) -> None:
        """Do what there is to do now.

        Raises:
            EmbeddedPostgresError: if the server cannot be started and never was ready here; once it was, it is tried
                again and again.
        """
        try:
            self._advance()
        except EmbeddedPostgresError as error:
            self._see_failure(error)
        except OSError as error:
            self._see_failure(NotReady(f"PostgreSQL cannot be started: {error}", "Put that right and start again."))

    def _advance(self) -> None:
        if self._postmaster is None:
            if time.monotonic() >= self._not_before:
                self._start()
        elif (exit_code := self._postmaster.exit_code) is not None:
            self._see_end(exit_code)
        elif not self.is_ready and self._postmaster.is_ready():
            self._ready_since = time.monotonic()
            self._was_ever_ready = True

    def _see_failure(self, error: EmbeddedPostgresError) -> None:
        if not self._was_ever_ready:
            raise error
        self._fail(str(error))

    def _start(self) -> None:
        lock = try_lock(self._home.cluster_lock)
        if lock is None:
            self._eviction = self._eviction or Eviction(self._home.cluster)
            self._eviction.tend()
            return
        self._eviction = None
        if self._cluster is None:
            self._cluster = open_cluster(self._home, self._account, self._runtime, lock)
        self._postmaster = Postmaster(self._cluster, lock)

    def _see_end(self, exit_code: int) -> None:
        if not self._was_ever_ready:
            raise NotReady(
                f"PostgreSQL ended before it was ready (exit code {exit_code})",
                f"Its log, {self._home.log}, ends with:\n{log_tail(self._home, self._log_start)}",
            )
        if self._ready_since is not None and time.monotonic() - self._ready_since > STABLE_SECONDS:
            self._failures = 0
        self._fail(f"PostgreSQL ended (exit code {exit_code})")

    def _fail(self, reason: str) -> None:
        wait_seconds = BACK_OFF_SECONDS[min(self._failures, len(BACK_OFF_SECONDS) - 1)]
        self._failures += 1
        self._postmaster, self._eviction, self._ready_since = None, None, None
        self._not_before = time.monotonic() + wait_seconds
        note(f"{reason}; starting it again in {wait_seconds:g} s")

    def stop(self) -> None:
        """Stop the server cleanly and wait for its end; nothing if it does not run."""
        if self._postmaster is not None:
            self._postmaster.stop()


def note(text: str) -> None:
    """Write a line to the log, which is the supervisor's standard error, if there is room on the disk."""
    stamp = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime())
    with contextlib.suppress(OSError):
        print(f"{stamp} [supervisor] {text}", file=sys.stderr, flush=True)  # noqa: T201 - standard error is the log here
