"""The event of a demo: setting it up, letting it run, taking it home, proving it. Starts no process."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from skyjo import GameRecord, SkyjoError, write_jsonl, write_transcript
from skyjo_client import Client, Tournament, TournamentFormat, TournamentOptions, TournamentStanding
from skyjo_server.cli.archives import Archive, archive_faults
from skyjo_server.cli.demo_house import House
from skyjo_server.cli.output import progress
from skyjo_server.cli.tournament_views import plain
from skyjo_server.cli.tournament_watch import PATIENCE, settled, until_over

ENTRANTS: Final = (
    ("greedy", "greedy"),
    ("threshold", "threshold"),
    ("random", "random"),
    ("first", "skyjo_client.examples.first_bot:choose"),
)
"""Name and bot of each of the four."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot of the event."""

    name: str
    bot: str
    id: str
    token: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an event."""

    tournament: Tournament
    standings: tuple[TournamentStanding, ...]
    games: int
    events: int
    failures: tuple[str, ...]
    archive: Path
    records: Path
    transcripts: Path

    def to_dict(self) -> dict[str, Any]:
        """The outcome, JSON-ready."""
        written = {name: str(getattr(self, name)) for name in ("archive", "records", "transcripts")}
        return {
            "tournament": plain(self.tournament),
            "standings": plain(self.standings),
            "games": self.games,
            "events": self.events,
            "failures": list(self.failures),
            **written,
        }


@dataclass(slots=True)
class Event:
    """A round robin on duplicate boards. The service keeps it; what leads back to it is one small file."""

    id: str
    organiser: str
    entrants: tuple[Entrant, ...]
    boards: int
    url: str = ""

    @classmethod
    def resume_or_begin(cls, home: Path, url: str, organiser: str, boards: int) -> Event:
        """The event that a killed demo left unfinished in this folder, else a new one."""
        path = _state_path(home)
        if path.exists():
            kept = json.loads(path.read_text(encoding="utf-8"))
            kept["entrants"] = tuple(Entrant(**entrant) for entrant in kept["entrants"])
            return cls(**{**kept, "url": url})
        event = cls(uuid4().hex[:8], organiser, _register(url), boards, url)
        draft = path.with_suffix(".new")
        draft.write_text(json.dumps(asdict(event)), encoding="utf-8")
        draft.replace(path)
        return event

    def play(self, house: House) -> None:
        """Start the bots, which enter by themselves, and wait until the event is over."""
        with Client(self.url, self.organiser, retry=PATIENCE) as client, progress() as bar:
            tournament = self._tournament(client).id
            for entrant in self.entrants:
                log = f"bot-{entrant.name.partition('-')[0]}.log"
                house.add_bot(entrant.bot, entrant.token, tournament, log)
            task = bar.add_task("playing", total=None)
            for seen in until_over(client, tournament):
                bar.update(task, total=seen.progress.tables_total or None, completed=seen.progress.tables_over)
                house.check()

    def finish(self, home: Path) -> Outcome:
        """Take the archive home, prove all that is in it, and read the ranking; then the event is over."""
        with Client(self.url, self.organiser, retry=PATIENCE) as client:
            seen = self._tournament(client)
            standings = settled(client, seen.id)
            archive = home / f"tournament-{self.id}.zip"
            archive.write_bytes(client.tournaments.export(seen.id))
        games, faults = _proved(archive)
        records, transcripts = home / f"games-{self.id}.jsonl", home / f"games-{self.id}.skyjo"
        records.write_text("".join(map(write_jsonl, games)), encoding="ascii")
        transcripts.write_text("".join(map(write_transcript, games)), encoding="utf-8")
        _state_path(home).unlink()
        return Outcome(
            tournament=seen,
            standings=standings,
            games=len(games),
            events=sum(len(record.events) for record in games),
            failures=faults,
            archive=archive,
            records=records,
            transcripts=transcripts,
        )

    def _tournament(self, client: Client) -> Tournament:
        """The event at the service; its key makes creating it again harmless. It begins when all bots are in."""
        options = TournamentOptions(
            name=f"Demo {self.id}",
            format=TournamentFormat.ROUND_ROBIN,
            boards=self.boards,
            duplicate=True,
            entries_max=len(self.entrants),
            start_when_full=True,
        )
        return client.tournaments.create(options, key=f"demo-event-{self.id}")


def _proved(path: Path) -> tuple[list[GameRecord], tuple[str, ...]]:
    """The games of an archive, and everything that is not as it says."""
    try:
        with Archive(path) as archive, progress() as bar:
            task = bar.add_task("verifying", total=None)
            faults = tuple(archive_faults(archive, lambda: bar.advance(task)))
            return list(archive.records()), faults
    except SkyjoError as error:
        return [], (str(error),)


def _register(url: str) -> tuple[Entrant, ...]:
    mark = uuid4().hex[:4]
    with Client(url, retry=PATIENCE) as client:
        made = [(bot, client.bots.register(f"{name}-{mark}")) for name, bot in ENTRANTS]
    return tuple(Entrant(new.bot.name, bot, new.bot.id, new.token.token) for bot, new in made)


def _state_path(home: Path) -> Path:
    return home / "unfinished.json"
