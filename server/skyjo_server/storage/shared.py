"""Shared reads: questions that come while an answer is under way are asked together. Knows no SQL and no game.

As :mod:`skyjo_server.storage.group` does for commits. A question is put only after it came: its answer is as fresh as
if it had been put alone. A lone question never waits for company.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar

IN_FLIGHT: Final = 1
"""Statements under way at once: a second one would share less, and took a third of the answers a second away."""

QUESTIONS_AT_ONCE: Final = 64

_Question = TypeVar("_Question")
_Answer = TypeVar("_Answer")


class SharedReads(Generic[_Question, _Answer]):
    """Gathers questions of many requests into few statements.

    Args:
        ask: answers questions, in order.
        in_flight: statements under way at once.
    """

    def __init__(self, ask: Callable[[Sequence[_Question]], Sequence[_Answer]], in_flight: int = IN_FLIGHT) -> None:
        self._ask = ask
        self._in_flight = in_flight
        self._flying = 0
        self._waiting: list[_Job[_Question, _Answer]] = []
        self._lock = threading.Lock()

    def read(self, question: _Question) -> _Answer:
        """Ask, together with others; raises what asking raised."""
        job = self._queued(question)
        if job is None:
            return self._alone(question)
        job.gate.acquire()
        if job.company is not None:
            self._together(job.company)
        return job.result()

    def _queued(self, question: _Question) -> _Job[_Question, _Answer] | None:
        """The question in the queue; None if it need not wait."""
        with self._lock:
            if self._flying < self._in_flight:
                self._flying += 1
                return None
            job = _Job[_Question, _Answer](question)
            self._waiting.append(job)
            return job

    def _alone(self, question: _Question) -> _Answer:
        try:
            return self._ask([question])[0]
        finally:
            self._hand_over()

    def _together(self, jobs: Sequence[_Job[_Question, _Answer]]) -> None:
        """Ask for everybody who came meanwhile, the first of whom does it."""
        try:
            answers = self._ask([job.question for job in jobs])
        except BaseException as error:
            for job in jobs:
                job.error = error
            if not isinstance(error, Exception):
                raise
        else:
            for job, answer in zip(jobs, answers, strict=True):
                job.answers.append(answer)
        finally:
            self._hand_over()
            for job in jobs[1:]:
                job.gate.release()

    def _hand_over(self) -> None:
        with self._lock:
            jobs, self._waiting = self._waiting[:QUESTIONS_AT_ONCE], self._waiting[QUESTIONS_AT_ONCE:]
            if not jobs:
                self._flying -= 1
                return
        jobs[0].company = jobs
        jobs[0].gate.release()


class _Job(Generic[_Question, _Answer]):
    """A question, and what came of it; whoever asks waits at its gate."""

    __slots__ = ("answers", "company", "error", "gate", "question")

    def __init__(self, question: _Question) -> None:
        self.question = question
        self.company: Sequence[_Job[_Question, _Answer]] | None = None
        self.answers: list[_Answer] = []
        self.error: BaseException | None = None
        self.gate = threading.Lock()
        self.gate.acquire()

    def result(self) -> _Answer:
        """The answer; raises what asking raised."""
        if self.error is not None:
            raise self.error
        return self.answers[0]
