"""Bots and tokens as they are sent and shown."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from skyjo_server.http.fields import Inner, Text, Timestamp, Uuid, Word
from skyjo_server.http.schemas.base import Answer, Body
from skyjo_server.service import model

NAME_PATTERN: Final = r"[A-Za-z0-9._-](?:[A-Za-z0-9 ._-]{0,38}[A-Za-z0-9._-])?"
NAME_SHAPE: Final = "1 to 40 letters, digits, spaces and . _ -, with no space at an end"
NAME_EXAMPLE: Final = "careful-carla"


class Bot(Answer):
    """A registered bot."""

    id = Uuid(metadata={"description": "The bot's id."})
    name = Text(NAME_PATTERN, NAME_SHAPE, metadata={"description": "What people read.", "examples": [NAME_EXAMPLE]})
    created_at = Timestamp(metadata={"description": "When it was registered."})


class Token(Answer):
    """A token without its secret."""

    id = Uuid(metadata={"description": "The token's id, by which it is revoked."})
    scope = Word(
        list(model.Scope), "Scope", metadata={"description": "How far it reaches; each word includes the ones before."}
    )
    prefix = Text(r"skj_[!-~]{0,40}", "a prefix", metadata={"description": "The first characters of the secret."})
    bot = Uuid(attribute="bot_id", allow_none=True, metadata={"description": "The bot that it plays for, if any."})
    created_at = Timestamp(metadata={"description": "When it was issued."})
    revoked_at = Timestamp(
        allow_none=True, metadata={"description": "Since when it is refused; null while it is good."}
    )


class IssuedToken(Token):
    """A new token. Its secret is shown this once."""

    token = Text(r"skj_[!-~]{1,200}", "a token", metadata={"description": "The secret, to be sent as a bearer token."})

    def get_attribute(self, obj: Any, attr: str, default: Any) -> Any:
        """Read a member of the token, or its secret."""
        return obj.secret if attr == "token" else super().get_attribute(obj.token, attr, default)


class Registration(Answer):
    """A new bot and its first token."""

    bot = Inner(Bot)
    token = Inner(IssuedToken)


class Me(Answer):
    """Whose token was sent."""

    bot = Inner(Bot, allow_none=True)
    token = Inner(Token)


class NewBot(Body):
    """A bot to be registered."""

    name = Text(
        NAME_PATTERN,
        NAME_SHAPE,
        required=True,
        metadata={"description": "Its name, unique.", "examples": [NAME_EXAMPLE]},
    )

    def build(self, data: dict[str, Any]) -> str:
        """Give the name."""
        name: str = data["name"]
        return name


class NewToken(Body):
    """A token to be issued."""

    scope = Word(
        list(model.Scope),
        "Scope",
        load_default=model.Scope.BOT.value,
        metadata={"description": "No wider than your own."},
    )
    bot = Uuid(
        load_default=None, allow_none=True, metadata={"description": "The bot that it shall play for: one of your own."}
    )

    optional_body = True

    def build(self, data: dict[str, Any]) -> tuple[model.Scope, UUID | None]:
        """Give the scope, and the bot if one is named."""
        return model.Scope(data["scope"]), data["bot"]
