"""What can be wrong with the embedded PostgreSQL, each error with the way out; it decides nothing.

::

    EmbeddedPostgresError
    ├── BinariesNotFound        no PostgreSQL on this machine, no wheel
    ├── VersionTooOld           PostgreSQL is there, older than the schema needs
    ├── VersionMismatch         the data directory was made by another major version
    ├── DataDirectoryRefused    not ours, or open to others
    ├── DataDirectoryBusy       somebody else's server runs in it
    ├── AccountUnusable         no account that PostgreSQL may run as
    ├── InitialisationFailed    initdb failed
    └── NotReady                the server did not come up, or not in time
"""

from __future__ import annotations


class EmbeddedPostgresError(Exception):
    """The embedded PostgreSQL cannot serve.

    Args:
        problem: what is wrong, with the offending value; no full stop at the end.
        way_out: what the reader can do about it, one sentence or more.
    """

    def __init__(self, problem: str, way_out: str) -> None:
        super().__init__(problem, way_out)
        self.problem = problem
        self.way_out = way_out

    def __str__(self) -> str:
        return f"{self.problem}. {self.way_out}"


class BinariesNotFound(EmbeddedPostgresError):
    """Neither the machine nor a wheel has `initdb` and `postgres`."""


class VersionTooOld(EmbeddedPostgresError):
    """Every PostgreSQL found is older than the oldest that the schema runs on."""


class VersionMismatch(EmbeddedPostgresError):
    """The data directory needs binaries of its own major version, and none are here."""


class DataDirectoryRefused(EmbeddedPostgresError):
    """The data directory is not ours, or others could change what is in it."""


class DataDirectoryBusy(EmbeddedPostgresError):
    """A PostgreSQL that we did not start, or cannot see, uses the data directory."""


class AccountUnusable(EmbeddedPostgresError):
    """PostgreSQL refuses to run as root, and the account to run it as cannot be used."""


class InitialisationFailed(EmbeddedPostgresError):
    """The new data directory could not be filled."""


class NotReady(EmbeddedPostgresError):
    """The server ended before it was ready, or was not ready in time."""


def error_named(name: str, problem: str, way_out: str) -> EmbeddedPostgresError:
    """Build the error that another process reported; an unknown name gives the base class."""
    known = {kind.__name__: kind for kind in EmbeddedPostgresError.__subclasses__()}
    return known.get(name, EmbeddedPostgresError)(problem, way_out)
