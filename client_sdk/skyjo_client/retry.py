"""When to try again, and after how long: pure functions of what went wrong. Sends nothing, waits for nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from skyjo_client.errors import ConnectionFailed, SkyjoClientError

TEMPORARY: Final = frozenset({408, 429, 500, 502, 503, 504})
"""HTTP statuses after which the same request may succeed."""

NOT_CARRIED_OUT: Final = frozenset({429})
"""HTTP statuses that say that nothing was done, so that even a request without a key may be sent again."""

_DOUBLINGS_MAX: Final = 60


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Obeys the server where it says how long to wait; else backs off exponentially, with full jitter, up to a cap.

    Attributes:
        attempts: how often a request is sent at most, the first time included; None = without end.
        first_seconds: the longest pause after the first failure; it doubles with each further one.
        cap_seconds: the longest pause of the client's own choice.
        retry_after_cap_seconds: a server that asks for a longer pause is obeyed by giving up.
    """

    attempts: int | None = 5
    first_seconds: float = 0.25
    cap_seconds: float = 20.0
    retry_after_cap_seconds: float = 60.0

    def delay_seconds(self, error: SkyjoClientError, *, attempt: int, repeatable: bool, jitter: float) -> float | None:
        """How long to wait before the request is sent again; None = not at all.

        Only a request that has no further effect when it arrives twice is sent twice, unless it certainly was not
        carried out. A refusal that would be the same again, such as a stale version, is final.

        Args:
            error: what went wrong.
            attempt: how often the request was sent, from 1 on.
            repeatable: whether it may arrive twice.
            jitter: a random number, 0 to 1.

        >>> policy, refused = RetryPolicy(), ConnectionFailed("refused", sent=False)
        >>> [policy.delay_seconds(refused, attempt=n, repeatable=True, jitter=1) for n in (1, 2, 3, 4, 5)]
        [0.25, 0.5, 1.0, 2.0, None]
        """
        if (self.attempts is not None and attempt >= self.attempts) or not _worth_repeating(error, repeatable):
            return None
        asked = error.retry_after_seconds
        if asked is None:
            return self.backoff_seconds(attempt, jitter)
        # Never earlier than asked, and not all clients at once.
        return None if asked > self.retry_after_cap_seconds else asked + jitter * self.first_seconds

    def backoff_seconds(self, failures: int, jitter: float) -> float:
        """A pause after so many failures in a row, from 1 on."""
        longest = self.first_seconds * 2.0 ** min(failures - 1, _DOUBLINGS_MAX)
        return jitter * min(self.cap_seconds, longest)


NEVER: Final = RetryPolicy(attempts=1)
"""Sends every request once."""


@dataclass(slots=True)
class Idleness:
    """Keeps whoever asks again and again from spinning, where the server answers at once instead of waiting.

    Attributes:
        count: how many answers in a row came early and brought nothing.
    """

    count: int = 0

    def pause_seconds(self, *, fruitful: bool, early: bool, jitter: float) -> float:
        """How long to wait before asking again.

        Args:
            fruitful: whether the answer brought something.
            early: whether it came before the time was over that the server could have waited.
            jitter: a random number, 0 to 1.

        >>> idleness = Idleness()
        >>> [idleness.pause_seconds(fruitful=False, early=True, jitter=1) for _ in range(5)]
        [0.1, 0.2, 0.4, 0.8, 1.0]
        >>> idleness.pause_seconds(fruitful=True, early=True, jitter=1)
        0.0
        """
        self.count = 0 if fruitful else self.count + early
        return _IDLING.backoff_seconds(self.count, jitter) if early and not fruitful else 0.0


_IDLING: Final = RetryPolicy(first_seconds=0.1, cap_seconds=1.0)


def retry_after_seconds(headers: Mapping[str, str]) -> float | None:
    """How long an answer asks to wait: seconds, or a date, which is read against the answer's own Date.

    The two dates come from one clock, so the client's own does not matter. What cannot be read counts as not said.

    >>> retry_after_seconds({"Retry-After": "120"})
    120.0
    >>> date = {"Retry-After": "Thu, 01 Jan 2026 00:00:09 GMT", "Date": "Thu, 01 Jan 2026 00:00:00 GMT"}
    >>> retry_after_seconds(date)
    9.0
    """
    asked = headers.get("Retry-After", "").strip()
    if asked.isascii() and asked.isdigit():
        return float(asked)
    until, now = _moment(asked), _moment(headers.get("Date", ""))
    return None if until is None or now is None else max(0.0, (until - now).total_seconds())


def _worth_repeating(error: SkyjoClientError, repeatable: bool) -> bool:
    if isinstance(error, ConnectionFailed):
        return repeatable or not error.sent
    return error.status in (TEMPORARY if repeatable else NOT_CARRIED_OUT)


def _moment(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
