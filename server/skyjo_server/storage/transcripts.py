"""Finished games in their compact form: one row each, read as if they had stayed in the tables of play. Moves none.

A game moves once, from those tables to here, and never back. So whoever looks there first and here afterwards finds it,
whatever happens in between. What is read here is played again from its commands (:mod:`skyjo_server.storage.packing`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Final
from uuid import UUID

import msgpack

from skyjo_server.service.model import GameInfo, GameStatus
from skyjo_server.service.ports import Fresh, Receipt, StoredEvent, StoredGame
from skyjo_server.storage.connections import Connections
from skyjo_server.storage.numbers import deflate, inflate
from skyjo_server.storage.packing import PackedGame, unpack, unpack_info

IN_MEMORY: Final = 32
"""Games that a process keeps unpacked: a reader who steps through one asks for it again and again."""

COLUMNS: Final = "t.game_id, t.status, t.version, t.created_at, t.bots, t.tournament_id, t.body"
"""What :func:`read_packed` reads, in its order, of a row of `transcripts` named t."""

_GAMES: Final = f"SELECT {COLUMNS} FROM transcripts t WHERE t.game_id = ANY(%s::uuid[])"  # noqa: S608 - our own constant

_STANDS: Final = """
SELECT k.place, t.status, t.version,
       k.token_id IS NULL OR EXISTS (SELECT FROM tokens o WHERE o.token_id = k.token_id AND o.revoked_at IS NULL)
FROM unnest(%s::int[], %s::uuid[], %s::uuid[]) AS k(place, game_id, token_id)
JOIN transcripts t USING (game_id)
"""

_RECEIPTS: Final = """
UPDATE transcript_receipts SET replays = replays + 1 WHERE game_id = %s RETURNING receipts
"""

Question = tuple[UUID, int, UUID | None]
"""A game, the version that is known of it, and a token to prove."""


class Transcripts:
    """The finished games of one database.

    Args:
        connections: where they are read.
    """

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def game(self, game_id: UUID) -> StoredGame | None:
        """A finished game and its whole log."""
        return self._found([game_id]).get(game_id)

    def events(self, game_id: UUID, version: int) -> tuple[StoredEvent, ...]:
        """The log of a finished game up to a version; empty if there is none."""
        game = self.game(game_id)
        return () if game is None else game.events[: version + 1]

    def fresh(self, questions: Sequence[Question]) -> list[Fresh | None]:
        """News of finished games since known versions, in the order of the questions; only what is new is unpacked."""
        if not questions:
            return []
        places = list(range(len(questions)))
        games, _, tokens = zip(*questions, strict=True)
        rows = self._connections.fetch(_STANDS, (places, list(games), list(tokens)))
        news = self._found({questions[place][0] for place, _, version, _ in rows if version > questions[place][1]})
        found: list[Fresh | None] = [None] * len(questions)
        for place, status, version, token_good in rows:
            game_id, known, _ = questions[place]
            events = news[game_id].events[known + 1 :] if version > known else ()
            found[place] = Fresh(GameStatus(status), version, events, None, token_good)
        return found

    def receipt(self, game_id: UUID, seat: int, key: str) -> Receipt | None:
        """What became of a key, while that is kept. Counting the replay makes the answer as durable as the first."""
        rows = self._connections.fetch(_RECEIPTS, (game_id,))
        return (
            next((kept for kept in unpack_receipts(rows[0][0]) if (kept.seat, kept.key) == (seat, key)), None)
            if rows
            else None
        )

    def _found(self, game_ids: Iterable[UUID]) -> dict[UUID, StoredGame]:
        wanted = list(game_ids)
        rows = self._connections.fetch(_GAMES, (wanted,)) if wanted else []
        return {row[0]: _unpacked(read_packed(row)) for row in rows}


def read_packed(row: Sequence[Any]) -> PackedGame:
    """A packed game from the columns of :data:`COLUMNS`."""
    game_id, status, version, created_at, bots, tournament_id, body = row
    return PackedGame(game_id, GameStatus(status), version, created_at, tuple(bots or ()), tournament_id, bytes(body))


@lru_cache(IN_MEMORY)
def _unpacked(packed: PackedGame) -> StoredGame:
    """The game, out of memory if it was unpacked lately: a finished game never changes."""
    return unpack(packed)


def info_of(row: Sequence[Any]) -> GameInfo:
    """A game's public part from the columns of :data:`COLUMNS`."""
    return unpack_info(read_packed(row))


def pack_receipts(receipts: Sequence[Receipt]) -> bytes:
    """Receipts of one game in few bytes."""
    rows = [
        [kept.seat, kept.key, kept.sent_version, kept.action, kept.version, kept.answer_version] for kept in receipts
    ]
    return deflate(msgpack.packb([list(column) for column in zip(*rows, strict=True)]))


def unpack_receipts(data: bytes) -> tuple[Receipt, ...]:
    """What :func:`pack_receipts` was given."""
    return tuple(Receipt(*row) for row in zip(*msgpack.unpackb(inflate(bytes(data))), strict=True))
