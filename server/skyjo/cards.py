"""The 150 cards: values in points, -2 to 12. No positions, no order beyond the canonical one."""

from __future__ import annotations

from typing import Final

LOWEST: Final = -2
HIGHEST: Final = 12
SEATS_MIN: Final = 2
SEATS_MAX: Final = 8
COLUMNS: Final = 4
ROWS: Final = 3
GRID_SIZE: Final = COLUMNS * ROWS

COPIES: Final[dict[int, int]] = {-2: 5, -1: 10, 0: 15} | dict.fromkeys(range(1, HIGHEST + 1), 10)
"""How many cards of each value there are. Source: rule 1."""

DECK: Final[tuple[int, ...]] = tuple(value for value, copies in COPIES.items() for _ in range(copies))
"""The canonical deck, ascending: the order in which a shuffle takes it."""
