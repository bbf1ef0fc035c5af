"""Ratings from all games of an event at once, beside its course: read, computed without a lock, kept. Ranks nobody."""

from __future__ import annotations

from time import monotonic
from typing import Final

from skyjo_server.service.tournament_model import Estimate
from skyjo_server.service.tournament_ports import Assessment, TournamentStore
from skyjo_server.tournaments.rankings import Ranking
from skyjo_server.tournaments.ratings import Rating, rate

PAUSE_SECONDS: Final = 2.0
"""Between two assessments of one event at least."""

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
    tables_over, results = store.assessed_results(tournament_id)
    rated = rate(Ranking(result.table.seats, result.ranks) for result in results if result.ranks is not None)
    ratings = {entry: _estimate(found) for entry, found in rated.items()}
    pause = max(PAUSE_SECONDS, REST * (monotonic() - began))
    store.save_assessment(tournament_id, Assessment(tables_over, ratings, pause))
    return True


def _estimate(rating: Rating) -> Estimate:
    return Estimate(rating.rating, rating.interval.low, rating.interval.high)
