"""Tournaments as plain data, JSON-ready: what the API answers is what an archive holds. Computes nothing.

The members of each are described in `openapi.yaml`, under the name that its function says.
"""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any

from skyjo_server.service.timestamps import timestamp
from skyjo_server.service.tournament_model import (
    Crosstable,
    EntryInfo,
    Estimate,
    LeaderboardRow,
    SequentialVerdict,
    StandingRow,
    TableInfo,
    TableSeat,
    TournamentEvent,
    TournamentEventPage,
    TournamentInfo,
)
from skyjo_server.tournaments.crosstable import Cell
from skyjo_server.tournaments.tally import CAUSES, Interval
from skyjo_server.tournaments.values import Scoring

Plain = dict[str, Any]


def tournament_to_dict(info: TournamentInfo) -> Plain:
    """A `Tournament`."""
    new = info.new
    return {
        "id": str(info.id),
        "name": new.name,
        "status": info.status.value,
        **_options_to_dict(info),
        "entries": info.entries,
        "progress": asdict(info.progress),
        "commitment": info.commitment.hex(),
        "boards_commitment": _hex(info.boards_commitment),
        "seed": _hex(info.seed),
        "version": info.version,
        "created_at": timestamp(info.created_at),
        "started_at": _moment(info.started_at),
        "finished_at": _moment(info.finished_at),
        "verdict": None if info.verdict is None else verdict_to_dict(info.verdict),
        "rated": info.rated,
    }


def _options_to_dict(info: TournamentInfo) -> Plain:
    """What was asked for when it was created; its shape and its clock have no level of their own."""
    new, clock = info.new, info.new.clock
    return {
        **asdict(new.shape),
        "preset": new.rules.name,
        "rules": new.rules.to_dict(),
        "move_seconds": clock.move_seconds,
        "bank_seconds": clock.bank_seconds,
        "on_timeout": clock.on_timeout.value,
        "max_timeouts": clock.max_timeouts,
        "house": list(new.house),
        "filler": new.filler,
        "start_at": _moment(new.start_at),
        "start_when_full": new.start_when_full,
        "closes_at": _moment(new.closes_at),
        "late_entry": new.late_entry,
    }


def verdict_to_dict(verdict: SequentialVerdict) -> Plain:
    """A `SequentialVerdict`."""
    return asdict(verdict)


def entry_to_dict(entry: EntryInfo) -> Plain:
    """An `Entry`."""
    return {
        "number": entry.number,
        "bot": _text(entry.bot_id),
        "house": entry.house,
        "name": entry.name,
        "status": entry.status.value,
        "reason": entry.reason,
        "since_round": entry.since_round,
        "entered_at": timestamp(entry.entered_at),
    }


def table_to_dict(table: TableInfo) -> Plain:
    """A `TournamentTable`."""
    return {
        "round": table.round,
        "table": table.table,
        "attempt": table.attempt,
        "board": table.board,
        "seats": [_seat_to_dict(seat) for seat in table.seats],
        "game": _text(table.game_id),
        "outcome": table.outcome.value,
        "embargoed": table.embargoed,
        "complete": table.complete,
    }


def _seat_to_dict(seat: TableSeat) -> Plain:
    return {
        "entry": seat.entry,
        "name": seat.name,
        "bot": _text(seat.bot_id),
        "total": seat.total,
        "rank": seat.rank,
        "cause": None if seat.cause is None else seat.cause.value,
    }


def standing_to_dict(row: StandingRow, table_size: int) -> Plain:
    """A `Standing`.

    Args:
        row: a row of the ranking.
        table_size: how many seats the tables of the event have.
    """
    tally = row.tally
    return {
        "rank": row.rank,
        "entry": row.entry,
        "name": row.name,
        "bot": _text(row.bot_id),
        "house": row.house,
        "status": row.status.value,
        "score": row.score,
        "interval": _interval_to_dict(row.interval),
        "decided_by": None if row.decided_by is None else row.decided_by.value,
        "buchholz": row.buchholz,
        "tables": tally.tables,
        "wins": tally.wins,
        "shared": tally.shared,
        "byes": tally.byes,
        "boards": tally.boards,
        "match_points": tally.mean(Scoring.RANKS, table_size),
        "points": tally.mean(Scoring.POINTS, table_size),
        "causes": {cause.value.replace("-", "_"): tally.count(cause) for cause in CAUSES},
        "seats": [*tally.seats, *(0 for _ in range(table_size - len(tally.seats)))],
        "rating": _estimate_to_dict(row.rating),
    }


def crosstable_to_dict(table: Crosstable, table_size: int) -> Plain:
    """A `Crosstable`; `table_size` as above."""
    return {
        "entries": [standing_to_dict(row, table_size) for row in table.entries],
        "cells": [[_cell_to_dict(cell) for cell in row] for row in table.cells],
    }


def _cell_to_dict(cell: Cell | None) -> Plain | None:
    return None if cell is None else {"tables": cell.tables, "score": cell.halves / 2, "margin": cell.margin}


def tournament_event_page_to_dict(page: TournamentEventPage) -> Plain:
    """A `TournamentEventPage`."""
    return {
        "events": [tournament_event_to_dict(page, event) for event in page.events],
        "version": page.version,
        "status": page.status.value,
    }


def tournament_event_to_dict(page: TournamentEventPage, event: TournamentEvent) -> Plain:
    """A `TournamentEvent` of a page."""
    return {
        "tournament": str(page.tournament_id),
        "version": event.version,
        "kind": event.kind,
        "at": timestamp(event.at),
        "data": dict(event.data),
    }


def leader_to_dict(row: LeaderboardRow) -> Plain:
    """A `Leader`."""
    return {
        "rank": row.rank,
        "bot": _text(row.bot_id),
        "house": row.house,
        "name": row.name,
        "rating": row.rating,
        "mu": row.mu,
        "sigma": row.sigma,
        "games": row.games,
    }


def _interval_to_dict(interval: Interval | None) -> Plain | None:
    return None if interval is None else {"low": interval.low, "high": interval.high}


def _estimate_to_dict(estimate: Estimate | None) -> Plain | None:
    return None if estimate is None else asdict(estimate)


def _hex(value: bytes | None) -> str | None:
    return None if value is None else value.hex()


def _moment(at: datetime | None) -> str | None:
    return None if at is None else timestamp(at)


def _text(identity: object | None) -> str | None:
    return None if identity is None else str(identity)
