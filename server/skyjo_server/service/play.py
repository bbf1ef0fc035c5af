"""Playing: submissions, the inbox and views, for callers who may be late, may repeat themselves and may race.

The version that an action answers decides who is first; the commit itself says so. A repeated submission is recognised
by its key, and answered as the first time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from skyjo import Cause, Decision, IllegalAction
from skyjo_server.service.errors import (
    DeadlinePassed,
    GameNotStarted,
    GameOver,
    KeyReused,
    ServiceError,
    StaleVersion,
    Unauthenticated,
    Unavailable,
)
from skyjo_server.service.hub import Hub
from skyjo_server.service.model import (
    Accepted,
    Caller,
    EventPage,
    GameStatus,
    Refused,
    Submission,
    TurnsAnswer,
)
from skyjo_server.service.ports import GameLog, Receipt, Waker
from skyjo_server.service.resting import Resting
from skyjo_server.service.table import Hand, Table
from skyjo_server.service.tables import Tables
from skyjo_server.service.viewers import seat_of, seen_events, viewer_of

_ROUNDS: Final = 8
"""Tries of one request; each further one means that somebody else has moved in between."""

_OF_THE_WHOLE: Final = (Unauthenticated, Unavailable)
"""What ends a request, and is never an item's answer: with a refusal the caller would let go of what may be played."""


@dataclass(frozen=True, slots=True)
class _Played:
    """A submission that was played: its event's version, the table and the seat afterwards, how long it had taken."""

    version: int
    table: Table
    seat: int
    thinking_seconds: float | None

    @property
    def seen(self) -> Decision:
        """What the seat sees then; a batch does not ask."""
        return self.table.decision(self.seat)


_Answer = ServiceError | _Played


class Play:
    """Everything that happens at tables.

    Args:
        log: the log.
        tables: the tables in memory.
        hub: who waits in this process.
        waker: tells the other processes.
        on_over: called after a commit that ended games; returns at once.
    """

    def __init__(
        self, log: GameLog, tables: Tables, hub: Hub, waker: Waker, on_over: Callable[[], None] = lambda: None
    ) -> None:
        self._log = log
        self._tables = tables
        self._hub = hub
        self._waker = waker
        self._on_over = on_over
        self._resting = Resting("game")

    def play(self, caller: Caller, submission: Submission) -> tuple[Decision, float | None]:
        """Play one action; gives what the seat sees after all that follows without a bot, and how long it had taken.

        Raises:
            NotFound, GameNotStarted, Unauthenticated, IllegalMove, StaleVersion, KeyReused: nothing has changed.
            Unavailable: it may or may not have been played; the same key tells.
        """
        (answer,) = self._submit(caller, [submission])
        if isinstance(answer, ServiceError):
            raise answer
        return answer.seen, answer.thinking_seconds

    def submit(self, caller: Caller, submissions: Sequence[Submission], wait_seconds: float, limit: int) -> TurnsAnswer:
        """Play many actions of many games in one commit, each alone; then wait for the next decisions."""
        answers = self._submit(caller, submissions)
        results = tuple(
            Refused(sent.game_id, answer)
            if isinstance(answer, ServiceError)
            else Accepted(sent.game_id, answer.version, answer.thinking_seconds)
            for sent, answer in zip(submissions, answers, strict=True)
        )
        return TurnsAnswer(results, self.pending(caller, wait_seconds, limit))

    def pending(self, caller: Caller, wait_seconds: float, limit: int) -> tuple[Decision, ...]:
        """The decisions that wait for the caller's bot, earliest deadline first; waits until there is one."""
        bot_id = caller.bot_id
        if bot_id is None:
            self._tables.prove(caller)
            return ()
        return self._hub.wait(bot_id, wait_seconds, lambda: self._pending(bot_id, caller, limit) or None) or ()

    def view(
        self, caller: Caller | None, game_id: UUID, bot_id: UUID | None, after: int | None, wait_seconds: float
    ) -> Decision:
        """What the caller may see; waits for a version beyond `after`, and gives the view as it is at the latest then.

        A caller with a seat sees it as that seat, with several as the bot named, anybody else as a spectator.
        """
        if after is None or wait_seconds <= 0:
            table = self._tables.fresh(game_id, caller)
        else:
            table = self._wait_beyond(game_id, caller, after, wait_seconds, bot_id)
        return table.decision(viewer_of(table, caller, bot_id))

    def events(self, caller: Caller | None, game_id: UUID, after: int, limit: int, wait_seconds: float) -> EventPage:
        """Events after a version, as the caller may know them; waits until there is one. An open game has none yet."""
        try:
            table = self._wait_beyond(game_id, caller, after, wait_seconds, even_open=True)
        except GameNotStarted:
            return EventPage(game_id, (), -1, GameStatus.OPEN)
        events = self._log.events(game_id, table.state.version)
        seen = seen_events(table, viewer_of(table, caller, None), events, after, limit)
        return EventPage(game_id, seen, table.state.version, table.status)

    def resign(self, caller: Caller, game_id: UUID, bot_id: UUID | None = None) -> None:
        """Let the caller's seat leave.

        Raises:
            NotFound: if the caller has no seat.
            GameOver: if it is over, or the seat has left.
        """
        while True:
            table = self._tables.fresh(game_id, caller)
            seat = seat_of(table, caller, bot_id)
            hand = Hand(table)
            try:
                hand.leave(seat, Cause.PLAYER)
            except IllegalAction as error:
                raise GameOver from error
            if self._commit([hand], caller):
                return

    def stop(self, game_id: UUID, status: GameStatus) -> None:
        """Void or abort a game that is on; its seed is revealed. Harmless if that was done before.

        Raises:
            NotFound, GameNotStarted: nothing is on.
            GameOver: if it has ended otherwise.
        """
        while True:
            table = self._tables.fresh(game_id)
            if table.status is status:
                return
            if table.status.is_over:
                raise GameOver
            hand = Hand(table)
            hand.stop(status)
            if self._commit([hand], None):
                return

    def sweep(self, limit: int) -> int:
        """Do what is due to seats whose time is over; gives how many games that touched."""
        return sum(self._resting.attempt(game_id, self._time_out) for game_id in self._log.overdue(limit))

    def _time_out(self, game_id: UUID) -> bool:
        table = self._tables.fresh(game_id)
        late = min(table.state.to_act, key=lambda seat: table.clocks.allowed_seconds(seat) or 0.0, default=None)
        if late is None or table.status is not GameStatus.RUNNING:
            return False
        hand = Hand(table)
        if hand.is_unsettled:
            hand.go_on()
        else:
            hand.time_out(late)
        return bool(self._commit([hand], None))

    def _pending(self, bot_id: UUID, caller: Caller, limit: int) -> tuple[Decision, ...]:
        waiting = self._log.waiting(bot_id, limit, caller.token_id)
        if waiting is None:
            raise Unauthenticated("the token has been revoked")
        tables = self._tables.of_waiting(waiting)
        decisions = (tables[item.game_id].decision(item.seat) for item in waiting)
        return tuple(seen for seen in decisions if seen.seat in seen.to_act)

    def _wait_beyond(
        self,
        game_id: UUID,
        caller: Caller | None,
        after: int,
        wait_seconds: float,
        bot_id: UUID | None = None,
        *,
        even_open: bool = False,
    ) -> Table:
        """A table with a later version. Who may not see it does not wait: when it goes on would tell how it goes."""

        def look() -> Table | None:
            try:
                table = self._tables.fresh(game_id, caller)
            except GameNotStarted:
                if even_open:
                    return None
                raise
            viewer_of(table, caller, bot_id)
            return table if table.state.version > after or table.status is not GameStatus.RUNNING else None

        return self._hub.wait(game_id, wait_seconds, look) or self._tables.fresh(game_id, caller)

    def _submit(self, caller: Caller, submissions: Sequence[Submission]) -> list[_Answer]:
        """An answer for each submission: one commit for all that can be played, another try for those that raced.

        A commit proves the caller's token; where there is none, it is asked for before anything is answered. What
        stands in the request twice, with its key, is one submission.
        """
        games: dict[UUID, list[int]] = {}
        firsts = _firsts(submissions)
        for index, sent in enumerate(submissions):
            if firsts[index] == index:
                games.setdefault(sent.game_id, []).append(index)
        answers: dict[int, _Answer] = {}
        batch = [_Batch(caller, [(index, submissions[index]) for index in indices]) for indices in games.values()]
        proved = False
        for retry in range(_ROUNDS):
            for game in batch:
                game.play(self._tables, self._log, answers, retrying=retry > 0)
            committed = self._commit([game.hand for game in batch if game.hand is not None], caller)
            batch = [game for game in batch if not game.settle(committed, answers)]
            proved = proved or bool(committed)
            if not batch:
                if not proved:
                    self._tables.prove(caller)
                return [answers[first] for first in firsts]
        raise Unavailable("too many others move in the same games")

    def _commit(self, hands: Sequence[Hand], caller: Caller | None) -> dict[UUID, Table]:
        """The tables that the hands have become; those that raced with somebody else are missing."""
        if not hands:
            return {}
        done = self._log.commit([hand.move(None if caller is None else caller.token_id) for hand in hands])
        tables = {hand.game_id: hand.committed(done[hand.game_id]) for hand in hands if hand.game_id in done}
        topics = [*tables]
        for table in tables.values():
            self._tables.keep(table)
            topics += table.setup.bots_at(table.state.to_act)
        self._hub.wake(topics)
        self._waker.wake(topics)
        if any(table.status.is_over for table in tables.values()):
            self._on_over()
        return tables


class _Batch:
    """The submissions of one request for one game, on their way through one or more rounds."""

    __slots__ = ("_caller", "_played", "_seat", "_sent", "_stale", "_timing_out", "_tried", "hand")

    def __init__(self, caller: Caller, sent: list[tuple[int, Submission]]) -> None:
        self._caller = caller
        self._sent = sent
        self._played: dict[int, int] = {}
        self._stale: dict[int, int] = {}
        self._seat = -1
        self._tried = -2
        self._timing_out = False
        self.hand: Hand | None = None

    def play(self, tables: Tables, log: GameLog, answers: dict[int, _Answer], *, retrying: bool) -> None:
        """Play what can be played on a hand of its own, and answer what cannot be."""
        self._played, self._stale, self.hand = {}, {}, None
        try:
            table = self._table(tables, retrying)
        except _OF_THE_WHOLE:
            raise
        except ServiceError as error:
            answers.update((index, error) for index, _ in self._sent)
            return
        if self._is_late(table):
            self.hand = Hand(table)
            self.hand.time_out(self._seat)
            return
        self._tried = table.state.version
        hand = Hand(table)
        for index, sent in self._sent:
            try:
                self._play_one(hand, table, index, sent, log, answers, retrying)
            except _OF_THE_WHOLE:
                raise
            except ServiceError as error:
                answers[index] = error
        self.hand = hand if self._played else None

    def settle(self, committed: Mapping[UUID, Table], answers: dict[int, _Answer]) -> bool:
        """Answer what was committed; says whether this game needs no further round."""
        if self.hand is None:
            return True
        table = committed.get(self.hand.game_id)
        if table is None:
            return False
        if self._timing_out:
            seen = table.decision(self._seat)
            played = [str(event.action) for event in self.hand.played if event.seat == self._seat and event.action]
            answers.update((index, DeadlinePassed(seen, played)) for index, _ in self._sent)
            return True
        took = self.hand.thinking_seconds
        for index, version in self._played.items():
            answers[index] = _Played(version, table, self._seat, took)
            took = None
        # What the others of the batch have changed is what a stale one is told.
        answers.update(
            (index, StaleVersion(version, table.decision(self._seat))) for index, version in self._stale.items()
        )
        return True

    def _is_late(self, table: Table) -> bool:
        """Whether the commit has refused a move of the version that the game is still at: then its time was over."""
        limited = table.clocks.allowed_seconds(self._seat) is not None
        self._timing_out = limited and self._tried == table.state.version and not self._timing_out
        return self._timing_out and self._seat in table.state.to_act

    def _table(self, tables: Tables, retrying: bool) -> Table:
        game_id, first = self._sent[0][1].game_id, self._sent[0][1].version
        table = tables.cached(game_id)
        # Before anything that depends on how the game goes: who has no seat is not to learn even what takes longer.
        self._seat = seat_of(table, self._caller, None)
        if retrying or table.state.version < first or table.status is not GameStatus.RUNNING:
            table = tables.fresh(game_id, self._caller)
        return table

    def _play_one(
        self,
        hand: Hand,
        table: Table,
        index: int,
        sent: Submission,
        log: GameLog,
        answers: dict[int, _Answer],
        retrying: bool,
    ) -> None:
        if (retrying or hand.state.version != sent.version) and sent.key is not None:
            receipt = log.receipt(sent.game_id, self._seat, sent.key)
            if receipt is not None:
                answers[index] = _first_answer(log, table, self._seat, sent, receipt)
                return
        if table.status.is_over and table.state.version == sent.version:
            raise GameOver
        if hand.state.version != sent.version:
            self._stale[index] = sent.version
            raise StaleVersion(sent.version, table.decision(self._seat))
        self._played[index] = hand.play(self._seat, sent.action, sent.key)


def _firsts(submissions: Sequence[Submission]) -> Sequence[int]:
    """For each submission the index of the first one that is the same, key included; mostly its own."""
    if len({sent.key for sent in submissions}) == len(submissions):
        return range(len(submissions))
    known: dict[Submission, int] = {}
    return [index if sent.key is None else known.setdefault(sent, index) for index, sent in enumerate(submissions)]


def _first_answer(log: GameLog, table: Table, seat: int, sent: Submission, receipt: Receipt) -> _Answer:
    """The answer that a key got when it came first, told again from the log."""
    if (receipt.sent_version, receipt.action) != (sent.version, str(sent.action)):
        raise KeyReused(receipt.key)
    events = log.events(sent.game_id, receipt.answer_version)
    then = table.rewound(events)
    took = next(stored.thinking_seconds for stored in events if stored.event.version == receipt.version)
    return _Played(receipt.version, then, seat, took)
