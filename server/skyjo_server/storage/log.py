"""The log and the path of a move: psycopg, prepared SQL, one round trip each. Decides nothing about the game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final
from uuid import UUID

import orjson
from psycopg.errors import UniqueViolation

from skyjo import Action, Cause, Event
from skyjo.notation import fact_from_dict, fact_to_dict
from skyjo_server.service.model import GameStatus
from skyjo_server.service.ports import Committed, Fresh, Move, NewEvent, Receipt, StoredEvent, StoredGame, Waiting
from skyjo_server.storage.connections import Connections, PlayConnection
from skyjo_server.storage.group import GroupCommit
from skyjo_server.storage.rows import GAME_COLUMNS, read_board, read_game
from skyjo_server.storage.shared import SharedReads
from skyjo_server.storage.transcripts import Transcripts

ALIVE_SECONDS: Final = 3.0
"""A service that has not noted for so long that it is alive was down; no time that passed meanwhile is charged."""

NOW: Final = "date_trunc('milliseconds', now())"
"""The time of a commit: in whole milliseconds, as nobody plays faster, and finer ones would take twice the room."""

_IS_LATE: Final = f"""
({NOW} > g.clock_started + make_interval(secs => m.allowed)
 AND NOT EXISTS (SELECT FROM heartbeat h
                 WHERE h.at < now() - make_interval(secs => {ALIVE_SECONDS})
                   AND h.at < g.clock_started + make_interval(secs => m.allowed)))
"""
"""Whether the time for a decision is over: unless the service was down when it would have ended."""

COMMIT: Final = f"""
WITH moved AS (
    UPDATE games g
    SET version = m.version,
        status = m.status,
        to_act = m.to_act,
        left_seats = m.left_seats,
        clock_started = CASE WHEN m.restarts THEN {NOW} ELSE g.clock_started END,
        last_thinking = extract(epoch FROM {NOW} - g.clock_started),
        deadline = CASE WHEN m.restarts THEN {NOW} ELSE g.clock_started END + make_interval(secs => least(
            m.next_allowed,
            g.move_seconds + greatest(0, m.own_bank - greatest(
                0, extract(epoch FROM {NOW} - g.clock_started) - g.move_seconds
            ))
        )),
        started_at = CASE WHEN m.expected < 0 THEN {NOW} ELSE g.started_at END,
        finished_at = CASE WHEN m.result IS NULL THEN NULL ELSE {NOW} END,
        result = m.result
    FROM json_to_recordset(%s::json) AS m(
        game_id uuid, expected int, version int, status text, to_act int, left_seats int, result jsonb, token_id uuid,
        restarts boolean, allowed float8, overdue boolean, next_allowed float8, own_bank float8,
        events json, receipts json
    )
    WHERE g.game_id = m.game_id
      AND g.version = m.expected
      AND g.status IN ('open', 'running')
      AND (m.allowed IS NULL OR m.overdue = {_IS_LATE})
      AND (m.token_id IS NULL OR EXISTS (
          SELECT FROM tokens t WHERE t.token_id = m.token_id AND t.revoked_at IS NULL
      ))
      AND NOT EXISTS (
          SELECT FROM json_to_recordset(m.receipts) AS r(seat int, key text), LATERAL (
              SELECT FROM submissions s WHERE s.game_id = m.game_id AND s.seat = r.seat AND s.key = r.key LIMIT 1
          ) AS taken
      )
    RETURNING g.game_id, m.result IS NOT NULL AS over, m.expected, g.last_thinking, m.events, m.receipts
), logged AS (
    INSERT INTO events (game_id, version, seat, action, cause, facts, opener, at, thinking_seconds, hash)
    SELECT moved.game_id, e.version, e.seat, e.action, e.cause, e.facts, e.opener, {NOW},
           CASE WHEN e.version = moved.expected + 1 THEN moved.last_thinking END, decode(e.hash, 'hex')
    FROM moved, json_to_recordset(moved.events) AS e(
        version int, seat int, action text, cause text, facts json, opener int, hash text
    )
), kept AS (
    INSERT INTO submissions (game_id, seat, key, sent_version, action, version, answer_version)
    SELECT moved.game_id, r.seat, r.key, r.sent_version, r.action, r.version, r.answer_version
    FROM moved, json_to_recordset(moved.receipts) AS r(
        seat int, key text, sent_version int, action text, version int, answer_version int
    )
), released AS (
    UPDATE game_seats s SET active = false FROM moved WHERE moved.over AND s.game_id = moved.game_id
)
SELECT game_id, {NOW}, last_thinking FROM moved
"""  # noqa: S608 - put together from constants of this module
"""Commits moves of different games in one statement, each alone: the version that a game must be at is its lock."""

_EVENT_COLUMNS: Final = "e.version, e.seat, e.action, e.cause, e.facts, e.opener, e.at, e.hash, e.thinking_seconds"

_FRESH: Final = f"""
SELECT k.place, g.status, g.version, g.clock_started, g.embargoed,
       k.token_id IS NULL OR EXISTS (SELECT FROM tokens t WHERE t.token_id = k.token_id AND t.revoked_at IS NULL),
       {_EVENT_COLUMNS}
FROM json_to_recordset(%s::json) AS k(place int, game_id uuid, known int, token_id uuid)
JOIN games g USING (game_id)
LEFT JOIN events e ON e.game_id = g.game_id AND e.version > k.known AND e.version <= g.version
ORDER BY k.place, e.version
"""  # noqa: S608 - put together from constants of this module

_LOAD: Final = f"""
SELECT {GAME_COLUMNS}, s.seed, s.board_id, s.board_salt,
       (SELECT array_agg(gs.entropy ORDER BY gs.seat) FROM game_seats gs WHERE gs.game_id = g.game_id)
FROM games g JOIN game_secrets s USING (game_id) WHERE g.game_id = %s
"""  # noqa: S608 - as above

_NO_LIMIT: Final = 2**31 - 1

_EVENTS: Final = f"""
SELECT {_EVENT_COLUMNS} FROM events e WHERE e.game_id = %s AND e.version <= %s ORDER BY e.version
"""  # noqa: S608 - as above

_OWN: Final = """
WITH own AS (
    SELECT e.game_id, e.at, e.thinking_seconds FROM events e
    JOIN unnest(%s::uuid[], %s::int[], %s::bytea[]) AS k(game_id, version, hash) USING (game_id, version, hash)
), touched AS (
    UPDATE games g SET version = g.version FROM own WHERE g.game_id = own.game_id
)
SELECT game_id, at, thinking_seconds FROM own
"""
"""Which moves are in the log already. Their connection was lost before their commit was confirmed, perhaps while it
waited for a standby: so this commits something too, and is confirmed only after them."""

_RECEIPT: Final = """
UPDATE submissions SET replays = replays + 1 WHERE game_id = %s AND seat = %s AND key = %s
RETURNING sent_version, action, version, answer_version
"""

_OVERDUE: Final = """
SELECT game_id FROM games WHERE status = 'running' AND deadline < now()
ORDER BY deadline LIMIT %s FOR UPDATE SKIP LOCKED
"""

_BEAT: Final = f"""
WITH last AS (
    SELECT at FROM heartbeat WHERE id = 1 FOR UPDATE
), gap AS (
    SELECT at, now() - at AS lost FROM last WHERE at < now() - make_interval(secs => {ALIVE_SECONDS})
), credited AS (
    UPDATE games g SET clock_started = g.clock_started + gap.lost, deadline = g.deadline + gap.lost
    FROM gap WHERE g.status = 'running' AND g.deadline >= gap.at
), noted AS (
    INSERT INTO heartbeat (id, at) VALUES (1, now()) ON CONFLICT (id) DO UPDATE SET at = greatest(heartbeat.at, now())
)
SELECT extract(epoch FROM (SELECT lost FROM gap))
"""  # noqa: S608 - as above

_IS_GOOD: Final = "SELECT EXISTS (SELECT FROM tokens WHERE token_id = %s AND revoked_at IS NULL)"

_CHANGED: Final = """
SELECT g.game_id, g.version + (g.status NOT IN ('open', 'running'))::int
FROM games g WHERE g.game_id = ANY(%s::uuid[])
UNION ALL
SELECT t.tournament_id, t.version FROM tournaments t WHERE t.tournament_id = ANY(%s::uuid[])
UNION ALL
SELECT DISTINCT s.bot_id, NULL::int
FROM game_seats s JOIN games g USING (game_id)
WHERE s.bot_id = ANY(%s::uuid[]) AND s.active AND g.status = 'running' AND (g.to_act >> s.seat) & 1 = 1
"""

_WAITING: Final = """
SELECT t.revoked_at IS NULL, g.game_id, s.seat, g.version, g.clock_started
FROM (SELECT %s::uuid AS token_id) AS c
LEFT JOIN tokens t USING (token_id)
LEFT JOIN (game_seats s JOIN games g USING (game_id))
  ON s.bot_id = %s AND s.active AND g.status = 'running' AND (g.to_act >> s.seat) & 1 = 1
ORDER BY g.deadline NULLS LAST, g.game_id, s.seat LIMIT %s
"""


_Known = tuple[UUID, int, UUID | None]
"""A game, the version that is known of it, and a token to prove."""


class PostgresLog:
    """The :class:`~skyjo_server.service.ports.GameLog` on PostgreSQL."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._transcripts = Transcripts(connections)
        self._group = GroupCommit(self._commit)
        self._reads = SharedReads(self._fresh)

    def load(self, game_id: UUID) -> StoredGame | None:
        """A game and its whole log."""
        with self._connections.transaction() as connection:
            game = load_game(connection, game_id)
        return self._transcripts.game(game_id) if game is None else game

    def fresh(self, game_id: UUID, known_version: int, token_id: UUID | None) -> Fresh | None:
        """News since a version, in one statement and so from one moment; it may be shared with other requests."""
        return self._reads.read((game_id, known_version, token_id))

    def fresh_many(self, known: Sequence[tuple[UUID, int]]) -> dict[UUID, Fresh]:
        """News of many games, each since its own known version."""
        news = self._fresh([(game_id, version, None) for game_id, version in known])
        return {game_id: fresh for (game_id, _), fresh in zip(known, news, strict=True) if fresh is not None}

    def _fresh(self, questions: Sequence[_Known]) -> list[Fresh | None]:
        rows: list[list[Any]] = [[] for _ in questions]
        for row in self._connections.fetch(_FRESH, (_fresh_parameter(questions),)):
            rows[row[0]].append(row)
        elsewhere = [place for place, found in enumerate(rows) if not found]
        finished = dict(zip(elsewhere, self._transcripts.fresh([questions[place] for place in elsewhere]), strict=True))
        return [_read_fresh(found) if found else finished[place] for place, found in enumerate(rows)]

    def events(self, game_id: UUID, version: int) -> tuple[StoredEvent, ...]:
        """The log of a game up to a version."""
        events = _stored(self._connections.fetch(_EVENTS, (game_id, version)))
        return events or self._transcripts.events(game_id, version)

    def commit(self, moves: Sequence[Move]) -> dict[UUID, Committed]:
        """Commit moves of different games, together with those of other requests; those that did not apply are missing.

        A retry after a lost connection finds its own first try by the hash of its last event.
        """
        return self._group.commit(moves)

    def _commit(self, moves: Sequence[Move]) -> dict[UUID, Committed]:
        try:
            rows, resent = self._connections.fetch_resending(COMMIT, (commit_parameter(moves),))
        except UniqueViolation:
            # The same idempotency key in flight twice: one by one, so that it hurts nobody else.
            if len(moves) == 1:
                return {}
            return {game_id: done for move in moves for game_id, done in self._commit([move]).items()}
        applied = {game_id: Committed(at, thinking) for game_id, at, thinking in rows}
        return applied | self._applied_before(moves, applied) if resent else applied

    def _applied_before(self, moves: Sequence[Move], applied: Mapping[UUID, Committed]) -> dict[UUID, Committed]:
        missing = [move for move in moves if move.game_id not in applied]
        lasts = [(move.game_id, move.version, move.events[-1].hash) for move in missing if move.events]
        rows = self._connections.fetch(_OWN, _columns(lasts, 3))
        return {game_id: Committed(at, thinking) for game_id, at, thinking in rows}

    def receipt(self, game_id: UUID, seat: int, key: str) -> Receipt | None:
        """What became of a key. Counting the replay makes the answer as durable as the first one was."""
        rows = self._connections.fetch(_RECEIPT, (game_id, seat, key))
        if not rows:
            return self._transcripts.receipt(game_id, seat, key)
        sent_version, action, version, answer_version = rows[0]
        return Receipt(seat, key, sent_version, action, version, answer_version)

    def changed(self, games: Iterable[UUID], bots: Iterable[UUID], /) -> tuple[dict[UUID, int], set[UUID]]:
        """Current version of each game, one more when it is over, and of each event; the bots that have a decision."""
        topics = list(games)
        rows = self._connections.fetch(_CHANGED, (topics, topics, list(bots)))
        return {row[0]: row[1] for row in rows if row[1] is not None}, {row[0] for row in rows if row[1] is None}

    def is_good(self, token_id: UUID) -> bool:
        """Whether a token has not been revoked."""
        return bool(self._connections.fetch(_IS_GOOD, (token_id,))[0][0])

    def overdue(self, limit: int) -> tuple[UUID, ...]:
        """Games in which a seat's time is over, the earliest first; what another process sweeps now is left out."""
        return tuple(game_id for (game_id,) in self._connections.fetch(_OVERDUE, (limit,)))

    def beat(self) -> float:
        """Note that the service is alive, and give back the time that it was not to whoever had some left."""
        rows = self._connections.fetch(_BEAT, ())
        return float(rows[0][0] or 0.0) if rows else 0.0

    def waiting(self, bot_id: UUID, limit: int, token_id: UUID | None) -> tuple[Waiting, ...] | None:
        """Decisions that wait for a bot, earliest deadline first."""
        rows = self._connections.fetch(_WAITING, (token_id, bot_id, limit))
        if token_id is not None and not rows[0][0]:
            return None
        return tuple(Waiting(*row[1:]) for row in rows if row[1] is not None)


def load_game(connection: PlayConnection, game_id: UUID) -> StoredGame | None:
    """A game and its log inside a transaction; None if it is not there, or becomes a transcript at this moment."""
    game = load_log(connection, game_id)
    if game is None or len(game.events) <= game.info.version:
        return None
    return replace(game, events=game.events[: game.info.version + 1])


def load_log(connection: PlayConnection, game_id: UUID) -> StoredGame | None:
    """A game and all of its log that there is, whatever the game's row says, inside a transaction."""
    row = connection.execute(_LOAD, (game_id,)).fetchone()
    if row is None:
        return None
    *columns, seed, board_id, salt, entropy = row
    info = read_game(columns)
    events = _stored(connection.execute(_EVENTS, (game_id, _NO_LIMIT)))
    board = read_board(board_id, salt)
    return StoredGame(info, bytes(seed), tuple(bytes(given) for given in entropy), events, board)


def commit_parameter(moves: Sequence[Move]) -> str:
    """The one parameter of :data:`COMMIT`: as JSON, which costs the sender a tenth of what arrays cost."""
    return orjson.dumps([_move_row(move) for move in moves]).decode()


def _fresh_parameter(questions: Sequence[_Known]) -> str:
    """The one parameter of :data:`_FRESH`."""
    asked = [
        {"place": place, "game_id": game_id, "known": known, "token_id": token_id}
        for place, (game_id, known, token_id) in enumerate(questions)
    ]
    return orjson.dumps(asked).decode()


def _read_fresh(rows: Sequence[Sequence[Any]]) -> Fresh:
    _, status, version, started, embargoed, token_good = rows[0][:6]
    return Fresh(GameStatus(status), version, _stored(row[6:] for row in rows), started, token_good, embargoed)


def _columns(rows: Sequence[tuple[Any, ...]], width: int) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in range(width)]


def _move_row(move: Move) -> dict[str, Any]:
    return {
        "game_id": move.game_id,
        "expected": move.expected_version,
        "version": move.version,
        "status": move.status,
        "to_act": move.to_act,
        "left_seats": move.left,
        "result": move.result,
        "token_id": move.token_id,
        "restarts": move.restarts_clock,
        "allowed": move.allowed_seconds,
        "overdue": move.overdue,
        "next_allowed": move.next_allowed_seconds,
        "own_bank": move.own_bank_seconds,
        "events": [_event_row(new) for new in move.events],
        "receipts": [_receipt_row(kept) for kept in move.receipts],
    }


def _event_row(new: NewEvent) -> dict[str, Any]:
    event = new.event
    return {
        "version": event.version,
        "seat": event.seat,
        "action": None if event.action is None else str(event.action),
        "cause": event.cause,
        "facts": [fact_to_dict(fact) for fact in event.facts],
        "opener": event.opener,
        "hash": new.hash.hex(),
    }


def _receipt_row(kept: Receipt) -> dict[str, Any]:
    return {
        "seat": kept.seat,
        "key": kept.key,
        "sent_version": kept.sent_version,
        "action": kept.action,
        "version": kept.version,
        "answer_version": kept.answer_version,
    }


def _stored(rows: Iterable[Sequence[Any]]) -> tuple[StoredEvent, ...]:
    return tuple(_stored_event(row) for row in rows if row[0] is not None)


def _stored_event(row: Sequence[Any]) -> StoredEvent:
    version, seat, action, cause, facts, opener, at, hash_, thinking = row
    event = Event(
        version,
        seat,
        None if action is None else Action.parse(action),
        Cause(cause),
        tuple(fact_from_dict(fact) for fact in orjson.loads(facts)),
        opener,
    )
    return StoredEvent(event, at, bytes(hash_), thinking)
