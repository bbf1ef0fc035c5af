"""How well the house bots play: figures of many games, on shuffles that are always the same."""

from __future__ import annotations

import pytest

from skyjo import RuleSet
from tests.skyjo.bots.match import match

FRENCH = RuleSet.preset("french")


def test_two_random_players_score_57_to_63_raw_points_a_round() -> None:
    assert 57 <= match(("random", "random"), 200).raw_a_round <= 63


def test_two_threshold_players_score_12_5_to_16_5_raw_points_in_4_5_to_6_2_rounds_a_game() -> None:
    games = match(("threshold", "threshold"), 200)
    assert 12.5 <= games.raw_a_round <= 16.5
    assert 4.5 <= games.rounds_a_game <= 6.2


def test_threshold_wins_95_of_100_games_against_random() -> None:
    assert match(("threshold", "random"), 200).won >= 0.95


def test_greedy_wins_more_than_90_of_100_games_against_threshold() -> None:
    assert match(("greedy", "threshold"), 120).won >= 0.9


def test_greedy_wins_under_the_french_rules_too() -> None:
    assert match(("greedy", "threshold"), 40, FRENCH).won >= 0.8


@pytest.mark.parametrize(("seats", "games"), [(3, 45), (5, 30), (8, 32)])
def test_greedy_wins_twice_its_share_at_larger_tables(seats: int, games: int) -> None:
    others = ("threshold",) * (seats - 1)
    assert match(("greedy", *others), games).won >= 2 / seats


def test_greedy_players_do_not_wait_for_each_other_until_the_turn_limit() -> None:
    rounds = [scored for game in match(("greedy", "greedy"), 12).rounds for scored in game]
    assert all(scored.ender is not None for scored in rounds)
