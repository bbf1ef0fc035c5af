"""What the service takes and gives: frozen values. No behaviour beyond reading themselves."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Generic, TypeVar
from uuid import UUID

from skyjo import Action, Decision, RuleSet, SeenEvent
from skyjo_server.service.errors import ServiceError
from skyjo_server.tournaments.values import Cause as Ending

Item = TypeVar("Item")


class Scope(StrEnum):
    """How far a token reaches; each includes the ones before it."""

    BOT = "bot"
    ORGANISER = "organiser"
    ADMIN = "admin"

    def covers(self, other: Scope) -> bool:
        """Whether this scope reaches as far as another."""
        order = list(Scope)
        return order.index(self) >= order.index(other)


class GameStatus(StrEnum):
    """Where a game stands."""

    OPEN = "open"
    RUNNING = "running"
    FINISHED = "finished"
    VOID = "void"
    ABORTED = "aborted"

    @property
    def is_over(self) -> bool:
        """Whether nothing can happen in it any more."""
        return self not in {GameStatus.OPEN, GameStatus.RUNNING}


class SeatKind(StrEnum):
    """Who sits there."""

    BOT = "bot"
    HOUSE = "house"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: the bearer of a token.

    Attributes:
        token_id: the token.
        owner_id: whose token it is.
        bot_id: the bot it plays for; None for a token that plays for none.
        scope: how far it reaches.
    """

    token_id: UUID
    owner_id: UUID
    bot_id: UUID | None
    scope: Scope


@dataclass(frozen=True, slots=True)
class Bot:
    """A registered bot."""

    id: UUID
    name: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Token:
    """A token without its secret.

    Attributes:
        prefix: the first characters of the secret, to tell tokens apart.
        revoked_at: since when it is refused; None while it is good.
    """

    id: UUID
    scope: Scope
    prefix: str
    bot_id: UUID | None
    created_at: datetime
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A new token with its secret, which is shown this once."""

    token: Token
    secret: str


@dataclass(frozen=True, slots=True)
class Registration:
    """A new bot and its first token."""

    bot: Bot
    token: IssuedToken


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """What a new game asks for one seat: a bot by id, a house bot by name, or nobody yet."""

    kind: SeatKind
    bot_id: UUID | None = None
    house: str | None = None


class OnTimeout(StrEnum):
    """What a seat whose time runs out gets: default actions, or it leaves at once."""

    DEFAULT = "default"
    FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class ClockRules:
    """The time that the seats of a game have.

    Attributes:
        move_seconds: for each decision; None = no clock.
        bank_seconds: further time of each seat for the whole game, used once the time for a move is over.
        on_timeout: what happens to a seat whose time runs out.
        max_timeouts: how often that may happen to a seat before it leaves, with `default`.
    """

    move_seconds: float | None = None
    bank_seconds: float = 0.0
    on_timeout: OnTimeout = OnTimeout.DEFAULT
    max_timeouts: int = 3


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game to be created.

    Attributes:
        rules: the options.
        seats: 2 to 8, in playing order.
        clock: the time that they have.
    """

    rules: RuleSet
    seats: tuple[SeatRequest, ...]
    clock: ClockRules = ClockRules()


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat of a game. `house` is the house bot's name; `name` is what people read."""

    seat: int
    kind: SeatKind
    bot_id: UUID | None
    owner_id: UUID | None
    house: str | None
    name: str | None
    left: bool = False


@dataclass(frozen=True, slots=True)
class GameResult:
    """How a game ended.

    Attributes:
        status: how it came to its end.
        totals: points by seat.
        ranks: by seat; None if it was voided or aborted.
        causes: how it ended for each seat.
    """

    status: GameStatus
    totals: tuple[int, ...]
    ranks: tuple[int, ...] | None
    causes: tuple[Ending, ...]


@dataclass(frozen=True, slots=True)
class ForkPoint:
    """Where a game was forked from: the first events of another, up to a version."""

    game_id: UUID
    version: int


@dataclass(frozen=True, slots=True)
class GameInfo:
    """A game as lists show it: everything public, and nothing of its table.

    Attributes:
        version: number of its last event; -1 while it is open.
        tournament_id: the event that it belongs to.
        embargoed: whether its board is still in play at another table: only its seats may see it.
        forked: the game whose first events it repeats.
    """

    id: UUID
    status: GameStatus
    rules: RuleSet
    seats: tuple[Seat, ...]
    version: int
    commitment: bytes
    clock: ClockRules
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    result: GameResult | None
    tournament_id: UUID | None = None
    embargoed: bool = False
    forked: ForkPoint | None = None


@dataclass(frozen=True, slots=True)
class Submission:
    """One action to play: it answers `version`; `key` makes sending it again harmless."""

    game_id: UUID
    version: int
    action: Action
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Accepted:
    """An action that was played.

    Attributes:
        game_id: the game.
        version: that of its event.
        thinking_seconds: how long the seat had taken for it, by the database's clock.
    """

    game_id: UUID
    version: int
    thinking_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """An action that was not played."""

    game_id: UUID
    error: ServiceError


@dataclass(frozen=True, slots=True)
class TurnsAnswer:
    """What became of each submission, in order, and the decisions that wait now."""

    results: tuple[Accepted | Refused, ...]
    decisions: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """Some items and where the next ones begin; None = there are no more."""

    items: tuple[Item, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class StampedEvent:
    """An event as its reader may know it, when it was committed, and how long its seat had taken (database's clock)."""

    event: SeenEvent
    at: datetime
    thinking_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class EventPage:
    """Events in order, and the game's current version and status."""

    game_id: UUID
    events: tuple[StampedEvent, ...]
    version: int
    status: GameStatus
