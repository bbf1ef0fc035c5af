"""A network that loses, doubles and delays: proxies between the SDK and the running service, by a seeded plan.

Each request through a proxy meets the next fault of its plan. Nothing here waits for a time: what is delayed is held
until something else happens.
"""

from __future__ import annotations

import contextlib
import socket
import socketserver
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum, auto
from random import Random
from types import TracebackType
from typing import Self

from tests.faults.messages import BAD_GATEWAY, Message, read_message
from tests.faults.waiting import LONGEST_SECONDS


class Fault(Enum):
    """What happens to one request."""

    NONE = auto()
    LOST_BEFORE = auto()
    """The connection breaks before the request reaches the service."""
    CUT_OFF = auto()
    """The connection breaks when half of the request has reached the service."""
    LOST_AFTER = auto()
    """The request is carried out, then the connection breaks."""
    HALF_AN_ANSWER = auto()
    """The request is carried out, and the connection breaks in the middle of the answer."""
    TWICE = auto()
    """The request arrives twice, one after the other; the second answer is seen."""
    TWICE_AT_ONCE = auto()
    """The request arrives twice at the same time; one of the answers is seen."""
    LATE = auto()
    """The connection breaks; the request arrives all the same, after a later one has been answered."""
    HELD = auto()
    """The request arrives only after something else has happened on the network."""
    PAGE_BEFORE = auto()
    """The proxy answers with a page of its own."""
    PAGE_AFTER = auto()
    """The request is carried out, and the proxy answers with a page of its own."""


def plan(seed: int, undisturbed: int = 20) -> Iterator[Fault]:
    """Give faults without end: in each stretch every kind once, and so many requests without, in seeded order."""
    random = Random(seed)
    stretch = [*Fault, *[Fault.NONE] * (undisturbed - 1)]
    while True:
        random.shuffle(stretch)
        yield from stretch


@dataclass(frozen=True)
class Reply:
    """What a client gets to see before its connection ends, or goes on if the reply is whole."""

    sent: bytes = b""
    whole: bool = False


BROKEN = Reply()
PAGE = Reply(BAD_GATEWAY)


class Traffic:
    """What happens on all proxies of a test: something to hold a request for."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._happened = 0
        self._under_way = 0

    def begin(self) -> None:
        """A request has come."""
        with self._changed:
            self._under_way += 1
            self._happen()

    def end(self) -> None:
        """A request has been answered, or its connection is broken."""
        with self._changed:
            self._under_way -= 1
            self._happen()

    def hold(self) -> None:
        """Return when something else has happened, at once if nothing else is under way."""
        with self._changed:
            before = self._happened
            self._changed.wait_for(lambda: self._happened > before or self._under_way <= 1, LONGEST_SECONDS)

    def _happen(self) -> None:
        self._happened += 1
        self._changed.notify_all()


class Proxy:
    """One way to the service.

    Args:
        upstream: the port of the service.
        faults: what happens to its requests, in order.
        traffic: what it shares with the others of a test.
    Attributes:
        met: how often each fault has happened.
        doubled: requests that arrived twice, with both answers.
    """

    def __init__(self, upstream: int, faults: Iterator[Fault], traffic: Traffic | None = None) -> None:
        self._upstream = upstream
        self._faults = faults
        self._traffic = traffic or Traffic()
        self._lock = threading.Lock()
        self._late: list[Message] = []
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, name="proxy")
        self.met: Counter[Fault] = Counter()
        self.doubled: list[tuple[Message, Message, Message]] = []

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def serve_one(self, request: Message) -> Reply:
        """Carry a request through its fault."""
        with self._lock:
            fault = next(self._faults)
            self.met[fault] += 1
        self._traffic.begin()
        try:
            return self._through(fault, request)
        finally:
            self._traffic.end()

    def deliver_late(self) -> None:
        """Let everything arrive that is late; nobody sees the answers."""
        with self._lock:
            late, self._late = self._late, []
        for request in late:
            self._ask(request)

    def _through(self, fault: Fault, request: Message) -> Reply:
        match fault:
            case Fault.LOST_BEFORE:
                return BROKEN
            case Fault.PAGE_BEFORE:
                return PAGE
            case Fault.CUT_OFF:
                self._send_half(request)
                return BROKEN
            case Fault.LATE:
                with self._lock:
                    self._late.append(request)
                return BROKEN
            case Fault.HELD:
                self._traffic.hold()
            case _:
                pass
        return self._reply(fault, self._carry(fault, request))

    def _reply(self, fault: Fault, answer: Message | None) -> Reply:
        if answer is None or fault is Fault.PAGE_AFTER:
            return PAGE
        if fault is Fault.LOST_AFTER:
            return BROKEN
        return Reply(answer.half) if fault is Fault.HALF_AN_ANSWER else Reply(answer.whole, whole=True)

    def _carry(self, fault: Fault, request: Message) -> Message | None:
        if fault not in {Fault.TWICE, Fault.TWICE_AT_ONCE}:
            return self._ask(request)
        with ThreadPoolExecutor(2 if fault is Fault.TWICE_AT_ONCE else 1) as pool:
            first, second = pool.map(self._ask, [request, request])
        if first is not None and second is not None:
            with self._lock:
                self.doubled.append((request, first, second))
        return second

    def _ask(self, request: Message) -> Message | None:
        """Hand a request to the service, on a connection of its own; None if there is no answer."""
        with contextlib.suppress(OSError), self._connected() as connection, connection.makefile("rb") as stream:
            connection.sendall(request.whole)
            return read_message(stream)
        return None

    def _send_half(self, request: Message) -> None:
        with contextlib.suppress(OSError), self._connected() as connection:
            connection.sendall(request.half)

    def _connected(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self._upstream), LONGEST_SECONDS)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = False
    """Closing waits for what is under way, late arrivals included; so a client is closed before its proxy."""
    request_queue_size = 128

    def __init__(self, proxy: Proxy) -> None:
        self.proxy = proxy
        super().__init__(("127.0.0.1", 0), _Connection)


class _Connection(socketserver.StreamRequestHandler):
    """One connection of a client: requests one after the other, until one side breaks it."""

    server: _Server

    def handle(self) -> None:
        """Serve its requests."""
        proxy = self.server.proxy
        with contextlib.suppress(OSError):  # the client has gone
            while (request := read_message(self.rfile)) is not None:
                reply = proxy.serve_one(request)
                self.wfile.write(reply.sent)
                if not reply.whole:
                    return
                proxy.deliver_late()
