"""What each seat gets for a board that is over: match points and points. It ranks nobody, and adds up nothing.

Both are whole numbers in small units, so that sums are exact and do not depend on the order in which they are made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from skyjo_server.tournaments.values import Cause, Outcome, TableResult

FORFEIT_POINTS: Final = 100
"""What a seat that left gets at least against it, in points: as much as a whole game lost without a good round."""

THOUSANDTHS: Final = 1_000
"""Points are counted in thousandths, rounded to the nearest, halves to even."""

STAYED: Final = frozenset({Cause.FINISHED, Cause.TIMEOUT})
"""How a table ends for a seat that sat there to the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatScore:
    """What one seat got at one table.

    Attributes:
        entry: who sat there.
        round: number of the round.
        table: number of the table within the round.
        board: number of the duplicate board; None = a deal of its own.
        seat: which seat, from 0.
        seats: how many the table has.
        cause: how it ended for the seat.
        rank: among the table's seats, 1 = first; None if the table has no result.
        halves: match points in halves: two for each seat beaten, one for each tied with, by the game's ranks, so 0 to
            2 × (`seats` - 1); None if the table has no result.
        points: thousandths of a point, more is better; None if the seat cannot be compared.
    """

    entry: int
    round: int
    table: int
    board: int | None
    seat: int
    seats: int
    cause: Cause
    rank: int | None
    halves: int | None
    points: int | None

    @property
    def match_points(self) -> float | None:
        """(Seats beaten + half of those tied with) / (seats - 1): 1 = all beaten; None if the table has no result."""
        return None if self.halves is None else self.halves / (2 * (self.seats - 1))


def score_board(results: Sequence[TableResult]) -> tuple[SeatScore, ...]:
    """Score a duplicate board that is over at every table, or one table with a deal of its own.

    Match points follow the game's ranks, in which seats that left stand below all that stayed. A seat's lead is the
    mean total of the other seats of its table, minus its own. Points are the lead; on a duplicate board the lead minus
    the mean lead in the same seat at the other tables that count, as bridge compares differences between sides.
    Only tables that were played to the end on their deal, and that nobody left, count in such means and are compared
    with them. A seat that left gets `FORFEIT_POINTS` against it, or its own difference if that is worse. Cancelled and
    aborted tables give nothing; a void one gives its causes.

    Args:
        results: every table of the board, in any order.
    Returns:
        a score for each seat, by round, table and seat.
    Raises:
        ValueError: for tables of several boards, or several tables without a board.

    >>> from skyjo_server.tournaments.values import Table
    >>> stayed = (Cause.FINISHED, Cause.FINISHED)
    >>> played = [
    ...     TableResult(Table(0, 0, 7, (1, 2)), Outcome.FINISHED, (40, 105), (1, 2), stayed),
    ...     TableResult(Table(0, 1, 7, (3, 4)), Outcome.FINISHED, (60, 100), (1, 2), stayed),
    ... ]
    >>> [(score.entry, score.match_points, score.points) for score in score_board(played)]
    [(1, 1.0, 25000), (2, 0.0, -25000), (3, 1.0, -25000), (4, 0.0, 25000)]
    """
    ordered = sorted(results, key=lambda result: (result.table.round, result.table.table))
    boards = {result.table.board for result in ordered}
    if len(boards) > 1 or (boards == {None} and len(ordered) > 1):
        raise ValueError(
            f"{len(ordered)} tables of the boards {boards}: score one board, or one table without, at a time"
        )
    sums = _Sums(ordered)
    return tuple(score for result in ordered for score in _seats(result, sums))


def compares(result: TableResult) -> bool:
    """Say whether a table counts in means: it has a result on its deal, and nobody left it."""
    return _has_result(result) and _on_its_deal(result) and STAYED.issuperset(result.causes)


class _Sums:
    """The leads on a board, by seat, over the tables that count; in parts of one over the number of other seats."""

    def __init__(self, results: Sequence[TableResult]) -> None:
        counted = [_leads(result) for result in results if compares(result)]
        self.duplicate = any(result.table.board is not None for result in results)
        self.tables = len(counted)
        self.by_seat = [sum(column) for column in zip(*counted, strict=True)]

    def lead(self, result: TableResult, seat: int) -> int | None:
        """Thousandths by which a seat did better than those it is compared with; None if there are none."""
        leads = _leads(result)
        if not self.duplicate:
            return _thousandths(leads[seat], len(leads) - 1)
        others = self.tables - compares(result)
        if not others:
            return None
        own = leads[seat] if compares(result) else 0
        return _thousandths(leads[seat] * others - (self.by_seat[seat] - own), others * (len(leads) - 1))


def _leads(result: TableResult) -> list[int]:
    """By seat, the sum of what each other seat had more."""
    totals = result.totals or ()
    return [sum(totals) - len(totals) * total for total in totals]


def _seats(result: TableResult, sums: _Sums) -> Iterator[SeatScore]:
    if result.outcome not in {Outcome.FINISHED, Outcome.VOID}:
        return
    table = result.table
    for seat, (entry, cause) in enumerate(zip(table.seats, result.causes, strict=True)):
        yield SeatScore(
            entry=entry,
            round=table.round,
            table=table.table,
            board=table.board,
            seat=seat,
            seats=len(table.seats),
            cause=cause,
            rank=result.ranks[seat] if result.ranks is not None and _has_result(result) else None,
            halves=_halves(result, seat),
            points=_points(result, seat, sums),
        )


def _halves(result: TableResult, seat: int) -> int | None:
    if not _has_result(result) or result.ranks is None:
        return None
    own = result.ranks[seat]
    return sum(2 * (rank > own) + (rank == own) for rank in result.ranks) - 1


def _points(result: TableResult, seat: int, sums: _Sums) -> int | None:
    if not _has_result(result):
        return None
    if result.causes[seat] in STAYED:
        return sums.lead(result, seat) if compares(result) else None
    lead = sums.lead(result, seat) if _on_its_deal(result) else None
    least = -FORFEIT_POINTS * THOUSANDTHS
    return least if lead is None else min(lead, least)


def _on_its_deal(result: TableResult) -> bool:
    """A table without a duplicate board is compared within itself, so any deal is its own."""
    return result.complete or result.table.board is None


def _has_result(result: TableResult) -> bool:
    return result.outcome is Outcome.FINISHED and result.ranks is not None and result.totals is not None


def _thousandths(numerator: int, denominator: int) -> int:
    """A quotient in thousandths, to the nearest, halves to even."""
    whole, rest = divmod(numerator * THOUSANDTHS, denominator)
    return whole + (2 * rest > denominator or (2 * rest == denominator and whole % 2 == 1))
