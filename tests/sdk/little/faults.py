"""A network that loses, doubles and delays: it stands between a client and whatever answers. It waits for nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum, auto

import httpx

Handler = Callable[[httpx.Request], httpx.Response]

PAGE = "<html><body><h1>502 Bad Gateway</h1></body></html>"


class Fault(Enum):
    """What happens to one request."""

    NONE = auto()
    REFUSED = auto()
    """The connection is refused: nothing arrives."""
    LOST_BEFORE = auto()
    """The connection breaks before the request arrives."""
    LOST_AFTER = auto()
    """The request is carried out, then the connection breaks."""
    TWICE = auto()
    """The request arrives twice, one after the other; the second answer is seen."""
    LATE = auto()
    """The client waits in vain; the request arrives after the next one."""
    PAGE_BEFORE = auto()
    """A proxy answers with a page of its own."""
    PAGE_AFTER = auto()
    """The request is carried out, then a proxy answers with a page of its own."""


class Network:
    """Hands requests on, each with the next fault; without one when none are left.

    Args:
        handler: what answers.
        faults: what happens to the first requests, in order.
    """

    def __init__(self, handler: Handler, faults: Iterable[Fault] = ()) -> None:
        self._handler = handler
        self._faults = iter(faults)
        self._late: list[httpx.Request] = []
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        late, self._late = self._late, []
        try:
            return self._with_fault(request, next(self._faults, Fault.NONE))
        finally:
            for earlier in late:
                self._handler(earlier)

    def _with_fault(self, request: httpx.Request, fault: Fault) -> httpx.Response:
        if fault is Fault.LATE:
            self._late.append(request)
        answer = httpx.Response(502, html=PAGE)
        for _ in range(_ARRIVALS.get(fault, 0)):
            answer = self._handler(request)
        if fault in _ERRORS:
            raise _ERRORS[fault]("the connection broke", request=request)
        return httpx.Response(502, html=PAGE) if fault is Fault.PAGE_AFTER else answer


_ARRIVALS = {Fault.NONE: 1, Fault.LOST_AFTER: 1, Fault.TWICE: 2, Fault.PAGE_AFTER: 1}
"""How often a request arrives at once; the others do not."""

_ERRORS = {
    Fault.REFUSED: httpx.ConnectError,
    Fault.LOST_BEFORE: httpx.WriteError,
    Fault.LOST_AFTER: httpx.ReadError,
    Fault.LATE: httpx.ReadTimeout,
}
"""What the client sees instead of an answer."""
