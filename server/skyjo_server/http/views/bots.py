"""Operations on bots and tokens."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from skyjo_server.http.answers import Created, Public
from skyjo_server.http.blueprint import Blueprint, Resource
from skyjo_server.http.callers import arena
from skyjo_server.http.schemas import bots as schemas
from skyjo_server.service import model
from skyjo_server.service.errors import ProblemCode

bots: Final = Blueprint("bots", "Bots and the tokens that sign for them.")


@bots.route("/bots")
class Bots(Resource):
    """All bots."""

    @bots.operation(
        "registerBot",
        ProblemCode.NAME_TAKEN,
        ProblemCode.FORBIDDEN,
        ProblemCode.IDEMPOTENCY_KEY_REUSED,
        links={"GetBot": {"operationId": "getBot", "parameters": {"bot_id": "$response.body#/bot/id"}}},
    )
    @bots.signed_in(optional=True)
    @bots.arguments(schemas.RegisterHeaders, "headers")
    @bots.arguments(schemas.NewBot, example={"name": schemas.NAME_EXAMPLE})
    @bots.response(201, schemas.Registration, headers=("Location",))
    def post(self, caller: model.Caller | None, key: str | None, wanted: schemas.NewBotWanted) -> Created:
        """Register a bot and get its first token.

        Without a token the bot belongs to a new owner; with one, to the token's owner.
        """
        registration = arena().register(wanted.name, caller, key, wanted.invitation)
        return Created(registration, f"/v1/bots/{registration.bot.id}")


@bots.route("/bots/<uuid:bot_id>")
class Bot(Resource):
    """One bot."""

    @bots.operation("getBot", ProblemCode.NOT_FOUND)
    @bots.response(200, schemas.Bot, tagged=True)
    def get(self, bot_id: UUID) -> Public:
        """Read a bot."""
        return Public(arena().bot(bot_id))


@bots.route("/me")
class Me(Resource):
    """The caller."""

    @bots.operation("getMe")
    @bots.signed_in()
    @bots.response(200, schemas.Me)
    def get(self, caller: model.Caller) -> dict[str, object]:
        """Read whose token is sent."""
        bot, token = arena().me(caller)
        return {"bot": bot, "token": token}


@bots.route("/tokens")
class Tokens(Resource):
    """All tokens."""

    @bots.operation(
        "issueToken",
        ProblemCode.FORBIDDEN,
        ProblemCode.NOT_FOUND,
        links={"RevokeToken": {"operationId": "revokeToken", "parameters": {"token_id": "$response.body#/id"}}},
    )
    @bots.signed_in()
    @bots.arguments(schemas.NewToken, example={"scope": "bot"})
    @bots.response(201, schemas.IssuedToken)
    def post(self, caller: model.Caller, wanted: tuple[model.Scope, UUID | None]) -> model.IssuedToken:
        """Issue a further token, to replace one that may be known to others."""
        scope, bot = wanted
        return arena().issue_token(caller, scope, bot)


@bots.route("/tokens/<uuid:token_id>")
class Token(Resource):
    """One token."""

    @bots.operation("revokeToken", ProblemCode.NOT_FOUND)
    @bots.signed_in()
    @bots.response(204)
    def delete(self, caller: model.Caller, token_id: UUID) -> None:
        """Revoke a token. It is refused from now on."""
        arena().revoke_token(caller, token_id)
