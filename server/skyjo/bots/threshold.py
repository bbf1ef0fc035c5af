"""The bot `threshold`: takes low cards, and gets rid of its highest open ones. Counts nothing, looks at nobody else."""

from __future__ import annotations

from typing import Final

from skyjo.actions import Action, Verb
from skyjo.bots.bot import RandomStream
from skyjo.legal import LegalActions
from skyjo.places import PLACES, Place
from skyjo.state import Phase
from skyjo.view import Decision, SeatView

LOW: Final = 2
"""The highest card that it takes, and that it puts on a hidden place. With it, two such seats score 14 raw points a
round in rounds of 71 actions, and need 5.2 rounds a game (2,000 games)."""


class Threshold:
    """Takes the discard if it is low, else draws.

    The card goes on the highest open card if that one is higher; else, if the card is low, on the first hidden place;
    else it is rejected, and the first hidden card is turned up. Initial flips are the first places.
    """

    __slots__ = ()

    def __init__(self, stream: RandomStream) -> None:
        """It leaves nothing to chance: the stream stays unread."""

    def choose(self, decision: Decision) -> Action:
        """The only action that it has for this decision."""
        if decision.phase is Phase.FLIP:
            return decision.legal_actions[0]
        if decision.phase is Phase.DRAWN:
            return _settle(decision)
        return _take_or_draw(decision)


def _take_or_draw(decision: Decision) -> Action:
    card = decision.discard_pile[-1]
    draw = Action.draw()
    if card > LOW and draw in decision.legal_actions:
        return draw
    place = _place_for(card, decision.own)
    return _first(decision.legal_actions, Verb.TAKE) if place is None else Action.take(place)


def _settle(decision: Decision) -> Action:
    assert decision.drawn is not None  # noqa: S101 - in this phase its drawer sees the drawn card
    place = _place_for(decision.drawn, decision.own)
    return _first(decision.legal_actions, Verb.REJECT) if place is None else Action.keep(place)


def _place_for(card: int, own: SeatView) -> Place | None:
    """Where the card improves the grid or is welcome; None if nowhere."""
    highest, hidden = None, None
    most = card
    for place in PLACES:
        cell = own.card(place)
        if cell is None:
            hidden = place if hidden is None else hidden
        elif isinstance(cell, int) and cell > most:
            highest, most = place, cell
    return hidden if highest is None and card <= LOW else highest


def _first(actions: LegalActions, verb: Verb) -> Action:
    return next(action for action in actions if action.verb is verb)
