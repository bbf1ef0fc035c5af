"""Rate limits: so many requests of one caller in so many seconds. Moves are exempt: no limit costs a seat its time.

A caller is its token, or its address if it sends none. Each process counts for itself, so that a request costs no round
trip; a limit is therefore one of each process. Submissions and inboxes are never refused here, but those submissions
that were refused for other reasons count, so that a flood of them is felt by the caller's other requests.
"""

from __future__ import annotations

import time
from hashlib import blake2b
from typing import Final

from flask import Flask, Response, request
from limits import RateLimitItemPerSecond
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter

from skyjo_server.http.answers import EVENT_STREAM
from skyjo_server.http.problems import problem_answer
from skyjo_server.service.errors import RateLimited

WINDOW_SECONDS: Final = 10
STREAMS_IN_WINDOW: Final = 20
"""Event streams that one caller may open in a window; whoever reconnects in a loop is told to wait."""

EXEMPT: Final = frozenset({"play.Actions", "turns.Turns"})
"""Endpoints of moves and inboxes; a read among them is as cheap as being refused."""

FREE: Final = frozenset({"service.Healthz", "service.Readyz"})


def register(app: Flask, requests_in_window: int) -> None:
    """Limit the requests of each caller of an app; 0 = do not."""
    if requests_in_window:
        limiter = _Limiter(requests_in_window)
        app.before_request(limiter.check)
        app.after_request(limiter.complete)


class _Limiter:
    """Counts the requests of every caller."""

    def __init__(self, requests_in_window: int) -> None:
        self._counted = FixedWindowRateLimiter(MemoryStorage())
        self._requests = RateLimitItemPerSecond(requests_in_window, WINDOW_SECONDS)
        self._streams = RateLimitItemPerSecond(STREAMS_IN_WINDOW, WINDOW_SECONDS, namespace="streams")

    def check(self) -> Response | None:
        """Refuse a request that is one too many."""
        if request.endpoint in EXEMPT or request.endpoint in FREE:
            return None
        caller = _caller()
        if not self._counted.hit(self._requests, caller):
            return self._refused(self._requests, caller, "requests")
        if EVENT_STREAM in request.headers.get("Accept", "") and not self._counted.hit(self._streams, caller):
            return self._refused(self._streams, caller, "event streams")
        return None

    def complete(self, response: Response) -> Response:
        """Say what is left; count what was refused among the submissions."""
        if request.endpoint in EXEMPT:
            if 400 <= response.status_code < 500:
                self._counted.hit(self._requests, _caller())
        elif request.endpoint not in FREE:
            reset, remaining = self._counted.get_window_stats(self._requests, _caller())
            response.headers["RateLimit-Policy"] = f'"default";q={self._requests.amount};w={WINDOW_SECONDS}'
            response.headers["RateLimit"] = f'"default";r={remaining};t={_seconds_until(reset)}'
        return response

    def _refused(self, quota: RateLimitItemPerSecond, caller: str, what: str) -> Response:
        wait = _seconds_until(self._counted.get_window_stats(quota, caller)[0])
        return problem_answer(
            RateLimited(
                f"more than {quota.amount} {what} in {WINDOW_SECONDS} seconds",
                f"wait {wait} seconds; moves and inboxes are not limited",
                retry_after_seconds=wait,
            )
        )


def _caller() -> str:
    """Who asks, without asking the database; a digest, so that no token is kept."""
    known = request.environ.get("HTTP_AUTHORIZATION") or request.environ.get("REMOTE_ADDR") or ""
    return blake2b(known.encode("latin-1", "replace"), digest_size=12).hexdigest()


def _seconds_until(moment: float) -> int:
    return max(1, round(moment - time.time()))
