"""The SDK with nothing but its own dependencies: it imports, plays and tests a bot."""

from __future__ import annotations

import sys
from subprocess import run

from skyjo_client import GameStatus
from tests.sdk.little.http import LittleApp
from tests.sdk.worlds import World, by_default

SERVER = ("alembic", "flask", "granian", "marshmallow", "orjson", "psycopg", "skyjo_server", "sqlalchemy", "yaml")


def test_importing_the_sdk_loads_nothing_of_the_server() -> None:
    program = f"import sys, skyjo_client; print([name for name in {SERVER} if name in sys.modules])"
    done = run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_bot_plays_its_games_through_the_inbox() -> None:
    world = World(LittleApp())
    bot, token = world.bot()
    game = world.game(bot, token)
    with world.client(token) as client:
        summary = world.runner(client, by_default, until_done=True).run()
        assert client.games.get(game.id).status is GameStatus.FINISHED
    assert summary.played > 0
