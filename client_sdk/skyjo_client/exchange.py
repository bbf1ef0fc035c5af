"""One exchange with the service, as values: a request to send, and how its answer is read. Sends nothing.

Everything that the two clients have in common about HTTP is here; what remains for them is to send and to wait.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version as installed_version
from typing import Any, Final, Generic, TypeVar
from urllib.parse import quote

import httpx

from skyjo import Decision, Phase
from skyjo_client.errors import (
    AnswerUnreadable,
    ConnectionFailed,
    ContractMismatch,
    SkyjoClientError,
    api_error,
)
from skyjo_client.problem import problem_from_dict
from skyjo_client.retry import retry_after_seconds

T = TypeVar("T")

CONTRACT_VERSION: Final = "1"
"""The version of the API that this client speaks: the path begins with it, and every answer names it."""

VERSION_HEADER: Final = "Skyjo-Api-Version"
REQUEST_ID_HEADER: Final = "X-Request-Id"

NO_PROXY: Final = {f"all://{host}": None for host in ("localhost", "127.0.0.1", "[::1]")}
"""A server on this machine is not asked through a proxy, whatever the environment says."""

_NEVER_SENT: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
_EXCERPT_CHARACTERS: Final = 120


@dataclass(frozen=True, slots=True)
class Request(Generic[T]):
    """One request and the reader of its answer.

    Attributes:
        method: GET, POST or DELETE.
        path: below ``/v1``; made by :func:`path`.
        read: makes the answer's value of a response with a status below 300.
        query: by name; None is left out.
        headers: beside those that every request has; None is left out.
        body: to be sent as JSON; None = no body.
        repeatable: whether it has no further effect when it arrives a second time.
        wait_seconds: how long the server may wait before it answers.
        unchanged: what stands for a 304; None if that is no answer to this request.
    """

    method: str
    path: str
    read: Callable[[httpx.Response], T]
    query: Mapping[str, str | float | None] = field(default_factory=dict)
    headers: Mapping[str, str | None] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    repeatable: bool = False
    wait_seconds: float = 0.0
    unchanged: T | None = None

    def arguments(self, timeout_seconds: float) -> dict[str, Any]:
        """The arguments of httpx for this request.

        Args:
            timeout_seconds: how long the server may take where it is not asked to wait.
        """
        return {
            "method": self.method,
            "url": self.path,
            "params": {name: value for name, value in self.query.items() if value is not None},
            "headers": {name: value for name, value in self.headers.items() if value is not None},
            "json": self.body,
            "timeout": httpx.Timeout(timeout_seconds, read=timeout_seconds + self.wait_seconds),
        }


def get(
    path: str,
    read: Callable[[Any], T],
    *,
    wait_seconds: float = 0.0,
    headers: Mapping[str, str | None] | None = None,
    unchanged: T | None = None,
    **query: str | float | None,
) -> Request[T]:
    """A request that changes nothing; `read` reads the JSON of its answer."""
    if wait_seconds:
        query["wait"] = plain(wait_seconds)
    return Request("GET", path, as_json(read), query, headers or {}, None, True, wait_seconds, unchanged)


def post(path: str, read: Callable[[Any], T], body: Mapping[str, Any], *, key: str | None = None) -> Request[T]:
    """A request that changes something, and may be sent again if it has a key; its body leaves out what is None."""
    given = {name: value for name, value in body.items() if value is not None}
    return Request("POST", path, as_json(read), {}, {"Idempotency-Key": key}, given, key is not None)


def path(*parts: str) -> str:
    """The path of these parts, each escaped, so that no id can reach elsewhere.

    >>> path("games", "../bots")
    'v1/games/..%2Fbots'
    """
    return "/".join((f"v{CONTRACT_VERSION}", *(quote(part, safe="") for part in parts)))


def plain(number: float) -> float:
    """A number as it is best written: without a fraction where there is none.

    >>> plain(10.0), plain(0.5)
    (10, 0.5)
    """
    return int(number) if number == int(number) else number


def as_json(read: Callable[[Any], T]) -> Callable[[httpx.Response], T]:
    """A reader of JSON."""
    return lambda response: read(response.json())


def as_text(response: httpx.Response) -> str:
    """Read plain text."""
    return response.text


def as_bytes(response: httpx.Response) -> bytes:
    """Read an answer as it is."""
    return response.content


def as_nothing(_: httpx.Response) -> None:
    """Read an answer that has no content."""


def entity_tag(decision: Decision) -> str:
    """The entity tag of a decision; a game may be stopped without a further event, and then everything is shown."""
    return f'"{decision.version}{"-over" if decision.phase is Phase.OVER else ""}"'


def base_url(url: str) -> httpx.URL:
    """The address of a service, checked.

    Raises:
        ValueError: if it is not the address of a website.
    """
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise ValueError(f"{url!r} is no address: {error}") from error
    if parsed.scheme not in {"http", "https"} or not parsed.host:
        raise ValueError(f"{url!r} is not the address of a service: write it as in 'http://127.0.0.1:8000'")
    return parsed


@cache
def user_agent() -> str:
    """What the client calls itself."""
    return f"skyjo-client/{installed_version('skyjo-arena')}"


def client_headers(token: str | None) -> dict[str, str]:
    """What every request says.

    Raises:
        ValueError: if the token cannot be written into a header.
    """
    headers = {"Accept": "application/json, application/problem+json", "User-Agent": user_agent()}
    if token is not None:
        if not token.isascii() or not token.isprintable() or " " in token:
            raise ValueError("the token has characters that no token has: copy it again, without spaces and line ends")
        headers["Authorization"] = f"Bearer {token}"
    return headers


def failure(error: httpx.RequestError, request: Request[T]) -> ConnectionFailed:
    """The client's own error for one of the HTTP library."""
    said = str(error) or type(error).__name__
    return ConnectionFailed(
        f"no answer to {request.method} {request.path}: {said}", sent=not isinstance(error, _NEVER_SENT)
    )


def answer(response: httpx.Response, request: Request[T]) -> T:
    """The value that an answer gives.

    Raises:
        ApiError: if the server refused.
        AnswerUnreadable: if it is no answer of the API.
        ContractMismatch: if the server speaks another version of it.
    """
    spoken = response.headers.get(VERSION_HEADER, CONTRACT_VERSION)
    if spoken != CONTRACT_VERSION:
        raise ContractMismatch(spoken, CONTRACT_VERSION)
    if response.status_code == httpx.codes.NOT_MODIFIED and request.unchanged is not None:
        return request.unchanged
    try:
        if response.is_success:
            return request.read(response)
        refusal = _refusal(response)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise _unreadable(response, request, str(error)) from error
    raise refusal


def _refusal(response: httpx.Response) -> SkyjoClientError:
    problem = problem_from_dict(
        response.json(),
        request_id=response.headers.get(REQUEST_ID_HEADER),
        retry_after_seconds=retry_after_seconds(response.headers),
    )
    if problem.status != response.status_code:
        raise ValueError(f"Problem.status is {problem.status}, but the answer has the status {response.status_code}")
    return api_error(problem)


def _unreadable(response: httpx.Response, request: Request[T], why: str) -> AnswerUnreadable:
    content_type = response.headers.get("Content-Type", "no type")
    return AnswerUnreadable(
        f"the answer to {request.method} {request.path} is not the API's: status {response.status_code}, "
        f"{content_type}, {why}: {response.text[:_EXCERPT_CHARACTERS]!r}",
        response.status_code,
        retry_after_seconds(response.headers),
    )
