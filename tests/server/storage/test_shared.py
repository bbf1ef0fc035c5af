"""Sharing reads: everybody gets their own answer, and none that was asked for before they came."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from skyjo_server.service.errors import Unavailable
from skyjo_server.storage.shared import QUESTIONS_AT_ONCE, SharedReads


class Database:
    """Answers what it is asked once it is let; remembers what was asked together."""

    def __init__(self) -> None:
        self.asked: list[list[int]] = []
        self.begun = threading.Semaphore(0)
        self.let = threading.Semaphore(0)
        self.error: Exception | None = None

    def ask(self, questions: Sequence[int]) -> list[str]:
        self.asked.append(list(questions))
        self.begun.release()
        self.let.acquire()
        if self.error is not None:
            raise self.error
        return [f"answer {question}" for question in questions]


def queued(reads: SharedReads[int, str], pool: ThreadPoolExecutor, questions: Sequence[int]) -> list[Future[str]]:
    """Questions in threads of their own, once they wait in this order."""
    futures = []
    for length, question in enumerate(questions, 1):
        futures.append(pool.submit(reads.read, question))
        while len(reads._waiting) < length:
            assert not futures[-1].done()
    return futures


def flying(database: Database, reads: SharedReads[int, str], pool: ThreadPoolExecutor) -> Future[str]:
    """A question that is under way."""
    future = pool.submit(reads.read, 0)
    database.begun.acquire()
    return future


def test_a_lone_question_is_asked_at_once_and_alone() -> None:
    database = Database()
    database.let.release()
    assert SharedReads(database.ask).read(3) == "answer 3"
    assert database.asked == [[3]]


def test_those_who_come_while_an_answer_is_under_way_are_asked_together_after_it() -> None:
    database = Database()
    reads = SharedReads(database.ask, in_flight=1)
    with ThreadPoolExecutor(8) as pool:
        first = flying(database, reads, pool)
        others = queued(reads, pool, [1, 2, 1])
        assert database.asked == [[0]]
        database.let.release(2)
        assert [future.result() for future in (first, *others)] == ["answer 0", "answer 1", "answer 2", "answer 1"]
    assert database.asked == [[0], [1, 2, 1]]


def test_more_than_one_statement_is_under_way() -> None:
    database = Database()
    reads = SharedReads(database.ask, in_flight=2)
    with ThreadPoolExecutor(4) as pool:
        futures = [flying(database, reads, pool), flying(database, reads, pool)]
        database.let.release(2)
        assert [future.result() for future in futures] == ["answer 0", "answer 0"]


def test_not_too_much_is_asked_at_once() -> None:
    database = Database()
    reads = SharedReads(database.ask, in_flight=1)
    many = range(1, QUESTIONS_AT_ONCE + 3)
    with ThreadPoolExecutor(len(many) + 1) as pool:
        flying(database, reads, pool)
        futures = queued(reads, pool, many)
        database.let.release(3)
        assert [future.result() for future in futures] == [f"answer {question}" for question in many]
    assert [len(asked) for asked in database.asked] == [1, QUESTIONS_AT_ONCE, 2]


def test_what_goes_wrong_reaches_everybody_concerned_and_nobody_later() -> None:
    database = Database()
    reads = SharedReads(database.ask, in_flight=1)
    with ThreadPoolExecutor(4) as pool:
        first = flying(database, reads, pool)
        others = queued(reads, pool, [1, 2])
        database.let.release()
        assert first.result() == "answer 0"
        database.begun.acquire()
        database.error = Unavailable("away")
        database.let.release()
        for future in others:
            with pytest.raises(Unavailable):
                future.result()
    database.error = None
    database.let.release()
    assert reads.read(5) == "answer 5"


def test_a_failure_of_the_first_leaves_the_next_to_be_asked() -> None:
    database = Database()
    reads = SharedReads(database.ask, in_flight=1)
    with ThreadPoolExecutor(4) as pool:
        first = flying(database, reads, pool)
        (other,) = queued(reads, pool, [1])
        database.error = Unavailable("away")
        database.let.release()
        database.begun.acquire()
        with pytest.raises(Unavailable):
            first.result()
        database.error = None
        database.let.release()
        assert other.result() == "answer 1"
