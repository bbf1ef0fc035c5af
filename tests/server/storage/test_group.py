"""Sharing commits: everybody gets what came of their own moves, and no game is twice in one commit."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from uuid import UUID, uuid4

import pytest

from skyjo_server.service.errors import Unavailable
from skyjo_server.service.model import GameStatus
from skyjo_server.service.ports import Move
from skyjo_server.storage.group import GroupCommit

GAMES = [uuid4() for _ in range(8)]


def move(game_id: UUID) -> Move:
    return Move(game_id, 0, (), GameStatus.RUNNING, 0)


class Database:
    """Commits what it is given once it is let; remembers each commit."""

    def __init__(self) -> None:
        self.commits: list[list[UUID]] = []
        self.begun = threading.Semaphore(0)
        self.let = threading.Semaphore(0)
        self.error: Exception | None = None
        self._lock = threading.Lock()
        self.flying = 0
        self.most_flying = 0

    def commit(self, moves: Sequence[Move]) -> Mapping[UUID, str]:
        with self._lock:
            self.commits.append([each.game_id for each in moves])
            self.flying += 1
            self.most_flying = max(self.most_flying, self.flying)
        self.begun.release()
        self.let.acquire()
        with self._lock:
            self.flying -= 1
        if self.error is not None:
            raise self.error
        return {each.game_id: f"done {each.game_id}" for each in moves if each.game_id != GAMES[7]}


def test_a_lone_move_is_committed_at_once_and_alone() -> None:
    database = Database()
    database.let.release()
    group = GroupCommit(database.commit)
    assert group.commit([move(GAMES[0])]) == {GAMES[0]: f"done {GAMES[0]}"}
    assert database.commits == [[GAMES[0]]]


def queued(
    group: GroupCommit[str], pool: ThreadPoolExecutor, games: Sequence[UUID], queue_length: int
) -> Future[dict[UUID, str]]:
    """A commit in a thread of its own, once it has joined the queue."""
    future = pool.submit(group.commit, [move(game) for game in games])
    while len(group._waiting) < queue_length:
        assert not future.done()
    return future


def test_those_who_come_while_a_commit_is_under_way_share_the_next_one() -> None:
    database, results = Database(), []
    group = GroupCommit(database.commit, in_flight=1)
    with ThreadPoolExecutor(8) as pool:
        first = pool.submit(group.commit, [move(GAMES[0])])
        database.begun.acquire()
        results = [queued(group, pool, [game], number) for number, game in enumerate(GAMES[1:5], start=1)]
        database.let.release(2)
        assert first.result() == {GAMES[0]: f"done {GAMES[0]}"}
        assert [result.result() for result in results] == [{game: f"done {game}"} for game in GAMES[1:5]]
    assert [len(commit) for commit in database.commits] == [1, 4]


def test_two_moves_of_one_game_are_never_in_one_commit() -> None:
    database = Database()
    group = GroupCommit(database.commit, in_flight=1)
    with ThreadPoolExecutor(8) as pool:
        pool.submit(group.commit, [move(GAMES[0])])
        database.begun.acquire()
        for length in range(1, 4):
            queued(group, pool, [GAMES[1], GAMES[1 + length]], length)
        database.let.release(4)
    assert [len(commit) for commit in database.commits] == [1, 2, 2, 2]


def test_a_move_that_did_not_apply_is_missing_for_its_own_request_only() -> None:
    database = Database()
    database.let.release()
    assert GroupCommit(database.commit).commit([move(GAMES[6]), move(GAMES[7])]) == {GAMES[6]: f"done {GAMES[6]}"}


def test_an_error_is_everybodys_and_the_next_commit_goes_on() -> None:
    database = Database()
    database.error = Unavailable("the database does not answer now")
    group = GroupCommit(database.commit, in_flight=1)
    with ThreadPoolExecutor(8) as pool:
        first = pool.submit(group.commit, [move(GAMES[0])])
        database.begun.acquire()
        others = [queued(group, pool, [game], number) for number, game in enumerate(GAMES[1:3], start=1)]
        database.let.release(2)
        assert [type(future.exception()) for future in (first, *others)] == [Unavailable] * 3
    database.error = None
    database.let.release()
    with pytest.raises(KeyError):
        group.commit([move(GAMES[7])])[GAMES[7]]


def test_no_more_commits_are_under_way_than_allowed_and_none_is_lost() -> None:
    database = Database()
    database.let.release(1000)
    group = GroupCommit(database.commit, in_flight=2)
    games = [uuid4() for _ in range(400)]
    with ThreadPoolExecutor(16) as pool:
        done = list(pool.map(lambda game: group.commit([move(game)]), games))
    assert done == [{game: f"done {game}"} for game in games]
    assert sorted(game for commit in database.commits for game in commit) == sorted(games)
    assert database.most_flying <= 2
