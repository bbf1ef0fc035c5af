"""Following a game as it is played, event by event, for as long as it takes. Plays nothing.

A follower keeps the state that its last event led to, so that news cost it what the news are, and not the whole log
again. It holds a place of its own kind: those who follow never take the places of those who wait for their turn.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Final
from uuid import UUID

from skyjo import State, full_event, initial_state, seen_event
from skyjo.evolution import evolve
from skyjo_server.service.errors import NotFound, Unauthenticated, Unavailable
from skyjo_server.service.hub import Hub
from skyjo_server.service.model import Caller, EventPage, GameStatus, StampedEvent
from skyjo_server.service.ports import Fresh, GameLog, StoredEvent
from skyjo_server.service.tables import Tables
from skyjo_server.service.viewers import stamped, viewer_of

PAUSE_SECONDS: Final = 15.0
"""The longest silence: then an empty page says that the follower is still there."""

_RETRY_SECONDS: Final = 2


class Following:
    """All who follow games in this process.

    Args:
        log: the log.
        tables: the tables in memory.
        hub: wakes followers.
        limit: followers at most.
    """

    def __init__(self, log: GameLog, tables: Tables, hub: Hub, limit: int) -> None:
        self._log = log
        self._tables = tables
        self._hub = hub
        self._places = threading.BoundedSemaphore(limit)

    @property
    def places(self) -> threading.BoundedSemaphore:
        """The places of all who follow anything: whoever follows something else takes one of them."""
        return self._places

    def follow(self, caller: Caller | None, game_id: UUID, after: int) -> Iterator[EventPage]:
        """Events after a version, as the caller may know them, as they happen; ends with the game, or the service.

        A page without events says that nothing has happened for a while. The first page is read before this returns,
        so that whoever may not read is told so at once.

        Raises:
            NotFound, Unauthenticated, Embargoed: at once.
            Unavailable: if there is no place left for a follower.
        """
        if not self._places.acquire(blocking=False):
            raise Unavailable("too many follow games here already", _RETRY_SECONDS)
        try:
            follower = _Follower(self._log, self._tables, caller, game_id, after)
            first = follower.page(follower.look())
        except BaseException:
            self._places.release()
            raise
        pages = self._pages(follower, first)
        next(pages)  # only a generator that has begun gives its place back when nobody reads it
        return pages

    def _pages(self, follower: _Follower, page: EventPage) -> Iterator[EventPage]:
        """Give the first page twice: the first time to nobody."""
        try:
            yield page
            yield page
            with suppress(Unauthenticated, Unavailable):  # the stream ends, and whoever asks again is told why
                while not page.status.is_over and not self._hub.is_closed:
                    news = self._hub.wait(follower.game_id, PAUSE_SECONDS, follower.look_for_news, placed=True)
                    page = follower.page(news)
                    yield page
        finally:
            self._places.release()


class _Follower:
    """One follower: who it is, and the state that it has been told of."""

    def __init__(self, log: GameLog, tables: Tables, caller: Caller | None, game_id: UUID, after: int) -> None:
        self.game_id = game_id
        self._log = log
        self._tables = tables
        self._caller = caller
        self._after = after
        self._version = -1
        self._status = GameStatus.OPEN
        self._state: State | None = None
        self._viewer: int | None = None

    def look(self) -> Fresh:
        """What there is now, whether or not it is news. Raises NotFound or Unauthenticated."""
        token_id = None if self._caller is None else self._caller.token_id
        news = self._log.fresh(self.game_id, self._version, token_id)
        if news is None:
            raise NotFound
        if not news.token_good:
            raise Unauthenticated("the token has been revoked")
        return news

    def look_for_news(self) -> Fresh | None:
        """What has happened since the last page; None for nothing."""
        news = self.look()
        return news if news.events or news.status is not self._status else None

    def page(self, news: Fresh | None) -> EventPage:
        """News as the follower may know them."""
        if news is None:
            return EventPage(self.game_id, (), self._version, self._status)
        self._status = news.status
        seen = [self._seen(stored, news) for stored in news.events]
        return EventPage(
            self.game_id,
            tuple(event for event in seen if event.event.version > self._after),
            self._version,
            self._status,
        )

    def _seen(self, stored: StoredEvent, news: Fresh) -> StampedEvent:
        event, before = stored.event, self._before(news)
        is_open = news.status.is_over and not news.embargoed
        seen = full_event(event) if is_open else seen_event(event, before, self._viewer)
        self._state, self._version = evolve(before, event), event.version
        return stamped(seen, stored)

    def _before(self, news: Fresh) -> State:
        if self._state is None:
            table = self._tables.cached(self.game_id).with_embargo(news.embargoed)
            self._viewer = viewer_of(table, self._caller, None)
            self._state = initial_state(table.setup.rules, len(table.setup.seats))
        return self._state
