"""Holds two worlds against each other: every answer that a viewer gets must be the same in both, to the byte."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise
from random import Random
from typing import Final
from uuid import UUID

import orjson

from tests.acceptance.leaks.catalogue import everything
from tests.acceptance.leaks.knowledge import Group
from tests.acceptance.leaks.people import People, Person
from tests.acceptance.leaks.scenes import Later, Scene
from tests.acceptance.leaks.sights import Sight
from tests.acceptance.leaks.steps import Commit, Leave, Play, Step, TimeOut
from tests.acceptance.leaks.worlds import Answer, Ask, World

RANDOM_BY_NATURE: Final = ("commitment", "id", "prefix", "token")
"""Members of an answer about what has just come to be that are drawn at random; everything else is compared."""

HEAD_ONE_IN: Final = 8
OPTIONS_ONE_IN: Final = 30
MOST_FOLLOWERS: Final = 2

_UUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_NUMBERS: Final = {"states": "{version}", "tables": "{round_number}"}
_NAMES: Final = {"bots": "{bot_id}", "games": "{game_id}", "tokens": "{token_id}", "tournaments": "{tournament_id}"}


class Leak(AssertionError):
    """A viewer was told what it cannot know."""


@dataclass
class Twins:
    """Two worlds, and what has been compared in them so far.

    Attributes:
        worlds: the two.
        people: everybody who may look at them.
        pairs: positions that were compared, each as one viewer.
        seen: how often each route gave each status.
    """

    worlds: tuple[World, World]
    people: People
    pairs: int = 0
    seen: Counter[tuple[str, str]] = field(default_factory=Counter)

    def compare_all(self, scenes: Iterable[Scene]) -> None:
        """Compare scene by scene. Raises Leak."""
        for scene in scenes:
            self.compare(scene)

    def compare(self, scene: Scene) -> None:
        """Compare a position as all its viewers, then take the later steps and compare what is new.

        Raises:
            Leak: naming the viewer, the request, and where the answers differ.
        """
        with self.stored(scene):
            rng = Random(scene.setting.number)
            self.look(scene, rng)
            with self._followed(scene, rng) as streams:
                for later in scene.later:
                    self._go_on(scene, later, rng)
                    _same_news(streams)

    def look(self, scene: Scene, rng: Random) -> None:
        """Compare a position that is stored as all its viewers. Raises Leak."""
        for person in scene.group.viewers:
            self._look_everywhere(Sight(scene, person, self.people, scene.state.version, rng, self.pairs))
            self.pairs += 1

    def compare_choices(self, scene: Scene, most: int) -> int:
        """Play each legal action of the seat that is awaited, from the same position; gives how many were played.

        Left out are actions that show what is not the same in both worlds, as the end of a round does; and some, at
        random, where there are more than so many.

        Raises:
            Leak: as above.
        """
        with self.stored(scene):
            rng = Random(scene.setting.number)
            plays = [play for play in scene.choices() if scene.looks_the_same_after(play)]
            for play in rng.sample(plays, min(len(plays), most)):
                bring_back = [world.remember(scene.setting.info.id) for world in self.worlds]
                later = Later((play, play), scene.now, scene.state.version)
                self._go_on(replace(scene, group=_some(scene.group, scene.setting.seats[play.seat], rng)), later, rng)
                for undo in bring_back:
                    undo()
        return min(len(plays), most)

    def same(self, ask: Ask, person: Person) -> Answer:
        """Ask both worlds the same; gives the first one's answer. Raises Leak."""
        one, other = self._ask(ask, ask)
        if one != other:
            raise Leak(f"{person.name} can tell: {ask}\n{difference(one, other)}")
        return one

    @contextmanager
    def stored(self, scene: Scene) -> Iterator[None]:
        """A position in both worlds, for as long as this lasts."""
        for world, seed, played in zip(self.worlds, scene.seeds, scene.played, strict=True):
            world.store(scene.setting.new(seed), played.commits[: scene.stored])
        try:
            yield
        finally:
            for world in self.worlds:
                world.forget(scene.setting.info.id)

    @contextmanager
    def _followed(self, scene: Scene, rng: Random) -> Iterator[dict[str, list[Iterator[bytes]]]]:
        """What some viewers are told in each world while the later steps are taken."""
        viewers = scene.group.viewers if scene.later else ()
        with ExitStack() as stack:
            streams: dict[str, list[Iterator[bytes]]] = {}
            for person in rng.sample(viewers, min(len(viewers), MOST_FOLLOWERS)):
                sight = Sight(scene, person, self.people, scene.state.version, rng, self.pairs)
                ask = sight.follow(Last_Event_ID=str(sight.version))
                streams[person.name] = [stack.enter_context(closing(world.follow(ask))) for world in self.worlds]
            _same_news(streams)
            yield streams

    def _ask(self, *asks: Ask) -> list[Answer]:
        answers = []
        for world, ask in zip(self.worlds, asks, strict=True):
            answer = world.ask(ask)
            assert not answer.status.startswith("5"), f"{ask}\n{answer.status} {answer.body.decode()}"
            if ask.creates and answer.status.startswith("201"):
                _forget_new_game(world, answer)
                answer = without_random(answer)
            answers.append(answer)
        self.seen[route(asks[0]), answers[0].status[:3]] += 1
        return answers

    def _look_everywhere(self, sight: Sight) -> None:
        for ask in everything(sight):
            answer = self.same(ask, sight.person)
            if ask.method == "GET":
                self._look_again(sight, ask, answer.header("ETag"))
            if sight.once_in(OPTIONS_ONE_IN):
                self.same(replace(ask, method="OPTIONS", body=b""), sight.person)

    def _look_again(self, sight: Sight, ask: Ask, tag: str | None) -> None:
        """The same by HEAD, and as somebody who has the answer already."""
        if tag is not None:
            self.same(replace(ask, headers=(*ask.headers, ("If-None-Match", tag))), sight.person)
        if sight.once_in(HEAD_ONE_IN):
            self.same(replace(ask, method="HEAD"), sight.person)

    def _go_on(self, scene: Scene, later: Later, rng: Random) -> None:
        for world in self.worlds:
            world.set_clock(later.at)
        actor, asks = _requests(scene, later, self.people, rng)
        answers = [self.same(asks[0], actor)] if actor in scene.group.viewers else self._ask(*asks)
        for ask, answer in zip(asks, answers, strict=False):
            assert _is_done(later.steps[0], answer), f"{ask}: {answer.status} {answer.body.decode()}"
        for person in scene.group.viewers:
            sight = Sight(scene, person, self.people, later.version, rng, self.pairs)
            self.same(sight.get(f"{sight.game}/view"), person)
            self.same(sight.get(f"{sight.game}/events", f"after={later.version - 1}"), person)
            self.same(sight.get(sight.game), person)
            self.same(sight.get("/v1/turns"), person)


def _same_news(streams: dict[str, list[Iterator[bytes]]]) -> None:
    for name, (one, other) in streams.items():
        if (told := next(one)) != (otherwise := next(other)):
            raise Leak(f"{name}, who follows, can tell:\n{told.decode()}\n{otherwise.decode()}")


def _is_done(step: Step, answer: Answer) -> bool:
    """Whether a step was taken, by its answer: who is late is told what was played instead."""
    wanted = "409" if isinstance(step, TimeOut) else "200"
    return answer.status.startswith(wanted) and b'"status":"refused"' not in answer.body


def _requests(scene: Scene, later: Later, people: People, rng: Random) -> tuple[Person, tuple[Ask, Ask]]:
    """Who takes a step, and the request of each world."""
    one, other = later.steps
    assert not isinstance(one, Commit)
    assert not isinstance(other, Commit)
    actor = scene.setting.seats[one.seat]
    assert actor is not None
    sight = Sight(scene, actor, people, later.version, rng, 0)
    as_batch = rng.random() < 0.5
    return actor, (_request(sight, one, as_batch), _request(sight, other, as_batch))


def _request(sight: Sight, step: Play | Leave | TimeOut, as_batch: bool) -> Ask:
    match step:
        case Play():
            return _played(sight, step, as_batch)
        case Leave():
            return sight.post(f"{sight.game}/resignation")
        case TimeOut(_, action):
            return sight.act(action)


def _played(sight: Sight, step: Play, as_batch: bool) -> Ask:
    if as_batch:
        game = str(sight.scene.setting.info.id)
        turn = {"game": game, "version": step.version, "action": str(step.action), "key": step.key}
        return sight.post("/v1/turns", {"actions": [turn]})
    return sight.act(step.action, step.version, **({} if step.key is None else {"Idempotency_Key": step.key}))


def _some(group: Group, actor: Person | None, rng: Random) -> Group:
    """The one that acts, a spectator, and somebody else."""
    first, *others = (person for person in group.viewers if person != actor)
    return replace(group, viewers=(*filter(None, [actor]), first, rng.choice(others)))


def route(ask: Ask) -> str:
    """The route of a request, as the OpenAPI document writes it."""
    parts = ask.path.split("/")
    named = [_named(before, part) for before, part in pairwise(["", *parts])]
    return f"{ask.method} {'/'.join(named)}"


def _named(before: str, part: str) -> str:
    if _UUID.fullmatch(part):
        return _NAMES.get(before, part)
    if part.isdecimal():
        return "{table_number}" if before.isdecimal() else _NUMBERS.get(before, part)
    return part


def difference(one: Answer, other: Answer) -> str:
    """Where two answers begin to differ."""
    if one.body != other.body:
        shorter = min(len(one.body), len(other.body))
        at = next((at for at in range(shorter) if one.body[at] != other.body[at]), shorter)
        around = slice(max(at - 200, 0), at + 100)
        return (
            f"{one.status} / {other.status}, body at {at} of {len(one.body)} / {len(other.body)}:\n"
            f"{one.body[around]!r}\n{other.body[around]!r}"
        )
    if (one.status, one.headers) != (other.status, other.headers):
        return f"{one.status} / {other.status}, headers {sorted(set(one.headers) ^ set(other.headers))}"
    return f"{one.exchanges} / {other.exchanges} exchanges with the database"


def without_random(answer: Answer) -> Answer:
    """An answer with stars for what was drawn at random; lengths stay."""
    body, headers = answer.body.decode(), answer.headers
    # The longest first: a token begins with its prefix.
    for value in sorted(_random_values(orjson.loads(body)), key=len, reverse=True):
        stars = "*" * len(value)
        body = body.replace(value, stars)
        headers = tuple((name, text.replace(value, stars)) for name, text in headers)
    return replace(answer, body=body.encode(), headers=headers)


def _random_values(found: object) -> Iterator[str]:
    if isinstance(found, dict):
        for name, inner in found.items():
            if name in RANDOM_BY_NATURE and isinstance(inner, str):
                yield inner
            yield from _random_values(inner)
    elif isinstance(found, list):
        for inner in found:
            yield from _random_values(inner)


def _forget_new_game(world: World, answer: Answer) -> None:
    location = answer.header("Location") or ""
    if location.startswith("/v1/games/"):
        world.forget(UUID(location.rpartition("/")[2]))
