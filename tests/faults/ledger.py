"""What bots were told, in a file that outlives any process: each acknowledgement is on the disk before play goes on."""

from __future__ import annotations

import json
import os
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import psycopg

from skyjo_client import Played, RunEvent


@dataclass(frozen=True)
class Acknowledgement:
    """An action that the service has said to have accepted."""

    game: str
    version: int
    key: str
    answered: int
    action: str


class Ledger:
    """A file of acknowledgements.

    Attributes:
        count: how many there are.
    """

    def __init__(self, path: Path) -> None:
        self.count = 0
        self._lock = threading.Lock()
        self._path = path
        self._file = path.open("a")

    def note(self, event: RunEvent) -> None:
        """Write down an action that was accepted; anything else is not its business."""
        if isinstance(event, Played):
            sent = event.submission
            assert event.version is not None
            line = Acknowledgement(sent.game, event.version, sent.key, sent.version, str(sent.action))
            with self._lock:
                self._file.write(f"{json.dumps(asdict(line))}\n")
                self._file.flush()
                os.fsync(self._file.fileno())
                self.count += 1

    def read(self) -> Iterator[Acknowledgement]:
        """Give what is in the file."""
        with self._path.open() as file:
            for line in file:
                yield Acknowledgement(**json.loads(line))

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def logged(conninfo: str) -> list[Acknowledgement]:
    """Give every submission of bots that is in the log, with the event that it became."""
    query = """
        SELECT game_id::text, e.version, s.key, s.sent_version, e.action
        FROM events e LEFT JOIN submissions s USING (game_id, seat, version)
        WHERE e.cause = 'player' AND e.seat IS NOT NULL
    """
    with psycopg.connect(conninfo) as connection:
        return [Acknowledgement(*row) for row in connection.execute(query)]


def assert_nothing_lost_and_nothing_double(ledger: Ledger, conninfo: str) -> None:
    """Hold the file against the log, when all unknowns are resolved: both have the same, and each thing once."""
    told, found = Counter(ledger.read()), Counter(logged(conninfo))
    assert not (lost := told - found), f"acknowledged, but not in the log: {sorted(map(str, lost))}"
    assert not (double := found - told), f"in the log more often than acknowledged: {sorted(map(str, double))}"
    assert set(found.values()) == {1}
    assert len({(line.game, line.version) for line in found}) == len(found)
    assert len({(line.game, line.key) for line in found}) == len(found)
