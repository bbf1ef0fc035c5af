"""What HTTP asks of the service, as protocols. Implements nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol
from uuid import UUID

from skyjo import Action, Decision
from skyjo.analysis import ScoredDecision
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
from skyjo_server.service.replay_model import Commitments, NewFork, Perspective, Proof
from skyjo_server.service.tournament_model import (
    Crosstable,
    EntryInfo,
    LeaderboardRow,
    NewTournament,
    StandingRow,
    TableInfo,
    TournamentEventPage,
    TournamentInfo,
    TournamentStatus,
)
from skyjo_server.tournaments.values import Outcome


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
        self,
        status: GameStatus | None,
        bot_id: UUID | None,
        tournament_id: UUID | None,
        limit: int,
        cursor: str | None,
        /,
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

    def state(
        self, caller: Caller | None, game_id: UUID, version: int, seat: int | None, perspective: Perspective | None, /
    ) -> Decision:
        """The table as it was after an event."""

    def proof(self, game_id: UUID, /) -> Proof:
        """Where the chance of a game that is over came from."""

    def analysis(self, game_id: UUID, /) -> tuple[ScoredDecision, ...]:
        """What each decision of a game that is over cost."""

    def fork(self, caller: Caller, game_id: UUID, wanted: NewFork, key: str | None, /) -> GameInfo:
        """A new game from a step of one that is over."""

    def commitments(self) -> Commitments:
        """What has become of all commitments."""


class TournamentUseCases(Protocol):
    """Every use case of tournaments. Who may not steer an event is refused as for games: 403 by scope, 404 by owner."""

    def create_tournament(self, caller: Caller, wanted: NewTournament, key: str | None, /) -> TournamentInfo:
        """A new event, open for entries; with a key that came before, the event that it created then."""

    def tournament(self, tournament_id: UUID, /) -> TournamentInfo:
        """An event."""

    def tournaments(self, status: TournamentStatus | None, limit: int, cursor: str | None, /) -> Page[TournamentInfo]:
        """Events, newest first."""

    def enter(self, caller: Caller, tournament_id: UUID, bot_id: UUID | None, /) -> EntryInfo:
        """Enter a bot of the caller's; its token's own if none is named. Entering twice is harmless."""

    def entries(self, tournament_id: UUID, limit: int, cursor: str | None, /) -> Page[EntryInfo]:
        """Entries in order of entry."""

    def withdraw(self, caller: Caller, tournament_id: UUID, bot_id: UUID | None, /) -> EntryInfo:
        """Take a bot of the caller's out: it is never paired again once this has returned."""

    def disqualify(self, caller: Caller, tournament_id: UUID, entry: int, reason: str, /) -> EntryInfo:
        """Take an entry out, as the organiser."""

    def start_tournament(self, caller: Caller, tournament_id: UUID, /) -> TournamentInfo:
        """Begin; harmless if it has begun."""

    def pause_tournament(self, caller: Caller, tournament_id: UUID, /) -> TournamentInfo:
        """Begin no more games until it is resumed; those that are on go on."""

    def resume_tournament(self, caller: Caller, tournament_id: UUID, /) -> TournamentInfo:
        """Go on after a pause."""

    def abort_tournament(self, caller: Caller, tournament_id: UUID, /) -> TournamentInfo:
        """End at once; games that are on are aborted, and the seed is revealed when none is on any more."""

    def tables(
        self,
        tournament_id: UUID,
        round_number: int | None,
        entry: int | None,
        outcome: Outcome | None,
        limit: int,
        cursor: str | None,
        /,
    ) -> Page[TableInfo]:
        """The schedule in order, as far as it is known."""

    def void_table(self, caller: Caller, tournament_id: UUID, round_number: int, table: int, /) -> TableInfo:
        """Declare the game that is played at a table void; it is replayed on a deal of its own."""

    def standings(self, tournament_id: UUID, limit: int, cursor: str | None, /) -> Page[StandingRow]:
        """The ranking, best first."""

    def crosstable(self, tournament_id: UUID, /) -> Crosstable:
        """Entries against entries, the best first."""

    def tournament_events(
        self, tournament_id: UUID, after: int, limit: int, wait_seconds: float, /
    ) -> TournamentEventPage:
        """The log of an event after a version; waits until there is something. `after` is -1 for all of it."""

    def follow_tournament(self, tournament_id: UUID, after: int, /) -> Iterator[TournamentEventPage]:
        """The log of an event after a version, as it grows; ends with the event."""

    def export(self, tournament_id: UUID, /) -> Iterator[bytes]:
        """Everything about an event that may be known, as a ZIP archive in pieces."""

    def leaderboard(self, limit: int, cursor: str | None, /) -> Page[LeaderboardRow]:
        """Live ratings over all events, best first."""


class AllUseCases(UseCases, TournamentUseCases, Protocol):
    """Every use case of games and of tournaments."""
