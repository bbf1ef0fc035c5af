"""Group commit: moves that arrive while a commit is under way share the next one. Knows no SQL and no game.

No thread of its own: whoever finds fewer commits in flight than allowed takes all that waits and commits it; when it is
done it hands over to the first of those who came meanwhile. A lone move never waits for company.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Generic, TypeVar
from uuid import UUID

from skyjo_server.service.ports import Move

IN_FLIGHT: Final = 2
"""Commits under way at once: while one waits for the disk, the next is on its way to the database."""

MOVES_AT_ONCE: Final = 256

_Done = TypeVar("_Done")


class GroupCommit(Generic[_Done]):
    """Gathers moves of many requests into few commits.

    Args:
        commit: commits moves of different games, each alone, and gives what came of those that applied.
        in_flight: commits under way at once.
    """

    def __init__(self, commit: Callable[[Sequence[Move]], Mapping[UUID, _Done]], in_flight: int = IN_FLIGHT) -> None:
        self._commit = commit
        self._in_flight = in_flight
        self._flying = 0
        self._waiting: deque[_Job[_Done]] = deque()
        self._lock = threading.Lock()

    def commit(self, moves: Sequence[Move]) -> dict[UUID, _Done]:
        """Commit moves of different games, together with those of others; gives what came of one's own.

        Raises:
            Exception: what the shared commit raised; then nothing is known of any of its moves.
        """
        job = _Job[_Done](moves)
        with self._lock:
            self._waiting.append(job)
            job.leads = self._flying < self._in_flight
            self._flying += job.leads
            waits = not job.leads
        if waits:
            job.wait()
        if job.leads:
            self._fly(job)
        return job.result()

    def _fly(self, job: _Job[_Done]) -> None:
        """Commit a job and all that can go with it, then hand over."""
        with self._lock:
            jobs = self._taken(job)
        moves = [move for taken in jobs for move in taken.moves]
        try:
            done = self._commit(moves)
        except BaseException as error:
            for taken in jobs:
                taken.fail(error)
            if not isinstance(error, Exception):
                raise
        else:
            for taken in jobs:
                taken.succeed(done)
        finally:
            self._hand_over()
            for taken in jobs:
                if taken is not job:
                    taken.wake()

    def _taken(self, job: _Job[_Done]) -> list[_Job[_Done]]:
        """The job and those waiting that fit beside it: no game twice, and not too much at once."""
        jobs, games, left = [job], set(job.games), deque[_Job[_Done]]()
        for waiting in self._waiting:
            if waiting is job:
                continue
            if (
                not waiting.leads
                and games.isdisjoint(waiting.games)
                and len(games) + len(waiting.games) <= MOVES_AT_ONCE
            ):
                jobs.append(waiting)
                games |= waiting.games
            else:
                left.append(waiting)
        self._waiting = left
        return jobs

    def _hand_over(self) -> None:
        with self._lock:
            successor = next((waiting for waiting in self._waiting if not waiting.leads), None)
            if successor is None:
                self._flying -= 1
            else:
                successor.leads = True
        if successor is not None:
            successor.wake()


class _Job(Generic[_Done]):
    """The moves of one request, and what came of them; whoever asked for them waits here."""

    __slots__ = ("_done", "_error", "_gate", "games", "leads", "moves")

    def __init__(self, moves: Sequence[Move]) -> None:
        self.moves = moves
        self.games = frozenset(move.game_id for move in moves)
        self.leads = False
        self._gate = threading.Lock()
        self._gate.acquire()
        self._done: dict[UUID, _Done] = {}
        self._error: BaseException | None = None

    def wait(self) -> None:
        """Sleep until woken."""
        self._gate.acquire()

    def wake(self) -> None:
        """End the sleep."""
        self._gate.release()

    def succeed(self, done: Mapping[UUID, _Done]) -> None:
        """Keep one's own part of what came of the commit."""
        self._done = {game_id: done[game_id] for game_id in self.games if game_id in done}

    def fail(self, error: BaseException) -> None:
        """Keep what the commit raised."""
        self._error = error

    def result(self) -> dict[UUID, _Done]:
        """What came of the moves; raises what the commit raised."""
        if self._error is not None:
            raise self._error
        return self._done
