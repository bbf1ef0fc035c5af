"""Bots and tokens as they are sent and shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from skyjo_server.http.fields import Inner, Text, Timestamp, Uuid, Word
from skyjo_server.http.schemas.base import Answer, Body, Headers
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


@dataclass(frozen=True, slots=True)
class NewBotWanted:
    """What to register, and the invitation if one was sent."""

    name: str
    invitation: str | None


class RegisterHeaders(Headers):
    """The headers of a registration."""

    key = Text(
        r"[A-Za-z0-9._:-]{16,64}",
        "16 to 64 letters, digits and . _ : -",
        data_key="Idempotency-Key",
        load_default=None,
        metadata={
            "description": "Sent again with the same name, it gets the first answer again, token included. "
            "Choose it at random: whoever knows it can get the token.",
            "examples": ["3f1c7a9e5b2d4c60"],
        },
    )

    def build(self, data: dict[str, Any]) -> str | None:
        """Give the key, if there is one."""
        key: str | None = data["key"]
        return key


class NewBot(Body):
    """A bot to be registered."""

    name = Text(
        NAME_PATTERN,
        NAME_SHAPE,
        required=True,
        metadata={"description": "Its name, unique.", "examples": [NAME_EXAMPLE]},
    )

    invitation = Text(
        r"[!-~]{1,200}",
        "an invitation",
        load_default=None,
        allow_none=True,
        metadata={"description": "The code that registering takes where it is not open to everybody."},
    )

    def build(self, data: dict[str, Any]) -> NewBotWanted:
        """Give the name and the invitation."""
        return NewBotWanted(**data)


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
