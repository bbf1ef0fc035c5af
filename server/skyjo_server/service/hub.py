"""Waiting without holding anything: who waits for which game or bot, and waking them. Asks no database itself.

A waiter first registers, then looks, then sleeps: whatever happens after its look wakes it. Waking is a hint; a watcher
asks storage at least once a second what has changed for those who wait, so that a lost hint costs a second at most.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final, Protocol, TypeVar
from uuid import UUID

from skyjo_server.service.errors import Unavailable

WATCH_SECONDS: Final = 0.8
"""Pause between two looks of the watcher; with the look itself a waiter learns within a second."""

_T = TypeVar("_T")


class News(Protocol):
    """What the watcher asks of storage, in one statement for everybody who waits."""

    def changed(self, games: Iterable[UUID], bots: Iterable[UUID], /) -> tuple[dict[UUID, int], set[UUID]]:
        """Current version of each game (a game that is over counts one more), and the bots that have a decision."""


class Hub:
    """All waiters of one process.

    Args:
        news: what the watcher asks.
        limit: waiters at most; further ones do not wait.
    """

    def __init__(self, news: News, limit: int) -> None:
        self._news = news
        self._places = threading.BoundedSemaphore(limit)
        self._lock = threading.Lock()
        self._waiters: dict[UUID, set[_Waiter]] = {}
        self._awake = threading.Event()
        self._watcher: threading.Thread | None = None
        self._stopping = threading.Event()
        self._thread = threading.local()

    def wait(self, topic: UUID, seconds: float, look: Callable[[], _T | None], *, placed: bool = False) -> _T | None:
        """Look until there is something, or the time is over; then give what was seen last.

        Args:
            topic: the game or bot whose news wake the waiter.
            seconds: how long to wait at most; 0 looks once.
            look: gives None for "nothing yet". It runs without any lock held.
            placed: the waiter has a place of another kind, and takes none of those that are limited here.
        """
        if seconds <= 0:
            return look()
        deadline = monotonic() + seconds
        with self._registered(topic, placed) as waiter:
            while (found := look()) is None and waiter is not None and not self._stopping.is_set():
                remaining = deadline - monotonic()
                if remaining <= 0 or not waiter.event.wait(remaining):
                    break
                waiter.event.clear()
            return found

    def wake(self, topics: Iterable[UUID]) -> None:
        """Wake everybody in this process who waits for one of these games or bots."""
        if not self._waiters:
            return  # nobody at all: then the topics need not even be read
        with self._lock:
            woken = [waiter for topic in topics for waiter in self._waiters.get(topic, ())]
        for waiter in woken:
            waiter.event.set()

    def close(self) -> None:
        """Let everybody go; nobody waits any more."""
        self._stopping.set()
        self._awake.set()
        with self._lock:
            topics = list(self._waiters)
        self.wake(topics)

    def was_turned_away(self) -> bool:
        """Whether this thread found no place to wait since it was last asked."""
        found = getattr(self._thread, "turned_away", False)
        if found:
            self._thread.turned_away = False
        return found

    @property
    def is_closed(self) -> bool:
        """Whether nobody waits any more."""
        return self._stopping.is_set()

    @property
    def waiting(self) -> int:
        """How many wait now."""
        with self._lock:
            return sum(len(waiters) for waiters in self._waiters.values())

    @contextmanager
    def _registered(self, topic: UUID, placed: bool) -> Iterator[_Waiter | None]:
        if not placed and not self._places.acquire(blocking=False):
            self._thread.turned_away = True
            yield None
            return
        waiter = _Waiter()
        with self._lock:
            self._waiters.setdefault(topic, set()).add(waiter)
            self._start_watcher()
        self._awake.set()
        try:
            yield waiter
        finally:
            self._forget(topic, waiter)
            if not placed:
                self._places.release()

    def _forget(self, topic: UUID, waiter: _Waiter) -> None:
        with self._lock:
            waiters = self._waiters[topic]
            waiters.discard(waiter)
            if not waiters:
                del self._waiters[topic]

    def _start_watcher(self) -> None:
        if self._watcher is None:
            self._watcher = threading.Thread(target=self._watch, name="watcher", daemon=True)
            self._watcher.start()

    def _watch(self) -> None:
        versions: dict[UUID, int] = {}
        while not self._stopping.is_set():
            self._awake.wait()
            with self._lock:
                topics = list(self._waiters)
                if not topics:
                    self._awake.clear()
            if topics:
                versions = self._look(topics, versions)
            self._stopping.wait(WATCH_SECONDS)

    def _look(self, topics: list[UUID], known: dict[UUID, int]) -> dict[UUID, int]:
        try:
            versions, bots = self._news.changed(topics, topics)
        except Unavailable:
            return known
        self.wake([game for game, version in versions.items() if known.get(game) != version])
        self.wake(bots)
        return versions


class _Waiter:
    __slots__ = ("event",)

    def __init__(self) -> None:
        self.event = threading.Event()
