"""Keeping the tables of play small: a thread of each process makes transcripts of games that are over. Plays nothing.

Any number of processes may do so at once. Each rests much longer than it works: nobody waits for this, and those who
play need the processor.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import Final

from skyjo_server.service.errors import ServiceError
from skyjo_server.service.ports import Archive

GAMES_AT_ONCE: Final = 4
PAUSE_SECONDS: Final = 5.0
REST: Final = 9.0
"""How many times as long as it has worked the thread rests: it takes a tenth of one processor at most."""

_DAY: Final = 86_400.0
_RECEIPTS_AT_ONCE: Final = 1000


@dataclass(frozen=True, slots=True)
class Keeping:
    """How games that are over are kept.

    Attributes:
        compact_after_seconds: how long a game has been over when it becomes a transcript.
        receipt_days: how long after its end the idempotency keys of a game are known.
    """

    compact_after_seconds: float = 3600
    receipt_days: float = 7


HOUSE_KEEPING: Final = Keeping()
"""How they are kept unless it is set otherwise."""


class Compactor:
    """Makes transcripts of games that have been over for long enough, and forgets what was sent in them later.

    Args:
        archive: where games are.
        keeping: how they are kept.
    """

    def __init__(self, archive: Archive, keeping: Keeping) -> None:
        self._archive = archive
        self._keeping = keeping
        self._stopping = threading.Event()

    def start(self) -> None:
        """Work in a thread of its own until closed."""
        threading.Thread(target=self._run, name="compactor", daemon=True).start()

    def close(self) -> None:
        """Stop working."""
        self._stopping.set()

    def turn(self, limit: int = GAMES_AT_ONCE) -> int:
        """Compact what is due, so many games at most; gives how many games that touched."""
        compacted = self._archive.compact(limit, self._keeping.compact_after_seconds)
        return compacted or self._archive.forget_receipts(_RECEIPTS_AT_ONCE, self._keeping.receipt_days * _DAY)

    def _run(self) -> None:
        while not self._stopping.is_set():
            began = time.monotonic()
            try:
                touched = self.turn()
            except ServiceError:
                touched = 0  # the database is away: it is tried again after the pause
            self._stopping.wait((time.monotonic() - began) * REST if touched else PAUSE_SECONDS)
