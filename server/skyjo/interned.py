"""The commonest facts, each of them made once: there are few seats, places and cards. Rules nothing."""

from __future__ import annotations

from typing import Final

from skyjo.cards import HIGHEST, LOWEST, SEATS_MAX
from skyjo.facts import Discarded, Drawn, Flipped, Placed
from skyjo.places import PLACES

_SEATS: Final = range(SEATS_MAX)
_CARDS: Final = (*range(HIGHEST + 1), *range(LOWEST, 0))
"""Every card at the index that it is: -2 and -1 stand last."""

PLACED: Final = [[[Placed(seat, place, card) for card in _CARDS] for place in PLACES] for seat in _SEATS]
"""By seat, place and card."""

FLIPPED: Final = [[[Flipped(seat, place, card) for card in _CARDS] for place in PLACES] for seat in _SEATS]
"""By seat, place and card."""

DISCARDED: Final = [[Discarded(seat, card) for card in _CARDS] for seat in _SEATS]
"""By seat and card."""

DRAWN: Final = [[Drawn(seat, card) for card in _CARDS] for seat in _SEATS]
"""By seat and card."""
