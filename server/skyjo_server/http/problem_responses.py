"""Describes in the document which problems an operation can have. Sends none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Final

from skyjo_server.http.problems import KINDS, PROBLEM_JSON
from skyjo_server.http.schemas.components import ref
from skyjo_server.http.schemas.problems import WITH_MORE, Problem, urn
from skyjo_server.service.errors import ProblemCode

Described = dict[str, Any]

_HEADERS: Final = {
    401: ("WWW-Authenticate",),
    429: ("Retry-After", "RateLimit", "RateLimit-Policy"),
    503: ("Retry-After",),
}


def problem_responses(codes: Iterable[ProblemCode]) -> dict[int, Described | str]:
    """Describe the answers that these problems give, by status; by its component's name if it is a single one."""
    by_status: dict[int, list[ProblemCode]] = defaultdict(list)
    wanted = set(codes)
    for code in ProblemCode:
        if code in wanted:
            by_status[KINDS[code].status].append(code)
    return {
        status: _name(found[0]) if len(found) == 1 else _response(status, found)
        for status, found in sorted(by_status.items())
    }


def single_responses() -> dict[str, Described]:
    """Describe the answer that each problem gives when it is the only one of its status, by its component's name."""
    single = set(ProblemCode) - {ProblemCode.METHOD_NOT_ALLOWED}
    return {_name(code): _response(KINDS[code].status, [code]) for code in ProblemCode if code in single}


def _name(code: ProblemCode) -> str:
    return "".join(word.capitalize() for word in code.value.split("-"))


def _response(status: int, codes: list[ProblemCode]) -> Described:
    schemas = [ref(WITH_MORE[code].__name__) for code in codes if code in WITH_MORE]
    if any(code not in WITH_MORE for code in codes):
        schemas.append(ref(Problem.__name__))
    described: Described = {
        "description": " · ".join(f"`{code.value}`: {KINDS[code].title}." for code in codes),
        "content": {PROBLEM_JSON: {"schema": schemas[0] if len(schemas) == 1 else {"oneOf": schemas}}},
        "x-problem-types": [urn(code) for code in codes],
    }
    if status in _HEADERS:
        described["headers"] = {name: name for name in _HEADERS[status]}
    return described
