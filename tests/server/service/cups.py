"""Tournaments for the tests: small ones with short games, run by hand to their end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from uuid import UUID

import psycopg

from skyjo import RuleSet
from skyjo.bots import HOUSE_BOTS
from skyjo.shuffle import WordStream
from skyjo_server.app import Service
from skyjo_server.service.model import Caller, Page, Submission
from skyjo_server.service.tournament_model import (
    NewTournament,
    StandingRow,
    TableInfo,
    TournamentEvent,
    TournamentInfo,
)
from skyjo_server.tournaments.values import Format, Shape
from tests.server.service.people import Player

SHORT = RuleSet(score_limit=None, max_rounds=1)
BRAIN = HOUSE_BOTS["threshold"](WordStream(bytes(32), b"play"))
"""How bots of tests play: well enough for their games to be short."""

MOST_IDLE = 40
MOVE_CLOCKS_BACK = """
UPDATE games SET clock_started = clock_started - make_interval(secs => %s),
                 deadline = deadline - make_interval(secs => %s)
"""

HOUSE = ("threshold", "random", "threshold", "random", "threshold")
SHAPES = {
    "round robin": Shape(format=Format.ROUND_ROBIN, boards=1),
    "round robin on boards": Shape(format=Format.ROUND_ROBIN, duplicate=True),
    "tables of three": Shape(format=Format.ROUND_ROBIN, table_size=3, boards=1, duplicate=True),
    "swiss": Shape(format=Format.SWISS, duplicate=True, rounds=3),
    "gauntlet": Shape(format=Format.GAUNTLET, challengers=2, duplicate=True),
    "knockout": Shape(format=Format.KNOCKOUT, duplicate=True),
    "ladder": Shape(format=Format.LADDER, rounds=6),
}


def cup(service: Service, host: Caller, shape: Shape, *house: str, **options: object) -> TournamentInfo:
    """An event of short games, open for entries."""
    given = {"rules": SHORT, **options}
    return service.arena.create_tournament(host, NewTournament("Cup", shape, house=house, **given))  # type: ignore[arg-type]  # each test names what it needs


def turn(service: Service) -> None:
    """Let a process do once what its threads do all the time."""
    service.arena.runner.turn()
    while service.arena.sweeper.turn():
        pass


def run(service: Service, tournament_id: UUID, most: int = 200) -> TournamentInfo:
    """Move an event of house bots on until it is over, and its ranking is made."""
    info = service.arena.tournament(tournament_id)
    for _ in range(most):
        turn(service)
        if (info := service.arena.tournament(tournament_id)).status.is_over and info.seed is not None:
            service.arena.runner.turn()
            return info
    raise AssertionError(f"the event is not over: {info.status}, {info.progress}")


def play_all(service: Service, players: Sequence[Player]) -> int:
    """Let bots play whatever waits for them now, and what comes of it at once; gives how many moves that were."""
    played = 0
    for player in players:
        decisions = service.arena.pending(player.caller, 0, 100)
        while decisions:
            sent = tuple(Submission(UUID(seen.game), seen.version, BRAIN.choose(seen)) for seen in decisions)
            decisions = service.arena.submit(player.caller, sent, 0, 100).decisions
            played += len(sent)
    return played


def run_with(
    service: Service, tournament_id: UUID, players: Sequence[Player], wait: Callable[[], None] | None = None
) -> TournamentInfo:
    """As :func:`run`, with bots that play; `wait` lets time pass when nothing else happens."""
    idle = 0
    while idle < MOST_IDLE:
        idle = 0 if play_all(service, players) else idle + 1
        if idle > 2 and wait is not None:
            wait()  # before anything is dealt that they could not have played yet
        turn(service)
        info = service.arena.tournament(tournament_id)
        if info.status.is_over and info.seed is not None:
            service.arena.runner.turn()
            return info
    raise AssertionError(f"nothing happens any more: {service.arena.tournament(tournament_id).progress}")


def let_time_pass(conninfo: str, service: Service, seconds: float = 1000.0) -> None:
    """Move the clocks of all games back, with the service alive all the while."""
    with psycopg.connect(conninfo) as connection:
        connection.execute(MOVE_CLOCKS_BACK, (seconds, seconds))
    service.storage.log.beat()


def standings(service: Service, tournament_id: UUID) -> tuple[StandingRow, ...]:
    return service.arena.standings(tournament_id, 1000, None).items


def schedule(service: Service, tournament_id: UUID) -> tuple[TableInfo, ...]:
    """Every table, read in pages."""
    return tuple(_all(service, tournament_id))


def log(service: Service, tournament_id: UUID) -> tuple[TournamentEvent, ...]:
    return service.arena.tournament_events(tournament_id, -1, 10_000, 0).events


def _all(service: Service, tournament_id: UUID) -> Iterator[TableInfo]:
    cursor = None
    while True:
        page: Page[TableInfo] = service.arena.tables(tournament_id, None, None, None, 7, cursor)
        yield from page.items
        if (cursor := page.next_cursor) is None:
            return
