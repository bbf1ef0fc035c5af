"""Turns whatever is raised into a problem (RFC 9457), by the one table of statuses. Raises nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import orjson
import structlog
from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from skyjo_server.http import errors
from skyjo_server.http.request_id import request_id
from skyjo_server.http.schemas.problems import urn
from skyjo_server.service.errors import NotFound, ProblemCode, ServiceError

PROBLEM_JSON: Final = "application/problem+json"
LOG: Final = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Kind:
    """How a kind of problem is sent: its status, and its title, which is the same each time."""

    status: int
    title: str


KINDS: Final[dict[ProblemCode, Kind]] = {
    ProblemCode.INVALID_JSON: Kind(400, "The body is not sound JSON"),
    ProblemCode.INVALID_REQUEST: Kind(422, "Some values of the request cannot be"),
    ProblemCode.INVALID_RULES: Kind(422, "Rules that cannot be played"),
    ProblemCode.UNAUTHENTICATED: Kind(401, "A valid token is needed"),
    ProblemCode.FORBIDDEN: Kind(403, "The token does not reach so far"),
    ProblemCode.NOT_FOUND: Kind(404, "Nothing here that you may see"),
    ProblemCode.METHOD_NOT_ALLOWED: Kind(405, "Not possible here"),
    ProblemCode.NOT_ACCEPTABLE: Kind(406, "None of the accepted media types can be given"),
    ProblemCode.BODY_TOO_LARGE: Kind(413, "The body is too large"),
    ProblemCode.UNSUPPORTED_MEDIA_TYPE: Kind(415, "The body must be JSON in UTF-8"),
    ProblemCode.ILLEGAL_ACTION: Kind(422, "The rules refuse the action"),
    ProblemCode.IDEMPOTENCY_KEY_REUSED: Kind(422, "The idempotency key was used for something else"),
    ProblemCode.PRECONDITION_REQUIRED: Kind(428, "An action must say which version it answers"),
    ProblemCode.STALE_VERSION: Kind(412, "The game has moved on"),
    ProblemCode.DEADLINE_PASSED: Kind(409, "The time for the action was over"),
    ProblemCode.GAME_NOT_STARTED: Kind(409, "The game has not been dealt"),
    ProblemCode.GAME_NOT_FINISHED: Kind(409, "The game is not over"),
    ProblemCode.GAME_OVER: Kind(409, "The game is over"),
    ProblemCode.GAME_FULL: Kind(409, "No seat is open"),
    ProblemCode.ALREADY_SEATED: Kind(409, "The bot sits there already"),
    ProblemCode.EMBARGOED: Kind(409, "The game's board is still in play"),
    ProblemCode.ENTRY_CLOSED: Kind(409, "The event takes no more entries"),
    ProblemCode.ENTRY_LIMIT: Kind(409, "No more bots of this owner may enter"),
    ProblemCode.ALREADY_ENTERED: Kind(409, "The bot has left the event for good"),
    ProblemCode.TOO_FEW_ENTRIES: Kind(409, "The event has too few entries to begin"),
    ProblemCode.TOURNAMENT_NOT_STARTED: Kind(409, "The event has not begun"),
    ProblemCode.TOURNAMENT_OVER: Kind(409, "The event is over"),
    ProblemCode.TABLE_NOT_PLAYING: Kind(409, "The table is not being played"),
    ProblemCode.NAME_TAKEN: Kind(409, "The name is taken"),
    ProblemCode.RATE_LIMITED: Kind(429, "Too many requests"),
    ProblemCode.UNAVAILABLE: Kind(503, "The service cannot answer now"),
    ProblemCode.INTERNAL_ERROR: Kind(500, "The service failed"),
}
"""Every kind of problem. Nothing else is ever sent in place of an answer."""


def problem(error: ServiceError) -> dict[str, Any]:
    """The members of a problem."""
    kind = KINDS[error.code]
    return {
        "type": urn(error.code),
        "title": kind.title,
        "status": kind.status,
        "detail": error.detail,
        "hint": error.hint,
        **error.extras,
    }


def problem_answer(error: ServiceError) -> Response:
    """The answer to a request that was not carried out."""
    status = KINDS[error.code].status
    return Response(orjson.dumps(problem(error)), status, _headers(error, status), content_type=PROBLEM_JSON)


def register(app: Flask) -> None:
    """Make every error of an app a problem."""
    app.register_error_handler(ServiceError, problem_answer)
    app.register_error_handler(HTTPException, _framework_answer)
    app.register_error_handler(Exception, _unexpected_answer)


def _headers(error: ServiceError, status: int) -> dict[str, str]:
    headers = {}
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if status in {429, 503}:
        headers["Retry-After"] = str(error.retry_after_seconds or 1)
    if isinstance(error, errors.MethodNotAllowed):
        headers["Allow"] = error.allowed
    return headers


def _framework_answer(raised: HTTPException) -> Response:
    match raised:
        case MethodNotAllowed():
            return problem_answer(errors.MethodNotAllowed(request.method, raised.valid_methods or ()))
        case HTTPException(code=404):
            return problem_answer(NotFound())
        case HTTPException(code=int(code)) if code < 500:
            return problem_answer(errors.InvalidContent([("", f"cannot be served: {raised.name.lower()}")]))
        case _:
            return _unexpected_answer(raised)


def _unexpected_answer(raised: Exception) -> Response:
    LOG.error("request-failed", exc_info=raised, request_id=request_id(request.environ))
    return problem_answer(errors.InternalError())
