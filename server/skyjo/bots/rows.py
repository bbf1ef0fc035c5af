"""What complete rows change, where the rules remove them (rule 19): corrections to what single columns are worth."""

from __future__ import annotations

from typing import Final

from skyjo.bots.columns import CARDS, COMPLETING, EMPTY, GONE, HIDDEN, NO_CARD, RESTS, SYMBOL_OF, Values, state_of
from skyjo.cards import COLUMNS, ROWS
from skyjo.places import PLACES, Place
from skyjo.view import SeatView

_BESIDE: Final = tuple(
    tuple(other for other in PLACES if other.row == place.row and other != place) for place in PLACES
)
"""By place, the other places of its row."""


class Rows:
    """The rows of one grid, alive for one choice only.

    A row that lacks one card for four equal ones is worth what a column's pair that lacks the same card is. Of rows
    that lack more, nothing is expected.

    Args:
        own: the grid.
        value: by state, what a column is worth.
        pair: by state, what a pair that waits for its third card is worth.
        current: by column of the grid, what it is worth now.
        surplus: by symbol, by how much likelier the card is than in a full deck.
    """

    __slots__ = ("_cells", "_current", "_pair", "_surplus", "_value")

    def __init__(self, own: SeatView, value: Values, pair: Values, current: Values, surplus: Values) -> None:
        self._cells = [SYMBOL_OF[own.card(place)] for place in PLACES]
        self._value = value
        self._pair = pair
        self._current = current
        self._surplus = surplus

    def completing(self, place: Place) -> int:
        """The symbol of the card that completes the row of a place, else NO_CARD."""
        one, *others = self._beside(place)
        return one if others == [one] * len(others) and one < HIDDEN else NO_CARD

    def correct(self, values: list[float], place: Place, rest: int) -> None:
        """Correct, by card, what the column of a place is worth once the card is put there.

        Args:
            values: corrected in place.
            place: where the card goes.
            rest: what lies beside it in its column.
        """
        beside = self._beside(place)
        if GONE in beside or len(set(beside)) == len(beside):
            return
        before = self._hope([*beside, self._cells[place]])
        for symbol in range(len(CARDS)):
            values[symbol] += before - self._hope([*beside, symbol])
        completing = self.completing(place)
        if completing != NO_CARD:
            values[completing] = before + self._without_row(place, rest, completing)

    def _beside(self, place: Place) -> list[int]:
        return [self._cells[other] for other in _BESIDE[place]]

    def _hope(self, row: list[int]) -> float:
        """How much a row lowers the grid's value by lacking a single card."""
        row.sort()
        lacking = row[1]
        if lacking >= HIDDEN or row.count(lacking) != COLUMNS - 1:
            return 0.0
        odd = row[0] if row[0] != lacking else row[-1]
        return self._pair[state_of(lacking, lacking, odd)] * (1.0 + self._surplus[lacking])

    def _without_row(self, place: Place, rest: int, completing: int) -> float:
        """The own column once its row has gone, and what the loss changes in the other columns."""
        # A card that completes its column as well leaves once, and the column is empty (rules 18 and 19).
        own = EMPTY if COMPLETING[rest] == completing else state_of(*RESTS[rest], GONE)
        changed = 0.0
        for other in _BESIDE[place]:
            left = [self._cells[other.column * ROWS + row] for row in range(ROWS) if row != other.row]
            changed += self._value[state_of(*left, GONE)] - self._current[other.column]
        return self._value[own] + changed
