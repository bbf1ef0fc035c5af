"""SIGTERM in the middle of requests: what is in flight is finished, who waits is let go, and the exit code is 0."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait

from tests.faults.administrator import Administrator
from tests.faults.lines import Answer, Line
from tests.faults.playing import new_game, on_move, register
from tests.faults.processes import ESTABLISHED, sockets_of, unread_bytes
from tests.faults.serving import RunningService
from tests.faults.waiting import LONGEST_SECONDS, until

LONG = 30
"""Seconds that a request would wait."""


def test_sigterm_finishes_what_is_in_flight_lets_go_of_those_who_wait_and_ends_with_0(
    own_service: RunningService, administrator: Administrator
) -> None:
    accounts = register(own_service.url, 2)
    game, open_game = new_game(own_service.url, accounts), new_game(own_service.url, accounts)
    account, seen = on_move(own_service.url, accounts, game)
    (idle,) = register(own_service.url, 1)
    with ThreadPoolExecutor(32) as pool, Line(own_service.port) as kept_alive:
        assert kept_alive.get("/healthz").status == 200
        paths = [*waits(idle.token, open_game)] * 4
        waiting = [pool.submit(asked, own_service, token, path) for token, path in paths]
        until(lambda: arrived(own_service) > len(paths), "requests that have arrived")
        with administrator.locked("submissions"):
            move = pool.submit(played, own_service, account.token, seen.game, seen.version, str(seen.legal_actions[0]))
            administrator.await_backend("SET version = m.version", "Lock", move)
            assert not any(request.done() for request in waiting)
            own_service.tell_to_stop()
            wait(waiting, LONGEST_SECONDS)
            assert not move.done()
        assert [request.result(LONGEST_SECONDS).status for request in waiting] == [200] * len(waiting)
        assert move.result(LONGEST_SECONDS).status == 200
    assert own_service.exit_code() == 0
    own_service.start()
    with Line(own_service.port) as line:
        assert line.get(f"/v1/games/{game}").json["version"] == move.result().json["version"] == seen.version + 1


def arrived(running: RunningService) -> int:
    """Count the connections of the workers, once all that was sent on them is read."""
    connections = sum(sockets_of(worker, running.port, ESTABLISHED) for worker in running.workers())
    return 0 if unread_bytes(running.port) else connections


def waits(token: str, game: str) -> Iterator[tuple[str | None, str]]:
    """Every kind of request that waits, where nothing will happen."""
    yield token, f"/v1/turns?wait={LONG}"
    yield None, f"/v1/games/{game}/view?after=0&wait={LONG}"
    yield None, f"/v1/games/{game}/events?after=0&wait={LONG}"


def asked(running: RunningService, token: str | None, path: str) -> Answer:
    with Line(running.port, token) as line:
        return line.get(path)


def played(running: RunningService, token: str, game: str, version: int, action: str) -> Answer:
    with Line(running.port, token) as line:
        return line.play(game, version, action, "in-flight")
