"""What the load is put on: databases on an embedded PostgreSQL, bots with games in them. It puts no load on any."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final
from uuid import UUID

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.types.json import Jsonb

from benchmarks.serving.players import BatchPlayer, Pair, Player
from benchmarks.serving.servers import PEPPER
from skyjo import RuleSet
from skyjo_server.app import open_service
from skyjo_server.postgres import EmbeddedPostgres
from skyjo_server.service import Arena
from skyjo_server.service.model import Caller, NewGame, Scope, SeatKind, SeatRequest
from skyjo_server.settings import Settings
from skyjo_server.storage.engine import make_engine
from skyjo_server.storage.migrate import migrate

CLIENTS: Final = 64
BATCH: Final = 32
BATCH_PAIRS: Final = 4
BATCH_GAMES: Final = 3 * BATCH
"""Of each pair: so many that each bot always has a whole batch to answer."""

BATCH_RULES: Final = RuleSet(score_limit=1000)
"""Long games, so that the batches stay whole."""

_RULES: Final = RuleSet()

STOCK: Final = 6
"""Games that each player has in store before a load: no game ends so soon that they run out."""

SLOW_FLUSH_MICROSECONDS: Final = 3500

_FINISHED_GAMES: Final = """
WITH made AS (
    INSERT INTO games (game_id, owner_id, status, version, rules, commitment, bank_seconds, on_timeout, max_timeouts,
                       created_at, started_at, finished_at, result)
    SELECT gen_random_uuid(), (SELECT owner_id FROM owners LIMIT 1), 'finished', 400, %(rules)s,
           sha256(n::text::bytea), 0, 'default', 3,
           now() - make_interval(secs => n), now() - make_interval(secs => n), now() - make_interval(secs => n),
           '{"status": "finished", "totals": [112, 87], "ranks": [2, 1]}'
    FROM generate_series(%(first)s::int, %(last)s::int) n
    RETURNING game_id
), seated AS (
    INSERT INTO game_seats (game_id, seat, kind, bot_id, owner_id, name, active)
    SELECT m.game_id, b.seat, 'bot', b.bot_id, b.owner_id, b.name, false
    FROM made m CROSS JOIN (
        SELECT bot_id, owner_id, name, row_number() OVER (ORDER BY bot_id) - 1 AS seat FROM bots ORDER BY bot_id LIMIT 2
    ) b
), sealed AS (
    INSERT INTO game_secrets (game_id, seed) SELECT game_id, sha256(game_id::text::bytea) FROM made
)
INSERT INTO events (game_id, version, seat, action, cause, facts, at, hash)
SELECT m.game_id, v, 1, 'keep c2', 'player', '[{"kind": "placed", "seat": 1, "place": "c2", "card": 7}]', now(),
       sha256(m.game_id::text::bytea)
FROM made m CROSS JOIN generate_series(0, %(events)s::int - 1) v
"""
EVENTS_OF_FINISHED: Final = 2
"""Rows of the log for each finished game: its transcript takes their place once it is compacted."""

_FINISHED_AT_ONCE: Final = 50_000


@dataclass(frozen=True, slots=True)
class Database:
    """A PostgreSQL of the benchmark's own.

    Attributes:
        server: it.
    """

    server: EmbeddedPostgres

    def new(self, name: str) -> str:
        """A connection string to a new database with the service's schema."""
        with psycopg.connect(self.server.dsn, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        conninfo = make_conninfo(self.server.dsn, dbname=name)
        engine = make_engine(conninfo, 1)
        migrate(engine)
        engine.dispose()
        return conninfo

    @property
    def process(self) -> int:
        """Id of PostgreSQL's first process."""
        return int((self.server.data_dir / "cluster" / "postmaster.pid").read_text(encoding="ascii").split()[0])

    @contextmanager
    def slow_flush(self) -> Iterator[None]:
        """Make every flush of the log 3.5 ms slower, as a slower disk would, for as long as this lasts.

        PostgreSQL does that itself: with `commit_siblings = 0`, whoever flushes sleeps for `commit_delay` first, and
        everybody else who commits waits for it, or joins.
        """
        self._set(f"commit_delay = {SLOW_FLUSH_MICROSECONDS}", "commit_siblings = 0")
        try:
            yield
        finally:
            self._set("commit_delay = 0", "commit_siblings = 5")

    def calm(self) -> None:
        """Write down what an earlier load has left to be written, so that the next one does not pay for it."""
        with psycopg.connect(self.server.superuser_dsn, autocommit=True) as connection:
            connection.execute("CHECKPOINT")

    def leave_alone(self) -> None:
        """Let no vacuum of its own begin in the middle of a load: it would slow whatever is measured just then."""
        self._set("autovacuum = off")

    def _set(self, *settings: str) -> None:
        with psycopg.connect(self.server.superuser_dsn, autocommit=True) as connection:
            for setting in settings:
                connection.execute(f"ALTER SYSTEM SET {setting}")
            connection.execute("SELECT pg_reload_conf()")


class World:
    """Bots and games in one database, made by the use cases themselves.

    Args:
        conninfo: the database.
        seed: of the players' choices.
    """

    def __init__(self, conninfo: str, seed: int) -> None:
        self.conninfo = conninfo
        self._random = Random(seed)
        self.players: list[Player] = []
        self.batch_players: list[BatchPlayer] = []
        self._idle: list[tuple[Pair, list[str]]] = []

    def settle(self, *, batches: bool) -> None:
        """Register everybody and give everybody games."""
        with self._arena() as (arena, organiser):
            self.players = [Player(_pair(arena, f"single {n}"), self._child()) for n in range(CLIENTS)]
            for number in range(BATCH_PAIRS if batches else 0):
                pair = _pair(arena, f"batch {number}")
                self.batch_players += [BatchPlayer(token, BATCH, self._child()) for token in pair.tokens]
                for _ in range(BATCH_GAMES):
                    _new_game(arena, organiser, pair, BATCH_RULES)
        self.stock()

    def stock(self) -> None:
        """See that every player has games in store."""
        with self._arena() as (arena, organiser):
            for player in self.players:
                while len(player.games) < STOCK:
                    player.games.append(_new_game(arena, organiser, player.pair))

    def idle_games(self, number: int) -> tuple[Pair, list[str]]:
        """A pair, and games of it that nobody plays."""
        if not self._idle:
            with self._arena() as (arena, organiser):
                pair = _pair(arena, "idle")
                self._idle.append((pair, [_new_game(arena, organiser, pair) for _ in range(number)]))
        return self._idle[0]

    def add_finished(self, number: int) -> None:
        """Store games that are over, by the million if need be: rows like those that games leave, made by SQL."""
        rules = Jsonb(RuleSet().to_dict())
        with psycopg.connect(self.conninfo, autocommit=True) as connection:
            connection.execute("SET synchronous_commit = off")
            for first in range(1, number + 1, _FINISHED_AT_ONCE):
                last = min(first + _FINISHED_AT_ONCE - 1, number)
                values = {"rules": rules, "first": first, "last": last, "events": EVENTS_OF_FINISHED}
                connection.execute(_FINISHED_GAMES, values)
            connection.execute("VACUUM (ANALYZE)")
        with psycopg.connect(self.conninfo, autocommit=True) as connection:
            connection.execute("CHECKPOINT") if _may_checkpoint(connection) else None

    def _child(self) -> Random:
        return Random(self._random.getrandbits(64))

    @contextmanager
    def _arena(self) -> Iterator[tuple[Arena, Caller]]:
        service = open_service(Settings(pepper=PEPPER.encode()), self.conninfo)
        try:
            yield service.arena, service.arena.authenticate(service.arena.grant_token(Scope.ORGANISER).secret)
        finally:
            service.close()


@contextmanager
def database(folder: Path) -> Iterator[Database]:
    """An embedded PostgreSQL in a folder, for as long as this lasts."""
    folder.chmod(0o755)
    with EmbeddedPostgres(folder / "data") as server:
        database = Database(server)
        database.leave_alone()
        yield database


def _may_checkpoint(connection: psycopg.Connection) -> bool:
    row = connection.execute("SELECT pg_has_role(current_user, 'pg_checkpoint', 'MEMBER')").fetchone()
    return bool(row and row[0])


def _pair(arena: Arena, name: str) -> Pair:
    first, second = (arena.register(f"{name} {seat}", None) for seat in "ab")
    return Pair((str(first.bot.id), str(second.bot.id)), (first.token.secret, second.token.secret))


def _new_game(arena: Arena, organiser: Caller, pair: Pair, rules: RuleSet = _RULES) -> str:
    seats = tuple(SeatRequest(SeatKind.BOT, UUID(bot)) for bot in pair.bots)
    return str(arena.create_game(organiser, NewGame(rules, seats)).id)
