"""Something to test the client against: whatever answers requests, and clients that reach it over a faulty network.

Nothing sleeps: what a client would have waited is written down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import httpx

from skyjo import Action, Cause, Decision, RuleSet
from skyjo_client import AsyncClient, Client, Game, GameStatus, HouseSeat, Pace, Played, RetryPolicy, RunEvent
from skyjo_client._async.runner import AsyncRunner
from skyjo_client._sync.runner import Runner
from skyjo_client.bots import BotLike, default_of
from skyjo_client.submissions import BotSeat, SeatRequest
from tests.sdk.little.faults import Fault, Handler, Network

URL = "http://service.test"
SHORT = RuleSet(max_rounds=1, max_turns_per_seat=4)
"""One round of four turns, to be over soon."""

AT_ONCE = Pace(wait_seconds=0)
"""Nobody moves while a request waits, so none does."""

STILL: dict[str, Any] = {"jitter": lambda: 1.0, "clock": lambda: 0.0}
"""No chance, and time that stands still."""


def by_default(decision: Decision) -> Action:
    """A bot that plays what a timeout would play: it ends every round before long."""
    return default_of(decision)


def own_moves(world: World, token: str, game_id: str) -> list[tuple[int, str]]:
    """Version and action of what seat 0 has played in a game, as the log has it."""
    with world.undisturbed(token) as client:
        events = [stamped.event for stamped in client.games.events(game_id, limit=1000).events]
    return [
        (event.version, str(event.action))
        for event in events
        if event.seat == 0 and event.cause is Cause.PLAYER and event.action is not None
    ]


def told_moves(events: list[RunEvent], game_id: str) -> list[tuple[int | None, str]]:
    """Version and action of what a run was told to be played in a game."""
    return [
        (event.version, str(event.submission.action))
        for event in events
        if isinstance(event, Played) and event.submission.game == game_id
    ]


@dataclass
class World:
    """A service, and what clients do to reach it."""

    handler: Handler
    sleeps: list[float] = field(default_factory=list)
    requests: list[httpx.Request] = field(default_factory=list)
    meanwhile: dict[int, Callable[[], object]] = field(default_factory=dict)
    """What happens while a client waits, by how often one has waited before."""

    def transport(self, faults: Iterable[Fault] = ()) -> httpx.MockTransport:
        network = Network(self.handler, faults)
        network.requests = self.requests
        return httpx.MockTransport(network)

    def client(
        self, token: str | None = None, *, faults: Iterable[Fault] = (), retry: RetryPolicy | None = None
    ) -> Client:
        return Client(URL, token, retry=retry, transport=self.transport(faults), sleep=self.sleep, jitter=lambda: 1.0)

    def client_async(
        self, token: str | None = None, *, faults: Iterable[Fault] = (), retry: RetryPolicy | None = None
    ) -> AsyncClient:
        return AsyncClient(
            URL, token, retry=retry, transport=self.transport(faults), sleep=self.sleep_async, jitter=lambda: 1.0
        )

    def runner(self, client: Client, bot: BotLike, **options: Any) -> Runner:
        return Runner(client, bot, sleep=self.sleep, **STILL, **{"pace": AT_ONCE, **options})

    def runner_async(self, client: AsyncClient, bot: BotLike, **options: Any) -> AsyncRunner:
        return AsyncRunner(client, bot, sleep=self.sleep_async, **STILL, **{"pace": AT_ONCE, **options})

    def sleep(self, seconds: float) -> None:
        self.meanwhile.get(len(self.sleeps), lambda: None)()
        self.sleeps.append(seconds)

    async def sleep_async(self, seconds: float) -> None:
        self.sleep(seconds)

    def bot(self) -> tuple[str, str]:
        """A new bot: its id and its token."""
        with self.undisturbed() as client:
            registration = client.bots.register(f"bot-{uuid4().hex[:12]}")
        return registration.bot.id, registration.token.token

    def game(self, bot: str, token: str, rules: RuleSet = SHORT, *others: SeatRequest) -> Game:
        """A game of a bot, with one of the house unless others are named."""
        with self.undisturbed(token) as client:
            return client.games.create(seats=[BotSeat(bot), *(others or (HouseSeat("random"),))], rules=rules)

    def status(self, game_id: str) -> GameStatus:
        """Where a game stands."""
        with self.undisturbed() as client:
            return client.games.get(game_id).status

    def undisturbed(self, token: str | None = None) -> Client:
        """A client whose requests are not counted and meet no fault."""
        return Client(URL, token, transport=httpx.MockTransport(self.handler))
