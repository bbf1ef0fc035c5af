"""What happens at a table, step by step, as the service would do it and store it. Chooses nothing and stores nothing.

The moves that are stored are made by the service's own :class:`~skyjo_server.service.table.Hand`, on another chance.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from skyjo import Action, Cause, Event, Phase, State
from skyjo_server.service.ports import Committed, Move, StoredGame
from skyjo_server.service.table import Hand, Table
from tests.acceptance.leaks.deals import Deals


@dataclass(frozen=True, slots=True)
class Play:
    """A seat plays an action, answering a version."""

    seat: int
    action: Action
    version: int
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """A seat resigns, or is made to leave."""

    seat: int
    cause: Cause


@dataclass(frozen=True, slots=True)
class TimeOut:
    """A seat's time runs out, though it would have played an action. Stands alone in its commit."""

    seat: int
    action: Action


@dataclass(frozen=True, slots=True)
class Commit:
    """What was done since the last commit is committed, so many seconds after it."""

    seconds: float


Step = Play | Leave | TimeOut | Commit


class Performance:
    """A game being played, commit by commit.

    Args:
        stored: the game before its deal.
        chance: where its cards come from.
        now: when it begins.
    Attributes:
        chance: the chance.
        table: the table at the last commit.
        now: when that was.
        events: every event so far.
        commits: what was committed, and when.
    """

    def __init__(self, stored: StoredGame, chance: Deals, now: datetime) -> None:
        before = Table.before_start(stored)
        self.chance = chance
        self.table = replace(before, setup=replace(before.setup, chance=chance))
        self.now = now
        self.events: tuple[Event, ...] = ()
        self.commits: tuple[tuple[datetime, Move], ...] = ()
        self._hand = Hand(self.table)
        self._hand.start()

    @property
    def state(self) -> State:
        """The state, steps that are not committed included."""
        return self._hand.state

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.state.phase is Phase.OVER

    def do(self, step: Step) -> None:
        """Do the next step."""
        match step:
            case Play(seat, action, _, key):
                self._hand.play(seat, action, key)
            case Leave(seat, cause):
                self._hand.leave(seat, cause)
            case TimeOut(seat, _):
                self._hand.time_out(seat)
            case Commit(seconds):
                self._commit(seconds)

    def do_all(self, steps: Iterable[Step]) -> None:
        """Do many steps."""
        for step in steps:
            self.do(step)

    def tried(self, *steps: Step) -> Performance:
        """What came of steps from the last commit on; this performance stays as it is."""
        other = object.__new__(Performance)
        other.__dict__.update(self.__dict__)
        other._hand = Hand(self.table)
        other.do_all(steps)
        return other

    def _commit(self, seconds: float) -> None:
        move = self._hand.move()
        self.now += timedelta(seconds=seconds)
        started = self.table.clocks.started
        thinking = None if started is None else (self.now - started).total_seconds()
        self.commits += ((self.now, move),)
        self.events += self._hand.played
        self.table = self._hand.committed(Committed(self.now, thinking))
        self._hand = Hand(self.table)
