"""Random positions of random games, each in two worlds that some viewers cannot tell apart. Asks nothing itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from random import Random
from typing import Final

from skyjo import State, legal_actions
from tests.acceptance.leaks.deals import Deals
from tests.acceptance.leaks.knowledge import Group, Knowledge
from tests.acceptance.leaks.people import People, Person
from tests.acceptance.leaks.setting import CREATED, Setting, random_setting
from tests.acceptance.leaks.steps import Commit, Performance, Play, Step
from tests.acceptance.leaks.walks import Walk

PARTS: Final = 10
PAIRS_PER_PART: Final = 210
"""2,100 positions in all, each as one viewer."""

MOST_GROUPS: Final = 3
"""Groups of one position that are looked at: the outsiders' one, and some of those who know more."""

_FURTHER: Final = (0, 1, 1, 2, 3)


@dataclass(frozen=True, slots=True)
class Later:
    """A step that is taken through the API, when both worlds have been compared as they are.

    Attributes:
        steps: what is done, in each world: a choice of flips may be another one.
        at: when.
        version: the version that it answers.
    """

    steps: tuple[Step, Step]
    at: datetime
    version: int


@dataclass(frozen=True, slots=True)
class Scene:
    """One position in two worlds, and the viewers who cannot tell them apart, neither now nor after the later steps.

    Attributes:
        setting: the game.
        played: the game in both worlds, later steps included.
        seeds: what each world stores as its seed.
        stored: how many commits lead to the position; the others are the later steps'.
        state: the position in the first world.
        later: what is done afterwards.
        group: those who cannot tell.
        keyed: the last play of each seat that had an idempotency key.
        differing: how many cards and choices are others.
    """

    setting: Setting
    played: tuple[Performance, Performance]
    seeds: tuple[bytes, bytes]
    stored: int
    state: State
    later: tuple[Later, ...]
    group: Group
    keyed: dict[int, Play]
    differing: int

    def seat_of(self, person: Person) -> int | None:
        """The seat that a token plays, None if it plays none here."""
        return self.setting.seats.index(person) if person in self.setting.seats else None

    def choices(self) -> list[Play]:
        """What the first awaited bot may play now."""
        seat = next(seat for seat in self.state.to_act if self.setting.seats[seat] is not None)
        return [Play(seat, action, self.state.version) for action in legal_actions(self.state, seat)]

    def looks_the_same_after(self, play: Play) -> bool:
        """Whether all that anybody is shown by a play is the same in both worlds, and does not end the game."""
        after = [played.tried(play, Commit(0)) for played in self.played]
        one, other = (Knowledge(self.setting, played).shown() for played in after)
        return one == other and not after[0].over

    @property
    def now(self) -> datetime:
        """When the position was reached."""
        return self.played[0].commits[self.stored - 1][0]


def scenes(people: People, numbers: Iterable[int]) -> Iterator[Scene]:
    """Scenes of numbered games; the same number is always the same game."""
    for number in numbers:
        yield from game_scenes(people, number)


def scenes_of_part(people: People, part: int) -> Iterator[Scene]:
    """The scenes of one part: as many as have so many viewers between them."""
    pairs = 0
    for scene in scenes(people, count(1000 * part)):
        if pairs >= PAIRS_PER_PART:
            return
        pairs += len(scene.group.viewers)
        yield scene


def game_scenes(people: People, number: int) -> Iterator[Scene]:
    """The scenes of one game, one for each group; none if it ended on the way."""
    walk = _walk(people, number)
    if walk is None:
        return
    position = _Position(walk)
    position.go_further(walk.rng.choice(_FURTHER))
    knowledge = Knowledge(walk.setting, walk.played)
    outsiders, *others = knowledge.groups(people)
    for group in (outsiders, *walk.rng.sample(others, min(len(others), MOST_GROUPS - 1))):
        yield position.scene(group, knowledge)


def _walk(people: People, number: int) -> Walk | None:
    """A game walked to a position; None if it ended on the way."""
    rng = Random(number)
    setting = random_setting(people, rng, number)
    walk = Walk(setting, Performance(setting.stored(setting.seed), Deals(setting.key, setting.order), CREATED), rng)
    return walk if walk.wander() else None


def choice_scenes(people: People, numbers: Iterable[int]) -> Iterator[Scene]:
    """Positions at which a bot is awaited, in two worlds that nobody can tell apart whatever it does."""
    for number in numbers:
        walk = _walk(people, number)
        seat = None if walk is None else next(walk.awaited(), None)
        if walk is not None and seat is not None:
            position = _Position(walk)
            everybody = Knowledge(walk.setting, walk.played).everybody(people, seat)
            yield position.scene(everybody, Knowledge(walk.setting, walk.played), same_seed=True)


class _Position:
    """Where a walk has come to, and what it does from there on."""

    def __init__(self, walk: Walk) -> None:
        self._walk = walk
        self._state = walk.state
        self._steps = len(walk.steps)
        self._stored = len(walk.played.commits)
        self._asked = walk.played.chance.asked
        walk.played.chance.leave_alone()

    def go_further(self, count: int) -> None:
        """Take some steps more."""
        for _ in range(count):
            if self._walk.further() is None:
                break

    def scene(self, group: Group, knowledge: Knowledge, *, same_seed: bool = False) -> Scene:
        """The position as a group sees it, and another world that it cannot tell from this one."""
        walk, setting, rng = self._walk, self._walk.setting, self._walk.rng
        values = knowledge.other_values(group, rng)
        steps = knowledge.other_choices(group, walk.steps, rng)
        # Where later steps ask for chance they ask the service's own, which must then be the same in both worlds.
        same_seed = same_seed or walk.played.chance.asked > self._asked
        seed = setting.seed if same_seed else rng.randbytes(len(setting.seed))
        chance = Deals(setting.key, setting.order, values, min(knowledge.choices, default=None))
        other = Performance(setting.stored(seed), chance, CREATED)
        other.do_all(steps[: self._steps])
        chance.leave_alone()
        other.do_all(steps[self._steps :])
        _check(group, knowledge, Knowledge(setting, other))
        return Scene(
            setting,
            (walk.played, other),
            (setting.seed, seed),
            self._stored,
            self._state,
            tuple(self._later(steps)),
            group,
            {step.seat: step for step in walk.steps[: self._steps] if isinstance(step, Play) and step.key},
            len(values) + len(knowledge.choices),
        )

    def _later(self, other_steps: Sequence[Step]) -> Iterator[Later]:
        """The later steps: each stands before its commit."""
        version = self._state.version
        own = self._walk.steps
        for index, (at, move) in zip(
            range(self._steps, len(own), 2), self._walk.played.commits[self._stored :], strict=True
        ):
            yield Later((own[index], other_steps[index]), at, version)
            version = move.version


def _check(group: Group, one: Knowledge, other: Knowledge) -> None:
    """Make sure that the cards which a group was shown are the same in both worlds."""
    shown = [{card: knowledge.value[card] for card in group.known} for knowledge in (one, other)]
    assert shown[0] == shown[1]
