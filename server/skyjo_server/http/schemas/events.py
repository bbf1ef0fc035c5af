"""Events as a reader may know them. They are written by the rules package's notation; here they are described."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from marshmallow import fields

from skyjo import Cause
from skyjo.cards import DECK
from skyjo_server.http.fields import Flag, Inner, Items, Named, Text, Timestamp, Uuid, Whole, Word
from skyjo_server.http.schemas.base import Answer, Headers, Query
from skyjo_server.http.schemas.common import (
    POINTS_BY_SEAT,
    SEAT,
    by_seat,
    how_many,
    points,
    seat_number,
    thinking_seconds,
    version_number,
    wait_seconds,
)
from skyjo_server.service import model

ROUND: Final = {"description": "The round, from 1."}
SEEN: Final = {"description": "The card; null = this reader may not know it."}


class DealtFact(Answer):
    """A round was dealt: all cards in the order of the shuffle; while the game is on, only the one that lies open."""

    kind = Word(["dealt"])
    round = version_number(1, metadata=ROUND)
    cards = Items(Named("Card", allow_none=True), len(DECK), len(DECK), metadata={"description": "Null = unseen."})


class FlippedFact(Answer):
    """A hidden card was turned up where it lay."""

    kind = Word(["flipped"])
    seat = seat_number(metadata=SEAT)
    place = Named("Place")
    card = Named("Card")


class DrawnFact(Answer):
    """A seat drew a card."""

    kind = Word(["drawn"])
    seat = seat_number(metadata=SEAT)
    card = Named("Card", allow_none=True, metadata=SEEN)


class PlacedFact(Answer):
    """A card was put face up on a place; what lay there follows as discarded."""

    kind = Word(["placed"])
    seat = seat_number(metadata=SEAT)
    place = Named("Place")
    card = Named("Card")


class DiscardedFact(Answer):
    """A replaced or rejected card went on the discard pile."""

    kind = Word(["discarded"])
    seat = seat_number(metadata=SEAT)
    card = Named("Card")


class RemovedFact(Answer):
    """A complete line left the grid for the discard pile."""

    kind = Word(["removed"])
    seat = seat_number(metadata=SEAT)
    places = Items(Named("Place"), 1, 4, metadata={"description": "The places that still held a card."})
    card = Named("Card")


class ReshuffledFact(Answer):
    """The discard pile without its top became the draw pile, in this order."""

    kind = Word(["reshuffled"])
    cards = Items(Named("Card", allow_none=True), 1, len(DECK), metadata={"description": "Null = unseen."})


class RoundScoredFact(Answer):
    """A round was scored."""

    kind = Word(["round_scored"])
    round = version_number(1, metadata=ROUND)
    raw = by_seat(points(), metadata={"description": "Points by seat, before the ender's penalty."})
    final = by_seat(points(), metadata={"description": "Points by seat, after it."})
    totals = by_seat(points(), metadata={"description": "The new totals."})
    ender = seat_number(allow_none=True, metadata={"description": "The seat that ended the round; null = nobody did."})
    truncated = Flag(metadata={"description": "Whether the round was stopped by the limit of turns."})


class LeftFact(Answer):
    """A seat resigned or was made to leave."""

    kind = Word(["left"])
    seat = seat_number(metadata=SEAT)


class GameEndedFact(Answer):
    """The game is over."""

    kind = Word(["game_ended"])
    totals = by_seat(points(), metadata=POINTS_BY_SEAT)
    ranks = by_seat(Whole(1, 8), metadata={"description": "Ranks by seat, 1 the best; equal totals share a rank."})


FACTS: Final[dict[str, type[Answer]]] = {
    "dealt": DealtFact,
    "flipped": FlippedFact,
    "drawn": DrawnFact,
    "placed": PlacedFact,
    "discarded": DiscardedFact,
    "removed": RemovedFact,
    "reshuffled": ReshuffledFact,
    "round_scored": RoundScoredFact,
    "left": LeftFact,
    "game_ended": GameEndedFact,
}
"""The schema of each kind of fact."""


class Event(Answer):
    """One accepted command and everything it caused, as this reader may know it."""

    game = Uuid(metadata={"description": "The game's id."})
    version = version_number(metadata={"description": "Its number in the game: 0, 1, 2 … without gaps."})
    seat = seat_number(allow_none=True, metadata={"description": "Who acted; null = the service."})
    action = Named("Action", allow_none=True)
    cause = Word(list(Cause), "Cause", metadata={"description": "Why it happened."})
    facts = fields.List(Named("Fact"), metadata={"description": "What happened, in order."})
    at = Timestamp(metadata={"description": "When it was committed, by the database's clock."})
    thinking_seconds = thinking_seconds()


class EventPage(Answer):
    """Some events, and where the game stands now."""

    events = fields.List(Inner(Event))
    version = version_number(-1, metadata={"description": "Number of the game's last event; -1 while it is open."})
    status = Word(list(model.GameStatus), "GameStatus", metadata={"description": "Where the game stands."})


@dataclass(frozen=True, slots=True)
class EventsWanted:
    """Which events to give, and whether to wait for them."""

    after: int
    limit: int
    wait: float


class EventsQuery(Query):
    """Which events to give, and whether to wait for them."""

    after = version_number(
        -1, load_default=-1, metadata={"description": "Only events with a greater number than this."}
    )
    limit = how_many(1000, 500)
    wait = wait_seconds()

    def build(self, data: dict[str, Any]) -> EventsWanted:
        """Give what is wanted."""
        return EventsWanted(**data)


class FollowHeaders(Headers):
    """The headers of a reader who follows."""

    last = Text(
        r"(?:0|[1-9][0-9]{0,8})",
        "the id of an event",
        data_key="Last-Event-ID",
        load_default=None,
        metadata={
            "description": "The last event of a stream that broke off; it goes on after that.",
            "examples": ["41"],
        },
    )

    def build(self, data: dict[str, Any]) -> int | None:
        """Give the version of the event, if there is one."""
        return None if data["last"] is None else int(data["last"])
