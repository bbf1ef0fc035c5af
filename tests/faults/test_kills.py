"""Whatever is killed while bots play, what was acknowledged is in the log, and nothing is there twice.

`FAULTS_KILLS` in the environment sets how often something is killed, in place of what fits a run of all tests.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import combinations
from pathlib import Path
from random import Random

import psycopg
import pytest

from skyjo_server.postgres import EmbeddedPostgres
from tests.faults.administrator import Administrator
from tests.faults.audit import assert_keys_used_once, assert_told_what_is_logged
from tests.faults.ledger import Ledger, assert_nothing_lost_and_nothing_double
from tests.faults.lines import Answer, Line
from tests.faults.playing import Run, at_play, finish, new_game, on_move, register
from tests.faults.processes import ESTABLISHED, sockets_of
from tests.faults.serving import RunningService
from tests.faults.waiting import LONGEST_SECONDS, until
from tests.server.postgres.users import Processes, is_serving, postmaster_of, server_of

KILLS = int(os.environ.get("FAULTS_KILLS", "10"))
BOTS = 4
COMMITS = "SET version = m.version"
"""Tells the statement that plays a move from all others."""
MOVES_BETWEEN = 60
"""Acknowledgements between two kills, at most: few against what there is to play."""


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    opened = Ledger(tmp_path / "acknowledged.jsonl")
    yield opened
    opened.close()


class Killer:
    """Kills what the service is made of, one after the other, and does the little that an operator does afterwards."""

    def __init__(self, service: RunningService, cluster: EmbeddedPostgres, random: Random) -> None:
        self._service, self._cluster, self._random = service, cluster, random

    @property
    def ways(self) -> list[Callable[[], None]]:
        """Everything that can be killed."""
        return [self.worker, self.whole_service, self.postgres, self.postmaster, self.backend]

    def worker(self) -> None:
        """Kill one of the workers; the main process starts another."""
        self._service.kill_worker(self._random)

    def whole_service(self) -> None:
        """Kill the main process and all workers, and start the service again."""
        self._service.kill()
        self._service.start()

    def postgres(self) -> None:
        """Kill every process of PostgreSQL; the supervisor starts it again."""
        self._kill(server_of(self._cluster.data_dir))

    def postmaster(self) -> None:
        """Kill the postmaster alone."""
        self._kill([postmaster_of(self._cluster.data_dir)])

    def backend(self) -> None:
        """Kill one process that serves the service; PostgreSQL then lets go of all of them, and recovers."""
        until(lambda: is_serving(self._service.conninfo), "the database")
        with psycopg.connect(self._service.conninfo) as connection:
            others = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            pids = [pid for (pid,) in connection.execute(others)]
        if pids:
            self._kill([self._random.choice(pids)])

    def _kill(self, pids: list[int]) -> None:
        victims = Processes(pids)
        victims.kill()
        victims.wait()

    def see_to_the_service(self) -> None:
        """Start it again if it has ended by itself: it does when one of its workers dies twice within seconds."""
        if self._service.has_ended:
            self.whole_service()


def test_nothing_acknowledged_is_lost_and_nothing_is_double_whatever_is_killed(
    own_service: RunningService, cluster: EmbeddedPostgres, ledger: Ledger
) -> None:
    random = Random(KILLS)
    killer = Killer(own_service, cluster, random)
    runs = [Run(account, ledger.note) for account in register(own_service.url, BOTS)]
    pairs = list(combinations([run.account for run in runs], 2))
    games = [new_game(own_service.url, pairs[number % len(pairs)]) for number in range(max(6, 2 * KILLS))]
    with at_play([(run, own_service.url) for run in runs]):
        for number in range(KILLS):
            wait_for_moves(ledger, 1 + random.randrange(MOVES_BETWEEN), killer)
            killer.ways[number % len(killer.ways)]()
        killer.see_to_the_service()
        assert not any(run.summary.done() for run in runs), "the games were over before the last kill"
        summaries = finish(runs, LONGEST_SECONDS * (1 + KILLS / 10))
    assert_nothing_lost_and_nothing_double(ledger, own_service.conninfo)
    assert assert_told_what_is_logged(own_service.url, runs, games) == sum(summary.played for summary in summaries)
    assert_keys_used_once(runs)
    assert ledger.count == sum(summary.played for summary in summaries)


def wait_for_moves(ledger: Ledger, moves: int, killer: Killer) -> None:
    """Wait until so many more moves have been acknowledged: the service plays again, and is hit at any moment."""
    goal = ledger.count + moves

    def played_on() -> bool:
        killer.see_to_the_service()
        return ledger.count >= goal

    until(played_on, f"{moves} more moves")


class CutOff:
    """A move whose commit is under way when the service is killed.

    Attributes:
        seen: what it answers.
    """

    def __init__(self, service: RunningService) -> None:
        self._service = service
        self._accounts = register(service.url, 2)
        self._game = new_game(service.url, self._accounts)
        self._account, self.seen = on_move(service.url, self._accounts, self._game)

    def play(self) -> Answer:
        """Send it, with the same key each time."""
        with Line(self._service.port, self._account.token) as line:
            return line.play(self._game, self.seen.version, str(self.seen.legal_actions[0]), "the-key")

    def cut(self, pool: ThreadPoolExecutor, administrator: Administrator) -> None:
        """Send it for the first time, kill the service while its commit waits, and start the service again."""
        first = pool.submit(self.play)
        administrator.await_backend(COMMITS, "Lock", first)
        self._service.kill()
        assert isinstance(first.exception(LONGEST_SECONDS), ConnectionError)
        self._service.start()

    def assert_landed_once(self, answer: Answer) -> None:
        """See that the answer is the move's, that it is given again, and that the game is one version on."""
        assert (answer.status, answer.json["version"]) == (200, self.seen.version + 1)
        assert self.play().body == answer.body
        assert on_move(self._service.url, self._accounts, self._game)[1].version == self.seen.version + 1


def test_a_move_cut_off_in_its_commit_lands_once_though_it_is_repeated_before_the_first_has_ended(
    own_service: RunningService, administrator: Administrator
) -> None:
    move = CutOff(own_service)
    with ThreadPoolExecutor(2) as pool:
        with administrator.locked("submissions"):
            move.cut(pool, administrator)
            again = pool.submit(move.play)
            until(lambda: len(administrator.backends(COMMITS, "Lock")) == 2, "both tries")
        move.assert_landed_once(again.result(LONGEST_SECONDS))


def test_a_move_cut_off_in_its_commit_lands_once_when_it_is_repeated_afterwards(
    own_service: RunningService, administrator: Administrator
) -> None:
    move = CutOff(own_service)
    with ThreadPoolExecutor(1) as pool:
        with administrator.locked("submissions"):
            move.cut(pool, administrator)
        until(lambda: not administrator.backends(COMMITS), "the end of the first try")
        move.assert_landed_once(move.play())


def test_a_killed_worker_is_replaced_and_meanwhile_the_other_serves_everybody(own_service: RunningService) -> None:
    (account,) = register(own_service.url, 1)
    killed, other = own_service.workers()
    with ExitStack() as stack:
        lines = [stack.enter_context(Line(own_service.port, account.token)) for _ in range(32)]
        assert {line.get("/v1/me").status for line in lines} == {200}
        assert all(sockets_of(worker, own_service.port, ESTABLISHED) for worker in (killed, other))
        victim = Processes([killed])
        victim.kill()
        victim.wait()
        assert {line.get("/v1/me").status for line in lines} == {200}
    until(lambda: own_service.is_whole() and killed not in own_service.workers(), "another worker")
    assert other in own_service.workers()
