"""Why a server refused, as it wrote it. Raises nothing: :mod:`skyjo_client.errors` makes errors of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from skyjo_client.reading import Members


@dataclass(frozen=True, slots=True)
class Problem:
    """Why the server refused, as it wrote it.

    Attributes:
        status: HTTP status, 400 to 599.
        code: one of a closed list, such as ``stale-version``.
        title: the code in words.
        detail: what was wrong with this request.
        hint: what to do instead; None if there is nothing to say.
        extras: further members, by name.
        request_id: names the request in the server's log; None if it was not given.
        retry_after_seconds: how long to wait before the next try; None if it was not said.
    """

    status: int
    code: str
    title: str
    detail: str
    hint: str | None = None
    extras: Mapping[str, Any] = field(default_factory=dict)
    request_id: str | None = None
    retry_after_seconds: float | None = None

    def __str__(self) -> str:
        hint = f" ({self.hint})" if self.hint else ""
        return f"{self.code}: {self.detail or self.title}{hint}"


def problem_from_dict(
    data: object, *, request_id: str | None = None, retry_after_seconds: float | None = None
) -> Problem:
    """Read a problem; every member that is not one of the usual five goes to its extras."""
    read = Members("Problem", data)
    return Problem(
        status=read.whole("status"),
        code=read.text("type").rpartition(":")[2],
        title=read.text("title"),
        detail=read.text("detail"),
        hint=read.optional("hint", read.text),
        extras=read.others("type", "title", "status", "detail", "hint"),
        request_id=request_id,
        retry_after_seconds=retry_after_seconds,
    )
