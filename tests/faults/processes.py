"""Children of a process and their connections, as Linux shows them in /proc. Starts and ends nothing."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

LISTENING, ESTABLISHED = "0A", "01"
"""States of a connection (include/net/tcp_states.h)."""


def children_of(pid: int) -> list[int]:
    """Give the children of a process, in the order of their birth."""
    found: set[int] = set()
    for task in Path(f"/proc/{pid}/task").iterdir():
        found.update(int(child) for child in (task / "children").read_text().split())
    return sorted(found)


def sockets_of(pid: int, port: int, state: str) -> int:
    """Count the TCP sockets of a process that stand at a local port in a state."""
    ours = set(_inodes(pid))
    lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    return sum(
        columns[1].endswith(f":{port:04X}") and columns[3] == state and columns[9] in ours
        for columns in map(str.split, lines)
    )


def unread_bytes(port: int) -> int:
    """Count the bytes that have arrived at a local port and that nobody has read."""
    lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    return sum(
        int(columns[4].partition(":")[2], 16)
        for columns in map(str.split, lines)
        if columns[1].endswith(f":{port:04X}") and columns[3] == ESTABLISHED
    )


def _inodes(pid: int) -> Iterator[str]:
    with contextlib.suppress(OSError):  # it has ended meanwhile
        for descriptor in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(OSError):
                target = str(descriptor.readlink())
                if target.startswith("socket:["):
                    yield target[len("socket:[") : -1]
