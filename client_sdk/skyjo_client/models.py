"""What the API answers, as frozen values. Reads answers; sends nothing and decides nothing.

Every ``from_dict`` takes one object of an answer, leaves members that it does not know alone, and raises ValueError for
one that is missing or has a wrong type. Points in time carry their zone. A decision is :class:`skyjo.Decision`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Any

from skyjo import Action, Decision, LegalActions, RuleSet, SeenEvent
from skyjo.notation import seen_event_from_dict
from skyjo_client.errors import ApiError, api_error
from skyjo_client.problem import problem_from_dict
from skyjo_client.reading import Members
from skyjo_client.replay_models import ForkPoint
from skyjo_client.tournament_models import TableCause


class Scope(StrEnum):
    """What a token may do: each may do what those before it may."""

    BOT = "bot"
    ORGANISER = "organiser"
    ADMIN = "admin"


class GameStatus(StrEnum):
    """Where a game stands."""

    OPEN = "open"
    RUNNING = "running"
    FINISHED = "finished"
    VOID = "void"
    ABORTED = "aborted"

    @property
    def is_over(self) -> bool:
        """Whether nothing can happen in the game any more."""
        return self not in {GameStatus.OPEN, GameStatus.RUNNING}


class SeatKind(StrEnum):
    """Who plays a seat."""

    BOT = "bot"
    HOUSE = "house"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Bot:
    """A registered bot."""

    id: str
    name: str
    created_at: datetime

    @classmethod
    def from_dict(cls, data: object) -> Bot:
        """Read a bot of an answer."""
        read = Members("Bot", data)
        return cls(read.text("id"), read.text("name"), read.moment("created_at"))


@dataclass(frozen=True, slots=True)
class Token:
    """What can be known of a token after it was issued.

    Attributes:
        id: names the token, and opens nothing.
        scope: what it may do.
        prefix: its first characters, to tell it from others.
        bot: id of the bot that it plays for; None if it plays for none.
        created_at: when it was issued.
        revoked_at: since when it opens nothing any more; None if it does.
    """

    id: str
    scope: Scope
    prefix: str
    bot: str | None
    created_at: datetime
    revoked_at: datetime | None

    @classmethod
    def from_dict(cls, data: object) -> Token:
        """Read a token of an answer."""
        return cls(**_token("Token", data))


@dataclass(frozen=True, slots=True)
class IssuedToken(Token):
    """A token at the one moment when it is shown.

    Attributes:
        token: the secret itself, ``skj_…``; it cannot be asked for again.
    """

    token: str = field(repr=False)

    @classmethod
    def from_dict(cls, data: object) -> IssuedToken:
        """Read a token of an answer."""
        return cls(**_token("IssuedToken", data), token=Members("IssuedToken", data).text("token"))


@dataclass(frozen=True, slots=True)
class Registration:
    """A new bot and the token that plays for it."""

    bot: Bot
    token: IssuedToken

    @classmethod
    def from_dict(cls, data: object) -> Registration:
        """Read an answer."""
        read = Members("Registration", data)
        return cls(read.nested("bot", Bot.from_dict), read.nested("token", IssuedToken.from_dict))


@dataclass(frozen=True, slots=True)
class Me:
    """Who the client's token is: its bot, None for a token of no bot, and what can be known of the token."""

    bot: Bot | None
    token: Token

    @classmethod
    def from_dict(cls, data: object) -> Me:
        """Read an answer."""
        read = Members("Me", data)
        bot = read.optional("bot", partial(read.nested, read=Bot.from_dict))
        return cls(bot, read.nested("token", Token.from_dict))


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat of a game.

    Attributes:
        seat: its number, from 0 on.
        kind: who plays it.
        bot: the bot's id; None for a house bot or an open seat.
        name: the bot's name; None while the seat is open.
        left: whether it has resigned or was made to leave.
    """

    seat: int
    kind: SeatKind
    bot: str | None
    name: str | None
    left: bool

    @classmethod
    def from_dict(cls, data: object) -> Seat:
        """Read a seat of an answer."""
        read = Members("Seat", data)
        return cls(
            read.whole("seat"),
            SeatKind(read.text("kind")),
            read.optional("bot", read.text),
            read.optional("name", read.text),
            read.flag("left"),
        )


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended.

    Attributes:
        status: finished, void or aborted.
        totals: points by seat.
        ranks: by seat, 1 first, equal totals sharing a rank; None if the game was void or aborted.
        causes: how it ended for each seat.
    """

    status: GameStatus
    totals: tuple[int, ...]
    ranks: tuple[int, ...] | None
    causes: tuple[TableCause, ...]

    @classmethod
    def from_dict(cls, data: object) -> Result:
        """Read the result of an answer."""
        read = Members("Result", data)
        ranks, causes = read.optional("ranks", read.wholes), read.items("causes", TableCause)
        return cls(GameStatus(read.text("status")), read.wholes("totals"), ranks, causes)


@dataclass(frozen=True, slots=True)
class Game:
    """A game without its table.

    Attributes:
        id: names the game.
        status: where it stands.
        preset: the preset of its rules; None for house rules.
        rules: every option.
        seats: in order.
        version: number of its last event; -1 while seats are open, and while it is embargoed.
        commitment: what its shuffles were fixed with, 64 hex digits.
        created_at, started_at, finished_at: None for what has not happened.
        result: once it is over; None while it is embargoed.
        move_seconds: time for each move; None = no limit.
        bank_seconds: time to spare for the whole game; None = no limit.
        tournament: the tournament that it belongs to.
        embargoed: whether its deals are still in play at another table: only its seats may see it.
        forked_from: the game that it was forked from, and the last event that it repeats.
    """

    id: str
    status: GameStatus
    preset: str | None
    rules: RuleSet
    seats: tuple[Seat, ...]
    version: int
    commitment: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    result: Result | None
    move_seconds: float | None
    bank_seconds: float | None
    tournament: str | None
    embargoed: bool
    forked_from: ForkPoint | None

    @classmethod
    def from_dict(cls, data: object) -> Game:
        """Read a game of an answer."""
        read = Members("Game", data)
        return cls(
            id=read.text("id"),
            status=GameStatus(read.text("status")),
            preset=read.optional("preset", read.text),
            rules=read.nested("rules", RuleSet.from_dict),
            seats=read.items("seats", Seat.from_dict),
            version=read.whole("version"),
            commitment=read.text("commitment"),
            created_at=read.moment("created_at"),
            started_at=read.optional("started_at", read.moment),
            finished_at=read.optional("finished_at", read.moment),
            result=read.optional("result", partial(read.nested, read=Result.from_dict)),
            move_seconds=read.optional("move_seconds", read.number),
            bank_seconds=read.optional("bank_seconds", read.number),
            tournament=read.optional("tournament", read.text),
            embargoed=read.flag("embargoed"),
            forked_from=read.optional("forked_from", partial(read.nested, read=ForkPoint.from_dict)),
        )


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A seat that was just taken, and the game with it."""

    seat: int
    game: Game

    @classmethod
    def from_dict(cls, data: object) -> SeatTaken:
        """Read an answer."""
        read = Members("SeatTaken", data)
        return cls(read.whole("seat"), read.nested("game", Game.from_dict))


@dataclass(frozen=True, slots=True)
class Choices:
    """What a seat may play at a version: nothing if it is not on move; seat None for a spectator."""

    game: str
    version: int
    seat: int | None
    legal_actions: LegalActions

    @classmethod
    def from_dict(cls, data: object) -> Choices:
        """Read an answer."""
        read = Members("Choices", data)
        legal = LegalActions(read.items("legal_actions", Action.parse))
        return cls(read.text("game"), read.whole("version"), read.optional("seat", read.whole), legal)


@dataclass(frozen=True, slots=True)
class StampedEvent:
    """An event as the caller may know it, with its game and its time.

    Attributes:
        game: the game's id.
        event: what happened: redacted while the game is on, complete when it is over.
        at: when, by the service's clock.
    """

    game: str
    event: SeenEvent
    at: datetime

    @classmethod
    def from_dict(cls, data: object) -> StampedEvent:
        """Read an event of an answer."""
        read = Members("Event", data)
        return cls(read.text("game"), read.itself(seen_event_from_dict), read.moment("at"))


@dataclass(frozen=True, slots=True)
class EventPage:
    """Some events of a game, in order.

    Attributes:
        events: none if there were none yet.
        version: the version of the game when they were read; more follow if the last event is older.
        status: where the game stood then.
    """

    events: tuple[StampedEvent, ...]
    version: int
    status: GameStatus

    def ends_with(self, version: int) -> bool:
        """Whether an event of this version is the last that the game will ever have."""
        return self.status.is_over and version >= self.version

    @classmethod
    def from_dict(cls, data: object) -> EventPage:
        """Read an answer."""
        read = Members("EventPage", data)
        events = read.items("events", StampedEvent.from_dict)
        return cls(events, read.whole("version"), GameStatus(read.text("status")))


@dataclass(frozen=True, slots=True)
class TurnResult:
    """What became of one action of several that were submitted together.

    Attributes:
        game: the game's id.
        version: of the accepted event; if refused, the game's version now, None if there is no such game.
        error: why it was refused, not raised; None if it was accepted.
    """

    game: str
    version: int | None
    error: ApiError | None

    @property
    def accepted(self) -> bool:
        """Whether the action was played."""
        return self.error is None

    @classmethod
    def from_dict(cls, data: object) -> TurnResult:
        """Read a result of an answer."""
        read = Members("TurnResult", data)
        refused = {"accepted": False, "refused": True}[read.text("status")]
        error = read.nested("problem", lambda problem: api_error(problem_from_dict(problem))) if refused else None
        return cls(read.text("game"), read.optional("version", read.whole), error)


@dataclass(frozen=True, slots=True)
class TurnsAnswer:
    """The results of what was submitted, in its order, and every decision that waits now, earliest deadline first."""

    results: tuple[TurnResult, ...]
    decisions: tuple[Decision, ...]

    @classmethod
    def from_dict(cls, data: object) -> TurnsAnswer:
        """Read an answer."""
        read = Members("TurnsAnswer", data)
        return cls(read.items("results", TurnResult.from_dict), read.items("decisions", Decision.from_dict))


def _token(what: str, data: object) -> dict[str, Any]:
    read = Members(what, data)
    return {
        "id": read.text("id"),
        "scope": Scope(read.text("scope")),
        "prefix": read.text("prefix"),
        "bot": read.optional("bot", read.text),
        "created_at": read.moment("created_at"),
        "revoked_at": read.optional("revoked_at", read.moment),
    }
