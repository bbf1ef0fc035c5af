"""A game played again from what was done in it, as a table of the service plays it: events, hashes, clocks, result.

What must have happened is told from what was done; nothing that is told to have come of it is read. Knows no table of
the database.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from skyjo import Cause, Event, GameRecord, State, evolve, seen_event
from skyjo.chain import event_salt, genesis, next_hash
from skyjo.referee import Referee
from skyjo_server.service.clock import Clocks
from skyjo_server.service.model import ClockRules, GameResult, GameStatus, Seat
from skyjo_server.service.ports import StoredEvent
from skyjo_server.service.times import microseconds
from skyjo_server.tournaments.values import Cause as Ending

DEAL: Final = Event(0, None, None, Cause.SYSTEM, ())
"""What begins every game."""

_SECOND: Final = 1_000_000


class Replay:
    """A game in the course of being played again.

    Args:
        record: its id, rules, names, seed, entropy and board; the rest is not read.
        seats: who sits where.
        clock: the time that they have.
    Attributes:
        commitment: what its shuffles were bound to.
    """

    def __init__(self, record: GameRecord, seats: tuple[Seat, ...], clock: ClockRules) -> None:
        self.commitment = record.true_commitment()
        self._record = record
        self._seats = seats
        self._referee = Referee(record)
        self._clocks = Clocks.before_start(clock, len(seats))
        self._hash = genesis(record.game, self.commitment, record.rules, record.seats)
        self._at: datetime | None = None

    @property
    def state(self) -> State:
        """The state after the events played so far."""
        return self._referee.state

    def expected_thinking(self, told: Event, at: datetime) -> float | None:
        """How long a seat took for its decision, as the database reckons it where no downtime was given back.

        None where nobody was waited for: only what begins a commit was, and that is what comes later than the event
        before it, or is a bot's own action.
        """
        began = self._clocks.started
        if told.seat is None or began is None:
            return None
        own = self._seats[told.seat].bot_id is not None and told.cause is Cause.PLAYER
        return (microseconds(at) - microseconds(began)) / _SECOND if own or at != self._at else None

    def play(self, told: Event, at: datetime, thinking_seconds: float | None) -> StoredEvent:
        """Play the next event.

        Args:
            told: who did what and why; its facts are not read.
            at: when it was committed.
            thinking_seconds: how long its seat had taken; None where nobody was waited for.
        Raises:
            CorruptLog: if the rules do not allow it.
        """
        before, record = self._referee.state, self._record
        event = self._referee.judge(told)
        salt = event_salt(record.seed, record.game, event.version)
        self._hash = next_hash(self._hash, event, seen_event(event, before, None), salt)
        self._clocks = self._clocks.after(event, before, self._referee.state, at, thinking_seconds)
        self._at = at
        return StoredEvent(event, at, self._hash, thinking_seconds)

    def follow(self, stored: StoredEvent) -> None:
        """Take the next event as it is told, without asking whether it is true; no hash is reckoned."""
        before, referee = self._referee.state, self._referee
        referee.state = evolve(before, stored.event)
        self._clocks = self._clocks.after(stored.event, before, referee.state, stored.at, stored.thinking_seconds)
        self._at = stored.at

    def result(self, status: GameStatus) -> GameResult:
        """How the game ended, as the service decides it."""
        state = self.state
        if status is not GameStatus.FINISHED:
            return GameResult(status, state.totals, None, (Ending.VOID,) * state.seats)
        causes = tuple(self._clocks.ending(seat, gone) for seat, gone in enumerate(state.left))
        return GameResult(status, state.totals, state.ranks, causes)
