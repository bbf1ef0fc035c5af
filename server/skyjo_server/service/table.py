"""A running game in memory: its setup, its state and how a commit changes it. Reads and writes no storage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from skyjo import (
    Action,
    Cause,
    Decision,
    FairChance,
    IllegalAction,
    Phase,
    RuleSet,
    State,
    decide,
    decide_leave,
    decision,
    default_action,
    evolve,
    forced_seat,
    initial_state,
    legal_actions,
    seen_event,
    shuffle_key,
    start,
)
from skyjo.bots import HOUSE_BOTS
from skyjo.chain import event_salt, genesis, next_hash
from skyjo.facts import Event
from skyjo_server.service.errors import IllegalMove
from skyjo_server.service.model import GameResult, GameStatus, Seat, SeatKind
from skyjo_server.service.ports import Move, NewEvent, Receipt, StoredEvent, StoredGame


@dataclass(frozen=True, slots=True)
class Setup:
    """What does not change once a game has started; the seed is in here, so it never leaves the service."""

    game_id: UUID
    rules: RuleSet
    seats: tuple[Seat, ...]
    seed: bytes
    entropy: tuple[bytes, ...]
    commitment: bytes
    chance: FairChance

    @classmethod
    def of(cls, stored: StoredGame) -> Setup:
        """The setup of a game whose seats are all taken."""
        info = stored.info
        entropy = stored.entropy if any(stored.entropy) else ()
        key = shuffle_key(stored.seed, info.id, info.rules.canonical_name, entropy)
        return cls(info.id, info.rules, info.seats, stored.seed, entropy, info.commitment, FairChance(key))

    @property
    def names(self) -> tuple[str, ...]:
        """The seats' names."""
        return tuple(seat.name or "" for seat in self.seats)

    def seat_of(self, bot_id: UUID | None) -> int | None:
        """The seat of a bot."""
        return next((seat.seat for seat in self.seats if bot_id is not None and seat.bot_id == bot_id), None)

    def seats_of_owner(self, owner_id: UUID) -> tuple[int, ...]:
        """The seats of all bots of an owner."""
        return tuple(seat.seat for seat in self.seats if seat.owner_id == owner_id)

    def bots_at(self, seats: Sequence[int]) -> tuple[UUID, ...]:
        """The bots that sit at some seats; house bots have no id."""
        return tuple(bot for seat in seats if (bot := self.seats[seat].bot_id) is not None)


@dataclass(frozen=True, slots=True)
class Table:
    """A game at one version.

    Attributes:
        setup: what stays.
        state: everything else about the game, hidden cards included.
        hash: the last link of its hash chain.
        at: when its last event was committed; None before its first commit.
        status: where it stands.
    """

    setup: Setup
    state: State
    hash: bytes
    at: datetime | None
    status: GameStatus

    @classmethod
    def before_start(cls, stored: StoredGame) -> Table:
        """A game that has not been dealt."""
        setup = Setup.of(stored)
        state = initial_state(setup.rules, len(setup.seats))
        first = genesis(setup.game_id, setup.commitment, setup.rules, setup.names)
        return cls(setup, state, first, None, GameStatus.RUNNING)

    @classmethod
    def of(cls, stored: StoredGame) -> Table:
        """A game with its log folded in."""
        return cls.before_start(stored).advanced(stored.events, stored.info.status)

    def advanced(self, events: Sequence[StoredEvent], status: GameStatus) -> Table:
        """The game with news folded in."""
        if not events:
            return self if status is self.status else replace(self, status=status)
        state = self.state
        for stored in events:
            state = evolve(state, stored.event)
        return replace(self, state=state, hash=events[-1].hash, at=events[-1].at, status=status)

    def rewound(self, events: Sequence[StoredEvent]) -> Table:
        """The game as it was after the first events of its log."""
        setup = self.setup
        start = Table(setup, initial_state(setup.rules, len(setup.seats)), self.hash, None, GameStatus.RUNNING)
        then = start.advanced(events, GameStatus.RUNNING)
        return replace(then, status=GameStatus.FINISHED) if then.state.phase is Phase.OVER else then

    def decision(self, viewer: int | None) -> Decision:
        """What a seat, or a spectator, sees."""
        stopped = self.status in {GameStatus.VOID, GameStatus.ABORTED}
        return decision(self.state, viewer, game=str(self.setup.game_id), stopped=stopped)


class Hand:
    """Plays on one table and collects what one commit will do to it. Forgotten if the commit fails."""

    __slots__ = ("_events", "_from", "_hash", "_receipts", "state")

    def __init__(self, table: Table) -> None:
        self._from = table
        self._hash = table.hash
        self._events: list[NewEvent] = []
        self._receipts: list[tuple[int, str, int, str, int]] = []
        self.state = table.state

    @property
    def game_id(self) -> UUID:
        """The game that is played."""
        return self._from.setup.game_id

    def start(self) -> None:
        """Deal the first round, and let house bots act."""
        setup = self._from.setup
        self._append(start(setup.rules, len(setup.seats), setup.chance))
        self._settle()

    def play(self, seat: int, action: Action, key: str | None) -> int:
        """Play an action of a seat, then everything that follows without a bot; gives its event's version.

        Raises:
            IllegalMove: with the legal actions; nothing has been collected.
        """
        sent = self.state.version
        try:
            event = decide(self.state, seat, action, self._from.setup.chance)
        except IllegalAction as error:
            raise IllegalMove(error, sent, legal_actions(self.state, seat)) from error
        self._append(event)
        if key is not None:
            self._receipts.append((seat, key, sent, str(action), event.version))
        self._settle()
        return event.version

    def leave(self, seat: int, cause: Cause) -> None:
        """Let a seat leave. Raises IllegalAction."""
        self._append(decide_leave(self.state, seat, cause))
        self._settle()

    def move(self, token_id: UUID | None = None) -> Move:
        """What the commit will do."""
        state = self.state
        over = state.phase is Phase.OVER
        return Move(
            game_id=self._from.setup.game_id,
            expected_version=self._from.state.version,
            events=tuple(self._events),
            status=GameStatus.FINISHED if over else GameStatus.RUNNING,
            to_act=sum(1 << seat for seat in state.to_act),
            left=sum(1 << seat for seat, gone in enumerate(state.left) if gone),
            result=GameResult(GameStatus.FINISHED, state.totals, state.ranks) if over else None,
            token_id=token_id,
            receipts=tuple(Receipt(*kept, answer_version=state.version) for kept in self._receipts),
        )

    def committed(self, at: datetime) -> Table:
        """The table after the commit."""
        status = GameStatus.FINISHED if self.state.phase is Phase.OVER else GameStatus.RUNNING
        return Table(self._from.setup, self.state, self._hash, at, status)

    def _settle(self) -> None:
        """Play for house bots and for seats that have left, until a bot is awaited or the game is over."""
        while True:
            if (seat := forced_seat(self.state)) is not None:
                action, cause = default_action(self.state, seat), Cause.FORFEIT
            elif (seat := self._house_seat()) is not None:
                action, cause = self._house_action(seat), Cause.PLAYER
            else:
                return
            self._append(decide(self.state, seat, action, self._from.setup.chance, cause))

    def _house_seat(self) -> int | None:
        seats = self._from.setup.seats
        return next((seat for seat in self.state.to_act if seats[seat].kind is SeatKind.HOUSE), None)

    def _house_action(self, seat: int) -> Action:
        """A house bot's choice: a function of what its seat sees, and of a random stream of its own per version."""
        setup = self._from.setup
        stream = setup.chance.stream(self.state.version, f"house {seat}")
        seen = decision(self.state, seat, game=str(setup.game_id))
        return HOUSE_BOTS[setup.seats[seat].house or ""](stream).choose(seen)

    def _append(self, event: Event) -> None:
        setup = self._from.setup
        public = seen_event(event, self.state, None)
        self._hash = next_hash(self._hash, event, public, event_salt(setup.seed, setup.game_id, event.version))
        self._events.append(NewEvent(event, self._hash))
        self.state = evolve(self.state, event)


def starting_move(stored: StoredGame) -> Move:
    """The first move of a game whose seats are all taken."""
    hand = Hand(Table.before_start(stored))
    hand.start()
    return hand.move()
