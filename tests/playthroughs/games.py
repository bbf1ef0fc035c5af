"""The games whose playthroughs are kept: which rules, how many seats, which cards, who leaves. Writes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from skyjo import PRESETS, Chance, RuleSet
from tests.strategies import Habits, PlayedGame, RunsChance, action_stream, fair_chance, play

STEPS_MAX: Final = 2_000

FAIR_PLAY: Final = Habits()

HOUSE: Final = {
    "house-rows": RuleSet(
        remove_rows=True, initial_flips=6, final_removal="never", double_non_positive=True, max_rounds=3
    ),
    "house-random": RuleSet(
        initial_flips=3,
        initial_flip_choice="random",
        first_starter="random",
        starter_tie="random",
        next_starter="highest_sum",
        ender_multiplier=3,
        max_rounds=3,
    ),
    "house-streams": RuleSet(draw_streams="per_seat", next_starter="rotate", max_turns_per_seat=9, max_rounds=2),
    "house-blind": RuleSet(initial_flips=0, remove_columns=False, flip_after_reject="optional", max_rounds=2),
}
"""Rules that the presets leave out."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One kept game.

    Attributes:
        name: of its file, without the ending.
        rules: the options.
        seats: how many.
        span: how strongly its shuffles bring equal cards together; 1 = fair.
        habits: how its seats act.
    """

    name: str
    rules: RuleSet
    seats: int
    span: int = 1
    habits: Habits = FAIR_PLAY

    def played(self) -> PlayedGame:
        """The game, from its deal to its end."""
        seed = sum(self.name.encode())
        chance: Chance = fair_chance(seed) if self.span == 1 else RunsChance(seed.to_bytes(32, "big"), self.span)
        return play(self.rules, self.seats, chance, action_stream(seed), STEPS_MAX, self.habits)


def kept_games() -> Iterator[Kept]:
    """All of them: each preset with every number of seats, and some house rules with timeouts and leavers."""
    for preset, rules in PRESETS.items():
        for seats in range(2, 9):
            # Half of them with cards that make columns likely.
            yield Kept(
                f"{preset}-{seats}", replace(rules, score_limit=None, max_rounds=2), seats, span=1 + seats % 2 * 29
            )
    yield Kept("house-rows-3", HOUSE["house-rows"], 3, span=75)
    yield Kept("house-random-4", HOUSE["house-random"], 4, span=30)
    yield Kept("house-streams-5", HOUSE["house-streams"], 5, habits=Habits("stalling"))
    yield Kept("house-blind-2", HOUSE["house-blind"], 2)
    yield Kept("timeouts-3", RuleSet(max_rounds=1), 3, habits=Habits(timeout_one_in=3))
    yield Kept("leavers-5", RuleSet(max_rounds=2), 5, habits=Habits(leave_one_in=25))
