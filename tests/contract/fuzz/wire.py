"""Requests as bytes, sent as no decent client would send them, and what comes back. Judges nothing."""

from __future__ import annotations

import select
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import BufferedIOBase
from typing import cast

from tests.faults.messages import Message, read_message
from tests.faults.waiting import LONGEST_SECONDS


@dataclass(frozen=True)
class Outcome:
    """What became of a request.

    Attributes:
        answer: the answer; None if the other side closed the connection without one.
        sent_bytes: so much of the body could be sent before it came.
        closed: whether nothing more came on the connection, which was closed then.
    """

    answer: Message | None
    sent_bytes: int
    closed: bool

    @property
    def status(self) -> int | None:
        """The status of the answer."""
        return None if self.answer is None else self.answer.status


@contextmanager
def connected(port: int) -> Iterator[socket.socket]:
    """A connection to a port of this machine."""
    with socket.create_connection(("127.0.0.1", port), LONGEST_SECONDS) as connection:
        yield connection


def exchange(port: int, head: bytes, body: Iterable[bytes] = (), *, hang_up: bool = False) -> Outcome:
    """Send a request and read what comes back.

    Args:
        port: where the service listens.
        head: the first line and the headers, as they are.
        body: parts of the body; no more of them are sent once an answer is there.
        hang_up: whether to say that nothing more will come. Otherwise the connection is told to close after the answer.
    """
    with connected(port) as connection:
        connection.sendall(head)
        sent_bytes = _send_until_answered(connection, body)
        if hang_up:
            connection.shutdown(socket.SHUT_WR)
        with connection.makefile("rb") as stream:
            answer = _read(stream)
            return Outcome(answer, sent_bytes, closed=_read(stream) is None)


def header_values(message: Message) -> dict[str, str]:
    """The headers of a message by name, in lower case."""
    lines = message.head.decode("latin-1").split("\r\n")[1:-2]
    return {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}


def _send_until_answered(connection: socket.socket, body: Iterable[bytes]) -> int:
    sent_bytes = 0
    with suppress(ConnectionError):
        for part in body:
            if select.select([connection], [], [], 0)[0]:
                break
            connection.sendall(part)
            sent_bytes += len(part)
    return sent_bytes


def _read(stream: object) -> Message | None:
    try:
        return read_message(cast(BufferedIOBase, stream))
    except ConnectionError:
        return None
