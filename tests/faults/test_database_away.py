"""The database is full, restarted, or breaks off in the middle: the service says 503, nothing else, and comes back."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress

import psycopg

import skyjo_client
from skyjo_server.postgres import EmbeddedPostgres
from tests.faults.administrator import Administrator
from tests.faults.lines import Answer, Line
from tests.faults.load import Load
from tests.faults.playing import new_game, on_move, register
from tests.faults.serving import RunningService
from tests.faults.waiting import until
from tests.server.postgres.users import Processes, is_serving, postmaster_of, server_of

RESTARTS = 4
CLIENTS = 8


def assert_asked_to_come_back(answer: Answer) -> None:
    assert (answer.status, answer.json["type"]) == (503, "urn:skyjo:problem:unavailable")
    assert answer.headers["content-type"] == "application/problem+json"
    assert int(answer.headers["retry-after"]) >= 1


def test_a_batch_that_breaks_off_after_it_was_played_is_not_refused_but_told_again(
    running: RunningService, administrator: Administrator
) -> None:
    accounts = register(running.url, 2)
    games = [new_game(running.url, accounts) for _ in range(3)]
    account, _ = on_move(running.url, accounts, games[0])
    with skyjo_client.Client(running.url, account.token) as client:
        seen = [client.games.view(game) for game in games]
    actions = [
        {"game": view.game, "version": view.version, "action": str(view.legal_actions[0]), "key": "once"}
        for view in seen
    ]
    with Line(running.port, account.token) as line, ThreadPoolExecutor(1) as pool:
        first = line.post("/v1/turns", {"actions": actions})
        with administrator.locked("submissions"):
            again = pool.submit(line.post, "/v1/turns", {"actions": actions})
            administrator.cancel(administrator.await_backend("UPDATE submissions", "Lock", again))
            assert_asked_to_come_back(again.result())
        told = line.post("/v1/turns", {"actions": actions})
    assert told.json["results"] == first.json["results"]
    assert {result["status"] for result in told.json["results"]} == {"accepted"}


def test_when_an_outsider_takes_every_connection_callers_are_asked_to_come_back_and_then_served(
    running: RunningService, administrator: Administrator, cluster: EmbeddedPostgres
) -> None:
    accounts = register(running.url, 2)
    game = new_game(running.url, accounts)
    account, seen = on_move(running.url, accounts, game)
    action = str(seen.legal_actions[0])
    with Line(running.port, account.token) as line:
        with ExitStack() as outsider:
            taken: list[psycopg.Connection] = []

            def nothing_is_left() -> bool:
                administrator.terminate(*administrator.backends())
                take_every_connection(outsider, cluster.dsn, taken)
                return len(taken) == administrator.places()

            until(nothing_is_left, "a service without a connection")
            for answer in (
                line.get("/readyz"),
                line.get("/v1/me"),
                line.get(f"/v1/games/{game}/view"),
                line.play(game, seen.version, action, "the-key"),
                line.post("/v1/games", {"seats": [{"kind": "open"}, {"kind": "open"}]}),
            ):
                assert_asked_to_come_back(answer)
            assert line.get("/healthz").status == 200
        running.wait_until_ready()
        answers: list[Answer] = []

        def served() -> bool:
            answers.append(line.play(game, seen.version, action, "the-key"))
            return answers[-1].status == 200

        until(served, "an answer")
        assert answers[-1].json["version"] == seen.version + 1
        for answer in answers[:-1]:
            assert_asked_to_come_back(answer)


def take_every_connection(outsider: ExitStack, conninfo: str, taken: list[psycopg.Connection]) -> None:
    """Connect until there is no place left."""
    with suppress(psycopg.OperationalError):
        while True:
            taken.append(outsider.enter_context(psycopg.connect(conninfo, autocommit=True)))


def test_while_the_database_is_restarted_under_load_callers_are_asked_to_come_back_and_nothing_worse(
    running: RunningService, cluster: EmbeddedPostgres
) -> None:
    with Load(running, CLIENTS) as load:
        load.await_turns()
        for number in range(RESTARTS):
            (kill_postgres, stop_postgres)[number % 2](cluster)
            until(lambda: is_serving(running.conninfo), "the database")
            load.await_turns()
        good_since = [len(client.answers) for client in load.clients]
        load.await_turns()
    for client, since in zip(load.clients, good_since, strict=True):
        for answer in client.answers:
            if answer.status not in {200, 201}:
                assert_asked_to_come_back(answer)
        assert {answer.status for answer in client.answers[since:]} == {200, 201}
        with Line(running.port) as line:
            assert line.get(f"/v1/games/{client.game}").json["version"] == client.moves
    assert {answer.status for client in load.clients for answer in client.answers} == {200, 201, 503}


def kill_postgres(cluster: EmbeddedPostgres) -> None:
    """Kill every process of PostgreSQL; its supervisor starts it again."""
    victims = Processes(server_of(cluster.data_dir))
    victims.kill()
    victims.wait()


def stop_postgres(cluster: EmbeddedPostgres) -> None:
    """Stop PostgreSQL as an administrator does, who lets go of all connections; its supervisor starts it again."""
    postmaster = postmaster_of(cluster.data_dir)
    gone = Processes([postmaster])
    os.kill(postmaster, signal.SIGINT)
    gone.wait()
