"""Points in time as everything that leaves the service writes them. Reads no clock."""

from __future__ import annotations

from datetime import UTC, datetime


def timestamp(at: datetime) -> str:
    """Write a point in time as RFC 3339 in UTC.

    >>> timestamp(datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC))
    '2030-01-02T03:04:05.000000Z'
    """
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"
