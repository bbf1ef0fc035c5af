"""The service as HTTP sees it: one object with every use case. Wires the parts together and adds nothing to them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Final, Protocol
from uuid import UUID

from skyjo import Action, Decision
from skyjo.analysis import ScoredDecision
from skyjo.record import GameRecord
from skyjo_server.service.accounts import Accounts
from skyjo_server.service.compaction import HOUSE_KEEPING, Compactor, Keeping
from skyjo_server.service.follow import Following
from skyjo_server.service.games import Games
from skyjo_server.service.hub import Hub
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
from skyjo_server.service.play import Play
from skyjo_server.service.ports import AccountStore, Archive, GameLog, GameStore, Waker
from skyjo_server.service.replay_model import Commitments, NewFork, Perspective, Proof
from skyjo_server.service.replays import Replays
from skyjo_server.service.sweeper import Sweeper
from skyjo_server.service.tables import Tables
from skyjo_server.service.tournament_export import Exporter
from skyjo_server.service.tournament_facade import TournamentFacade
from skyjo_server.service.tournament_follow import TournamentFollowing
from skyjo_server.service.tournament_ports import TournamentStore
from skyjo_server.service.tournament_runner import Runner
from skyjo_server.service.tournaments import Tournaments

FOLLOWERS: Final = 128


class Storage(Protocol):
    """Everything that the service asks of storage."""

    @property
    def accounts(self) -> AccountStore:
        """Owners, bots, tokens."""

    @property
    def games(self) -> GameStore:
        """Games and seats."""

    @property
    def log(self) -> GameLog:
        """Events."""

    @property
    def tournaments(self) -> TournamentStore:
        """Events."""

    @property
    def archive(self) -> Archive:
        """Games that are over."""

    @property
    def waker(self) -> Waker:
        """The other processes."""

    def check(self) -> None:
        """Raises Unavailable unless the database answers and has the schema that this version needs."""


class Arena(TournamentFacade):
    """Every use case of the service; the errors are those of the parts.

    Args:
        storage: where everything is kept.
        hub: who waits in this process.
        pepper: the key of the tokens' hashes.
        tables_in_memory: games whose state a process keeps.
        followers: how many may follow games in this process at once.
        invitation: what registering without a token takes; None = anybody may.
        keeping: how games that are over are kept.
    Attributes:
        sweeper: sweeps overdue seats, once it is started.
        compactor: makes transcripts of games that are over, once it is started.
        runner: moves tournaments on, once it is started.
    """

    def __init__(
        self,
        storage: Storage,
        hub: Hub,
        pepper: bytes,
        tables_in_memory: int,
        followers: int = FOLLOWERS,
        invitation: str | None = None,
        keeping: Keeping = HOUSE_KEEPING,
    ) -> None:
        self._storage = storage
        self._hub = hub
        self._accounts = Accounts(storage.accounts, pepper, invitation)
        self._games = Games(storage.games, storage.log)
        tables = Tables(storage.log, tables_in_memory)
        games_over = threading.Event()
        self._play = Play(storage.log, tables, hub, storage.waker, games_over.set)
        self._following = Following(storage.log, tables, hub, followers)
        self._replays = Replays(self._games, storage.games, storage.log, tables)
        self.sweeper = Sweeper(storage.log, self._play)
        self.compactor = Compactor(storage.archive, keeping)
        self.runner = Runner(storage.tournaments, self._play, hub, storage.waker, games_over)
        tournaments = Tournaments(storage.tournaments, storage.games, self._play, hub, self.runner)
        super().__init__(
            tournaments,
            Exporter(tournaments, storage.tournaments, self._games),
            TournamentFollowing(tournaments.events, hub, self._following.places),
        )

    def ready(self) -> None:
        """Raises Unavailable unless the database answers and has the schema that this version needs."""
        self._storage.check()

    def was_turned_away(self) -> bool:
        """Whether the request that this thread serves wanted to wait, and found no place."""
        return self._hub.was_turned_away()

    def authenticate(self, secret: str) -> Caller:
        """The bearer of a token."""
        return self._accounts.authenticate(secret)

    def recognise(self, secret: str) -> Caller:
        """The bearer of a token, for the use cases at a table, which find out themselves if it has been revoked."""
        return self._accounts.recognise(secret)

    def register(
        self, name: str, caller: Caller | None, key: str | None = None, invitation: str | None = None
    ) -> Registration:
        """A new bot with its first token."""
        return self._accounts.register(name, caller, key, invitation)

    def bot(self, bot_id: UUID) -> Bot:
        """A bot by id."""
        return self._accounts.bot(bot_id)

    def me(self, caller: Caller) -> tuple[Bot | None, Token]:
        """The caller's bot and token."""
        return self._accounts.me(caller)

    def issue_token(self, caller: Caller, scope: Scope, bot_id: UUID | None) -> IssuedToken:
        """A further token."""
        return self._accounts.issue_token(caller, scope, bot_id)

    def grant_token(self, scope: Scope) -> IssuedToken:
        """A token of any scope, for those who run the service."""
        return self._accounts.grant_token(scope)

    def revoke_token(self, caller: Caller, token_id: UUID) -> None:
        """Refuse a token from now on."""
        self._accounts.revoke_token(caller, token_id)

    def create_game(self, caller: Caller, wanted: NewGame, key: str | None = None) -> GameInfo:
        """A new game."""
        game, _ = self._games.create(caller, wanted, key)
        self._announce(game)
        return game

    def game(self, game_id: UUID) -> GameInfo:
        """A game's public part."""
        return self._games.game(game_id)

    def games(
        self,
        status: GameStatus | None,
        bot_id: UUID | None,
        tournament_id: UUID | None,
        limit: int,
        cursor: str | None,
    ) -> Page[GameInfo]:
        """Games, newest first."""
        return self._games.games(status, bot_id, tournament_id, limit, cursor)

    def join(self, caller: Caller, game_id: UUID, bot_id: UUID | None, entropy: bytes) -> tuple[int, GameInfo]:
        """Take an open seat."""
        seat, game = self._games.join(caller, game_id, bot_id, entropy)
        self._announce(game)
        return seat, game

    def resign(self, caller: Caller, game_id: UUID, bot_id: UUID | None = None) -> GameInfo:
        """Leave a game."""
        self._play.resign(caller, game_id, bot_id)
        return self._games.game(game_id)

    def view(
        self, caller: Caller | None, game_id: UUID, bot_id: UUID | None, after: int | None, wait_seconds: float
    ) -> Decision:
        """What the caller may see of a table."""
        return self._play.view(caller, game_id, bot_id, after, wait_seconds)

    def play(self, caller: Caller, game_id: UUID, version: int, action: Action, key: str | None) -> Decision:
        """Play one action."""
        return self._play.play(caller, Submission(game_id, version, action, key))[0]

    def play_timed(
        self, caller: Caller, game_id: UUID, version: int, action: Action, key: str | None
    ) -> tuple[Decision, float | None]:
        """Play one action; gives what the seat sees then, and the seconds that it had taken."""
        return self._play.play(caller, Submission(game_id, version, action, key))

    def pending(self, caller: Caller, wait_seconds: float, limit: int) -> tuple[Decision, ...]:
        """The decisions that wait for the caller's bot."""
        return self._play.pending(caller, wait_seconds, limit)

    def submit(
        self, caller: Caller, submissions: tuple[Submission, ...], wait_seconds: float, limit: int
    ) -> TurnsAnswer:
        """Play many actions, and wait for the next decisions."""
        return self._play.submit(caller, submissions, wait_seconds, limit)

    def events(self, caller: Caller | None, game_id: UUID, after: int, limit: int, wait_seconds: float) -> EventPage:
        """Events of a game as the caller may know them."""
        return self._play.events(caller, game_id, after, limit, wait_seconds)

    def follow(self, caller: Caller | None, game_id: UUID, after: int) -> Iterator[EventPage]:
        """Events of a game as they happen, as the caller may know them."""
        return self._following.follow(caller, game_id, after)

    def transcript(self, game_id: UUID) -> GameRecord:
        """Everything about a game that is over."""
        return self._games.record(game_id)

    def state(
        self, caller: Caller | None, game_id: UUID, version: int, seat: int | None, perspective: Perspective | None
    ) -> Decision:
        """The table as it was after an event."""
        return self._replays.state(caller, game_id, version, seat, perspective)

    def proof(self, game_id: UUID) -> Proof:
        """Where the chance of a game that is over came from."""
        return self._replays.proof(game_id)

    def analysis(self, game_id: UUID) -> tuple[ScoredDecision, ...]:
        """What each decision of a game that is over cost."""
        return self._replays.analysis(game_id)

    def fork(self, caller: Caller, game_id: UUID, wanted: NewFork, key: str | None) -> GameInfo:
        """A new game from a step of one that is over."""
        game = self._replays.fork(caller, game_id, wanted, key)
        self._announce(game)
        return game

    def commitments(self) -> Commitments:
        """What has become of all commitments."""
        return self._replays.commitments()

    def _announce(self, game: GameInfo) -> None:
        """Wake whoever may have a decision in a game that has just begun."""
        if game.status is GameStatus.OPEN:
            return
        topics = [game.id, *(seat.bot_id for seat in game.seats if seat.bot_id is not None)]
        self._hub.wake(topics)
        self._storage.waker.wake(topics)
