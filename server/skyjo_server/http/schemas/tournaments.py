"""Tournaments as they are set up and shown. Who is in them and how they go stands in the schemas beside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from marshmallow import fields

from skyjo import PRESETS
from skyjo.bots import HOUSE_BOTS
from skyjo_server.http.fields import Flag, Inner, Items, Moment, Real, Text, Timestamp, Uuid, Whole, Word
from skyjo_server.http.schemas.base import Answer, Body, Query
from skyjo_server.http.schemas.bots import NAME_PATTERN, NAME_SHAPE
from skyjo_server.http.schemas.common import count, given_cursor, how_many, sent_cursor, version_number
from skyjo_server.http.schemas.games import (
    BANK_SECONDS,
    LONGEST_SECONDS,
    MAX_TIMEOUTS,
    MOST_TIMEOUTS,
    ON_TIMEOUT,
)
from skyjo_server.http.schemas.rules import RuleOptionsField, Rules, read_rules
from skyjo_server.http.schemas.tournament_shape import (
    SequentialOptions,
    SequentialTest,
    SequentialVerdict,
    read_shape,
    said,
    shape_flag,
    shape_number,
)
from skyjo_server.service import model
from skyjo_server.service.tournament_model import DEFAULT_CLOCK, TournamentStatus
from skyjo_server.service.tournament_model import NewTournament as Wanted
from skyjo_server.tournaments.values import ROUNDS_MAX, Format, Scoring

HOUSE_MOST: Final = 256
EXAMPLE_NAME: Final = "Winter Cup"
NAME: Final = {"description": "What people read.", "examples": [EXAMPLE_NAME]}
MOVE_SECONDS: Final = {"description": "Time for each decision: every game of a tournament has a clock."}
HEX_PATTERN: Final = r"[0-9a-f]{64}"
HEX_SHAPE: Final = "32 bytes in hexadecimal digits"


class NewTournament(Body):
    """A tournament to be created. Bots may enter it from then on."""

    name = Text(NAME_PATTERN, NAME_SHAPE, required=True, metadata=NAME)
    format = Word(list(Format), "Format", required=True, metadata=said("format"))
    table_size = shape_number("table_size", sent=True)
    boards = shape_number("boards", sent=True)
    rounds = shape_number("rounds", sent=True)
    duplicate = shape_flag("duplicate", sent=True)
    scoring = Word(list(Scoring), "Scoring", load_default=Scoring.RANKS.value, metadata=said("scoring"))
    entries_max = shape_number("entries_max", sent=True)
    entries_per_owner = shape_number("entries_per_owner", sent=True)
    challengers = shape_number("challengers", sent=True)
    seeded = shape_flag("seeded", sent=True)
    tables_max = shape_number("tables_max", sent=True)
    tables_at_once = shape_number("tables_at_once", sent=True)
    games_at_once = shape_number("games_at_once", sent=True)
    sequential = Inner(SequentialOptions, load_default=None, allow_none=True, metadata=said("sequential"))
    preset = Word(
        list(PRESETS),
        "Preset",
        load_default=None,
        allow_none=False,
        metadata={"description": "Whose options the rules begin with; `classic` if none is named."},
    )
    rules = RuleOptionsField(
        load_default=dict,
        metadata={
            "description": "Options that shall differ from the preset's. With `duplicate`, each seat draws from a "
            "share of its own."
        },
    )
    move_seconds = Real(0.1, LONGEST_SECONDS, load_default=DEFAULT_CLOCK.move_seconds, metadata=MOVE_SECONDS)
    bank_seconds = Real(0, LONGEST_SECONDS, load_default=DEFAULT_CLOCK.bank_seconds, metadata=BANK_SECONDS)
    on_timeout = Word(list(model.OnTimeout), "OnTimeout", load_default="default", metadata=ON_TIMEOUT)
    max_timeouts = Whole(1, MOST_TIMEOUTS, load_default=3, metadata=MAX_TIMEOUTS)
    house = Items(Word(sorted(HOUSE_BOTS), "HouseBot"), 0, HOUSE_MOST, load_default=list, metadata=said("house"))
    filler = Word(sorted(HOUSE_BOTS), "HouseBot", load_default=None, allow_none=True, metadata=said("filler"))
    start_at = Moment(load_default=None, allow_none=True, metadata=said("start_at"))
    start_when_full = Flag(load_default=False, metadata=said("start_when_full"))
    closes_at = Moment(load_default=None, allow_none=True, metadata=said("closes_at"))
    late_entry = Flag(load_default=False, metadata=said("late_entry"))

    def build(self, data: dict[str, Any]) -> Wanted:
        """Give the tournament."""
        clock = model.ClockRules(
            data["move_seconds"], data["bank_seconds"], model.OnTimeout(data["on_timeout"]), data["max_timeouts"]
        )
        return Wanted(
            name=data["name"],
            shape=read_shape(data),
            rules=read_rules(data["preset"], data["rules"]),
            clock=clock,
            house=tuple(data["house"]),
            filler=data["filler"],
            start_at=data["start_at"],
            start_when_full=data["start_when_full"],
            closes_at=data["closes_at"],
            late_entry=data["late_entry"],
        )


class Progress(Answer):
    """How far a tournament is."""

    round = Whole(
        0,
        ROUNDS_MAX,
        allow_none=True,
        metadata={"description": "The latest round that has been paired, from 0; null before the first one."},
    )
    rounds = Whole(
        0,
        ROUNDS_MAX,
        allow_none=True,
        metadata={"description": "How many rounds there will be; null = it depends, or there is no end."},
    )
    tables_total = count("How many tables are known, cancelled ones left out; it may grow.")
    tables_over = count("How many of them are over.")
    tables_playing = count("How many of them are being played.")


class Tournament(Answer):
    """A tournament: how it was set up, where it stands, and what its chance is bound to."""

    id = Uuid(metadata={"description": "The tournament's id."})
    name = Text(NAME_PATTERN, NAME_SHAPE, metadata=NAME)
    status = Word(list(TournamentStatus), "TournamentStatus", metadata={"description": "Where it stands."})
    format = Word(list(Format), "Format", metadata=said("format"))
    table_size = shape_number("table_size")
    boards = shape_number("boards")
    rounds = shape_number("rounds")
    duplicate = shape_flag("duplicate")
    scoring = Word(list(Scoring), "Scoring", metadata=said("scoring"))
    entries_max = shape_number("entries_max")
    entries_per_owner = shape_number("entries_per_owner")
    challengers = shape_number("challengers")
    seeded = shape_flag("seeded")
    tables_max = shape_number("tables_max")
    tables_at_once = shape_number("tables_at_once")
    games_at_once = shape_number("games_at_once")
    sequential = Inner(SequentialTest, allow_none=True, metadata=said("sequential"))
    preset = Word(
        list(PRESETS), "Preset", allow_none=True, metadata={"description": "The rules' name, if they have one."}
    )
    rules = Inner(Rules)
    move_seconds = Real(0, LONGEST_SECONDS, metadata=MOVE_SECONDS)
    bank_seconds = Real(0, LONGEST_SECONDS, metadata=BANK_SECONDS)
    on_timeout = Word(list(model.OnTimeout), "OnTimeout", metadata=ON_TIMEOUT)
    max_timeouts = Whole(1, MOST_TIMEOUTS, metadata=MAX_TIMEOUTS)
    house = Items(Word(sorted(HOUSE_BOTS), "HouseBot"), 0, HOUSE_MOST, metadata=said("house"))
    filler = Word(sorted(HOUSE_BOTS), "HouseBot", allow_none=True, metadata=said("filler"))
    start_at = Timestamp(allow_none=True, metadata=said("start_at"))
    start_when_full = Flag(metadata=said("start_when_full"))
    closes_at = Timestamp(allow_none=True, metadata=said("closes_at"))
    late_entry = Flag(metadata=said("late_entry"))
    entries = count("How many entries there are, those that have left included.")
    progress = Inner(Progress)
    commitment = Text(
        HEX_PATTERN, HEX_SHAPE, metadata={"description": "Published at its creation: the seed stands behind it."}
    )
    boards_commitment = Text(
        HEX_PATTERN,
        HEX_SHAPE,
        allow_none=True,
        metadata={"description": "Over all duplicate boards, published before the first round; null without any."},
    )
    seed = Text(
        HEX_PATTERN,
        HEX_SHAPE,
        allow_none=True,
        metadata={
            "description": "What everything random in its schedule and deals comes from; null until no game can use it."
        },
    )
    version = version_number(metadata={"description": "Number of the last event of its log."})
    created_at = Timestamp(metadata={"description": "When it was created."})
    started_at = Timestamp(allow_none=True, metadata={"description": "When it began."})
    finished_at = Timestamp(allow_none=True, metadata={"description": "When it ended."})
    verdict = Inner(
        SequentialVerdict,
        allow_none=True,
        metadata={"description": "Null without a sequential test, and before the first complete board."},
    )
    rated = Flag(metadata={"description": "Whether ratings and intervals rest on everything that is over."})


class TournamentPage(Answer):
    """Some tournaments, newest first, and where the next ones begin."""

    items = fields.List(Inner(Tournament))
    next_cursor = given_cursor()


@dataclass(frozen=True, slots=True)
class TournamentsWanted:
    """Which tournaments a list shall show."""

    status: TournamentStatus | None
    limit: int
    cursor: str | None


class TournamentsQuery(Query):
    """Which tournaments a list shall show."""

    status = Word(
        list(TournamentStatus),
        "TournamentStatus",
        load_default=None,
        metadata={"description": "Only tournaments that stand so."},
    )
    limit = how_many(100, 20)
    cursor = sent_cursor()

    def build(self, data: dict[str, Any]) -> TournamentsWanted:
        """Give what is wanted."""
        status = data.pop("status")
        return TournamentsWanted(status=None if status is None else TournamentStatus(status), **data)
