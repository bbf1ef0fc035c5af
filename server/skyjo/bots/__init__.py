"""The house bots: opponents that are always there. Pure like the rules; their chance is handed in.

A bot sees a :class:`skyjo.Decision` and nothing else. ``HOUSE_BOTS[name](stream)`` is one for one game; none of them
remembers anything from one decision to the next but its place in the stream.

>>> from skyjo.shuffle import WordStream
>>> from skyjo import FairChance, RuleSet, decision, evolve, initial_state, start
>>> table = evolve(initial_state(RuleSet(), 2), start(RuleSet(), 2, FairChance(bytes(32))))
>>> bot = HOUSE_BOTS["random"](WordStream(b"key", b"x"))
>>> str(bot.choose(decision(table, 0)))
'flip c1 d1'
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from skyjo.bots.bot import Bot, RandomStream
from skyjo.bots.greedy import Greedy, evaluate
from skyjo.bots.threshold import Threshold
from skyjo.bots.uniform import Uniform

__all__ = ["HOUSE_BOTS", "Bot", "RandomStream", "evaluate"]

HOUSE_BOTS: Final[dict[str, Callable[[RandomStream], Bot]]] = {
    "random": Uniform,
    "threshold": Threshold,
    "greedy": Greedy,
}
"""By name, what makes the bot for one game."""
