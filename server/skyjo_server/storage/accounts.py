"""Owners, bots and tokens on PostgreSQL, through SQLAlchemy. Secrets never come here, only their digests."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID, uuid4

import psycopg
from sqlalchemy import Connection, Engine, Row, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from skyjo_server.service.errors import NameTaken
from skyjo_server.service.model import Bot, Caller, Scope, Token
from skyjo_server.service.ports import NewToken
from skyjo_server.storage.engine import transaction
from skyjo_server.storage.schema import BOTS, OWNERS, TOKENS

_BOT_COLUMNS = (BOTS.c.bot_id, BOTS.c.name, BOTS.c.created_at)
_TOKEN_COLUMNS = (
    TOKENS.c.token_id,
    TOKENS.c.scope,
    TOKENS.c.prefix,
    TOKENS.c.bot_id,
    TOKENS.c.created_at,
    TOKENS.c.revoked_at,
)

_UNIQUE_DIGEST: Final = "uq_tokens_digest"


class PostgresAccounts:
    """The :class:`~skyjo_server.service.ports.AccountStore` on PostgreSQL."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add_bot(self, owner_id: UUID | None, bot_id: UUID, name: str, token: NewToken) -> tuple[Bot, Token] | None:
        """Create a bot, its owner unless given, and its first token; None if that token is there."""
        added = insert(BOTS).values(bot_id=bot_id, name=name).returning(*_BOT_COLUMNS)
        try:
            with transaction(self._engine) as connection:
                owner = owner_id or _add_owner(connection)
                row = connection.execute(added.values(owner_id=owner)).one()
                return Bot(*row), _add_token(connection, owner, token)
        except IntegrityError as error:
            if _broken_constraint(error) == _UNIQUE_DIGEST:
                return None
            raise NameTaken(name) from error

    def bot(self, bot_id: UUID) -> Bot | None:
        """A bot by id."""
        with transaction(self._engine) as connection:
            row = connection.execute(select(*_BOT_COLUMNS).where(BOTS.c.bot_id == bot_id)).one_or_none()
            return None if row is None else Bot(*row)

    def bot_owner(self, bot_id: UUID) -> UUID | None:
        """Whose bot it is."""
        with transaction(self._engine) as connection:
            return connection.execute(select(BOTS.c.owner_id).where(BOTS.c.bot_id == bot_id)).scalar_one_or_none()

    def add_token(self, owner_id: UUID | None, token: NewToken) -> Token:
        """Create a token, and an owner unless given."""
        with transaction(self._engine) as connection:
            return _add_token(connection, owner_id or _add_owner(connection), token)

    def find_token(self, digest: bytes) -> Caller | None:
        """The bearer of a good token."""
        query = select(TOKENS.c.token_id, TOKENS.c.owner_id, TOKENS.c.bot_id, TOKENS.c.scope)
        with transaction(self._engine) as connection:
            row = connection.execute(
                query.where(TOKENS.c.digest == digest, TOKENS.c.revoked_at.is_(None))
            ).one_or_none()
            return None if row is None else Caller(row.token_id, row.owner_id, row.bot_id, Scope(row.scope))

    def token(self, token_id: UUID, owner_id: UUID) -> Token | None:
        """A token of an owner."""
        query = select(*_TOKEN_COLUMNS).where(TOKENS.c.token_id == token_id, TOKENS.c.owner_id == owner_id)
        with transaction(self._engine) as connection:
            row = connection.execute(query).one_or_none()
            return None if row is None else _read_token(row)

    def confirmed_token(self, token_id: UUID) -> Token | None:
        """A token, told again by a durable write, so that it is vouched for as the first time."""
        confirm = update(TOKENS).where(TOKENS.c.token_id == token_id).values(prefix=TOKENS.c.prefix)
        with transaction(self._engine) as connection:
            row = connection.execute(confirm.returning(*_TOKEN_COLUMNS)).one_or_none()
            return None if row is None else _read_token(row)

    def revoke_token(self, token_id: UUID, owner_id: UUID) -> bool:
        """Refuse a token from now on; one revoked before stays as it is."""
        revoke = (
            update(TOKENS)
            .where(TOKENS.c.token_id == token_id, TOKENS.c.owner_id == owner_id)
            .values(revoked_at=func.coalesce(TOKENS.c.revoked_at, func.now()))
        )
        with transaction(self._engine) as connection:
            return connection.execute(revoke).rowcount == 1


def _broken_constraint(error: IntegrityError) -> str | None:
    return error.orig.diag.constraint_name if isinstance(error.orig, psycopg.Error) else None


def _add_owner(connection: Connection) -> UUID:
    owner_id = uuid4()
    connection.execute(insert(OWNERS).values(owner_id=owner_id))
    return owner_id


def _add_token(connection: Connection, owner_id: UUID, token: NewToken) -> Token:
    added = insert(TOKENS).values(
        token_id=token.token_id,
        owner_id=owner_id,
        bot_id=token.bot_id,
        scope=token.scope.value,
        digest=token.digest,
        prefix=token.prefix,
    )
    return _read_token(connection.execute(added.returning(*_TOKEN_COLUMNS)).one())


def _read_token(row: Row[*tuple[Any, ...]]) -> Token:
    return Token(row.token_id, Scope(row.scope), row.prefix, row.bot_id, row.created_at, row.revoked_at)
