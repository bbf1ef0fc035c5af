"""Operations that follow a game, or read it again when it is over."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from flask import Response, request

from skyjo.export import write_jsonl
from skyjo.transcript import write_transcript
from skyjo_server.http.answers import EVENT_STREAM, events_answer, public_answer, stream_answer
from skyjo_server.http.blueprint import JSON, Blueprint, Resource
from skyjo_server.http.callers import arena, come_back
from skyjo_server.http.errors import NotAcceptable
from skyjo_server.http.schemas.events import EventPage, EventsQuery, EventsWanted, FollowHeaders
from skyjo_server.service.errors import ProblemCode
from skyjo_server.service.model import Caller

replay: Final = Blueprint("replay", "Events and transcripts.")

TRANSCRIPT: Final = "text/plain"
JSON_LINES: Final = "application/jsonl"
AS_TEXT: Final = {"type": "string"}


@replay.route("/games/<uuid:game_id>/events")
class Events(Resource):
    """The log of one game."""

    @replay.operation("listEvents", ProblemCode.NOT_FOUND, ProblemCode.EMBARGOED, ProblemCode.NOT_ACCEPTABLE)
    @replay.signed_in(optional=True, at_table=True)
    @replay.arguments(EventsQuery, "query")
    @replay.arguments(FollowHeaders, "headers")
    @replay.response(200, EventPage)
    @replay.response(200, AS_TEXT, content_type=EVENT_STREAM)
    def get(self, caller: Caller | None, wanted: EventsWanted, last: int | None, game_id: UUID) -> Response:
        """Read what happened, as the caller may know it: while the game is on, hidden cards are null.

        The answer waits until there is an event after `after`, and comes at the latest after `wait` seconds. Asked for
        as `text/event-stream`, it goes on with every event as it happens, until the game is over.
        """
        if _best_of(JSON, EVENT_STREAM) == EVENT_STREAM:
            return stream_answer(arena().follow(caller, game_id, wanted.after if last is None else last))
        return come_back(events_answer(arena().events(caller, game_id, wanted.after, wanted.limit, wanted.wait)))


@replay.route("/games/<uuid:game_id>/transcript")
class Transcript(Resource):
    """A whole game that is over."""

    @replay.operation(
        "getTranscript",
        ProblemCode.NOT_FOUND,
        ProblemCode.GAME_NOT_FINISHED,
        ProblemCode.EMBARGOED,
        ProblemCode.NOT_ACCEPTABLE,
    )
    @replay.response(200, AS_TEXT, content_type=TRANSCRIPT, tagged=True)
    @replay.response(200, AS_TEXT, content_type=JSON_LINES)
    def get(self, game_id: UUID) -> Response:
        """Read everything about a game that is over, to be replayed and verified: a transcript, or JSON Lines."""
        media_type = _best_of(TRANSCRIPT, JSON_LINES)
        record = arena().transcript(game_id)
        text = write_jsonl(record) if media_type == JSON_LINES else write_transcript(record)
        return public_answer(text.encode(), f"{media_type}; charset=utf-8", {"Vary": "Authorization, Accept"})


def _best_of(*offered: str) -> str:
    """The media type that the client likes best; a client that does not say gets the first."""
    accepted = request.accept_mimetypes
    if not accepted:
        return offered[0]
    media_type = accepted.best_match(offered)
    if media_type is None:
        raise NotAcceptable(str(accepted), list(offered))
    return media_type
