"""Games of both kinds together, played and kept as transcripts: lists of them, and their public part. Moves none."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, Select, Table, select, text, tuple_, union_all

from skyjo_server.service.model import GameInfo, GameStatus
from skyjo_server.storage.schema import GAME_SEATS, GAMES, TRANSCRIPTS
from skyjo_server.storage.transcripts import COLUMNS, info_of

_FINISHED: Final = text(f"SELECT {COLUMNS} FROM transcripts t WHERE t.game_id = ANY(:ids)")  # noqa: S608 - our own constant

_TAKE_BACK: Final = text("""
WITH earlier AS (
    UPDATE transcript_receipts r SET replays = r.replays + 1
    FROM games g WHERE g.game_id = :game_id AND r.owner_id = g.owner_id AND r.creation_key = g.creation_key
    RETURNING r.game_id
), taken AS (
    DELETE FROM games WHERE game_id = :game_id AND EXISTS (SELECT FROM earlier)
)
SELECT game_id FROM earlier
""")

Before = tuple[datetime, UUID]
"""A position in the order of creation."""


def finished_games(connection: Connection, game_ids: Sequence[UUID]) -> dict[UUID, GameInfo]:
    """The public part of those games that are transcripts."""
    if not game_ids:
        return {}
    rows = connection.execute(_FINISHED, {"ids": list(game_ids)})
    return {row[0]: info_of(row) for row in rows}


def page_of_games(
    status: GameStatus | None, bot_id: UUID | None, tournament_id: UUID | None, before: Before | None, limit: int
) -> Select[Any]:
    """Ids of games and when they were created, newest first, in one statement: a game that moves is in it once.

    Each kind is asked for as many as are wanted of both, so that each follows its own index.
    """
    played = select(GAMES.c.game_id, GAMES.c.created_at)
    kept = select(TRANSCRIPTS.c.game_id, TRANSCRIPTS.c.created_at)
    if status is not None:
        played = played.where(GAMES.c.status == status.value)
        kept = kept.where(TRANSCRIPTS.c.status == status.value)
    if bot_id is not None:
        seated = select(GAME_SEATS.c.game_id).where(GAME_SEATS.c.bot_id == bot_id)
        played = played.where(GAMES.c.game_id.in_(seated))
        kept = kept.where(TRANSCRIPTS.c.bots.contains([bot_id]))
    if tournament_id is not None:
        played = played.where(GAMES.c.tournament_id == tournament_id)
        kept = kept.where(TRANSCRIPTS.c.tournament_id == tournament_id)
    both = union_all(_newest(played, GAMES, before, limit), _newest(kept, TRANSCRIPTS, before, limit)).subquery()
    return select(both).order_by(both.c.created_at.desc(), both.c.game_id.desc()).limit(limit)


def _newest(games: Select[Any], table: Table, before: Before | None, limit: int) -> Select[Any]:
    order = (table.c.created_at, table.c.game_id)
    if before is not None:
        games = games.where(tuple_(*order) < tuple_(*before))
    newest = games.order_by(*(column.desc() for column in order)).limit(limit).subquery()
    return select(newest)


def take_back(connection: Connection, game_id: UUID) -> GameInfo | None:
    """Undo the creation of a game whose key has created another one that is a transcript by now; gives that one."""
    earlier = connection.execute(_TAKE_BACK, {"game_id": game_id}).scalar_one_or_none()
    return None if earlier is None else finished_games(connection, [earlier])[earlier]
