"""What the service needs from storage: the ports, and the values that pass through them. Implements nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from skyjo import Event, RuleSet
from skyjo.record import Board
from skyjo_server.service.model import (
    Bot,
    Caller,
    ClockRules,
    ForkPoint,
    GameInfo,
    GameResult,
    GameStatus,
    Page,
    Scope,
    Seat,
    Token,
)
from skyjo_server.service.replay_model import Commitments


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token about to be stored: its digest, never its secret."""

    token_id: UUID
    scope: Scope
    bot_id: UUID | None
    prefix: str
    digest: bytes


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event about to be committed, with its link of the hash chain."""

    event: Event
    hash: bytes


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """A committed event.

    Attributes:
        event: the event.
        at: when it was committed; this and every other time is the database's.
        hash: its link of the hash chain.
        thinking_seconds: how long its seat had taken; None where nobody was waited for.
    """

    event: Event
    at: datetime
    hash: bytes
    thinking_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as stored, its secret included: never leaves the service.

    Attributes:
        info: the public part.
        seed: the 32 bytes that every shuffle comes from.
        entropy: what each seat gave, empty texts for none.
        events: the log so far.
        board: the duplicate board that it is played on; the seed is the board's then.
    """

    info: GameInfo
    seed: bytes
    entropy: tuple[bytes, ...]
    events: tuple[StoredEvent, ...]
    board: Board | None = None


@dataclass(frozen=True, slots=True)
class NewStoredGame:
    """A game about to be stored, with its secrets and its seats in order.

    Attributes:
        seed: the 32 bytes that every shuffle comes from; the board's, where there is one.
        board: the duplicate board that it is played on.
        embargoed: whether only its seats may see it for now.
        entropy: what each seat gave already; nothing if none did.
    """

    game_id: UUID
    owner_id: UUID
    rules: RuleSet
    seats: tuple[Seat, ...]
    seed: bytes
    commitment: bytes
    clock: ClockRules
    key: str | None
    tournament_id: UUID | None = None
    board: Board | None = None
    embargoed: bool = False
    forked: ForkPoint | None = None
    entropy: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Receipt:
    """What is kept of a submission with an idempotency key, in the commit that played it.

    Attributes:
        seat: whose key it is.
        key: the idempotency key.
        sent_version: the version that the action answered.
        action: its text.
        version: the event that it became.
        answer_version: the version that the answer showed.
    """

    seat: int
    key: str
    sent_version: int
    action: str
    version: int
    answer_version: int


@dataclass(frozen=True, slots=True)
class Move:
    """Everything that one commit does to one game.

    Attributes:
        game_id: the game.
        expected_version: the version it must be at; nothing happens otherwise.
        events: what to append, versions following on.
        status: where the game stands afterwards.
        to_act: bit mask of the seats whose decision is awaited afterwards.
        left: bit mask of the seats that have left by then.
        result: once it is over.
        token_id: a token that must be good still; None = none needed.
        restarts_clock: whether new decisions begin with it.
        allowed_seconds: how long the seat had for the decision that the first event answers; None = for ever.
        overdue: whether the commit needs that time to be over, as against not over.
        next_allowed_seconds: the least time of the others awaited afterwards; None = nobody's is limited.
        own_bank_seconds: what was left of the bank of the seat that acted, if it is awaited afterwards.
        receipts: submissions to remember.
    """

    game_id: UUID
    expected_version: int
    events: tuple[NewEvent, ...]
    status: GameStatus
    to_act: int
    left: int = 0
    result: GameResult | None = None
    token_id: UUID | None = None
    restarts_clock: bool = True
    allowed_seconds: float | None = None
    overdue: bool = False
    next_allowed_seconds: float | None = None
    own_bank_seconds: float | None = None
    receipts: tuple[Receipt, ...] = ()

    @property
    def version(self) -> int:
        """The version afterwards."""
        return self.expected_version + len(self.events)


@dataclass(frozen=True, slots=True)
class Committed:
    """What the database adds to a move: when it was committed, and how long its first event had been waited for."""

    at: datetime
    thinking_seconds: float | None


@dataclass(frozen=True, slots=True)
class Fresh:
    """News of a game since a known version, read in one statement.

    Attributes:
        clock_started: when the current decisions began, downtime of the service left out.
        status: where it stands.
        version: its current version.
        events: those after the known version.
        token_good: whether the caller's token is good still; True if none was given.
        embargoed: whether only its seats may see it.
    """

    status: GameStatus
    version: int
    events: tuple[StoredEvent, ...]
    clock_started: datetime | None
    token_good: bool = True
    embargoed: bool = False


@dataclass(frozen=True, slots=True)
class Waiting:
    """A decision that waits for a bot, in a game that is on.

    Attributes:
        game_id: the game.
        seat: the bot's seat.
        version: the game's current version.
        clock_started: when its current decisions began, downtime of the service left out.
    """

    game_id: UUID
    seat: int
    version: int
    clock_started: datetime | None


Start = Callable[[StoredGame], Move]
"""Builds the first move of a game whose seats are all taken."""


class AccountStore(Protocol):
    """Owners, bots and tokens."""

    def add_bot(self, owner_id: UUID | None, bot_id: UUID, name: str, token: NewToken) -> tuple[Bot, Token] | None:
        """Create a bot, its owner unless given, and its first token; None if that token is there. Raises NameTaken."""

    def bot(self, bot_id: UUID) -> Bot | None:
        """A bot by id."""

    def bot_owner(self, bot_id: UUID) -> UUID | None:
        """Whose bot it is."""

    def add_token(self, owner_id: UUID | None, token: NewToken) -> Token:
        """Create a token, and an owner unless given."""

    def find_token(self, digest: bytes) -> Caller | None:
        """The bearer of a good token."""

    def token(self, token_id: UUID, owner_id: UUID) -> Token | None:
        """A token of an owner."""

    def confirmed_token(self, token_id: UUID) -> Token | None:
        """A token, told again by a durable write, so that it is vouched for as the first time."""

    def revoke_token(self, token_id: UUID, owner_id: UUID) -> bool:
        """Refuse a token from now on; False if the owner has none such."""


class GameStore(Protocol):
    """Games, their seats and their secrets."""

    def add_game(self, game: NewStoredGame, start: Start) -> tuple[GameInfo, bool]:
        """Create a game, and start it in the same transaction when its seats are all taken.

        Returns the game and whether it is new: with a key seen before it is the earlier one.
        """

    def join(self, game_id: UUID, seat: Seat, entropy: bytes, start: Start) -> tuple[int, GameInfo] | None:
        """Give the lowest open seat to a bot, and start the game when it was the last. None if there is no game.

        Raises GameFull or AlreadySeated.
        """

    def game(self, game_id: UUID) -> GameInfo | None:
        """A game's public part."""

    def games(
        self,
        status: GameStatus | None,
        bot_id: UUID | None,
        tournament_id: UUID | None,
        limit: int,
        cursor: str | None,
    ) -> Page[GameInfo]:
        """Games, newest first. Raises InvalidRequest for a cursor that is none of ours."""

    def commitments(self) -> Commitments:
        """What has become of all commitments."""

    def bots(self, bot_ids: Sequence[UUID]) -> Mapping[UUID, tuple[UUID, str]]:
        """Owner and name of each bot that exists."""


class GameLog(Protocol):
    """The log, and everything on the path of a move."""

    def load(self, game_id: UUID) -> StoredGame | None:
        """A game and its whole log."""

    def fresh(self, game_id: UUID, known_version: int, token_id: UUID | None) -> Fresh | None:
        """News since a version."""

    def fresh_many(self, known: Sequence[tuple[UUID, int]]) -> dict[UUID, Fresh]:
        """News of many games, each since its own known version."""

    def events(self, game_id: UUID, version: int) -> tuple[StoredEvent, ...]:
        """The log of a game up to a version."""

    def commit(self, moves: Sequence[Move]) -> dict[UUID, Committed]:
        """Commit moves of different games, each alone: those that did not apply are missing from the answer.

        Raises Unavailable if the outcome is not known to be durable.
        """

    def receipt(self, game_id: UUID, seat: int, key: str) -> Receipt | None:
        """What became of a key; asking for it is itself a durable write."""

    def is_good(self, token_id: UUID) -> bool:
        """Whether a token has not been revoked."""

    def overdue(self, limit: int) -> tuple[UUID, ...]:
        """Games in which a seat's time is over; the earliest first. They may be swept elsewhere at the same time."""

    def beat(self) -> float:
        """Note that the service is alive, and give back the time that it was not; in seconds, 0 if it was."""

    def waiting(self, bot_id: UUID, limit: int, token_id: UUID | None) -> tuple[Waiting, ...] | None:
        """Decisions that wait for a bot, earliest deadline first; None if the token is not good any more."""


class Archive(Protocol):
    """Games that are over, and how they are kept."""

    def compact(self, limit: int, grace_seconds: float) -> int:
        """Make transcripts of games that have been over for so long, the earliest first; gives how many.

        They may be compacted elsewhere at the same time. Whoever reads notices nothing.
        """

    def add(self, game: StoredGame) -> bool:
        """Keep a finished game that was played elsewhere; False if there is one of its id already."""

    def forget_receipts(self, limit: int, after_seconds: float) -> int:
        """Forget the receipts of transcripts whose games ended so long ago; gives of how many games."""


class Waker(Protocol):
    """Telling other processes whom to wake. A hint only: whoever waits looks again at the latest after a second."""

    def wake(self, topics: Sequence[UUID]) -> None:
        """Pass on that these games and bots have news; returns at once, and never raises."""
