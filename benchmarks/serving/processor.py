"""Processor time: how much of it a load took, and where, as Linux tells. Puts no load on anything.

Rates say how fast it went on this machine in this minute; processor time says what it costs, and changes little when
others use the machine too.
"""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

_PROC: Final = Path("/proc")
_TICKS_PER_SECOND: Final = os.sysconf("SC_CLK_TCK")
_IDLE: Final = (3, 4)
"""Columns of /proc/stat in which a core does nothing: idle, and waiting for the disk."""
_CLOCKS: Final = 8
"""Columns of /proc/stat that add up to all of the time; those of guests are in them already."""


def is_told() -> bool:
    """Whether the system says how much processor time each process has used."""
    return (_PROC / "self" / "stat").exists() and (_PROC / "stat").exists()


@dataclass(frozen=True, slots=True)
class Spent:
    """Processor seconds, all since some beginning or all between two moments.

    Attributes:
        server: of the server under load, its workers included.
        database: of PostgreSQL, with all its backends.
        load: of the load generator, in this process or a child of it that has ended.
        busy: of the whole machine, as far as we may use it.
        all: of the same, idle time included.
    """

    server: float
    database: float
    load: float
    busy: float
    all: float

    @classmethod
    def so_far(cls, server: int | None, database: int) -> Self:
        """What was spent until now.

        Args:
            server: process of the server under load; None = pgbench talks to the database itself.
            database: process of PostgreSQL's postmaster.
        """
        busy, everything = _machine()
        kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN) if server is None else (resource.RUSAGE_SELF,)
        load = sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, kinds))
        return cls(0.0 if server is None else _tree(server), _tree(database), load, busy, everything)

    def since(self, earlier: Spent) -> Spent:
        """What was spent between two moments."""
        return Spent(
            self.server - earlier.server,
            self.database - earlier.database,
            self.load - earlier.load,
            self.busy - earlier.busy,
            self.all - earlier.all,
        )

    @property
    def ours(self) -> float:
        """What the load cost, on all sides."""
        return self.server + self.database + self.load

    @property
    def others(self) -> float:
        """The share of the machine that went to processes that have nothing to do with it."""
        return max(0.0, self.busy - self.ours) / self.all if self.all else 0.0


def _tree(root: int) -> float:
    """Seconds of a process, of all that it started, and of those of them that have ended."""
    return sum(_ticks(pid) for pid in _processes(root)) / _TICKS_PER_SECOND


def _processes(root: int) -> Iterator[int]:
    yield root
    for children in (_PROC / str(root) / "task").glob("*/children"):
        try:
            pids = children.read_text().split()
        except OSError:
            continue  # the thread has ended
        for pid in pids:
            yield from _processes(int(pid))


def _ticks(pid: int) -> int:
    """Ticks of a process and of its ended children: user and system time of both, columns 14 to 17 of proc(5)."""
    try:
        told = (_PROC / str(pid) / "stat").read_text()
    except OSError:
        return 0  # it has ended: its parent counts it
    return sum(map(int, told.rpartition(")")[2].split()[11:15]))


def _machine() -> tuple[float, float]:
    """Busy and all seconds of the cores that we may use."""
    cores = {f"cpu{number}" for number in os.sched_getaffinity(0)}
    busy = everything = 0
    for line in (_PROC / "stat").read_text().splitlines():
        name, *columns = line.split()
        if name in cores:
            ticks = [int(column) for column in columns[:_CLOCKS]]
            everything += sum(ticks)
            busy += sum(ticks) - sum(ticks[column] for column in _IDLE)
    return busy / _TICKS_PER_SECOND, everything / _TICKS_PER_SECOND
