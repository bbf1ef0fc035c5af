"""How fast the service plays, beside yardsticks of the same run: pgbench, an ORM endpoint, Flask without a database.

Everything is measured in turns, forwards and backwards, each figure beside its yardstick, so that a machine that drifts
moves both alike; a ratio is that of the medians. Each load has a server of its own: two workers, started for it, on a
database that the figures share; the load generator, the database and the server share the machine. Whatever else runs
there counts against the service: its few processes get a smaller part of two cores than pgbench's sixty-four.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import mean, median
from typing import Final

from rich.progress import Progress

from benchmarks.report import Report, Row
from benchmarks.serving import ground, pgbench, processor, servers, waiters
from benchmarks.serving.load import Client, drive, request
from benchmarks.serving.pgbench import Yardstick
from benchmarks.serving.plain_endpoint import PATH
from benchmarks.serving.players import Reader

SECONDS: Final = 2
ROUNDS: Final = 3
QUICK_ROUNDS: Final = 1
QUICK_SECONDS: Final = 1
FINISHED_GAMES: Final = 200_000
QUICK_FINISHED_GAMES: Final = 5_000
IDLE_WAITERS: Final = 500
WAKES: Final = 40
CORES: Final = 2


@dataclass(slots=True)
class Bench:
    """One run: what there is to load, and what came of it so far.

    Attributes:
        seconds: how long each load lasts.
        rounds: how often each figure is measured.
        folder: where everything is kept.
        database: the PostgreSQL.
        main: bots and games in a database that was empty.
        full: the same beside many finished games.
        yardstick: pgbench.
        figures: everything measured, by name; mostly rates per second.
        spent: what the loads cost, by name: processor time, and the work that was done with it.
    """

    seconds: int
    rounds: int
    folder: Path
    database: ground.Database
    main: ground.World
    full: ground.World
    yardstick: Yardstick
    figures: dict[str, list[float]] = field(default_factory=dict)
    spent: dict[str, list[tuple[processor.Spent, int]]] = field(default_factory=dict)

    def note(self, name: str, figure: float) -> None:
        """Keep a figure."""
        self.figures.setdefault(name, []).append(figure)

    def median(self, name: str) -> float:
        """The median of a figure's measurements."""
        return median(self.figures[name])

    @contextmanager
    def costing(self, name: str, server: int | None, done: Callable[[], int]) -> Iterator[None]:
        """Keep what happens meanwhile costs, where the system says; `done` counts the work so far."""
        self.database.calm()
        if not processor.is_told():
            yield
            return
        before, work = processor.Spent.so_far(server, self.database.process), done()
        yield
        spent = processor.Spent.so_far(server, self.database.process).since(before)
        self.spent.setdefault(name, []).append((spent, done() - work))

    def microseconds(self, name: str, part: str = "ours") -> float:
        """Processor time of one piece of work, all measurements together; of all that it takes, or of a part."""
        measured = self.spent[name]
        seconds: float = sum(getattr(spent, part) for spent, _ in measured)
        return seconds / sum(work for _, work in measured) * 1e6

    @contextmanager
    def serving(self, target: str, world: ground.World) -> Iterator[servers.Server]:
        """A server on a world whose players have games in store."""
        world.stock()
        with servers.running(target, world.conninfo, self.folder / "servers.log") as server:
            yield server

    def load(self, name: str, target: str, world: ground.World, clients: Callable[[], Sequence[Client]]) -> None:
        """Measure a rate."""
        with self.serving(target, world) as server:
            self.drive(name, server, clients())
            if name == "moves":
                self.note("worker MiB", server.memory_per_worker())

    def drive(self, name: str, server: servers.Server, clients: Sequence[Client]) -> None:
        """Measure a rate on a server that runs."""
        with self.costing(name, server.pid, lambda: sum(client.done for client in clients)):
            measured = drive(server.port, clients, self.seconds)
        self.note(name, measured.rate)
        self.note("load share", measured.load_share)


def run(progress: Progress, *, quick: bool = False, finished_games: int = 0) -> Report:
    """Measure everything.

    Args:
        progress: where to show how far it is.
        quick: short loads and few finished games: the figures say little, but everything is tried.
        finished_games: how many to store; 0 = the usual number.
    """
    finished = finished_games or (QUICK_FINISHED_GAMES if quick else FINISHED_GAMES)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    folder = Path(tempfile.mkdtemp(prefix="skyjo-benchmark-"))
    try:
        with ground.database(folder) as database:
            seconds, rounds = (QUICK_SECONDS, QUICK_ROUNDS) if quick else (SECONDS, ROUNDS)
            bench = Bench(seconds, rounds, folder, database, *_prepare(database, folder, finished, progress))
            for step in progress.track(_steps(bench), description="measuring"):
                step()
            return _report(bench, finished)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _prepare(
    database: ground.Database, folder: Path, finished: int, progress: Progress
) -> tuple[ground.World, ground.World, Yardstick]:
    task = progress.add_task("preparing", total=4)
    main, full = (ground.World(database.new(name), seed) for seed, name in enumerate(("benchmark", "benchmark_full")))
    main.settle(batches=True)
    progress.advance(task)
    full.settle(batches=False)
    progress.advance(task)
    full.add_finished(finished)
    progress.advance(task)
    yardstick = Yardstick(database.new("benchmark_pgbench"), folder)
    progress.update(task, completed=4)
    return main, full, yardstick


def _steps(bench: Bench) -> list[Callable[[], None]]:
    there = _in_turns(bench)
    back = there[::-1]
    steps = [step for number in range(bench.rounds) for step in (back if number % 2 else there)]
    few = max(1, bench.rounds - 1)
    steps += [partial(_wait, bench)] * few
    steps += [partial(_slow, bench, silent=silent) for silent in (False, True, True, False)[: 2 * few]]
    return steps


def _in_turns(bench: Bench) -> list[Callable[[], None]]:
    main, full = bench.main, bench.full

    def commits(script: str) -> None:
        with bench.costing(script, None, lambda: bench.yardstick.committed):
            rate = bench.yardstick.rate(script, bench.seconds)
        bench.note(script, rate)

    return [
        partial(commits, pgbench.TRANSACTION),
        partial(bench.load, "batches", servers.SERVICE, main, lambda: main.batch_players),
        partial(commits, pgbench.ONE_STATEMENT),
        partial(bench.load, "moves", servers.SERVICE, main, lambda: main.players),
        partial(bench.load, "full", servers.SERVICE, full, lambda: full.players),
        partial(bench.load, "silent", servers.SILENT, main, lambda: main.players),
        partial(bench.load, "orm", servers.ORM, main, lambda: main.players),
        partial(bench.load, "reads", servers.SERVICE, main, lambda: [Reader(player.read()) for player in main.players]),
        partial(bench.load, "plain", servers.PLAIN, main, lambda: [_plain() for _ in main.players]),
    ]


def _plain() -> Reader:
    return Reader(request("GET", PATH, None))


def _wait(bench: Bench) -> None:
    """Wake one waiter at a time; then play without idle waiters, and with them."""
    main = bench.main
    pair, games = main.idle_games(IDLE_WAITERS)
    with bench.serving(servers.SERVICE, main) as server:
        bench.note("wake", waiters.wake_milliseconds(server.port, main.players[:WAKES]))
        bench.drive("without waiters", server, main.players)
        before = server.memory_per_worker()
        with waiters.idle(server.port, pair, games):
            bench.drive("with waiters", server, main.players)
            grown = (server.memory_per_worker() - before) * servers.WORKERS
        bench.note("waiter KiB", grown * 1024 / IDLE_WAITERS)


def _slow(bench: Bench, *, silent: bool) -> None:
    """Play while every flush takes 3.5 ms more."""
    with bench.database.slow_flush():
        target = servers.SILENT if silent else servers.SERVICE
        bench.load("slow silent" if silent else "slow", target, bench.main, lambda: bench.main.players)


def _report(bench: Bench, finished: int) -> Report:
    ratios = _ratios(finished)
    rows = (
        *(ratio.by_rate(bench) for ratio in ratios),
        *(ratio.by_processor_time(bench) for ratio in ratios if bench.spent and ratio.floor is not None),
        Row(name="memory of a worker (PSS)", value=bench.median("worker MiB"), unit="MiB"),
        Row(name="memory of a waiter (PSS)", value=bench.median("waiter KiB"), unit="KiB"),
        Row(name="time to wake a waiter, median", value=bench.median("wake"), unit="ms"),
    )
    return Report("service", rows, _notes(bench))


@dataclass(frozen=True, slots=True)
class _Ratio:
    """A figure beside its yardstick.

    Attributes:
        name: what was measured.
        figure: the name under which it was kept.
        yardstick: what it is measured against.
        of: the name under which that was kept.
        floor: the least that their ratio may be; None = it is only shown.
        unit: what both count in a second.
    """

    name: str
    figure: str
    yardstick: str
    of: str
    floor: float | None
    unit: str = "moves/s"

    def by_rate(self, bench: Bench) -> Row:
        """How fast they were."""
        return Row(
            name=self.name,
            value=bench.median(self.figure),
            unit=self.unit,
            yardstick=self.yardstick,
            yardstick_value=bench.median(self.of),
            floor=self.floor,
        )

    def by_processor_time(self, bench: Bench) -> Row:
        """How much they got out of a core: about what the rates would say if nobody else used the machine."""
        return Row(
            name=f"{self.name}, by processor time",
            value=1e6 / bench.microseconds(self.figure),
            unit=f"{self.unit} of a core",
            yardstick=self.yardstick,
            yardstick_value=1e6 / bench.microseconds(self.of),
        )


def _ratios(finished: int) -> tuple[_Ratio, ...]:
    one, transaction = pgbench.ONE_STATEMENT, pgbench.TRANSACTION
    moves = "single moves, 64 clients"
    slow = f"{moves}, each flush 3.5 ms slower"
    return (
        _Ratio(moves, "moves", "pgbench, the same statement", one, 0.35),
        _Ratio(moves, "moves", "pgbench, transaction of two statements", transaction, None),
        _Ratio(moves, "moves", "ORM endpoint", "orm", 4.0),
        _Ratio("moves in batches of 32", "batches", "pgbench, the same statement", one, 1.0),
        _Ratio(f"{moves}, waking on", "moves", "waking off", "silent", 0.8),
        _Ratio(f"{slow}, waking on", "slow", "waking off", "slow silent", 0.8),
        _Ratio(f"{moves}, {IDLE_WAITERS} idle waiters", "with waiters", "none", "without waiters", 0.85),
        _Ratio("legal actions read", "reads", "Flask without a database", "plain", 0.4, "answers/s"),
        _Ratio(f"{moves}, {finished:,} finished games", "full", "none stored", "moves", 0.9),
    )


def _cost_notes(bench: Bench) -> tuple[str, ...]:
    """Where the processor time goes, and how much of the machine went elsewhere."""
    if not bench.spent:
        return ()
    parts = ("server", "database", "load")
    costs = [
        f"{name} {' + '.join(f'{bench.microseconds(name, part):.0f}' for part in parts)}"
        for name in ("moves", "batches", "reads", "plain", "orm", pgbench.ONE_STATEMENT, pgbench.TRANSACTION)
    ]
    others = median(spent.others for measured in bench.spent.values() for spent, _ in measured)
    return (
        f"Processor time of one, in µs, as workers + database + load generator: {'; '.join(costs)}.",
        f"Other processes took {others:.0%} of the {CORES} cores at the median; the rates are worth what is left.",
    )


def _notes(bench: Bench) -> tuple[str, ...]:
    batch = sum(player.sent for player in bench.main.batch_players)
    batches = sum(player.batches for player in bench.main.batch_players)
    spread = {name: [round(figure, 1) for figure in figures] for name, figures in bench.figures.items()}
    return (
        f"{servers.WORKERS} workers, database and load generator share {CORES} cores.",
        f"The load generator took {mean(bench.figures['load share']):.0%} of one core on average.",
        "pgbench: 64 clients, prepared, Unix socket. The one statement is the service's own for a move.",
        f"A batch had {batch / max(batches, 1):.1f} moves on average; only accepted ones count.",
        f"Finished games have rows in games, game_seats, game_secrets and {ground.EVENTS_OF_FINISHED} in events each.",
        "The slower flush is PostgreSQL's own: commit_delay = 3500, commit_siblings = 0. Autovacuum is off meanwhile.",
        *_cost_notes(bench),
        f"Each measurement: {spread}",
    )
