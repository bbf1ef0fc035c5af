"""Operations on games as a whole: create, find, join, leave."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from skyjo_server.http.answers import Created, Public
from skyjo_server.http.blueprint import Blueprint, Resource
from skyjo_server.http.callers import arena
from skyjo_server.http.schemas import games as schemas
from skyjo_server.http.schemas.decisions import BotQuery, ViewWanted
from skyjo_server.service import model
from skyjo_server.service.errors import ProblemCode

games: Final = Blueprint("games", "Games: create one, find one, take a seat, leave.")

EXAMPLE: Final = {
    "preset": "classic",
    "seats": [
        {"kind": "open"},
        {"kind": "house", "house": "greedy"},
    ],
    "move_seconds": 10,
}


def _links(game_id: str) -> dict[str, Any]:
    operations = (
        "getGame",
        "takeSeat",
        "resign",
        "getView",
        "getLegalActions",
        "playAction",
        "listEvents",
        "getTranscript",
        "getProof",
        "getAnalysis",
        "forkGame",
    )
    return {
        operation[0].upper() + operation[1:]: {"operationId": operation, "parameters": {"game_id": game_id}}
        for operation in operations
    }


@games.route("/games")
class Games(Resource):
    """All games."""

    @games.operation(
        "createGame",
        ProblemCode.FORBIDDEN,
        ProblemCode.INVALID_RULES,
        ProblemCode.IDEMPOTENCY_KEY_REUSED,
        links=_links("$response.body#/id"),
    )
    @games.signed_in()
    @games.arguments(schemas.CreateHeaders, "headers")
    @games.arguments(schemas.NewGame, example=EXAMPLE)
    @games.response(201, schemas.Game, headers=("Location",))
    def post(self, caller: model.Caller, key: str | None, wanted: model.NewGame) -> Created:
        """Create a game. It is dealt as soon as no seat is open."""
        game = arena().create_game(caller, wanted, key)
        return Created(game, f"/v1/games/{game.id}")

    @games.operation(
        "listGames",
        links={"GetGame": {"operationId": "getGame", "parameters": {"game_id": "$response.body#/items/0/id"}}},
    )
    @games.arguments(schemas.GamesQuery, "query")
    @games.response(200, schemas.GamePage)
    def get(self, wanted: schemas.GamesWanted) -> model.Page[model.GameInfo]:
        """List games, newest first."""
        return arena().games(wanted.status, wanted.bot, wanted.tournament, wanted.limit, wanted.cursor)


@games.route("/games/<uuid:game_id>")
class Game(Resource):
    """One game."""

    @games.operation("getGame", ProblemCode.NOT_FOUND)
    @games.response(200, schemas.Game, tagged=True)
    def get(self, game_id: UUID) -> Public:
        """Read a game: who plays, by which rules, and where it stands."""
        return Public(arena().game(game_id))


@games.route("/games/<uuid:game_id>/seats")
class Seats(Resource):
    """The seats of one game."""

    @games.operation(
        "takeSeat",
        ProblemCode.FORBIDDEN,
        ProblemCode.NOT_FOUND,
        ProblemCode.GAME_OVER,
        ProblemCode.GAME_FULL,
        ProblemCode.ALREADY_SEATED,
        links={"GetView": {"operationId": "getView", "parameters": {"game_id": "$response.body#/game/id"}}},
    )
    @games.signed_in()
    @games.arguments(schemas.SeatClaim, example={"entropy": "00ff"})
    @games.response(201, schemas.SeatTaken)
    def post(self, caller: model.Caller, claim: tuple[UUID | None, bytes], game_id: UUID) -> dict[str, Any]:
        """Take an open seat."""
        bot, entropy = claim
        seat, game = arena().join(caller, game_id, bot, entropy)
        return {"seat": seat, "game": game}


@games.route("/games/<uuid:game_id>/resignation")
class Resignation(Resource):
    """Leaving one game."""

    @games.operation(
        "resign", ProblemCode.FORBIDDEN, ProblemCode.NOT_FOUND, ProblemCode.GAME_NOT_STARTED, ProblemCode.GAME_OVER
    )
    @games.signed_in()
    @games.arguments(BotQuery, "query")
    @games.response(200, schemas.Game)
    def post(self, caller: model.Caller, wanted: ViewWanted, game_id: UUID) -> model.GameInfo:
        """Leave a game for good. Default actions are played for the seat, and it is ranked below those that stayed."""
        return arena().resign(caller, game_id, wanted.bot)
