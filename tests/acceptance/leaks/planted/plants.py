"""What a planted leak is, where it could be noticed, and what leaks are made of. Plants nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b

import pytest

from skyjo import Decision, Phase, State
from skyjo.facts import Fact, Reshuffled
from skyjo.state import PLACES_OF_MASK
from skyjo_server.service.table import Table
from tests.acceptance.leaks.scenes import Scene
from tests.acceptance.leaks.steps import TimeOut

Planting = Callable[[pytest.MonkeyPatch], None]
Where = Callable[[Scene], bool]


@dataclass(frozen=True, slots=True)
class Plant:
    """A planted leak.

    Attributes:
        put: puts it into the service; its name says what the service then does wrong.
        where: the scenes in which it could be noticed at all.
    """

    put: Planting
    where: Where

    @property
    def name(self) -> str:
        """What the service does wrong."""
        return self.put.__name__.replace("_", " ")


class Plants(list[Plant]):
    """The leaks of a module."""

    def note(self, where: Where = lambda _: True) -> Callable[[Planting], Planting]:
        """Note a leak."""

        def add(put: Planting) -> Planting:
            self.append(Plant(put, where))
            return put

        return add


def card_in_hand(scene: Scene) -> bool:
    """A seat that is none of the viewers' has drawn and not decided yet."""
    return scene.state.phase is Phase.DRAWN and scene.state.turn not in scene.group.seats


def on_move(scene: Scene) -> bool:
    """A seat is on move, and one of the viewers plays it."""
    return scene.state.turn is not None and scene.state.turn in scene.group.seats


def flips_hidden(scene: Scene) -> bool:
    """Some seats have chosen their flips, others have not."""
    return scene.state.phase is Phase.FLIP and any(scene.state.chosen)


def reshuffled(scene: Scene) -> bool:
    """The draw pile has been made from the discard pile, and some of it is left."""
    return any(isinstance(fact, Reshuffled) for fact in _facts(scene))


def time_runs_out_later(scene: Scene) -> bool:
    """A seat's time runs out while the worlds are compared."""
    return any(isinstance(later.steps[0], TimeOut) for later in scene.later)


def house_plays_later(scene: Scene) -> bool:
    """A house bot acts while the worlds are compared."""
    moves = [move for _, move in scene.played[0].commits[scene.stored :]]
    return any(scene.setting.seats[new.event.seat or 0] is None for move in moves for new in move.events)


def keyed(scene: Scene) -> bool:
    """A viewer has played with an idempotency key."""
    return any(scene.seat_of(person) in scene.keyed for person in scene.group.viewers)


def _facts(scene: Scene) -> list[Fact]:
    moves = [move for _, move in scene.played[0].commits[: scene.stored]]
    return [fact for move in moves for new in move.events for fact in new.event.facts]


def top_of_pile(state: State) -> int:
    """A card near the top of the draw pile; 0 if that is empty."""
    return state.pile[sum(state.taken)] if state.draw_pile_size else 0


def hidden_sum(state: State, seat: int) -> int:
    """What the face-down cards of a seat add up to."""
    grid = state.grids[seat]
    return sum(grid.cards[place] for place in PLACES_OF_MASK[grid.hidden])


def digest(*values: object) -> str:
    """A short hash."""
    return blake2b(repr(values).encode(), digest_size=6).hexdigest()


def change_decisions(patch: pytest.MonkeyPatch, change: Callable[[Decision, State], Decision]) -> None:
    """Give each decision to something that has the whole state."""
    honest = Table.decision
    patch.setattr(Table, "decision", lambda table, viewer: change(honest(table, viewer), table.state))


def peek(patch: pytest.MonkeyPatch) -> list[Table]:
    """The table that the last decision was made from, as somebody might keep it at hand for convenience."""
    last: list[Table] = []
    honest = Table.decision

    def remembering(table: Table, viewer: int | None) -> Decision:
        last[:] = [table]
        return honest(table, viewer)

    patch.setattr(Table, "decision", remembering)
    return last
