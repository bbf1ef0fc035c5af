"""Clocks of a game: how much time each seat has, and what its events have cost. Reads no clock; the database's is used.

Each decision has `move_seconds`; beyond them a seat uses up its bank, which lasts for the whole game. A decision's time
begins when the game came to wait for it: with the event before it, or with the deal where several seats choose their
flips at once. What one seat does never changes another's time, and neither does the service being down.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from skyjo import Cause, Event, Phase, State
from skyjo_server.service.model import ClockRules
from skyjo_server.tournaments.values import Cause as Ending

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Clocks:
    """The clocks of all seats at one version.

    Attributes:
        rules: what was agreed.
        spent: seconds of the bank that each seat has used.
        strikes: how often each seat let its time run out.
        acted: whether a seat has ever acted itself.
        resigned: whether it has left by itself.
        started: when the current decisions began; None before the deal.
    """

    rules: ClockRules
    spent: tuple[float, ...]
    strikes: tuple[int, ...]
    acted: tuple[bool, ...]
    resigned: tuple[bool, ...]
    started: datetime | None = None

    @classmethod
    def before_start(cls, rules: ClockRules, seats: int) -> Clocks:
        """The clocks of a game that has not been dealt."""
        return cls(rules, (0.0,) * seats, (0,) * seats, (False,) * seats, (False,) * seats)

    def allowed_seconds(self, seat: int) -> float | None:
        """How long a seat may take for its current decision; None = for ever."""
        if self.rules.move_seconds is None:
            return None
        return self.rules.move_seconds + max(0.0, self.rules.bank_seconds - self.spent[seat])

    def deadline(self, seat: int) -> datetime | None:
        """When a seat's time for its current decision ends; None = never."""
        allowed = self.allowed_seconds(seat)
        return None if allowed is None or self.started is None else self.started + timedelta(seconds=allowed)

    def is_no_show(self, seat: int) -> bool:
        """Whether a seat that lets its time run out now has never acted at all."""
        return not self.acted[seat]

    def is_last_strike(self, seat: int) -> bool:
        """Whether letting its time run out once more makes the seat leave."""
        return self.rules.on_timeout == "forfeit" or self.strikes[seat] >= self.rules.max_timeouts

    def ending(self, seat: int, left: bool) -> Ending:
        """How a game that has been played to its end ended for a seat.

        Args:
            seat: the seat.
            left: whether it had left.
        """
        if not left:
            return Ending.TIMEOUT if self.strikes[seat] else Ending.FINISHED
        if self.resigned[seat]:
            return Ending.RESIGNED
        return Ending.FORFEIT if self.acted[seat] else Ending.NO_SHOW

    def after(self, event: Event, before: State, after: State, at: datetime, thinking_seconds: float | None) -> Clocks:
        """The clocks after an event.

        Args:
            event: the event.
            before: the state that it was played in.
            after: the state that it led to.
            at: when it was committed.
            thinking_seconds: how long its seat had taken, by the database; None where nobody was waited for.
        """
        started = at if restarts(event, before, after) else self.started
        seat = event.seat
        if seat is None:
            return Clocks(self.rules, self.spent, self.strikes, self.acted, self.resigned, started)
        if event.action is None:
            resigned = _replaced(self.resigned, seat, event.cause is Cause.PLAYER)
            return Clocks(self.rules, self.spent, self.strikes, self.acted, resigned, started)
        return Clocks(
            self.rules,
            _replaced(self.spent, seat, self.spent[seat] + self._beyond_move(thinking_seconds)),
            _replaced(self.strikes, seat, self.strikes[seat] + _is_strike(event, thinking_seconds)),
            _replaced(self.acted, seat, self.acted[seat] or event.cause is Cause.PLAYER),
            self.resigned,
            started,
        )

    def _beyond_move(self, thinking_seconds: float | None) -> float:
        if thinking_seconds is None or self.rules.move_seconds is None:
            return 0.0
        return max(0.0, thinking_seconds - self.rules.move_seconds)


def restarts(event: Event, before: State, after: State) -> bool:
    """Whether a new decision begins with an event, as against others going on.

    A seat's choice of flips does not restart the others' time, nor does a seat that leaves.
    """
    if event.action is None and event.seat is not None:
        return before.to_act != after.to_act and before.phase is not Phase.FLIP
    same_choice = before.phase is Phase.FLIP and after.phase is Phase.FLIP and before.round == after.round
    return not same_choice


def _is_strike(event: Event, thinking_seconds: float | None) -> bool:
    """A timeout that begins a default turn; the reject that ends it was waited for by nobody."""
    return event.cause is Cause.TIMEOUT and thinking_seconds is not None


def _replaced(values: tuple[_T, ...], seat: int, value: _T) -> tuple[_T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])
