"""A user of an embedded PostgreSQL: says how to reach it, stays until its standard input ends, and then just exits.

It speaks one JSON object a line. Arguments: the data directory.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from skyjo_server.postgres import EmbeddedPostgres, EmbeddedPostgresError


def main(data_dir: str) -> None:
    server = EmbeddedPostgres(Path(data_dir))
    try:
        server.start()
    except EmbeddedPostgresError as error:
        print(json.dumps({"error": type(error).__name__, "text": str(error)}), flush=True)
        return
    print(json.dumps({"dsn": server.dsn, "superuser_dsn": server.superuser_dsn}), flush=True)
    sys.stdin.read()


main(sys.argv[1])
