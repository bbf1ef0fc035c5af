"""What the API answers about tournaments, as frozen values. Reads answers; sends nothing and ranks nobody.

As in :mod:`skyjo_client.models`, every ``from_dict`` takes one object of an answer and raises ValueError for one that
is not as it should be. Rounds, tables and entries are counted from 0, ranks from 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import partial

from skyjo_client.reading import Members
from skyjo_client.tournament_options import TournamentOptions


class TournamentStatus(StrEnum):
    """Where a tournament stands."""

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


class TableOutcome(StrEnum):
    """What has become of a table; CANCELLED: never begun, since a seat had been withdrawn."""

    SCHEDULED = "scheduled"
    PLAYING = "playing"
    FINISHED = "finished"
    VOID = "void"
    ABORTED = "aborted"
    CANCELLED = "cancelled"


class TableCause(StrEnum):
    """How a table ended for a seat; TIMEOUT: it stayed, but let its time run out; NO_SHOW: it never acted."""

    FINISHED = "finished"
    TIMEOUT = "timeout"
    FORFEIT = "forfeit"
    NO_SHOW = "no-show"
    RESIGNED = "resigned"
    VOID = "void"


class TieBreak(StrEnum):
    """What tells an entry from the one before it in the standings."""

    STAGE = "stage"
    SCORE = "score"
    BUCHHOLZ = "buchholz"
    DIRECT = "direct"
    WINS = "wins"
    OTHER = "other"
    LOTS = "lots"


@dataclass(frozen=True, slots=True)
class TournamentProgress:
    """How far a tournament is.

    Attributes:
        round: the latest that is paired; None before the first.
        rounds: how many there will be; None = it depends, or there is no end.
        tables_total: how many tables are known; it may grow.
        tables_over: how many of them are over.
        tables_playing: how many are being played now.
    """

    round: int | None
    rounds: int | None
    tables_total: int
    tables_over: int
    tables_playing: int

    @classmethod
    def from_dict(cls, data: object) -> TournamentProgress:
        """Read the progress of an answer."""
        read = Members("Progress", data)
        return cls(
            read.optional("round", read.whole),
            read.optional("rounds", read.whole),
            read.whole("tables_total"),
            read.whole("tables_over"),
            read.whole("tables_playing"),
        )


@dataclass(frozen=True, slots=True)
class SequentialVerdict:
    """Where the sequential test of a match of two stands.

    Attributes:
        decision: `continue`, `first` (entry 0 is better) or `not-first`.
        llr: the logarithm of the likelihood ratio.
        low: at which the test ends against entry 0.
        high: at which it ends for entry 0.
        boards: how many complete boards it has looked at.
    """

    decision: str
    llr: float
    low: float
    high: float
    boards: int

    @classmethod
    def from_dict(cls, data: object) -> SequentialVerdict:
        """Read a verdict of an answer."""
        read = Members("SequentialVerdict", data)
        return cls(
            read.text("decision"), read.number("llr"), read.number("low"), read.number("high"), read.whole("boards")
        )


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament.

    Attributes:
        id: names it.
        status: where it stands.
        options: what it was asked to be.
        entries: how many there are, those that have left included.
        progress: how far it is.
        commitment: what its seed was fixed with, 64 hex digits.
        boards_commitment: what its duplicate boards were fixed with; None without boards and before the start.
        seed: what all chance in it came from, 64 hex digits; None until it is over.
        version: that of the last event of its log.
        created_at, started_at, finished_at: None for what has not happened.
        verdict: where the sequential test stands; None without one.
        rated: whether ratings and intervals rest on everything that is over.
    """

    id: str
    status: TournamentStatus
    options: TournamentOptions
    entries: int
    progress: TournamentProgress
    commitment: str
    boards_commitment: str | None
    seed: str | None
    version: int
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    verdict: SequentialVerdict | None
    rated: bool

    @classmethod
    def from_dict(cls, data: object) -> Tournament:
        """Read a tournament of an answer."""
        read = Members("Tournament", data)
        return cls(
            id=read.text("id"),
            status=TournamentStatus(read.text("status")),
            options=read.itself(TournamentOptions.from_dict),
            entries=read.whole("entries"),
            progress=read.nested("progress", TournamentProgress.from_dict),
            commitment=read.text("commitment"),
            boards_commitment=read.optional("boards_commitment", read.text),
            seed=read.optional("seed", read.text),
            version=read.whole("version"),
            created_at=read.moment("created_at"),
            started_at=read.optional("started_at", read.moment),
            finished_at=read.optional("finished_at", read.moment),
            verdict=read.optional("verdict", partial(read.nested, read=SequentialVerdict.from_dict)),
            rated=read.flag("rated"),
        )


@dataclass(frozen=True, slots=True)
class Entry:
    """A bot in a tournament.

    Attributes:
        number: from 0 in order of entry.
        bot: the bot's id; None for a house bot.
        house: the house bot's name; None for a bot.
        name: what people read.
        status: whether it is paired.
        reason: why it is not active any more; None while it is.
        since_round: the first round that it can be paired in.
        entered_at: when it entered.
    """

    number: int
    bot: str | None
    house: str | None
    name: str
    status: EntryStatus
    reason: str | None
    since_round: int
    entered_at: datetime

    @classmethod
    def from_dict(cls, data: object) -> Entry:
        """Read an entry of an answer."""
        read = Members("Entry", data)
        return cls(
            read.whole("number"),
            read.optional("bot", read.text),
            read.optional("house", read.text),
            read.text("name"),
            EntryStatus(read.text("status")),
            read.optional("reason", read.text),
            read.whole("since_round"),
            read.moment("entered_at"),
        )


@dataclass(frozen=True, slots=True)
class TableSeat:
    """A seat of a table of a tournament; total, rank and cause once they may be known.

    Attributes:
        entry: the number of the entry that sits there.
        name: its name.
        bot: its bot's id; None for a house bot.
        total: its points in the game; few are good.
        rank: its rank in the game.
        cause: how the game ended for it.
    """

    entry: int
    name: str
    bot: str | None
    total: int | None
    rank: int | None
    cause: TableCause | None

    @classmethod
    def from_dict(cls, data: object) -> TableSeat:
        """Read a seat of an answer."""
        read = Members("TableSeat", data)
        cause = read.optional("cause", read.text)
        return cls(
            read.whole("entry"),
            read.text("name"),
            read.optional("bot", read.text),
            read.optional("total", read.whole),
            read.optional("rank", read.whole),
            None if cause is None else TableCause(cause),
        )


@dataclass(frozen=True, slots=True)
class TournamentTable:
    """A table of a tournament's schedule.

    Attributes:
        round: its round.
        table: its number in the round.
        attempt: 0 for the first game; a replay of a void one is a table of its own.
        board: its duplicate board; None without one, and while its embargo lasts.
        seats: in playing order.
        game: the game's id; None before it begins.
        outcome: what has become of it.
        embargoed: whether its result stays hidden, as other tables still play the same deal.
        complete: whether it can be compared with other tables; None while that is not known.
    """

    round: int
    table: int
    attempt: int
    board: int | None
    seats: tuple[TableSeat, ...]
    game: str | None
    outcome: TableOutcome
    embargoed: bool
    complete: bool | None

    @classmethod
    def from_dict(cls, data: object) -> TournamentTable:
        """Read a table of an answer."""
        read = Members("TournamentTable", data)
        return cls(
            read.whole("round"),
            read.whole("table"),
            read.whole("attempt"),
            read.optional("board", read.whole),
            read.items("seats", TableSeat.from_dict),
            read.optional("game", read.text),
            TableOutcome(read.text("outcome")),
            read.flag("embargoed"),
            read.optional("complete", read.flag),
        )


@dataclass(frozen=True, slots=True)
class TournamentEvent:
    """An event of a tournament's log.

    Attributes:
        tournament: the tournament's id.
        version: from 0, gapless.
        kind: what happened.
        at: when, by the service's clock.
        data: the rest, by the kind.
    """

    tournament: str
    version: int
    kind: str
    at: datetime
    data: Mapping[str, object]

    @classmethod
    def from_dict(cls, data: object) -> TournamentEvent:
        """Read an event of an answer."""
        read = Members("TournamentEvent", data)
        told: Mapping[str, object] = read.nested("data", dict)
        return cls(read.text("tournament"), read.whole("version"), read.text("kind"), read.moment("at"), told)


@dataclass(frozen=True, slots=True)
class TournamentEventPage:
    """Some events of a tournament's log, in order.

    Attributes:
        events: none if there were none yet.
        version: that of the last event of the log when they were read.
        status: where the tournament stood then.
    """

    events: tuple[TournamentEvent, ...]
    version: int
    status: TournamentStatus

    def ends_with(self, version: int) -> bool:
        """Whether an event of this version is the last that there will ever be."""
        return self.status.is_over and version >= self.version

    @classmethod
    def from_dict(cls, data: object) -> TournamentEventPage:
        """Read an answer."""
        read = Members("TournamentEventPage", data)
        events = read.items("events", TournamentEvent.from_dict)
        return cls(events, read.whole("version"), TournamentStatus(read.text("status")))
