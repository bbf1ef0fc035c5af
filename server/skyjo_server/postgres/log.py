"""The log of the embedded PostgreSQL and its supervisor, in one file: opened, kept short, quoted. It words nothing."""

from __future__ import annotations

import os
import shutil
from typing import Final

from skyjo_server.postgres.home import Home

LIMIT_BYTES: Final = 16 * 1024 * 1024
_TAIL_BYTES: Final = 16 * 1024


def open_log(home: Home) -> int:
    """Open the log for appending; the caller closes the descriptor."""
    return os.open(home.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)


def rotate_log(home: Home) -> None:
    """Move a log past its limit aside as `postgres.log.1`, and go on with an empty one.

    Copied and cut, not renamed, because a running server has it open; it appends, so it goes on at the new end.
    """
    if not home.log.exists() or home.log.stat().st_size <= LIMIT_BYTES:
        return
    old = home.log.with_name("postgres.log.1")
    old.unlink(missing_ok=True)
    descriptor = os.open(old, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as copy, home.log.open("r+b") as log:
        shutil.copyfileobj(log, copy)
        log.truncate(0)


def log_tail(home: Home, start: int = 0, lines: int = 15) -> str:
    """Give the log's last lines, none written before byte `start`."""
    try:
        with home.log.open("rb") as log:
            log.seek(max(start, log.seek(0, os.SEEK_END) - _TAIL_BYTES))
            text = log.read().decode("utf-8", "replace")
    except OSError:
        return "(no log)"
    return "\n".join(text.splitlines()[-lines:]) or "(the log is empty)"
