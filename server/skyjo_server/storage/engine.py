"""SQLAlchemy's engine for everything off the path of a move, with the same care about commits. Knows no tables."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import psycopg
from psycopg.errors import Diagnostic
from sqlalchemy import Connection, Engine, create_engine, event, exc

from skyjo_server.service.errors import Unavailable
from skyjo_server.storage.connections import CHECKOUT_SECONDS

_WARNED: Final = "skyjo_commit_warning"


def make_engine(conninfo: str, size: int, connection_class: type[psycopg.Connection] = psycopg.Connection) -> Engine:
    """An engine over psycopg for a libpq connection string.

    Args:
        conninfo: a libpq connection string, or a ``postgresql://`` URL.
        size: connections held open at most.
        connection_class: what they are; another than the usual one can watch what is sent.
    """
    engine = create_engine(
        "postgresql+psycopg://",
        creator=lambda: connection_class.connect(conninfo),
        pool_size=size,
        max_overflow=0,
        pool_timeout=CHECKOUT_SECONDS,
        pool_pre_ping=True,
        hide_parameters=True,
    )
    event.listen(engine, "connect", _listen_for_warnings)
    return engine


@contextmanager
def transaction(engine: Engine) -> Iterator[Connection]:
    """One transaction; done only if its commit is vouched for.

    Raises:
        Unavailable: if the database does not answer, or the commit is not known to be durable.
    """
    try:
        with engine.connect() as connection:
            connection.info[_WARNED] = None
            with connection.begin():
                yield connection
            if connection.info[_WARNED] is not None:
                raise Unavailable(f"the commit is not confirmed: {connection.info[_WARNED]}")
    except (exc.OperationalError, exc.TimeoutError) as error:
        raise Unavailable("the database does not answer now") from error
    except exc.DBAPIError as error:
        if error.connection_invalidated:
            raise Unavailable("the database does not answer now") from error
        raise


def _listen_for_warnings(dbapi_connection: Any, record: Any) -> None:
    def note(diagnostic: Diagnostic) -> None:
        if diagnostic.sqlstate == "01000":
            record.info[_WARNED] = diagnostic.message_primary

    dbapi_connection.add_notice_handler(note)
