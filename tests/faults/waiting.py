"""Awaiting what must come: a test fails when it does not, and goes on as soon as it does."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

LONGEST_SECONDS: Final = 60.0
"""Many times what anything here takes, on a busy machine too."""

_BETWEEN_SECONDS: Final = 0.01


def until(condition: Callable[[], bool], what: str, seconds: float = LONGEST_SECONDS) -> None:
    """Wait until a condition holds.

    Args:
        condition: is looked at again and again.
        what: what is awaited, for the message when it never comes.
        seconds: when to give up.
    """
    deadline = time.monotonic() + seconds
    between = threading.Event()
    while not condition():
        assert time.monotonic() < deadline, f"never came: {what}"
        between.wait(_BETWEEN_SECONDS)
