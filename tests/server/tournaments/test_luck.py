"""Luck is nought in expectation for everybody, whoever plays; and taking it away leaves less to chance."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from functools import cache
from math import isfinite, sqrt
from multiprocessing import get_context
from statistics import correlation, fmean, stdev, variance

import numpy as np
import pytest
from hypothesis import given

from benchmarks.luck import WAYS, Careless, Task, play, ratio_interval
from skyjo import RuleSet
from skyjo_client import Arena, ArenaGame, load_bot
from skyjo_server.tournaments.luck import luck
from tests.strategies import SOME, PlayedGame, games

GAMES = 160
ONE_ROUND = RuleSet(score_limit=None, max_rounds=1)


@SOME
@given(games())
def test_under_any_rules_the_luck_of_a_table_is_finite_and_adds_up_to_nought(game: PlayedGame) -> None:
    found = luck(game.events, game.states[0].seats)
    assert all(isfinite(points) for points in found)
    assert sum(found) == pytest.approx(0, abs=1e-6)


@cache
def uneven(draw_streams: str) -> tuple[tuple[float, float], ...]:
    """Leads and luck of a bot that beats its opponent by far, over rounds of their own."""
    rules = RuleSet.from_dict({"score_limit": None, "max_rounds": 1, "draw_streams": draw_streams})
    arena = Arena([load_bot("threshold"), load_bot("random")], rules=rules, seed="luck")
    return tuple(lead_and_luck(game, "threshold") for game in arena.play(GAMES, records=True))


def lead_and_luck(game: ArenaGame, name: str) -> tuple[float, float]:
    assert game.record is not None
    seat = game.seats.index(name)
    return game.totals[1 - seat] - game.totals[seat], luck(game.record.bare_events(), 2)[seat]


@pytest.mark.parametrize("draw_streams", ["shared", "per_seat"])
def test_a_better_bot_is_no_luckier(draw_streams: str) -> None:
    """The lead is far from nought; the luck is within four standard errors of it."""
    leads, lucks = zip(*uneven(draw_streams), strict=True)
    assert fmean(leads) > 20
    assert abs(fmean(lucks)) < 4 * stdev(lucks) / sqrt(GAMES)


def test_between_equals_what_is_left_varies_much_less_than_what_was_seen() -> None:
    arena = Arena([load_bot("threshold"), load_bot("threshold")], rules=ONE_ROUND, seed="luck")
    leads, lucks = zip(*(lead_and_luck(game, "threshold") for game in arena.play(GAMES, records=True)), strict=True)
    assert correlation(leads, lucks) > 0.4
    assert variance([lead - own for lead, own in zip(leads, lucks, strict=True)]) < 0.8 * variance(leads)


def test_a_game_of_which_nothing_was_played_has_no_luck() -> None:
    assert luck([], 3) == (0.0, 0.0, 0.0)


def test_a_careless_bot_does_the_same_when_it_is_asked_again_in_another_process() -> None:
    tasks = [Task(Careless("A", 0.5), Careless("B", 0.5), "per_seat", 1)]
    with ProcessPoolExecutor(1, get_context("spawn")) as executor:
        assert list(executor.map(play, tasks)) == list(map(play, tasks))


def test_the_ways_to_play_differ_by_what_they_share() -> None:
    """A board gives both the same, luck gives each its own, and what is left is a tenth of either."""
    chance = np.random.default_rng(4)
    board, own, rest = chance.normal(size=2_000), chance.normal(size=(2_000, 2)), chance.normal(size=(2_000, 2)) / 3
    leads = np.column_stack([board[:, None] + own + rest, own])
    ratios = {name: WAYS[0][1](leads) / way(leads) for name, way in WAYS}
    assert ratios == pytest.approx(
        {
            "plain play": 1.0,
            "plain play, corrected": 19 / 10,
            "duplicate boards": 19 / 10,
            "duplicate boards, corrected": 19,
        },
        rel=0.1,
    )
    low, high = ratio_interval(leads, WAYS[2][1])
    assert low < ratios["duplicate boards"] < high
