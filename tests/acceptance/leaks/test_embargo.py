"""A table whose board is in play elsewhere says nothing of itself: not while it is on, and not when it is over.

To outsiders the two worlds may be as different as they like. To the seats they differ as at any other table, and the
end of the game opens nothing.
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from random import Random
from types import ModuleType
from typing import Final
from uuid import UUID

import pytest

from skyjo import Phase
from skyjo_server.service import follow as following
from skyjo_server.service import games as gaming
from skyjo_server.service import play as playing
from skyjo_server.service import replays, viewers
from skyjo_server.service.model import GameResult, GameStatus
from skyjo_server.service.ports import Move, StoredGame
from skyjo_server.service.table import Table
from skyjo_server.storage.log import PostgresLog
from skyjo_server.tournaments.values import Cause
from tests.acceptance.leaks.people import People
from tests.acceptance.leaks.planted.plants import Planting
from tests.acceptance.leaks.scenes import Scene, scenes
from tests.acceptance.leaks.steps import Performance
from tests.acceptance.leaks.twins import Leak, Twins

GAMES: Final = range(90_000, 90_030)
MOST: Final = 6
"""Scenes of each kind that are compared."""


@pytest.fixture(scope="session")
def tables(people: People) -> list[Scene]:
    """Scenes at embargoed tables."""
    return [replace(scene, setting=replace(scene.setting, embargoed=True)) for scene in scenes(people, GAMES)]


@pytest.fixture(scope="session")
def from_outside(tables: list[Scene]) -> list[Scene]:
    """Games of which outsiders know who has left, and no more: in one world it has gone on, in the other just begun."""
    seen = [scene for scene in map(_of_outsiders, tables) if scene.group.viewers and not any(scene.state.left)]
    return [replace(scene, played=(scene.played[0], _begun(scene.played[1]))) for scene in seen if scene.stored > 1]


@pytest.fixture(scope="session")
def from_a_seat(tables: list[Scene]) -> list[Scene]:
    """Games as seats see them that hold a card, or do not know the one that another seat holds."""
    seen = [scene for scene in tables if scene.group.seats]
    return sorted(seen, key=lambda scene: scene.state.phase is not Phase.DRAWN)


def _of_outsiders(scene: Scene) -> Scene:
    """A scene with those of its viewers who have no seat."""
    seated = {seat.bot_id for seat in scene.setting.info.seats}
    outsiders = tuple(person for person in scene.group.viewers if seated.isdisjoint(person.bots))
    return replace(scene, group=replace(scene.group, viewers=outsiders, seats=frozenset()))


def _begun(played: Performance) -> Performance:
    other = copy(played)
    other.commits = played.commits[:1]
    return other


def compare_from_outside(twins: Twins, tables: list[Scene]) -> None:
    """Compare games that are on, that are aborted, and that are finished with different results."""
    for number, scene in enumerate(tables[:MOST]):
        status = (GameStatus.RUNNING, GameStatus.ABORTED, GameStatus.FINISHED)[number % 3]
        compare(twins, scene, status)


def compare_from_a_seat(twins: Twins, tables: list[Scene]) -> None:
    """Compare games that are aborted where they stand."""
    for scene in tables[:MOST]:
        compare(twins, scene, GameStatus.ABORTED)


def compare(twins: Twins, scene: Scene, status: GameStatus) -> None:
    """Compare a game that has come to an end, if it has, as all viewers of its scene. Raises Leak."""
    with twins.stored(scene):
        for number, world in enumerate(twins.worlds):
            world.set_clock(scene.now)
            if status.is_over:
                assert world.storage.log.commit([_end(scene, number, status)])
        twins.look(scene, Random(scene.setting.number))


def _end(scene: Scene, world: int, status: GameStatus) -> Move:
    """The end of a game without a further event; finished ones have other totals and other causes in each world."""
    commits = scene.played[world].commits[: scene.stored]
    seats = len(scene.setting.seats)
    totals, ranks, cause = scene.state.totals, None, Cause.VOID
    if status is GameStatus.FINISHED:
        totals, cause = tuple(range(world, seats + world)), (Cause.FINISHED, Cause.TIMEOUT)[world]
        ranks = tuple(range(1, seats + 1))
    result = GameResult(status, totals, ranks, (cause,) * seats)
    return Move(scene.setting.info.id, commits[-1][1].version, (), status, to_act=0, result=result)


def test_outsiders_cannot_tell_how_a_game_goes_or_went_while_its_board_is_in_play(
    twins: Twins, from_outside: list[Scene]
) -> None:
    assert len(from_outside) > MOST
    compare_from_outside(twins, from_outside)
    refused = {route for route, status in twins.seen if status == "409"}
    assert {f"GET /v1/games/{{game_id}}/{what}" for what in ("view", "actions", "events", "transcript")} <= refused


def test_the_end_of_a_game_opens_nothing_to_its_seats_while_its_board_is_in_play(
    twins: Twins, from_a_seat: list[Scene]
) -> None:
    assert len(from_a_seat) > MOST
    compare_from_a_seat(twins, from_a_seat)
    assert twins.seen["GET /v1/games/{game_id}/view", "200"]
    assert twins.seen["GET /v1/games/{game_id}/events", "200"]


def _as_if_free(patch: pytest.MonkeyPatch, module: ModuleType) -> None:
    patch.setattr(module, "viewer_of", lambda table, *who: viewers.viewer_of(replace(table, embargoed=False), *who))


def everybody_may_look_on(patch: pytest.MonkeyPatch) -> None:
    _as_if_free(patch, playing)


def everybody_may_follow(patch: pytest.MonkeyPatch) -> None:
    _as_if_free(patch, following)


def every_step_can_be_looked_at(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(replays, "_sight", lambda *_: (None, None))


def games_show_how_far_they_have_come(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(gaming, "shown", lambda game: replace(game, result=None) if game.embargoed else game)


def games_show_their_results(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(gaming, "shown", lambda game: replace(game, version=-1) if game.embargoed else game)


def what_is_over_can_be_read_again(patch: pytest.MonkeyPatch) -> None:
    honest = PostgresLog.load

    def careless(log: PostgresLog, game_id: UUID) -> StoredGame | None:
        stored = honest(log, game_id)
        return None if stored is None else replace(stored, info=replace(stored.info, embargoed=False))

    patch.setattr(PostgresLog, "load", careless)


def the_end_opens_the_log(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Table, "is_open", property(lambda table: table.status.is_over))


def the_end_opens_the_table(patch: pytest.MonkeyPatch) -> None:
    honest = Table.decision
    patch.setattr(Table, "decision", lambda table, viewer: honest(replace(table, embargoed=False), viewer))


FROM_OUTSIDE: Final = (
    everybody_may_look_on,
    everybody_may_follow,
    every_step_can_be_looked_at,
    games_show_how_far_they_have_come,
    games_show_their_results,
    what_is_over_can_be_read_again,
)
FROM_A_SEAT: Final = (the_end_opens_the_log, the_end_opens_the_table)


@pytest.mark.parametrize("plant", FROM_OUTSIDE, ids=lambda plant: plant.__name__)
def test_a_leak_to_outsiders_is_found(
    twins: Twins, from_outside: list[Scene], plant: Planting, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises(Leak):
        compare_from_outside(twins, from_outside)


@pytest.mark.parametrize("plant", FROM_A_SEAT, ids=lambda plant: plant.__name__)
def test_a_leak_to_seats_is_found(
    twins: Twins, from_a_seat: list[Scene], plant: Planting, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises(Leak):
        compare_from_a_seat(twins, from_a_seat)
