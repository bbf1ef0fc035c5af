"""Builds answers: bytes, headers, entity tags. Knows no use case.

What is answered often is written straight from dictionaries; marshmallow would take several times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, TypeVar

import orjson
from flask import Response, request
from marshmallow import Schema
from werkzeug.datastructures import Headers

from skyjo import Decision, Phase
from skyjo.notation import event_to_dict
from skyjo_server.service.model import EventPage, StampedEvent
from skyjo_server.service.timestamps import timestamp
from skyjo_server.service.tournament_model import TournamentEventPage
from skyjo_server.service.tournament_notation import tournament_event_to_dict

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

EVENT_STREAM: Final = "text/event-stream"

REVALIDATED: Final = "no-cache"
"""Cache-Control of what everybody may read: kept, but asked for again with its entity tag."""


@dataclass(frozen=True, slots=True)
class Created:
    """A view's value that has just come to be, and where it is."""

    value: Any
    location: str


@dataclass(frozen=True, slots=True)
class Public:
    """A view's value that is the same for everybody, and may be kept as long as it is asked for again."""

    value: Any


class _Whole(Response):
    """An answer that has all its headers from the beginning: nothing is to be found out when it is sent."""

    def get_wsgi_headers(self, environ: WSGIEnvironment) -> Headers:  # noqa: ARG002 - as werkzeug calls it
        """Give the headers as they are."""
        return self.headers


def json_answer(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """An answer in JSON."""
    written = orjson.dumps(body)
    described = [("Content-Type", "application/json"), ("Content-Length", str(len(written)))]
    if headers:
        described += headers.items()
    return _Whole([written], status, described)


def view_answer(decision: Decision) -> Response:
    """A view with its entity tag; 304 without it if the caller has it already."""
    tag = decision_tag(decision)
    return empty(304, {"ETag": tag}) if _is_known(tag) else decision_answer(decision)


def decision_answer(decision: Decision, thinking_seconds: float | None = None) -> Response:
    """A decision with its entity tag, and how long the seat had taken for the action that led to it."""
    headers = {"ETag": decision_tag(decision)}
    if thinking_seconds is not None:
        headers["Thinking-Seconds"] = f"{thinking_seconds:.3f}"
    return json_answer(decision.to_dict(), headers=headers)


def decision_tag(decision: Decision) -> str:
    """The entity tag of a view: its version alone, so that it says nothing that the version does not.

    A game that is voided or aborted shows everything without a further event; hence the mark.
    """
    return f'"{decision.version}-over"' if decision.phase is Phase.OVER else f'"{decision.version}"'


def empty(status: int, headers: Mapping[str, str] | None = None) -> Response:
    """An answer without a body."""
    answer = Response(status=status, headers=headers)
    del answer.headers["Content-Type"]
    return answer


def written(schema: Schema, value: Any, status: int) -> Response:
    """A view's value as its answer, by the schema of the operation."""
    match value:
        case Response():
            return value
        case Created(made, location):
            return json_answer(schema.dump(made), status, {"Location": location})
        case Public(shown):
            return public_json(schema.dump(shown))
        case _:
            return json_answer(schema.dump(value), status)


def public_answer(
    body: bytes, content_type: str = "application/json", headers: Mapping[str, str] | None = None
) -> Response:
    """An answer that is tagged with a digest of its own bytes; 304 without them if the caller has them already."""
    tag = f'"{blake2b(body, digest_size=12).hexdigest()}"'
    described = {"ETag": tag, "Cache-Control": REVALIDATED, **(headers or {})}
    if _is_known(tag):
        return empty(304, described)
    return Response(body, headers=described, content_type=content_type)


def public_json(body: Any, headers: Mapping[str, str] | None = None) -> Response:
    """An answer in JSON that is the same for everybody, with its tag."""
    return public_answer(orjson.dumps(body), headers=headers)


def events_answer(page: EventPage) -> Response:
    """Events of one game."""
    events = [_event(page, stamped) for stamped in page.events]
    return json_answer({"events": events, "version": page.version, "status": page.status.value})


def stream_answer(pages: Iterator[EventPage]) -> Response:
    """Events of one game as they happen, as server-sent events (HTML Living Standard, 9.2).

    Each has its version as id, so that a reader who comes back says with Last-Event-ID where it was. A comment keeps a
    silent stream alive; the last event, ``end``, says how the game stands, and that there is nothing to come back for.
    """
    return _stream(_streamed(pages, lambda page: ((told.event.version, _event(page, told)) for told in page.events)))


def tournament_stream_answer(pages: Iterator[TournamentEventPage]) -> Response:
    """Events of one tournament as they happen, in the same form."""
    return _stream(
        _streamed(pages, lambda page: ((told.version, tournament_event_to_dict(page, told)) for told in page.events))
    )


def _stream(texts: Iterator[bytes]) -> Response:
    return Response(texts, content_type=EVENT_STREAM, headers={"X-Accel-Buffering": "no"})


_Told = TypeVar("_Told", EventPage, TournamentEventPage)


def _streamed(
    pages: Iterator[_Told], numbered: Callable[[_Told], Iterable[tuple[int, dict[str, Any]]]]
) -> Iterator[bytes]:
    for page in pages:
        told = list(numbered(page))
        text = b"".join(b"id: %d\ndata: %s\n\n" % (version, orjson.dumps(event)) for version, event in told)
        if page.status.is_over and (not told or told[-1][0] == page.version):
            text += b"event: end\ndata: %s\n\n" % orjson.dumps({"version": page.version, "status": page.status.value})
        yield text or b": still there\n\n"


def _event(page: EventPage, stamped: StampedEvent) -> dict[str, Any]:
    return {
        "game": str(page.game_id),
        **event_to_dict(stamped.event),
        "at": timestamp(stamped.at),
        "thinking_seconds": stamped.thinking_seconds,
    }


def _is_known(tag: str) -> bool:
    sent = request.environ.get("HTTP_IF_NONE_MATCH")
    if not sent:
        return False
    # Weak comparison (RFC 9110, 13.1.2): the mark of a weak tag does not count.
    return any(known.strip().removeprefix("W/") in {tag, "*"} for known in sent.split(","))
