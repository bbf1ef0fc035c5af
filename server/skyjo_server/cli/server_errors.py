"""What the service raises before it answers anybody, as errors of the command line. Needs the server's dependencies."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from skyjo_server.cli.output import CommandFailed
from skyjo_server.postgres import EmbeddedPostgresError
from skyjo_server.service.errors import Unavailable


@contextmanager
def reported() -> Iterator[None]:
    """Turn what a database that cannot be used raises into a command's error."""
    try:
        yield
    except EmbeddedPostgresError as error:
        raise CommandFailed(str(error)) from error
    except Unavailable as error:
        raise CommandFailed(
            error.detail, "see that the database runs, and whether 'skyjo server migrate' is due"
        ) from error
