"""The endpoint of a move as it is usually written: Flask and SQLAlchemy's ORM. Kept for comparison, never served.

It does what the service's own does, on the same tables, by the same rules: the token, the version, the idempotency key,
legality, the redacted view, the event with its link of the hash chain. The game is locked by SELECT FOR UPDATE. So that
only the way to the database differs, it too keeps tables in memory, and reads only the events that it does not know.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

import orjson
from flask import Flask, Response, request
from sqlalchemy import func, select
from sqlalchemy.orm import DeclarativeBase, Session

from skyjo import Action, Cause, Event
from skyjo.notation import fact_from_dict, fact_to_dict
from skyjo_server.app import collect_rarely
from skyjo_server.service import secrets
from skyjo_server.service.model import GameStatus
from skyjo_server.service.ports import Committed, Move, StoredEvent
from skyjo_server.service.table import Hand, Table
from skyjo_server.settings import Settings
from skyjo_server.storage.connections import Connections
from skyjo_server.storage.engine import make_engine
from skyjo_server.storage.log import PostgresLog
from skyjo_server.storage.postgres import PLAY_CONNECTIONS
from skyjo_server.storage.schema import EVENTS, GAMES, SUBMISSIONS, TOKENS


class _Base(DeclarativeBase):
    """The service's own tables, as objects."""


class _Game(_Base):
    __table__ = GAMES


class _Event(_Base):
    __table__ = EVENTS


class _Token(_Base):
    __table__ = TOKENS


class _Submission(_Base):
    __table__ = SUBMISSIONS


def create_worker() -> Flask:
    """The WSGI application of one worker, from the environment."""
    settings = Settings.from_environment()
    assert settings.database_url is not None
    endpoint = _Endpoint(settings.database_url, settings.pepper)
    app = Flask("orm", static_folder=None)
    app.add_url_rule("/v1/games/<uuid:game_id>/actions", view_func=endpoint.play, methods=["POST"])
    collect_rarely()
    return app


class _Endpoint:
    """Plays one action."""

    def __init__(self, conninfo: str, pepper: bytes) -> None:
        self._engine = make_engine(conninfo, PLAY_CONNECTIONS)
        self._connections = Connections(conninfo, 2)
        self._connections.open()
        self._log = PostgresLog(self._connections)  # loads a game that is not in memory yet, and does nothing else
        self._pepper = pepper
        self._tables: dict[UUID, Table] = {}

    def play(self, game_id: UUID) -> Response:
        """Answer a request."""
        secret = request.headers["Authorization"].removeprefix("Bearer ")
        version = int(request.headers["If-Match"].strip('"'))
        action = Action.parse(request.get_json()["action"])
        with Session(self._engine, expire_on_commit=False) as session:
            token = self._token(session, secret)
            game = session.scalars(select(_Game).where(GAMES.c.game_id == game_id).with_for_update()).one()
            table = self._table(session, game)
            seat = table.setup.seat_of(token.bot_id)
            if seat is None or version != table.state.version:
                return Response("stale", 412)
            hand = Hand(table)
            hand.play(seat, action, request.headers.get("Idempotency-Key"))
            done = _store(session, game, hand.move())
            session.commit()
        self._tables[game_id] = table = hand.committed(done)
        seen = table.decision(seat)
        return Response(orjson.dumps(seen.to_dict()), content_type="application/json", headers={"ETag": f'"{version}"'})

    def _token(self, session: Session, secret: str) -> Any:
        digest = secrets.digest(self._pepper, secret)
        return session.scalars(select(_Token).where(TOKENS.c.digest == digest, TOKENS.c.revoked_at.is_(None))).one()

    def _table(self, session: Session, game: Any) -> Table:
        table = self._tables.get(game.game_id)
        if table is None:
            stored = self._log.load(game.game_id)
            assert stored is not None
            return Table.of(stored)
        news = select(_Event).where(EVENTS.c.game_id == game.game_id, EVENTS.c.version > table.state.version)
        rows = session.scalars(news.order_by(EVENTS.c.version)).all()
        return table.advanced([_read_event(row) for row in rows], GameStatus(game.status))


def _store(session: Session, game: Any, move: Move) -> Committed:
    now: datetime = session.scalars(select(func.now())).one()
    thinking = (now - game.clock_started).total_seconds()
    game.version, game.status, game.to_act = move.version, move.status.value, move.to_act
    game.left_seats, game.clock_started, game.last_thinking = move.left, now, thinking
    if move.result is not None:
        game.finished_at, game.result = now, orjson.loads(orjson.dumps(move.result))
    for new in move.events:
        session.add(_event_row(move.game_id, new.event, new.hash, now, thinking))
    for kept in move.receipts:
        session.add(
            _Submission(
                game_id=move.game_id,
                seat=kept.seat,
                key=kept.key,
                sent_version=kept.sent_version,
                action=kept.action,
                version=kept.version,
                answer_version=kept.answer_version,
            )
        )
    return Committed(now, thinking)


def _event_row(game_id: UUID, event: Event, hash_: bytes, at: datetime, thinking: float) -> _Event:
    return _Event(
        game_id=game_id,
        version=event.version,
        seat=event.seat,
        action=None if event.action is None else str(event.action),
        cause=event.cause.value,
        facts=orjson.dumps([fact_to_dict(fact) for fact in event.facts]).decode(),
        opener=event.opener,
        at=at,
        thinking_seconds=thinking,
        hash=hash_,
    )


def _read_event(row: Any) -> StoredEvent:
    action = None if row.action is None else Action.parse(row.action)
    facts = tuple(fact_from_dict(fact) for fact in orjson.loads(row.facts))
    event = Event(row.version, row.seat, action, Cause(row.cause), facts, row.opener)
    return StoredEvent(event, row.at, row.hash, row.thinking_seconds)
