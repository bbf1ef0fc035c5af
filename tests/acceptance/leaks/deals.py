"""The chance of one world of a pair: what was dealt in the other world, but for the cards that may be others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from skyjo import FairChance
from skyjo.cards import COLUMNS, GRID_SIZE
from skyjo.shuffle import WordStream
from tests.skyjo.shadow import Card


@dataclass(frozen=True, slots=True)
class Order:
    """How a shuffle is arranged.

    Attributes:
        span: within each slice of so many cards, equal ones follow each other; 1 = a fair shuffle.
        across: they follow each other from left to right of a grid, not from top to bottom.
    """

    span: int
    across: bool

    def arranged(self, cards: Sequence[int]) -> list[int]:
        """The cards in this order."""
        slices = [cards[at : at + self.span] for at in range(0, len(cards), self.span)]
        gathered = [card for part in slices for card in sorted(part, key=part.index)]
        grids = [gathered[at : at + GRID_SIZE] for at in range(0, len(gathered), GRID_SIZE)]
        return [card for grid in grids for card in (_turned(grid) if self.across and len(grid) == GRID_SIZE else grid)]


def _turned(grid: list[int]) -> list[int]:
    """Cards laid row by row, as they stand column by column."""
    return [card for column in range(COLUMNS) for card in grid[column::COLUMNS]]


class Deals(FairChance):
    """Fair chance from a key; until it is left alone, equal cards lie together and some cards are replaced.

    Args:
        key: the key.
        order: how shuffles are arranged, so that lines are completed often.
        values: what is printed on some cards instead, by round, shuffle and place in it.
        otherwise_from: from this version on, house bots that choose flips toss other coins; None = never.
    Attributes:
        asked: how often chance was asked for anything.
    """

    __slots__ = ("_left_alone", "_order", "_otherwise_from", "_values", "asked")

    def __init__(
        self, key: bytes, order: Order, values: Mapping[Card, int] | None = None, otherwise_from: int | None = None
    ) -> None:
        super().__init__(key)
        self._order = order
        self._values = values or {}
        self._otherwise_from = otherwise_from
        self._left_alone = False
        self.asked = 0

    def leave_alone(self) -> None:
        """Be the service's own chance from now on."""
        self._left_alone = True

    def reshuffle(self, round_: int, count: int, cards: Sequence[int]) -> tuple[int, ...]:
        """The cards in a new order."""
        self.asked += 1
        shuffled = super().reshuffle(round_, count, cards)
        if self._left_alone:
            return shuffled
        arranged = self._order.arranged(shuffled)
        return tuple(self._values.get((round_, count, index), card) for index, card in enumerate(arranged))

    def stream(self, round_: int, purpose: str) -> WordStream:
        """The words for any other purpose."""
        self.asked += 1
        first = None if self._left_alone else self._otherwise_from
        otherwise = first is not None and round_ >= first and purpose.startswith("house")
        return super().stream(round_, f"{purpose} otherwise" if otherwise else purpose)
