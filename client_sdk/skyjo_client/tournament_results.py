"""What came of a tournament, as frozen values: standings, crosstable, leaderboard. Reads answers; ranks nobody."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from skyjo_client.reading import Members
from skyjo_client.tournament_models import EntryStatus, TieBreak


@dataclass(frozen=True, slots=True)
class Interval:
    """Where a true figure lies in 95 of 100 cases."""

    low: float
    high: float

    @classmethod
    def from_dict(cls, data: object) -> Interval:
        """Read an interval of an answer."""
        read = Members("Interval", data)
        return cls(read.number("low"), read.number("high"))


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimate, and where the true figure lies in 95 of 100 cases."""

    value: float
    low: float
    high: float

    @classmethod
    def from_dict(cls, data: object) -> Estimate:
        """Read an estimate of an answer."""
        read = Members("Estimate", data)
        return cls(read.number("value"), read.number("low"), read.number("high"))


@dataclass(frozen=True, slots=True)
class CauseCounts:
    """How many tables ended so for an entry; see :class:`TableCause`."""

    finished: int
    timeout: int
    forfeit: int
    no_show: int
    resigned: int
    void: int

    @classmethod
    def from_dict(cls, data: object) -> CauseCounts:
        """Read the counts of an answer."""
        read = Members("Causes", data)
        return cls(**{name: read.whole(name) for name in cls.__dataclass_fields__})


@dataclass(frozen=True, slots=True)
class TournamentStanding:
    """An entry's place in a tournament, from every board that is over.

    Attributes:
        rank: no two are equal.
        entry: the entry's number.
        name: its name.
        bot: its bot's id; None for a house bot.
        house: the house bot's name; None for a bot.
        status: whether it is still paired.
        score: what the tournament ranks by; None before the first result.
        interval: where the true mean of a table lies; None below two boards.
        decided_by: what set it below the entry before it; None in the first row.
        buchholz: the scores of those that it met, in a Swiss tournament; None elsewhere.
        tables: with a result.
        wins: tables at which it was first alone.
        shared: tables at which it shared the first rank.
        byes: tables that byes stood for.
        boards: different deals among its tables.
        match_points: mean of a table, 0 to 1; None without one.
        points: mean lead of a table, in points; None without one that can be compared.
        causes: how its tables ended.
        seats: tables by the seat that it had.
        rating: in Elo, fitted to all games of the tournament at once; None before the first fit.
    """

    rank: int
    entry: int
    name: str
    bot: str | None
    house: str | None
    status: EntryStatus
    score: float | None
    interval: Interval | None
    decided_by: TieBreak | None
    buchholz: float | None
    tables: int
    wins: int
    shared: int
    byes: int
    boards: int
    match_points: float | None
    points: float | None
    causes: CauseCounts
    seats: tuple[int, ...]
    rating: Estimate | None

    @classmethod
    def from_dict(cls, data: object) -> TournamentStanding:
        """Read a row of an answer."""
        read = Members("Standing", data)
        tie_break = read.optional("decided_by", read.text)
        return cls(
            read.whole("rank"),
            read.whole("entry"),
            read.text("name"),
            read.optional("bot", read.text),
            read.optional("house", read.text),
            EntryStatus(read.text("status")),
            read.optional("score", read.number),
            interval=read.optional("interval", partial(read.nested, read=Interval.from_dict)),
            decided_by=None if tie_break is None else TieBreak(tie_break),
            buchholz=read.optional("buchholz", read.number),
            tables=read.whole("tables"),
            wins=read.whole("wins"),
            shared=read.whole("shared"),
            byes=read.whole("byes"),
            boards=read.whole("boards"),
            match_points=read.optional("match_points", read.number),
            points=read.optional("points", read.number),
            causes=read.nested("causes", CauseCounts.from_dict),
            seats=read.wholes("seats"),
            rating=read.optional("rating", partial(read.nested, read=Estimate.from_dict)),
        )


@dataclass(frozen=True, slots=True)
class CrosstableCell:
    """What one entry did against another.

    Attributes:
        tables: at which both sat, with a result.
        score: at how many of them it was ranked before the other, ties a half.
        margin: points that the other had more, over the tables that both played to the end.
    """

    tables: int
    score: float
    margin: int

    @classmethod
    def from_dict(cls, data: object) -> CrosstableCell:
        """Read a cell of an answer."""
        read = Members("CrosstableCell", data)
        return cls(read.whole("tables"), read.number("score"), read.whole("margin"))


@dataclass(frozen=True, slots=True)
class Crosstable:
    """Entries against entries.

    Attributes:
        entries: by rank.
        cells: ``cells[i][j]`` is what entry i did against entry j; None if they have not met.
    """

    entries: tuple[TournamentStanding, ...]
    cells: tuple[tuple[CrosstableCell | None, ...], ...]

    @classmethod
    def from_dict(cls, data: object) -> Crosstable:
        """Read an answer."""
        read = Members("Crosstable", data)
        return cls(read.items("entries", TournamentStanding.from_dict), read.items("cells", _row))


@dataclass(frozen=True, slots=True)
class Leader:
    """A bot's place on the leaderboard: its live rating over all tournaments.

    Attributes:
        rank: by `rating`.
        bot: the bot's id; None for a house bot.
        house: the house bot's name; None for a bot.
        name: what people read.
        rating: the careful estimate, `mu` less three times `sigma`.
        mu: the estimated strength.
        sigma: how uncertain it is.
        games: how many games it comes from.
    """

    rank: int
    bot: str | None
    house: str | None
    name: str
    rating: float
    mu: float
    sigma: float
    games: int

    @classmethod
    def from_dict(cls, data: object) -> Leader:
        """Read a row of an answer."""
        read = Members("Leader", data)
        return cls(
            read.whole("rank"),
            read.optional("bot", read.text),
            read.optional("house", read.text),
            read.text("name"),
            read.number("rating"),
            read.number("mu"),
            read.number("sigma"),
            read.whole("games"),
        )


def _row(cells: list[object]) -> tuple[CrosstableCell | None, ...]:
    return tuple(None if cell is None else CrosstableCell.from_dict(cell) for cell in cells)
