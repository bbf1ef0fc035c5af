"""No byte of any answer depends on what its reader may not know: the whole API, asked in two worlds.

A position of a random game is stored twice: once as it was played, once with everything resampled that a group of
viewers cannot know. Ids, tokens and the database's clock are the same. What the service answers must then be the same:
status, headers, body, length, and how often the database is asked. After actions that show nothing else, it still is.
"""

from __future__ import annotations

from itertools import count
from uuid import UUID

import orjson
import pytest

from tests.acceptance.leaks.entries import ENTRIES
from tests.acceptance.leaks.people import People
from tests.acceptance.leaks.scenes import PAIRS_PER_PART, PARTS, choice_scenes, scenes_of_part
from tests.acceptance.leaks.twins import Twins, without_random
from tests.acceptance.leaks.worlds import Ask, World

CHOICES_PER_SCENE = 16
CHOICES_PER_PART = 120

STATUSES = {
    "GET /v1/games/{game_id}/view": {"200", "304", "404", "422"},
    "GET /v1/games/{game_id}/actions": {"200", "404"},
    "GET /v1/games/{game_id}/events": {"200", "404", "422"},
    "GET /v1/games/{game_id}/transcript": {"200", "404", "406", "409"},
    "GET /v1/games/{game_id}": {"200", "304", "404"},
    "GET /v1/games": {"200", "422"},
    "POST /v1/games/{game_id}/actions": {"200", "400", "401", "404", "412", "422", "428"},
    "POST /v1/games/{game_id}/resignation": {"401", "404"},
    "POST /v1/games/{game_id}/seats": {"401", "404", "409", "422"},
    "POST /v1/turns": {"200", "401", "422"},
}
"""What each part has met at least."""


@pytest.mark.parametrize("part", range(PARTS))
def test_nobody_can_tell_two_worlds_apart_that_differ_in_what_it_may_not_know(twins: Twins, part: int) -> None:
    twins.compare_all(scenes_of_part(twins.people, part))
    assert twins.pairs >= PAIRS_PER_PART
    assert {route for route, _ in twins.seen} >= set(ENTRIES)
    for route, statuses in STATUSES.items():
        assert {status for known, status in twins.seen if known == route} >= statuses, route


@pytest.mark.parametrize("part", range(2))
def test_whatever_legal_action_is_played_says_no_more_than_it_shows(twins: Twins, part: int) -> None:
    played = 0
    for scene in choice_scenes(twins.people, count(50_000 + 1000 * part)):
        played += twins.compare_choices(scene, CHOICES_PER_SCENE)
        if played >= CHOICES_PER_PART:
            break
    assert twins.seen["POST /v1/games/{game_id}/actions", "200"] + twins.seen["POST /v1/turns", "200"] >= played


def test_a_game_from_its_creation_to_its_deal_says_nothing_of_its_seed(twins: Twins) -> None:
    one, other = (_answers_until_dealt(world, twins.people) for world in twins.worlds)
    assert one == other


def _answers_until_dealt(world: World, people: People) -> list[bytes]:
    """What is answered to whoever creates a game and joins it; the seed is another one each time."""
    first, second = people.bots[-2:]
    wanted = orjson.dumps({"seats": [{"kind": "bot", "bot": str(first.bots[0])}, {"kind": "open"}]})
    created = world.ask(Ask("POST", "/v1/games", first.token, body=wanted))
    path = created.header("Location") or ""
    answers = [created, world.ask(Ask("GET", path)), world.ask(Ask("POST", f"{path}/seats", second.token))]
    assert [answer.status[:3] for answer in answers] == ["201", "200", "201"]
    world.forget(UUID(path.rpartition("/")[2]))
    return [without_random(answer).body for answer in answers]
