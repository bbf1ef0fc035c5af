"""Who asks: reads the bearer token of the request and has the service say whose it is."""

from __future__ import annotations

from typing import cast

from flask import Response, current_app, request

from skyjo_server.http.ports import AllUseCases
from skyjo_server.service.errors import Unauthenticated
from skyjo_server.service.model import Caller

EXTENSION = "skyjo"
"""Under this name an app keeps the service that it stands before."""


def arena() -> AllUseCases:
    """The service that the app at hand stands before."""
    return cast(AllUseCases, current_app.extensions[EXTENSION])


def maybe_caller() -> Caller | None:
    """The bearer of the token, None if none was sent.

    Raises:
        Unauthenticated: with a token that is not good, or a header that is none of the bearer scheme.
    """
    token = _sent_token()
    return None if token is None else arena().authenticate(token)


def maybe_known_caller() -> Caller | None:
    """The same for use cases that refuse a revoked token themselves: this does not ask the database about a known one.

    Raises:
        Unauthenticated: as above, but for a token that was revoked only now.
    """
    token = _sent_token()
    return None if token is None else arena().recognise(token)


def come_back(answer: Response) -> Response:
    """An answer to a request that may have wanted to wait: without a place for it, it is told when to come back."""
    if arena().was_turned_away():
        answer.headers.add("Retry-After", "1")
    return answer


def present(bearer: Caller | None) -> Caller:
    """The bearer, who must be there.

    Raises:
        Unauthenticated: if no token was sent.
    """
    if bearer is None:
        raise Unauthenticated("this needs a token, and none was sent")
    return bearer


def _sent_token() -> str | None:
    header: str | None = request.environ.get("HTTP_AUTHORIZATION")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token or not token.isascii():
        raise Unauthenticated("the Authorization header is not 'Bearer' and a token")
    return token
