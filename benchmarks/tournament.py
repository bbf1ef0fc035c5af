"""An event of 64 bots and 2,016 games as it runs by itself, pairing for thousands, and standings over a million games.

Half of the bots are house bots and half play through the SDK in processes of their own; all of them, the service's two
workers and PostgreSQL share the machine. Shares are of processor time, as Linux tells it; what the rules cost is
measured by playing the same games again without a service.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, process_time, sleep
from typing import Final
from uuid import UUID
from zipfile import ZipFile

from rich.progress import Progress

from benchmarks.events.bots import at_play
from benchmarks.events.full import fill
from benchmarks.report import Report, Row
from benchmarks.serving import servers
from benchmarks.serving.ground import Database, database
from benchmarks.serving.processor import Spent, is_told
from benchmarks.serving.servers import PEPPER, SERVICE
from skyjo import GameRecord, read_jsonl
from skyjo.referee import Referee
from skyjo_client import Client, Tournament, TournamentFormat, TournamentOptions
from skyjo_server.app import open_service
from skyjo_server.service.model import Scope
from skyjo_server.settings import Settings
from skyjo_server.tournaments.formats import next_round
from skyjo_server.tournaments.values import Entry, Format, Round, Shape, Table

BOTS: Final = 64
QUICK_BOTS: Final = 8
HOUSE: Final = ("threshold", "random")
PROCESSES: Final = 2
ENTRANTS: Final = 10_000
QUICK_ENTRANTS: Final = 1_000
PAIRING_SECONDS: Final = 10.0
"""A round of a Swiss event is to be paired in no more."""

GAMES: Final = 1_000_000
QUICK_GAMES: Final = 20_000
READ_SECONDS: Final = 1.0
"""A page of standings is to be read in no more, however many games there were."""

READS: Final = 21
SAMPLE: Final = 50
"""Games that are played again to see what the rules cost."""

_LOOK_SECONDS: Final = 0.5


@dataclass(frozen=True, slots=True)
class Run:
    """What came of the event.

    Attributes:
        games: how many it had.
        events: how many events they had.
        seconds: from its start to its end.
        spent: processor time meanwhile; nothing where the system does not say.
        rules_seconds: processor time of the rules for all of them, once.
    """

    games: int
    events: int
    seconds: float
    spent: Spent | None
    rules_seconds: float


def run(progress: Progress, *, quick: bool = False, games: int = 0) -> Report:
    """Measure everything.

    Args:
        progress: where to show how far it is.
        quick: a small event, and smaller figures everywhere.
        games: how many the standings are read over; 0 = a million.
    """
    bots, entrants = (QUICK_BOTS, QUICK_ENTRANTS) if quick else (BOTS, ENTRANTS)
    wanted = games or (QUICK_GAMES if quick else GAMES)
    with tempfile.TemporaryDirectory(prefix="skyjo-tournament-") as folder, database(Path(folder)) as made:
        conninfo = made.new("tournament")
        played, small, big = _measured(made, conninfo, Path(folder), bots, wanted, progress)
    paired = _pairing_seconds(entrants, progress)
    rows = (*_event_rows(played), *_other_rows(entrants, paired, wanted, small, big))
    return Report("tournament", rows, _notes(bots, played))


def _event_rows(played: Run) -> Iterator[Row]:
    hours = played.seconds / 3600
    yield Row(
        name="games of the event",
        value=played.games / hours,
        unit="games/h",
        yardstick="the rules alone, on one core",
        yardstick_value=played.games / (played.rules_seconds / 3600),
    )
    yield Row(name="events of its logs", value=played.events / played.seconds, unit="events/s")
    spent = played.spent
    if spent is not None:
        everything = spent.server + spent.database + spent.load
        rules = min(played.rules_seconds, spent.server)
        parts = {
            "rules": rules,
            "HTTP and the rest of the service": spent.server - rules,
            "SQL, PostgreSQL": spent.database,
            "the bots' own processes": spent.load,
        }
        for name, seconds in parts.items():
            yield Row(name=f"share of {name}", value=100 * seconds / everything, unit="%")


def _other_rows(entrants: int, paired: float, games: int, small: float, big: float) -> Iterator[Row]:
    yield Row(
        name=f"second round of {entrants:,} in Swiss, paired",
        value=1 / paired,
        unit="rounds/s",
        yardstick=f"{PAIRING_SECONDS:g} s a round",
        yardstick_value=1 / PAIRING_SECONDS,
        floor=1.0,
    )
    yield Row(
        name=f"page of standings over {games:,} games",
        value=1 / big,
        unit="pages/s",
        yardstick=f"{READ_SECONDS:g} s a page",
        yardstick_value=1 / READ_SECONDS,
        floor=1.0,
    )
    yield Row(
        name="the same page",
        value=1 / big,
        unit="pages/s",
        yardstick="of the small event",
        yardstick_value=1 / small,
        floor=0.5,
    )


def _notes(bots: int, played: Run) -> tuple[str, ...]:
    return (
        f"{bots} bots, half of them through the SDK; {played.games:,} games in {played.seconds:.0f} s.",
        "Pages have 20 rows, read over HTTP from the middle of the ranking; medians.",
    )


def _measured(
    made: Database, conninfo: str, folder: Path, bots: int, games: int, progress: Progress
) -> tuple[Run, float, float]:
    service = open_service(Settings(pepper=PEPPER.encode()), conninfo)
    organiser = service.arena.grant_token(Scope.ORGANISER).secret
    service.close()
    with servers.running(SERVICE, conninfo, folder / "servers.log") as server:
        url = f"http://127.0.0.1:{server.port}"
        with Client(url, organiser) as client:
            event, played = _played(made, client, url, server.pid, bots, progress)
            small = _page_seconds(client, event.id, bots // 2)
            task = progress.add_task("a million games", total=1)
            fill(conninfo, UUID(event.id), ENTRANTS, games)
            progress.advance(task)
            return played, small, _page_seconds(client, event.id, ENTRANTS // 2)


def _played(
    made: Database, client: Client, url: str, server: int, bots: int, progress: Progress
) -> tuple[Tournament, Run]:
    """Let an event run from its start to its end."""
    through_sdk = bots // 2
    house = tuple(HOUSE[number % len(HOUSE)] for number in range(bots - through_sdk))
    options = TournamentOptions(
        name="Benchmark", format=TournamentFormat.ROUND_ROBIN, boards=1, duplicate=False, house=house
    )
    event = client.tournaments.create(options)
    tokens = [_entered(url, event.id, number) for number in range(through_sdk)]
    with at_play(url, tokens, PROCESSES) as players:
        before, began = _so_far(server, made.process, players), perf_counter()
        event = client.tournaments.start(event.id)
        task = progress.add_task("playing", total=bots * (bots - 1) // 2)
        while not event.status.is_over:
            sleep(_LOOK_SECONDS)
            event = client.tournaments.get(event.id)
            progress.update(task, completed=event.progress.tables_over)
        seconds, after = perf_counter() - began, _so_far(server, made.process, players)
    records = _records(client.tournaments.export(event.id))
    spent = None if before is None or after is None else after.since(before)
    events = sum(len(record.events) for record in records)
    return event, Run(len(records), events, seconds, spent, _rules_seconds(records))


def _so_far(server: int, database_: int, players: Sequence[int]) -> Spent | None:
    """Processor time so far, the players' as the load."""
    if not is_told():
        return None
    spent = Spent.so_far(server, database_)
    load = sum(Spent.so_far(player, database_).server for player in players)
    return Spent(spent.server, spent.database, load, spent.busy, spent.all)


def _entered(url: str, event: str, number: int) -> str:
    with Client(url) as nobody:
        made = nobody.bots.register(f"player {number}")
    with Client(url, made.token.token) as client:
        client.tournaments.enter(event)
    return made.token.token


def _records(archive: bytes) -> list[GameRecord]:
    with ZipFile(io.BytesIO(archive)) as files, files.open("games.jsonl") as lines:
        return list(read_jsonl(lines))


def _rules_seconds(records: Sequence[GameRecord]) -> float:
    """What deciding and applying every action of these games takes, by some of them."""
    sample = records[:: max(1, len(records) // SAMPLE)]
    began = process_time()
    for record in sample:
        referee = Referee(record)
        for event in record.bare_events():
            referee.judge(event)
    return (process_time() - began) * len(records) / len(sample)


def _pairing_seconds(entrants: int, progress: Progress) -> float:
    """How long pairing the second round of a Swiss event takes, a third of the entrants having lost."""
    task = progress.add_task("pairing", total=1)
    shape = Shape(format=Format.SWISS, boards=2)
    entries = [Entry(number, str(number), True, 0) for number in range(entrants)]
    half = entrants // 2
    first = Round(0, tuple(Table(0, number, None, (number, number + half)) for number in range(half)))
    points = {number: [2.0 if number % 3 else 0.0] for number in range(entrants)}
    began = perf_counter()
    second = next_round(shape, entries, lambda _: range(entrants), (first,), points)
    seconds = perf_counter() - began
    assert second is not None
    progress.advance(task)
    return seconds


def _page_seconds(client: Client, event: str, skipped: int) -> float:
    """How long a page from the middle of the ranking takes."""
    page = client.tournaments.standings(event, limit=min(skipped, 1000))
    times = []
    for _ in range(READS):
        began = perf_counter()
        client.tournaments.standings(event, limit=20, cursor=page.next_cursor)
        times.append(perf_counter() - began)
    return median(times)
