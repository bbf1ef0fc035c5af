"""One game of the little service: its seats, its log, and whose clock runs. Knows no request and no token."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from skyjo import (
    Action,
    Cause,
    Decision,
    Event,
    FairChance,
    IllegalAction,
    Phase,
    RuleSet,
    State,
    commitment,
    decide,
    decide_leave,
    decision,
    default_action,
    evolve,
    forced_seat,
    full_event,
    initial_state,
    legal_actions,
    seen_event,
    shuffle_key,
    start,
)
from skyjo.notation import event_to_dict
from tests.sdk.little.problems import Refusal

SEED = bytes(range(32))


@dataclass
class Seat:
    kind: str
    bot: str | None = None
    name: str | None = None
    entropy: bytes = b""


@dataclass
class Logged:
    """An event, the state before it, and when it was (seconds)."""

    event: Event
    before: State
    at: float


def rfc3339(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()


@dataclass
class Table:
    """A game. The house plays default actions, at once."""

    id: UUID
    rules: RuleSet
    seats: list[Seat]
    move_seconds: float | None
    now: Callable[[], float]
    created_at: float = 0.0
    log: list[Logged] = field(default_factory=list)
    deadline: float | None = None
    answers: dict[tuple[str, str], tuple[object, int]] = field(default_factory=dict)
    stopped: str | None = None

    def __post_init__(self) -> None:
        self.created_at = self.now()
        self.state = initial_state(self.rules, len(self.seats))
        self.start_if_full()

    @property
    def status(self) -> str:
        if self.stopped is not None:
            return self.stopped
        if self.state.version < 0:
            return "open"
        return "finished" if self.state.phase is Phase.OVER else "running"

    @property
    def is_over(self) -> bool:
        return self.status not in {"open", "running"}

    def seat_of(self, bot: str | None) -> int | None:
        return next((number for number, seat in enumerate(self.seats) if bot and seat.bot == bot), None)

    def start_if_full(self) -> None:
        if all(seat.kind != "open" for seat in self.seats) and self.state.version < 0:
            entropy = [seat.entropy for seat in self.seats] if any(seat.entropy for seat in self.seats) else []
            self._chance = FairChance(shuffle_key(SEED, self.id, self.rules.canonical_name, entropy))
            self._fold(start(self.rules, len(self.seats), self._chance))
            self._settle()

    def play(self, seat: int, version: int, action: Action) -> int:
        """Play an action that answers a version; gives the version of its event."""
        self.sweep()
        if version != self.state.version:
            late = self._timed_out(version)
            raise self.refusal("deadline-passed" if late == seat else "stale-version", seat)
        if self.is_over:
            raise Refusal("game-over")
        try:
            self._fold(decide(self.state, seat, action, self._chance))
        except IllegalAction as error:
            legal = [str(action) for action in legal_actions(self.state, seat)]
            raise Refusal(
                "illegal-action", str(error), reason=error.reason, version=version, legal_actions=legal
            ) from error
        self._settle()
        return version + 1

    def leave(self, seat: int) -> None:
        if self.is_over:
            raise Refusal("game-over")
        try:
            self._fold(decide_leave(self.state, seat, Cause.PLAYER))
        except IllegalAction as error:
            raise Refusal("illegal-action", str(error), reason=error.reason, legal_actions=[]) from error
        self._settle()

    def sweep(self) -> None:
        """Play the default action of every seat whose time is over."""
        while self.deadline is not None and self.now() >= self.deadline and not self.is_over:
            for seat in self.state.to_act:
                self._default(seat, Cause.TIMEOUT)
            self._settle()

    def refusal(self, code: str, seat: int | None) -> Refusal:
        return Refusal(code, version=self.state.version, decision=self.view(seat).to_dict())

    def view(self, seat: int | None) -> Decision:
        waits = seat is not None and seat in self.state.to_act
        deadline = rfc3339(self.deadline) if waits and self.deadline is not None else None
        stopped = self.stopped is not None
        return decision(self.state, seat, game=str(self.id), deadline=deadline, stopped=stopped)

    def events(self, seat: int | None, after: int, limit: int) -> list[dict[str, Any]]:
        return [
            {
                **event_to_dict(
                    full_event(entry.event) if self.is_over else seen_event(entry.event, entry.before, seat)
                ),
                "game": str(self.id),
                "at": rfc3339(entry.at),
            }
            for entry in self.log[after + 1 : after + 1 + limit]
        ]

    def to_dict(self) -> dict[str, Any]:
        """As the API writes a game."""
        name = self.rules.canonical_name
        return {
            "id": str(self.id),
            "status": self.status,
            "preset": self.rules.name,
            "rules": self.rules.to_dict(),
            "seats": [
                {"seat": number, "kind": seat.kind, "bot": seat.bot, "name": seat.name, "left": self.state.left[number]}
                for number, seat in enumerate(self.seats)
            ],
            "version": self.state.version,
            "commitment": commitment(SEED, self.id, name).hex(),
            "created_at": rfc3339(self.created_at),
            "started_at": rfc3339(self.log[0].at) if self.log else None,
            "finished_at": rfc3339(self.log[-1].at) if self.is_over and self.log else None,
            "result": self._result(),
            "move_seconds": self.move_seconds,
            "bank_seconds": None,
            "tournament": None,
            "embargoed": False,
            "forked_from": None,
        }

    def _result(self) -> dict[str, Any] | None:
        if not self.is_over:
            return None
        ranks = None if self.state.ranks is None else list(self.state.ranks)
        causes = ["void" if ranks is None else "finished"] * self.state.seats
        return {"status": self.status, "totals": list(self.state.totals), "ranks": ranks, "causes": causes}

    def _timed_out(self, version: int) -> int | None:
        follower = next((entry.event for entry in self.log if entry.event.version == version + 1), None)
        return follower.seat if follower is not None and follower.cause is Cause.TIMEOUT else None

    def _settle(self) -> None:
        """Let the house and the seats that have left play until a bot is to act."""
        while not self.is_over:
            house = next((seat for seat in self.state.to_act if self.seats[seat].kind == "house"), None)
            gone = forced_seat(self.state)
            if gone is not None:
                self._default(gone, Cause.FORFEIT)
            elif house is not None:
                self._default(house, Cause.PLAYER)
            else:
                break
        clock = self.move_seconds is not None and not self.is_over
        self.deadline = self.now() + (self.move_seconds or 0) if clock else None

    def _default(self, seat: int, cause: Cause) -> None:
        self._fold(decide(self.state, seat, default_action(self.state, seat), self._chance, cause))

    def _fold(self, event: Event) -> None:
        self.log.append(Logged(event, self.state, self.now()))
        self.state = evolve(self.state, event)
