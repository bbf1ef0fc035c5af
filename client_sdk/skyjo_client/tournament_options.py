"""What a tournament is asked to be, as frozen values: to send, and as answers repeat it. Checks nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Any

from skyjo import RuleSet
from skyjo_client.exchange import plain
from skyjo_client.reading import Members


class TournamentFormat(StrEnum):
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


class OnTimeout(StrEnum):
    """What happens to a seat that lets its time run out: the default action is played, or it is made to leave."""

    DEFAULT = "default"
    FORFEIT = "forfeit"


class SequentialUnit(StrEnum):
    """What the bounds of a sequential test are given in."""

    ELO = "elo"
    POINTS = "points"


@dataclass(frozen=True, slots=True, kw_only=True)
class SequentialTest:
    """When a match of two may stop early: a test of one lead against another, decided on complete boards.

    Attributes:
        low: the lead of entry 0 over entry 1, if it is not better.
        high: the lead if it is.
        unit: what the two are given in, Elo or points a game.
        alpha: chance of finding it better if it is not, at most.
        beta: chance of not finding it better if it is, at most.
    """

    low: float = 0.0
    high: float = 10.0
    unit: SequentialUnit = SequentialUnit.ELO
    alpha: float = 0.05
    beta: float = 0.05

    @classmethod
    def from_dict(cls, data: object) -> SequentialTest:
        """Read a test of an answer."""
        read = Members("SequentialTest", data)
        return cls(
            low=read.number("low"),
            high=read.number("high"),
            unit=SequentialUnit(read.text("unit")),
            alpha=read.number("alpha"),
            beta=read.number("beta"),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentOptions:
    """Everything that an organiser decides about a tournament; the guide's page on tournaments says what fits together.

    Attributes:
        name: what people read.
        format: who meets whom.
        table_size: seats at a table.
        boards: how many games a meeting has.
        rounds: how many rounds, by the format; None = as many as it takes.
        duplicate: whether all tables of a round play the same deals.
        scoring: what counts at a table.
        entries_max: how many may enter; None = as many as the service takes.
        entries_per_owner: how many of them may be of one owner.
        challengers: gauntlet: the first so many entries meet everybody else.
        seeded: knockout: whether the order of entry is the order of strength.
        tables_max: round robin and gauntlet: meetings of the whole, at most.
        tables_at_once: games that run at the same time, at most.
        games_at_once: ladder: games of one entry that run at the same time, at most.
        sequential: when a match of two may stop early; None = it does not.
        rules: the options of every game.
        move_seconds: time for each decision.
        bank_seconds: time to spare for the whole game.
        on_timeout: what happens to a seat that lets its time run out.
        max_timeouts: how often a seat may before it is made to leave.
        house: house bots that are entered from the start, by name.
        filler: the house bot that is entered at the start to make the numbers divide; None = there are byes.
        start_at: when it begins by itself; None = not by the clock.
        start_when_full: whether it begins by itself once `entries_max` are in.
        closes_at: until when bots may enter; None = until it begins.
        late_entry: whether bots may enter a Swiss tournament that has begun.

    >>> TournamentOptions(name="Cup", format=TournamentFormat.SWISS).to_dict()["boards"]
    2
    """

    name: str
    format: TournamentFormat
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
    sequential: SequentialTest | None = None
    rules: RuleSet = field(default_factory=RuleSet)
    move_seconds: float = 10.0
    bank_seconds: float = 60.0
    on_timeout: OnTimeout = OnTimeout.DEFAULT
    max_timeouts: int = 3
    house: tuple[str, ...] = ()
    filler: str | None = None
    start_at: datetime | None = None
    start_when_full: bool = False
    closes_at: datetime | None = None
    late_entry: bool = False

    def to_dict(self) -> dict[str, Any]:
        """What is sent to create it, JSON-ready; members that are None are left out."""
        given = {name: getattr(self, name) for name in self.__dataclass_fields__}
        rules = {"preset": self.rules.name} if self.rules.name else {"rules": self.rules.to_dict()}
        written = {
            **given,
            "sequential": self.sequential and asdict(self.sequential),
            "rules": None,
            **rules,
            "house": list(self.house),
            "move_seconds": plain(self.move_seconds),
            "bank_seconds": plain(self.bank_seconds),
            "start_at": self.start_at and self.start_at.isoformat(),
            "closes_at": self.closes_at and self.closes_at.isoformat(),
        }
        return {name: value for name, value in written.items() if value is not None}

    @classmethod
    def from_dict(cls, data: object) -> TournamentOptions:
        """Read the options of a tournament of an answer."""
        read = Members("Tournament", data)
        return cls(
            name=read.text("name"),
            format=TournamentFormat(read.text("format")),
            scoring=Scoring(read.text("scoring")),
            sequential=read.optional("sequential", partial(read.nested, read=SequentialTest.from_dict)),
            rules=read.nested("rules", RuleSet.from_dict),
            house=read.items("house", str),
            filler=read.optional("filler", read.text),
            **_numbers(read),
            **_clock(read),
            **_times(read),
        )


def _numbers(read: Members) -> Mapping[str, Any]:
    whole = (
        "table_size",
        "boards",
        "entries_per_owner",
        "challengers",
        "tables_max",
        "tables_at_once",
        "games_at_once",
    )
    return {
        **{name: read.whole(name) for name in whole},
        **{name: read.optional(name, read.whole) for name in ("rounds", "entries_max")},
        **{name: read.flag(name) for name in ("duplicate", "seeded", "start_when_full", "late_entry")},
    }


def _clock(read: Members) -> Mapping[str, Any]:
    return {
        "move_seconds": read.number("move_seconds"),
        "bank_seconds": read.number("bank_seconds"),
        "on_timeout": OnTimeout(read.text("on_timeout")),
        "max_timeouts": read.whole("max_timeouts"),
    }


def _times(read: Members) -> Mapping[str, Any]:
    return {name: read.optional(name, read.moment) for name in ("start_at", "closes_at")}
