"""The comparison of two worlds finds every leak of a list, each planted into the service for a few scenes."""

from __future__ import annotations

import pytest

from tests.acceptance.leaks.people import People
from tests.acceptance.leaks.planted import PLANTS, Plant
from tests.acceptance.leaks.scenes import Scene, scenes
from tests.acceptance.leaks.twins import Leak, Twins

GAMES = range(400)
MOST_SCENES = 12


@pytest.fixture(scope="session")
def ready(people: People) -> list[Scene]:
    """Scenes to choose from, made before anything is planted."""
    return list(scenes(people, GAMES))


@pytest.mark.parametrize("planted", PLANTS, ids=[planted.name for planted in PLANTS])
def test_a_planted_leak_is_found(
    twins: Twins, ready: list[Scene], planted: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    fitting = [scene for scene in ready if planted.where(scene)][:MOST_SCENES]
    assert fitting
    planted.put(monkeypatch)
    with pytest.raises(Leak):
        twins.compare_all(fitting)


def test_there_are_more_than_twenty_of_them_and_no_two_are_the_same() -> None:
    assert len({planted.name for planted in PLANTS}) == len(PLANTS) > 20
