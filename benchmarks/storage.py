"""How much room a finished game takes, and how fast it is read again: on the service's own tables, in PostgreSQL.

Games between two bots are played, stored as rows of the log and compacted as the service does it; nothing but the
service's own code packs and unpacks them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from os import cpu_count
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from typing import Final, LiteralString
from uuid import UUID

import psycopg
from psycopg import sql
from rich.progress import Progress

from benchmarks.keeping.games import BOTS, COLUMNS, Rows, bot, game_rows
from benchmarks.report import Report, Row
from benchmarks.serving.ground import database
from skyjo import decision, evolve, initial_state
from skyjo_server.service.ports import StoredGame
from skyjo_server.storage.compaction import PostgresArchive
from skyjo_server.storage.connections import Connections
from skyjo_server.storage.log import PostgresLog

GAMES: Final = 100_000
QUICK_GAMES: Final = 1_000
GOAL_BYTES: Final = 1500
"""A finished game of two bots is to take no more than this, indexes included."""

READS: Final = 1000
GAMES_AT_ONCE: Final = 32
"""Games that a process has in the tables of play at the same time: their room is used again, and does not grow."""

TABLES: Final = ("games", "game_seats", "game_secrets", "events", "submissions", "transcripts", "transcript_receipts")


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured.

    Attributes:
        games: how many games are stored.
        events: how many events they have.
        bytes: what all tables and indexes take, by table.
        bytes_with_receipts: what they take for each game while its receipts are kept.
        bytes_before: what a game takes before it is compacted.
        compact_seconds: processor time of compacting one.
        replays: games read and unpacked in a second of processor time.
        state_seconds: for single states, how long one takes, the database included; ascending.
    """

    games: int
    events: int
    bytes: dict[str, int]
    bytes_with_receipts: float
    bytes_before: float
    compact_seconds: float
    replays: float
    state_seconds: Sequence[float]


def run(progress: Progress, *, quick: bool = False, games: int = 0) -> Report:
    """Store so many games, and read some of them again."""
    wanted = games or (QUICK_GAMES if quick else GAMES)
    with tempfile.TemporaryDirectory(prefix="skyjo-storage-") as folder, database(Path(folder)) as made:
        figures = _measured(made.new("storage"), wanted, progress)
    return Report("storage", tuple(_rows(figures)), _notes(figures))


def _rows(figures: Figures) -> Iterator[Row]:
    lasting = figures.bytes["transcripts"] / figures.games
    yield Row(
        name="finished games on a gigabyte",
        value=1e9 / lasting,
        unit="games",
        yardstick=f"{GOAL_BYTES:,} bytes each",
        yardstick_value=1e9 / GOAL_BYTES,
        floor=1.0,
    )
    yield Row(name="a finished game, indexes included", value=lasting, unit="bytes")
    total = sum(figures.bytes.values()) / figures.games
    yield Row(name="all files shared out among the games", value=total, unit="bytes")
    yield from (
        Row(name=f"of which {table}", value=size / figures.games, unit="bytes") for table, size in figures.bytes.items()
    )
    yield Row(name="while its receipts are kept", value=figures.bytes_with_receipts, unit="bytes")
    yield Row(name="before it is compacted", value=figures.bytes_before, unit="bytes")
    yield Row(name="events of a game", value=figures.events / figures.games, unit="events")
    yield Row(name="games compacted", value=1 / figures.compact_seconds, unit="games/s")
    yield Row(name="games replayed", value=figures.replays, unit="games/s")
    times = figures.state_seconds
    yield Row(name="one state at a version, median", value=1000 * times[len(times) // 2], unit="ms")
    yield Row(name="one state at a version, p99", value=1000 * times[len(times) * 99 // 100], unit="ms")


def _notes(figures: Figures) -> tuple[str, ...]:
    return (
        f"{figures.games:,} games of two `threshold` bots, all different; every move a commit and with a key.",
        "No other table has a row of a finished game; what those keep is room for games in play, and does not grow.",
        "Rates are per second of processor time of one process; the states are read one after the other, none twice.",
    )


def _measured(conninfo: str, games: int, progress: Progress) -> Figures:
    with _archive(conninfo) as (connection, archive, log):
        filled = _fill(conninfo, connection, archive, games, progress)
        events, ids = _events(connection), _some_ids(connection)
        replays, states = _replays(log, ids[::2]), _states(log, ids[1::2])
    return Figures(games, events, *filled, replays, states)


@contextmanager
def _archive(conninfo: str) -> Iterator[tuple[psycopg.Connection, PostgresArchive, PostgresLog]]:
    """A connection for the benchmark, and the service's own archive and log on others."""
    connections = Connections(conninfo, 2)
    connections.open()
    try:
        with psycopg.connect(conninfo, autocommit=True) as connection:
            connection.execute("SET synchronous_commit = off")
            yield connection, PostgresArchive(connections), PostgresLog(connections)
    finally:
        connections.close()


def _fill(
    conninfo: str, connection: psycopg.Connection, archive: PostgresArchive, games: int, progress: Progress
) -> tuple[dict[str, int], float, float, float]:
    """Store games and compact them, some at a time, in as many processes as there are processors.

    Returns:
        bytes by table; of a game while its receipts are kept, and before it is compacted; seconds that compacting took.
    """
    _add_bots(connection)
    empty = _total(connection)
    chunks = [range(first, min(first + GAMES_AT_ONCE, games)) for first in range(0, games, GAMES_AT_ONCE)]
    _store(connection, chunks[0])
    before = (_total(connection) - empty) / len(chunks[0])
    seconds = _compact(archive)
    task = progress.add_task("storage", total=games, completed=len(chunks[0]))
    with ProcessPoolExecutor(cpu_count(), mp_context=get_context("spawn")) as pool:
        for done in as_completed([pool.submit(_stored_and_compacted, conninfo, chunk) for chunk in chunks[1:]]):
            seconds += done.result()
            progress.advance(task, GAMES_AT_ONCE)
            connection.execute("VACUUM games, game_seats, game_secrets, events, submissions")
    assert _transcripts(connection) == games, "a game that cannot be packed stays as it is"
    sizes = _sizes(connection)
    kept = (sizes["transcripts"] + sizes["transcript_receipts"]) / games
    _forget(connection, archive)
    return _sizes(connection), kept, before, seconds / games


def _stored_and_compacted(conninfo: str, games: Sequence[int]) -> float:
    """Store games and compact them, in a process of the pool; gives the processor time of compacting."""
    with _archive(conninfo) as (connection, archive, _):
        _store(connection, games)
        return _compact(archive)


def _compact(archive: PostgresArchive) -> float:
    """Compact every game that is over; gives the processor time that this took."""
    began = process_time()
    while archive.compact(16, 0):
        pass
    return process_time() - began


def _add_bots(connection: psycopg.Connection) -> None:
    for bot_id, owner_id, name in map(bot, range(BOTS)):
        connection.execute("INSERT INTO owners (owner_id) VALUES (%s)", (owner_id,))
        connection.execute("INSERT INTO bots (bot_id, owner_id, name) VALUES (%s, %s, %s)", (bot_id, owner_id, name))


def _store(connection: psycopg.Connection, numbers: Sequence[int]) -> None:
    games = [game_rows(number) for number in numbers]
    with connection.transaction(), connection.cursor() as cursor:
        for table, columns in COLUMNS.items():
            names = sql.SQL(", ").join(map(sql.Identifier, columns.split(", ")))
            with cursor.copy(sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table), names)) as copy:
                for row in _rows_of(games, table):
                    copy.write_row(row)


def _rows_of(games: Sequence[Rows], table: str) -> Iterator[tuple[object, ...]]:
    for game in games:
        rows = getattr(game, table)
        yield from rows if rows and isinstance(rows[0], tuple) else (rows,)


def _forget(connection: psycopg.Connection, archive: PostgresArchive) -> None:
    while archive.forget_receipts(1000, 0):
        pass
    connection.execute("VACUUM (ANALYZE)")


def _sizes(connection: psycopg.Connection) -> dict[str, int]:
    """What each table takes on disk, its indexes and the tables behind it included."""
    rows = connection.execute(
        "SELECT t, pg_total_relation_size(t::regclass) FROM unnest(%s::text[]) t", (list(TABLES),)
    )
    return dict(rows.fetchall())


def _total(connection: psycopg.Connection) -> int:
    return sum(_sizes(connection).values())


def _transcripts(connection: psycopg.Connection) -> int:
    return _number(connection, "SELECT count(*) FROM transcripts")


def _events(connection: psycopg.Connection) -> int:
    return _number(connection, "SELECT sum(version + 1) FROM transcripts")


def _number(connection: psycopg.Connection, question: LiteralString) -> int:
    row = connection.execute(question).fetchone()
    assert row is not None
    return int(row[0])


def _some_ids(connection: psycopg.Connection) -> list[UUID]:
    rows = connection.execute("SELECT game_id FROM transcripts ORDER BY game_id LIMIT %s", (2 * READS,))
    return [game_id for (game_id,) in rows]


def _replays(log: PostgresLog, ids: Sequence[UUID]) -> float:
    """Games read and unpacked in a second."""
    began = process_time()
    for game_id in ids:
        assert log.load(game_id) is not None
    return len(ids) / (process_time() - began)


def _states(log: PostgresLog, ids: Sequence[UUID]) -> list[float]:
    """How long one state of a game takes that nobody has in memory, the database included; ascending."""
    random, times = Random(7), []
    for game_id in ids:
        began = perf_counter()
        game = log.load(game_id)
        assert game is not None
        _state(game, random.randrange(game.info.version + 1))
        times.append(perf_counter() - began)
    return sorted(times)


def _state(game: StoredGame, version: int) -> None:
    """What a spectator is shown of a version."""
    state = initial_state(game.info.rules, len(game.info.seats))
    for stored in game.events[: version + 1]:
        state = evolve(state, stored.event)
    decision(state, None, game=str(game.info.id))
