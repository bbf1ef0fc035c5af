"""Puts the HTTP edge together: one Flask application before one arena. Has no routes of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from flask import Flask, Request, Response, request
from werkzeug.routing import IntegerConverter, Map, MapAdapter, UUIDConverter

from skyjo_server.http import cors, limits, problems, reference, viewer
from skyjo_server.http.api import API_VERSION, VERSION_HEADER, Api
from skyjo_server.http.callers import EXTENSION
from skyjo_server.http.ports import AllUseCases
from skyjo_server.http.request_id import HEADER, request_id
from skyjo_server.http.views import UNVERSIONED, VERSIONED


class _CanonicalUuid(UUIDConverter):
    """A UUID in lower case: one object has one address."""

    regex = "[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"


class _CanonicalNumber(IntegerConverter):
    """A whole number from 0 without leading noughts, likewise."""

    regex = "0|[1-9][0-9]{0,8}"

    def __init__(self, url_map: Map) -> None:
        super().__init__(url_map, max=10**9 - 1)


class _App(Flask):
    """Flask without what this service never uses, and would pay for with each request."""

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Match routes by path and method alone: what a client says is its host has no part in it."""
        if request is None:
            return None
        # A server hands over the bytes of the path as Latin-1.
        path = request.environ["PATH_INFO"].encode("latin-1", "replace").decode("utf-8", "replace")
        return self.url_map.bind("", path_info=path, default_method=request.method)

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Take functions as they are: none of them is a coroutine."""
        return func


def create_http_app(use_cases: AllUseCases, *, cors_origins: Sequence[str] = (), rate_limit: int = 0) -> Flask:
    """The service as a WSGI application.

    Whoever logs requests gets their ids from :func:`skyjo_server.http.request_id.request_id`.

    Args:
        use_cases: the service.
        cors_origins: pages of these origins may call it; none unless set.
        rate_limit: requests of one caller in ten seconds; 0 = no limit.
    """
    app, api = describe()
    app.extensions[EXTENSION] = use_cases
    cors.register(app, cors_origins)
    limits.register(app, rate_limit)
    reference.register(app, api.document())
    viewer.register(app)
    return app


def describe() -> tuple[Flask, Api]:
    """An application with every route and no arena, and the document that describes it."""
    app = _App("skyjo_server", static_folder=None)
    # Flask would take this from the environment, and show what went wrong to whoever asks.
    app.debug = False
    app.config["PROVIDE_AUTOMATIC_OPTIONS"] = False
    # Redirects would be answers outside the contract: a path is spelled as it is, or there is nothing there.
    app.url_map.merge_slashes = False
    app.url_map.converters["uuid"] = _CanonicalUuid
    app.url_map.converters["number"] = _CanonicalNumber
    api = Api(app)
    for blueprint in VERSIONED:
        api.register_blueprint(blueprint, url_prefix="/v1")
    for blueprint in UNVERSIONED:
        api.register_blueprint(blueprint)
    problems.register(app)
    app.after_request(_complete)
    return app, api


def _complete(response: Response) -> Response:
    """Add what every answer has. Nobody may keep an answer, unless it says otherwise."""
    headers = response.headers
    headers.add(HEADER, request_id(request.environ))
    headers.add(VERSION_HEADER, API_VERSION)
    headers.add("X-Content-Type-Options", "nosniff")
    if "Cache-Control" not in headers:
        headers.add("Cache-Control", "private, no-store")
    if "Vary" not in headers:
        headers.add("Vary", "Authorization")
    return response
