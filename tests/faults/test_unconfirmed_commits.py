"""A commit that no standby has confirmed is acknowledged to nobody, neither at once nor to a repeated request: case 26.

The database asks for a standby that does not exist, so that every commit waits; whoever waits is cancelled or ended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest

from skyjo import Decision
from skyjo_client import Client
from tests.faults.administrator import Administrator
from tests.faults.lines import Answer, Line
from tests.faults.playing import Account, new_game, on_move, register
from tests.faults.serving import RunningService
from tests.faults.waiting import LONGEST_SECONDS

COMMITS, REPLAYS, LOOKS_FOR_ITS_OWN = "SET version = m.version", "UPDATE submissions", "SET version = g.version"
"""What tells the statements apart that play a move, tell its answer again, and look for it after a lost connection."""


@pytest.fixture
def standby_missing(administrator: Administrator) -> Iterator[Callable[[], None]]:
    """From now on every commit waits, until this is called."""
    administrator.require_standby()
    yield administrator.lift_requirement
    administrator.lift_requirement()


@pytest.fixture
def game_on(running: RunningService) -> tuple[Account, Decision]:
    """A game, as the bot that is awaited sees it. To be asked for before the standby is missing."""
    accounts = register(running.url, 2)
    return on_move(running.url, accounts, new_game(running.url, accounts))


Send = Callable[[Line, Decision], Answer]


def alone(line: Line, seen: Decision) -> Answer:
    """Play one action."""
    return line.play(seen.game, seen.version, str(seen.legal_actions[0]), "the-key")


def in_a_batch(line: Line, seen: Decision) -> Answer:
    """Play one action among the turns of all games."""
    action = {"game": seen.game, "version": seen.version, "action": str(seen.legal_actions[0]), "key": "the-key"}
    return line.post("/v1/turns", {"actions": [action]})


@contextmanager
def sender(
    running: RunningService, account: Account, send: Callable[[Line], Answer]
) -> Iterator[Callable[[], Future[Answer]]]:
    """Something that sends the same request each time, in the background."""

    def once() -> Answer:
        with Line(running.port, account.token) as line:
            return send(line)

    with ThreadPoolExecutor(4) as pool:
        yield lambda: pool.submit(once)


def assert_unconfirmed(answer: Future[Answer]) -> None:
    got = answer.result(LONGEST_SECONDS)
    assert (got.status, got.json["type"]) == (503, "urn:skyjo:problem:unavailable")
    assert int(got.headers["retry-after"]) >= 1


@pytest.mark.parametrize("send", [alone, in_a_batch])
def test_a_move_whose_commit_is_cancelled_is_acknowledged_only_when_it_is_confirmed(
    running: RunningService,
    administrator: Administrator,
    game_on: tuple[Account, Decision],
    standby_missing: Callable[[], None],
    send: Send,
) -> None:
    account, seen = game_on
    with sender(running, account, lambda line: send(line, seen)) as start:
        first = start()
        administrator.cancel(administrator.await_backend(COMMITS, "SyncRep", first))
        assert_unconfirmed(first)
        again = start()
        administrator.cancel(administrator.await_backend(REPLAYS, "SyncRep", again))
        assert_unconfirmed(again)
        at_last = start()
        administrator.await_backend(REPLAYS, "SyncRep", at_last)
        standby_missing()
        answer = at_last.result(LONGEST_SECONDS)
    assert_first_answer(running, account, seen, answer)


def test_a_move_whose_connection_is_ended_in_its_commit_is_acknowledged_only_when_it_is_confirmed(
    running: RunningService,
    administrator: Administrator,
    game_on: tuple[Account, Decision],
    standby_missing: Callable[[], None],
) -> None:
    account, seen = game_on
    with sender(running, account, lambda line: alone(line, seen)) as start:
        answer = start()
        administrator.terminate(administrator.await_backend(COMMITS, "SyncRep", answer))
        administrator.await_backend(LOOKS_FOR_ITS_OWN, "SyncRep", answer)
        standby_missing()
        got = answer.result(LONGEST_SECONDS)
    assert_first_answer(running, account, seen, got)


def test_a_game_whose_creation_is_cancelled_is_acknowledged_only_when_it_is_confirmed(
    running: RunningService,
    administrator: Administrator,
    game_on: tuple[Account, Decision],
    standby_missing: Callable[[], None],
) -> None:
    account, _ = game_on
    seats = [{"kind": "bot", "bot": account.id}, {"kind": "open"}]

    def create(line: Line) -> Answer:
        return line.post("/v1/games", {"seats": seats}, Idempotency_Key="a-game")

    with sender(running, account, create) as start:
        first = start()
        administrator.cancel(administrator.await_backend("COMMIT", "SyncRep", first))
        assert_unconfirmed(first)
        at_last = start()
        administrator.await_backend("COMMIT", "SyncRep", at_last)
        standby_missing()
        answer = at_last.result(LONGEST_SECONDS)
    assert answer.status == 201
    with Client(running.url) as client:
        assert [game.id for game in client.games.list(bot=account.id, limit=1).items] == [answer.json["id"]]


def assert_first_answer(running: RunningService, account: Account, seen: Decision, answer: Answer) -> None:
    """See that the answer is what the move led to, and that it was played once."""
    assert answer.status == 200
    with Client(running.url, account.token) as client:
        now = client.games.view(seen.game)
    assert now.version == seen.version + 1
    told: Any = answer.json
    if "results" in told:
        (result,) = told["results"]
        assert (result["status"], result["version"]) == ("accepted", now.version)
    else:
        assert Decision.from_dict(told) == now
