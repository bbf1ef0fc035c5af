"""Cross-origin requests, for pages of the origins that are set; without any, no answer mentions them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from flask import Flask, Response, request

from skyjo_server.http.answers import empty

ANY: Final = "*"
METHODS: Final = "GET, HEAD, POST, DELETE"
HEADERS: Final = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID"
EXPOSED: Final = (
    "ETag, Link, Location, Retry-After, RateLimit, RateLimit-Policy, Skyjo-Api-Version, Thinking-Seconds, X-Request-Id"
)
MAX_AGE_SECONDS: Final = 600


def register(app: Flask, origins: Sequence[str]) -> None:
    """Let pages of some origins call an app; `*` stands for all. Credentials of the browser are never taken."""
    if not origins:
        return
    allowed = frozenset(origins)

    def preflight() -> Response | None:
        wanted = request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers
        return empty(204) if wanted and _allowed_origin(allowed) is not None else None

    def complete(response: Response) -> Response:
        origin = _allowed_origin(allowed)
        response.headers["Vary"] = f"{response.headers.get('Vary', 'Authorization')}, Origin"
        if origin is not None:
            response.headers["Access-Control-Allow-Origin"] = origin
            response.headers["Access-Control-Expose-Headers"] = EXPOSED
            if request.method == "OPTIONS":
                response.headers["Access-Control-Allow-Methods"] = METHODS
                response.headers["Access-Control-Allow-Headers"] = HEADERS
                response.headers["Access-Control-Max-Age"] = str(MAX_AGE_SECONDS)
        return response

    app.before_request(preflight)
    app.after_request(complete)


def _allowed_origin(allowed: frozenset[str]) -> str | None:
    origin = request.environ.get("HTTP_ORIGIN")
    if origin is None:
        return None
    return ANY if ANY in allowed else origin if origin in allowed else None
