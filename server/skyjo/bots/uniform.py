"""The bot `random`: every legal action is as likely as any other. Knows no rule and has no plan."""

from __future__ import annotations

from skyjo.actions import Action
from skyjo.bots.bot import RandomStream
from skyjo.view import Decision


class Uniform:
    """Plays uniformly at random.

    A choice of initial flips counts as one action for each set of places.
    """

    __slots__ = ("_stream",)

    def __init__(self, stream: RandomStream) -> None:
        self._stream = stream

    def choose(self, decision: Decision) -> Action:
        """Any of the legal actions; there must be one."""
        actions = decision.legal_actions
        return actions[self._stream.uniform(len(actions))]
