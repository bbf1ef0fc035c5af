"""Bringing the database's schema to this version's. Runs in one transaction, and alone."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text

from skyjo_server.storage.tournament_schema import METADATA

_MIGRATIONS: Final = Path(__file__).parent / "migrations"

_ALONE: Final = text("SELECT pg_advisory_xact_lock(hashtext('skyjo schema'))")
"""Waits for others that migrate this database. Not the lock of a table: there may be none yet, and of two that make one
at the same moment one fails."""


def migrate(engine: Engine) -> str:
    """Apply every migration that is missing, and give the revision reached.

    Several processes may start at once: a lock lets one work and the others find it done.
    """
    with engine.begin() as connection:
        connection.execute(_ALONE)
        command.upgrade(_config(connection), "head")
        return current_revision(connection) or ""


def current_revision(connection: Connection) -> str | None:
    """The revision that the database is at; None before the first migration."""
    return MigrationContext.configure(connection).get_current_revision()


def head_revision() -> str:
    """The revision that this version of the service needs."""
    head = ScriptDirectory(str(_MIGRATIONS)).get_current_head()
    assert head is not None  # noqa: S101 - the package ships its migrations
    return head


def schema_differences(connection: Connection) -> list[object]:
    """What the database has other than the tables of :mod:`skyjo_server.storage.schema`; empty when they agree."""
    context = MigrationContext.configure(connection, opts={"include_name": _ours})
    return list(compare_metadata(context, METADATA))


def _ours(name: str | None, kind: str, _parents: object) -> bool:
    return not (kind == "table" and name == "alembic_version")


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    config.attributes["connection"] = connection
    return config
