"""What the use cases of tournaments take and give: frozen values. No behaviour beyond reading themselves.

Formats, scoring and the shape of an event are those of :mod:`skyjo_server.tournaments.values`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

from skyjo import RuleSet
from skyjo_server.service.model import ClockRules
from skyjo_server.tournaments.crosstable import Cell
from skyjo_server.tournaments.standings import TieBreak
from skyjo_server.tournaments.tally import Interval, Tally
from skyjo_server.tournaments.values import Cause, Outcome, Shape

DEFAULT_CLOCK: Final = ClockRules(move_seconds=10.0, bank_seconds=60.0)
"""The clock of an event that names none; every game of an event has one, or a bot that is gone would hold it up."""


class TournamentStatus(StrEnum):
    """Where an event stands."""

    ENTRY = "entry"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    ABORTED = "aborted"

    @property
    def is_over(self) -> bool:
        """Whether no game of it begins any more."""
        return self in {TournamentStatus.FINISHED, TournamentStatus.ABORTED}


class EntryStatus(StrEnum):
    """Whether an entry is paired."""

    ACTIVE = "active"
    WITHDRAWN = "withdrawn"
    DISQUALIFIED = "disqualified"


@dataclass(frozen=True, slots=True)
class NewTournament:
    """An event to be created.

    Attributes:
        name: what people read.
        shape: the format and its numbers.
        rules: the options of every game; with duplicate boards each seat draws from a stream of its own (rule 28).
        clock: the time that the seats have; `move_seconds` is never None here.
        house: house bots that are entered from the start, by name; the same one may be there more than once.
        filler: the house bot that is entered at the start to make the numbers divide; None = there are byes instead.
        start_at: when the event begins by itself; None = not by the clock.
        start_when_full: whether it begins by itself once `shape.entries_max` bots and house bots are in.
        closes_at: until when bots may enter; None = until it begins.
        late_entry: whether bots may enter a Swiss event that has begun; a ladder always lets them.
    """

    name: str
    shape: Shape
    rules: RuleSet = field(default_factory=RuleSet)
    clock: ClockRules = DEFAULT_CLOCK
    house: tuple[str, ...] = ()
    filler: str | None = None
    start_at: datetime | None = None
    start_when_full: bool = False
    closes_at: datetime | None = None
    late_entry: bool = False


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an event is.

    Attributes:
        round: the latest round that has been paired, from 0; None before the first one.
        rounds: how many there will be; None = it depends, or there is no end.
        tables_total: how many tables are known, those that were cancelled left out; it may grow.
        tables_over: how many of them are over.
        tables_playing: how many are being played now.
    """

    round: int | None
    rounds: int | None
    tables_total: int
    tables_over: int
    tables_playing: int


@dataclass(frozen=True, slots=True)
class TournamentInfo:
    """An event as everybody may see it.

    Attributes:
        new: what was asked for when it was created, with the rules as they are played.
        entries: how many there are, those that have left included.
        commitment: 32 bytes, published when it was created; the seed stands behind it.
        boards_commitment: 32 bytes over all duplicate boards, published before the first round; None without boards.
        seed: 32 bytes that everything random in its schedule and deals comes from; None until no game can use it.
        version: that of the last event of its log.
        verdict: where the sequential test stands; None without one, and before the first complete board.
        rated: whether ratings and intervals rest on everything that is over.
    """

    id: UUID
    status: TournamentStatus
    new: NewTournament
    entries: int
    progress: Progress
    commitment: bytes
    boards_commitment: bytes | None
    seed: bytes | None
    version: int
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    verdict: SequentialVerdict | None
    rated: bool


@dataclass(frozen=True, slots=True)
class EntryInfo:
    """One entry of an event.

    Attributes:
        number: from 0 in order of entry.
        bot_id: the bot; None for a house bot.
        house: the house bot's name; None for a bot.
        name: what people read.
        reason: why it is not active any more; None while it is.
        since_round: the first round that it can be paired in.
    """

    number: int
    bot_id: UUID | None
    house: str | None
    name: str
    status: EntryStatus
    reason: str | None
    since_round: int
    entered_at: datetime


@dataclass(frozen=True, slots=True)
class TableSeat:
    """One seat of a table; total, rank and cause once they may be known.

    Attributes:
        entry: the number of the entry that sits there.
        name: its name.
        bot_id: its bot; None for a house bot.
        total: its points in the game; few are good.
        rank: its rank in the game, from 1.
        cause: how the game ended for it.
    """

    entry: int
    name: str
    bot_id: UUID | None
    total: int | None
    rank: int | None
    cause: Cause | None


@dataclass(frozen=True, slots=True)
class TableInfo:
    """One table of the schedule.

    Attributes:
        round: from 0.
        table: its number in the round, from 0.
        attempt: 0 for the first game, more for replays of void ones; each is a table of its own here.
        board: the duplicate board; None without one, and while its embargo lasts.
        seats: in playing order.
        game_id: its game; None before it begins.
        outcome: what has become of it.
        embargoed: whether its result stays hidden, as other tables still play the same board.
        complete: whether its result is compared with those of other tables; None while that is not known.
    """

    round: int
    table: int
    attempt: int
    board: int | None
    seats: tuple[TableSeat, ...]
    game_id: UUID | None
    outcome: Outcome
    embargoed: bool
    complete: bool | None


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimate, and the bounds between which the true figure lies in 95 of 100 cases."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One entry's place in an event, from everything whose embargo is over.

    Attributes:
        rank: from 1; no two are equal, as lots are the last tie-break.
        entry: the number of the entry.
        score: what the event ranks by, match points or points, the mean of a table or the sum, as the format says; None
            without a table that counts.
        interval: where the true mean of a table lies at 95 %, boards as blocks; None below two boards.
        decided_by: what set it below the row before it; None in the first row.
        buchholz: the scores of those that it met, in a Swiss event; None elsewhere.
        tally: sums over everything that counts for it: tables, wins, points, boards, causes, seats, byes.
        rating: Plackett–Luce in Elo, fitted to all games of the event at once; None before the first assessment.
    """

    rank: int
    entry: int
    name: str
    bot_id: UUID | None
    house: str | None
    status: EntryStatus
    score: float | None
    interval: Interval | None
    decided_by: TieBreak | None
    buchholz: float | None
    tally: Tally
    rating: Estimate | None


@dataclass(frozen=True, slots=True)
class Crosstable:
    """Entries against entries.

    Attributes:
        entries: the entries by rank, at most :data:`CROSSTABLE_MOST`.
        cells: `cells[i][j]` is what entry i did against entry j; None if they have not met.
    """

    entries: tuple[StandingRow, ...]
    cells: tuple[tuple[Cell | None, ...], ...]


CROSSTABLE_MOST: Final = 100


@dataclass(frozen=True, slots=True)
class TournamentEvent:
    """One event of an event's log, as everybody may know it.

    Attributes:
        version: from 0, gapless.
        kind: `created`, `entered`, `withdrawn`, `disqualified`, `started`, `paired`, `dealt`, `ended`, `revealed`,
            `paused`, `resumed`, `aborted` or `finished`.
        at: when it was committed.
        data: what happened, JSON-ready; its members depend on the kind.
    """

    version: int
    kind: str
    at: datetime
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TournamentEventPage:
    """Events in order, and where the event stands now."""

    tournament_id: UUID
    events: tuple[TournamentEvent, ...]
    version: int
    status: TournamentStatus


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """A bot's live rating over all rated games.

    Attributes:
        rank: from 1, by `rating`.
        rating: the careful estimate, `mu` less three times `sigma`.
        mu: the estimated strength.
        sigma: how uncertain it is.
        games: how many games it comes from.
    """

    rank: int
    bot_id: UUID | None
    house: str | None
    name: str
    rating: float
    mu: float
    sigma: float
    games: int


@dataclass(frozen=True, slots=True)
class SequentialVerdict:
    """Where the sequential test of a match of two stands.

    Attributes:
        decision: `continue`, `first` (entry 0 is better by the margin) or `not-first`.
        llr: the logarithm of the likelihood ratio.
        low: at which the test ends against entry 0.
        high: at which it ends for entry 0.
        boards: how many complete boards, in the order of the schedule, it has looked at.
    """

    decision: str
    llr: float
    low: float
    high: float
    boards: int
