"""What HTTP asks of the service, as one protocol. Implements nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol
from uuid import UUID

from skyjo import Action, Decision
from skyjo.record import GameRecord
from skyjo_server.service.model import (
    Bot,
    Caller,
    EventPage,
    GameInfo,
    GameStatus,
    IssuedToken,
    NewGame,
    Page,
    Registration,
    Scope,
    Submission,
    Token,
    TurnsAnswer,
)


class UseCases(Protocol):
    """Every use case. Each raises the service's errors, and nothing else on purpose."""

    def ready(self) -> None:
        """Raises Unavailable unless requests can be served."""

    def was_turned_away(self) -> bool:
        """Whether the request that this thread serves wanted to wait, and found no place."""

    def authenticate(self, secret: str, /) -> Caller:
        """The bearer of a token."""

    def recognise(self, secret: str, /) -> Caller:
        """The bearer of a token, for `view`, `play`, `pending`, `submit` and `events`: they refuse a revoked one."""

    def register(self, name: str, caller: Caller | None, key: str | None, invitation: str | None, /) -> Registration:
        """A new bot with its first token."""

    def bot(self, bot_id: UUID, /) -> Bot:
        """A bot by id."""

    def me(self, caller: Caller, /) -> tuple[Bot | None, Token]:
        """The caller's bot and token."""

    def issue_token(self, caller: Caller, scope: Scope, bot_id: UUID | None, /) -> IssuedToken:
        """A further token."""

    def revoke_token(self, caller: Caller, token_id: UUID, /) -> None:
        """Refuse a token from now on."""

    def create_game(self, caller: Caller, wanted: NewGame, key: str | None, /) -> GameInfo:
        """A new game."""

    def game(self, game_id: UUID, /) -> GameInfo:
        """A game's public part."""

    def games(
        self, status: GameStatus | None, bot_id: UUID | None, limit: int, cursor: str | None, /
    ) -> Page[GameInfo]:
        """Games, newest first."""

    def join(self, caller: Caller, game_id: UUID, bot_id: UUID | None, entropy: bytes, /) -> tuple[int, GameInfo]:
        """Take an open seat."""

    def resign(self, caller: Caller, game_id: UUID, bot_id: UUID | None, /) -> GameInfo:
        """Leave a game."""

    def view(
        self, caller: Caller | None, game_id: UUID, bot_id: UUID | None, after: int | None, wait_seconds: float, /
    ) -> Decision:
        """What the caller may see of a table."""

    def play_timed(
        self, caller: Caller, game_id: UUID, version: int, action: Action, key: str | None, /
    ) -> tuple[Decision, float | None]:
        """Play one action; gives what the seat sees then, and the seconds that it had taken."""

    def pending(self, caller: Caller, wait_seconds: float, limit: int, /) -> tuple[Decision, ...]:
        """The decisions that wait for the caller's bot."""

    def submit(
        self, caller: Caller, submissions: tuple[Submission, ...], wait_seconds: float, limit: int, /
    ) -> TurnsAnswer:
        """Play many actions, and wait for the next decisions."""

    def events(self, caller: Caller | None, game_id: UUID, after: int, limit: int, wait_seconds: float, /) -> EventPage:
        """Events of a game as the caller may know them."""

    def follow(self, caller: Caller | None, game_id: UUID, after: int, /) -> Iterator[EventPage]:
        """Events of a game as they happen."""

    def transcript(self, game_id: UUID, /) -> GameRecord:
        """Everything about a game that is over."""
