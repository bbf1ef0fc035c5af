"""A broken game or event rests; the others go on."""

from __future__ import annotations

from uuid import UUID

import pytest

from skyjo_server.service.errors import Unavailable
from skyjo_server.service.resting import REST_SECONDS, Resting

BROKEN, WHOLE = UUID(int=1), UUID(int=2)


class Clock:
    """A clock that is put forward by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_what_fails_rests_for_a_while_and_holds_up_nobody() -> None:
    clock, tried = Clock(), list[UUID]()

    def work(key: UUID) -> bool:
        tried.append(key)
        return key == WHOLE or 1 // 0 > 0

    resting = Resting("game", clock)
    for _ in range(3):
        assert [resting.attempt(key, work) for key in (BROKEN, WHOLE)] == [False, True]
    assert tried.count(BROKEN) == 1
    assert tried.count(WHOLE) == 3
    clock.now = REST_SECONDS
    resting.attempt(BROKEN, work)
    assert tried.count(BROKEN) == 2


def test_a_service_that_is_away_is_nobodys_fault() -> None:
    def work(_: UUID) -> bool:
        raise Unavailable("the database is away")

    resting = Resting("game")
    for _ in range(2):
        with pytest.raises(Unavailable):
            resting.attempt(WHOLE, work)
