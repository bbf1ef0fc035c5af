"""One viewer before one position: all that is needed to ask about it as that viewer would. Asks nothing itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Final
from uuid import UUID

import orjson

from skyjo import Action, InvalidText, RuleSet, legal_actions
from tests.acceptance.leaks.people import People, Person
from tests.acceptance.leaks.scenes import Scene
from tests.acceptance.leaks.steps import Play
from tests.acceptance.leaks.worlds import Ask
from tests.strategies import universe

NOBODY: Final = UUID("00000000-0000-4000-8000-000000000000")
"""An id that nothing has."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A viewer, a position, and repeatable chance to choose what to ask.

    Attributes:
        scene: the position.
        person: the viewer.
        people: everybody.
        version: the game's current version.
        rng: chance.
        number: the number of this sight.
    """

    scene: Scene
    person: Person
    people: People
    version: int
    rng: Random
    number: int

    @property
    def game(self) -> str:
        """The game's path."""
        return f"/v1/games/{self.scene.setting.info.id}"

    @property
    def seat(self) -> int | None:
        """The seat that the viewer's token plays, if it plays one."""
        return self.scene.seat_of(self.person)

    @property
    def others(self) -> list[UUID]:
        """The bots at the table that are not the viewer's."""
        bots = [person.bots[0] for person in self.scene.setting.seats if person is not None]
        return [bot for bot in bots if bot not in self.person.bots]

    @property
    def keyed(self) -> Play | None:
        """The viewer's last play with an idempotency key."""
        return None if self.seat is None else self.scene.keyed.get(self.seat)

    @property
    def legal(self) -> Sequence[Action]:
        """What the viewer may play, by the rules."""
        return () if self.seat is None else legal_actions(self.scene.state, self.seat)

    def illegal(self, count: int) -> list[Action]:
        """Some of what it may not play."""
        legal = self.legal
        return [action for action in self.rng.sample(_written(self.scene.setting.rules), count) if action not in legal]

    def once_in(self, times: int) -> bool:
        """Whether something that is asked seldom is asked now."""
        return self.rng.random() * times < 1

    def get(self, path: str, query: str = "", **headers: str) -> Ask:
        """A request without a body."""
        return Ask("GET", path, self.person.token, query, _headers(headers))

    def post(self, path: str, body: object = None, query: str = "", **headers: str) -> Ask:
        """A request with a body in JSON, or none."""
        sent = b"" if body is None else body if isinstance(body, bytes) else orjson.dumps(body)
        return Ask("POST", path, self.person.token, query, _headers(headers), sent)

    def follow(self, **headers: str) -> Ask:
        """A request for what happens at the table, as it happens."""
        return replace(self.get(f"{self.game}/events", **headers, Accept="text/event-stream"), chunks=1)

    def act(self, action: Action | str, version: int | None = None, **headers: str) -> Ask:
        """An action, by default in answer to the current version."""
        answered = self.version if version is None else version
        return self.post(f"{self.game}/actions", {"action": str(action)}, If_Match=f'"{answered}"', **headers)


def _headers(named: dict[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((name.replace("_", "-"), value) for name, value in named.items())


@cache
def _written(rules: RuleSet) -> list[Action]:
    """Every action that has a text, but for most of the flips."""
    return [action for action in dict.fromkeys(universe(rules)) if _can_be_read(str(action))]


def _can_be_read(text: str) -> bool:
    try:
        Action.parse(text)
    except InvalidText:
        return False
    return True
