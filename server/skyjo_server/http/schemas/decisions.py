"""What a viewer sees of a table, and the action that answers it. Decisions are described here, not written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from marshmallow import fields, missing

from skyjo import Action, Phase
from skyjo_server.http.errors import PreconditionRequired
from skyjo_server.http.fields import Flag, Inner, Items, Named, Text, Uuid, Whole, Word
from skyjo_server.http.schemas.base import Answer, Body, Headers, Query
from skyjo_server.http.schemas.common import (
    ActionField,
    by_seat,
    idempotency_key,
    points,
    rank_list,
    seat_number,
    version_number,
    wait_seconds,
)
from skyjo_server.http.schemas.rules import Rules


class SeatView(Answer):
    """What everybody can see of one seat."""

    columns = Items(
        Named("Column", allow_none=True),
        4,
        4,
        metadata={"description": "Columns a to d; null = the whole column has been removed."},
    )
    round_scores = fields.List(points(), metadata={"description": "Points of the rounds scored so far."})
    total = points()
    left = Flag(metadata={"description": "Whether it has resigned or was made to leave."})


class Decision(Answer):
    """The table as one viewer sees it, at one version; all that is needed to choose an action."""

    game = Uuid(metadata={"description": "The game's id."})
    version = version_number(metadata={"description": "Number of the last event. An action answers this version."})
    round = version_number(1, metadata={"description": "The round, from 1."})
    phase = Word(
        list(Phase),
        "Phase",
        metadata={"description": "What the game waits for; `drawn`: what to do with a drawn card."},
    )
    seat = seat_number(allow_none=True, metadata={"description": "The viewer's seat; null for a spectator."})
    to_act = fields.List(seat_number(), metadata={"description": "Seats whose action the game waits for."})
    drawn = Named("Card", allow_none=True, metadata={"description": "The drawn card, for its drawer alone."})
    discard_pile = fields.List(Named("Card"), metadata={"description": "Bottom to top: the last one can be taken."})
    draw_pile_size = Whole(0, 150, metadata={"description": "Cards left to draw."})
    seats = by_seat(Inner(SeatView), metadata={"description": "The seats in playing order."})
    legal_actions = fields.List(Named("Action"), metadata={"description": "What this viewer may play now."})
    deadline = fields.String(
        allow_none=True,
        metadata={"format": "date-time", "description": "When the viewer's time ends; null = no limit."},
    )
    rules = Inner(Rules)
    ranks = rank_list()


class LegalActions(Answer):
    """What the caller may play."""

    game = Uuid()
    version = version_number(metadata={"description": "The version that an action would answer."})
    seat = seat_number(allow_none=True, metadata={"description": "The caller's seat; null for a spectator."})
    legal_actions = fields.List(Named("Action"))


class ActionSubmission(Body):
    """One action."""

    action = ActionField(required=True)

    def build(self, data: dict[str, Any]) -> Action:
        """Give the action."""
        action: Action = data["action"]
        return action


class _IfMatch(Text):
    """The version that an action answers, as an entity tag. It must be there."""

    def deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """Read the tag; its absence has a problem of its own."""
        if value is missing:
            raise PreconditionRequired
        return super().deserialize(value, *args, **kwargs)

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        text = super()._deserialize(value, *args, **kwargs)
        return int(text.strip('"').removesuffix("-over"))


@dataclass(frozen=True, slots=True)
class MoveHeaders:
    """Which version an action answers, and its idempotency key."""

    version: int
    key: str | None


class PlayHeaders(Headers):
    """The headers of an action."""

    key = idempotency_key(data_key="Idempotency-Key")
    version = _IfMatch(
        r'"(?:0|[1-9][0-9]{0,8})(?:-over)?"',
        'a version in quotation marks, such as "41"',
        data_key="If-Match",
        required=True,
        metadata={"description": "The version that the action answers: the ETag of its view.", "examples": ['"41"']},
    )

    def build(self, data: dict[str, Any]) -> MoveHeaders:
        """Give the version and the key."""
        return MoveHeaders(**data)


@dataclass(frozen=True, slots=True)
class ViewWanted:
    """Whose view, and whether to wait for a newer one."""

    bot: UUID | None
    after: int | None = None
    wait: float = 0.0


class BotQuery(Query):
    """Which of several own bots is meant."""

    bot = Uuid(load_default=None, metadata={"description": "Which of your own bots is meant, where several sit."})

    def build(self, data: dict[str, Any]) -> ViewWanted:
        """Give what is wanted."""
        return ViewWanted(**data)


class ViewQuery(BotQuery):
    """Whose view, and whether to wait for a newer one."""

    after = version_number(-1, load_default=None, metadata={"description": "Wait for a version later than this."})
    wait = wait_seconds()
