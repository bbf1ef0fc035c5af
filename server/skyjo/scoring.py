"""Points: what a round scores, when a game is over, who ranks where. Sees sums, never cards."""

from __future__ import annotations

from collections.abc import Sequence

from skyjo.facts import RoundScored
from skyjo.rules import RuleSet


def final_scores(rules: RuleSet, raw: Sequence[int], ender: int | None) -> tuple[int, ...]:
    """Points of a round after the ender's penalty.

    Args:
        rules: the options.
        raw: sum of each seat's grid.
        ender: who ended the round; None = nobody, and nobody is doubled.
    Source: rule 24.

    >>> final_scores(RuleSet(), [10, 24, 10], 0)
    (20, 24, 10)
    """
    scores = list(raw)
    if ender is not None and _penalised(rules, raw, ender):
        scores[ender] *= rules.ender_multiplier
    return tuple(scores)


def _penalised(rules: RuleSet, raw: Sequence[int], ender: int) -> bool:
    own = raw[ender]
    best_other = min(score for seat, score in enumerate(raw) if seat != ender)
    beaten = own >= best_other if rules.double_on_tie else own > best_other
    return beaten and (own > 0 or rules.double_non_positive)


def game_is_over(rules: RuleSet, scored: RoundScored) -> bool:
    """Say whether a game ends with this round (rule 26)."""
    if rules.score_limit is not None and max(scored.totals) >= rules.score_limit:
        return True
    return rules.max_rounds is not None and scored.round >= rules.max_rounds


def ranks(totals: Sequence[int], left: Sequence[bool]) -> tuple[int, ...]:
    """Ranks by seat: lowest total first, equal totals share, seats that left below all that stayed.

    Source: rules 27 and 31.

    >>> ranks([5, 5, 9], [False] * 3), ranks([13, 96, 44], [True, True, False])
    ((1, 1, 3), (2, 3, 1))
    """
    keys = list(zip(left, totals, strict=True))
    return tuple(1 + sum(other < key for other in keys) for key in keys)
