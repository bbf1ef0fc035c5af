"""Tournaments as people read them in a terminal, and as programs read them. Asks for nothing, ranks nobody."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any, Final

from rich.console import Console, RenderableType
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Column, Table

from skyjo import RuleSet
from skyjo_client import (
    CauseCounts,
    Crosstable,
    CrosstableCell,
    Entry,
    EntryStatus,
    Leader,
    Scoring,
    TableOutcome,
    TableSeat,
    TieBreak,
    Tournament,
    TournamentOptions,
    TournamentStanding,
    TournamentTable,
)
from skyjo_server.cli.output import OUT

_ID_CHARACTERS: Final = 36
_PIPE_CELLS: Final = 1000


def plain(value: object) -> Any:
    """A value of the SDK as JSON has it; a tournament's options stand beside its other members, as in the API."""
    match value:
        case RuleSet():
            return value.to_dict()
        case datetime():
            return value.isoformat()
        case Mapping():
            return {name: plain(member) for name, member in value.items()}
        case tuple() | list():
            return [plain(item) for item in value]
        case Tournament():
            return {**plain(value.options), **{name: item for name, item in _members(value) if name != "options"}}
        case _:
            return dict(_members(value)) if is_dataclass(value) else value


def tournament_lines(seen: Tournament) -> str:
    """What a tournament is and how far it has come, a few lines."""
    options, progress = seen.options, seen.progress
    lines = [
        f"[bold]{escape(options.name)}[/bold]   {seen.id}",
        _shape(options),
        f"[bold]{seen.status}[/bold]   {seen.entries} entries   {progress_words(seen)}",
        f"commitment  {seen.commitment}",
    ]
    if seen.boards_commitment is not None:
        lines.append(f"boards      {seen.boards_commitment}")
    if seen.seed is not None:
        lines.append(f"seed        {seen.seed}")
    if progress.tables_playing:
        lines.append(f"{progress.tables_playing} tables in play")
    if seen.verdict is not None:
        lines.append(verdict_words(seen))
    return "\n".join(lines)


def progress_words(seen: Tournament) -> str:
    """How many rounds and tables are over."""
    progress = seen.progress
    of = "" if progress.rounds is None else f" of {progress.rounds}"
    at = "" if progress.round is None else f"round {progress.round + 1}{of}, "
    return f"{at}{progress.tables_over} of {progress.tables_total} tables over"


def verdict_words(seen: Tournament) -> str:
    """Where the sequential test stands; empty without one."""
    verdict = seen.verdict
    if verdict is None:
        return ""
    found = {"first": "entry 0 is better", "not-first": "entry 0 is not better"}.get(verdict.decision, "undecided")
    bounds = f"{verdict.low:.2f} to {verdict.high:.2f}"
    return f"sequential test: {found}, log likelihood ratio {verdict.llr:.2f} ({bounds}) after {verdict.boards} boards"


def tournaments_table(tournaments: Iterable[Tournament]) -> Table:
    """One line for each tournament."""
    table = Table(_id_column("id"), "name", "format", "status", "entries", "tables over", "created")
    for seen in tournaments:
        progress = seen.progress
        over = f"{progress.tables_over} of {progress.tables_total}"
        figures = (seen.status, str(seen.entries), over, f"{seen.created_at:%Y-%m-%d %H:%M}")
        table.add_row(seen.id, escape(seen.options.name), seen.options.format, *figures)
    return table


def entries_table(entries: Iterable[Entry]) -> Table:
    """One line for each entry."""
    table = Table("entry", "name", _id_column("plays for"), "status", "since round", "reason")
    for entry in entries:
        who = "the house" if entry.bot is None else entry.bot
        since, reason = str(entry.since_round + 1), escape(entry.reason or "")
        table.add_row(str(entry.number), escape(entry.name), who, entry.status, since, reason)
    return table


def schedule_table(tables: Iterable[TournamentTable]) -> Table:
    """One line for each table of the schedule: what may be known of it."""
    table = Table("round", "table", "board", "seats: points", "outcome", _id_column("game"))
    for one in tables:
        number = f"{one.table}" + (f" (replay {one.attempt})" if one.attempt else "")
        board = "" if one.board is None else str(one.board)
        seats = ", ".join(map(_seat, one.seats))
        table.add_row(str(one.round + 1), number, board, seats, _outcome(one), one.game or "")
    return table


def standings_table(rows: Sequence[TournamentStanding], options: TournamentOptions, title: str = "standings") -> Table:
    """The ranking; columns that say nothing here are left out."""
    columns: dict[str, list[str]] = {
        "": [str(row.rank) for row in rows],
        "entry": list(map(_name, rows)),
        "score": [_number(row.score) for row in rows],
        "95 % of a table": list(map(_bounds, rows)),
        "tables": [str(row.tables) for row in rows],
        "wins": [f"{row.wins}" + (f" + {row.shared} shared" if row.shared else "") for row in rows],
        "points": [_number(row.points, 1) for row in rows],
        "match points": [_number(row.match_points) for row in rows] if options.scoring is Scoring.POINTS else [],
        "Buchholz": [_number(row.buchholz) for row in rows],
        "byes": [str(row.byes or "") for row in rows],
        "rating (95 %)": list(map(_rating, rows)),
        "ended otherwise": [_troubles(row.causes) for row in rows],
        "tie-break": [_tie_break(row) for row in rows],
    }
    shown = {head: cells for head, cells in columns.items() if any(cells)}
    table = Table(title=title, title_justify="left")
    for head in shown:
        table.add_column(head, no_wrap=head == "entry")
    for cells in zip(*shown.values(), strict=True):
        table.add_row(*cells)
    return table


def crosstable_table(crosstable: Crosstable) -> Table:
    """Who did what against whom: match points of tables, and the mean lead in points."""
    heads = [str(row.rank) for row in crosstable.entries]
    table = Table("", "entry", "score", *heads, title="score of tables, lead a table", title_justify="left")
    for row, cells in zip(crosstable.entries, crosstable.cells, strict=True):
        shown = [
            "·" if other.entry == row.entry else _cell(cell)
            for other, cell in zip(crosstable.entries, cells, strict=True)
        ]
        table.add_row(str(row.rank), escape(row.name), _number(row.score), *shown)
    return table


def leaderboard_table(leaders: Iterable[Leader]) -> Table:
    """One line for each bot."""
    table = Table("", "bot", "rating", "mu", "sigma", "games")
    for row in leaders:
        figures = (f"{row.rating:.2f}", f"{row.mu:.2f}", f"{row.sigma:.2f}", str(row.games))
        table.add_row(str(row.rank), escape(row.name), *figures)
    return table


def print_wide(shown: RenderableType) -> None:
    """Print tables, in a pipe as wide as they are."""
    if OUT.is_terminal:
        OUT.print(shown)
        return
    wide = Measurement.get(OUT, OUT.options.update(max_width=_PIPE_CELLS), shown).maximum
    Console(highlight=False, width=max(wide, OUT.width)).print(shown)


def _id_column(head: str) -> Column:
    """An id is there to be copied, so it is never cut."""
    return Column(head, min_width=_ID_CHARACTERS, no_wrap=True)


def _members(value: Any) -> Iterable[tuple[str, Any]]:
    return ((member.name, plain(getattr(value, member.name))) for member in fields(value))


def _shape(options: TournamentOptions) -> str:
    boards = "duplicate boards" if options.duplicate else "games"
    meeting = f"{options.format}, tables of {options.table_size}, {options.boards} {boards} a meeting"
    clock = f"{options.move_seconds:g} s a move and {options.bank_seconds:g} s to spare"
    return f"{meeting}, by {options.scoring}; rules: {_rules(options)}; {clock}"


def _rules(options: TournamentOptions) -> str:
    usual = RuleSet().to_dict()
    other = {name: value for name, value in options.rules.to_dict().items() if value != usual[name]}
    return options.rules.name or "classic with " + ", ".join(f"{name}={value}" for name, value in other.items())


def _outcome(table: TournamentTable) -> str:
    if table.outcome is TableOutcome.FINISHED and table.embargoed:
        return "finished, embargoed"
    return f"{table.outcome}, left out" if table.complete is False else table.outcome


def _seat(seat: TableSeat) -> str:
    total = "" if seat.total is None else f": {seat.total}"
    cause = "" if seat.cause in {None, "finished"} else f" ({seat.cause})"
    return f"{escape(seat.name)}{total}{cause}"


def _name(row: TournamentStanding) -> str:
    gone = "" if row.status is EntryStatus.ACTIVE else f" ({row.status})"
    return escape(row.name) + gone


def _tie_break(row: TournamentStanding) -> str:
    return "" if row.decided_by in {None, TieBreak.SCORE} else str(row.decided_by)


def _bounds(row: TournamentStanding) -> str:
    return "" if row.interval is None else f"{row.interval.low:.2f} to {row.interval.high:.2f}"


def _rating(row: TournamentStanding) -> str:
    found = row.rating
    return "" if found is None else f"{found.value:.0f} ({found.low:.0f} to {found.high:.0f})"


def _troubles(causes: CauseCounts) -> str:
    counted = {"timeout": causes.timeout, "forfeit": causes.forfeit, "no-show": causes.no_show}
    counted |= {"resigned": causes.resigned, "void": causes.void}
    return ", ".join(f"{count} {cause}" for cause, count in counted.items() if count)


def _cell(cell: CrosstableCell | None) -> str:
    return "" if cell is None else f"{cell.score:g}/{cell.tables} {cell.margin / max(cell.tables, 1):+.1f}"


def _number(value: float | None, digits: int = 2) -> str:
    return "" if value is None else f"{value:.{digits}f}"
