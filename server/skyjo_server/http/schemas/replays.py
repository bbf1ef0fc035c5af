"""Games that are looked at again, as they are asked for and shown: steps, proofs, analyses, forks, counts."""

from __future__ import annotations

from typing import Any, Final

from marshmallow import fields

from skyjo_server.http.fields import Inner, Named, Real, Text, Timestamp, Uuid, Whole, Word
from skyjo_server.http.schemas.base import Answer, Body, Query
from skyjo_server.http.schemas.common import SEAT, by_seat, count, points, rank_list, seat_number, version_number
from skyjo_server.http.schemas.games import (
    BANK_SECONDS,
    ENDED,
    LONGEST_SECONDS,
    MAX_TIMEOUTS,
    MOST_TIMEOUTS,
    MOVE_SECONDS,
    ON_TIMEOUT,
    SeatRequestField,
)
from skyjo_server.http.schemas.rules import Rules
from skyjo_server.service import model
from skyjo_server.service.replay_model import NewFork as Fork
from skyjo_server.service.replay_model import Perspective

HASH: Final = r"[0-9a-f]{64}"
ENTROPY: Final = r"(?:[0-9a-f]{2}){0,64}"


class Hex(Text):
    """Bytes in lower-case hexadecimal digits. Answers only."""

    def __init__(self, description: str, pattern: str = HASH, **options: Any) -> None:
        super().__init__(pattern, "hexadecimal digits", metadata={"description": description}, **options)

    def _serialize(self, value: Any, *_args: Any, **_kwargs: Any) -> str | None:
        return None if value is None else bytes(value).hex()


class StateQuery(Query):
    """Whose view of a step is wanted."""

    seat = seat_number(
        load_default=None,
        metadata={"description": "As this seat saw it: one's own, or any once the game is over."},
    )
    view = Word(
        list(Perspective),
        "Perspective",
        load_default=None,
        metadata={"description": "As a spectator saw it, or with every card open, which needs the game to be over."},
    )

    def build(self, data: dict[str, Any]) -> tuple[int | None, Perspective | None]:
        """Give the seat and the view."""
        view = data["view"]
        return data["seat"], None if view is None else Perspective(view)


class Board(Answer):
    """A duplicate board: the deals that several games share."""

    id = Uuid(metadata={"description": "Stands in place of the game's id in every shuffle."})
    salt = Hex("Hid the board inside the game's commitment.")


class PlayedResult(Answer):
    """How a game ended, as its hash chain ends."""

    status = Word(ENDED, "ResultStatus", metadata={"description": "How it ended."})
    totals = by_seat(points(), metadata={"description": "Points by seat."})
    ranks = rank_list()


class Proof(Answer):
    """Everything that a game's chance came from, and what its log is bound to.

    The salt of an event is the first 16 bytes of HMAC-SHA256(seed, "skyjo-salt/1" and a zero byte, the game's id, the
    event's version as four bytes). The transcript has every event.
    """

    game = Uuid(attribute="game_id", metadata={"description": "The game's id."})
    rules = Inner(Rules)
    rules_name = fields.String(
        attribute="rules.canonical_name", metadata={"description": "The rules as they enter the hashes."}
    )
    seats = by_seat(fields.String(), metadata={"description": "The players' names, as they enter the hashes."})
    commitment = Hex("Published before anybody could act.")
    seed = Hex("What was committed to; the board's, where there is one.")
    entropy = fields.List(Hex("What a seat gave.", ENTROPY), metadata={"description": "By seat; empty if none did."})
    board = Inner(Board, allow_none=True)
    shuffled_as = Uuid(metadata={"description": "The id that went into every shuffle: the board's, or the game's."})
    key = Hex("The key of every shuffle.")
    genesis = Hex("Where the hash chain begins.")
    version = version_number(metadata={"description": "Number of the last event."})
    hash = Hex("The hash chain up to the last event.")
    result = Inner(PlayedResult)
    result_hash = Hex("Where the hash chain ends.")


class ScoredDecision(Answer):
    """A decision, and what it cost by the reckoning of the bot `greedy`, who knew what the seat knew."""

    version = version_number(metadata={"description": "The event that the decision became."})
    seat = seat_number(metadata=SEAT)
    played = Named("Action")
    best = Named("Action", metadata={"description": "What would have cost least; the same where nothing did."})
    cost = fields.Float(metadata={"minimum": 0, "description": "What it lost against the best one, in points."})


class Analysis(Answer):
    """What the decisions of a game cost. What was played for a seat without it is left out."""

    game = Uuid(metadata={"description": "The game's id."})
    decisions = fields.List(Inner(ScoredDecision), metadata={"description": "In the order of the game."})


class NewFork(Body):
    """A game that goes on from a step of another one, by its rules."""

    version = version_number(required=True, metadata={"description": "The last event that it repeats."})
    seats = by_seat(
        SeatRequestField(),
        required=True,
        metadata={"description": "Who goes on, in the order of the other game's seats; none can be open."},
    )
    move_seconds = Real(0.1, LONGEST_SECONDS, load_default=None, allow_none=True, metadata=MOVE_SECONDS)
    bank_seconds = Real(0, LONGEST_SECONDS, load_default=0.0, metadata=BANK_SECONDS)
    on_timeout = Word(list(model.OnTimeout), "OnTimeout", load_default="default", metadata=ON_TIMEOUT)
    max_timeouts = Whole(1, MOST_TIMEOUTS, load_default=3, metadata=MAX_TIMEOUTS)

    def build(self, data: dict[str, Any]) -> Fork:
        """Give the fork."""
        clock = model.ClockRules(
            data["move_seconds"], data["bank_seconds"], model.OnTimeout(data["on_timeout"]), data["max_timeouts"]
        )
        return Fork(data["version"], tuple(data["seats"]), clock)


class Commitments(Answer):
    """What has become of the seeds that games and tournaments were bound to. Told again for up to a minute."""

    games = count("How many games there are.")
    pending = count("Those that are not over.")
    embargoed = count("Those that are over, but whose board is still in play.")
    revealed = count("Those whose seed everybody can read.")
    never_revealed = count("Those that are over and whose seed nobody can read: 0.")
    tournaments = count("How many tournaments there are.")
    tournaments_pending = count("Those that are not over.")
    tournaments_revealed = count("Those whose seed everybody can read.")
    tournaments_never_revealed = count("Those that are over and whose seed nobody can read: 0.")
    counted_at = Timestamp(metadata={"description": "When it was counted."})
