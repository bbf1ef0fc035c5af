"""Opaque page cursors: a position in an order that never changes, so that pages repeat and skip nothing."""

from __future__ import annotations

import base64
import binascii
from datetime import datetime
from uuid import UUID

from skyjo_server.service.errors import InvalidRequest


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
