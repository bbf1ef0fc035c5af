"""This process's use of a server: it stays a user until told to leave, whatever becomes of the supervisor.

A thread waits at the channel. If the supervisor ends while this process still needs the server (somebody killed it),
the thread joins again, which starts another one; the server comes back at the same place.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import threading
from typing import Final

from skyjo_server.postgres.channel import Channel
from skyjo_server.postgres.errors import EmbeddedPostgresError
from skyjo_server.postgres.home import Home
from skyjo_server.postgres.joining import join
from skyjo_server.postgres.keeper import BACK_OFF_SECONDS

STOP_SECONDS: Final = 60.0
"""How long to wait for the server's end; past that it goes on stopping without us."""


def _pause_after(failures: int) -> float:
    return BACK_OFF_SECONDS[min(failures, len(BACK_OFF_SECONDS)) - 1] if failures else 0.0


class Membership:
    """Stays a user of the server of `home` from now on; `channel` is where it joined."""

    def __init__(self, home: Home, channel: Channel) -> None:
        self._home, self._channel = home, channel
        self._process = os.getpid()
        self._going = threading.Event()
        self._channel_guard = threading.Lock()
        self._thread = threading.Thread(target=self._stay, name="skyjo-postgres", daemon=True)
        self._thread.start()
        atexit.register(self.leave)

    @property
    def is_ours(self) -> bool:
        """Whether it is this process's; a forked child has a copy of its parent's, and no share in it."""
        return self._process == os.getpid()

    def leave(self) -> None:
        """Stop being a user; if this was the last one, wait for the server's end."""
        atexit.unregister(self.leave)
        if not self.is_ours:
            return
        with self._channel_guard:
            self._going.set()
            self._channel.leave()
        self._thread.join(STOP_SECONDS)
        self._channel.abandon()

    def _stay(self) -> None:
        failures = 0
        self._wait_for_end()
        while not self._going.wait(_pause_after(failures)):
            if self._rejoin():
                failures = 0
                self._wait_for_end()
            else:
                failures += 1

    def _wait_for_end(self) -> None:
        # Other news is none: the supervisor starts a server that died again by itself.
        with contextlib.suppress(EmbeddedPostgresError):
            while self._channel.receive():
                pass
        self._channel.close()

    def _rejoin(self) -> bool:
        try:
            channel = join(self._home)
        except (EmbeddedPostgresError, OSError):
            return False  # the log says why
        with self._channel_guard:
            self._channel = channel
            if self._going.is_set():
                channel.leave()
        return True
