"""A bot's own process is killed in the middle of twelve games and started again: case 28."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice, takewhile
from pathlib import Path
from typing import Final, NamedTuple

import psycopg
import pytest

from tests.faults.audit import assert_told_what_is_logged, played_by, proved
from tests.faults.playing import Account, Run, at_play, finish, new_game, register
from tests.faults.serving import RunningService
from tests.faults.waiting import LONGEST_SECONDS, until

ROOT: Final = Path(__file__).parents[2]
GAMES, KILLS, MOVES_BETWEEN = 12, 3, 40


class Line(NamedTuple):
    """What the program says."""

    word: str
    game: str
    version: int


class BotProcess:
    """A bot at play in a process of its own."""

    def __init__(self, url: str, account: Account, seed: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.bot_program", url, account.token, str(seed)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __iter__(self) -> Iterator[Line]:
        """Give what it says, to its end."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            word, game, version = line.split()
            yield Line(word, game, int(version))

    def go(self) -> None:
        """Let it make its first choice."""
        assert self._process.stdin is not None
        self._process.stdin.write("go\n")
        self._process.stdin.flush()

    def kill(self) -> int:
        """Kill it, unless it has ended; give the exit code."""
        self._process.kill()
        self._process.communicate()
        return self._process.returncode

    def end(self) -> int:
        """Wait for its end; give the exit code."""
        return self._process.wait(LONGEST_SECONDS)


@pytest.fixture
def start(running: RunningService) -> Iterator[Callable[[Account, int], BotProcess]]:
    """Starts bots, and kills those that are left."""
    started: list[BotProcess] = []

    def begin(account: Account, seed: int) -> BotProcess:
        started.append(BotProcess(running.url, account, seed))
        return started[-1]

    yield begin
    for process in started:
        process.kill()


def test_a_bot_that_is_killed_and_restarted_finds_all_that_waits_and_finishes_all_its_games(
    running: RunningService, start: Callable[[Account, int], BotProcess]
) -> None:
    account, other = register(running.url, 2)
    games = [new_game(running.url, (account, other), move_seconds=600) for _ in range(GAMES)]
    opponent, told = Run(other), Counter[Line]()
    for seed in range(KILLS + 1):
        process = start(account, seed)
        said = iter(process)
        inbox = [next(said)]
        expected = waiting(running.conninfo, account)  # it has its inbox, and nobody plays
        assert len(expected) == running_games(running.conninfo, account)
        process.go()
        with at_play([(opponent, running.url)]):
            inbox += takewhile(lambda line: line.word == "asked", said)
            assert inbox == expected
            played = (line for line in said if line.word == "played")
            if seed < KILLS:
                told.update(islice(played, MOVES_BETWEEN))
                process.kill()
                until(lambda: all_wait_for(account, running.conninfo), "the opponent's moves")
            else:
                told.update(played)
                assert process.end() == 0
                finish([opponent])
    assert set(told.values()) == {1}
    assert_told_what_is_logged(running.url, [opponent], games)
    for game in games:
        mine = {version for version, _ in played_by(proved(running.url, game), account)}
        assert {line.version for line in told if line.game == game} <= mine


def waiting(conninfo: str, account: Account) -> list[Line]:
    """Give the decisions that wait for a bot as the database has them, the earliest deadline first."""
    query = """
        SELECT 'asked', game_id::text, version FROM games JOIN game_seats USING (game_id)
        WHERE bot_id = %s AND status = 'running' AND (to_act >> seat) & 1 = 1 ORDER BY deadline, game_id
    """
    with psycopg.connect(conninfo) as connection:
        return [Line(*row) for row in connection.execute(query, (account.id,))]


def all_wait_for(account: Account, conninfo: str) -> bool:
    """Whether a bot is awaited in all its games."""
    return len(waiting(conninfo, account)) == running_games(conninfo, account)


def running_games(conninfo: str, account: Account) -> int:
    """Count the games of a bot that are not over."""
    query = "SELECT count(*) FROM games JOIN game_seats USING (game_id) WHERE bot_id = %s AND status = 'running'"
    with psycopg.connect(conninfo) as connection:
        row = connection.execute(query, (account.id,)).fetchone()
    assert row is not None
    return int(row[0])
