"""Alembic's entry: migrates the connection that :mod:`skyjo_server.storage.migrate` hands in."""

from alembic import context

from skyjo_server.storage.tournament_schema import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
with context.begin_transaction():
    context.run_migrations()
