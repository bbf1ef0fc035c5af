"""How a round begins: the dealt grids, the first flips, and who opens. Deals nothing itself."""

from __future__ import annotations

from collections.abc import Sequence

from skyjo.cards import GRID_SIZE, SEATS_MIN
from skyjo.facts import RoundScored
from skyjo.places import Place
from skyjo.rules import RuleSet
from skyjo.shuffle import Chance
from skyjo.state import Grid


def dealt_grids(cards: Sequence[int], seats: int) -> tuple[Grid, ...]:
    """The grids of a deal, all face down: twelve cards a seat, in seat order."""
    return tuple(Grid(tuple(cards[seat * GRID_SIZE : (seat + 1) * GRID_SIZE])) for seat in range(seats))


def with_flips(grids: Sequence[Grid], chosen: Sequence[tuple[Place, ...] | None]) -> tuple[Grid, ...]:
    """The grids with each seat's choice turned up; None = has not chosen."""
    return tuple(
        grid.with_flipped(sum(1 << place for place in places or ())) for grid, places in zip(grids, chosen, strict=True)
    )


def chance_opener(
    rules: RuleSet,
    round_: int,
    rounds: Sequence[RoundScored],
    previous: int | None,
    grids: Sequence[Grid],
    chance: Chance,
) -> int | None:
    """The seat that chance chooses to open the round, None where the rules settle it without chance."""
    candidates, by_chance = opener_candidates(rules, round_, rounds, previous, grids)
    if not by_chance or len(candidates) < SEATS_MIN:
        return None
    return candidates[chance.starter(round_, len(candidates))]


def opener_candidates(
    rules: RuleSet, round_: int, rounds: Sequence[RoundScored], previous: int | None, grids: Sequence[Grid]
) -> tuple[Sequence[int], bool]:
    """Who may open the round, the first of them unless chance decides. Source: rules 7 and 8."""
    seats = len(grids)
    how = rules.first_starter if round_ == 1 else rules.next_starter
    if how == "random":
        return range(seats), True
    if how == "highest_sum":
        sums = [grid.open_sum() for grid in grids]
        best = max(sums)
        return [seat for seat in range(seats) if sums[seat] == best], rules.starter_tie == "random"
    if how == "lowest_seat":
        return (0,), False
    last = rounds[-1]
    if how == "rotate" or last.ender is None:
        return (((previous or 0) + 1) % seats,), False
    if how == "ender":
        return (last.ender,), False
    clockwise = [(last.ender + step) % seats for step in range(seats)]
    return (min(clockwise, key=lambda seat: last.final[seat]),), False
