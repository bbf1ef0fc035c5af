"""Following the log of a tournament as it grows, for as long as it takes. Moves nothing on."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final
from uuid import UUID

from skyjo_server.service.errors import Unavailable
from skyjo_server.service.hub import Hub
from skyjo_server.service.tournament_model import TournamentEventPage

PAUSE_SECONDS: Final = 5.0
"""The longest silence: then an empty page says that the follower is still there."""

PAGE_EVENTS: Final = 50
"""Events that are read at once, at most."""

_RETRY_SECONDS: Final = 2

Read = Callable[[UUID, int, int, float], TournamentEventPage]
"""Gives events of a tournament after a version, so many at most, and waits so many seconds for them."""


class TournamentFollowing:
    """All who follow tournaments in this process.

    Args:
        read: reads a log, as everybody may know it.
        hub: wakes followers.
        places: of everybody who follows anything here: games and tournaments.
    """

    def __init__(self, read: Read, hub: Hub, places: threading.BoundedSemaphore) -> None:
        self._read = read
        self._hub = hub
        self._places = places

    def follow(self, tournament_id: UUID, after: int) -> Iterator[TournamentEventPage]:
        """Events after a version, as they happen; ends with the tournament, or the service.

        A page without events says that nothing has happened for a while. The first page is read before this returns,
        so that whoever asks for what is not there is told so at once.

        Raises:
            NotFound: at once.
            Unavailable: if there is no place left for a follower.
        """
        if not self._places.acquire(blocking=False):
            raise Unavailable("too many follow games and tournaments here already", _RETRY_SECONDS)
        try:
            first = self._page(tournament_id, after)
        except BaseException:
            self._places.release()
            raise
        pages = self._pages(tournament_id, after, first)
        next(pages)  # only a generator that has begun gives its place back when nobody reads it
        return pages

    def _pages(self, tournament_id: UUID, after: int, page: TournamentEventPage) -> Iterator[TournamentEventPage]:
        """Give the first page twice: the first time to nobody."""

        def look() -> TournamentEventPage | None:
            found = self._page(tournament_id, told)
            return found if found.events or found.status.is_over else None

        told = _told(page, after)
        try:
            yield page
            yield page
            with suppress(Unavailable):  # the stream ends, and whoever asks again is told why
                while not _is_last(page, told) and not self._hub.is_closed:
                    news = self._hub.wait(tournament_id, PAUSE_SECONDS, look, placed=True)
                    page = self._page(tournament_id, told) if news is None else news
                    told = _told(page, told)
                    yield page
        finally:
            self._places.release()

    def _page(self, tournament_id: UUID, after: int) -> TournamentEventPage:
        return self._read(tournament_id, after, PAGE_EVENTS, 0.0)


def _told(page: TournamentEventPage, after: int) -> int:
    """The version up to which a follower knows the log once it has this page."""
    return page.events[-1].version if page.events else after


def _is_last(page: TournamentEventPage, told: int) -> bool:
    return page.status.is_over and told >= page.version
