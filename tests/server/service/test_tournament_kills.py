"""An event that is broken off at any statement goes on as the one it was: same ids, boards, seats, results."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg import Cursor
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import TupleRow

from skyjo_server.app import Service, open_service
from skyjo_server.postgres import EmbeddedPostgres
from skyjo_server.service.errors import Unavailable
from skyjo_server.settings import Settings
from skyjo_server.storage.connections import PlayConnection
from skyjo_server.storage.postgres import PostgresStorage
from tests.database import new_database
from tests.server.service.cups import HOUSE, SHAPES, cup, log, run, schedule, standings
from tests.server.service.people import organiser

SEVERAL = ("swiss", "round robin on boards")

STRIDE = 3
"""A step is broken off at every third of its statements; the next step at others."""


class Fuse:
    """Breaks a connection at a statement: after so many it is gone, as if its process had been killed."""

    left: int | None = None

    @classmethod
    def burn(cls) -> bool:
        """Count a statement; says whether it is the one that does not happen."""
        if cls.left is None:
            return False
        cls.left -= 1
        return cls.left < 0


class FusedCursor(Cursor[TupleRow]):
    """A cursor whose statements may not happen."""

    def execute(self, *arguments: Any, **options: Any) -> Any:
        if Fuse.burn():
            self.connection.close()
            raise psycopg.OperationalError("the process is gone")
        return super().execute(*arguments, **options)


class FusedConnection(PlayConnection):
    """A connection that can be broken."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.cursor_factory = FusedCursor


@contextmanager
def service_on(settings: Settings, conninfo: str, connection_class: type[PlayConnection]) -> Iterator[Service]:
    service = open_service(settings, conninfo, lambda dsn: PostgresStorage(dsn, connection_class))
    try:
        yield service
    finally:
        Fuse.left = None
        service.close()


def outcome(service: Service, tournament_id: UUID) -> dict[str, Any]:
    """Everything about an event but the times."""
    info = service.arena.tournament(tournament_id)
    return {
        "progress": info.progress,
        "seed": info.seed,
        "boards": info.boards_commitment,
        "schedule": schedule(service, tournament_id),
        "standings": [
            (row.rank, row.entry, row.score, row.decided_by, row.tally, row.rating, row.interval)
            for row in standings(service, tournament_id)
        ],
        "rounds": [event.data for event in log(service, tournament_id) if event.kind == "paired"],
    }


@pytest.mark.parametrize("name", SEVERAL)
def test_an_event_that_is_killed_again_and_again_in_every_step_ends_as_if_nothing_had_happened(
    postgres: EmbeddedPostgres, conninfo: str, settings: Settings, name: str
) -> None:
    with service_on(settings, conninfo, PlayConnection) as service:
        host = organiser(service)
        tournament_id = cup(service, host, SHAPES[name], *HOUSE[:4]).id
        service.arena.start_tournament(host, tournament_id)
    with new_database(postgres, str(conninfo_to_dict(conninfo)["dbname"])) as copy:
        with service_on(settings, copy, PlayConnection) as service:
            run(service, tournament_id)
            undisturbed = outcome(service, tournament_id)
        kills = steps = 0
        with service_on(settings, conninfo, FusedConnection) as service:
            while not service.arena.tournament(tournament_id).status.is_over:
                kills += step_with_kills(service, tournament_id, steps % STRIDE)
                steps += 1
            run(service, tournament_id)
            assert kills > 3 * steps
            assert outcome(service, tournament_id) == undisturbed


def step_with_kills(service: Service, tournament_id: UUID, first: int) -> int:
    """Make a step that is broken off at one statement, then at a later one, until it is through; then play."""
    kills = 0
    while True:
        Fuse.left = first + STRIDE * kills
        try:
            service.arena.runner.step(tournament_id)
        except Unavailable:
            kills += 1
            continue
        finally:
            Fuse.left = None
        while service.arena.sweeper.turn():
            pass
        return kills
