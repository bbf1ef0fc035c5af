"""Auditing an event from its archive: schedule, scores and ranking are made anew and compared. Proves no game.

:mod:`skyjo.proof` proves what the schedule and the scores are made from: seed, log, games and results.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import zip_longest
from typing import Any, Final

from skyjo.archive import ArchivedTable, EventArchive, LoggedStep, Pairing
from skyjo.boards import lots
from skyjo.errors import InvalidText
from skyjo.reading import flag, quoted
from skyjo_server.tournaments.crosstable import crosstable, encounters
from skyjo_server.tournaments.formats import first_rounds, next_round
from skyjo_server.tournaments.knockout import levels_won
from skyjo_server.tournaments.pairing import can_pair
from skyjo_server.tournaments.points import blocks_of, points_of
from skyjo_server.tournaments.scoring import SeatScore, score_board
from skyjo_server.tournaments.standings import Standing, ranked
from skyjo_server.tournaments.tally import Tally
from skyjo_server.tournaments.values import (
    RANK_LOTS,
    Cause,
    Entry,
    Format,
    InvalidShape,
    Lots,
    Outcome,
    Round,
    Scoring,
    Sequential,
    Shape,
    Table,
    TableResult,
    Unit,
)

_IN_STEPS: Final = (Format.SWISS, Format.KNOCKOUT)
_NEARLY: Final = 1e-9


def audit(event: EventArchive, standings: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Make the schedule and the standings of an event that is over anew; give a sentence for each difference.

    Raises:
        InvalidText: if its options are not those of an event.
    """
    shape = _bounded(shape_of(event.options), event)
    schedule = _Schedule(event, shape)
    for step in event.log:
        yield from schedule.add(step)
    yield from _ranking_faults(event, shape, schedule, standings)


def is_made_anew(shape: Shape) -> bool:
    """Say whether an audit makes the schedule anew: no ladder's, nor in a base installation that of a Swiss of two."""
    if shape.format is Format.SWISS and shape.table_size == 2:
        return can_pair()
    return shape.format is not Format.LADDER


def shape_of(options: Mapping[str, Any]) -> Shape:
    """The shape among the options of an event.

    Raises:
        InvalidText: if it cannot be.
    """
    members = {member.name: options.get(member.name, member.default) for member in fields(Shape)}
    try:
        for name in ("duplicate", "seeded"):
            flag(name, members[name])
        members["format"], members["scoring"] = Format(members["format"]), Scoring(members["scoring"])
        if members["sequential"] is not None:
            test = dict(members["sequential"])
            members["sequential"] = Sequential(**{**test, "unit": Unit(test["unit"])})
        return Shape(**members)
    except (InvalidShape, KeyError, TypeError, ValueError) as error:
        raise InvalidText(f"tournament.json has options of no event: {error}") from error


def _bounded(shape: Shape, event: EventArchive) -> Shape:
    """The same shape, with no room for more meetings than the log has: whoever made the archive may mean ill.

    Raises:
        InvalidText: if the log has not even the games of a single meeting.
    """
    if shape.format in _IN_STEPS or shape.format is Format.LADDER:
        return shape
    paired = sum(len(step.pairing.tables) for step in event.log if step.pairing is not None)
    meetings = paired // (shape.boards * (shape.rounds or 1))
    if paired and not meetings:
        raise InvalidText(f"the log pairs {paired} tables, fewer than one meeting has")
    return replace(shape, tables_max=max(1, min(shape.tables_max, meetings)))


def results_of(event: EventArchive) -> list[TableResult]:
    """The results that count: of each table the last attempt."""
    last: dict[tuple[int, int], ArchivedTable] = {}
    for table in sorted(event.tables, key=lambda table: table.attempt):
        last[table.key[:2]] = table
    return [_result(table) for _, table in sorted(last.items())]


def _result(table: ArchivedTable) -> TableResult:
    counts = table.outcome == "finished"
    return TableResult(
        table=Table(table.round, table.table, table.board, table.entries),
        outcome=Outcome(table.outcome),
        totals=tuple(seat.total or 0 for seat in table.seats) if counts else None,
        ranks=tuple(seat.rank or 0 for seat in table.seats) if counts else None,
        causes=tuple(Cause(seat.cause or Cause.VOID) for seat in table.seats),
        complete=bool(table.complete),
    )


class _Schedule:
    """The rounds of an event as its log tells them, each compared with the one that must have come."""

    def __init__(self, event: EventArchive, shape: Shape) -> None:
        self._event = event
        self._shape = shape
        self._results = results_of(event)
        self._tested = False
        self._all: tuple[Round, ...] | None = None
        self.entries: list[Entry] = []
        self.rounds: list[Round] = []

    def add(self, step: LoggedStep) -> Iterator[str]:
        """Take the next event of the log; give what should have been otherwise."""
        match step.kind:
            case "entered":
                self._enter()
            case "withdrawn" | "disqualified" | "returned" if step.entry is not None:
                self.entries[step.entry] = replace(self.entries[step.entry], active=step.kind == "returned")
            case "decided":
                self._tested = True
            case "paired" if step.pairing is not None:
                yield from self._pair(_round_of(step.pairing))
            case "finished":
                yield from self._finish()
            case _:
                pass

    def _enter(self) -> None:
        entry = self._event.entries[len(self.entries)]
        owner = None if entry.owner is None else str(entry.owner)
        self.entries.append(Entry(entry.number, owner, since_round=entry.since_round))

    def _pair(self, told: Round) -> Iterator[str]:
        expected = self._next() if is_made_anew(self._shape) else told
        if expected != told:
            difference = _first_difference(expected, told)
            yield f"round {told.number} is not the one that entries, lots and results lead to: {difference}"
        self.rounds.append(told)

    def _finish(self) -> Iterator[str]:
        if is_made_anew(self._shape) and not self._tested and self._next() is not None:
            yield f"the event ended after {len(self.rounds)} rounds, but there is one more to be played"

    def _next(self) -> Round | None:
        """The round that must come now."""
        drawn, number = self.lots(), len(self.rounds)
        if self._shape.format not in _IN_STEPS:
            if self._all is None:
                self._all = first_rounds(self._shape, self.entries, drawn)
            return self._all[number] if number < len(self._all) else None
        return next_round(self._shape, self.entries, drawn, self.rounds, self.points())

    def points(self) -> Any:
        """What each entry got so far, round by round."""
        so_far = [result for result in self._results if result.table.round < len(self.rounds)]
        points = dict(points_of(self._shape, self.rounds, so_far))
        return {entry.number: points.get(entry.number, [0.0] * len(self.rounds)) for entry in self.entries}

    def lots(self) -> Lots:
        """What was drawn among the entries there are now."""
        event, count = self._event, len(self.entries)
        return lambda number: lots(event.seed or b"", event.id, number, count)


def _round_of(pairing: Pairing) -> Round:
    tables = enumerate(zip(pairing.tables, pairing.boards, strict=True), pairing.first_table)
    placed = (Table(pairing.round, number, board, entries) for number, (entries, board) in tables)
    return Round(pairing.round, tuple(placed), pairing.byes)


def _first_difference(expected: Round | None, told: Round) -> str:
    if expected is None:
        return "there is none to come"
    for one, other in zip_longest(expected.tables, told.tables):
        if one != other:
            return f"{quoted(one)} became {quoted(other)}"
    return f"the byes {quoted(expected.byes)} became {quoted(told.byes)}"


def _ranking_faults(
    event: EventArchive, shape: Shape, schedule: _Schedule, standings: Sequence[Mapping[str, Any]]
) -> Iterator[str]:
    """Compare the standings with the ones that the results add up to."""
    results = results_of(event)
    met = crosstable(encounter for result in results for encounter in encounters(result))
    drawn = schedule.lots()
    in_levels = shape.format is Format.KNOCKOUT
    rows = ranked(
        shape,
        _tallies(event, shape, schedule.rounds, results),
        met=met,
        stages=levels_won(shape, schedule.entries, drawn, schedule.rounds, schedule.points()) if in_levels else None,
        lots=drawn(RANK_LOTS),
    )
    if len(rows) != len(standings):
        yield f"the standings have {len(standings)} rows, but there are {len(rows)} entries"
        return
    for row, told in zip(rows, standings, strict=True):
        yield from _row_faults(row, told, shape)


def _tallies(
    event: EventArchive, shape: Shape, rounds: Sequence[Round], results: Sequence[TableResult]
) -> dict[int, Tally]:
    tallies = {entry.number: Tally() for entry in event.entries}
    for block in blocks_of(results):
        by_entry: dict[int, list[SeatScore]] = {}
        for score in score_board(block):
            by_entry.setdefault(score.entry, []).append(score)
        for number, scores in by_entry.items():
            tallies[number] += Tally.of(scores)
    for number in (entry for round_ in rounds for entry in round_.byes):
        tallies[number] += Tally.bye(shape.boards)
    return tallies


def _row_faults(row: Standing, told: Mapping[str, Any], shape: Shape) -> Iterator[str]:
    tally = row.tally
    expected = {
        "rank": row.place,
        "entry": row.entry,
        "score": row.score,
        "tables": tally.tables,
        "wins": tally.wins,
        "shared": tally.shared,
        "byes": tally.byes,
        "boards": tally.boards,
        "match_points": tally.mean(Scoring.RANKS, shape.table_size),
        "points": tally.mean(Scoring.POINTS, shape.table_size),
    }
    for name, value in expected.items():
        if not _equal(value, told.get(name)):
            found = quoted(told.get(name))
            yield f"row {row.place} of the standings has as {name} {found}, but must have {quoted(value)}"


def _equal(one: float | None, other: object) -> bool:
    if one is None or not isinstance(other, int | float) or isinstance(other, bool):
        return one is other
    return abs(one - other) <= _NEARLY * max(1.0, abs(one))
