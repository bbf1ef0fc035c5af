"""The clients that play: legal moves of real games, one at a time or in batches. They measure nothing themselves.

A client plays both seats of its games in turn. Where it has just seen its own legal actions it takes one of them; where
the other seat is to act it knows from the rules what that seat may do, so that no move needs a request beside it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

import orjson

from benchmarks.serving.load import WrongAnswer, request

COLUMNS: Final = "abcd"
ROWS: Final = "123"
TAKE_SHARE: Final = 0.3
"""How often a turn begins by taking the discard."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two bots that play each other.

    Attributes:
        bots: their ids, by seat.
        tokens: their tokens, by seat.
    """

    bots: tuple[str, str]
    tokens: tuple[str, str]


@dataclass(slots=True)
class Player:
    """Plays single moves, both seats of one game after another.

    Attributes:
        pair: who plays.
        games: games not begun yet, the one being played not among them.
        done: moves accepted.
    """

    pair: Pair
    random: Random
    games: deque[str] = field(default_factory=deque)
    done: int = 0
    game: str = ""
    version: int = 0
    seat: int = 0
    _next: bytes = b""

    def first(self) -> bytes:
        """The next move, as the last answer left it."""
        return self._next or self._begun()

    def answered(self, status: int, body: bytes) -> bytes:
        """Take the view after a move, and play the next one."""
        if status != 200:
            raise WrongAnswer(f"{status} {body.decode()}\nto {self._next.decode()}")
        self.done += 1
        seen = orjson.loads(body)
        if seen["phase"] == "over":
            self._next = self._begun()
        else:
            self.version = seen["version"]
            self.seat, action = self._choice(seen)
            self._next = self._move(action)
        return self._next

    def read(self) -> bytes:
        """Ask what the seat that is to act may do."""
        self.first()
        return request("GET", f"/v1/games/{self.game}/actions", self.pair.tokens[self.seat])

    def _choice(self, seen: dict[str, Any]) -> tuple[int, str]:
        if seen["seat"] in seen["to_act"]:
            return seen["seat"], self.random.choice(seen["legal_actions"])
        seat = seen["to_act"][0]
        if seen["phase"] == "flip":
            return seat, _flip(self.random)
        if self.random.random() > TAKE_SHARE:
            return seat, "draw"
        columns = seen["seats"][seat]["columns"]
        column = self.random.choice([letter for letter, cards in zip(COLUMNS, columns, strict=True) if cards])
        return seat, f"take {column}{self.random.choice(ROWS)}"

    def _begun(self) -> bytes:
        self.game, self.version, self.seat = self.games.popleft(), 0, 0
        self._next = self._move(_flip(self.random))
        return self._next

    def _move(self, action: str) -> bytes:
        headers = f'If-Match: "{self.version}"\r\nIdempotency-Key: k{self.version}\r\n'
        path, token = f"/v1/games/{self.game}/actions", self.pair.tokens[self.seat]
        return request("POST", path, token, b'{"action":"' + action.encode() + b'"}', headers)


@dataclass(slots=True)
class BatchPlayer:
    """Plays one bot's seat in all its games: each request answers every decision of the last answer.

    Attributes:
        token: the bot's token.
        size: decisions in a batch at most.
        done: moves accepted.
        batches: answers that had moves in them.
        sent: moves sent, those that came too late among them.
    """

    token: str
    size: int
    random: Random
    done: int = 0
    batches: int = 0
    sent: int = 0

    def first(self) -> bytes:
        """Ask for decisions."""
        return self._turns([])

    def answered(self, status: int, body: bytes) -> bytes:
        """Count what was accepted, and answer the decisions that wait."""
        if status != 200:
            raise WrongAnswer(f"{status} {body.decode()}")
        seen = orjson.loads(body)
        for result in seen["results"]:
            if result["status"] == "accepted":
                self.done += 1
            elif result["problem"]["type"] != "urn:skyjo:problem:stale-version":
                raise WrongAnswer(str(result["problem"]))
        return self._turns([self._answer(decision) for decision in seen["decisions"]])

    def _answer(self, decision: dict[str, Any]) -> dict[str, Any]:
        game, version = decision["game"], decision["version"]
        action = self.random.choice(decision["legal_actions"])
        return {"game": game, "version": version, "action": action, "key": f"k{version}"}

    def _turns(self, actions: list[dict[str, Any]]) -> bytes:
        self.batches += bool(actions)
        self.sent += len(actions)
        body = orjson.dumps({"actions": actions, "wait": 1, "limit": self.size})
        return request("POST", "/v1/turns", self.token, body)


@dataclass(slots=True)
class Reader:
    """Sends one request again and again.

    Attributes:
        sent: the request.
        done: answers.
    """

    sent: bytes
    done: int = 0

    def first(self) -> bytes:
        """The request."""
        return self.sent

    def answered(self, status: int, body: bytes) -> bytes:
        """The same request again."""
        if status != 200:
            raise WrongAnswer(f"{status} {body.decode()}")
        self.done += 1
        return self.sent


def _flip(random: Random) -> str:
    """A choice of two cards; any two are legal."""
    first, second = sorted(random.sample(range(12), 2))
    return f"flip {_place(first)} {_place(second)}"


def _place(index: int) -> str:
    return COLUMNS[index // 3] + ROWS[index % 3]
