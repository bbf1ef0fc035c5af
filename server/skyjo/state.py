"""The complete state of a game, hidden cards included: immutable values, no rules.

Nothing in here may reach a viewer; what may is built in :mod:`skyjo.view`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeVar

from skyjo.cards import GRID_SIZE
from skyjo.facts import RoundScored
from skyjo.places import PLACES, Place
from skyjo.quick import quick
from skyjo.rules import RuleSet

_T = TypeVar("_T")

ALL_PLACES: Final = (1 << GRID_SIZE) - 1
"""The bit mask of all twelve places; bit i is the place of index i."""

PLACES_OF_MASK: Final = tuple(tuple(place for place in PLACES if mask >> place & 1) for mask in range(ALL_PLACES + 1))
"""The places of every bit mask, in the order a1 a2 a3 b1 …."""


class Phase(StrEnum):
    """What a game waits for."""

    FLIP = "flip"
    TURN = "turn"
    DRAWN = "drawn"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Grid:
    """One seat's twelve places.

    Attributes:
        cards: twelve values by place; what stands at an empty place means nothing.
        hidden: bit mask of the places whose card lies face down.
        open: bit mask of the places whose card lies face up. A place in neither mask is empty.
    """

    cards: tuple[int, ...]
    hidden: int = ALL_PLACES
    open: int = 0

    @property
    def held(self) -> int:
        """Bit mask of the places that still hold a card."""
        return self.hidden | self.open

    def score(self) -> int:
        """Sum of all cards still in the grid, hidden ones included."""
        return sum([self.cards[place] for place in PLACES_OF_MASK[self.hidden | self.open]])

    def open_sum(self) -> int:
        """Sum of the open cards."""
        return sum([self.cards[place] for place in PLACES_OF_MASK[self.open]])

    def with_card(self, place: Place, card: int) -> Grid:
        """The grid with this card face up on a place."""
        cards, bit = list(self.cards), 1 << place
        cards[place] = card
        return quick_grid(tuple(cards), self.hidden & ~bit, self.open | bit)

    def with_flipped(self, mask: int) -> Grid:
        """The grid with the hidden cards of a mask turned up."""
        return quick_grid(self.cards, self.hidden & ~mask, self.open | mask)

    def without(self, mask: int) -> Grid:
        """The grid with the cards of a mask gone."""
        return quick_grid(self.cards, self.hidden & ~mask, self.open & ~mask)


quick_grid: Final = quick(Grid)
"""A Grid from its three fields, by position."""


class StateSlots:
    """The layout of a State. What shares it can become one by a change of class, which is how `evolve` makes them."""

    __slots__ = (
        "chosen", "discard_pile", "ender", "grids", "hand", "left", "opener", "phase", "pile", "ranks", "reshuffles",
        "round", "rounds", "rules", "taken", "turn", "turns", "version",
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class State(StateSlots):
    """Everything about a game at one version.

    Attributes:
        rules: the options.
        version: number of the last event folded in; -1 before the first deal.
        round: 1, 2 …; 0 before the first deal.
        phase: what the game waits for.
        turn: the seat on move in `turn` and `drawn`; None otherwise.
        grids: one per seat.
        pile: the draw pile as it was last dealt or reshuffled, first drawn first.
        taken: how many cards were drawn from each stream of `pile`; one stream when it is shared.
        discard_pile: bottom to top.
        hand: the drawn card, None if there is none.
        chosen: by seat, the places of its initial flips in this round, in its order; None = has not chosen.
        opener: the seat that opened the round; while first flips are chosen, that of the round before, None in round 1.
        ender: the seat that ended the round, None if nobody has.
        turns: finished turns of each seat in this round.
        reshuffles: reshuffles in this round.
        rounds: the rounds scored so far.
        left: by seat, whether it has left.
        ranks: by seat, once the game is over.
    """

    rules: RuleSet
    version: int
    round: int
    phase: Phase
    turn: int | None
    grids: tuple[Grid, ...]
    pile: tuple[int, ...]
    taken: tuple[int, ...]
    discard_pile: tuple[int, ...]
    hand: int | None
    chosen: tuple[tuple[Place, ...] | None, ...]
    opener: int | None
    ender: int | None
    turns: tuple[int, ...]
    reshuffles: int
    rounds: tuple[RoundScored, ...]
    left: tuple[bool, ...]
    ranks: tuple[int, ...] | None

    @property
    def seats(self) -> int:
        """Number of seats."""
        return len(self.grids)

    @property
    def totals(self) -> tuple[int, ...]:
        """Points by seat over the rounds scored."""
        return self.rounds[-1].totals if self.rounds else (0,) * len(self.grids)

    @property
    def draw_pile_size(self) -> int:
        """Cards left to draw."""
        return len(self.pile) - sum(self.taken)

    @property
    def to_act(self) -> tuple[int, ...]:
        """Seats whose action the game waits for, ascending; several only while initial flips are chosen."""
        if self.turn is not None:
            return (self.turn,)
        if self.phase is Phase.OVER:
            return ()
        return tuple(seat for seat, places in enumerate(self.chosen) if places is None)


_NO_CARDS: Final = Grid((0,) * GRID_SIZE, 0)
_state: Final = quick(State)


def initial_state(rules: RuleSet, seats: int) -> State:
    """A game of so many seats before its first deal."""
    return _state(
        rules=rules, version=-1, round=0, phase=Phase.FLIP, turn=None, grids=(_NO_CARDS,) * seats,
        pile=(), taken=stream_counts(rules, seats), discard_pile=(), hand=None, chosen=((),) * seats,
        opener=None, ender=None, turns=(0,) * seats, reshuffles=0, rounds=(), left=(False,) * seats, ranks=None,
    )  # fmt: skip


def mask_of(places: Iterable[Place]) -> int:
    """The bit mask of places."""
    mask = 0
    for place in places:
        mask |= 1 << place
    return mask


def replaced(values: Iterable[_T], index: int, value: _T) -> tuple[_T, ...]:
    """The same values with another one at an index."""
    changed = list(values)
    changed[index] = value
    return tuple(changed)


def stream_counts(rules: RuleSet, seats: int) -> tuple[int, ...]:
    """A zero for every stream of the draw pile (rule 28)."""
    return (0,) * (seats if rules.draw_streams == "per_seat" else 1)


def next_stream(pile_size: int, taken: tuple[int, ...] | list[int], seat: int) -> int:
    """The stream a seat draws from: its own, else the longest, the lowest on ties (rule 28).

    The card on top of stream s of n is at index s + n * taken[s] of the pile.
    """
    streams = len(taken)
    own = seat if streams > 1 else 0
    if own + streams * taken[own] < pile_size:
        return own
    lengths = [(pile_size - stream + streams - 1) // streams - taken[stream] for stream in range(streams)]
    return lengths.index(max(lengths))
