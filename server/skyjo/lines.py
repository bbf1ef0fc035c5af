"""Complete lines of a grid: three equal open cards in a column, four in a row. Finds them, moves nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from skyjo.cards import COLUMNS, ROWS
from skyjo.places import PLACES
from skyjo.rules import RuleSet
from skyjo.state import PLACES_OF_MASK

COLUMN_MASKS: Final = tuple(sum(1 << place for place in PLACES if place.column == column) for column in range(COLUMNS))
ROW_MASKS: Final = tuple(sum(1 << place for place in PLACES if place.row == row) for row in range(ROWS))

_COLUMNS: Final = tuple((mask, *PLACES_OF_MASK[mask]) for mask in COLUMN_MASKS)
_ROWS: Final = tuple((mask, *PLACES_OF_MASK[mask]) for mask in ROW_MASKS)
"""Each line's mask, and its places."""

COLUMN_MATES: Final = tuple(PLACES_OF_MASK[COLUMN_MASKS[place.column] & ~(1 << place)] for place in PLACES)
"""By place, the other two places of its column."""


class FaceUp(Protocol):
    """A grid as far as its lines go."""

    @property
    def cards(self) -> Sequence[int]:
        """Twelve values by place."""

    @property
    def open(self) -> int:
        """Bit mask of the places whose card lies face up."""


def column_clears(column: Sequence[int | None]) -> bool:
    """Say whether three equal face-up cards empty this column.

    Args:
        column: three cards, top to bottom, in points (-2 to 12); None = face down.
    Raises:
        ValueError: if there are not exactly three.
    Source: rule 15.

    >>> column_clears([7, 7, 7]), column_clears([7, 7, None]), column_clears([0, 0, 0])
    (True, False, True)
    """
    if len(column) != ROWS:
        raise ValueError(f"a column has {ROWS} cards, not {len(column)}: {column!r}")
    return column[0] is not None and column[0] == column[1] == column[2]


def complete_lines(rules: RuleSet, grid: FaceUp) -> tuple[int, ...]:
    """Bit masks of all complete lines on one snapshot: columns, lowest first, then rows (rules 15, 18, 19)."""
    cards, open_ = grid.cards, grid.open
    lines: list[int] = []
    if rules.remove_columns:
        lines += [mask for mask, a, b, c in _COLUMNS if cards[a] == cards[b] == cards[c] and open_ & mask == mask]
    if rules.remove_rows:
        lines += [mask for mask, *row in _ROWS if len({cards[place] for place in row}) == 1 and open_ & mask == mask]
    return tuple(lines)


def lines_completed(rules: RuleSet, grid: FaceUp, place: int, card: int) -> tuple[int, ...]:
    """The lines that become complete when this card comes to lie face up on a place; none was complete before."""
    one, other = COLUMN_MATES[place]
    cards, open_ = grid.cards, grid.open
    lines: tuple[int, ...] = ()
    if cards[one] == card and cards[other] == card and (open_ >> one) & (open_ >> other) & 1 and rules.remove_columns:
        lines = (COLUMN_MASKS[place // ROWS],)
    return lines + _rows_completed(cards, open_, place, card) if rules.remove_rows else lines


def _rows_completed(cards: Sequence[int], open_: int, place: int, card: int) -> tuple[int, ...]:
    row = ROW_MASKS[place % ROWS]
    mates = row & ~(1 << place)
    complete = open_ & mates == mates and all(cards[mate] == card for mate in PLACES_OF_MASK[mates])
    return (row,) if complete else ()


def final_lines(rules: RuleSet, grid: FaceUp) -> tuple[int, ...]:
    """The lines that the final reveal removes (rule 22)."""
    if rules.final_removal == "never":
        return ()
    lines = complete_lines(rules, grid)
    if rules.final_removal == "mandatory":
        return lines
    return tuple([mask for mask in lines if grid.cards[PLACES_OF_MASK[mask][0]] > 0])
