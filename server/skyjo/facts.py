"""What happened: facts, in the order in which they happened, each inside the event that caused it.

Facts carry every outcome of chance that a viewer's copy of the log needs; folding them is :mod:`skyjo.engine`'s work.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from skyjo.actions import Action
from skyjo.places import Place


class Cause(StrEnum):
    """Why an event happened."""

    PLAYER = "player"
    TIMEOUT = "timeout"
    FORFEIT = "forfeit"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class Dealt:
    """A round was dealt: all 150 cards in the order of the shuffle."""

    round: int
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Flipped:
    """A seat's hidden card was turned up where it lay."""

    seat: int
    place: Place
    card: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """A seat drew a card into its hand."""

    seat: int
    card: int


@dataclass(frozen=True, slots=True)
class Placed:
    """A card was put face up on a place; what lay there follows as Discarded."""

    seat: int
    place: Place
    card: int


@dataclass(frozen=True, slots=True)
class Discarded:
    """A replaced or rejected card went on the discard pile."""

    seat: int
    card: int


@dataclass(frozen=True, slots=True)
class Removed:
    """A complete line left the grid for the discard pile; `places` are those that still held a card."""

    seat: int
    places: tuple[Place, ...]
    card: int


@dataclass(frozen=True, slots=True)
class Reshuffled:
    """The discard pile without its top became the draw pile, in this order, first drawn first."""

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoundScored:
    """A round was scored: points by seat, before and after the ender's penalty, and the new totals."""

    round: int
    raw: tuple[int, ...]
    final: tuple[int, ...]
    totals: tuple[int, ...]
    ender: int | None
    truncated: bool


@dataclass(frozen=True, slots=True)
class Left:
    """A seat resigned or was made to leave."""

    seat: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over: totals and ranks by seat, rank 1 first, equal totals sharing a rank."""

    totals: tuple[int, ...]
    ranks: tuple[int, ...]


Fact = Dealt | Flipped | Drawn | Placed | Discarded | Removed | Reshuffled | RoundScored | Left | GameEnded


@dataclass(frozen=True, slots=True)
class Event:
    """One accepted command and everything it caused.

    Attributes:
        version: number of the event in its game: 0, 1, 2 … without gaps.
        seat: who acted; None = the system (version 0).
        action: what it did; None for the first deal and for leaving.
        cause: why.
        facts: what happened, in order.
        opener: the seat that chance chose to open the round; None where the rules settle it without chance.
    """

    version: int
    seat: int | None
    action: Action | None
    cause: Cause
    facts: tuple[Fact, ...]
    opener: int | None = None
