"""What has been gathered in an event, under its lock: tallies, crosstable, ranking, live ratings. Scores nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

import orjson
from sqlalchemy import Connection, select, text

from skyjo_server.service.tournament_schedule import HOUSE
from skyjo_server.storage.tournament_rows import read_cell, standing_row
from skyjo_server.storage.tournament_schema import TOURNAMENT_PAIRS, TOURNAMENT_STANDINGS
from skyjo_server.tournaments.crosstable import Cell, Crosstable
from skyjo_server.tournaments.live import LiveRating
from skyjo_server.tournaments.standings import Standing
from skyjo_server.tournaments.tally import Tally, from_numbers, to_numbers

_SAVE_TALLIES: Final = text("""
UPDATE tournament_standings s SET tally = t.tally
FROM json_to_recordset(CAST(:rows AS json)) AS t(entry int, tally jsonb)
WHERE s.tournament_id = :id AND s.entry = t.entry
""")

_ADD_PAIRS: Final = text("""
INSERT INTO tournament_pairs AS p (tournament_id, entry, other, tables, halves, margin)
SELECT :id, c.entry, c.other, c.tables, c.halves, c.margin
FROM json_to_recordset(CAST(:rows AS json)) AS c(entry int, other int, tables int, halves int, margin int)
ON CONFLICT (tournament_id, entry, other) DO UPDATE
SET tables = p.tables + excluded.tables, halves = p.halves + excluded.halves, margin = p.margin + excluded.margin
""")

_RANK: Final = text("""
UPDATE tournament_standings s SET place = r.place, standing = r.standing
FROM json_to_recordset(CAST(:rows AS json)) AS r(entry int, place int, standing jsonb)
WHERE s.tournament_id = :id AND s.entry = r.entry AND (s.place, s.standing) IS DISTINCT FROM (r.place, r.standing)
""")

_RATINGS: Final = text("""
SELECT player, mu, sigma, games FROM ratings WHERE player = ANY(:players) ORDER BY player FOR UPDATE
""")

_SAVE_RATINGS: Final = text("""
INSERT INTO ratings (player, bot_id, house, mu, sigma, shown, games)
SELECT r.player, r.bot_id, r.house, r.mu, r.sigma, r.shown, r.games
FROM json_to_recordset(CAST(:rows AS json)) AS r(
    player text, bot_id uuid, house text, mu float8, sigma float8, shown float8, games int
)
ORDER BY r.player
ON CONFLICT (player) DO UPDATE
SET mu = excluded.mu, sigma = excluded.sigma, shown = excluded.shown, games = excluded.games
""")


class ScoreBook:
    """The part of a book that is about scores.

    Args:
        connection: in a transaction that holds the event's lock.
        tournament_id: the event.
    """

    def __init__(self, connection: Connection, tournament_id: UUID) -> None:
        self._connection = connection
        self._id = tournament_id

    def tallies(self) -> Mapping[int, Tally]:
        """What every entry has gathered."""
        return self._tallies(None)

    def add_scores(self, tallies: Mapping[int, Tally], met: Crosstable) -> None:
        """Add to what entries have gathered, and to the crosstable."""
        sums = {entry: kept + tallies[entry] for entry, kept in self._tallies([*tallies]).items()}
        rows = [{"entry": entry, "tally": to_numbers(tally)} for entry, tally in sums.items()]
        self._run(_SAVE_TALLIES, rows)
        self._run(
            _ADD_PAIRS,
            [
                _pair_row(entry, other, cell)
                for entry, cells in met.items()
                for other, cell in cells.items()
                if entry < other
            ],
        )

    def met(self) -> Crosstable:
        """The crosstable of all entries."""
        return read_pairs(self._connection, self._id, None)

    def write_ranks(self, rows: Sequence[Standing]) -> None:
        """Write the ranking, in order."""
        self._run(_RANK, [{"entry": row.entry, "place": row.place, "standing": standing_row(row)} for row in rows])

    def ratings(self, players: Iterable[str]) -> Mapping[str, LiveRating]:
        """Live ratings, locked until the end, in an order that lets nobody wait for one who waits for him."""
        found = self._connection.execute(_RATINGS, {"players": sorted(set(players))})
        return {row.player: LiveRating(row.mu, row.sigma, row.games) for row in found}

    def save_ratings(self, ratings: Mapping[str, LiveRating]) -> None:
        """Write live ratings."""
        self._run(_SAVE_RATINGS, [_rating_row(player, rated) for player, rated in ratings.items()])

    def _tallies(self, entries: Sequence[int] | None) -> dict[int, Tally]:
        table = TOURNAMENT_STANDINGS.c
        wanted = select(table.entry, table.tally).where(table.tournament_id == self._id)
        if entries is not None:
            wanted = wanted.where(table.entry.in_(entries))
        return {row.entry: from_numbers(row.tally) for row in self._connection.execute(wanted)}

    def _run(self, statement: Any, rows: Sequence[Mapping[str, Any]]) -> None:
        """One statement for many rows, which travel as one text."""
        if rows:
            self._connection.execute(statement, {"id": self._id, "rows": orjson.dumps(rows).decode()})


def read_pairs(connection: Connection, tournament_id: UUID, entries: Sequence[int] | None) -> Crosstable:
    """The crosstable of some entries, or all, from both sides."""
    table = TOURNAMENT_PAIRS.c
    wanted = select(TOURNAMENT_PAIRS).where(table.tournament_id == tournament_id)
    if entries is not None:
        wanted = wanted.where(table.entry.in_(entries), table.other.in_(entries))
    cells: dict[int, dict[int, Cell]] = {}
    for row in connection.execute(wanted):
        cell = read_cell(row)
        cells.setdefault(row.entry, {})[row.other] = cell
        cells.setdefault(row.other, {})[row.entry] = cell.mirrored
    return cells


def _pair_row(entry: int, other: int, cell: Cell) -> dict[str, int]:
    return {"entry": entry, "other": other, "tables": cell.tables, "halves": cell.halves, "margin": cell.margin}


def _rating_row(player: str, rated: LiveRating) -> dict[str, Any]:
    house = player.removeprefix(HOUSE) if player.startswith(HOUSE) else None
    return {
        "player": player,
        "bot_id": player if house is None else None,
        "house": house,
        "mu": rated.mean,
        "sigma": rated.deviation,
        "shown": rated.shown,
        "games": rated.games,
    }
