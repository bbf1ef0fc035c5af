"""Keeping one broken game or event from holding up all others: what fails is left alone for a while. Mends nothing."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Final
from uuid import UUID

import structlog

from skyjo_server.service.errors import ServiceError

REST_SECONDS: Final = 30.0

_LOG: Final = structlog.get_logger()


class Resting:
    """What failed lately, in this process.

    Args:
        what: what the ids are of, for the log.
        clock: gives seconds that never go back.
    """

    def __init__(self, what: str, clock: Callable[[], float] = monotonic) -> None:
        self._what = what
        self._clock = clock
        self._until: dict[UUID, float] = {}

    def attempt(self, key: UUID, work: Callable[[UUID], bool]) -> bool:
        """Do a piece of work, unless the same failed lately; says whether it did anything.

        A fault of the work itself is logged, and the work rests. A service that is away is told to whoever asked.

        Raises:
            ServiceError: as the work does.
        """
        if self._until.get(key, 0.0) > self._clock():
            return False
        self._until.pop(key, None)
        try:
            return work(key)
        except ServiceError:
            raise
        except Exception:  # noqa: BLE001 - whatever it is, the others go on
            _LOG.exception("left alone for a while", kind=self._what, id=str(key), seconds=REST_SECONDS)
            self._until[key] = self._clock() + REST_SECONDS
            return False
