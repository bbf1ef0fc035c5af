"""What the supervisor tells its users, one JSON object a line over a local socket. A user says nothing, but goes.

A user's end of the socket is closed by the kernel when the user ends, however it ends. That is how users are counted.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import time
import weakref
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Final

from skyjo_server.postgres.errors import EmbeddedPostgresError, error_named


class News(StrEnum):
    """What a message says."""

    HELLO = "hello"
    """The supervisor is there and counts this user."""
    READY = "ready"
    """The server takes connections."""
    FAILED = "failed"
    """The server cannot be started; the supervisor ends."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message; with FAILED come the class and the texts of an `EmbeddedPostgresError`, else they are empty."""

    news: News
    error: str = ""
    problem: str = ""
    way_out: str = ""

    def encode(self) -> bytes:
        """Write it as a line."""
        return json.dumps(asdict(self)).encode() + b"\n"

    @classmethod
    def decode(cls, line: bytes) -> Message:
        """Read it from a line."""
        fields = json.loads(line)
        return cls(News(fields.pop("news")), **fields)

    @classmethod
    def failed(cls, error: EmbeddedPostgresError) -> Message:
        """Word an error as a message."""
        return cls(News.FAILED, type(error).__name__, error.problem, error.way_out)


class Channel:
    """The user's end of the socket."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._pending = b""
        _open.add(self)

    def receive(self, deadline: float | None = None) -> Message | None:
        """Wait for the next message.

        Args:
            deadline: by `time.monotonic()`; None waits for ever.

        Returns:
            The message, or None if the supervisor is gone.

        Raises:
            TimeoutError: if nothing came until the deadline.
            EmbeddedPostgresError: if the message is that the server cannot be started.
        """
        while b"\n" not in self._pending:
            if not (chunk := self._read(deadline)):
                return None
            self._pending += chunk
        line, _, self._pending = self._pending.partition(b"\n")
        message = Message.decode(line)
        if message.news is News.FAILED:
            raise error_named(message.error, message.problem, message.way_out)
        return message

    def _read(self, deadline: float | None) -> bytes:
        try:
            self._socket.settimeout(None if deadline is None else max(deadline - time.monotonic(), 0.001))
            return self._socket.recv(4096)
        except TimeoutError:
            raise
        except OSError:
            return b""

    def leave(self) -> None:
        """Tell the supervisor that this user goes; it closes its end when that has been seen to."""
        with contextlib.suppress(OSError):  # it is gone already
            self._socket.shutdown(socket.SHUT_WR)

    def abandon(self) -> None:
        """Wait for the supervisor no longer: `receive`, in whatever thread, returns None."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Let go of the socket."""
        self._socket.close()


_open: Final[weakref.WeakSet[Channel]] = weakref.WeakSet()


def _let_go() -> None:
    for channel in list(_open):
        channel.close()


# A forked child has the same sockets and would count as their user for as long as it lives. A child that wants the
# server for itself starts one, which joins.
os.register_at_fork(after_in_child=_let_go)
