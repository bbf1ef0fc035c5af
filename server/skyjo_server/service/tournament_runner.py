"""Keeps events going: a thread of each process that moves on whatever can be moved on. Decides nothing about an event.

It is told when a game ends or a command changes an event in this process; what happens elsewhere it finds by looking
now and then. Any number of processes may do so at once, and an event that nobody touches moves all the same.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final
from uuid import UUID

from skyjo_server.service.errors import GameNotStarted, GameOver, NotFound, ServiceError
from skyjo_server.service.hub import Hub
from skyjo_server.service.model import GameInfo, GameStatus
from skyjo_server.service.play import Play
from skyjo_server.service.ports import Waker
from skyjo_server.service.resting import Resting
from skyjo_server.service.tournament_assessment import assess
from skyjo_server.service.tournament_ports import TournamentStore
from skyjo_server.service.tournament_step import advance

_ASSESSMENT: Final = UUID(int=0)
"""What the assessments rest under when one fails: no event has this id."""

PAUSE_SECONDS: Final = 0.5
"""Between two looks for what nobody has told of."""

GATHER_SECONDS: Final = 0.02
"""How long it waits after it is told something, for more to come: one step does what many games have ended for."""


class Runner:
    """Moves events on.

    Args:
        store: where events are kept.
        play: stops the games of an event that is called off.
        hub: wakes those who wait in this process.
        waker: tells the other processes.
        told: set when there may be something to do.
    """

    def __init__(self, store: TournamentStore, play: Play, hub: Hub, waker: Waker, told: threading.Event) -> None:
        self._store = store
        self._play = play
        self._hub = hub
        self._waker = waker
        self._resting = Resting("tournament")
        self._told = told
        self._stopping = threading.Event()

    def start(self) -> None:
        """Run in threads of its own until closed: one moves events on, another rates what they have come to."""
        threading.Thread(target=self._run, args=(self.move, self._told), name="tournaments", daemon=True).start()
        nobody = threading.Event()
        threading.Thread(target=self._run, args=(self.assess, nobody), name="assessments", daemon=True).start()

    def close(self) -> None:
        """Stop."""
        self._stopping.set()
        self._told.set()

    def nudge(self) -> None:
        """Say that there may be something to do; returns at once."""
        self._told.set()

    def announce(self, tournament_id: UUID) -> None:
        """Say that an event has changed: whoever follows it is woken, and it is moved on soon."""
        self._wake([tournament_id])
        self.nudge()

    def turn(self) -> int:
        """Do once what the threads do all the time; gives how much there was to do."""
        return self.move() + self.assess()

    def move(self) -> int:
        """Move on every event that can be, a step each; gives how many steps there were."""
        return sum(self._resting.attempt(tournament_id, self.step) for tournament_id in self._store.due())

    def assess(self) -> int:
        """Rate the entries of an event whose results are newer than its ratings; gives how many events that were."""
        return self._resting.attempt(_ASSESSMENT, lambda _: assess(self._store))

    def step(self, tournament_id: UUID) -> bool:
        """Move one event on by a step; says whether one was made: none is while another process makes one."""
        for game_id in self._store.to_stop(tournament_id):
            self._stop(game_id)
        begun: Sequence[GameInfo] = ()
        with self._store.opened(tournament_id, wait=False) as book:
            if book is None:
                return False
            begun = advance(book)
        bots = [seat.bot_id for game in begun for seat in game.seats if seat.bot_id is not None]
        self._wake([tournament_id, *(game.id for game in begun), *bots])
        return True

    def _stop(self, game_id: UUID) -> None:
        with suppress(GameOver, GameNotStarted, NotFound):  # then it has come to its own end
            self._play.stop(game_id, GameStatus.ABORTED)

    def _wake(self, topics: Sequence[UUID]) -> None:
        self._hub.wake(topics)
        self._waker.wake(topics)

    def _run(self, work: Callable[[], int], told: threading.Event) -> None:
        while not self._stopping.is_set():
            try:
                done = work()
            except ServiceError:
                done = 0  # the database is away: it is tried again after the pause
            if not done:
                told.wait(PAUSE_SECONDS)
                self._stopping.wait(GATHER_SECONDS)
            told.clear()
