"""What the rules make of a log's commands: for each told event, the event that must have happened. Reads no file."""

from __future__ import annotations

from typing import Final

from skyjo.engine import decide, decide_leave, start
from skyjo.errors import CorruptLog, IllegalAction
from skyjo.evolution import evolve
from skyjo.facts import Cause, Event
from skyjo.legal import default_action
from skyjo.record import GameRecord
from skyjo.state import Phase, State, initial_state

_LEAVING: Final = (Cause.PLAYER, Cause.FORFEIT)


class Referee:
    """Follows a game by who did what and why, never by what is told to have come of it.

    Attributes:
        state: the state after the events judged so far.
    """

    __slots__ = ("_chance", "_game", "_turn_timed_out", "state")

    def __init__(self, record: GameRecord) -> None:
        self.state: State = initial_state(record.rules, len(record.seats))
        self._chance = record.chance()
        self._game = str(record.game)
        self._turn_timed_out = False

    def judge(self, told: Event) -> Event:
        """The event that the next command causes, and go on from there. Of the told one, the facts are not read.

        Raises:
            CorruptLog: if the rules do not allow the command here, its action or its cause.
        """
        try:
            event = self._ruling(told)
        except IllegalAction as error:
            raise self._corrupt(str(error)) from error
        self.state = evolve(self.state, event)
        self._turn_timed_out = event.cause is Cause.TIMEOUT and self.state.phase is Phase.DRAWN
        return event

    def _ruling(self, told: Event) -> Event:
        state = self.state
        if state.version < 0:
            if (told.seat, told.action, told.cause) != (None, None, Cause.SYSTEM):
                raise self._corrupt("a game begins with the system's deal, without seat and action")
            return start(state.rules, state.seats, self._chance)
        if told.seat is None:
            raise self._corrupt(f"only version 0 is the system's: this needs a seat, 0 to {state.seats - 1}")
        if told.action is None:
            if told.cause not in _LEAVING:
                raise self._corrupt(f"a seat leaves by cause {' or '.join(_LEAVING)}, not {told.cause}")
            return decide_leave(state, told.seat, told.cause)
        event = decide(state, told.seat, told.action, self._chance, told.cause)
        self._check_cause(told.seat, told.cause)
        if told.cause is not Cause.PLAYER and told.action != (default := default_action(state, told.seat)):
            raise self._corrupt(f"the {told.cause} plays '{told.action}', but the default action is '{default}'")
        return event

    def _check_cause(self, seat: int, cause: Cause) -> None:
        """Source: rules 30 and 31."""
        if cause is Cause.SYSTEM:
            raise self._corrupt("the system does not play: a seat acts by player, timeout or forfeit")
        if self.state.left[seat] != (cause is Cause.FORFEIT):
            has_left = "has left" if self.state.left[seat] else "has not left"
            raise self._corrupt(f"seat {seat} {has_left}, but acts by cause {cause}: forfeit is for those that left")
        if self._turn_timed_out and cause is Cause.PLAYER:
            raise self._corrupt("a timeout began this turn, so a timeout must end it")

    def _corrupt(self, message: str) -> CorruptLog:
        version = self.state.version + 1
        return CorruptLog(f"game {self._game}, event {version}: {message}", game=self._game, version=version)
