"""What tournaments need from storage: the ports, and the values that pass through them. Implements nothing.

A book is an event under its lock, within one transaction: what is written in it happens together, or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from skyjo_server.service.model import GameInfo, GameStatus, Page
from skyjo_server.service.ports import NewStoredGame
from skyjo_server.service.tournament_model import (
    EntryInfo,
    EntryStatus,
    Estimate,
    LeaderboardRow,
    NewTournament,
    SequentialVerdict,
    StandingRow,
    TableInfo,
    TournamentEventPage,
    TournamentInfo,
    TournamentStatus,
)
from skyjo_server.tournaments.crosstable import Crosstable
from skyjo_server.tournaments.live import LiveRating
from skyjo_server.tournaments.standings import Standing
from skyjo_server.tournaments.tally import Interval, Tally
from skyjo_server.tournaments.values import Cause, Outcome, Round, Table, TableResult


@dataclass(frozen=True, slots=True)
class NewStoredTournament:
    """An event about to be stored, with its secret seed."""

    tournament_id: UUID
    owner_id: UUID
    new: NewTournament
    seed: bytes
    commitment: bytes
    key: str | None


@dataclass(frozen=True, slots=True)
class StoredTournament:
    """An event as stored, its secret included: never leaves the service.

    Attributes:
        info: the public part.
        owner_id: who may steer it.
        seed: the 32 bytes that everything random in it comes from.
        is_unranked: whether there are scores that the ranks do not show.
        now: the database's time.
        rank_after: before which the ranks are not made anew while games go on.
    """

    info: TournamentInfo
    owner_id: UUID
    seed: bytes
    is_unranked: bool
    now: datetime
    rank_after: datetime


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An entry about to be stored: of a bot and its owner, or of a house bot."""

    bot_id: UUID | None
    owner_id: UUID | None
    house: str | None
    name: str
    since_round: int


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """An entry with what only the service knows.

    Attributes:
        info: the public part.
        owner_id: whose it is; None for a house bot.
        absences: games in a row that it never played in.
        tables: how many tables it has been paired for.
    """

    info: EntryInfo
    owner_id: UUID | None
    absences: int
    tables: int


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table of the schedule, whatever has become of it.

    Attributes:
        table: which one.
        attempt: 0 for the first game, more for replays.
        own_deal: whether it is played on a deal that no other table has.
        game_id: its game, once it has one.
        outcome: where it stands.
        result: how it ended; None before.
    """

    table: Table
    attempt: int
    own_deal: bool
    game_id: UUID | None = None
    outcome: Outcome = Outcome.SCHEDULED
    result: TableResult | None = None


@dataclass(frozen=True, slots=True)
class GameEnd:
    """How the game of a table ended.

    Attributes:
        status: finished, void or aborted.
        totals: points by seat.
        ranks: by seat; None unless it finished.
        causes: by seat.
        begun: whether any bot ever did anything in it by itself, leaving included.
    """

    status: GameStatus
    totals: tuple[int, ...]
    ranks: tuple[int, ...] | None
    causes: tuple[Cause, ...]
    begun: bool


@dataclass(frozen=True, slots=True)
class Assessment:
    """What is computed from all results at once, beside the event.

    Attributes:
        tables_over: how many tables were over when the results were read.
        ratings: of each entry.
        intervals: where the true mean of a table lies for each entry, by bootstrap over boards.
        pause_seconds: how long the next one waits at least.
    """

    tables_over: int
    ratings: Mapping[int, Estimate]
    intervals: Mapping[int, Interval | None]
    pause_seconds: float


class Book(Protocol):
    """An event under its lock."""

    @property
    def event(self) -> StoredTournament:
        """The event as it is now, everything done in this book included."""

    def log(self, kind: str, data: Mapping[str, Any]) -> None:
        """Append an event to its log."""

    def set_status(self, status: TournamentStatus) -> None:
        """Note where it stands; the times of its beginning and end with it."""

    def set_boards_commitment(self, commitment: bytes) -> None:
        """Publish what fixes the boards."""

    def set_rounds(self, rounds: int | None) -> None:
        """Note how many rounds there will be."""

    def reveal(self) -> None:
        """Make the seed public."""

    def call_again(self, *, soon: bool) -> None:
        """Say whether a step has more to do at once."""

    def entries(self, numbers: Iterable[int] | None = None) -> tuple[StoredEntry, ...]:
        """Entries in order of entry; all of them, or those named."""

    def entry_of(self, bot_id: UUID) -> StoredEntry | None:
        """The entry of a bot."""

    def entries_of(self, owner_id: UUID) -> int:
        """How many active entries an owner has."""

    def active_entries(self) -> int:
        """How many entries can be paired."""

    def add_entry(self, entry: NewEntry) -> StoredEntry:
        """Enter."""

    def set_entry(self, entry: int, status: EntryStatus, reason: str | None, since_round: int | None = None) -> None:
        """Take an entry out, or back in."""

    def set_absences(self, absences: Mapping[int, int]) -> None:
        """Note how many games in a row entries have never played in."""

    def add_rounds(self, rounds: Sequence[Round]) -> None:
        """Add tables to the schedule, and count them for their entries.

        Raises an error of the database if an owner would meet a board twice.
        """

    def add_replay(self, table: StoredTable) -> None:
        """Add one more attempt at a table."""

    def next_table(self, round_number: int) -> int:
        """The number that the next table of a round gets."""

    def cancel(self, entry: int | None) -> tuple[StoredTable, ...]:
        """Cancel the tables that have not begun, of one entry or all; gives what is cancelled."""

    def scheduled(self, limit: int) -> tuple[StoredTable, ...]:
        """The next tables to begin, in order."""

    def pending(self) -> tuple[StoredTable, ...]:
        """All tables that have not ended."""

    def schedule(self) -> tuple[StoredTable, ...]:
        """Every table of the event, in order; for small events."""

    def deal(self, games: Sequence[tuple[StoredTable, NewStoredGame]]) -> tuple[GameInfo, ...]:
        """Begin the games of tables; gives those that are new."""

    def ended(self) -> tuple[tuple[StoredTable, GameEnd], ...]:
        """Tables that are noted as being played, and whose game is over."""

    def end(self, tables: Sequence[StoredTable]) -> None:
        """Note the results of tables."""

    def boards_over(self, boards: Iterable[int]) -> tuple[int, ...]:
        """Those of some boards of which no table is scheduled or played any more."""

    def lift(self, boards: Sequence[int]) -> None:
        """End the embargo on the games of boards."""

    def results(self, boards: Sequence[int]) -> tuple[TableResult, ...]:
        """The results of all tables of boards, cancelled ones included."""

    def history(self) -> tuple[tuple[Round, ...], tuple[TableResult, ...]]:
        """Every round so far with its byes, and every result."""

    def add_scores(self, tallies: Mapping[int, Tally], met: Crosstable) -> None:
        """Add to what entries have gathered, and to the crosstable; the ranks are to be made anew."""

    def tallies(self) -> Mapping[int, Tally]:
        """What every entry has gathered."""

    def met(self) -> Crosstable:
        """The crosstable of all entries."""

    def rank(self, rows: Sequence[Standing], pause_seconds: float) -> None:
        """Write the ranking, in order; while games go on, it is not made anew for a while."""

    def set_verdict(self, verdict: SequentialVerdict) -> None:
        """Note where the sequential test stands."""

    def ratings(self, players: Iterable[str]) -> Mapping[str, LiveRating]:
        """Live ratings, locked until the end; players without one are missing."""

    def save_ratings(self, ratings: Mapping[str, LiveRating]) -> None:
        """Write live ratings."""


class TournamentStore(Protocol):
    """Events, and everything that is read about them."""

    def create(self, wanted: NewStoredTournament, prepare: Callable[[Book], None]) -> UUID:
        """Create an event, and prepare it in the same transaction; gives its id.

        With a key that came before it is the event that was created then, if the same was asked for. Raises KeyReused.
        """

    def opened(self, tournament_id: UUID, *, wait: bool) -> AbstractContextManager[Book | None]:
        """An event under its lock; None if there is none, or if it is locked elsewhere and is not to be waited for."""

    def due(self) -> tuple[UUID, ...]:
        """Events that a step would move on."""

    def to_stop(self, tournament_id: UUID) -> tuple[UUID, ...]:
        """Games of an aborted event that are on."""

    def claim_assessment(self) -> UUID | None:
        """An event whose results are newer than its assessment, for this process to assess; None = there is none."""

    def assessed_results(self, tournament_id: UUID) -> AbstractContextManager[tuple[int, Iterator[TableResult]]]:
        """How many tables are over, and the results that count, read on the way, a few at a time."""

    def save_assessment(self, tournament_id: UUID, assessment: Assessment) -> None:
        """Keep an assessment, unless a newer one is there."""

    def owner(self, tournament_id: UUID) -> UUID | None:
        """Who may steer an event."""

    def owners(self, tournament_id: UUID) -> Mapping[int, UUID]:
        """Whose each entry is; house bots are missing."""

    def tournament(self, tournament_id: UUID) -> TournamentInfo | None:
        """An event."""

    def tournaments(self, status: TournamentStatus | None, limit: int, cursor: str | None) -> Page[TournamentInfo]:
        """Events, newest first. Raises InvalidRequest for a cursor that is none of ours."""

    def entries(self, tournament_id: UUID, limit: int, cursor: str | None) -> Page[EntryInfo]:
        """Entries in order of entry."""

    def tables(
        self,
        tournament_id: UUID,
        round_number: int | None,
        entry: int | None,
        outcome: Outcome | None,
        limit: int,
        cursor: str | None,
    ) -> Page[TableInfo]:
        """The schedule in order."""

    def table(self, tournament_id: UUID, round_number: int, table: int, attempt: int | None) -> TableInfo | None:
        """One table of the schedule, at the latest attempt unless one is named."""

    def standings(self, tournament_id: UUID, limit: int, cursor: str | None) -> Page[StandingRow]:
        """The ranking, best first."""

    def met(self, tournament_id: UUID, entries: Sequence[int]) -> Crosstable:
        """The crosstable of some entries."""

    def events(self, tournament_id: UUID, after: int, limit: int) -> TournamentEventPage | None:
        """The log after a version, with everything that only the service may know."""

    def leaderboard(self, limit: int, cursor: str | None) -> Page[LeaderboardRow]:
        """Live ratings, best first."""
