"""Rows of games read into values, the same way wherever they are selected. Runs no statement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from skyjo import RuleSet
from skyjo.record import Board
from skyjo_server.service.model import (
    ClockRules,
    ForkPoint,
    GameInfo,
    GameResult,
    GameStatus,
    OnTimeout,
    Seat,
    SeatKind,
)
from skyjo_server.tournaments.values import Cause as Ending

GAME_COLUMNS: Final = """
    g.game_id, g.status, g.rules, g.version, g.commitment,
    g.move_seconds, g.bank_seconds, g.on_timeout, g.max_timeouts,
    g.created_at, g.started_at, g.finished_at, g.result, g.left_seats,
    (SELECT json_agg(json_build_object('seat', gs.seat, 'kind', gs.kind, 'bot_id', gs.bot_id,
                                       'owner_id', gs.owner_id, 'house', gs.house, 'name', gs.name) ORDER BY gs.seat)
     FROM game_seats gs WHERE gs.game_id = g.game_id) AS seats,
    g.tournament_id, g.embargoed, g.forked_from, g.forked_version
"""
"""What :func:`read_game` reads, in its order, of a row of `games` named g."""


def read_game(row: Sequence[Any]) -> GameInfo:
    """A game from the columns of :data:`GAME_COLUMNS`."""
    left = row[13]
    return GameInfo(
        id=row[0],
        status=GameStatus(row[1]),
        rules=RuleSet.from_dict(row[2]),
        version=row[3],
        commitment=bytes(row[4]),
        clock=ClockRules(row[5], row[6], OnTimeout(row[7]), row[8]),
        created_at=row[9],
        started_at=row[10],
        finished_at=row[11],
        result=None if row[12] is None else _result(row[12]),
        seats=tuple(_seat(seat, bool(left >> seat["seat"] & 1)) for seat in row[14]),
        tournament_id=row[15],
        embargoed=row[16],
        forked=None if row[17] is None else ForkPoint(row[17], row[18]),
    )


def read_board(board_id: UUID | None, salt: bytes | None) -> Board | None:
    """The duplicate board of a game, from its two columns."""
    return None if board_id is None or salt is None else Board(board_id, bytes(salt))


def _result(data: Mapping[str, Any]) -> GameResult:
    ranks = data["ranks"]
    causes = tuple(map(Ending, data["causes"]))
    return GameResult(
        GameStatus(data["status"]), tuple(data["totals"]), None if ranks is None else tuple(ranks), causes
    )


def _seat(data: Mapping[str, Any], left: bool) -> Seat:
    return Seat(
        seat=data["seat"],
        kind=SeatKind(data["kind"]),
        bot_id=_uuid(data["bot_id"]),
        owner_id=_uuid(data["owner_id"]),
        house=data["house"],
        name=data["name"],
        left=left,
    )


def _uuid(text: str | None) -> UUID | None:
    return None if text is None else UUID(text)
