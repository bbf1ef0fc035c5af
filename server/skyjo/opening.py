"""How a round begins: the dealt grids, the first flips, and who opens. Deals nothing itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from skyjo.cards import GRID_SIZE, SEATS_MIN
from skyjo.facts import RoundScored
from skyjo.places import Place
from skyjo.rules import FirstStarter, NextStarter, RuleSet
from skyjo.shuffle import Chance
from skyjo.state import ALL_PLACES, Grid, mask_of, quick_grid


class OpenCards(Protocol):
    """A grid as far as who opens depends on it."""

    def open_sum(self) -> int:
        """Sum of the open cards."""


def dealt_grids(cards: Sequence[int], seats: int) -> tuple[Grid, ...]:
    """The grids of a deal, all face down: twelve cards a seat, in seat order."""
    starts = range(0, seats * GRID_SIZE, GRID_SIZE)
    return tuple([quick_grid(tuple(cards[start : start + GRID_SIZE]), ALL_PLACES, 0) for start in starts])


def with_flips(grids: Sequence[Grid], chosen: Sequence[tuple[Place, ...] | None]) -> tuple[Grid, ...]:
    """The grids with each seat's choice turned up; None = has not chosen."""
    return tuple([grid.with_flipped(mask_of(places or ())) for grid, places in zip(grids, chosen, strict=True)])


def chance_opener(
    rules: RuleSet,
    round_: int,
    rounds: Sequence[RoundScored],
    previous: int | None,
    grids: Sequence[OpenCards],
    chance: Chance,
) -> int | None:
    """The seat that chance chooses to open the round, None where the rules settle it without chance."""
    if not may_open_by_chance(rules, round_):
        return None
    candidates = opener_candidates(rules, round_, rounds, previous, grids)
    return candidates[chance.starter(round_, len(candidates))] if len(candidates) >= SEATS_MIN else None


def may_open_by_chance(rules: RuleSet, round_: int) -> bool:
    """Say whether chance opens the round if there are several candidates (rules 7 and 8)."""
    how = _starter(rules, round_)
    return how == "random" or (how == "highest_sum" and rules.starter_tie == "random")


def opener_candidates(
    rules: RuleSet, round_: int, rounds: Sequence[RoundScored], previous: int | None, grids: Sequence[OpenCards]
) -> Sequence[int]:
    """Who may open the round, the first of them unless chance decides. Source: rules 7 and 8."""
    seats = len(grids)
    how = _starter(rules, round_)
    if how == "random":
        return range(seats)
    if how == "highest_sum":
        sums = [grid.open_sum() for grid in grids]
        best = max(sums)
        return [seat for seat in range(seats) if sums[seat] == best]
    if how == "lowest_seat":
        return (0,)
    last = rounds[-1]
    if how == "rotate" or last.ender is None:
        return (((previous or 0) + 1) % seats,)
    if how == "ender":
        return (last.ender,)
    clockwise = [(last.ender + step) % seats for step in range(seats)]
    return (min(clockwise, key=lambda seat: last.final[seat]),)


def _starter(rules: RuleSet, round_: int) -> FirstStarter | NextStarter:
    return rules.first_starter if round_ == 1 else rules.next_starter
