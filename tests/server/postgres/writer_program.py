"""A user that writes numbers 0, 1, 2 … into a table, and says each one once its commit was acknowledged.

A commit whose answer was lost is tried again under the same number, until the server says that the number is there.
Arguments: the data directory.
"""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

import psycopg

from skyjo_server.postgres import EmbeddedPostgres, EmbeddedPostgresError


def numbers_in(server: EmbeddedPostgres, first: int) -> int:
    """Write numbers from the first on until the connection breaks; give the first that was not acknowledged."""
    number = first
    try:
        with psycopg.connect(server.dsn, autocommit=True) as connection:
            for number in itertools.count(first):
                connection.execute("INSERT INTO numbers VALUES (%s) ON CONFLICT DO NOTHING", (number,))
                print(number, flush=True)
    except (psycopg.OperationalError, EmbeddedPostgresError):
        return number
    return number


def main(data_dir: str) -> None:
    with EmbeddedPostgres(Path(data_dir)) as server:
        with psycopg.connect(server.dsn) as connection:
            connection.execute("CREATE TABLE IF NOT EXISTS numbers (number integer PRIMARY KEY)")
        number = 0
        while True:
            number = numbers_in(server, number)


main(sys.argv[1])
