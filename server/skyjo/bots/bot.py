"""What a bot is, and what a house bot gets to be one. Plays nothing."""

from __future__ import annotations

from typing import Protocol

from skyjo.actions import Action
from skyjo.view import Decision


class RandomStream(Protocol):
    """Where a house bot's own chance comes from; :class:`skyjo.shuffle.WordStream` is one."""

    def uniform(self, n: int) -> int:
        """A whole number from 0 to n - 1, each equally likely."""


class Bot(Protocol):
    """Chooses actions for one seat."""

    def choose(self, decision: Decision) -> Action:
        """One of the decision's legal actions."""
