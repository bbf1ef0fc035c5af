"""Opaque page cursors: a position in an order that never changes, so that pages repeat and skip nothing."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from skyjo_server.service.errors import InvalidRequest

MOST: Final = 2**31 - 1
"""The greatest number that a place can have; the database takes no greater one."""


def write_cursor(at: datetime, identity: UUID) -> str:
    """A cursor just behind the item created at a moment, with this id."""
    return base64.urlsafe_b64encode(f"{at.isoformat()} {identity}".encode()).decode().rstrip("=")


def read_cursor(cursor: str) -> tuple[datetime, UUID]:
    """The position that a cursor stands for.

    Raises:
        InvalidRequest: if it is none of ours.
    """
    try:
        text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
        at, identity = text.split(" ")
        position = datetime.fromisoformat(at), UUID(identity)
    except (ValueError, binascii.Error):
        position = None
    # A time without an offset would be whatever the database's time zone makes of it.
    if position is None or position[0].tzinfo is None or write_cursor(*position) != cursor:
        raise InvalidRequest("cursor", f"{cursor!r} is no cursor of this list", "send next_cursor of the page before")
    return position


def write_place(*place: object) -> str:
    """A cursor just behind a place that numbers or words without spaces tell.

    >>> read_place(write_place(3, 14), int, int)
    [3, 14]
    """
    return base64.urlsafe_b64encode(" ".join(map(str, place)).encode()).decode().rstrip("=")


def read_place(cursor: str, *kinds: Callable[[str], Any]) -> list[Any]:
    """The place that a cursor stands for, each part read as its kind.

    Raises:
        InvalidRequest: if it is none of ours.
    """
    try:
        parts = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode().split(" ", len(kinds) - 1)
        place = [kind(part) for kind, part in zip(kinds, parts, strict=True)]
    except (ValueError, binascii.Error):
        place = []
    if not place or write_place(*place) != cursor or not all(map(_is_sound, place)):
        raise InvalidRequest("cursor", f"{cursor!r} is no cursor of this list", "send next_cursor of the page before")
    return place


def _is_sound(part: object) -> bool:
    """Whether the database takes it: a number within its bounds, a text that can be printed."""
    return abs(part) <= MOST if isinstance(part, int) else not isinstance(part, str) or part.isprintable()
