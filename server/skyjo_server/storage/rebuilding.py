"""Deriving what the tables say of each game from its log again: what differs is told, and can be mended. Plays none.

The log is who did what, why and when, together with the seed. From it follow the facts and hashes of the events, and
what the tables say of version, status, seats awaited, seats that left, result, commitment and times of a game. What was
agreed before a game, its clock and idempotency keys follow from nothing, and are not looked at. What games are played
for has a log of its own: see :mod:`skyjo_server.storage.tournament_rebuilding`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

import orjson

from skyjo import CorruptLog, GameRecord, Phase
from skyjo.record import Result, Status
from skyjo_server.service.model import GameInfo, GameStatus
from skyjo_server.service.ports import StoredEvent, StoredGame
from skyjo_server.service.replaying import Replay
from skyjo_server.storage.connections import Connections, PlayConnection
from skyjo_server.storage.log import load_log
from skyjo_server.storage.packing import NotPackable, pack, unpack
from skyjo_server.storage.transcripts import COLUMNS, read_packed

AT_ONCE: Final = 100
_FIRST: Final = UUID(int=0)

_IDS: Final = "SELECT game_id FROM games WHERE game_id > %s ORDER BY game_id LIMIT %s"
_TRANSCRIPTS: Final = f"""
SELECT {COLUMNS} FROM transcripts t WHERE t.game_id > %s ORDER BY t.game_id LIMIT %s
"""  # noqa: S608 - put together from constants

_FOUND: Final = """
SELECT g.version, g.status, g.to_act, g.left_seats, g.result, g.commitment, g.started_at, g.finished_at,
       (SELECT coalesce(bool_or(s.active), false) FROM game_seats s WHERE s.game_id = g.game_id) AS active,
       (SELECT count(*) FROM submissions s LEFT JOIN events e USING (game_id, version) WHERE s.game_id = g.game_id AND (
           e.seat IS DISTINCT FROM s.seat OR e.action IS DISTINCT FROM s.action OR s.sent_version <> s.version - 1
       )) AS strange_receipts
FROM games g WHERE g.game_id = %s FOR UPDATE OF g
"""

_MEND: Final = {
    "version": "UPDATE games SET version = %(value)s WHERE game_id = %(game_id)s",
    "status": "UPDATE games SET status = %(value)s WHERE game_id = %(game_id)s",
    "to_act": "UPDATE games SET to_act = %(value)s WHERE game_id = %(game_id)s",
    "left_seats": "UPDATE games SET left_seats = %(value)s WHERE game_id = %(game_id)s",
    "result": "UPDATE games SET result = %(value)s::text::jsonb WHERE game_id = %(game_id)s",
    "commitment": "UPDATE games SET commitment = %(value)s WHERE game_id = %(game_id)s",
    "started_at": "UPDATE games SET started_at = %(value)s WHERE game_id = %(game_id)s",
    "finished_at": "UPDATE games SET finished_at = %(value)s WHERE game_id = %(game_id)s",
    "active": "UPDATE game_seats SET active = %(value)s WHERE game_id = %(game_id)s",
}
"""What can be mended, and how. The log itself cannot: it is what everything else is mended by."""


class Subject(StrEnum):
    """What has a log."""

    GAME = "game"
    TOURNAMENT = "tournament"


@dataclass(frozen=True, slots=True)
class Difference:
    """Something in a table that does not follow from the log.

    Attributes:
        subject: of what.
        id: of which one.
        what: the column, or a part of the log.
        found: what stands there.
        expected: what should.
        mended: whether it stands there now.
    """

    subject: Subject
    id: UUID
    what: str
    found: str
    expected: str
    mended: bool = False

    def __str__(self) -> str:
        mended = " (mended)" if self.mended else ""
        return f"{self.what}: found {self.found}, but the log gives {self.expected}{mended}"


class Rebuilder:
    """Compares the tables of one database with its logs.

    Args:
        connections: the database.
        write: whether to mend what differs.
    Attributes:
        games: how many were looked at so far.
    """

    def __init__(self, connections: Connections, *, write: bool) -> None:
        self._connections = connections
        self._write = write
        self.games = 0

    def differences(self) -> Iterator[Difference]:
        """What differs, game by game; each game is looked at in a transaction of its own, while others are played."""
        last = _FIRST
        while rows := self._connections.fetch(_IDS, (last, AT_ONCE)):
            for (last,) in rows:
                yield from self._game(last)
        last = _FIRST
        while rows := self._connections.fetch(_TRANSCRIPTS, (last, AT_ONCE)):
            for row in rows:
                last = row[0]
                self.games += 1
                yield from _transcript(row)

    def _game(self, game_id: UUID) -> list[Difference]:
        with self._connections.transaction() as connection:
            row = connection.execute(_FOUND, (game_id,)).fetchone()
            game = load_log(connection, game_id)
            if row is None or game is None:
                return []  # it has become a transcript meanwhile, and is looked at as such
            self.games += 1
            names = ("version", "status", "to_act", "left_seats", "result", "commitment", "started_at", "finished_at")
            found = dict(zip((*names, "active", "strange_receipts"), row, strict=True))
            try:
                expected, damage = _derived(game)
            except CorruptLog as error:
                return [_difference(game_id, "log", str(error), "what the rules allow")]
            differing = [name for name, value in expected.items() if found[name] != value]
            if self._write and not damage:
                _mend(connection, game_id, {name: expected[name] for name in differing})
            mended = self._write and not damage
            return [
                *damage,
                *(
                    _difference(game_id, name, str(found[name]), str(expected[name]), mended=mended)
                    for name in differing
                ),
                *_receipts(game_id, found["strange_receipts"]),
            ]


def _difference(game_id: UUID, what: str, found: str, expected: str, *, mended: bool = False) -> Difference:
    return Difference(Subject.GAME, game_id, what, found, expected, mended)


def _mend(connection: PlayConnection, game_id: UUID, values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        written = orjson.dumps(value).decode() if name == "result" and value is not None else value
        connection.execute(_MEND[name], {"game_id": game_id, "value": written})


def _receipts(game_id: UUID, strange: int) -> list[Difference]:
    told = f"{strange} submissions that became no event"
    return [_difference(game_id, "submissions", told, "one event for each")] if strange else []


def _derived(game: StoredGame) -> tuple[dict[str, Any], list[Difference]]:
    """What the tables should say of a game, and what is wrong with its log.

    Raises:
        CorruptLog: for a log that the rules do not allow.
    """
    info, events = game.info, game.events
    replay = _replay(game)
    damage = []
    for stored in events:
        expected = replay.play(stored.event, stored.at, stored.thinking_seconds)
        if expected != stored:
            damage.append(_damage(info.id, stored, expected))
    state, status = replay.state, _status(info, replay)
    result = replay.result(status) if status.is_over else None
    return {
        "version": len(events) - 1,
        "status": status.value,
        "to_act": sum(1 << seat for seat in state.to_act) if status is GameStatus.RUNNING else 0,
        "left_seats": sum(1 << seat for seat, gone in enumerate(state.left) if gone),
        "result": None if result is None else orjson.loads(orjson.dumps(result)),
        "commitment": replay.commitment,
        "started_at": events[0].at if events else None,
        "finished_at": _finished_at(info, status, events),
        "active": not status.is_over,
    }, damage


def _damage(game_id: UUID, found: StoredEvent, expected: StoredEvent) -> Difference:
    what = f"event {expected.event.version}"
    if found.event != expected.event:
        return _difference(game_id, what, str(found.event), str(expected.event))
    return _difference(game_id, what, f"hash {found.hash.hex()}", expected.hash.hex())


def _replay(game: StoredGame) -> Replay:
    info = game.info
    names = tuple(seat.name or "" for seat in info.seats)
    nothing = Result(Status.VOID, (0,) * len(names), None)
    given = game.entropy if any(game.entropy) else ()
    record = GameRecord(info.id, info.rules, names, bytes(32), game.seed, given, (), nothing, game.board)
    return Replay(record, info.seats, info.clock)


def _status(info: GameInfo, replay: Replay) -> GameStatus:
    """Where a game stands; that somebody stopped it, its log does not say."""
    if replay.state.phase is Phase.OVER:
        return GameStatus.FINISHED
    if info.status in {GameStatus.VOID, GameStatus.ABORTED}:
        return info.status
    return GameStatus.OPEN if replay.state.version < 0 else GameStatus.RUNNING


def _finished_at(info: GameInfo, status: GameStatus, events: tuple[StoredEvent, ...]) -> Any:
    if status is GameStatus.FINISHED:
        return events[-1].at
    return info.finished_at if status.is_over else None


def _transcript(row: Any) -> Iterator[Difference]:
    packed = read_packed(row)
    try:
        again = pack(unpack(packed))
    except (NotPackable, CorruptLog, ValueError, KeyError, TypeError, StopIteration) as error:
        yield _difference(packed.game_id, "transcript", f"it cannot be played again: {error}", "a whole game")
        return
    if again != packed:
        yield _difference(packed.game_id, "transcript", "other columns or bytes", "what is packed of it now")
