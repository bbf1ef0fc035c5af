# Written by client_sdk/generate_sync.py from client_sdk/skyjo_client/_async/runner.py.
"""Playing all games of a bot through its inbox, for as long as it is wanted. What the bot does stands elsewhere."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from time import monotonic
from typing import Final

from skyjo import Decision
from skyjo_client._sync.api import Sleep
from skyjo_client._sync.attendance import Attendance, Call
from skyjo_client._sync.client import Client
from skyjo_client.bots import BotLike
from skyjo_client.errors import GameOver, IllegalAction, SkyjoClientError
from skyjo_client.exchange import T
from skyjo_client.models import GameStatus, TurnsAnswer
from skyjo_client.players import Players
from skyjo_client.retry import NEVER, Idleness, RetryPolicy
from skyjo_client.runs import (
    UNTIL_STOPPED,
    BotFailed,
    Interrupted,
    Never,
    OnBotError,
    OnEvent,
    Pace,
    Played,
    Refused,
    RunEvent,
    RunSummary,
    Stop,
    Stopped,
    log_event,
)
from skyjo_client.submissions import Submission

_DONE_SECONDS: Final = 2.0
_PAUSE_SECONDS: Final = 1.0
_REMEMBERED: Final = 256


def run_bot(  # noqa: PLR0913 - whoever runs a bot chooses each by its name
    bot: BotLike,
    url: str,
    token: str,
    *,
    tournament: str | None = None,
    stop: Stop | None = None,
    until_done: bool = False,
    on_bot_error: OnBotError = "stop",
    on_event: OnEvent = log_event,
    pace: Pace | None = None,
) -> RunSummary:
    """Play all games of a bot, those that begin later included, until told to stop.

    In one request it submits its last choices and receives their results and the next decisions. Choosing happens here,
    one decision after the other, the earliest deadline first.

    Nothing is lost and nothing is played twice:

    - If no answer comes, the same actions are sent again, with the same idempotency keys, until one does, however long
      the server is away: an action that had arrived is answered as the first time.
    - If this process ends in between, at any moment, its keys are forgotten, and that does no harm: the next run begins
      with all decisions that wait. A move that had arrived is not among them any more; one that had not is chosen anew.
      An action answers one version of its game, so that at most one can ever be played for it.

    Args:
        bot: a function, an object with `choose`, or a class of such, which is instantiated once for each game.
        url: the service's address.
        token: the bot's token.
        tournament: id of a tournament to enter first, unless the bot is in it already; the run ends when the tournament
            is over, or the bot is out of it and has no running game left. Other games of the bot are played meanwhile.
        stop: is looked at between requests; what is chosen already is still sent, once. None = play on for ever.
        until_done: end when the bot has no running and no open game left.
        on_bot_error: what to do when the bot raises or chooses what is not legal: `stop` ends the run with the error,
            `default` plays the default action of rule 30, `resign` leaves that game and plays on in the others.
        on_event: is told of every action played or refused, every failed request and every failure of the bot;
            by default they are logged.
        pace: how requests are cut.
    Raises:
        BotError: if the bot fails and `on_bot_error` is `stop`; names the game, the version and the action.
        Unauthenticated: if the token is not, or no longer, good.
        EntryClosed, EntryLimit, AlreadyEntered: if the tournament does not let the bot in.
        SkyjoClientError: for every other refusal that would be the same again.
    """
    with Client(url, token, retry=NEVER) as client:
        runner = Runner(
            client, bot, stop or Never(), until_done, on_bot_error, on_event, pace or Pace(), tournament=tournament
        )
        return runner.run()


@dataclass
class Runner:
    """One run: the arguments of :func:`run_bot`, and what stands between it and the world.

    Attributes:
        client: what it plays with; the run does its own waiting for a server that is away, so it needs no retries.
        bot, stop, until_done, on_bot_error, on_event, pace, tournament: as there.
        retry: when to send again, and after how long.
        sleep: waits.
        jitter: gives a random number from 0 to 1.
        clock: gives seconds that never go back.
    """

    client: Client
    bot: BotLike
    stop: Stop = field(default_factory=Never)
    until_done: bool = False
    on_bot_error: OnBotError = "stop"
    on_event: OnEvent = log_event
    pace: Pace = field(default_factory=Pace)
    retry: RetryPolicy = UNTIL_STOPPED
    sleep: Sleep = time.sleep
    jitter: Callable[[], float] = random.random
    clock: Callable[[], float] = monotonic
    tournament: str | None = None

    def __post_init__(self) -> None:
        self._players = Players(self.bot, self.on_bot_error, self._tell)
        self._summary = RunSummary()
        self._idleness = Idleness()
        self._remember = _REMEMBERED
        self._attendance = None
        if self.tournament is not None:
            self._attendance = Attendance(self.client, self.tournament, self._persist)

    def run(self) -> RunSummary:
        """Play until told to stop, or until nothing is left to play."""
        with suppress(Stopped):
            if self._has_entered():
                self._play()
        return self._summary

    def _has_entered(self) -> bool:
        """Enter the tournament, if there is one; whether there is anything to play then."""
        if self._attendance is None:
            return True
        entry = self._attendance.enter()
        self._summary = replace(self._summary, entry=None if entry is None else entry.number)
        return entry is not None

    def _play(self) -> None:
        batch: tuple[Submission, ...] = ()
        while batch or not self.stop.is_set():
            answer = self._exchange(batch)
            if not answer.decisions and self._is_done():
                return
            batch = () if self.stop.is_set() else self._choose(answer.decisions)

    def _exchange(self, batch: tuple[Submission, ...]) -> TurnsAnswer:
        """Send what is chosen, and receive what is next; the batch stays as it is until an answer comes."""
        wait_seconds, began = self._wait_seconds(), self.clock()
        answer = self._persist(partial(self._submit, batch, wait_seconds))
        self._tell_results(batch, answer)
        fruitful = any(result.accepted for result in answer.results) or bool(answer.decisions and not batch)
        early = self.clock() - began < wait_seconds
        self._pause(self._idleness.pause_seconds(fruitful=fruitful, early=early, jitter=self.jitter()))
        return answer

    def _submit(self, batch: tuple[Submission, ...], wait_seconds: float) -> TurnsAnswer:
        turns, limit = self.client.turns, self.pace.limit
        if batch:
            return turns.submit(batch, wait_seconds=wait_seconds, limit=limit)
        return TurnsAnswer((), turns.pending(wait_seconds=wait_seconds, limit=limit))

    def _choose(self, decisions: tuple[Decision, ...]) -> tuple[Submission, ...]:
        until = self.clock() + self.pace.batch_seconds
        answers = self._players.answer(decisions, lambda: self.clock() >= until)
        for game in answers.resignations:
            self._resign(game)
        if len(self._players) > self._remember:
            self._players.forget_all_but(self._persist(self._running))
            self._remember = max(_REMEMBERED, 2 * len(self._players))
        return tuple(answers.submissions)

    def _resign(self, game: str) -> None:
        # It may be over, or an answer was lost and the seat has left already.
        with suppress(GameOver, IllegalAction):
            self._persist(partial(self.client.games.resign, game))

    def _persist(self, call: Call[T]) -> T:
        """Send a request until it is answered.

        Raises:
            Stopped: if the run is told to stop meanwhile.
        """
        attempt = 0
        while True:
            attempt += 1
            try:
                return call()
            except SkyjoClientError as error:
                delay_seconds = self.retry.delay_seconds(error, attempt=attempt, repeatable=True, jitter=self.jitter())
                if delay_seconds is None:
                    raise
                self._tell(Interrupted(error, attempt, delay_seconds))
            self._pause(delay_seconds)
            if self.stop.is_set():
                raise Stopped

    def _pause(self, seconds: float) -> None:
        while seconds > 0 and not self.stop.is_set():
            self.sleep(min(seconds, _PAUSE_SECONDS))
            seconds -= _PAUSE_SECONDS

    def _is_done(self) -> bool:
        place = self._attendance
        if place is not None:
            return place.is_over() or not (place.is_active() or self._is_playing())
        return self.until_done and not self._has_games()

    def _has_games(self) -> bool:
        return self._is_playing() or self._persist(partial(self._any, GameStatus.OPEN))

    def _is_playing(self) -> bool:
        return self._persist(partial(self._any, GameStatus.RUNNING))

    def _any(self, status: GameStatus) -> bool:
        page = self.client.games.list(status=status, bot=self._bot_id(), limit=1)
        return bool(page.items)

    def _running(self) -> set[str]:
        page = self.client.games.list(status=GameStatus.RUNNING, bot=self._bot_id(), limit=100)
        return {game.id for game in page}

    def _bot_id(self) -> str | None:
        me = self.client.me()
        return None if me.bot is None else me.bot.id

    def _wait_seconds(self) -> float:
        if self.stop.is_set():
            return 0.0
        ends = self.until_done or self.tournament is not None
        return min(self.pace.wait_seconds, _DONE_SECONDS) if ends else self.pace.wait_seconds

    def _tell_results(self, batch: tuple[Submission, ...], answer: TurnsAnswer) -> None:
        for submission, result in zip(batch, answer.results, strict=True):
            if result.error is None:
                self._tell(Played(submission, result.version))
            else:
                self._tell(Refused(submission, result.error))

    def _tell(self, event: RunEvent) -> None:
        counter = _COUNTERS[type(event)]
        self._summary = replace(self._summary, **{counter: getattr(self._summary, counter) + 1})
        self.on_event(event)


_COUNTERS: Final = {Played: "played", Refused: "refused", Interrupted: "interruptions", BotFailed: "bot_errors"}
