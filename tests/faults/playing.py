"""Bots that play through the SDK against the running service, and what they were told. Judges nothing."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from uuid import uuid4

from skyjo import Action, Decision, RuleSet
from skyjo_client import BotSeat, Client, Interrupted, Pace, Played, Refused, RunEvent, RunSummary, run_bot
from skyjo_client.bots import default_of
from skyjo_client.runs import OnEvent
from tests.faults.waiting import LONGEST_SECONDS, until

IMPATIENT = Pace(wait_seconds=0.25)
"""Requests that wait a little only, so that the network has many to harm."""


@dataclass(frozen=True)
class Account:
    """A registered bot."""

    id: str
    name: str
    token: str


def register(url: str, count: int) -> tuple[Account, ...]:
    """Register bots of one owner, so that any of them may seat all of them."""
    accounts: list[Account] = []
    for _ in range(count):
        with Client(url, accounts[0].token if accounts else None) as client:
            made = client.bots.register(f"bot-{uuid4().hex[:12]}")
        accounts.append(Account(made.bot.id, made.bot.name, made.token.token))
    return tuple(accounts)


def new_game(
    url: str, seats: tuple[Account, ...], rules: RuleSet | None = None, move_seconds: float | None = None
) -> str:
    """Create a game of these bots, in this order; give its id."""
    with Client(url, seats[0].token) as client:
        game = client.games.create(
            seats=[BotSeat(account.id) for account in seats], rules=rules, move_seconds=move_seconds
        )
    return game.id


def on_move(url: str, accounts: Sequence[Account], game: str) -> tuple[Account, Decision]:
    """Give a bot that is awaited, and what it sees."""
    for account in accounts:
        with Client(url, account.token) as client:
            seen = client.games.view(game)
        if seen.seat in seen.to_act:
            return account, seen
    raise AssertionError(f"nobody is awaited in {game}")


class Moody:
    """A bot that mostly does what brings a game to its end, and sometimes anything that is legal.

    It would choose otherwise if it were asked the same again, so that a move that was played twice could be told.
    """

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def choose(self, decision: Decision) -> Action:
        """Choose for a decision."""
        if self._random.random() < 0.3:
            return self._random.choice(list(decision.legal_actions))
        return default_of(decision)


@dataclass
class Run:
    """A bot at play, and everything that it was told.

    Attributes:
        account: the bot.
        listener: is told of everything too, in the bot's thread.
        events: what it was told.
        summary: what came of it, once it is over.
    """

    account: Account
    listener: OnEvent | None = None
    events: list[RunEvent] = field(default_factory=list)
    summary: Future[RunSummary] = field(default_factory=Future)

    def hear(self, event: RunEvent) -> None:
        """Be told something."""
        self.events.append(event)
        if self.listener is not None:
            self.listener(event)

    @property
    def played(self) -> list[Played]:
        """What the service has accepted, in the order of its answers."""
        return [event for event in self.events if isinstance(event, Played)]

    @property
    def refused(self) -> list[Refused]:
        """What the service has refused."""
        return [event for event in self.events if isinstance(event, Refused)]

    @property
    def interrupted(self) -> list[Interrupted]:
        """Requests that had to be sent again."""
        return [event for event in self.events if isinstance(event, Interrupted)]


@contextmanager
def at_play(runs_at: list[tuple[Run, str]]) -> Iterator[None]:
    """Let bots play, each through an address, until none has a game left; whatever happens, they stop afterwards."""
    stop = threading.Event()
    with ThreadPoolExecutor(len(runs_at)) as pool:
        try:
            for seed, (run, url) in enumerate(runs_at):
                run.summary = pool.submit(
                    run_bot,
                    Moody(seed),
                    url,
                    run.account.token,
                    stop=stop,
                    until_done=True,
                    on_event=run.hear,
                    pace=IMPATIENT,
                )
            yield
        finally:
            stop.set()


def finish(runs: list[Run], seconds: float = LONGEST_SECONDS) -> list[RunSummary]:
    """Wait until every bot has played all its games."""
    until(lambda: all(run.summary.done() for run in runs), "the end of all games", seconds)
    return [run.summary.result() for run in runs]
