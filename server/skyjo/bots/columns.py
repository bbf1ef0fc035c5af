"""The columns that a seat can have, numbered: what lies in them, and what becomes of them. Judges none of them.

A cell is a symbol: a card, HIDDEN or GONE. Three of them in any order are a *state*, the two beside a third a *rest*.
Lists by card are indexed by the card itself: 0 to 12 come first, -2 and -1 count from the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement, product
from operator import mul
from typing import Final

from skyjo.bots.sums import total
from skyjo.cards import COPIES, DECK, HIGHEST, LOWEST
from skyjo.view import GONE as GONE_CELL
from skyjo.view import Cell, Column

CARDS: Final = (*range(HIGHEST + 1), *range(LOWEST, 0))
"""The fifteen cards in the order of every list by card."""

HIDDEN: Final = len(CARDS)
GONE: Final = HIDDEN + 1
NO_CARD: Final = HIDDEN
"""Stands for a card where there is none, in lists that have a place more than there are cards."""

SHARES: Final = tuple(COPIES[card] / len(DECK) for card in CARDS)
"""By card, its share of a full deck."""

MEAN: Final = sum(DECK) / len(DECK)
VARIANCE: Final = total((card - MEAN) ** 2 for card in DECK) / len(DECK)

Symbols = tuple[int, ...]
Values = Sequence[float]

STATES: Final[tuple[Symbols, ...]] = tuple(combinations_with_replacement(range(GONE + 1), 3))
RESTS: Final[tuple[Symbols, ...]] = tuple(combinations_with_replacement(range(GONE + 1), 2))

_STATE_OF_SYMBOLS: Final = {symbols: state for state, symbols in enumerate(STATES)}
_REST_OF_SYMBOLS: Final = {symbols: rest for rest, symbols in enumerate(RESTS)}
SYMBOL_OF: Final[dict[Cell, int]] = {card: card % HIDDEN for card in CARDS} | {None: HIDDEN, GONE_CELL: GONE}
"""The symbol of a cell as a view shows it."""


def state_of(*symbols: int) -> int:
    """The state of three symbols in any order."""
    return _STATE_OF_SYMBOLS[tuple(sorted(symbols))]


def rest_of(one: int, other: int) -> int:
    """The rest of two symbols in any order."""
    return _REST_OF_SYMBOLS[(one, other) if one <= other else (other, one)]


EMPTY: Final = state_of(GONE, GONE, GONE)

STATE_OF: Final[dict[Column, int]] = {
    (top, middle, bottom): state_of(SYMBOL_OF[top], SYMBOL_OF[middle], SYMBOL_OF[bottom])
    for top, middle, bottom in product(SYMBOL_OF, repeat=3)
} | {None: EMPTY}
"""The state of a column as a view shows it."""

REST_OF: Final[dict[tuple[Cell, Cell], int]] = {
    (one, other): rest_of(SYMBOL_OF[one], SYMBOL_OF[other]) for one, other in product(SYMBOL_OF, repeat=2)
}
"""The rest that two cells are."""

OPEN_IN: Final = tuple(tuple(CARDS[symbol] for symbol in symbols if symbol < HIDDEN) for symbols in STATES)
"""By state, its open cards."""

HIDDEN_IN: Final = tuple(symbols.count(HIDDEN) for symbols in STATES)
"""By state, how many cards lie face down."""

RESTS_OF: Final = tuple(
    tuple(dict.fromkeys(rest_of(*symbols[:cell], *symbols[cell + 1 :]) for cell in range(3) if symbols[cell] != GONE))
    for symbols in STATES
)
"""By state, what may lie beside a card that is put into it: a rest for each different cell that holds a card."""

AFTER: Final = tuple(tuple(state_of(*symbols, card) for card in range(HIDDEN)) for symbols in RESTS)
"""By rest and card, the state of the three together, before anything is removed."""

COMPLETING: Final = tuple(symbols[0] if symbols[0] == symbols[1] < HIDDEN else NO_CARD for symbols in RESTS)
"""By rest, the symbol of the card that makes three equal ones of it, else NO_CARD."""


def average(chances: Values, values: Iterable[float]) -> float:
    """The expectation of values by card, under chances by card.

    >>> round(average(SHARES, CARDS), 4)
    5.0667
    """
    return total(map(mul, chances, values))


def _missing(symbols: Symbols) -> int:
    if symbols[2] == GONE or symbols[0] == symbols[2]:
        return NO_CARD
    pair = symbols[0] if symbols[0] == symbols[1] else symbols[1]
    return pair if symbols.count(pair) == 2 and pair < HIDDEN else NO_CARD


MISSING: Final = tuple(_missing(symbols) for symbols in STATES)
"""By state, the symbol of the card that a pair of open cards waits for, else NO_CARD."""

PAIRING: Final = tuple(
    tuple(
        (CARDS[symbol], state, MISSING[state])
        for symbol, state in enumerate(AFTER[rest])
        if MISSING[state] != NO_CARD and symbol != COMPLETING[rest]
    )
    for rest in range(len(RESTS))
)
"""By rest, the cards that make a state with a pair of it: (card, that state, symbol of the card it then waits for)."""
