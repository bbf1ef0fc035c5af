"""Places of a grid, named like squares: columns a to d, rows 1 to 3. No cards."""

from __future__ import annotations

from typing import Final, Self

from skyjo.cards import GRID_SIZE, ROWS
from skyjo.errors import InvalidText


class Place(int):
    """One of the twelve places of a grid, as an index 0 to 11: column by column, top to bottom.

    >>> Place.parse("c2"), int(Place.parse("c2")), str(Place(0))
    (Place.parse('c2'), 7, 'a1')

    Raises:
        InvalidText: if the index is not 0 to 11.
    """

    __slots__ = ()

    def __new__(cls, index: int) -> Self:
        """Make a place."""
        if not 0 <= index < GRID_SIZE:
            raise InvalidText(f"{index!r} is not a place: the indices are 0 to {GRID_SIZE - 1}")
        return super().__new__(cls, index)

    @classmethod
    def parse(cls, text: str) -> Place:
        """Read a place such as ``c2``.

        Raises:
            InvalidText: if it is not a column a-d followed by a row 1-3.
        """
        try:
            return _BY_TEXT[text]
        except (KeyError, TypeError):
            raise InvalidText(f"{text!r} is not a place: write a column a-d and a row 1-3, such as 'c2'") from None

    @property
    def column(self) -> int:
        """Column 0 to 3 (a to d)."""
        return self // ROWS

    @property
    def row(self) -> int:
        """Row 0 to 2 (1 to 3)."""
        return self % ROWS

    def __str__(self) -> str:
        return _TEXTS[self]

    def __repr__(self) -> str:
        return f"Place.parse('{_TEXTS[self]}')"

    def __reduce__(self) -> tuple[type[Self], tuple[int]]:
        return type(self), (int(self),)


_TEXTS: Final = tuple(f"{column}{row}" for column in "abcd" for row in "123")

PLACES: Final = tuple(Place(index) for index in range(GRID_SIZE))
"""All places in the order a1 a2 a3 b1 …, the order of a deal."""

PLACES_BY_ROW: Final = tuple(sorted(PLACES, key=lambda place: (place.row, place.column)))
"""All places in the order a1 b1 c1 d1 a2 …, the order of default flips (rule 30)."""

_BY_TEXT: Final = dict(zip(_TEXTS, PLACES, strict=True))
