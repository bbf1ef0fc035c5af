"""What the HTTP edge itself refuses, before or instead of a use case: one class per reason."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from skyjo_server.service.errors import ProblemCode, ServiceError

Fault = tuple[str, str]
"""A place (a JSON pointer, or the name of a parameter or header) and what is wrong there."""


MOST_FAULTS: Final = 20
"""So many places are named at most: an answer must not grow with what was sent."""


def _errors(faults: Sequence[Fault]) -> dict[str, list[dict[str, str]]]:
    return {"errors": [{"place": place[:200], "detail": detail} for place, detail in faults[:MOST_FAULTS]]}


class InvalidJson(ServiceError):
    """A body that is not JSON as this service takes it; `place` is a JSON pointer, empty for the whole body."""

    code = ProblemCode.INVALID_JSON

    def __init__(self, place: str, detail: str) -> None:
        super().__init__(
            f"the body at {place[:200]!r} {detail}" if place else f"the body {detail}",
            "send one JSON value in UTF-8: no member twice, no NaN, at most 16 levels, whole numbers below 2^53",
            extras=_errors([(place, detail)]),
        )


class InvalidContent(ServiceError):
    """A well-formed request with values that cannot be; names every place."""

    code = ProblemCode.INVALID_REQUEST

    def __init__(self, faults: Sequence[Fault]) -> None:
        place, detail = faults[0]
        more = f", and {len(faults) - 1} more" if len(faults) > 1 else ""
        super().__init__(
            f"{place[:200]} {detail}{more}" if place else f"the body {detail}{more}",
            "compare the request with its description in /openapi.json",
            extras=_errors(faults),
        )


class PreconditionRequired(ServiceError):
    """An action that does not say which version it answers."""

    code = ProblemCode.PRECONDITION_REQUIRED

    def __init__(self) -> None:
        super().__init__(
            "the header If-Match is missing: an action must say which version it answers",
            'send If-Match with the version of the decision in quotation marks, such as "41"',
        )


class BodyTooLarge(ServiceError):
    """A body over the limit, announced or sent; `limit` is in bytes."""

    code = ProblemCode.BODY_TOO_LARGE

    def __init__(self, limit: int) -> None:
        super().__init__(f"the body is larger than {limit} bytes", "send less at once")


class UnsupportedMediaType(ServiceError):
    """A body that does not say it is JSON in UTF-8, as it is."""

    code = ProblemCode.UNSUPPORTED_MEDIA_TYPE

    def __init__(self, header: str, value: str) -> None:
        super().__init__(
            f"{header} is {value[:100]!r}", "send JSON in UTF-8, not compressed, with 'Content-Type: application/json'"
        )


class NotAcceptable(ServiceError):
    """None of the media types that the client accepts can be given."""

    code = ProblemCode.NOT_ACCEPTABLE

    def __init__(self, accept: str, offered: Sequence[str]) -> None:
        super().__init__(f"Accept is {accept[:100]!r}", f"accept one of {', '.join(offered)}")


class MethodNotAllowed(ServiceError):
    """A path that is there, with a method that it does not have; `allowed` names those it has."""

    code = ProblemCode.METHOD_NOT_ALLOWED

    def __init__(self, method: str, allowed: Iterable[str]) -> None:
        self.allowed = ", ".join(sorted(allowed))
        super().__init__(f"{method[:20]} is not possible here", f"use one of {self.allowed}")


class InternalError(ServiceError):
    """A fault of the service. What happened stands in its log, and only there."""

    code = ProblemCode.INTERNAL_ERROR

    def __init__(self) -> None:
        super().__init__("the service failed", "report the X-Request-Id of this answer to whoever runs the service")
