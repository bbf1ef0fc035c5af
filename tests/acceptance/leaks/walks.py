"""Random play on a performance, and what was done on the way, so that it can be done again. Knows no viewer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Final

from skyjo import Action, Cause, Phase, State, Verb, legal_actions
from tests.acceptance.leaks.setting import Setting
from tests.acceptance.leaks.steps import Commit, Leave, Performance, Play, Step, TimeOut

_EVENTS: Final = (0, 1, 2, 4, 8, 13, 20, 30, 45, 60, 90, 130, 180)
_MOST_STEPS_MORE: Final = 40

_WANTED: Final[dict[str, Callable[[State], bool]]] = {
    "anything": lambda _: True,
    "flips": lambda state: state.phase is Phase.FLIP and any(state.chosen),
    "a turn": lambda state: state.phase is Phase.TURN,
    "a card in hand": lambda state: state.phase is Phase.DRAWN,
    "a last lap": lambda state: state.ender is not None,
    "a reshuffle": lambda state: state.reshuffles > 0,
}
_OFTEN: Final = (*_WANTED, "flips", "a turn", "a card in hand", "a card in hand")
_STEPS_TO_A_RESHUFFLE: Final = 260


@dataclass
class Walk:
    """A performance that goes where chance takes it.

    Attributes:
        steps: what was done, in order.
    """

    setting: Setting
    played: Performance
    rng: Random
    steps: list[Step] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._leaves = self.rng.random() < 0.2
        self._pending = True
        self._wanted = self.rng.choice(_OFTEN)
        self._by_verb = self.rng.random() < 0.7
        self._late = self.rng.random() < 0.5

    @property
    def state(self) -> State:
        """Where it is."""
        return self.played.state

    def awaited(self) -> Iterator[int]:
        """The seats of bots that are awaited."""
        return (seat for seat in self.state.to_act if self.setting.seats[seat] is not None)

    def wander(self) -> bool:
        """Walk to a position to be looked at; False if the game ended on the way."""
        events, more = self.rng.choice(_EVENTS), _MOST_STEPS_MORE
        if self._wanted == "a reshuffle":
            events, more = 0, _STEPS_TO_A_RESHUFFLE
        for step in range(events + more):
            if self.played.over:
                return False
            if step >= events and _WANTED[self._wanted](self.state):
                break
            self._go_on()
        self._commit()
        return not self.played.over

    def further(self) -> Step | None:
        """One step that is taken through the API and committed alone; None if none is possible that ends no game."""
        for step in self._candidates():
            commit = Commit(self._seconds(step.seat if isinstance(step, TimeOut) else None))
            after = self.played.tried(step, commit)
            if not after.over:
                self.played = after
                self.steps += [step, commit]
                return step
        return None

    def _candidates(self) -> Iterator[Play | Leave | TimeOut]:
        state, rng = self.state, self.rng
        seats = list(self.awaited())
        overdue = [seat for seat in seats if self._is_overdue(seat)]
        if overdue:
            yield self._late_play(overdue[0])
        elif seats:
            seat = rng.choice(seats)
            if rng.random() < 0.1 and state.left.count(False) > 2:
                yield Leave(rng.choice(self._staying(state)), Cause.PLAYER)
            if rng.random() < 0.2 and self._may_be_late(seat):
                yield self._late_play(seat)
            key = f"later-{state.version}" if rng.random() < 0.5 else None
            yield from (
                Play(seat, action, state.version, key) for action in rng.choices(legal_actions(state, seat), k=2)
            )

    def _go_on(self) -> None:
        state, rng = self.state, self.rng
        awaited, staying = list(self.awaited()), self._staying(state)
        overdue = [seat for seat in awaited if not self._pending and self._is_overdue(seat)]
        if overdue:
            self._let_time_run_out(overdue[0])
        elif self._leaves and rng.random() < 0.03 and state.left.count(False) > 2 and staying:
            self._do(Leave(rng.choice(staying), rng.choice((Cause.PLAYER, Cause.FORFEIT))))
        elif awaited and self._late and rng.random() < 0.08 and self._may_be_late(awaited[0]):
            self._commit()
            self._let_time_run_out(awaited[0])
        elif awaited:
            seat = rng.choice(awaited)
            key = f"key-{state.version}" if rng.random() < 0.2 else None
            self._do(Play(seat, self._action(state, seat), state.version, key))
        if rng.random() < 0.1:
            self._commit()

    def _let_time_run_out(self, seat: int) -> None:
        self._do(self._late_play(seat))
        self._commit(late=seat)

    def _late_play(self, seat: int) -> TimeOut:
        return TimeOut(seat, self._action(self.state, seat))

    def _action(self, state: State, seat: int) -> Action:
        listed = list(legal_actions(state, seat))
        if self._wanted == "a reshuffle":
            listed = [action for action in listed if _stalls(action, state.grids[seat].open)] or listed
        elif self._by_verb:
            verbs = sorted({action.verb for action in listed})
            verb = self.rng.choice(verbs)
            listed = [action for action in listed if action.verb is verb]
        return self.rng.choice(listed)

    def _do(self, step: Step) -> None:
        self.played.do(step)
        self.steps.append(step)
        self._pending = True

    def _commit(self, late: int | None = None) -> None:
        if self._pending:
            seconds = self._seconds(late)
            self.played.do(Commit(seconds))
            self.steps.append(Commit(seconds))
            self._pending = False

    def _seconds(self, late: int | None) -> float:
        if late is None:
            return self.rng.choice((0.0, 0.125, 0.5))
        allowed = self._allowed(late)
        assert allowed is not None
        return allowed + 1.0

    def _allowed(self, seat: int) -> float | None:
        return self.played.table.clocks.allowed_seconds(seat)

    def _is_overdue(self, seat: int) -> bool:
        allowed, started = self._allowed(seat), self.played.table.clocks.started
        return allowed is not None and started is not None and (self.played.now - started).total_seconds() > allowed

    def _may_be_late(self, seat: int) -> bool:
        """Whether the time of a seat can run out now without an end to the game."""
        clocks = self.played.table.clocks
        leaves = clocks.is_no_show(seat) or clocks.is_last_strike(seat)
        return self._allowed(seat) is not None and not (leaves and self.state.left.count(False) <= 2)

    def _staying(self, state: State) -> list[int]:
        return [seat for seat, left in enumerate(state.left) if not left and self.setting.seats[seat] is not None]


def _stalls(action: Action, open_: int) -> bool:
    """Whether an action uses up the draw pile and opens nothing."""
    return action.verb is Verb.DRAW or (action.verb is Verb.KEEP and bool(open_ >> action.places[0] & 1))
