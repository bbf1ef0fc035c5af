"""Many clients answer the same version at once, on several workers: case 20.

`FAULTS_VERSIONS` in the environment sets for how many versions, in place of what fits a run of all tests.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import islice
from random import Random
from threading import Barrier

import pytest

from skyjo import Decision, RuleSet
from skyjo_client import Client
from tests.faults.lines import Answer, Line
from tests.faults.playing import Account, new_game, on_move, register
from tests.faults.processes import ESTABLISHED, sockets_of
from tests.faults.serving import WORKERS, RunningService

CLIENTS = 64
VERSIONS = int(os.environ.get("FAULTS_VERSIONS", "30"))
"""Versions that are contended for; every one is won once."""

ENDLESS = RuleSet(score_limit=None, max_rounds=100)


class Crowd:
    """So many clients, each with a connection of its own, that send at one moment."""

    def __init__(self, port: int, account: Account) -> None:
        self._barrier = Barrier(CLIENTS)
        self._lines = [Line(port, account.token) for _ in range(CLIENTS)]
        for line in self._lines:
            line.connect()

    def play(
        self, pool: ThreadPoolExecutor, game: str, seen: Decision, random: Random
    ) -> dict[str, tuple[str, Answer]]:
        """Let each client play an action of its own choice; give what it chose and what it was answered, by its key."""
        actions = [str(random.choice(list(seen.legal_actions))) for _ in self._lines]

        def contend(number: int) -> Answer:
            self._barrier.wait()
            return self._lines[number].play(game, seen.version, actions[number], f"{seen.version}-{number}")

        answers = pool.map(contend, range(CLIENTS))
        return {f"{seen.version}-{number}": (actions[number], answer) for number, answer in enumerate(answers)}

    def close(self) -> None:
        """Let go of all connections."""
        for line in self._lines:
            line.close()


@pytest.fixture
def accounts(running: RunningService) -> tuple[Account, ...]:
    return register(running.url, 2)


@pytest.fixture
def crowds(running: RunningService, accounts: tuple[Account, ...]) -> Iterator[dict[str, Crowd]]:
    """A crowd for each bot."""
    with ExitStack() as stack:
        made = {account.id: Crowd(running.port, account) for account in accounts}
        for crowd in made.values():
            stack.callback(crowd.close)
        yield made


def test_of_many_clients_that_answer_one_version_one_wins_and_the_others_learn_what_is_now(
    running: RunningService, accounts: tuple[Account, ...], crowds: dict[str, Crowd]
) -> None:
    game, random = new_game(running.url, accounts, ENDLESS), Random(4)
    won: list[str] = []
    with ThreadPoolExecutor(CLIENTS) as pool:
        for _ in range(VERSIONS):
            account, seen = on_move(running.url, accounts, game)
            answered = crowds[account.id].play(pool, game, seen, random)
            assert Counter(answer.status for _, answer in answered.values()) == {200: 1, 412: CLIENTS - 1}
            ((action, winner),) = [pair for pair in answered.values() if pair[1].status == 200]
            won.append(action)
            assert winner.json["version"] == seen.version + 1
            for _, answer in answered.values():
                assert answer.status == 200 or answer.json["decision"] == winner.json
        assert all(sockets_of(worker, running.port, ESTABLISHED) for worker in running.workers())
    assert len(running.workers()) == WORKERS
    with Client(running.url) as client:
        logged = [stamped.event for stamped in islice(client.games.follow(game, after=0), VERSIONS)]
        assert client.games.get(game).version == VERSIONS
    assert [event.version for event in logged] == list(range(1, VERSIONS + 1))
    for action, event in zip(won, logged, strict=True):
        assert event.action is None or str(event.action) == action  # a choice of flips is not shown to others


def test_one_submission_sent_by_many_clients_at_once_is_one_event_and_one_answer(
    running: RunningService, accounts: tuple[Account, ...]
) -> None:
    game = new_game(running.url, accounts)
    barrier = Barrier(CLIENTS)
    for number in range(4):
        account, seen = on_move(running.url, accounts, game)

        def click(_: int, account: Account = account, seen: Decision = seen, key: str = f"click-{number}") -> Answer:
            with Line(running.port, account.token) as line:
                line.connect()
                barrier.wait()
                return line.play(game, seen.version, str(seen.legal_actions[0]), key)

        with ThreadPoolExecutor(CLIENTS) as pool:
            answers = list(pool.map(click, range(CLIENTS)))
        assert {answer.status for answer in answers} == {200}
        assert len({answer.body for answer in answers}) == 1
        assert answers[0].json["version"] == seen.version + 1
