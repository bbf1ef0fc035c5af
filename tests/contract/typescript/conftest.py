"""The running service, for the client in TypeScript."""

from __future__ import annotations

from tests.contract.running import running

__all__ = ["running"]
