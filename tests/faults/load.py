"""Clients that use every kind of request all the time, and write down what they are answered. Judges nothing."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from types import TracebackType
from typing import Self
from uuid import uuid4

from skyjo import RuleSet
from tests.faults.lines import Answer, Line
from tests.faults.playing import new_game, register
from tests.faults.serving import RunningService
from tests.faults.waiting import until

ENDLESS = RuleSet(score_limit=None, max_rounds=100)


class Client:
    """One client: two bots at a table of their own, one connection.

    Attributes:
        game: its game, which does not end.
        moves: how many moves it was told were accepted.
        answers: everything that it was answered.
        turns: how often it has gone through all kinds of requests.
    """

    def __init__(self, service: RunningService) -> None:
        accounts = register(service.url, 2)
        self.game = new_game(service.url, accounts, ENDLESS)
        self.moves = 0
        self.turns = 0
        self.answers: list[Answer] = []
        self._seats = [Line(service.port, account.token) for account in accounts]
        self._bot = accounts[0].id

    def work(self, stop: Event) -> None:
        """Go through all kinds of requests until told to stop."""
        while not stop.is_set():
            self._read()
            self._create()
            self._play(stop)
            self.turns += 1

    def close(self) -> None:
        """Let go of its connections."""
        for line in self._seats:
            line.close()

    def _read(self) -> None:
        for path in ("me", "turns", "games?limit=5", f"games/{self.game}", f"games/{self.game}/events?limit=5"):
            self._note(self._seats[0].get(f"/v1/{path}"))
        self._note(self._seats[0].get("/readyz"))

    def _create(self) -> None:
        line, seats = self._seats[0], [{"kind": "bot", "bot": self._bot}, {"kind": "open"}]
        self._note(line.post("/v1/bots", {"name": f"bot-{uuid4().hex[:12]}"}))
        self._note(line.post("/v1/games", {"seats": seats}, Idempotency_Key=uuid4().hex))

    def _play(self, stop: Event) -> None:
        """Play for whoever is awaited, sending the same again as long as there is no answer."""
        for line in self._seats:
            seen = self._note(line.get(f"/v1/games/{self.game}/view"))
            if seen.status == 200 and seen.json["legal_actions"]:
                version, action, key = seen.json["version"], seen.json["legal_actions"][0], uuid4().hex
                while self._note(line.play(self.game, version, action, key)).status == 503 and not stop.is_set():
                    pass
                self.moves += self.answers[-1].status == 200

    def _note(self, answer: Answer) -> Answer:
        self.answers.append(answer)
        return answer


class Load:
    """So many clients at work, from entering it to leaving it.

    Attributes:
        clients: the clients.
    """

    def __init__(self, service: RunningService, count: int) -> None:
        self.clients = [Client(service) for _ in range(count)]
        self._stop = Event()
        self._pool = ThreadPoolExecutor(count)
        self._working: list[Future[None]] = []

    def await_turns(self) -> None:
        """Wait until every client has gone through all its requests once more, from the first to the last."""
        goals = [client.turns + 2 for client in self.clients]  # the one that it is at may have begun before

        def gone_through() -> bool:
            for ended in (working for working in self._working if working.done()):
                ended.result()
            return all(client.turns >= goal for client, goal in zip(self.clients, goals, strict=True))

        until(gone_through, "turns of all clients")

    def __enter__(self) -> Self:
        self._working = [self._pool.submit(client.work, self._stop) for client in self.clients]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._pool.shutdown()
        for client in self.clients:
            client.close()
        for working in self._working if error is None else ():
            working.result()
