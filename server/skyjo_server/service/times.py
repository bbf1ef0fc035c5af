"""Moments as whole microseconds since 1970, which is as fine as the database keeps them. Reads no clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def microseconds(moment: datetime) -> int:
    """A moment with a time zone, exactly."""
    return (moment - _EPOCH) // _MICROSECOND


def from_microseconds(number: int) -> datetime:
    """The moment, in UTC.

    >>> from_microseconds(microseconds(datetime(2026, 1, 31, 18, 30, tzinfo=UTC))).isoformat()
    '2026-01-31T18:30:00+00:00'
    """
    return _EPOCH + timedelta(microseconds=number)
