"""Keeping time going: a thread of each process that notes that the service is alive, and sweeps what is overdue.

Any number of processes may do so at once; which of them is first is decided by the commit.
"""

from __future__ import annotations

import threading
from typing import Final

from skyjo_server.service.errors import ServiceError
from skyjo_server.service.play import Play
from skyjo_server.service.ports import GameLog

PAUSE_SECONDS: Final = 0.5
GAMES_AT_ONCE: Final = 64


class Sweeper:
    """Sweeps overdue seats, and credits downtime.

    Args:
        log: where heartbeats are noted.
        play: plays what is due.
    """

    def __init__(self, log: GameLog, play: Play) -> None:
        self._log = log
        self._play = play
        self._stopping = threading.Event()

    def start(self) -> None:
        """Sweep in a thread of its own until closed."""
        threading.Thread(target=self._run, name="sweeper", daemon=True).start()

    def close(self) -> None:
        """Stop sweeping."""
        self._stopping.set()

    def turn(self) -> int:
        """Credit downtime, then sweep once; gives how many games that touched.

        The order matters: what ran out while nobody could play is given back before anything is swept.
        """
        self._log.beat()
        return self._play.sweep(GAMES_AT_ONCE)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                swept = self.turn()
            except ServiceError:
                swept = 0  # the database is away: it is tried again after the pause
            if swept < GAMES_AT_ONCE:
                self._stopping.wait(PAUSE_SECONDS)
