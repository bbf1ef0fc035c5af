"""Games before and after play: creating, joining, listing, and the record of one that is over."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC
from typing import Final
from uuid import UUID, uuid4

from skyjo import InvalidRules, RuleSet, commitment
from skyjo.bots import HOUSE_BOTS
from skyjo.chain import result_hash
from skyjo.record import GameRecord, LoggedEvent, Result, Status
from skyjo.shuffle import SEED_BYTES
from skyjo_server.service.errors import Embargoed, GameNotFinished, InvalidRequest, NotFound, RulesInvalid
from skyjo_server.service.model import (
    Caller,
    GameInfo,
    GameStatus,
    NewGame,
    Page,
    Scope,
    Seat,
    SeatKind,
    SeatRequest,
)
from skyjo_server.service.ports import GameLog, GameStore, NewStoredGame, StoredGame
from skyjo_server.service.table import Setup, starting_move

MOST_ROUNDS: Final = 100
MOST_POINTS: Final = 1000
MOST_TURNS: Final = 1000
"""What a game that is served may be at most; offline anything goes."""


def own_bot(store: GameStore, caller: Caller, bot_id: UUID | None) -> tuple[UUID, str]:
    """A bot of the caller's, with its name: the one that a body names, or its token's own.

    Raises:
        InvalidRequest: there is neither.
        NotFound: no such bot of the caller's; a bot's own token is for no other one.
    """
    wanted = bot_id or caller.bot_id
    if wanted is None:
        raise InvalidRequest("/bot", "the token plays for no bot, and none is named", "name a bot of yours in 'bot'")
    owner_id, name = store.bots([wanted]).get(wanted, (None, ""))
    if owner_id != caller.owner_id or (caller.bot_id is not None and wanted != caller.bot_id):
        raise NotFound
    return wanted, name


class Games:
    """Creating and finding games.

    Args:
        store: where games are kept.
        log: where their events are.
    """

    def __init__(self, store: GameStore, log: GameLog) -> None:
        self._store = store
        self._log = log

    def create(self, caller: Caller, wanted: NewGame, key: str | None) -> tuple[GameInfo, bool]:
        """A new game, started if no seat is open; with a key that came before, the game it created then.

        Raises:
            RulesInvalid: for a game that would take too long to be served.
            InvalidRequest: for a seat that cannot be given.
            KeyReused: if the key came with another game.
        """
        refuse_endless(wanted.rules)
        seats = self.seated(caller, wanted.seats)
        seed, game_id = os.urandom(SEED_BYTES), uuid4()
        game = NewStoredGame(
            game_id=game_id,
            owner_id=caller.owner_id,
            rules=wanted.rules,
            seats=seats,
            seed=seed,
            commitment=commitment(seed, game_id, wanted.rules.canonical_name),
            clock=wanted.clock,
            key=key,
        )
        made, is_new = self._store.add_game(game, starting_move)
        return shown(made), is_new

    def seated(self, caller: Caller, wanted: Sequence[SeatRequest]) -> tuple[Seat, ...]:
        """Who sits where, as far as the caller may say so. Raises InvalidRequest."""
        bots = self._store.bots([seat.bot_id for seat in wanted if seat.bot_id is not None])
        seats = tuple(_seat(number, seat, bots, caller) for number, seat in enumerate(wanted))
        _refuse_twice(seats)
        return seats

    def join(self, caller: Caller, game_id: UUID, bot_id: UUID | None, entropy: bytes) -> tuple[int, GameInfo]:
        """Take the lowest open seat for a bot of the caller's; the game starts when it was the last.

        Raises:
            NotFound: no such game, or no such bot of the caller's.
            GameFull, GameOver, AlreadySeated: no seat can be had.
        """
        wanted, name = own_bot(self._store, caller, bot_id)
        seat = Seat(0, SeatKind.BOT, wanted, caller.owner_id, None, name)
        joined = self._store.join(game_id, seat, entropy, starting_move)
        if joined is None:
            raise NotFound
        return joined

    def game(self, game_id: UUID) -> GameInfo:
        """A game's public part. Raises NotFound."""
        game = self._store.game(game_id)
        if game is None:
            raise NotFound
        return shown(game)

    def games(
        self,
        status: GameStatus | None,
        bot_id: UUID | None,
        tournament_id: UUID | None,
        limit: int,
        cursor: str | None,
    ) -> Page[GameInfo]:
        """Games, newest first. Raises InvalidRequest for a cursor that is none."""
        page = self._store.games(status, bot_id, tournament_id, limit, cursor)
        return Page(tuple(map(shown, page.items)), page.next_cursor)

    def record(self, game_id: UUID) -> GameRecord:
        """Everything about a game that is over, its seed included.

        Raises:
            NotFound, GameNotFinished, Embargoed: nothing is given before the end, of it and of its board.
        """
        stored = self._log.load(game_id)
        if stored is None:
            raise NotFound
        if stored.info.embargoed:
            raise Embargoed
        if not stored.info.status.is_over:
            raise GameNotFinished
        return record_of(stored)


def shown(game: GameInfo) -> GameInfo:
    """A game as everybody may see it: while it is embargoed, without its result and how far it has come."""
    return replace(game, version=-1, result=None) if game.embargoed else game


def record_of(stored: StoredGame) -> GameRecord:
    """A game that is over, as it is given out. Raises GameNotFinished."""
    setup, info = Setup.of(stored), stored.info
    if info.result is None:
        raise GameNotFinished
    result = Result(Status(info.result.status.value), info.result.totals, info.result.ranks)
    return GameRecord(
        game=info.id,
        rules=info.rules,
        seats=setup.names,
        commitment=info.commitment,
        seed=stored.seed,
        entropy=setup.entropy,
        events=tuple(LoggedEvent(kept.event, kept.at.astimezone(UTC).isoformat(), kept.hash) for kept in stored.events),
        result=result,
        board=setup.board,
        hash=result_hash(stored.events[-1].hash, result),
    )


def _seat(number: int, wanted: SeatRequest, bots: Mapping[UUID, tuple[UUID, str]], caller: Caller) -> Seat:
    place = f"/seats/{number}"
    if wanted.kind is SeatKind.OPEN:
        return Seat(number, SeatKind.OPEN, None, None, None, None)
    if wanted.kind is SeatKind.HOUSE:
        if wanted.house not in HOUSE_BOTS:
            detail = f"{wanted.house!r} is no house bot"
            raise InvalidRequest(f"{place}/house", detail, f"choose one of {', '.join(HOUSE_BOTS)}")
        return Seat(number, SeatKind.HOUSE, None, None, wanted.house, wanted.house)
    owner_id, name = bots.get(wanted.bot_id, (None, None)) if wanted.bot_id is not None else (None, None)
    if owner_id is None or (owner_id != caller.owner_id and not caller.scope.covers(Scope.ORGANISER)):
        detail = f"there is no bot {wanted.bot_id} that you may seat"
        raise InvalidRequest(f"{place}/bot", detail, "name a bot of yours, or leave the seat open for it to join")
    return Seat(number, SeatKind.BOT, wanted.bot_id, owner_id, None, name)


def refuse_endless(rules: RuleSet) -> None:
    """Refuse rules by which a game would take too long to be served. Raises RulesInvalid."""
    if rules.max_turns_per_seat is None or rules.max_turns_per_seat > MOST_TURNS:
        raise RulesInvalid(
            InvalidRules("max_turns_per_seat", f"a round served here has at most {MOST_TURNS} turns a seat")
        )
    by_points = rules.score_limit is not None and rules.score_limit <= MOST_POINTS
    by_rounds = rules.max_rounds is not None and rules.max_rounds <= MOST_ROUNDS
    if not by_points and not by_rounds:
        message = f"a game served here ends at {MOST_POINTS} points or after {MOST_ROUNDS} rounds, or before"
        raise RulesInvalid(InvalidRules("max_rounds", message))


def _refuse_twice(seats: tuple[Seat, ...]) -> None:
    taken = [seat.bot_id for seat in seats if seat.bot_id is not None]
    for seat in seats:
        if seat.bot_id is not None and taken.count(seat.bot_id) > 1:
            detail = f"bot {seat.bot_id} is named for more than one seat"
            raise InvalidRequest(f"/seats/{seat.seat}/bot", detail, "a bot has one seat at a table")
