"""The commonest turn in one go: a card is swapped for another, and nothing else happens. Knows no other turn.

Most turns are such. What stands here says nothing that :mod:`skyjo.engine` and :mod:`skyjo.evolution` do not say; it
says it twice as fast, and a property holds it equal to them.
"""

from __future__ import annotations

from typing import Any, Final

from skyjo.actions import Action, Verb
from skyjo.facts import Discarded, Placed
from skyjo.interned import DISCARDED, PLACED
from skyjo.lines import COLUMN_MATES
from skyjo.state import Phase, State, StateSlots, quick_grid

_TAKE: Final = Verb.TAKE
_KEEP: Final = Verb.KEEP
_TURN: Final = Phase.TURN


def swap(state: State, seat: int, action: Action) -> tuple[Placed, Discarded] | None:
    """The facts of a legal turn that swaps a card and sets off nothing; None for every other turn, legal or not."""
    if seat != state.turn or state.ender is not None:
        return None
    if action.verb is not (_TAKE if state.phase is _TURN else _KEEP):
        return None
    card = state.discard_pile[-1] if state.hand is None else state.hand
    grid, place, rules = state.grids[seat], action.places[0], state.rules
    cards, limit = grid.cards, rules.max_turns_per_seat
    one, other = COLUMN_MATES[place]
    if (
        not (grid.hidden | grid.open) >> place & 1
        or (cards[one] == card and cards[other] == card)
        or rules.remove_rows
        or (limit is not None and state.turns[seat] + 1 >= limit)
    ):
        return None
    return PLACED[seat][place][card], DISCARDED[seat][cards[place]]


def swapped(state: State, version: int, placed: Placed, discarded: Discarded) -> State:
    """The state after such a turn."""
    seat, place, pile = placed.seat, placed.place, state.discard_pile
    if state.phase is _TURN:
        pile = pile[:-1]
    pile += (discarded.card,)
    grids, turns = list(state.grids), list(state.turns)
    grid = grids[seat]
    cards, bit = list(grid.cards), 1 << place
    cards[place] = placed.card
    hidden = grid.hidden & ~bit
    grids[seat] = quick_grid(tuple(cards), hidden, grid.open | bit)
    turns[seat] += 1
    after: Any = StateSlots()
    after.rules = state.rules
    after.version = version
    after.round = state.round
    after.phase = _TURN
    after.turn = (seat + 1) % len(turns)
    after.grids = tuple(grids)
    after.pile = state.pile
    after.taken = state.taken
    after.discard_pile = pile
    after.hand = None
    after.chosen = state.chosen
    after.opener = state.opener
    after.ender = seat if not hidden and state.ender is None else state.ender
    after.turns = tuple(turns)
    after.reshuffles = state.reshuffles
    after.rounds = state.rounds
    after.left = state.left
    after.ranks = state.ranks
    after.__class__ = State
    evolved: State = after
    return evolved
