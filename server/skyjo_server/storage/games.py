"""Games, seats and secrets on PostgreSQL, through SQLAlchemy: everything about games off the path of a move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, Engine, bindparam, func, insert, select, text
from sqlalchemy.dialects.postgresql import insert as upsert

from skyjo_server.service.errors import AlreadySeated, GameFull, GameOver, KeyReused
from skyjo_server.service.model import GameInfo, GameStatus, Page, Seat, SeatKind
from skyjo_server.service.ports import Move, NewStoredGame, Start, StoredGame
from skyjo_server.service.replay_model import Commitments
from skyjo_server.storage.cursors import read_cursor, write_cursor
from skyjo_server.storage.engine import transaction
from skyjo_server.storage.listing import finished_games, page_of_games, take_back
from skyjo_server.storage.log import COMMIT, commit_parameter
from skyjo_server.storage.rows import GAME_COLUMNS, read_board, read_game
from skyjo_server.storage.schema import BOTS, GAME_SEATS, GAME_SECRETS, GAMES

_GAME: Final = text(f"SELECT {GAME_COLUMNS} FROM games g WHERE g.game_id = :game_id")  # noqa: S608 - our own constant
_BY_KEY: Final = text(
    f"SELECT {GAME_COLUMNS} FROM games g WHERE g.owner_id = :owner_id AND g.creation_key = :key"  # noqa: S608 - as above
)
_LOCK: Final = text("SELECT status FROM games WHERE game_id = :game_id FOR UPDATE")
_SECRET: Final = text(
    "SELECT s.seed, s.board_id, s.board_salt, "
    "(SELECT array_agg(e.entropy ORDER BY e.seat) FROM game_seats e WHERE e.game_id = s.game_id) "
    "FROM game_secrets s WHERE s.game_id = :game_id"
)
_COMMITMENTS: Final = text("""
WITH found AS (
    SELECT g.status NOT IN ('open', 'running') AS over, g.embargoed, s.seed IS NOT NULL AS kept
    FROM games g LEFT JOIN game_secrets s USING (game_id)
), counted AS (
    SELECT count(*) FILTER (WHERE NOT over) AS pending, count(*) FILTER (WHERE over AND embargoed) AS embargoed,
           count(*) FILTER (WHERE over AND NOT embargoed AND kept) AS revealed,
           count(*) FILTER (WHERE over AND NOT embargoed AND NOT kept) AS never
    FROM found
), compacted AS (SELECT count(*) AS revealed FROM transcripts
), events AS (
    SELECT e.status IN ('finished', 'aborted') AND e.tables_over >= e.tables_total AS over,
           e.revealed AND s.seed IS NOT NULL AS open
    FROM tournaments e LEFT JOIN tournament_secrets s USING (tournament_id)
), held AS (
    SELECT count(*) AS total, count(*) FILTER (WHERE NOT over) AS pending,
           count(*) FILTER (WHERE over AND open) AS revealed, count(*) FILTER (WHERE over AND NOT open) AS never
    FROM events
)
SELECT f.pending + f.embargoed + f.revealed + f.never + t.revealed, f.pending, f.embargoed, f.revealed + t.revealed,
       f.never, h.total, h.pending, h.revealed, h.never, now()
FROM counted f, compacted t, held h
""")
_TAKE_SEAT: Final = text(
    "UPDATE game_seats SET kind = 'bot', bot_id = :bot_id, owner_id = :owner_id, name = :name, entropy = :entropy "
    "WHERE game_id = :game_id AND seat = :seat"
)

_CREATED: Final = func.date_trunc("milliseconds", func.now())
"""As coarse as the times of commits, so that no game starts before it is created."""


class PostgresGames:
    """The :class:`~skyjo_server.service.ports.GameStore` on PostgreSQL."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add_game(self, game: NewStoredGame, start: Start) -> tuple[GameInfo, bool]:
        """Create a game, and start it in the same transaction when its seats are all taken."""
        with transaction(self._engine) as connection:
            if not _insert_game(connection, game):
                return _earlier_game(connection, game), False
            if game.key is not None and (earlier := take_back(connection, game.game_id)) is not None:
                return _refuse_other(earlier, game), False
            _insert_parts(connection, [game])
            _start_if_full(connection, game.game_id, start)
            return _read(connection, game.game_id), True

    def join(self, game_id: UUID, seat: Seat, entropy: bytes, start: Start) -> tuple[int, GameInfo] | None:
        """Give the lowest open seat to a bot, and start the game when it was the last."""
        with transaction(self._engine) as connection:
            status = connection.execute(_LOCK, {"game_id": game_id}).scalar_one_or_none()
            if status is None:
                _refuse_finished(connection, game_id)
                return None
            game = _read(connection, game_id)
            number = _open_seat(game, seat)
            connection.execute(
                _TAKE_SEAT,
                {
                    "game_id": game_id,
                    "seat": number,
                    "bot_id": seat.bot_id,
                    "owner_id": seat.owner_id,
                    "name": seat.name,
                    "entropy": entropy,
                },
            )
            _start_if_full(connection, game_id, start)
            return number, _read(connection, game_id)

    def game(self, game_id: UUID) -> GameInfo | None:
        """A game's public part."""
        with transaction(self._engine) as connection:
            row = connection.execute(_GAME, {"game_id": game_id}).one_or_none()
            return finished_games(connection, [game_id]).get(game_id) if row is None else read_game(row)

    def games(
        self,
        status: GameStatus | None,
        bot_id: UUID | None,
        tournament_id: UUID | None,
        limit: int,
        cursor: str | None,
    ) -> Page[GameInfo]:
        """Games, newest first; the order is by creation and id, neither of which ever changes."""
        before = None if cursor is None else read_cursor(cursor)
        wanted = page_of_games(status, bot_id, tournament_id, before, limit + 1)
        with transaction(self._engine) as connection:
            found = connection.execute(wanted).all()
            games = _read_many(connection, [row.game_id for row in found[:limit]])
        more = len(found) > limit
        return Page(games, write_cursor(found[limit - 1].created_at, found[limit - 1].game_id) if more else None)

    def commitments(self) -> Commitments:
        """What has become of all commitments; it reads every game and every event."""
        with transaction(self._engine) as connection:
            return Commitments(*connection.execute(_COMMITMENTS).one())

    def bots(self, bot_ids: Sequence[UUID]) -> Mapping[UUID, tuple[UUID, str]]:
        """Owner and name of each bot that exists."""
        with transaction(self._engine) as connection:
            rows = connection.execute(
                select(BOTS.c.bot_id, BOTS.c.owner_id, BOTS.c.name).where(BOTS.c.bot_id.in_(bot_ids))
            )
            return {row.bot_id: (row.owner_id, row.name) for row in rows}


def add_games(connection: Connection, games: Sequence[NewStoredGame], start: Start) -> tuple[GameInfo, ...]:
    """Create games whose seats are all taken, and start them, inside a transaction of the caller's.

    Args:
        connection: in a transaction; nothing is done until it commits.
        games: the games, without idempotency keys. Those whose id is there already are passed over.
        start: builds the first move of each.
    Returns:
        Those that are new, started; whoever waits for them is to be woken after the commit.
    """
    over = finished_games(connection, [game.game_id for game in games])
    games = [game for game in games if game.game_id not in over]
    if not games:
        return ()
    added = upsert(GAMES).values([_game_row(game) for game in games]).on_conflict_do_nothing()
    new = set(connection.execute(added.returning(GAMES.c.game_id)).scalars())
    wanted = {game.game_id: game for game in games if game.game_id in new}
    if not wanted:
        return ()
    _insert_parts(connection, [*wanted.values()])
    moves = [start(_stored(info, wanted[info.id])) for info in _read_many(connection, [*wanted])]
    connection.exec_driver_sql(COMMIT, (commit_parameter(moves),))
    return _read_many(connection, [*wanted])


def _insert_game(connection: Connection, game: NewStoredGame) -> bool:
    added = (
        upsert(GAMES)
        .values(_game_row(game))
        .on_conflict_do_nothing(index_elements=[GAMES.c.owner_id, GAMES.c.creation_key])
        .returning(GAMES.c.game_id)
    )
    return connection.execute(added).first() is not None


def _insert_parts(connection: Connection, games: Sequence[NewStoredGame]) -> None:
    """The seats and the secrets of games that have just been created."""
    connection.execute(insert(GAME_SEATS), [_seat_row(game, seat) for game in games for seat in game.seats])
    connection.execute(insert(GAME_SECRETS), [_secret_row(game) for game in games])


def _game_row(game: NewStoredGame) -> dict[str, Any]:
    return {
        "game_id": game.game_id,
        "created_at": _CREATED,
        "owner_id": game.owner_id,
        "creation_key": game.key,
        "status": GameStatus.OPEN.value,
        "version": -1,
        "rules": game.rules.to_dict(),
        "commitment": game.commitment,
        "move_seconds": game.clock.move_seconds,
        "bank_seconds": game.clock.bank_seconds,
        "on_timeout": game.clock.on_timeout.value,
        "max_timeouts": game.clock.max_timeouts,
        "tournament_id": game.tournament_id,
        "embargoed": game.embargoed,
        "forked_from": None if game.forked is None else game.forked.game_id,
        "forked_version": None if game.forked is None else game.forked.version,
    }


def _secret_row(game: NewStoredGame) -> dict[str, Any]:
    board = game.board
    return {
        "game_id": game.game_id,
        "seed": game.seed,
        "board_id": None if board is None else board.id,
        "board_salt": None if board is None else board.salt,
    }


def _stored(info: GameInfo, game: NewStoredGame) -> StoredGame:
    """A game that has just been created, before its first event."""
    return StoredGame(info, game.seed, game.entropy or (b"",) * len(game.seats), (), game.board)


def _earlier_game(connection: Connection, wanted: NewStoredGame) -> GameInfo:
    """The game that this key created before, if it asked for the same."""
    game = read_game(connection.execute(_BY_KEY, {"owner_id": wanted.owner_id, "key": wanted.key}).one())
    connection.execute(text("UPDATE games SET creation_key = creation_key WHERE game_id = :id"), {"id": game.id})
    return _refuse_other(game, wanted)


def _refuse_other(game: GameInfo, wanted: NewStoredGame) -> GameInfo:
    """The game that a key created before; raises KeyReused if it comes with another one."""
    same = (game.rules, game.clock, game.forked) == (wanted.rules, wanted.clock, wanted.forked)
    if not same or len(game.seats) != len(wanted.seats) or not all(map(_could_be, game.seats, wanted.seats)):
        raise KeyReused(wanted.key or "")
    return game


def _refuse_finished(connection: Connection, game_id: UUID) -> None:
    if finished_games(connection, [game_id]):
        raise GameOver


def _could_be(now: Seat, wanted: Seat) -> bool:
    return wanted.kind is SeatKind.OPEN or (now.kind, now.bot_id, now.house) == (
        wanted.kind,
        wanted.bot_id,
        wanted.house,
    )


def _seat_row(game: NewStoredGame, seat: Seat) -> dict[str, Any]:
    return {
        "game_id": game.game_id,
        "seat": seat.seat,
        "kind": seat.kind.value,
        "bot_id": seat.bot_id,
        "owner_id": seat.owner_id,
        "house": seat.house,
        "name": seat.name,
        "entropy": game.entropy[seat.seat] if game.entropy else b"",
    }


def _open_seat(game: GameInfo, wanted: Seat) -> int:
    if game.status.is_over:
        raise GameOver
    for seat in game.seats:
        if seat.bot_id is not None and seat.bot_id == wanted.bot_id:
            raise AlreadySeated(seat.seat)
    number = next((seat.seat for seat in game.seats if seat.kind is SeatKind.OPEN), None)
    if number is None:
        raise GameFull
    return number


def _start_if_full(connection: Connection, game_id: UUID, start: Start) -> None:
    game = _read(connection, game_id)
    if any(seat.kind is SeatKind.OPEN for seat in game.seats):
        return
    seed, board_id, salt, entropy = connection.execute(_SECRET, {"game_id": game_id}).one()
    given = tuple(bytes(text) for text in entropy)
    move: Move = start(StoredGame(game, bytes(seed), given, (), read_board(board_id, salt)))
    connection.exec_driver_sql(COMMIT, (commit_parameter([move]),))


def _read(connection: Connection, game_id: UUID) -> GameInfo:
    return read_game(connection.execute(_GAME, {"game_id": game_id}).one())


def _read_many(connection: Connection, game_ids: Sequence[UUID]) -> tuple[GameInfo, ...]:
    if not game_ids:
        return ()
    wanted = text(f"SELECT {GAME_COLUMNS} FROM games g WHERE g.game_id IN :ids")  # noqa: S608 - our own constant
    rows = connection.execute(wanted.bindparams(bindparam("ids", expanding=True)), {"ids": list(game_ids)})
    games = {game.id: game for game in map(read_game, rows)}
    games |= finished_games(connection, [game_id for game_id in game_ids if game_id not in games])
    return tuple(games[game_id] for game_id in game_ids)
