"""Who did what in a game, a byte or so each: what a seed does not tell. Judges nothing, and knows no times.

A byte is an action of the seat that is expected to act; what is not as expected stands before it. Nobody but this
service reads it: people and other programs read the notation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skyjo import PLACES, Action, Cause, Event, Phase, State, Verb, default_action, forced_seat

_ACTIONS: Final = (
    Action.draw(),
    *map(Action.take, PLACES),
    *map(Action.keep, PLACES),
    *map(Action.reject, PLACES),
    Action.reject(),
)
_CODES: Final = {action: code for code, action in enumerate(_ACTIONS)}

_FLIP: Final = len(_ACTIONS)
_LEAVES: Final = {Cause.PLAYER: _FLIP + 1, Cause.FORFEIT: _FLIP + 2}
_DEFAULTS: Final = {Cause.TIMEOUT: _FLIP + 3, Cause.FORFEIT: _FLIP + 4}
_LEAVE_CAUSES: Final = {code: cause for cause, code in _LEAVES.items()}
_DEFAULT_CAUSES: Final = {code: cause for cause, code in _DEFAULTS.items()}
_SEAT: Final = _FLIP + 5
"""Other codes: a flip, whose places follow; leaving; default actions; from here on, the seat of the next code."""


def write_command(state: State, event: Event) -> bytes:
    """The code of an event's command, played in a state.

    Raises:
        ValueError: for what no rules bring about, such as a timeout with another action than the default one.
    """
    seat, action, cause = event.seat, event.action, event.cause
    if seat is None:
        raise ValueError(f"event {event.version} has no seat")
    before = b"" if seat == _expected_seat(state) else bytes([_SEAT + seat])
    if action is None:
        return before + bytes([_LEAVES[cause]])
    if cause is not Cause.PLAYER:
        if action != default_action(state, seat):
            raise ValueError(f"event {event.version} is a {cause} with '{action}'")
        return before + bytes([_DEFAULTS[cause]])
    if action.verb is Verb.FLIP:
        return before + bytes([_FLIP, *action.places])
    return before + bytes([_CODES[action]])


class CommandReader:
    """Reads the commands of one game, in order.

    Args:
        data: their codes.
    """

    __slots__ = ("_codes",)

    def __init__(self, data: bytes) -> None:
        self._codes: Iterator[int] = iter(data)

    def read(self, state: State) -> Event:
        """The next command, played in a state, as an event without facts.

        Raises:
            ValueError: if there is none.
        """
        code = self._next()
        seat = _expected_seat(state)
        if code >= _SEAT:
            seat, code = code - _SEAT, self._next()
        action, cause = self._action(state, seat, code)
        return Event(state.version + 1, seat, action, cause, ())

    def _next(self) -> int:
        for code in self._codes:
            return code
        raise ValueError("there are fewer commands than events")

    def _action(self, state: State, seat: int, code: int) -> tuple[Action | None, Cause]:
        if code < _FLIP:
            return _ACTIONS[code], Cause.PLAYER
        if code == _FLIP:
            places = [PLACES[self._next()] for _ in range(state.rules.initial_flips)]
            return Action.flip(*places), Cause.PLAYER
        if code in _LEAVE_CAUSES:
            return None, _LEAVE_CAUSES[code]
        return default_action(state, seat), _DEFAULT_CAUSES[code]


def _expected_seat(state: State) -> int:
    """The seat on move; where several choose, one that has left, else the first."""
    if state.phase is Phase.OVER:
        return 0
    forced = forced_seat(state) if state.phase is Phase.FLIP else None
    return state.to_act[0] if forced is None else forced
