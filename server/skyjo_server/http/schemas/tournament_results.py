"""Schedule, standings, crosstable, log and leaderboard as they are shown. How they come about is told elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from marshmallow import fields

from skyjo.cards import SEATS_MAX
from skyjo_server.http.fields import Flag, Inner, Items, Text, Timestamp, Uuid, Whole, Word
from skyjo_server.http.schemas.base import Answer, Query
from skyjo_server.http.schemas.common import (
    by_seat,
    count,
    given_cursor,
    how_many,
    points,
    sent_cursor,
    version_number,
    wait_seconds,
)
from skyjo_server.http.schemas.events import EventsWanted
from skyjo_server.http.schemas.tournament_entries import (
    ENTRY,
    entry_number,
    player_bot,
    player_house,
    player_name,
)
from skyjo_server.service.tournament_model import CROSSTABLE_MOST, EntryStatus, TournamentStatus
from skyjo_server.tournaments.standings import TieBreak
from skyjo_server.tournaments.values import ROUNDS_MAX, TABLES_MAX, Outcome
from skyjo_server.tournaments.values import Cause as Ending

ROUND: Final = {"description": "The number of the round, from 0."}
KIND_PATTERN: Final = r"[a-z-]{1,40}"


class TableSeat(Answer):
    """One seat of a table."""

    entry = entry_number(metadata=ENTRY)
    name = player_name()
    bot = player_bot()
    total = points(allow_none=True, metadata={"description": "Its points in the game, few are good; null before."})
    rank = Whole(1, SEATS_MAX, allow_none=True, metadata={"description": "Its rank in the game, 1 the best."})
    cause = Word(
        list(Ending), "Ending", allow_none=True, metadata={"description": "How the game ended for it; null before."}
    )


class TournamentTable(Answer):
    """One game of the schedule. What a seat has achieved is null while it may not be known."""

    round = Whole(0, ROUNDS_MAX, metadata=ROUND)
    table = version_number(metadata={"description": "Its number in the round, from 0."})
    attempt = count("0 for the first game; replays of void ones have 1, 2 and so on, and are listed beside it.")
    board = version_number(
        allow_none=True,
        metadata={"description": "The duplicate board; null without one, and while others still play it."},
    )
    seats = by_seat(Inner(TableSeat), metadata={"description": "The seats in playing order."})
    game = Uuid(allow_none=True, metadata={"description": "Its game; null before it begins."})
    outcome = Word(list(Outcome), "Outcome", metadata={"description": "What has become of it."})
    embargoed = Flag(metadata={"description": "Whether its result stays hidden, as others still play the same board."})
    complete = Flag(
        allow_none=True,
        metadata={"description": "Whether its result is compared with those of others; null = not known yet."},
    )


class TablePage(Answer):
    """A part of the schedule in order, and where the next one begins."""

    items = fields.List(Inner(TournamentTable))
    next_cursor = given_cursor()


@dataclass(frozen=True, slots=True)
class TablesWanted:
    """Which part of the schedule to show."""

    round: int | None
    entry: int | None
    outcome: Outcome | None
    limit: int
    cursor: str | None


class TablesQuery(Query):
    """Which part of the schedule to show."""

    round = Whole(0, ROUNDS_MAX, load_default=None, metadata={"description": "Only this round, from 0."})
    entry = entry_number(load_default=None, metadata={"description": "Only tables at which this entry sits."})
    outcome = Word(
        list(Outcome), "Outcome", load_default=None, metadata={"description": "Only tables that this has become of."}
    )
    limit = how_many(1000, 100)
    cursor = sent_cursor()

    def build(self, data: dict[str, Any]) -> TablesWanted:
        """Give what is wanted."""
        outcome = data.pop("outcome")
        return TablesWanted(outcome=None if outcome is None else Outcome(outcome), **data)


class Interval(Answer):
    """The bounds between which the true figure lies in 95 of 100 cases."""

    low = fields.Float()
    high = fields.Float()


class Estimate(Interval):
    """An estimate, and the bounds between which the true figure lies in 95 of 100 cases."""

    value = fields.Float()


class Causes(Answer):
    """How many tables ended how for an entry."""

    finished = count("It stayed to the end.")
    timeout = count("It stayed, but let its time run out at least once.")
    forfeit = count("It was made to leave.")
    no_show = count("It was made to leave, without an action of its own.")
    resigned = count("It left by itself.")
    void = count("The table has no result.")


class Standing(Answer):
    """One entry's place, from every table whose result may be known."""

    rank = Whole(1, TABLES_MAX, metadata={"description": "From 1; no two are equal, as lots decide at last."})
    entry = entry_number(metadata=ENTRY)
    name = player_name()
    bot = player_bot()
    house = player_house()
    status = Word(list(EntryStatus), "EntryStatus", metadata={"description": "Whether it is still paired."})
    score = fields.Float(
        allow_none=True,
        metadata={
            "description": "What counts, match points or points: the sum in Swiss and knockout, elsewhere the mean of "
            "a table; null without a table that counts."
        },
    )
    interval = Inner(
        Interval,
        allow_none=True,
        metadata={"description": "Where the true mean of a table lies, boards as blocks; null below two boards."},
    )
    decided_by = Word(
        list(TieBreak),
        "TieBreak",
        allow_none=True,
        metadata={"description": "What set it below the entry before; null for the first."},
    )
    buchholz = fields.Float(
        allow_none=True, metadata={"description": "The scores of those that it met, in Swiss; null elsewhere."}
    )
    tables = count("Its tables with a result.")
    wins = count("Tables at which it beat everybody.")
    shared = count("Tables at which it shared the first rank.")
    byes = count("Tables that its byes stand for.")
    boards = count("Boards on which it has a table with a result; a deal of its own is a board.")
    match_points = fields.Float(
        allow_none=True, metadata={"description": "Match points of a table, 0 to 1, on average."}
    )
    points = fields.Float(
        allow_none=True,
        metadata={
            "description": "Points that it was ahead at a table, on average: of the others there, or on a duplicate "
            "board of those in the same seat elsewhere."
        },
    )
    causes = Inner(Causes)
    seats = by_seat(count("Its tables in this seat."), metadata={"description": "Its tables by the seat that it had."})
    rating = Inner(
        Estimate,
        allow_none=True,
        metadata={"description": "Plackett–Luce in Elo, fitted to all games of the tournament at once; null before."},
    )


class StandingPage(Answer):
    """A part of the ranking, best first, and where the next one begins."""

    items = fields.List(Inner(Standing))
    next_cursor = given_cursor()


class CrosstableCell(Answer):
    """What one entry did against another."""

    tables = count("Tables at which both sat, with a result.")
    score = fields.Float(
        metadata={"minimum": 0, "description": "1 for each at which it was ranked before the other, ½ where they tied."}
    )
    margin = points(
        metadata={"description": "Points that the other had more, over the tables that both played to the end."}
    )


class Crosstable(Answer):
    """Entries against entries, the best first."""

    entries = Items(Inner(Standing), 0, CROSSTABLE_MOST, metadata={"description": "The best entries by rank."})
    cells = Items(
        Items(Inner(CrosstableCell, allow_none=True), 0, CROSSTABLE_MOST),
        0,
        CROSSTABLE_MOST,
        metadata={"description": "A row for each entry, a cell for each other in the same order; null = never met."},
    )


class TournamentEvent(Answer):
    """Something that happened in a tournament."""

    tournament = Uuid(metadata={"description": "The tournament's id."})
    version = version_number(metadata={"description": "Its number in the tournament: 0, 1, 2 … without gaps."})
    kind = Text(
        KIND_PATTERN,
        "a kind",
        metadata={
            "description": "What it is: `created`, `entered`, `returned`, `withdrawn`, `disqualified`, `started`, "
            "`paired`, `dealt`, `ended`, `revealed`, `decided`, `paused`, `resumed`, `aborted`, `finished` or "
            "`seed-revealed`; there may be more in time.",
            "examples": ["paired"],
        },
    )
    at = Timestamp(metadata={"description": "When it was committed, by the database's clock."})
    data = fields.Dict(metadata={"description": "What happened; the members depend on the kind."})


class TournamentEventPage(Answer):
    """Some events of a tournament, and where it stands now."""

    events = fields.List(Inner(TournamentEvent))
    version = version_number(metadata={"description": "Number of the tournament's last event."})
    status = Word(list(TournamentStatus), "TournamentStatus", metadata={"description": "Where it stands."})


class TournamentEventsQuery(Query):
    """Which events to give, and whether to wait for them."""

    after = version_number(
        -1, load_default=-1, metadata={"description": "Only events with a greater number than this."}
    )
    limit = how_many(1000, 100)
    wait = wait_seconds()

    def build(self, data: dict[str, Any]) -> EventsWanted:
        """Give what is wanted."""
        return EventsWanted(**data)


class Leader(Answer):
    """A bot's live rating over all tournaments."""

    rank = Whole(1, 10**9, metadata={"description": "From 1, by `rating`."})
    bot = player_bot()
    house = player_house()
    name = player_name()
    rating = fields.Float(metadata={"description": "The careful estimate: `mu` less three times `sigma`."})
    mu = fields.Float(metadata={"description": "The estimated strength."})
    sigma = fields.Float(metadata={"description": "How uncertain it is."})
    games = count("How many games it comes from.")


class Leaderboard(Answer):
    """Some live ratings, best first, and where the next ones begin."""

    items = fields.List(Inner(Leader))
    next_cursor = given_cursor()
