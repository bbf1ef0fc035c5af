"""File locks that die with their holders; nothing here reads or writes the files.

An advisory `flock` belongs to the open file: the kernel frees it when the last process that has the file open ends,
however it ends. So a lock is never stale, and needs no process id, which another process could have by now.
Source: flock(2).
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

POLL_SECONDS = 0.02
"""How often a wait for a lock looks again: `flock` itself knows no time limit."""


def try_lock(path: Path) -> int | None:
    """Take the lock on a file, made if missing.

    Returns:
        The open descriptor that holds the lock, or None while somebody else has it.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


@contextmanager
def held(path: Path, timeout_seconds: float) -> Iterator[None]:
    """Hold the lock on a file for a block.

    Raises:
        TimeoutError: if somebody else kept it for that long.
    """
    descriptor = _wait_for(path, timeout_seconds)
    try:
        yield
    finally:
        # Unlocking, not just closing: a child forked meanwhile has the same open file and would keep the lock.
        fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)


def _wait_for(path: Path, timeout_seconds: float) -> int:
    deadline = time.monotonic() + timeout_seconds
    while (descriptor := try_lock(path)) is None:
        if time.monotonic() > deadline:
            raise TimeoutError(path)
        time.sleep(POLL_SECONDS)
    return descriptor
