"""Games and their seats as they are sent and shown. What a table looks like stands in the schemas of decisions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from marshmallow import fields

from skyjo import PRESETS
from skyjo.bots import HOUSE_BOTS
from skyjo_server.http.fields import Flag, Inner, Named, Real, Text, Timestamp, Uuid, Whole, Word, refuse
from skyjo_server.http.schemas.base import Answer, Body, Headers, Query, Request
from skyjo_server.http.schemas.common import (
    CURSOR_PATTERN,
    POINTS_BY_SEAT,
    SEAT,
    by_seat,
    how_many,
    idempotency_key,
    points,
    rank_list,
    seat_number,
    version_number,
)
from skyjo_server.http.schemas.rules import RuleOptionsField, Rules, read_rules
from skyjo_server.service import model
from skyjo_server.tournaments.values import Cause as Ending

ENDED: Final = [status.value for status in model.GameStatus if status.is_over]
LONGEST_SECONDS: Final = 7 * 24 * 3600
MOST_TIMEOUTS: Final = 1000
MOVE_SECONDS: Final = {"description": "Time for each decision; null = no clock."}
BANK_SECONDS: Final = {"description": "Further time of each seat for the whole game."}
ON_TIMEOUT: Final = {"description": "What happens to a seat whose time runs out."}
MAX_TIMEOUTS: Final = {"description": "How often its time may run out, with `default`, before a seat is made to leave."}
HEX_PATTERN: Final = r"(?:[0-9a-f]{2}){0,64}"


class Seat(Answer):
    """One seat of a game."""

    seat = seat_number(metadata=SEAT)
    kind = Word(list(model.SeatKind), "SeatKind", metadata={"description": "Who sits there; `open` = nobody yet."})
    bot = Uuid(attribute="bot_id", allow_none=True, metadata={"description": "The bot, where a bot sits."})
    name = fields.String(allow_none=True, metadata={"description": "What people read.", "examples": ["careful-carla"]})
    left = Flag(metadata={"description": "Whether it has resigned or was made to leave."})


class Result(Answer):
    """How a game ended."""

    status = Word(ENDED, "ResultStatus", metadata={"description": "How it ended."})
    totals = by_seat(points(), metadata=POINTS_BY_SEAT)
    ranks = rank_list()
    causes = by_seat(
        Word(list(Ending), "Ending"),
        metadata={
            "description": "How it ended for each seat: `timeout` = it stayed, but let its time run out; `forfeit` = "
            "it was made to leave; `no-show` = likewise, without an action of its own."
        },
    )


class ForkPoint(Answer):
    """Where a game was forked from another."""

    game = Uuid(attribute="game_id", metadata={"description": "The other game."})
    version = version_number(metadata={"description": "The last of its events that this one repeats."})


class Game(Answer):
    """A game: everything public, and nothing of its table."""

    id = Uuid(metadata={"description": "The game's id."})
    status = Word(list(model.GameStatus), "GameStatus", metadata={"description": "Where it stands."})
    preset = Word(
        list(PRESETS),
        "Preset",
        attribute="rules.name",
        allow_none=True,
        metadata={"description": "Their name, if they have one."},
    )
    rules = Inner(Rules)
    seats = by_seat(Inner(Seat), metadata={"description": "The seats in playing order."})
    version = version_number(
        -1, metadata={"description": "Number of its last event; -1 while it is open or embargoed."}
    )
    commitment = fields.Method(
        "_commitment",
        metadata={
            "type": "string",
            "pattern": "^[0-9a-f]{64}$",
            "description": "What the shuffles were bound to before they began.",
        },
    )
    created_at = Timestamp(metadata={"description": "When it was created."})
    started_at = Timestamp(allow_none=True, metadata={"description": "When it was dealt."})
    finished_at = Timestamp(allow_none=True, metadata={"description": "When it ended."})
    result = Inner(Result, allow_none=True, metadata={"description": "Null until it is over, and while embargoed."})
    tournament = Uuid(
        attribute="tournament_id", allow_none=True, metadata={"description": "The event that it belongs to."}
    )
    embargoed = Flag(
        metadata={"description": "Whether its board is still in play at another table: only its seats may see it."}
    )
    forked_from = Inner(ForkPoint, attribute="forked", allow_none=True)
    move_seconds = Real(0, LONGEST_SECONDS, attribute="clock.move_seconds", allow_none=True, metadata=MOVE_SECONDS)
    bank_seconds = Real(0, LONGEST_SECONDS, attribute="clock.bank_seconds", metadata=BANK_SECONDS)
    on_timeout = Word(list(model.OnTimeout), "OnTimeout", attribute="clock.on_timeout", metadata=ON_TIMEOUT)
    max_timeouts = Whole(1, MOST_TIMEOUTS, attribute="clock.max_timeouts", metadata=MAX_TIMEOUTS)

    def _commitment(self, game: model.GameInfo) -> str:
        return game.commitment.hex()


class GamePage(Answer):
    """Some games, newest first, and where the next ones begin."""

    items = fields.List(Inner(Game))
    next_cursor = Text(
        CURSOR_PATTERN, "a cursor", allow_none=True, metadata={"description": "Send it as `cursor`; null = no more."}
    )


class SeatTaken(Answer):
    """The seat that was given, and its game."""

    seat = seat_number(metadata=SEAT)
    game = Inner(Game)


class BotSeat(Request):
    """A seat for a bot."""

    kind = Word(["bot"], required=True)
    bot = Uuid(required=True, metadata={"description": "The bot's id."})


class HouseSeat(Request):
    """A seat for a bot of the house."""

    kind = Word(["house"], required=True)
    house = Word(sorted(HOUSE_BOTS), "HouseBot", required=True, metadata={"description": "Which one."})


class OpenSeat(Request):
    """A seat that somebody may take later."""

    kind = Word(["open"], required=True)


SEAT_REQUESTS: Final[dict[str, type[Request]]] = {"bot": BotSeat, "house": HouseSeat, "open": OpenSeat}
"""The schema of each kind of seat."""


_LOADERS: Final = {kind: schema() for kind, schema in SEAT_REQUESTS.items()}


class SeatRequestField(Named):
    """A seat of one of the three kinds."""

    def __init__(self) -> None:
        super().__init__("SeatRequest")

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> model.SeatRequest:
        kind = value.get("kind") if isinstance(value, dict) else None
        if not isinstance(kind, str) or kind not in SEAT_REQUESTS:
            refuse("an object whose kind is 'bot', 'house' or 'open'", value)
        seat = _LOADERS[kind].load(value)
        return model.SeatRequest(model.SeatKind(kind), seat.get("bot"), seat.get("house"))


class NewGame(Body):
    """A game to be created. It starts as soon as no seat is open."""

    preset = Word(
        list(PRESETS),
        "Preset",
        load_default=None,
        allow_none=False,
        metadata={"description": "Whose options the rules begin with; `classic` if none is named."},
    )
    rules = RuleOptionsField(
        load_default=dict, metadata={"description": "Options that shall differ from the preset's."}
    )
    seats = by_seat(SeatRequestField(), required=True, metadata={"description": "The seats in playing order."})
    move_seconds = Real(0.1, LONGEST_SECONDS, load_default=None, allow_none=True, metadata=MOVE_SECONDS)
    bank_seconds = Real(0, LONGEST_SECONDS, load_default=0.0, metadata=BANK_SECONDS)
    on_timeout = Word(list(model.OnTimeout), "OnTimeout", load_default="default", metadata=ON_TIMEOUT)
    max_timeouts = Whole(1, MOST_TIMEOUTS, load_default=3, metadata=MAX_TIMEOUTS)

    def build(self, data: dict[str, Any]) -> model.NewGame:
        """Give the game."""
        clock = model.ClockRules(
            data["move_seconds"], data["bank_seconds"], model.OnTimeout(data["on_timeout"]), data["max_timeouts"]
        )
        return model.NewGame(read_rules(data["preset"], data["rules"]), tuple(data["seats"]), clock)


class SeatClaim(Body):
    """Who takes a seat."""

    bot = Uuid(
        load_default=None,
        allow_none=True,
        metadata={"description": "One of your bots; the token's own if none is named."},
    )
    entropy = Text(
        HEX_PATTERN,
        "up to 64 bytes in lower-case hexadecimal digits",
        load_default="",
        metadata={
            "description": "Mixed into every shuffle: chosen after the service has bound itself.",
            "maxLength": 128,
        },
    )

    optional_body = True

    def build(self, data: dict[str, Any]) -> tuple[UUID | None, bytes]:
        """Give the bot if one is named, and the bytes."""
        return data["bot"], bytes.fromhex(data["entropy"])


class CreateHeaders(Headers):
    """The headers of a request that creates something."""

    key = idempotency_key(data_key="Idempotency-Key")

    def build(self, data: dict[str, Any]) -> str | None:
        """Give the key, if there is one."""
        key: str | None = data["key"]
        return key


@dataclass(frozen=True, slots=True)
class GamesWanted:
    """Which games a list shall show."""

    status: model.GameStatus | None
    bot: UUID | None
    tournament: UUID | None
    limit: int
    cursor: str | None


class GamesQuery(Query):
    """Which games a list shall show."""

    status = Word(
        list(model.GameStatus), "GameStatus", load_default=None, metadata={"description": "Only games that stand so."}
    )
    bot = Uuid(load_default=None, metadata={"description": "Only games in which this bot sits."})
    tournament = Uuid(load_default=None, metadata={"description": "Only games of this event."})
    limit = how_many(100, 20)
    cursor = Text(
        CURSOR_PATTERN, "a cursor that an answer gave", load_default=None, metadata={"description": "Where to go on."}
    )

    def build(self, data: dict[str, Any]) -> GamesWanted:
        """Give what is wanted."""
        status = data.pop("status")
        return GamesWanted(status=None if status is None else model.GameStatus(status), **data)
