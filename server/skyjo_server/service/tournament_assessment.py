"""Ratings and intervals from all games of an event at once, computed beside its course without a lock. Ranks nobody."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import Final

from skyjo_server.service.tournament_model import Estimate
from skyjo_server.service.tournament_ports import Assessment, TournamentStore
from skyjo_server.tournaments.points import blocks_of as scored_together
from skyjo_server.tournaments.rankings import Ranking
from skyjo_server.tournaments.ratings import Rating, rate
from skyjo_server.tournaments.scoring import score_board
from skyjo_server.tournaments.tally import Interval, unit
from skyjo_server.tournaments.values import Shape, TableResult

PAUSE_SECONDS: Final = 2.0
"""Between two assessments of one event at least."""

ENTRIES_MOST: Final = 200
"""Of more entries no bootstrap is made, which takes milliseconds each: their intervals are those of the ranking."""

TABLES_MOST: Final = 50_000
"""Of more tables none is kept in memory: they are counted as they are read, and no bootstrap is made either."""

REST: Final = 20
"""So many times as long as an assessment took, the event is left alone afterwards; unless it is over."""


def assess(store: TournamentStore) -> bool:
    """Rate the entries of one event whose results are newer than its ratings; says whether there was one.

    All results are fitted together, so that neither their order nor when this is done makes a difference in the end.
    """
    tournament_id = store.claim_assessment()
    if tournament_id is None:
        return False
    began = monotonic()
    info = store.tournament(tournament_id)
    if info is None:
        return False
    with store.assessed_results(tournament_id) as (tables_over, read):
        results = list(read) if tables_over <= TABLES_MOST else None
        rankings = (Ranking(each.table.seats, each.ranks) for each in results or read if each.ranks is not None)
        rated = rate(rankings)
    ratings = {entry: _estimate(found) for entry, found in rated.items()}
    small = results is not None and len(rated) <= ENTRIES_MOST
    intervals = _intervals(info.new.shape, results or ()) if small else {}
    pause = max(PAUSE_SECONDS, REST * (monotonic() - began))
    store.save_assessment(tournament_id, Assessment(tables_over, ratings, intervals, pause))
    return True


def _intervals(shape: Shape, results: Sequence[TableResult]) -> dict[int, Interval | None]:
    """The intervals of everybody, boards as the unit of chance."""
    from skyjo_server.tournaments.intervals import blocks_of, bootstrap  # noqa: PLC0415 - loads numpy

    divisor = unit(shape.scoring, shape.table_size)
    scores = [score for block in scored_together(results) for score in score_board(block)]
    return {entry: bootstrap(blocks, unit=divisor) for entry, blocks in blocks_of(scores, shape.scoring).items()}


def _estimate(rating: Rating) -> Estimate:
    return Estimate(rating.rating, rating.interval.low, rating.interval.high)
