"""Operations that follow a game, read it again when it is over, or go on from a step of it."""

from __future__ import annotations

from typing import Final
from uuid import UUID

import orjson
from flask import Response

from skyjo.export import write_jsonl
from skyjo.transcript import write_transcript
from skyjo_server.http.accept import best_of
from skyjo_server.http.answers import (
    EVENT_STREAM,
    Created,
    Public,
    events_answer,
    json_answer,
    public_answer,
    stream_answer,
)
from skyjo_server.http.blueprint import JSON, Blueprint, Resource
from skyjo_server.http.callers import arena, come_back
from skyjo_server.http.schemas import replays as schemas
from skyjo_server.http.schemas.decisions import Decision
from skyjo_server.http.schemas.events import EventPage, EventsQuery, EventsWanted, FollowHeaders
from skyjo_server.http.schemas.games import CreateHeaders, Game
from skyjo_server.service.errors import ProblemCode
from skyjo_server.service.model import Caller
from skyjo_server.service.replay_model import Commitments, NewFork, Perspective

replay: Final = Blueprint("replay", "Events, transcripts and proofs; any step of a game, and going on from it.")

FORK: Final = {
    "version": 12,
    "seats": [
        {"kind": "house", "house": "greedy"},
        {"kind": "house", "house": "threshold"},
    ],
}

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
        if best_of(JSON, EVENT_STREAM) == EVENT_STREAM:
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
        media_type = best_of(TRANSCRIPT, JSON_LINES)
        record = arena().transcript(game_id)
        text = write_jsonl(record) if media_type == JSON_LINES else write_transcript(record)
        return public_answer(text.encode(), f"{media_type}; charset=utf-8", {"Vary": "Authorization, Accept"})


@replay.route("/games/<uuid:game_id>/states/<number:version>")
class State(Resource):
    """One step of one game."""

    @replay.operation(
        "getState",
        ProblemCode.NOT_FOUND,
        ProblemCode.GAME_NOT_STARTED,
        ProblemCode.GAME_NOT_FINISHED,
        ProblemCode.EMBARGOED,
    )
    @replay.signed_in(optional=True, at_table=True)
    @replay.arguments(schemas.StateQuery, "query")
    @replay.response(200, Decision)
    def get(
        self, caller: Caller | None, wanted: tuple[int | None, Perspective | None], game_id: UUID, version: int
    ) -> Response:
        """Read the table as it was after an event.

        Of a game that is over, anybody may look as any seat, as a spectator, or at every card, which is what is given
        if nothing is named. While it is on, one's own seat's view is given, or else a spectator's.
        """
        return json_answer(arena().state(caller, game_id, version, *wanted).to_dict())


@replay.route("/games/<uuid:game_id>/proof")
class Proof(Resource):
    """What a game that is over is proved by."""

    @replay.operation("getProof", ProblemCode.NOT_FOUND, ProblemCode.GAME_NOT_FINISHED, ProblemCode.EMBARGOED)
    @replay.response(200, schemas.Proof, tagged=True)
    def get(self, game_id: UUID) -> Public:
        """Read where the chance of a game came from, and what its log is bound to; `skyjo verify` checks it all."""
        return Public(arena().proof(game_id))


@replay.route("/games/<uuid:game_id>/analysis")
class Analysis(Resource):
    """What the decisions of a game that is over cost."""

    @replay.operation("getAnalysis", ProblemCode.NOT_FOUND, ProblemCode.GAME_NOT_FINISHED, ProblemCode.EMBARGOED)
    @replay.response(200, schemas.Analysis, tagged=True)
    def get(self, game_id: UUID) -> Response:
        """Read what each decision cost by the reckoning of the bot `greedy`: where points were lost."""
        decisions = [scored.to_dict() for scored in arena().analysis(game_id)]
        return public_answer(orjson.dumps({"game": str(game_id), "decisions": decisions}))


@replay.route("/games/<uuid:game_id>/forks")
class Forks(Resource):
    """Games that go on from a step of one that is over."""

    @replay.operation(
        "forkGame",
        ProblemCode.FORBIDDEN,
        ProblemCode.NOT_FOUND,
        ProblemCode.GAME_NOT_FINISHED,
        ProblemCode.EMBARGOED,
        ProblemCode.IDEMPOTENCY_KEY_REUSED,
        links={"GetGame": {"operationId": "getGame", "parameters": {"game_id": "$response.body#/id"}}},
    )
    @replay.signed_in()
    @replay.arguments(CreateHeaders, "headers")
    @replay.arguments(schemas.NewFork, example=FORK)
    @replay.response(201, Game, headers=("Location",))
    def post(self, caller: Caller, key: str | None, wanted: NewFork, game_id: UUID) -> Created:
        """Create a game that repeats another one up to a step, card for card, and goes on with other players.

        It counts in no ranking: whoever knows the other game knows its cards.
        """
        game = arena().fork(caller, game_id, wanted, key)
        return Created(game, f"/v1/games/{game.id}")


@replay.route("/fairness")
class Fairness(Resource):
    """All commitments."""

    @replay.operation("getFairness")
    @replay.response(200, schemas.Commitments)
    def get(self) -> Commitments:
        """Count what has become of the seeds that games and tournaments were bound to."""
        return arena().commitments()
