"""Making transcripts of games that are over: a game's rows in every table become one row. Decides nothing about when.

One transaction does it: whoever reads sees the game in the one form or the other, and a process that dies in between
has done nothing. Any number of processes may do so at once; a game that one of them has taken is passed over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

import structlog

from skyjo import SkyjoError
from skyjo_server.service.ports import Receipt, StoredGame
from skyjo_server.storage.connections import Connections, PlayConnection
from skyjo_server.storage.log import load_game
from skyjo_server.storage.packing import NotPackable, PackedGame, pack
from skyjo_server.storage.transcripts import pack_receipts

_DUE: Final = """
SELECT g.game_id, g.owner_id, g.creation_key, g.finished_at FROM games g
WHERE g.finished_at < now() - make_interval(secs => %s) AND g.game_id <> ALL(%s::uuid[])
  AND NOT g.embargoed AND g.version >= 0
  AND NOT EXISTS (SELECT FROM tournament_tables t WHERE t.game_id = g.game_id AND t.outcome = 'playing')
ORDER BY g.finished_at LIMIT %s FOR UPDATE OF g SKIP LOCKED
"""
"""Games of an event stay until the event has taken note of how they ended, and their board is over everywhere."""

_RECEIPTS: Final = """
SELECT seat, key, sent_version, action, version, answer_version FROM submissions WHERE game_id = %s
ORDER BY version, seat, key
"""

_ADD: Final = """
INSERT INTO transcripts (game_id, status, version, created_at, bots, tournament_id, body)
VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT (game_id) DO NOTHING RETURNING true
"""

_IS_THERE: Final = "SELECT FROM games WHERE game_id = %s"

_ADD_RECEIPTS: Final = """
INSERT INTO transcript_receipts (game_id, owner_id, creation_key, finished_at, receipts) VALUES (%s, %s, %s, %s, %s)
ON CONFLICT DO NOTHING
"""

_REMOVE: Final = tuple(
    f"DELETE FROM {table} WHERE game_id = %s"  # noqa: S608 - the names stand here
    for table in ("submissions", "events", "game_secrets", "game_seats", "games")
)

_FORGET: Final = """
DELETE FROM transcript_receipts WHERE game_id IN (
    SELECT game_id FROM transcript_receipts WHERE finished_at < now() - make_interval(secs => %s)
    ORDER BY finished_at LIMIT %s FOR UPDATE SKIP LOCKED
) RETURNING game_id
"""

_LOG: Final = structlog.get_logger()

_Due = tuple[UUID, UUID, str | None, Any]
"""A game, whose creation it was and by which key, and when it ended."""


class PostgresArchive:
    """The :class:`~skyjo_server.service.ports.Archive` on PostgreSQL.

    Args:
        connections: where games are.
    """

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._kept: set[UUID] = set()

    def compact(self, limit: int, grace_seconds: float) -> int:
        """Make transcripts of games that have been over for so long, the earliest first; gives how many.

        A game that would not come back exactly as it is stays as it is, and is named in the service's log once.
        """
        with self._connections.transaction() as connection:
            due = connection.execute(_DUE, (grace_seconds, list(self._kept), limit)).fetchall()
            return sum(self._compact(connection, (row[0], row[1], row[2], row[3])) for row in due)

    def add(self, game: StoredGame) -> bool:
        """Keep a finished game that was played elsewhere; False if there is one of its id already.

        Raises:
            NotPackable: if it does not follow from its seed and its commands.
        """
        packed = pack(game)
        with self._connections.transaction() as connection:
            if connection.execute(_IS_THERE, (packed.game_id,)).fetchone() is not None:
                return False
            return add_transcript(connection, packed)

    def forget_receipts(self, limit: int, after_seconds: float) -> int:
        """Forget what was sent in games that have been transcripts for long; gives of how many."""
        return len(self._connections.fetch(_FORGET, (after_seconds, limit)))

    def _compact(self, connection: PlayConnection, due: _Due) -> bool:
        game_id, owner_id, creation_key, finished_at = due
        try:
            packed = _packed(connection, game_id)
        except NotPackable as error:
            return self._leave(game_id, str(error))
        if not add_transcript(connection, packed):
            return self._leave(game_id, "there is a transcript of its id already")
        receipts = [Receipt(*row) for row in connection.execute(_RECEIPTS, (game_id,))]
        if receipts or creation_key is not None:
            kept = (game_id, owner_id, creation_key, finished_at, pack_receipts(receipts))
            connection.execute(_ADD_RECEIPTS, kept)
        for statement in _REMOVE:
            connection.execute(statement, (game_id,))
        return True

    def _leave(self, game_id: UUID, reason: str) -> bool:
        """Leave a game where it is, and look at it no more."""
        self._kept.add(game_id)
        _LOG.error("game_not_compacted", game=str(game_id), reason=reason)
        return False


def add_transcript(connection: PlayConnection, packed: PackedGame) -> bool:
    """Store a game as a transcript, inside a transaction; False if there is one of its id already."""
    columns: Sequence[Any] = (
        packed.game_id,
        packed.status.value,
        packed.version,
        packed.created_at,
        list(packed.bots) or None,
        packed.tournament_id,
        packed.body,
    )
    return connection.execute(_ADD, columns).fetchone() is not None


def _packed(connection: PlayConnection, game_id: UUID) -> PackedGame:
    try:
        game = load_game(connection, game_id)
    except (KeyError, TypeError, ValueError, SkyjoError) as error:
        raise NotPackable(f"game {game_id} cannot be read: {error!r}") from error
    if game is None:
        raise NotPackable(f"game {game_id} lacks a part of its log")
    return pack(game)
