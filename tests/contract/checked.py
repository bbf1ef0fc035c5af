"""A WSGI application whose every answer is held against the document, for any test that talks to the service."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tests.contract.document import Document

OUTSIDE = ("/openapi.json", "/docs")
"""Paths that show the document and are no part of it."""

WsgiApp = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class Checked:
    """Wraps an application.

    Attributes:
        seen: ids of the operations that were called, each with the statuses that it answered.
    """

    def __init__(self, app: WsgiApp, document: Document) -> None:
        self._app = app
        self._document = document
        self.seen: dict[str, set[int]] = {}

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer a request.

        Raises:
            ContractBroken: if the answer is not as the document says.
        """
        started: list[Any] = []

        def start(*arguments: Any) -> Any:
            started[:] = arguments
            return start_response(*arguments)

        answer = self._app(environ, start)
        try:
            body = b"".join(answer)
        finally:
            close = getattr(answer, "close", None)
            if close is not None:
                close()
        self._check(environ, int(started[0].split(" ")[0]), dict(started[1]), body)
        return [body]

    def _check(self, environ: dict[str, Any], status: int, headers: dict[str, str], body: bytes) -> None:
        method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        if path.startswith(OUTSIDE):
            return
        operation_id = self._document.check(method, path, status, headers, body)
        if operation_id is not None:
            self.seen.setdefault(operation_id, set()).add(status)
