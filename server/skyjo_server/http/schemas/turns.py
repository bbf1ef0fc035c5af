"""The inbox: many actions of many games in, results and next decisions out. Decides nothing about them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from marshmallow import fields

from skyjo import Action, InvalidText
from skyjo_server.http.fields import UUID_PATTERN, Inner, Items, Named, Uuid, Word
from skyjo_server.http.schemas.base import LARGE_BODY, Answer, Body, Query, Request
from skyjo_server.http.schemas.common import (
    KEY_PATTERN,
    VERSION_MAX,
    ActionField,
    how_many,
    idempotency_key,
    thinking_seconds,
    version_number,
    wait_seconds,
)
from skyjo_server.http.schemas.decisions import Decision
from skyjo_server.service import model
from skyjo_server.service.secrets import holds_token

MOST: Final = 256
"""Actions in one request, and decisions in one answer."""

USUAL: Final = 64
"""Decisions in an answer, unless another number is asked for."""

TURN_STATUSES: Final = ("accepted", "refused")

_UUID: Final = re.compile(UUID_PATTERN)
_KEY: Final = re.compile(KEY_PATTERN)
_MEMBERS: Final = frozenset(("game", "version", "action", "key"))


class Turn(Request):
    """One action of one game."""

    game = Uuid(required=True, metadata={"description": "The game's id."})
    version = version_number(required=True, metadata={"description": "The version that the action answers."})
    action = ActionField(required=True)
    key = idempotency_key(allow_none=True)

    def build(self, data: dict[str, Any]) -> model.Submission:
        """Give the submission."""
        return model.Submission(data["game"], data["version"], data["action"], data["key"])


def quick_submission(item: Any) -> model.Submission | None:
    """Read one turn if it is plainly sound, else give None: equal to the schema, in a fifth of its time."""
    try:
        game, version_, action, key_ = item["game"], item["version"], item["action"], item.get("key")
        if type(version_) is not int or not 0 <= version_ <= VERSION_MAX or not _MEMBERS.issuperset(item):
            return None
        if not _UUID.fullmatch(game) or not (key_ is None or _KEY.fullmatch(key_)) or type(action) is not str:
            return None
        if key_ is not None and holds_token(key_):
            return None
        return model.Submission(UUID(game), version_, Action.parse(action), key_)
    except (InvalidText, KeyError, TypeError):
        return None


class TurnItems(Items):
    """Many turns, read quickly where all of them are sound; else by their schema, which says what is wrong."""

    def __init__(self, **options: Any) -> None:
        super().__init__(Inner(Turn), 0, MOST, **options)

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> list[Any]:
        if isinstance(value, list) and len(value) <= MOST:
            submissions = [quick_submission(item) for item in value]
            if None not in submissions:
                return submissions
        return super()._deserialize(value, *args, **kwargs)


@dataclass(frozen=True, slots=True)
class InboxWanted:
    """What to play, how long to wait for the next decisions, and how many of them to give."""

    wait: float
    limit: int
    actions: tuple[model.Submission, ...] = ()


class TurnsQuery(Query):
    """How long to wait for decisions, and how many of them to give."""

    wait = wait_seconds()
    limit = how_many(MOST, USUAL)

    def build(self, data: dict[str, Any]) -> InboxWanted:
        """Give what is wanted."""
        return InboxWanted(**data)


class TurnSubmission(Body):
    """Many actions of many games. Several of one game are played in the order in which they stand here."""

    body_bytes = LARGE_BODY

    actions = TurnItems(required=True, metadata={"description": "What to play; each stands alone."})
    wait = wait_seconds()
    limit = how_many(MOST, USUAL)

    def build(self, data: dict[str, Any]) -> InboxWanted:
        """Give what is wanted."""
        return InboxWanted(data["wait"], data["limit"], tuple(data["actions"]))


class Turns(Answer):
    """Decisions that wait for the caller's bot, the earliest deadline first."""

    decisions = fields.List(Inner(Decision))


class TurnResult(Answer):
    """What became of one action."""

    game = Uuid(metadata={"description": "The game's id."})
    version = version_number(
        -1,
        allow_none=True,
        metadata={"description": "Accepted: number of its event. Refused: the game's version, where that is known."},
    )
    status = Word(TURN_STATUSES, "TurnStatus")
    thinking_seconds = thinking_seconds()
    problem = Named("TurnProblem", allow_none=True, metadata={"description": "Why it was refused."})


class TurnsAnswer(Answer):
    """What became of each action, in the order in which they were sent, and the decisions that wait now."""

    results = fields.List(Inner(TurnResult))
    decisions = fields.List(Inner(Decision))
