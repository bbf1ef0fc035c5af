"""Operations at one table: look, ask what is legal, act."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from flask import Response

from skyjo import Action
from skyjo_server.http.answers import decision_answer, json_answer, view_answer
from skyjo_server.http.blueprint import Blueprint, Resource
from skyjo_server.http.callers import arena, come_back
from skyjo_server.http.schemas import decisions as schemas
from skyjo_server.service.errors import ProblemCode
from skyjo_server.service.model import Caller

play: Final = Blueprint("play", "One table: what its viewers see, and the actions of its seats.")


@play.route("/games/<uuid:game_id>/view")
class View(Resource):
    """What a viewer sees of one table."""

    @play.operation(
        "getView",
        ProblemCode.NOT_FOUND,
        ProblemCode.GAME_NOT_STARTED,
        ProblemCode.EMBARGOED,
        links={"PlayAction": {"operationId": "playAction", "parameters": {"game_id": "$response.body#/game"}}},
    )
    @play.signed_in(optional=True, at_table=True)
    @play.arguments(schemas.ViewQuery, "query")
    @play.response(200, schemas.Decision, tagged=True)
    def get(self, caller: Caller | None, wanted: schemas.ViewWanted, game_id: UUID) -> Response:
        """Read the table as the caller sees it: its own seat's view, else what every spectator sees.

        With `after`, the answer waits until there is a later version, and comes at the latest after `wait` seconds.
        """
        return come_back(view_answer(arena().view(caller, game_id, wanted.bot, wanted.after, wanted.wait)))


@play.route("/games/<uuid:game_id>/actions")
class Actions(Resource):
    """What can be done at one table."""

    @play.operation("getLegalActions", ProblemCode.NOT_FOUND, ProblemCode.GAME_NOT_STARTED, ProblemCode.EMBARGOED)
    @play.signed_in(optional=True, at_table=True)
    @play.arguments(schemas.BotQuery, "query")
    @play.response(200, schemas.LegalActions)
    def get(self, caller: Caller | None, wanted: schemas.ViewWanted, game_id: UUID) -> Response:
        """Read what the caller may play now."""
        decision = arena().view(caller, game_id, wanted.bot, None, 0.0)
        return json_answer(
            {
                "game": decision.game,
                "version": decision.version,
                "seat": decision.seat,
                "legal_actions": [str(action) for action in decision.legal_actions],
            }
        )

    @play.operation(
        "playAction",
        ProblemCode.FORBIDDEN,
        ProblemCode.NOT_FOUND,
        ProblemCode.PRECONDITION_REQUIRED,
        ProblemCode.STALE_VERSION,
        ProblemCode.ILLEGAL_ACTION,
        ProblemCode.DEADLINE_PASSED,
        ProblemCode.IDEMPOTENCY_KEY_REUSED,
        ProblemCode.GAME_NOT_STARTED,
        ProblemCode.GAME_OVER,
    )
    @play.signed_in(at_table=True)
    @play.arguments(schemas.PlayHeaders, "headers")
    @play.arguments(schemas.ActionSubmission, example={"action": "take c2"})
    @play.response(200, schemas.Decision, headers=("ETag", "Thinking-Seconds"))
    def post(self, caller: Caller, headers: schemas.MoveHeaders, action: Action, game_id: UUID) -> Response:
        """Play one action for the caller's seat.

        The answer is the seat's view after the action and all that followed from it at once.
        """
        return decision_answer(*arena().play_timed(caller, game_id, headers.version, action, headers.key))
