"""What a seat knows at a decision: which cards are still unseen, and where everybody stands. Weighs nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from skyjo.bots.columns import CARDS, HIDDEN_IN, OPEN_IN, SHARES, STATE_OF
from skyjo.cards import COPIES
from skyjo.view import Decision

THROWN_AWAY: Final = 0.5
"""How often others throw away a card that a pair waits for, in parts of how often a full deck brings it. Against the
same bot with this figure, one with 0 loses 0.5 points a round, with 1 it loses 0.2 (12,800 two-player games each)."""

_COPIES: Final = tuple(COPIES[card] for card in CARDS)
_PER_SHARE: Final = tuple(1 / share for share in SHARES)


class Knowledge:
    """A decision as its seat reads it, alive for one choice only.

    Cards that were reshuffled into the draw pile are unseen again: unseen is whatever lies nowhere in the open.

    Attributes:
        seat: the seat that reads.
        clockwise: all seats in playing order, this one first.
        states: by seat, the states of its four columns.
        hidden: by seat, how many cards lie face down.
        ender: the seat that has ended the round; None if nobody has.
        chance: by card, how likely an unseen card is it.
        surplus: by symbol, by how much likelier than from a full deck the card will come, by a draw or because others
            throw it away: 0 = as likely, 0.5 = half as much again. Of NO_CARD there is none.
    """

    __slots__ = ("chance", "clockwise", "ender", "hidden", "seat", "states", "surplus")

    def __init__(self, decision: Decision) -> None:
        seats = decision.seats
        self.seat: int = decision.seat or 0
        self.clockwise: Sequence[int] = (*range(self.seat, len(seats)), *range(self.seat))
        self.states: Sequence[Sequence[int]] = [[STATE_OF[column] for column in seat.columns] for seat in seats]
        self.hidden: Sequence[int] = [sum([HIDDEN_IN[state] for state in states]) for states in self.states]
        self.ender: int | None = self._ender()
        self._count(decision)

    def _ender(self) -> int | None:
        """The first seat clockwise with nothing hidden: all between the ender and this one have played their last."""
        return next((seat for seat in self.clockwise[1:] if not self.hidden[seat]), None)

    def _count(self, decision: Decision) -> None:
        seen = [card for states in self.states for state in states for card in OPEN_IN[state]]
        seen += decision.discard_pile
        if decision.drawn is not None:
            seen.append(decision.drawn)
        counts = Counter(seen)
        unseen = [copies - counts[card] for copies, card in zip(_COPIES, CARDS, strict=True)]
        total = sum(unseen)
        self.chance: Sequence[float] = [left / total for left in unseen] if total else list(SHARES)
        # During the last lap nobody throws away for the others any more.
        base = (THROWN_AWAY if self.ender is None else 0.0) - 1.0
        self.surplus = [chance * per + base for chance, per in zip(self.chance, _PER_SHARE, strict=True)]
        self.surplus.append(0.0)
