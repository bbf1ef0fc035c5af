"""Matches between house bots, on numbered shuffles, for the tests of their strength. Asserts nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from skyjo import Phase, RuleSet, decision
from skyjo.bots import HOUSE_BOTS
from skyjo.facts import RoundScored
from skyjo.twin import Twin
from tests.strategies import action_stream, fair_chance


@dataclass(frozen=True, slots=True)
class Match:
    """Games of the first named bot against the others, every shuffle played once from each seat.

    Attributes:
        shares: by game, 1 for a game that the first bot won alone, a part of it for one that it shared, else 0.
        rounds: by game, its rounds.
        seats: by game, the first bot's seat.
    """

    shares: Sequence[float]
    rounds: Sequence[Sequence[RoundScored]]
    seats: Sequence[int]

    @property
    def won(self) -> float:
        """The first bot's part of all wins."""
        return sum(self.shares) / len(self.shares)

    @property
    def rounds_a_game(self) -> float:
        """Rounds, on average."""
        return sum(map(len, self.rounds)) / len(self.rounds)

    def raw_scores(self) -> Iterator[int]:
        """The first bot's raw scores, round by round."""
        for seat, rounds in zip(self.seats, self.rounds, strict=True):
            yield from (scored.raw[seat] for scored in rounds)

    @property
    def raw_a_round(self) -> float:
        """The first bot's raw score, on average."""
        scores = list(self.raw_scores())
        return sum(scores) / len(scores)


CLASSIC: Final = RuleSet.preset("classic")


@cache
def match(names: tuple[str, ...], games: int, rules: RuleSet = CLASSIC) -> Match:
    """So many games of these bots, seats rotated from game to game."""
    shares, rounds, seats = [], [], []
    for game in range(games):
        seat = game % len(names)
        turned = names[len(names) - seat :] + names[: len(names) - seat]
        table = played(turned, game // len(names), rules)
        best = min(table.totals)
        shares.append((table.totals[seat] == best) / table.totals.count(best))
        rounds.append(tuple(table.rounds))
        seats.append(seat)
    return Match(shares, rounds, seats)


def played(names: Sequence[str], seed: int, rules: RuleSet, actions: int = 20_000) -> Twin:
    """A numbered game of these bots, one a seat, played to its end, or for so many actions."""
    table = Twin(rules, len(names), fair_chance(seed, rules))
    stream = action_stream(seed)
    bots = [HOUSE_BOTS[name](stream) for name in names]
    while table.phase is not Phase.OVER and table.version < actions:
        seat = table.to_act[0]
        table.play(seat, bots[seat].choose(decision(table, seat)))
    return table
