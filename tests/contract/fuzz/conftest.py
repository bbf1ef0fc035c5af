"""The running service, for whatever is thrown at it."""

from __future__ import annotations

from tests.contract.running import running

__all__ = ["running"]

collect_ignore = ["hooks.py"]
