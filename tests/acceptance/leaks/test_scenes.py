"""The scenes are what they are meant to be: everything that can be at a table, and two worlds that do differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from skyjo import PRESETS, Cause, Event, Phase
from skyjo.facts import Left, Removed, Reshuffled
from skyjo.lines import COLUMN_MASKS
from skyjo.rules import CHOICES, FLAGS
from skyjo.state import mask_of
from skyjo_server.service.model import SeatKind
from tests.acceptance.leaks.people import People
from tests.acceptance.leaks.planted.plants import flips_hidden
from tests.acceptance.leaks.scenes import PAIRS_PER_PART, PARTS, Scene, scenes_of_part


@pytest.fixture(scope="module")
def all_scenes(people: People) -> list[Scene]:
    """Every scene in which answers are compared."""
    return [scene for part in range(PARTS) for scene in scenes_of_part(people, part)]


def log(scene: Scene, world: int) -> list[Event]:
    """What is stored of a scene in one world."""
    return [new.event for _, move in scene.played[world].commits[: scene.stored] for new in move.events]


def features(scene: Scene) -> Iterator[str]:
    """What there is to be seen in a scene."""
    setting, state, events = scene.setting, scene.state, log(scene, 0)
    yield f"{len(setting.seats)} seats"
    yield f"phase {state.phase}"
    yield f"rules {setting.rules.name}"
    yield from (f"{name} {value}" for name, value in setting.rules.to_dict().items() if isinstance(value, str | bool))
    yield from (f"caused by {cause}" for cause in {event.cause for event in events})
    yield from (f"later {type(later.steps[0]).__name__}" for later in scene.later)
    yield from (f"looked at by {person.name}" for person in scene.group.viewers if person not in setting.seats)
    yield from (f"{kind} seat" for kind in {seat.kind for seat in setting.info.seats})
    for holds, name in (
        (flips_hidden(scene), "flips hidden"),
        (flips_hidden(scene) and bool(scene.group.seats), "flips hidden, looked at by seats"),
        (state.turn in scene.group.seats, "looked at by the seat on move"),
        (state.phase is Phase.DRAWN and state.turn not in scene.group.seats, "a card in another's hand"),
        (state.round > 1, "a later round"),
        (state.ender is not None, "the last lap"),
        (setting.info.clock.move_seconds is not None, "a clock"),
        (scene.seeds[0] != scene.seeds[1], "other seed"),
        (scene.seeds[0] == scene.seeds[1], "chance asked later"),
        (bool(scene.keyed), "an idempotency key"),
    ):
        if holds:
            yield name
    yield from {name for event in events for name in _of_facts(event)}


def _of_facts(event: Event) -> Iterator[str]:
    for fact in event.facts:
        if isinstance(fact, Left):
            yield "somebody has left"
        elif isinstance(fact, Reshuffled):
            yield "reshuffled"
        elif isinstance(fact, Removed):
            yield "a column removed" if mask_of(fact.places) in COLUMN_MASKS else "a row removed"


SEVERAL = 4

EXPECTED = {
    *(f"{seats} seats" for seats in range(2, 9)),
    *(f"phase {phase}" for phase in (Phase.FLIP, Phase.TURN, Phase.DRAWN)),
    *(f"rules {name}" for name in (None, *PRESETS)),
    *(f"caused by {cause}" for cause in Cause),
    *(f"later {step}" for step in ("Play", "Leave", "TimeOut")),
    *(f"looked at by {who}" for who in ("spectator", "stranger", "organiser", "admin", "captain")),
    *(f"{kind} seat" for kind in (SeatKind.BOT, SeatKind.HOUSE)),
    *(f"{option} {word}" for option, words in CHOICES.items() for word in words),
    *(f"{option} {value}" for option in FLAGS for value in (False, True)),
    "flips hidden",
    "flips hidden, looked at by seats",
    "looked at by the seat on move",
    "a card in another's hand",
    "a later round",
    "the last lap",
    "a clock",
    "other seed",
    "chance asked later",
    "an idempotency key",
    "somebody has left",
    "reshuffled",
    "a column removed",
    "a row removed",
}


def test_everything_that_can_be_at_a_table_is_looked_at_several_times(all_scenes: list[Scene]) -> None:
    found = Counter(feature for scene in all_scenes for feature in set(features(scene)))
    assert {feature: found[feature] for feature in EXPECTED if found[feature] < SEVERAL} == {}


def test_the_two_worlds_of_every_scene_differ(all_scenes: list[Scene]) -> None:
    assert all(log(scene, 0) != log(scene, 1) for scene in all_scenes)
    cards = Counter(scene.differing for scene in all_scenes)
    assert sum(number * times for number, times in cards.items()) / len(all_scenes) > 20


def test_there_are_two_thousand_pairs_of_position_and_viewer(all_scenes: list[Scene]) -> None:
    assert sum(len(scene.group.viewers) for scene in all_scenes) >= PARTS * PAIRS_PER_PART > 2000
