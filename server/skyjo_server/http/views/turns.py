"""The inbox: all decisions that wait for a bot, and the answers to them, in one round trip."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from flask import Response

from skyjo_server.http.answers import json_answer
from skyjo_server.http.blueprint import Blueprint, Resource
from skyjo_server.http.callers import arena, come_back
from skyjo_server.http.problems import problem
from skyjo_server.http.schemas import turns as schemas
from skyjo_server.service.errors import ProblemCode
from skyjo_server.service.model import Accepted, Caller, Refused

turns: Final = Blueprint("turns", "All games of a bot at once.")

EXAMPLE: Final = {
    "actions": [{"game": "00112233-4455-6677-8899-aabbccddeeff", "version": 41, "action": "take c2", "key": "3f1c-7"}],
    "wait": 1,
}


@turns.route("/turns")
class Turns(Resource):
    """The inbox of the caller's bot."""

    @turns.operation("listTurns", ProblemCode.FORBIDDEN)
    @turns.signed_in(at_table=True)
    @turns.arguments(schemas.TurnsQuery, "query")
    @turns.response(200, schemas.Turns)
    def get(self, caller: Caller, wanted: schemas.InboxWanted) -> Response:
        """Read every decision that waits for the caller's bot, the earliest deadline first.

        The answer waits until there is one, and comes at the latest after `wait` seconds.
        """
        decisions = arena().pending(caller, wanted.wait, wanted.limit)
        return come_back(json_answer({"decisions": [decision.to_dict() for decision in decisions]}))

    @turns.operation("playTurns", ProblemCode.FORBIDDEN)
    @turns.signed_in(at_table=True)
    @turns.arguments(schemas.TurnSubmission, example=EXAMPLE)
    @turns.response(200, schemas.TurnsAnswer)
    def post(self, caller: Caller, wanted: schemas.InboxWanted) -> Response:
        """Play many actions of many games, and get each one's result and the next decisions.

        Each action stands alone: one that is refused does not touch the others. The answer waits until a decision is
        there, and comes at the latest after `wait` seconds.
        """
        answer = arena().submit(caller, wanted.actions, wanted.wait, wanted.limit)
        written = json_answer(
            {
                "results": [_result(result) for result in answer.results],
                "decisions": [decision.to_dict() for decision in answer.decisions],
            }
        )
        return come_back(written)


def _result(result: Accepted | Refused) -> dict[str, Any]:
    match result:
        case Accepted(game_id, version, thinking_seconds):
            return _members(game_id, version, "accepted", thinking_seconds, None)
        case Refused(game_id, error):
            return _members(game_id, error.extras.get("version"), "refused", None, problem(error))


def _members(
    game_id: UUID, version: int | None, status: str, thinking_seconds: float | None, why: dict[str, Any] | None
) -> dict[str, Any]:
    return {
        "game": str(game_id),
        "version": version,
        "status": status,
        "thinking_seconds": thinking_seconds,
        "problem": why,
    }
