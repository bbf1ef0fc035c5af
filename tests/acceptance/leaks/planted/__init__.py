"""Leaks that a service like this one might have, each planted by replacing a function of ours. Tests nothing itself.

Replacing functions is not how anything else is tested here. It is done for this alone: to show that the comparison of
two worlds finds each of these faults. Most of them are one careless line.
"""

from tests.acceptance.leaks.planted import in_events, in_lists, in_play, in_refusals, in_views
from tests.acceptance.leaks.planted.plants import Plant

PLANTS: tuple[Plant, ...] = tuple(
    planted for module in (in_views, in_refusals, in_events, in_lists, in_play) for planted in module.PLANTS
)
"""All of them."""

__all__ = ["PLANTS", "Plant"]
