"""Standings and crosstable as CSV (RFC 4180, UTF-8), for spreadsheets. Reads the forms of the API, and ranks nobody."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

Plain = Mapping[str, Any]

STANDING_COLUMNS: Final = (
    "rank",
    "entry",
    "name",
    "bot",
    "house",
    "status",
    "score",
    "interval.low",
    "interval.high",
    "decided_by",
    "buchholz",
    "tables",
    "wins",
    "shared",
    "byes",
    "boards",
    "match_points",
    "points",
    "causes.finished",
    "causes.timeout",
    "causes.forfeit",
    "causes.no_show",
    "causes.resigned",
    "causes.void",
    "rating.value",
    "rating.low",
    "rating.high",
)
"""The members of a `Standing` in a sheet, those of inner objects after a dot; what is null is an empty cell."""


def standings_sheet(rows: Iterable[Plain]) -> str:
    r"""Write standings as a sheet.

    Args:
        rows: each a `Standing`, from :func:`skyjo_server.service.tournament_notation.standing_to_dict`.

    >>> standings_sheet([]).startswith("rank,entry,name,")
    True
    """
    return _sheet([STANDING_COLUMNS, *([_member(row, column) for column in STANDING_COLUMNS] for row in rows)])


def crosstable_sheet(table: Plain) -> str:
    r"""Write a crosstable as a sheet: a row for each entry, and a column for each that it may have met.

    Args:
        table: a `Crosstable`, from :func:`skyjo_server.service.tournament_notation.crosstable_to_dict`.
    Returns:
        the cells say how many match points were won at how many tables, and are empty for those that have not met.

    >>> cell = {"tables": 6, "score": 3.5, "margin": -12}
    >>> entries = [{"rank": 1, "entry": 4, "name": "ada", "score": 0.5}]
    >>> crosstable_sheet({"entries": entries, "cells": [[cell]]})
    'rank,entry,name,score,4 ada\r\n1,4,ada,0.5,3.5 of 6\r\n'
    """
    entries = table["entries"]
    heads = ["rank", "entry", "name", "score", *(f"{row['entry']} {row['name']}" for row in entries)]
    rows = (
        [row["rank"], row["entry"], row["name"], row["score"], *map(_encounter, cells)]
        for row, cells in zip(entries, table["cells"], strict=True)
    )
    return _sheet([heads, *rows])


def _encounter(cell: Plain | None) -> str | None:
    return None if cell is None else f"{cell['score']:g} of {cell['tables']}"


def _member(row: Plain, column: str) -> object:
    name, _, inner = column.partition(".")
    value = row[name]
    return value[inner] if inner and value is not None else value


def _sheet(rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue()
