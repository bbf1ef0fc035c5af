"""What an event is made of: its shape, entries, rounds, tables and their results. Decides nothing about any of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import fsum, isfinite
from typing import Final

from skyjo.cards import SEATS_MAX, SEATS_MIN

Lots = Callable[[int], Sequence[int]]
"""For the number of a round, the entries of the event by index in the order drawn (:func:`skyjo.boards.lots`)."""

Points = Mapping[int, Sequence[float]]
"""What each entry got in each round that is over, by its number: a bye what it is worth, no table nothing."""

RANK_LOTS: Final = 2**32 - 1
"""The number that stands for the ranking where lots are drawn, beside those of rounds."""

BOARDS_MAX: Final = 1_000
ROUNDS_MAX: Final = 1_000_000
ENTRIES_MAX: Final = 100_000
TABLES_MAX: Final = 1_000_000
AT_ONCE_MAX: Final = 10_000


class Format(StrEnum):
    """Who meets whom."""

    ROUND_ROBIN = "round-robin"
    SWISS = "swiss"
    GAUNTLET = "gauntlet"
    KNOCKOUT = "knockout"
    LADDER = "ladder"


class Scoring(StrEnum):
    """What counts at a table: the order in which its seats end, or by how many points."""

    RANKS = "ranks"
    POINTS = "points"


class Unit(StrEnum):
    """What the bounds of a sequential test are given in."""

    ELO = "elo"
    POINTS = "points"


class Cause(StrEnum):
    """How a table ended for a seat.

    FINISHED stayed to the end; TIMEOUT stayed, but let its time run out at least once; FORFEIT was made to leave;
    NO_SHOW likewise, without a single action of its own; RESIGNED left by itself; VOID: the table has no result.
    """

    FINISHED = "finished"
    TIMEOUT = "timeout"
    FORFEIT = "forfeit"
    NO_SHOW = "no-show"
    RESIGNED = "resigned"
    VOID = "void"


class Outcome(StrEnum):
    """Where a table stands.

    VOID: stopped without a result. ABORTED: stopped with the whole event. CANCELLED: never begun, since a seat had
    been withdrawn.
    """

    SCHEDULED = "scheduled"
    PLAYING = "playing"
    FINISHED = "finished"
    VOID = "void"
    ABORTED = "aborted"
    CANCELLED = "cancelled"


class InvalidShape(ValueError):
    """A member of a shape with a value that it cannot have, alone or beside the others.

    Attributes:
        member: name of the offending member.
    """

    def __init__(self, member: str, message: str) -> None:
        super().__init__(message)
        self.member = member


@dataclass(frozen=True, slots=True, kw_only=True)
class Sequential:
    """When a match of two entries may stop early: a test of `low` against `high`, decided on complete boards.

    Attributes:
        low: the first entry's lead over the second if the first hypothesis is true.
        high: the lead if the second is true; greater than `low`.
        unit: what the two are given in, Elo or points a game.
        alpha: chance of accepting `high` where `low` is true, at most.
        beta: chance of accepting `low` where `high` is true, at most.

    Raises:
        InvalidShape: at creation.
    """

    low: float = 0.0
    high: float = 10.0
    unit: Unit = Unit.ELO
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (isfinite(self.low) and isfinite(self.high) and self.low < self.high):
            raise InvalidShape(
                "sequential", f"low is {self.low} and high {self.high}: low must be the lesser, both finite"
            )
        for name, error in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < error < 0.5:
                raise InvalidShape("sequential", f"{name} is {error}, but must lie between 0 and 0.5, 0.05 for example")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Everything that decides an event's schedule, beside its entries and its seed.

    Attributes:
        format: who meets whom.
        table_size: seats at a table; 2 in a knockout.
        boards: how many games a meeting has, each on a board of its own. In Swiss, knockout and ladder a multiple of
            `table_size`: a meeting is played in every rotation of its seats.
        rounds: Swiss: how many rounds, None = as many as the number of entries asks for. Round robin and gauntlet: how
            often the whole is played, None = once. Ladder: games of an entry after which it is not paired any more,
            None = it never ends. Knockout: None.
        duplicate: all tables of a round play the same deals; not on a ladder, where no two tables belong together, and
            not with a single challenger, who may meet no board twice.
        scoring: what counts at a table.
        entries_max: how many may enter, None = as many as the service takes.
        entries_per_owner: how many of them may be of one owner.
        challengers: gauntlet: the first so many entries meet everybody else, but not one another.
        seeded: knockout: the order of entry is the order of strength; otherwise it is drawn.
        tables_max: round robin and gauntlet: meetings of the whole, at most; where all possible ones are more, a
            balanced part of them is played.
        tables_at_once: games of the event that run at the same time, at most.
        games_at_once: ladder: games of one entry that run at the same time, at most.
        sequential: event of two entries: when it may stop early.

    Raises:
        InvalidShape: at creation, naming the member, its value and what it can be.
    """

    format: Format
    table_size: int = 2
    boards: int = 2
    rounds: int | None = None
    duplicate: bool = False
    scoring: Scoring = Scoring.RANKS
    entries_max: int | None = None
    entries_per_owner: int = 1
    challengers: int = 1
    seeded: bool = False
    tables_max: int = 10_000
    tables_at_once: int = 64
    games_at_once: int = 8
    sequential: Sequential | None = None

    def __post_init__(self) -> None:
        for name, (low, high) in _BOUNDS.items():
            value = getattr(self, name)
            if value is None and name in _NULLABLE:
                continue
            if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
                raise InvalidShape(name, f"{name} is {value!r}, but must be a whole number from {low} to {high}")
        _check_format(self)


@dataclass(frozen=True, slots=True)
class Entry:
    """A bot in an event.

    Attributes:
        number: 0, 1 … in order of entry.
        owner: whose it is; None = a house bot: it has no memory, so it may meet a board at several tables.
        active: it may be paired; not once it has withdrawn or was disqualified.
        since_round: the first round that it can be paired in.
    """

    number: int
    owner: str | None
    active: bool = True
    since_round: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """One game of the schedule.

    Attributes:
        round: number of its round, from 0.
        table: number within the round, from 0.
        board: number of the duplicate board within the event, from 0; None = a deal of its own.
        seats: the numbers of the entries, in order of seat.
    """

    round: int
    table: int
    board: int | None
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """The tables that are open to play at the same time.

    Attributes:
        number: 0, 1 ….
        tables: by their number.
        byes: the numbers of the entries that have no table though they could play, ascending.
    """

    number: int
    tables: tuple[Table, ...]
    byes: tuple[int, ...] = ()

    def entries(self) -> frozenset[int]:
        """Everybody who is in it, byes included."""
        return frozenset(self.byes).union(*(table.seats for table in self.tables))


@dataclass(frozen=True, slots=True)
class TableResult:
    """How a table ended.

    Attributes:
        table: which one.
        outcome: FINISHED, VOID, ABORTED or CANCELLED.
        totals: points by seat, None if it never began.
        ranks: by seat, 1 = first; None unless it finished.
        causes: by seat.
        complete: it can be compared with others: played on its board to the end. A replay on a deal of its own is not.
    """

    table: Table
    outcome: Outcome
    totals: tuple[int, ...] | None
    ranks: tuple[int, ...] | None
    causes: tuple[Cause, ...]
    complete: bool = True


def point_units(points: Iterable[float]) -> int:
    """The sum of some points in millionths: equal sums are equal, whatever they were added up from.

    >>> point_units([1 / 3, 1 / 3, 1 / 3]) == point_units([1.0])
    True
    """
    return round(fsum(points) * 1_000_000)


_BOUNDS: Final[dict[str, tuple[int, int]]] = {
    "table_size": (SEATS_MIN, SEATS_MAX),
    "boards": (1, BOARDS_MAX),
    "rounds": (1, ROUNDS_MAX),
    "entries_max": (2, ENTRIES_MAX),
    "entries_per_owner": (1, ENTRIES_MAX),
    "challengers": (1, ENTRIES_MAX),
    "tables_max": (1, TABLES_MAX),
    "tables_at_once": (1, AT_ONCE_MAX),
    "games_at_once": (1, AT_ONCE_MAX),
}

_NULLABLE: Final = ("rounds", "entries_max")

_IN_ROTATIONS: Final = (Format.SWISS, Format.KNOCKOUT, Format.LADDER)


def _check_format(shape: Shape) -> None:
    if shape.format in _IN_ROTATIONS and shape.boards % shape.table_size:
        raise InvalidShape(
            "boards",
            f"boards is {shape.boards}, but must be a multiple of {shape.table_size}: in a {shape.format} event each"
            " meeting is played in every rotation of its seats",
        )
    if shape.format is Format.KNOCKOUT and shape.table_size != 2:
        raise InvalidShape("table_size", f"table_size is {shape.table_size}, but a knockout is between two: make it 2")
    if shape.format is Format.KNOCKOUT and shape.rounds is not None:
        raise InvalidShape("rounds", "a knockout has as many rounds as its entries ask for: leave rounds out")
    if shape.format is Format.LADDER:
        _check_ladder(shape)
    if shape.duplicate and shape.format is Format.GAUNTLET and shape.challengers == 1:
        raise InvalidShape(
            "duplicate", "a single challenger may meet no board twice: take two challengers, or make duplicate false"
        )
    if shape.sequential is not None and shape.table_size != 2:
        raise InvalidShape("sequential", "a sequential test is about two entries: make table_size 2, or leave it out")


def _check_ladder(shape: Shape) -> None:
    if shape.duplicate:
        raise InvalidShape("duplicate", "no two tables of a ladder belong together: make duplicate false")
    for name, at_once in (("games_at_once", shape.games_at_once), ("tables_at_once", shape.tables_at_once)):
        if at_once < shape.boards:
            message = f"{name} is {at_once}, but the games of a meeting on a ladder run at once: make it {shape.boards}"
            raise InvalidShape(name, message)
