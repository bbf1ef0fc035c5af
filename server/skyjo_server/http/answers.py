"""Builds answers: bytes, headers, entity tags. Knows no use case.

What is answered often is written straight from dictionaries; marshmallow would take several times as long.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, Final

import orjson
from flask import Response, request
from flask.json.provider import JSONProvider
from marshmallow import Schema

from skyjo import Decision, Phase
from skyjo.notation import event_to_dict
from skyjo_server.http.fields import timestamp
from skyjo_server.service.model import EventPage

REVALIDATED: Final = "no-cache"
"""Cache-Control of what everybody may read: kept, but asked for again with its entity tag."""


def json_answer(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """An answer in JSON."""
    return Response(orjson.dumps(body), status, headers, content_type="application/json")


def view_answer(decision: Decision) -> Response:
    """A view with its entity tag; 304 without it if the caller has it already."""
    tag = decision_tag(decision)
    return Response(status=304, headers={"ETag": tag}) if _is_known(tag) else decision_answer(decision)


def decision_answer(decision: Decision) -> Response:
    """A decision with its entity tag."""
    return json_answer(decision.to_dict(), headers={"ETag": decision_tag(decision)})


def decision_tag(decision: Decision) -> str:
    """The entity tag of a view: its version alone, so that it says nothing that the version does not.

    A game that is voided or aborted shows everything without a further event; hence the mark.
    """
    return f'"{decision.version}-over"' if decision.phase is Phase.OVER else f'"{decision.version}"'


def public_answer(schema: Schema, value: Any) -> Response:
    """An answer that is the same for everybody, tagged with a digest of its own bytes; 304 if the caller has it."""
    body = orjson.dumps(schema.dump(value))
    tag = f'"{blake2b(body, digest_size=12).hexdigest()}"'
    headers = {"ETag": tag, "Cache-Control": REVALIDATED}
    if _is_known(tag):
        return Response(status=304, headers=headers)
    return Response(body, headers=headers, content_type="application/json")


def events_answer(page: EventPage) -> Response:
    """Events of one game."""
    game = str(page.game_id)
    events = [
        {
            "game": game,
            **event_to_dict(stamped.event),
            "at": timestamp(stamped.at),
            "thinking_seconds": stamped.thinking_seconds,
        }
        for stamped in page.events
    ]
    return json_answer({"events": events, "version": page.version, "status": page.status.value})


def _is_known(tag: str) -> bool:
    sent = request.environ.get("HTTP_IF_NONE_MATCH")
    if not sent:
        return False
    # Weak comparison (RFC 9110, 13.1.2): the mark of a weak tag does not count.
    return any(known.strip().removeprefix("W/") in {tag, "*"} for known in sent.split(","))


class OrjsonProvider(JSONProvider):
    """Flask's JSON by orjson, for answers that go through a schema."""

    def dumps(self, obj: Any, **_kwargs: Any) -> str:
        """Write JSON."""
        return orjson.dumps(obj).decode()

    def loads(self, s: str | bytes, **_kwargs: Any) -> Any:
        """Read JSON of our own; what clients send goes through :mod:`skyjo_server.http.strict_json`."""
        return orjson.loads(s)

    def response(self, *args: Any, **kwargs: Any) -> Response:
        """An answer in JSON."""
        return json_answer(self._prepare_response_obj(args, kwargs))
