"""Runs a bot for a test, as its author would: a program of its own, which can be killed. It says what happens to it.

Called with the service's address, the bot's token and a seed. It says `asked GAME VERSION` for each decision that it is
given and `played GAME VERSION` for each action that was accepted. Before its first choice it waits for a line.
"""

from __future__ import annotations

import sys

from skyjo import Action, Decision
from skyjo_client import Played, RunEvent, run_bot
from tests.faults.playing import Moody


class Talkative:
    """A bot that says what it is asked."""

    def __init__(self, seed: int) -> None:
        self._bot = Moody(seed)
        self._waits = True

    def choose(self, decision: Decision) -> Action:
        """Choose for a decision."""
        print("asked", decision.game, decision.version, flush=True)
        if self._waits:
            self._waits = not sys.stdin.readline()
        return self._bot.choose(decision)


def tell(event: RunEvent) -> None:
    """Say that an action was accepted."""
    if isinstance(event, Played):
        print("played", event.submission.game, event.version, flush=True)


if __name__ == "__main__":
    url, token, seed = sys.argv[1:]
    run_bot(Talkative(int(seed)), url, token, until_done=True, on_event=tell)
