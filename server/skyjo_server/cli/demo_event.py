"""The event of a demo: who plays whom, playing it to its end, proving it, ranking it. Starts no process."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from skyjo import GameRecord, SkyjoError, read_jsonl, verify, write_transcript
from skyjo_client import BotSeat, Client, Game, RetryPolicy
from skyjo_server.cli.demo_house import House
from skyjo_server.cli.output import progress

ENTRANTS: Final = (
    ("greedy", "greedy"),
    ("threshold", "threshold"),
    ("random", "random"),
    ("first", "skyjo_client.examples.first_bot:choose"),
)
"""Name and bot of each of the four."""

PATIENCE: Final = RetryPolicy(attempts=120, cap_seconds=2.0)
"""The service may be killed and come back while the event runs."""

_LOOK_SECONDS: Final = 0.4


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot of the event."""

    name: str
    bot: str
    id: str
    token: str


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the ranking; `points` is the mean of its games, and low is good."""

    name: str
    games: int
    wins: float
    points: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an event."""

    standings: tuple[Standing, ...]
    games: int
    events: int
    failures: tuple[str, ...]
    records: Path
    transcripts: Path

    def to_dict(self) -> dict[str, Any]:
        """The outcome, JSON-ready."""
        return {**asdict(self), "records": str(self.records), "transcripts": str(self.transcripts)}


@dataclass(slots=True)
class Event:
    """A round robin of pairs, seats taken in turn, whose state is one small file."""

    id: str
    organiser: str
    entrants: tuple[Entrant, ...]
    games_per_pair: int
    url: str = ""

    @classmethod
    def resume_or_begin(cls, home: Path, url: str, organiser: str, games_per_pair: int) -> Event:
        """The event that a killed demo left unfinished in this folder, else a new one."""
        path = _state_path(home)
        if path.exists():
            kept = json.loads(path.read_text(encoding="utf-8"))
            kept["entrants"] = tuple(Entrant(**entrant) for entrant in kept["entrants"])
            event = cls(**{**kept, "url": url})
        else:
            event = cls(uuid4().hex[:8], organiser, _register(url), games_per_pair, url)
            draft = path.with_suffix(".new")
            draft.write_text(json.dumps(asdict(event)), encoding="utf-8")
            draft.replace(path)
        return event

    def play(self, house: House) -> None:
        """Start the bots, create the games, and wait until the last one is over."""
        for entrant in self.entrants:
            house.add_bot(entrant.bot, entrant.token, f"bot-{entrant.name.partition('-')[0]}.log")
        with Client(self.url, self.organiser, retry=PATIENCE) as client, progress() as bar:
            pairs = self._pairs()
            task = bar.add_task("playing", total=len(pairs))
            waiting = {game.id for game in self._games(client)}
            while waiting:
                over = {game_id for game_id in waiting if client.games.get(game_id).status.is_over}
                waiting -= over
                bar.advance(task, len(over))
                house.check()
                if waiting:
                    time.sleep(_LOOK_SECONDS)

    def finish(self, home: Path) -> Outcome:
        """Fetch every log, prove it, keep it, and rank the bots; then the event is over."""
        records, failures = home / f"games-{self.id}.jsonl", []
        finished: list[GameRecord] = []
        with Client(self.url, self.organiser, retry=PATIENCE) as client, records.open("w", encoding="ascii") as file:
            games = self._games(client)
            with progress() as bar:
                for game in bar.track(games, description="verifying"):
                    text = client.games.export(game.id)
                    file.write(text)
                    try:
                        (record,) = read_jsonl(text)
                        verify(record)
                        finished.append(record)
                    except SkyjoError as error:
                        failures.append(f"game {game.id}: {error}")
        transcripts = home / f"games-{self.id}.skyjo"
        transcripts.write_text("".join(write_transcript(record) for record in finished), encoding="utf-8")
        _state_path(home).unlink()
        events = sum(len(record.events) for record in finished)
        return Outcome(_standings(finished), len(games), events, tuple(failures), records, transcripts)

    def _pairs(self) -> list[tuple[Entrant, Entrant]]:
        pairs = list(combinations(self.entrants, 2))
        return [pair if number % 2 == 0 else pair[::-1] for number in range(self.games_per_pair) for pair in pairs]

    def _games(self, client: Client) -> list[Game]:
        """Every game of the event; its key makes creating it again harmless."""
        return [
            client.games.create(seats=[BotSeat(bot.id) for bot in pair], key=f"demo-{self.id}-{number}")
            for number, pair in enumerate(self._pairs())
        ]


def _register(url: str) -> tuple[Entrant, ...]:
    mark = uuid4().hex[:4]
    with Client(url, retry=PATIENCE) as client:
        made = [(bot, client.bots.register(f"{name}-{mark}")) for name, bot in ENTRANTS]
    return tuple(Entrant(new.bot.name, bot, new.bot.id, new.token.token) for bot, new in made)


def _standings(records: Sequence[GameRecord]) -> tuple[Standing, ...]:
    """Wins first, a shared first rank counting in equal parts; then mean points."""
    wins: dict[str, float] = {}
    points: dict[str, list[int]] = {}
    for record in records:
        ranks = record.result.ranks or ()
        for name, rank, total in zip(record.seats, ranks, record.result.totals, strict=True):
            points.setdefault(name, []).append(total)
            wins[name] = wins.get(name, 0.0) + (1 / ranks.count(1) if rank == 1 else 0.0)
    rows = [Standing(name, len(totals), wins[name], sum(totals) / len(totals)) for name, totals in points.items()]
    return tuple(sorted(rows, key=lambda row: (-row.wins, row.points, row.name)))


def _state_path(home: Path) -> Path:
    return home / "unfinished.json"
