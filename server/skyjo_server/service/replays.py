"""Games looked at again: any step of one, its proof, what its decisions cost, and going on from a step. Plays none."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from functools import partial
from time import monotonic
from typing import Final
from uuid import UUID, uuid4

from skyjo import Cause, Decision, Phase, commitment, initial_state, shuffle_key
from skyjo.analysis import ScoredDecision, analyse
from skyjo.chain import genesis
from skyjo.evolution import evolve
from skyjo.record import HASH_BYTES, Board, GameRecord
from skyjo.shuffle import table_commitment
from skyjo_server.service.errors import (
    Embargoed,
    GameNotFinished,
    InvalidRequest,
    NotFound,
    Unavailable,
)
from skyjo_server.service.games import Games
from skyjo_server.service.model import Caller, ForkPoint, GameInfo, SeatKind
from skyjo_server.service.ports import GameLog, GameStore, NewStoredGame
from skyjo_server.service.replay_model import Commitments, NewFork, Perspective, Proof
from skyjo_server.service.table import Table, forking_move
from skyjo_server.service.tables import Tables
from skyjo_server.service.viewers import seat_of, viewer_of

MOST_EVENTS_FORKED: Final = 10_000
MOST_EVENTS_ANALYSED: Final = 5_000
"""Longer games are served, but take longer than a request may: a copy of them can be had, and analysed elsewhere."""

_ANALYSES_KEPT: Final = 64
_ANALYSIS_SECONDS: Final = 5.0
"""How long an analysis waits for another one in the same process."""

_COUNT_SECONDS: Final = 60.0
"""How long a count is told again, as counting reads every game."""


class Replays:
    """Everything about games that have been played.

    Args:
        games: makes the seats of forks, and reads records.
        store: where games are kept.
        log: where their events are.
        tables: the tables in memory.
    """

    def __init__(self, games: Games, store: GameStore, log: GameLog, tables: Tables) -> None:
        self._games = games
        self._store = store
        self._log = log
        self._tables = tables
        self._analyses: OrderedDict[UUID, tuple[ScoredDecision, ...]] = OrderedDict()
        self._analysing = threading.Lock()
        self._counted: tuple[float, Commitments] | None = None

    def state(
        self, caller: Caller | None, game_id: UUID, version: int, seat: int | None, perspective: Perspective | None
    ) -> Decision:
        """The table as it was after an event, without deadlines.

        Of a game that is open to everybody, anybody may see any seat's view and the open table, which is what is given
        if nothing is named. Before, a seat's view is for whoever plays it; if nothing is named, it is the caller's.

        Raises:
            NotFound: if there is no such game, or it has not come so far.
            GameNotStarted: if there is no table yet.
            GameNotFinished, Embargoed: for what is not to be seen yet.
            InvalidRequest: for a seat that is not there, or both a seat and a perspective.
        """
        if seat is not None and perspective is not None:
            raise InvalidRequest("seat", "a seat and a view are named", "name one of them")
        table = self._tables.fresh(game_id, caller)
        viewer, complete = _sight(table, caller, seat, perspective)
        if version > table.state.version:
            raise NotFound
        then = table if version == table.state.version else table.rewound(self._log.events(game_id, version))
        return then.step(viewer, complete)

    def proof(self, game_id: UUID) -> Proof:
        """Where the chance of a game came from, and what its log is bound to.

        Raises:
            NotFound, GameNotFinished, Embargoed: nothing is given before the end, of it and of its board.
        """
        record = self._games.record(game_id)
        last = record.events[-1]
        assert last.hash is not None  # noqa: S101 - every stored event has its hash
        assert record.hash is not None  # noqa: S101 - every record of a stored game has one
        shuffled_as = record.game if record.board is None else record.board.id
        return Proof(
            game_id=record.game,
            rules=record.rules,
            seats=record.seats,
            commitment=record.commitment,
            seed=record.seed,
            entropy=record.entropy,
            board=record.board,
            shuffled_as=shuffled_as,
            key=shuffle_key(record.seed, shuffled_as, record.rules.canonical_name, record.entropy),
            genesis=genesis(record.game, record.commitment, record.rules, record.seats),
            version=last.event.version,
            hash=last.hash,
            result=record.result,
            result_hash=record.hash,
        )

    def analysis(self, game_id: UUID) -> tuple[ScoredDecision, ...]:
        """What each decision of a game cost, by the reckoning of the bot `greedy`.

        One at a time is made in a process: it is reckoning alone, and would keep the games that are on waiting.

        Raises:
            NotFound, GameNotFinished, Embargoed: nothing is given before the end, of it and of its board.
            InvalidRequest: for a game that is too long.
            Unavailable: if others are being made.
        """
        if (known := self._analyses.get(game_id)) is not None:
            return known
        record = self._games.record(game_id)
        if len(record.events) > MOST_EVENTS_ANALYSED:
            detail = f"the game has {len(record.events)} events, and up to {MOST_EVENTS_ANALYSED} are analysed here"
            raise InvalidRequest("game_id", detail, "get its transcript, and run 'skyjo analyse' on it")
        if not self._analysing.acquire(timeout=_ANALYSIS_SECONDS):
            raise Unavailable("other games are being analysed here")
        try:
            scored = self._analyses[game_id] = analyse(record)
            if len(self._analyses) > _ANALYSES_KEPT:
                self._analyses.popitem(last=False)
        finally:
            self._analysing.release()
        return scored

    def fork(self, caller: Caller, game_id: UUID, wanted: NewFork, key: str | None) -> GameInfo:
        """A new game that repeats another one's first events, card for card, and goes on with other players.

        It is a further table of the deals that the other game was played on, and proved as such.

        Raises:
            NotFound, GameNotFinished, Embargoed: the other game cannot be read.
            InvalidRequest: for a step that it does not have or cannot go on from, or a seat that cannot be given.
            KeyReused: if the key came with another game.
        """
        seats = self._games.seated(caller, wanted.seats)
        record = self._games.record(game_id)
        _check_fork(record, wanted)
        board = Board(record.game if record.board is None else record.board.id, os.urandom(HASH_BYTES))
        fork_id = uuid4()
        committed = commitment(record.seed, board.id, record.rules.canonical_name)
        game = NewStoredGame(
            game_id=fork_id,
            owner_id=caller.owner_id,
            rules=record.rules,
            seats=seats,
            seed=record.seed,
            commitment=table_commitment(fork_id, board.salt, committed),
            clock=wanted.clock,
            key=key,
            board=board,
            forked=ForkPoint(record.game, wanted.version),
            entropy=record.entropy,
        )
        repeated = tuple(logged.event for logged in record.events[: wanted.version + 1])
        return self._store.add_game(game, partial(forking_move, repeated))[0]

    def commitments(self) -> Commitments:
        """What has become of all commitments, as it was within the last minute."""
        if self._counted is None or self._counted[0] < monotonic():
            self._counted = monotonic() + _COUNT_SECONDS, self._store.commitments()
        return self._counted[1]


def _sight(
    table: Table, caller: Caller | None, seat: int | None, perspective: Perspective | None
) -> tuple[int | None, bool | None]:
    """Whose eyes a caller may look with, and whether every card is open to it; None = once the game is over."""
    is_seat = seat is not None and seat < len(table.setup.seats)
    if not table.is_open and not (is_seat and _plays(table, caller, seat)):
        viewer = viewer_of(table, caller, None)
        if seat is not None or perspective is Perspective.OPEN:
            raise Embargoed if table.embargoed else GameNotFinished
        return (None if perspective is Perspective.SPECTATOR else viewer), None
    if seat is not None and not is_seat:
        raise InvalidRequest("seat", f"there is no seat {seat}", f"name one from 0 to {len(table.setup.seats) - 1}")
    if seat is not None or perspective is Perspective.SPECTATOR:
        return seat, None
    return None, True


def _plays(table: Table, caller: Caller | None, seat: int | None) -> bool:
    """Whether a seat is the caller's."""
    bot_id = None if seat is None else table.setup.seats[seat].bot_id
    if caller is None or bot_id is None:
        return False
    try:
        return seat_of(table, caller, bot_id) == seat
    except NotFound:
        return False


def _check_fork(record: GameRecord, wanted: NewFork) -> None:
    """Refuse what no game can be begun from. Raises InvalidRequest."""
    if len(wanted.seats) != len(record.seats):
        detail = f"there are {len(wanted.seats)} seats, but the game has {len(record.seats)}"
        raise InvalidRequest("/seats", detail, "name who sits at each seat of the game, in its order")
    for number, seat in enumerate(wanted.seats):
        if seat.kind is SeatKind.OPEN:
            detail = "a seat is open, but the game goes on at once"
            raise InvalidRequest(f"/seats/{number}", detail, "name a bot, or a bot of the house")
    most = min(len(record.events), MOST_EVENTS_FORKED) - 1
    if wanted.version > most:
        raise InvalidRequest("/version", f"{wanted.version} is beyond {most}", f"name a step from 0 to {most}")
    state = initial_state(record.rules, len(record.seats))
    for logged in record.events[: wanted.version + 1]:
        state = evolve(state, logged.event)
    if state.phase is Phase.OVER:
        detail = f"the game is over at {wanted.version}"
        raise InvalidRequest("/version", detail, "name an earlier step")
    if state.phase is Phase.DRAWN and record.events[wanted.version].event.cause is Cause.TIMEOUT:
        detail = f"{wanted.version} is in the midst of a turn that was played for a seat whose time was over"
        raise InvalidRequest("/version", detail, "name the step before, or the next one")
