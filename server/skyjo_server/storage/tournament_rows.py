"""Rows of tournaments read into values, the same way wherever they are selected. Runs no statement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from sqlalchemy import Row, func

from skyjo_server.service.model import GameStatus
from skyjo_server.service.tournament_model import (
    EntryInfo,
    EntryStatus,
    Estimate,
    Progress,
    SequentialVerdict,
    StandingRow,
    TournamentInfo,
    TournamentStatus,
)
from skyjo_server.service.tournament_options import options_from_dict
from skyjo_server.service.tournament_ports import Assessment, GameEnd, StoredEntry, StoredTable
from skyjo_server.storage.tournament_schema import (
    TOURNAMENT_ENTRIES,
    TOURNAMENT_SECRETS,
    TOURNAMENT_STANDINGS,
    TOURNAMENTS,
)
from skyjo_server.tournaments.crosstable import Cell
from skyjo_server.tournaments.standings import Standing, TieBreak
from skyjo_server.tournaments.tally import Interval, from_numbers
from skyjo_server.tournaments.values import Cause, Outcome, Table, TableResult

AnyRow = Row[*tuple[Any, ...]]

EVENT_COLUMNS: Final = (*TOURNAMENTS.c, TOURNAMENT_SECRETS.c.seed, func.clock_timestamp().label("now"))
"""What :func:`read_event` reads of a row of `tournaments` joined with its secrets."""

STANDING_COLUMNS: Final = (
    TOURNAMENT_STANDINGS.c.place,
    TOURNAMENT_STANDINGS.c.tally,
    TOURNAMENT_STANDINGS.c.standing,
    TOURNAMENT_STANDINGS.c.rating,
    TOURNAMENT_ENTRIES.c.entry,
    TOURNAMENT_ENTRIES.c.name,
    TOURNAMENT_ENTRIES.c.bot_id,
    TOURNAMENT_ENTRIES.c.house,
    TOURNAMENT_ENTRIES.c.status,
)
"""What :func:`read_standing` reads of a row of the standings joined with its entry."""


def read_event(row: AnyRow) -> TournamentInfo:
    """An event as everybody may see it: its seed only once it is revealed."""
    rest = row.boards_commitment
    return TournamentInfo(
        id=row.tournament_id,
        status=TournamentStatus(row.status),
        new=options_from_dict(row.options),
        entries=row.entries,
        progress=Progress(row.round, row.rounds, row.tables_total, row.tables_over, row.tables_playing),
        commitment=bytes(row.commitment),
        boards_commitment=None if rest is None else bytes(rest),
        seed=bytes(row.seed) if row.revealed else None,
        version=row.version,
        created_at=row.created_at,
        started_at=row.started_at,
        finished_at=row.finished_at,
        verdict=None if row.verdict is None else SequentialVerdict(**row.verdict),
        rated=row.assessed == row.tables_over,
    )


def read_entry(row: AnyRow) -> EntryInfo:
    """An entry from the columns of its table."""
    return EntryInfo(
        number=row.entry,
        bot_id=row.bot_id,
        house=row.house,
        name=row.name,
        status=EntryStatus(row.status),
        reason=row.reason,
        since_round=row.since_round,
        entered_at=row.entered_at,
    )


def read_stored_entry(row: AnyRow) -> StoredEntry:
    """An entry with what only the service knows."""
    return StoredEntry(read_entry(row), row.owner_id, row.absences, row.tables)


def read_table(row: AnyRow) -> StoredTable:
    """A table from the columns of `tournament_tables`."""
    table = Table(row.round, row.number, row.board, tuple(row.seats))
    outcome = Outcome(row.outcome)
    over = outcome not in {Outcome.SCHEDULED, Outcome.PLAYING}
    return StoredTable(table, row.attempt, row.own_deal, row.game_id, outcome, _result(row, table) if over else None)


def _result(row: AnyRow, table: Table) -> TableResult:
    return TableResult(
        table=table,
        outcome=Outcome(row.outcome),
        totals=None if row.totals is None else tuple(row.totals),
        ranks=None if row.ranks is None else tuple(row.ranks),
        causes=tuple(Cause(cause) for cause in row.causes or ()),
        complete=bool(row.complete),
    )


def read_standing(row: AnyRow) -> StandingRow:
    """A row of the standings."""
    made, assessed = row.standing, row.rating or {}
    interval = assessed.get("interval") or made["interval"]
    return StandingRow(
        rank=row.place,
        entry=row.entry,
        name=row.name,
        bot_id=row.bot_id,
        house=row.house,
        status=EntryStatus(row.status),
        score=made["score"],
        interval=None if interval is None else Interval(*interval),
        decided_by=None if made["decided_by"] is None else TieBreak(made["decided_by"]),
        buchholz=made["buchholz"],
        tally=from_numbers(row.tally),
        rating=Estimate(**assessed["rating"]) if assessed else None,
    )


def read_game_end(row: AnyRow) -> GameEnd:
    """How the game of a table ended, from its status, its result and whether any bot ever acted."""
    result = row.game_result
    return GameEnd(
        status=GameStatus(row.game_status),
        totals=tuple(result["totals"]),
        ranks=None if result["ranks"] is None else tuple(result["ranks"]),
        causes=tuple(map(Cause, result["causes"])),
        begun=row.begun,
    )


def standing_row(standing: Standing) -> dict[str, Any]:
    """What is kept of a row of the ranking beside its place and its tally."""
    return {
        "score": standing.score,
        "interval": None if standing.interval is None else list(standing.interval),
        "decided_by": standing.decided_by,
        "buchholz": standing.buchholz,
    }


NO_STANDING: Final[Mapping[str, Any]] = {"score": None, "interval": None, "decided_by": None, "buchholz": None}
"""That of an entry that has not been ranked yet."""


def read_cell(row: AnyRow) -> Cell:
    """A cell of the crosstable."""
    return Cell(row.tables, row.halves, row.margin)


def result_columns(stored: StoredTable) -> dict[str, Any]:
    """What is written of how a table ended."""
    result = stored.result
    assert result is not None  # noqa: S101 - only tables that are over are written
    return {
        "outcome": result.outcome.value,
        "totals": None if result.totals is None else list(result.totals),
        "ranks": None if result.ranks is None else list(result.ranks),
        "causes": [cause.value for cause in result.causes],
        "complete": result.complete,
    }


def rating_row(assessment: Assessment, entry: int) -> dict[str, Any]:
    """What is kept of an assessment for one entry."""
    interval = assessment.intervals.get(entry)
    return {
        "rating": asdict(assessment.ratings[entry]),
        "interval": None if interval is None else list(interval),
    }
