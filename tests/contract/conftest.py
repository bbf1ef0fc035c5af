"""The service behind HTTP, as the tests of the HTTP edge have it."""

from __future__ import annotations

from tests.server.http.conftest import app, document, shared_service

__all__ = ["app", "document", "shared_service"]
