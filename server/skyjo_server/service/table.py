"""A running game in memory: its setup, its state and how a commit changes it. Reads and writes no storage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final
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
from skyjo.record import Board
from skyjo_server.service.clock import Clocks, restarts
from skyjo_server.service.errors import IllegalMove
from skyjo_server.service.model import GameResult, GameStatus, Seat, SeatKind
from skyjo_server.service.ports import Committed, Move, NewEvent, Receipt, StoredEvent, StoredGame
from skyjo_server.tournaments.values import Cause as Ending

EVENTS_AT_ONCE: Final = 2000
"""Events of one commit at most, give or take a few; a game between house bots takes some hundreds."""


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
    board: Board | None = None

    @classmethod
    def of(cls, stored: StoredGame) -> Setup:
        """The setup of a game whose seats are all taken."""
        info, board = stored.info, stored.board
        entropy = stored.entropy if any(stored.entropy) else ()
        shuffled_as = info.id if board is None else board.id
        key = shuffle_key(stored.seed, shuffled_as, info.rules.canonical_name, entropy)
        return cls(info.id, info.rules, info.seats, stored.seed, entropy, info.commitment, FairChance(key), board)

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
        clocks: what time its seats have.
        embargoed: whether only its seats may see it.
    """

    setup: Setup
    state: State
    hash: bytes
    at: datetime | None
    status: GameStatus
    clocks: Clocks
    embargoed: bool = False

    @classmethod
    def before_start(cls, stored: StoredGame) -> Table:
        """A game that has not been dealt."""
        setup = Setup.of(stored)
        state = initial_state(setup.rules, len(setup.seats))
        first = genesis(setup.game_id, setup.commitment, setup.rules, setup.names)
        clocks = Clocks.before_start(stored.info.clock, len(setup.seats))
        return cls(setup, state, first, None, GameStatus.RUNNING, clocks, stored.info.embargoed)

    @classmethod
    def of(cls, stored: StoredGame) -> Table:
        """A game with its log folded in."""
        return cls.before_start(stored).advanced(stored.events, stored.info.status)

    @property
    def is_open(self) -> bool:
        """Whether everything about it may be known to everybody: it is over, and so is its board everywhere."""
        return self.status.is_over and not self.embargoed

    def advanced(self, events: Sequence[StoredEvent], status: GameStatus) -> Table:
        """The game with news folded in."""
        if not events:
            return self if status is self.status else replace(self, status=status)
        state, clocks = self.state, self.clocks
        for stored in events:
            before, state = state, evolve(state, stored.event)
            clocks = clocks.after(stored.event, before, state, stored.at, stored.thinking_seconds)
        return Table(self.setup, state, events[-1].hash, events[-1].at, status, clocks, self.embargoed)

    def with_embargo(self, embargoed: bool) -> Table:
        """The game as open to others as the database says."""
        return self if embargoed is self.embargoed else replace(self, embargoed=embargoed)

    def with_clock_started(self, started: datetime | None) -> Table:
        """The game with its current decisions begun when the database says, which leaves out downtime."""
        if started is None or started == self.clocks.started:
            return self
        return replace(self, clocks=replace(self.clocks, started=started))

    def rewound(self, events: Sequence[StoredEvent]) -> Table:
        """The game as it was after the first events of its log."""
        setup = self.setup
        seats = len(setup.seats)
        clocks = Clocks.before_start(self.clocks.rules, seats)
        state = initial_state(setup.rules, seats)
        start = Table(setup, state, self.hash, None, GameStatus.RUNNING, clocks, self.embargoed)
        then = start.advanced(events, GameStatus.RUNNING)
        return replace(then, status=GameStatus.FINISHED) if then.state.phase is Phase.OVER else then

    def decision(self, viewer: int | None) -> Decision:
        """What a seat, or a spectator, sees; of an embargoed game that was stopped, no more than before."""
        ends = None if viewer is None or viewer not in self.state.to_act else self.clocks.deadline(viewer)
        shown = None if ends is None else ends.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return self._seen(viewer, shown, None)

    def step(self, viewer: int | None, complete: bool | None) -> Decision:
        """The same without a deadline; `complete` shows every card, where all is open."""
        return self._seen(viewer, None, complete)

    def _seen(self, viewer: int | None, deadline: str | None, complete: bool | None) -> Decision:
        stopped = self.status in {GameStatus.VOID, GameStatus.ABORTED}
        if stopped and self.embargoed:
            complete = False
        game = str(self.setup.game_id)
        return decision(self.state, viewer, game=game, deadline=deadline, stopped=stopped, complete=complete)


class Hand:
    """Plays on one table and collects what one commit will do to it. Forgotten if the commit fails.

    Attributes:
        state: as it would be after the commit.
        thinking_seconds: how long the first event had been waited for; known once it is committed.
    """

    __slots__ = (
        "_clocked", "_events", "_from", "_hash", "_overdue", "_receipts", "_restarts", "_steps", "_stopped",
        "state", "thinking_seconds",
    )  # fmt: skip

    def __init__(self, table: Table) -> None:
        self._from = table
        self._hash = table.hash
        self._events: list[NewEvent] = []
        self._receipts: list[tuple[int, str, int, str, int]] = []
        self._clocked: int | None = None
        self._overdue = False
        self._restarts = False
        self._stopped: GameStatus | None = None
        self._steps: list[tuple[Event, State, State]] = []
        self.state = table.state
        self.thinking_seconds: float | None = None

    @property
    def game_id(self) -> UUID:
        """The game that is played."""
        return self._from.setup.game_id

    def start(self) -> None:
        """Deal the first round, and let house bots act."""
        self.deal()
        self._settle()

    def deal(self) -> None:
        """Deal the first round."""
        setup = self._from.setup
        self._append(start(setup.rules, len(setup.seats), setup.chance))

    def repeat(self, events: Sequence[Event]) -> None:
        """Begin with events that have happened elsewhere."""
        for event in events:
            self._append(event)

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
        if not self._events:
            self._clocked = seat
        self._append(event)
        if key is not None:
            self._receipts.append((seat, key, sent, str(action), event.version))
        self._settle()
        return event.version

    def leave(self, seat: int, cause: Cause) -> None:
        """Let a seat leave. Raises IllegalAction."""
        self._append(decide_leave(self.state, seat, cause))
        self._settle()

    def time_out(self, seat: int) -> None:
        """Do what happens to a seat whose time is over (rule 30): default actions, or it leaves."""
        clocks, chance = self._from.clocks, self._from.setup.chance
        self._clocked, self._overdue = seat, True
        if clocks.is_no_show(seat) or clocks.is_last_strike(seat):
            self._append(decide_leave(self.state, seat, Cause.FORFEIT))
        else:
            self._append(decide(self.state, seat, default_action(self.state, seat), chance, Cause.TIMEOUT))
            if self.state.phase is Phase.DRAWN and self.state.turn == seat:
                self._append(decide(self.state, seat, default_action(self.state, seat), chance, Cause.TIMEOUT))
        self._settle()

    def stop(self, status: GameStatus) -> None:
        """Void or abort the game: it ends where it is, without a further event."""
        self._stopped = status

    @property
    def played(self) -> tuple[Event, ...]:
        """The events collected so far."""
        return tuple(new.event for new in self._events)

    def move(self, token_id: UUID | None = None) -> Move:
        """What the commit will do."""
        state, status = self.state, self._status
        return Move(
            game_id=self._from.setup.game_id,
            expected_version=self._from.state.version,
            events=tuple(self._events),
            status=status,
            to_act=0 if status.is_over else sum(1 << seat for seat in state.to_act),
            left=sum(1 << seat for seat, gone in enumerate(state.left) if gone),
            result=self._result() if status.is_over else None,
            token_id=token_id,
            restarts_clock=self._restarts,
            allowed_seconds=None if self._clocked is None else self._from.clocks.allowed_seconds(self._clocked),
            overdue=self._overdue,
            next_allowed_seconds=self._next_allowed_seconds(),
            own_bank_seconds=self._own_bank_seconds(),
            receipts=tuple(Receipt(*kept, answer_version=state.version) for kept in self._receipts),
        )

    def committed(self, done: Committed) -> Table:
        """The table after the commit."""
        self.thinking_seconds = done.thinking_seconds
        clocks = self._clocks(done.at, done.thinking_seconds)
        return Table(self._from.setup, self.state, self._hash, done.at, self._status, clocks, self._from.embargoed)

    @property
    def _status(self) -> GameStatus:
        """Where the game stands after the commit."""
        if self._stopped is not None:
            return self._stopped
        return GameStatus.FINISHED if self.state.phase is Phase.OVER else GameStatus.RUNNING

    def _result(self) -> GameResult:
        """How the game ends with this commit."""
        state = self.state
        if self._stopped is not None:
            return GameResult(self._stopped, state.totals, None, (Ending.VOID,) * state.seats)
        # How long the seat took is known to the commit alone, but not needed here.
        clocks = self._clocks(datetime.min.replace(tzinfo=UTC), None if self._clocked is None else 0.0)
        causes = tuple(clocks.ending(seat, gone) for seat, gone in enumerate(state.left))
        return GameResult(GameStatus.FINISHED, state.totals, state.ranks, causes)

    def _clocks(self, at: datetime, thinking_seconds: float | None) -> Clocks:
        """The clocks after the commit."""
        clocks = self._from.clocks
        for event, before, after in self._steps:
            clocks = clocks.after(event, before, after, at, thinking_seconds)
            thinking_seconds = None
        return clocks

    def _next_allowed_seconds(self) -> float | None:
        """The least time of those awaited afterwards but the one that acted, whose clock the commit alone knows.

        A game that is not settled is due at once.
        """
        if self._stopped is not None:
            return None
        if self.is_unsettled:
            return 0.0
        allowed = [self._from.clocks.allowed_seconds(seat) for seat in self.state.to_act if seat != self._clocked]
        return min((seconds for seconds in allowed if seconds is not None), default=None)

    def _own_bank_seconds(self) -> float | None:
        """What was left of the bank of the seat that acted, if it is awaited again."""
        clocks, seat = self._from.clocks, self._clocked
        if seat is None or seat not in self.state.to_act or clocks.rules.move_seconds is None:
            return None
        return max(0.0, clocks.rules.bank_seconds - clocks.spent[seat])

    def go_on(self) -> None:
        """Play for house bots and for seats that have left, where an earlier commit had to stop."""
        self._settle()

    @property
    def is_unsettled(self) -> bool:
        """Whether a house bot, or a seat that has left, is still to be played for."""
        return forced_seat(self.state) is not None or self._house_seat() is not None

    def _settle(self) -> None:
        """Play for house bots and for seats that have left, until a bot is awaited, the game is over, or it is enough.

        What one commit leaves is swept up by the next: no request is to take minutes, whatever game it begins.
        """
        while len(self._events) < EVENTS_AT_ONCE:
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
        before, self.state = self.state, evolve(self.state, event)
        self._restarts = self._restarts or restarts(event, before, self.state)
        self._steps.append((event, before, self.state))


def starting_move(stored: StoredGame) -> Move:
    """The first move of a game whose seats are all taken."""
    hand = Hand(Table.before_start(stored))
    hand.start()
    return hand.move()


def forking_move(repeated: Sequence[Event], stored: StoredGame) -> Move:
    """The first move of a game that begins with events of another on the same deals."""
    hand = Hand(Table.before_start(stored))
    hand.repeat(repeated)
    hand.go_on()
    return hand.move()


def dealing_move(stored: StoredGame) -> Move:
    """The first move of a game that begins together with many others: the deal alone; house bots wait for a sweeper."""
    hand = Hand(Table.before_start(stored))
    hand.deal()
    return hand.move()
