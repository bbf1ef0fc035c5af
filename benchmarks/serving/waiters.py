"""Those who wait: hundreds of idle long-polls, and how soon one is woken. Plays no more than it needs for that."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from statistics import median
from time import perf_counter, sleep
from typing import Final

from benchmarks.serving.load import request, whole_answer
from benchmarks.serving.players import Pair, Player

WAIT_SECONDS: Final = 30
"""The longest that a long-poll may ask for."""

_SETTLE_SECONDS: Final = 0.02
"""By then a long-poll that was just sent is asleep in the server."""


@contextmanager
def idle(port: int, pair: Pair, games: Sequence[str]) -> Iterator[None]:
    """Keep a long-poll open at each of some games that nobody plays, for as long as this lasts.

    Raises:
        RuntimeError: if any was answered, so that fewer waited than is said.
    """
    with ExitStack() as stack:
        waiting = [stack.enter_context(_connected(port)) for _ in games]
        for connection, game in zip(waiting, games, strict=True):
            path = f"/v1/games/{game}/view?after=0&wait={WAIT_SECONDS}"
            connection.send(request("GET", path, pair.tokens[0]))
        sleep(1)
        yield
        for connection in waiting:
            connection.setblocking(False)
            try:
                answer = connection.recv(300)
            except BlockingIOError:
                continue
            raise RuntimeError(f"a waiter was answered:\n{answer.decode(errors='replace')}")


def wake_milliseconds(port: int, players: Sequence[Player]) -> float:
    """Median time from sending a move to the answer of the other seat's long-poll; a connection each, every time."""
    return median([_woken(port, player) * 1000 for player in players])


def _woken(port: int, player: Player) -> float:
    move = player.first()
    other = player.pair.tokens[1 - player.seat]
    path = f"/v1/games/{player.game}/view?after={player.version}&wait={WAIT_SECONDS}"
    with _connected(port) as waiting, _connected(port) as moving:
        waiting.send(request("GET", path, other))
        sleep(_SETTLE_SECONDS)
        sent = perf_counter()
        moving.send(move)
        whole_answer(waiting)
        took = perf_counter() - sent
        player.answered(*whole_answer(moving))
    return took


def _connected(port: int) -> socket.socket:
    connected = socket.create_connection(("127.0.0.1", port), timeout=WAIT_SECONDS)
    connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connected
