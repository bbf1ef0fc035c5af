"""Who takes part in a tournament, as it is asked for and shown. What an entry has achieved stands elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from marshmallow import fields

from skyjo.bots import HOUSE_BOTS
from skyjo_server.http.fields import Inner, Text, Timestamp, Uuid, Whole, Word
from skyjo_server.http.schemas.base import Answer, Body, Query
from skyjo_server.http.schemas.common import given_cursor, how_many, sent_cursor
from skyjo_server.service.tournament_model import EntryStatus
from skyjo_server.tournaments.values import ENTRIES_MAX, ROUNDS_MAX

REASON_PATTERN: Final = r"[^\x00-\x1f\x7f-\x9f]{1,200}"
WHICH_BOT: Final = {"description": "One of your bots; the token's own if none is named."}
ENTRY: Final = {"description": "The number of the entry, from 0 in the order of entry.", "examples": [0]}


def entry_number(**options: Any) -> Whole:
    """A field for the number of an entry."""
    return Whole(0, ENTRIES_MAX, **options)


def player_name() -> fields.String:
    """A field for what people read of who plays."""
    return fields.String(metadata={"description": "What people read.", "examples": ["careful-carla"]})


def player_bot() -> Uuid:
    """A field for a bot that plays."""
    return Uuid(allow_none=True, metadata={"description": "The bot; null for a bot of the house."})


def player_house() -> Word:
    """A field for a bot of the house that plays."""
    return Word(
        sorted(HOUSE_BOTS), "HouseBot", allow_none=True, metadata={"description": "The bot of the house, if it is one."}
    )


class Entry(Answer):
    """One entry of a tournament."""

    number = entry_number(metadata=ENTRY)
    bot = player_bot()
    house = player_house()
    name = player_name()
    status = Word(list(EntryStatus), "EntryStatus", metadata={"description": "Whether it is paired."})
    reason = fields.String(
        allow_none=True, metadata={"description": "Why it is not active any more; null while it is."}
    )
    since_round = Whole(0, ROUNDS_MAX, metadata={"description": "The first round that it can be paired in."})
    entered_at = Timestamp(metadata={"description": "When it was entered."})


class EntryPage(Answer):
    """Some entries in the order of entry, and where the next ones begin."""

    items = fields.List(Inner(Entry))
    next_cursor = given_cursor()


class _OneBot(Body):
    """Which of the caller's bots is meant."""

    bot = Uuid(load_default=None, allow_none=True, metadata=WHICH_BOT)

    optional_body = True

    def build(self, data: dict[str, Any]) -> UUID | None:
        """Give the bot, if one is named."""
        bot: UUID | None = data["bot"]
        return bot


class EntryClaim(_OneBot):
    """Which bot enters."""


class Withdrawal(_OneBot):
    """Which bot leaves."""


class Disqualification(Body):
    """Which entry is taken out, and why."""

    entry = entry_number(required=True, metadata=ENTRY)
    reason = Text(
        REASON_PATTERN,
        "1 to 200 characters without control characters",
        required=True,
        metadata={"description": "What everybody may read of it.", "examples": ["two bots of one author"]},
    )

    def build(self, data: dict[str, Any]) -> tuple[int, str]:
        """Give the entry and the reason."""
        return data["entry"], data["reason"]


@dataclass(frozen=True, slots=True)
class ListWanted:
    """How much of a list to show, and from where."""

    limit: int
    cursor: str | None


class ListQuery(Query):
    """How much of a list to show, and from where."""

    limit = how_many(1000, 100)
    cursor = sent_cursor()

    def build(self, data: dict[str, Any]) -> ListWanted:
        """Give what is wanted."""
        return ListWanted(**data)
