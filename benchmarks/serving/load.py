"""Keeps many HTTP connections busy from one thread, as cheaply as Python can. Knows no game.

Every client has one connection and one request under way. What an answer costs here is paid on the same cores as the
server, so an answer is split by hand and a client parses of it only what it needs.
"""

from __future__ import annotations

import re
import selectors
import socket
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import monotonic, process_time
from typing import Final, Protocol

WARM_UP_SECONDS: Final = 0.7
"""Not counted: a server just started fills its caches."""

DRAIN_SECONDS: Final = 35.0
"""How long the last answers may take."""

_LENGTH: Final = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_STATUS: Final = slice(9, 12)


class WrongAnswer(Exception):
    """An answer that the benchmark did not reckon with: whatever it measured would be the rate of mistakes."""


class Client(Protocol):
    """Somebody with one connection.

    Attributes:
        done: what it got done so far, in the unit that is measured.
    """

    done: int

    def first(self) -> bytes:
        """The request that it begins with, or goes on with after a pause."""

    def answered(self, status: int, body: bytes) -> bytes:
        """Take an answer and give the next request, or raise WrongAnswer."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of a load.

    Attributes:
        rate: done per second, over all clients.
        load_share: the load generator's own part of one core.
    """

    rate: float
    load_share: float


@dataclass(slots=True)
class _Line:
    client: Client
    socket: socket.socket
    received: bytearray = field(default_factory=bytearray)


def drive(port: int, clients: Sequence[Client], seconds: float, warm_up: float = WARM_UP_SECONDS) -> Measured:
    """Let all clients work for some time after a warm-up; then wait for the answers that are under way.

    Raises:
        WrongAnswer: if a client says so, or the server ends a connection.
    """
    with selectors.DefaultSelector() as selector:
        lines = [_open(port, client) for client in clients]
        for line in lines:
            selector.register(line.socket, selectors.EVENT_READ, line)
            line.socket.send(line.client.first())
        _work(selector, monotonic() + warm_up)
        before, started, cpu = _done(clients), monotonic(), process_time()
        _work(selector, started + seconds)
        took, used = monotonic() - started, process_time() - cpu
        rate = (_done(clients) - before) / took
        _drain(selector, lines)
        return Measured(rate, used / took)


def _done(clients: Sequence[Client]) -> int:
    return sum(client.done for client in clients)


def _open(port: int, client: Client) -> _Line:
    connected = socket.create_connection(("127.0.0.1", port), timeout=DRAIN_SECONDS)
    connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return _Line(client, connected)


def _work(selector: selectors.BaseSelector, end: float) -> None:
    while (left := end - monotonic()) > 0:
        for key, _ in selector.select(left):
            line: _Line = key.data
            if (answer := _received(line)) is not None:
                line.socket.send(line.client.answered(*answer))


def _drain(selector: selectors.BaseSelector, lines: Sequence[_Line]) -> None:
    """Take every answer that is under way, so that the clients know where their games are."""
    open_lines, end = {line.socket for line in lines}, monotonic() + DRAIN_SECONDS
    while open_lines and (left := end - monotonic()) > 0:
        for key, _ in selector.select(left):
            if (answer := _received(key.data)) is not None:
                key.data.client.answered(*answer)
                selector.unregister(key.data.socket)
                open_lines.discard(key.data.socket)
                key.data.socket.close()
    if open_lines:
        raise WrongAnswer(f"{len(open_lines)} requests got no answer in {DRAIN_SECONDS:.0f} s")


def _received(line: _Line) -> tuple[int, bytes] | None:
    """The answer, once it is there whole."""
    part = line.socket.recv(262_144)
    if not part:
        raise WrongAnswer("the server ended a connection")
    line.received += part
    answer = _split(line.received)
    if answer is not None:
        line.received.clear()
    return answer


def _split(received: bytearray) -> tuple[int, bytes] | None:
    """Status and body of an answer; None if it is not there whole."""
    head = received.find(b"\r\n\r\n")
    if head < 0:
        return None
    found = _LENGTH.search(received, 0, head)
    end = head + 4 + (int(found[1]) if found else 0)
    return None if len(received) < end else (int(received[_STATUS]), bytes(received[head + 4 : end]))


def whole_answer(connected: socket.socket) -> tuple[int, bytes]:
    """Wait for an answer on a blocking connection; gives status and body."""
    received = bytearray()
    while (answer := _split(received)) is None:
        part = connected.recv(262_144)
        if not part:
            raise WrongAnswer("the server ended a connection")
        received += part
    return answer


def request(method: str, path: str, token: str | None, body: bytes | None = None, headers: str = "") -> bytes:
    """Write a request.

    Args:
        method: such as GET.
        path: with its query.
        token: the bearer token; None = without.
        body: JSON.
        headers: further lines, each with its line end.
    """
    lines = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{headers}"
    if token is not None:
        lines += f"Authorization: Bearer {token}\r\n"
    if body is None:
        return f"{lines}\r\n".encode()
    return f"{lines}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
