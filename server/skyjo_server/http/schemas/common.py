"""Fields that several schemas share: versions, seats, points, keys, waiting. No schemas."""

from __future__ import annotations

from typing import Any, Final

from marshmallow import fields

from skyjo import Action, InvalidText
from skyjo.cards import SEATS_MAX, SEATS_MIN
from skyjo_server.http.fields import Items, Named, Real, Text, Whole, refuse

VERSION_MAX: Final = 10**9
WAIT_SECONDS_MAX: Final = 30
POINTS_MAX: Final = 10**9
COUNT_MAX: Final = 10**9

CURSOR_PATTERN: Final = r"[A-Za-z0-9_=-]{1,200}"
KEY_PATTERN: Final = r"[A-Za-z0-9._:-]{1,64}"

SEAT: Final = {"description": "The seat's number, from 0.", "examples": [0]}
POINTS_BY_SEAT: Final = {"description": "Points by seat."}
RANKS_BY_SEAT: Final = {
    "description": "Ranks by seat, 1 the best; equal totals share a rank. Null unless the game was played out."
}


class ActionField(Named):
    """An action in the words of the notation."""

    def __init__(self, **options: Any) -> None:
        super().__init__("Action", **options)

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> Action:
        try:
            return Action.parse(value if isinstance(value, str) else "")
        except InvalidText:
            refuse("an action, such as 'flip a1 b1', 'take c2', 'draw', 'keep c2', 'reject c2' or 'reject'", value)


def version_number(low: int = 0, **options: Any) -> Whole:
    """A field for the number of an event."""
    return Whole(low, VERSION_MAX, **options)


def seat_number(**options: Any) -> Whole:
    """A field for the number of a seat."""
    return Whole(0, SEATS_MAX - 1, **options)


def points(**options: Any) -> Whole:
    """A field for points of a seat."""
    return Whole(-POINTS_MAX, POINTS_MAX, **options)


def by_seat(item: fields.Field[Any], **options: Any) -> Items:
    """A field for a list with one item for each seat."""
    return Items(item, SEATS_MIN, SEATS_MAX, **options)


def rank_list() -> Items:
    """A field for the ranks of all seats."""
    return by_seat(Whole(1, SEATS_MAX), allow_none=True, metadata=RANKS_BY_SEAT)


def idempotency_key(**options: Any) -> Text:
    """A field for an idempotency key."""
    described = {
        "description": "Sent again with the same content, it gets the first answer again.",
        "examples": ["3f1c-7"],
    }
    return Text(KEY_PATTERN, "1 to 64 letters, digits and . _ : -", load_default=None, metadata=described, **options)


def wait_seconds() -> Real:
    """A field for how long an answer may wait."""
    described = {"description": "How many seconds the answer may wait for news.", "examples": [1]}
    return Real(0, WAIT_SECONDS_MAX, load_default=0.0, metadata=described)


def thinking_seconds() -> fields.Float:
    """A field for how long a seat took, by the database's clock."""
    described = {
        "minimum": 0,
        "description": "How long the seat had taken, measured here; null = nobody was waiting.",
    }
    return fields.Float(allow_none=True, metadata=described)


def how_many(most: int, usual: int) -> Whole:
    """A field for the length of a list."""
    return Whole(1, most, load_default=usual, metadata={"description": "How many at most."})


def count(description: str) -> Whole:
    """A field for how many there are of something."""
    return Whole(0, COUNT_MAX, metadata={"description": description})


def sent_cursor() -> Text:
    """A field for where a list shall go on."""
    described = {"description": "Where to go on."}
    return Text(CURSOR_PATTERN, "a cursor that an answer gave", load_default=None, metadata=described)


def given_cursor() -> Text:
    """A field for where a list goes on."""
    described = {"description": "Send it as `cursor`; null = no more."}
    return Text(CURSOR_PATTERN, "a cursor", allow_none=True, metadata=described)
