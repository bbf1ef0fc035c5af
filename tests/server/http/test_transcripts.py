"""A game that has become a transcript is answered for as before, to the byte: whatever is asked, sent or tried."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from typing import Any, Final

import psycopg
import pytest
from flask import Flask
from psycopg import sql

from skyjo_server.app import Service, open_service
from skyjo_server.http import create_http_app
from skyjo_server.service.errors import Unavailable
from skyjo_server.service.model import Scope
from skyjo_server.settings import Settings
from tests.contract.document import Document
from tests.server.http.client import Client, members, problem_code
from tests.server.http.conftest import Player
from tests.server.http.playing import SHORT, act, view

VARYING: Final = ("X-Request-Id", "RateLimit", "RateLimit-Policy", "Date")
"""Headers that differ between two answers to the same request."""

QUERIES: Final = {
    "getView": ("", "?after=3&wait=5", "?bot={ada}", "?bot={bob}"),
    "listEvents": ("?after=3&limit=2", "?limit=1000", "?after=100000"),
}
"""What is asked of an operation; others are asked as they are."""

ACCEPTED: Final = {
    "listEvents": ("application/json", "text/event-stream"),
    "getTranscript": ("text/plain", "application/jsonl"),
}
"""In which forms; others in JSON."""

TABLES: Final = (
    "games", "game_seats", "game_secrets", "events", "submissions", "transcripts", "transcript_receipts",
)  # fmt: skip

BLOCKED: Final = "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"

Database = psycopg.Connection[tuple[Any, ...]]
Told = tuple[int, bytes, tuple[tuple[str, str], ...]]


@dataclass(frozen=True)
class Finished:
    """A game that is over, and what was sent in it."""

    id: str
    sent: tuple[tuple[str, str, int, str], ...]
    """Token, action, version and key of each submission."""
    key: str
    wanted: dict[str, Any]
    """What it was created with."""


@dataclass(frozen=True)
class World:
    """Games of every kind that are over, and who asks about them."""

    games: tuple[Finished, ...]
    ada: Player
    bob: Player
    organiser: str

    @property
    def tokens(self) -> tuple[str | None, ...]:
        return (None, self.ada.token, self.bob.token, self.organiser)


@pytest.fixture
def app(service: Service) -> Flask:
    return create_http_app(service.arena)


@pytest.fixture
def organiser(service: Service) -> str:
    return service.arena.grant_token(Scope.ORGANISER).secret


@pytest.fixture
def database(conninfo: str) -> Iterator[Database]:
    """A connection of the test's own."""
    with psycopg.connect(conninfo, autocommit=True) as connection:
        yield connection


@pytest.fixture
def world(client: Client, ada: Player, bob: Player, organiser: str, service: Service, database: Database) -> World:
    """A game to its end, one with house bots, one that a seat left, one that a clock ended, one of house bots alone."""
    numbers = count()

    def play(seats: list[dict[str, Any]], clock: dict[str, Any] | None = None, leave_at: int = 1000) -> Finished:
        key = f"creation of {ada.name.replace(' ', '-')} {next(numbers)}".replace(" ", ".")
        wanted = {"seats": seats, "rules": SHORT, **(clock or {})}
        game = members(client.post("/v1/games", wanted, organiser, headers={"Idempotency-Key": key}))["id"]
        sent: list[tuple[str, str, int, str]] = []
        while (seen := view(client, game, None))["phase"] != "over":
            awaited = [player for player in (ada, bob) if view(client, game, player.token)["legal_actions"]]
            if len(sent) == leave_at:
                client.post(f"/v1/games/{game}/resignation", None, ada.token)
                leave_at = -1
                continue
            if clock and len(sent) == 5:
                _let_time_run_out(service, database, game)
                continue
            token, version = awaited[0].token, seen["version"]
            action = view(client, game, token)["legal_actions"][len(sent) % 2]
            made = act(client, game, token, action, version, Idempotency_Key=f"key-{len(sent)}")
            assert made.status_code == 200, made.data
            sent.append((awaited[0].token, action, version, f"key-{len(sent)}"))
        return Finished(game, tuple(sent), key, wanted)

    own = [{"kind": "bot", "bot": ada.bot}, {"kind": "bot", "bot": bob.bot}]
    house = [{"kind": "house", "house": name} for name in ("greedy", "random")]
    games = (
        play(own),
        play([own[0], *house]),
        play([*own, house[1]], leave_at=4),
        play(own, {"move_seconds": 60.0, "max_timeouts": 1}),
        play(house),
    )
    return World(games, ada, bob, organiser)


def _let_time_run_out(service: Service, database: Database, game: str) -> None:
    """Set the clock of a game back, and sweep."""
    database.execute(
        "UPDATE games SET deadline = now() - interval '1 hour', clock_started = now() - interval '2 hours' "
        "WHERE game_id = %s",
        (game,),
    )
    service.arena.sweeper.turn()


def compact(service: Service) -> int:
    """Make transcripts of all games that are over; gives how many."""
    made = 0
    while now := service.storage.archive.compact(3, 0):
        made += now
    return made


def left_over(database: Database, *games: str) -> dict[str, int]:
    """How many rows of these games there are in each table."""
    found = {}
    for table in TABLES:
        statement = sql.SQL("SELECT count(*) FROM {} WHERE game_id = ANY(%s::uuid[])").format(sql.Identifier(table))
        ((found[table],),) = database.execute(statement, (list(games),))
    return found


def told(answer: Any) -> Told:
    headers = tuple((name, value) for name, value in answer.headers if name not in VARYING)
    return answer.status_code, answer.data, headers


def reads(document: Document, world: World, game: Finished) -> Iterator[tuple[str, str | None, dict[str, str]]]:
    """Every operation that reads a game: path, token and headers."""
    for operation in document.operations():
        if operation.method != "get" or "{game_id}" not in operation.path:
            continue
        versions = (0, 1, 5, len(game.sent)) if "{version}" in operation.path else (0,)
        for version in versions:
            path = operation.path.replace("{game_id}", game.id).replace("{version}", str(version))
            for query in QUERIES.get(operation.operation_id, ("",)):
                asked = path + query.format(ada=world.ada.bot, bob=world.bob.bot)
                for token in world.tokens:
                    for accepted in ACCEPTED.get(operation.operation_id, ("application/json",)):
                        yield asked, token, {"Accept": accepted}


def lists(world: World) -> Iterator[str]:
    for query in (
        "",
        "&status=finished",
        "&status=void",
        f"&bot={world.ada.bot}",
        f"&bot={world.bob.bot}&status=finished",
    ):
        yield from (f"/v1/games?limit={limit}{query}" for limit in (1, 3, 50))


def all_pages(client: Client, path: str) -> Iterator[Told]:
    cursor = ""
    for _ in range(12):
        answer = client.get(f"{path}{cursor and f'&cursor={cursor}'}")
        yield told(answer)
        cursor = members(answer)["next_cursor"]
        if cursor is None:
            return


def everything(client: Client, document: Document, world: World) -> Iterator[tuple[object, Told]]:
    """All answers about the games: what is read, what is sent again, and what is tried in vain."""
    for game in world.games:
        for path, token, headers in reads(document, world, game):
            yield (path, token, headers), told(client.get(path, token, headers=headers))
        for token, action, version, key in game.sent:
            yield key, told(act(client, game.id, token, action, version, Idempotency_Key=key))
        for token, action, version, key in game.sent[:2]:
            yield key, told(act(client, game.id, token, "reject", version, Idempotency_Key=key))
            yield "another key", told(act(client, game.id, token, action, version, Idempotency_Key="never-sent"))
            yield "no key", told(act(client, game.id, token, action, version))
        for token in world.tokens:
            yield "resign", told(client.post(f"/v1/games/{game.id}/resignation", None, token))
            yield "join", told(client.post(f"/v1/games/{game.id}/seats", {}, token))
        created = client.post("/v1/games", game.wanted, world.organiser, headers={"Idempotency-Key": game.key})
        yield "created again", told(created)
        other = game.wanted | {"max_timeouts": 9}
        again = client.post("/v1/games", other, world.organiser, headers={"Idempotency-Key": game.key})
        yield "another game by the same key", told(again)
    batch = [
        {"game": game.id, "version": version, "action": action, "key": key}
        for game in world.games
        for token, action, version, key in game.sent
        if token == world.ada.token
    ]
    yield "batch", told(client.post("/v1/turns", {"actions": batch[:32]}, world.ada.token))
    for path in lists(world):
        yield from ((path, page) for page in all_pages(client, path))


def test_every_answer_is_the_same_before_and_after_in_every_process(
    client: Client,
    document: Document,
    world: World,
    service: Service,
    settings: Settings,
    conninfo: str,
    database: Database,
) -> None:
    ids = [game.id for game in world.games]
    before = list(everything(client, document, world))
    assert compact(service) >= len(ids)
    assert left_over(database, *ids) == {
        "games": 0,
        "game_seats": 0,
        "game_secrets": 0,
        "events": 0,
        "submissions": 0,
        "transcripts": len(ids),
        "transcript_receipts": len(ids),
    }
    other = open_service(settings, conninfo)
    try:
        fresh = Client(create_http_app(other.arena), document)
        for answering in (client, fresh):
            after = list(everything(answering, document, world))
            assert [asked for asked, _ in after] == [asked for asked, _ in before]
            assert [asked for (asked, now), (_, then) in zip(after, before, strict=True) if now != then] == []
    finally:
        other.close()


def test_what_was_sent_is_forgotten_after_a_while_and_then_it_is_stale(
    client: Client, world: World, service: Service
) -> None:
    compact(service)
    game = world.games[0]
    token, action, version, key = game.sent[0]
    assert service.storage.archive.forget_receipts(1000, 3600) == 0
    assert act(client, game.id, token, action, version, Idempotency_Key=key).status_code == 200
    assert service.storage.archive.forget_receipts(1000, 0) >= len(world.games)
    assert problem_code(act(client, game.id, token, action, version, Idempotency_Key=key)) == "stale-version"
    made = client.post("/v1/games", game.wanted, world.organiser, headers={"Idempotency-Key": game.key})
    assert members(made)["id"] != game.id


def test_games_that_are_not_over_for_long_enough_or_are_embargoed_stay(
    world: World, service: Service, database: Database
) -> None:
    game = world.games[0].id
    assert service.arena.compactor.turn() == 0, "an hour has not passed"
    database.execute("UPDATE games SET embargoed = true WHERE game_id = %s", (game,))
    compact(service)
    assert left_over(database, game)["transcripts"] == 0
    database.execute("UPDATE games SET embargoed = false WHERE game_id = %s", (game,))
    assert compact(service) == 1


def test_a_game_of_an_event_stays_until_the_event_has_taken_note_of_its_end(
    world: World, service: Service, database: Database
) -> None:
    game = world.games[0].id
    ((event,),) = database.execute(
        "INSERT INTO tournaments (tournament_id, owner_id, name, status, version, options, commitment) "
        "VALUES (gen_random_uuid(), gen_random_uuid(), 'an event', 'running', 0, '{}', '') RETURNING tournament_id"
    )
    database.execute(
        "INSERT INTO tournament_tables (tournament_id, round, number, attempt, own_deal, seats, game_id, outcome) "
        "VALUES (%s, 0, 0, 0, true, '{0,1}', %s, 'playing')",
        (event, game),
    )
    compact(service)
    assert left_over(database, game)["transcripts"] == 0
    database.execute("UPDATE tournament_tables SET outcome = 'finished' WHERE game_id = %s", (game,))
    assert compact(service) == 1


def test_a_game_whose_log_is_not_what_the_rules_give_stays_as_it_is(
    client: Client, world: World, service: Service, database: Database
) -> None:
    wrong, right = world.games[0].id, world.games[1].id
    database.execute("UPDATE events SET hash = '\\x00' WHERE game_id = %s AND version = 3", (wrong,))
    before = told(client.get(f"/v1/games/{wrong}/transcript"))
    compact(service)
    assert left_over(database, wrong)["transcripts"] == 0
    assert left_over(database, right)["transcripts"] == 1
    assert told(client.get(f"/v1/games/{wrong}/transcript")) == before


def test_readers_notice_nothing_while_several_processes_compact(
    app: Flask, client: Client, document: Document, world: World, settings: Settings, conninfo: str
) -> None:
    parts = ("", "/events?limit=1000", "/transcript", "/view")
    paths = [f"/v1/games/{game.id}{part}" for game, part in zip(world.games, parts, strict=False)]
    paths.append(f"/v1/games?limit=50&bot={world.ada.bot}")
    before = {path: told(client.get(path)) for path in paths}
    done = threading.Event()

    def read(path: str) -> list[Told]:
        own = Client(app, document)
        answers: list[Told] = []
        while not done.is_set() or not answers:
            answers.append(told(own.get(path)))
        return answers

    others = [open_service(settings, conninfo) for _ in range(2)]
    with ThreadPoolExecutor(len(paths) + 2) as pool:
        readers = {path: pool.submit(read, path) for path in paths}
        made = [pool.submit(compact, other) for other in others]
        compacted = sum(job.result() for job in made)
        done.set()
        assert {path: {*job.result()} - {before[path]} for path, job in readers.items()} == {
            path: set() for path in paths
        }
    for other in others:
        other.close()
    assert compacted >= len(world.games)


def test_a_process_that_dies_in_the_middle_has_done_nothing_and_another_does_it_again(
    client: Client, world: World, service: Service, conninfo: str, database: Database
) -> None:
    game = world.games[0].id
    before, rows = told(client.get(f"/v1/games/{game}/transcript")), left_over(database, game)
    with psycopg.connect(conninfo) as holding, ThreadPoolExecutor(1) as pool:
        holding.execute("SELECT FROM submissions WHERE game_id = %s FOR UPDATE", (game,))
        dying = pool.submit(service.storage.archive.compact, 16, 0)
        while not (blocked := database.execute(BLOCKED).fetchall()):
            assert not dying.done()
        database.execute("SELECT pg_terminate_backend(%s)", blocked[0])
        with pytest.raises(Unavailable):
            dying.result()
    assert left_over(database, game) == rows
    assert told(client.get(f"/v1/games/{game}/transcript")) == before
    assert compact(service) == len(world.games)
    assert told(client.get(f"/v1/games/{game}/transcript")) == before
