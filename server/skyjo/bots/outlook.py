"""What a column is worth while a seat has some more turns: the points that it will cost in the end. Sees no table.

Every column is played on its own, by backward induction over the turns that are left. A turn offers two cards, the
discard and the draw, both from a full deck, and may put one of them into the column at a price: what the turn would
have gained in the seat's other columns. This relaxation is optimistic about each column, equally for all, and what is
compared is always the same number of turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import repeat
from typing import Final

from skyjo.bots.columns import (
    AFTER,
    CARDS,
    COMPLETING,
    EMPTY,
    GONE,
    HIDDEN,
    HIDDEN_IN,
    MEAN,
    MISSING,
    NO_CARD,
    OPEN_IN,
    RESTS_OF,
    SHARES,
    STATES,
    Symbols,
    Values,
    average,
    rest_of,
    state_of,
)
from skyjo.cards import ROWS
from skyjo.rules import RuleSet

PRICE: Final = 3.5
"""Points that a turn is worth elsewhere. Against the same bot with this price, one without a price loses 6.1 points a
round, with 2 it loses 0.6, with 5 0.1; from 3 to 4 there is no measurable difference (12,800 two-player games each)."""

NO_GAIN: Final = (0.0,) * len(CARDS)


@dataclass(frozen=True, slots=True)
class Outlook:
    """What columns are worth with so many turns to go, in points; low is good.

    Attributes:
        value: by state.
        pair: by state, by how much the chance to complete its pair lowers the value; 0 where there is no pair.
        placed: by rest and card, the value after the card is put there and a complete column is removed.
        gain: by state and card, how the card changes the value where it does best.
    """

    value: Values
    pair: Values
    placed: Sequence[Values]
    gain: Sequence[Values]


def outlook(turns: int, rules: RuleSet) -> Outlook:
    """The outlook with so many turns to go, from 0 on, under the rules' removals.

    >>> soon, later = outlook(1, RuleSet()), outlook(4, RuleSet())
    >>> from skyjo.bots.columns import STATE_OF
    >>> nines = STATE_OF[9, 9, None]
    >>> [round(each.value[nines]) for each in (outlook(0, RuleSet()), soon, later)]
    [21, 17, 11]
    """
    return _outlook(turns, rules.remove_columns, rules.final_removal)


def pair_values(turns: int, rules: RuleSet) -> Values:
    """By state, by how much a pair would lower the value, even if the rules remove no columns."""
    return _outlook(turns, removing=True, final_removal=rules.final_removal).pair


@cache
def opening_values(turns: int, rules: RuleSet) -> Values:
    """The value of a new column of which 0, 1, 2 or 3 cards will be turned up."""
    look = outlook(turns, rules)
    return [_turned_up(look, (HIDDEN,) * ROWS, count) for count in range(ROWS + 1)]


@cache
def _outlook(turns: int, removing: bool, final_removal: str) -> Outlook:
    values = _values(turns, removing, final_removal)
    # What the pair adds shows in the same column where nothing is removed.
    plain = _values(turns, removing=False, final_removal=final_removal)
    placed = _placed(values, removing)
    return Outlook(
        value=values,
        pair=[
            0.0 if missing == NO_CARD else bare - value
            for bare, value, missing in zip(plain, values, MISSING, strict=True)
        ],
        placed=placed,
        gain=[_gain(placed, state, value) for state, value in enumerate(values)],
    )


@cache
def _values(turns: int, removing: bool, final_removal: str) -> Values:
    if turns == 0:
        return [_final_value(symbols, state, removing, final_removal) for state, symbols in enumerate(STATES)]
    sooner = _values(turns - 1, removing, final_removal)
    placed = [[value + PRICE for value in row] for row in _placed(sooner, removing)]
    return [_after_turn(placed, state, sooner[state]) for state in range(len(STATES))]


def _final_value(symbols: Symbols, state: int, removing: bool, final_removal: str) -> float:
    """The expected sum after the final reveal and its removals (rule 22)."""
    hidden, cards = HIDDEN_IN[state], OPEN_IN[state]
    value: float = sum(cards) + hidden * MEAN
    if hidden and GONE not in symbols and removing and final_removal != "never" and len(set(cards)) <= 1:
        for card in cards[:1] or CARDS:
            if card > 0 or final_removal == "mandatory":
                value -= SHARES[card] ** hidden * len(symbols) * card
    return value


def _placed(values: Values, removing: bool) -> Sequence[Values]:
    rows = [[values[state] for state in states] for states in AFTER]
    if removing:
        for row, symbol in zip(rows, COMPLETING, strict=True):
            if symbol != NO_CARD:
                row[symbol] = values[EMPTY]
    return rows


def _after_turn(placed: Sequence[Values], state: int, untouched: float) -> float:
    """The value one turn earlier: the discard is taken, else the draw is kept, else the column is left alone."""
    if state == EMPTY:
        return untouched
    best = _best(placed, state)
    draw = average(SHARES, map(min, best, repeat(untouched)))
    return average(SHARES, map(min, best, repeat(draw)))


def _best(placed: Sequence[Values], state: int) -> Values:
    """By card, the least value that putting it into the column can give."""
    rows = [placed[rest] for rest in RESTS_OF[state]]
    return rows[0] if len(rows) == 1 else list(map(min, *rows))


def _gain(placed: Sequence[Values], state: int, value: float) -> Values:
    return NO_GAIN if state == EMPTY else [cost - value for cost in _best(placed, state)]


def _turned_up(look: Outlook, symbols: Symbols, count: int) -> float:
    """The value once so many of the hidden cards, which stand first, are turned up."""
    if count == 0:
        return look.value[state_of(*symbols)]
    rest = symbols[1:]
    if count == 1:
        return average(SHARES, look.placed[rest_of(*rest)])
    return average(SHARES, [_turned_up(look, (*rest, card), count - 1) for card in range(len(CARDS))])
