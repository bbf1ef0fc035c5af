"""The running service, for the generated client in Python."""

from __future__ import annotations

from tests.contract.running import running

__all__ = ["running"]

collect_ignore = ["play.py"]
