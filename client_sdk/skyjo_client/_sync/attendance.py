# Written by client_sdk/generate_sync.py from client_sdk/skyjo_client/_async/attendance.py.
"""A bot's place in a tournament: taking it, and knowing when nothing more is to be played. Plays nothing itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Final, Protocol, TypeVar

from skyjo_client._sync.client import Client
from skyjo_client.errors import TournamentOver
from skyjo_client.tournament_models import Entry, EntryStatus

Answer = TypeVar("Answer")
Answer_co = TypeVar("Answer_co", covariant=True)

_PAGE: Final = 1000


class Call(Protocol[Answer_co]):
    """A request, ready to be sent as often as need be."""

    def __call__(self) -> Answer_co:
        """Send it."""


class Persist(Protocol):
    """Sends a request until it is answered."""

    def __call__(self, call: Call[Answer], /) -> Answer:
        """Send it."""


@dataclass
class Attendance:
    """One bot in one tournament.

    Attributes:
        client: with the bot's token.
        tournament: the tournament's id.
        persist: sends what is asked.
    """

    client: Client
    tournament: str
    persist: Persist
    _cursor: str | None = field(default=None, init=False)

    def enter(self) -> Entry | None:
        """Take the place, or come back to it; None if the tournament is over.

        Raises:
            EntryClosed, EntryLimit, AlreadyEntered: if the bot may not enter.
        """
        if self.is_over():
            return None
        try:
            entry = self.persist(partial(self.client.tournaments.enter, self.tournament))
        except TournamentOver:
            return None
        self._cursor = self._find(entry.number)
        return entry

    def is_over(self) -> bool:
        """Whether the tournament is over."""
        seen = self.persist(partial(self.client.tournaments.get, self.tournament))
        return seen.status.is_over

    def is_active(self) -> bool:
        """Whether the bot may still be paired: it has not left, and was not taken out."""
        listed = partial(self.client.tournaments.entries, self.tournament, limit=1, cursor=self._cursor)
        page = self.persist(listed)
        return all(entry.status is EntryStatus.ACTIVE for entry in page.items)

    def _find(self, number: int) -> str | None:
        """Where the list of entries, which is in the order of their numbers, has come to a number."""
        cursor: str | None = None
        while number > 0:
            limit = min(number, _PAGE)
            page = self.persist(partial(self.client.tournaments.entries, self.tournament, limit=limit, cursor=cursor))
            cursor, number = page.next_cursor, number - limit
        return cursor
