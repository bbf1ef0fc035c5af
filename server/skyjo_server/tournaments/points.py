"""What entries got round by round, for the formats that pair by it. Scores no table itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from skyjo_server.tournaments.scoring import SeatScore, score_board
from skyjo_server.tournaments.standings import BYE_MATCH_POINTS
from skyjo_server.tournaments.tally import unit
from skyjo_server.tournaments.values import Points, Round, Scoring, Shape, TableResult


def points_of(shape: Shape, history: Sequence[Round], results: Iterable[TableResult]) -> Points:
    """What each entry got in each round; void and cancelled tables give nothing.

    Args:
        shape: of the event.
        history: all rounds so far.
        results: of their tables, in any order.
    """
    points: defaultdict[int, list[float]] = defaultdict(lambda: [0.0] * len(history))
    divisor = unit(shape.scoring, shape.table_size)
    for block in blocks_of(results):
        for score in score_board(block):
            points[score.entry][score.round] += _got(shape.scoring, score) / divisor
    bye = BYE_MATCH_POINTS * shape.boards if shape.scoring is Scoring.RANKS else 0
    for round_ in history:
        for entry in round_.byes:
            points[entry][round_.number] += bye
    return points


def blocks_of(results: Iterable[TableResult]) -> list[list[TableResult]]:
    """Results by what they are scored together with: those of a board, and each on a deal of its own alone."""
    boards: dict[int, list[TableResult]] = {}
    single = []
    for result in results:
        if result.table.board is None:
            single.append([result])
        else:
            boards.setdefault(result.table.board, []).append(result)
    return [*single, *boards.values()]


def _got(scoring: Scoring, score: SeatScore) -> int:
    return (score.halves if scoring is Scoring.RANKS else score.points) or 0
