"""An embedded PostgreSQL: real, private, shared by the processes that use it, and gone when the last of them is.

It knows nothing of games, tables or HTTP: it hands out a connection string. Who starts, watches and ends whom::

    user A ──┐ channel            a Unix socket that the kernel closes when a user ends, however it ends
    user B ──┼──────────► supervisor ──────────► postmaster ──► backends …
    user C ──┘            one per data           SIGINT (a clean shutdown) from
                          directory, own         the kernel when its supervisor ends
                          session, init's
                          child

* The first user starts the supervisor; others find it (`joining`). After the last one it stops the server and ends
  (`supervisor`). A supervisor that is killed is missed by its users, who start another (`membership`).
* A postmaster that dies is started again, with back-off, for as long as there are users (`keeper`).
* Everything is decided by file locks and open sockets, which the kernel takes back from the dead, and nothing by
  process ids in files, which outlive them (`locks`, `processes`).
* PostgreSQL never runs as root: see `identity` for whom it runs as, `binaries` for where its programs come from,
  `home` and `runtime` for where its files and sockets lie.

>>> from pathlib import Path
>>> from skyjo_server.postgres import EmbeddedPostgres
>>> EmbeddedPostgres(Path("/srv/skyjo"))
EmbeddedPostgres(PosixPath('/srv/skyjo'))
"""

from skyjo_server.postgres.embedded import EmbeddedPostgres, database_url
from skyjo_server.postgres.errors import (
    AccountUnusable,
    BinariesNotFound,
    DataDirectoryBusy,
    DataDirectoryRefused,
    EmbeddedPostgresError,
    InitialisationFailed,
    NotReady,
    VersionMismatch,
    VersionTooOld,
)

__all__ = [
    "AccountUnusable",
    "BinariesNotFound",
    "DataDirectoryBusy",
    "DataDirectoryRefused",
    "EmbeddedPostgres",
    "EmbeddedPostgresError",
    "InitialisationFailed",
    "NotReady",
    "VersionMismatch",
    "VersionTooOld",
    "database_url",
]
