"""An event of as many games as one likes, in the tables of the service, as games would leave them. Ranks nobody."""

from __future__ import annotations

from typing import Final
from uuid import UUID

import psycopg

_AT_ONCE: Final = 50_000

_ENTRIES: Final = """
INSERT INTO tournament_entries (tournament_id, entry, house, name, tables)
SELECT %(event)s, e, 'threshold', 'threshold ' || e, 0 FROM generate_series(%(first)s::int, %(last)s::int - 1) e
"""

_STANDINGS: Final = """
INSERT INTO tournament_standings (tournament_id, entry, place, tally, standing, rating)
SELECT %(event)s, e, e + 1, s.tally, s.standing || jsonb_build_object('place', e + 1), s.rating
FROM generate_series(%(first)s::int, %(last)s::int - 1) e,
     (SELECT tally, standing, rating FROM tournament_standings WHERE tournament_id = %(event)s LIMIT 1) s
"""

_TABLES: Final = """
WITH made AS (
    INSERT INTO tournament_tables (
        tournament_id, round, number, attempt, own_deal, seats, game_id, outcome, totals, ranks, causes, complete,
        scored
    )
    SELECT %(event)s, 0, n, 0, true, ARRAY[n %% %(entries)s, (n + 1 + n / %(entries)s) %% %(entries)s],
           gen_random_uuid(), 'finished', ARRAY[40, 104], ARRAY[1, 2], ARRAY['finished', 'finished'], true, true
    FROM generate_series(%(from)s::int, %(to)s::int - 1) n
    RETURNING number, seats
)
INSERT INTO tournament_seats (tournament_id, entry, round, number, attempt)
SELECT DISTINCT %(event)s, s.entry, 0, made.number, 0 FROM made, unnest(made.seats) AS s(entry)
"""

_COUNT: Final = """
UPDATE tournaments
SET entries = %(entries)s, tables_total = %(games)s, tables_over = %(games)s, assessed = %(games)s
WHERE tournament_id = %(event)s
"""


def fill(conninfo: str, event: UUID, entries: int, games: int) -> None:
    """Fill an event that is over up to so many entries and games.

    Args:
        conninfo: the database.
        event: it has at least one entry, ranked, and fewer games than wanted.
        entries: how many it is to have.
        games: how many it is to have.
    """
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute("SET synchronous_commit = off")
        has = "SELECT entries, tables_total FROM tournaments WHERE tournament_id = %s"
        known, played = connection.execute(has, (event,)).fetchone() or (0, 0)
        values = {"event": event, "first": known, "last": entries, "entries": entries, "games": games}
        connection.execute(_ENTRIES, values)
        connection.execute(_STANDINGS, values)
        for start in range(played, games, _AT_ONCE):
            connection.execute(_TABLES, {**values, "from": start, "to": min(start + _AT_ONCE, games)})
        connection.execute(_COUNT, values)
        connection.execute("VACUUM (ANALYZE)")
