"""How long a round still lasts, and what it costs to wait: estimates from how far everybody is. Knows no cards."""

from __future__ import annotations

from typing import Final

from skyjo.rules import RuleSet

TURNS_MAX: Final = 8
"""Nothing is planned for later: each turn more costs a table. With 6 the bot loses 0.2 points a round to the same bot
with 8, with 12 it gains less than 0.1 (12,800 two-player games each)."""

WAITING: Final = 4.0
"""Points that it costs to let the round go on with one hidden card left: sooner or later somebody must open the last
card, and the others get a turn after that. Against the same bot with this figure, one with 0 loses 1.4 points a round,
with 2 it loses 0.4, with 6 it wins 0.1 (12,800 two-player games each). Two with 0 play rounds twice as long."""

PATIENCE: Final = 100
"""Events a seat and round, on average, after which waiting costs more and more. Under the presets, greedy seats need 30
to 40. Where an ender risks a hundredfold score, all would wait for each other: without a limit of turns, for ever."""


def turns_to_go(rules: RuleSet, seats: int, hidden: int) -> int:
    """Own turns after the present one, if nobody has ended the round.

    One for every hidden card of the seat that has the fewest, for a turn opens one at most; and some because a seat
    waits before it opens its last card, the longer the more seats there are of which only one is the lowest. A bot that
    leaves out the waiting loses 1.1 points a round to the same bot with it (12,800 two-player games), and two of those
    play rounds half as long again.

    Args:
        rules: a limit on a seat's turns cuts the estimate.
        seats: number of seats.
        hidden: hidden cards of the seat that has the fewest.

    >>> turns_to_go(RuleSet(), 2, 1), turns_to_go(RuleSet(), 8, 1), turns_to_go(RuleSet(max_turns_per_seat=1), 2, 9)
    (3, 6, 0)
    """
    turns = min(TURNS_MAX, hidden + 1 + (seats + 1) // 2)
    limit = rules.max_turns_per_seat
    return turns if limit is None else min(turns, limit - 1)


def waiting_cost(version: int, round_: int, seats: int) -> float:
    """Points that it costs a seat with one hidden card left to let the round go on.

    Args:
        version: number of the last event of the game.
        round_: 1, 2 ….
        seats: number of seats.

    >>> waiting_cost(150, 1, 2), waiting_cost(300, 1, 2)
    (4.0, 2504.0)
    """
    return WAITING + max(0.0, version / (round_ * seats) - PATIENCE) ** 2
