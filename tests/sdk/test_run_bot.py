"""`run_bot` as users call it: over real connections, to a real server that comes and goes."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from skyjo_client import GameStatus, Interrupted, Played, RunEvent, RunSummary, run_bot, run_bot_async
from tests.sdk.serving import LocalServer
from tests.sdk.worlds import AT_ONCE, World, by_default, own_moves

Run = Callable[..., RunSummary]


@pytest.fixture(params=["run_bot", "run_bot_async"])
def run(request: pytest.FixtureRequest) -> Run:
    """One of the two ways to run a bot."""
    if request.param == "run_bot":
        return run_bot
    return lambda *arguments, **options: asyncio.run(run_bot_async(*arguments, **options))


def test_a_run_outlives_a_restart_of_the_server(real_world: World, server: LocalServer, run: Run) -> None:
    bot, token = real_world.bot()
    games = [real_world.game(bot, token).id for _ in range(3)]
    events: list[RunEvent] = []

    def come_and_go(event: RunEvent) -> None:
        events.append(event)
        if isinstance(event, Interrupted):
            server.start()
        elif len(events) == 10:
            server.stop()

    summary = run(by_default, server.url, token, until_done=True, pace=AT_ONCE, on_event=come_and_go)
    assert {real_world.status(game) for game in games} == {GameStatus.FINISHED}
    assert summary.interruptions > 0
    played = sum(isinstance(event, Played) for event in events)
    assert summary.played == played == sum(len(own_moves(real_world, token, game)) for game in games)


def test_a_server_on_this_machine_is_reached_whatever_proxy_the_environment_names(server: LocalServer) -> None:
    program = f"import skyjo_client as s; print(len(s.Client({server.url!r}).games.list().items))"
    nowhere = dict.fromkeys(("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"), "http://192.0.2.1:9")
    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, **nowhere}, capture_output=True, text=True, check=True
    )
    assert done.stdout == "0\n"
