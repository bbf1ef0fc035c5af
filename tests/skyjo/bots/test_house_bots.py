"""What holds for every house bot: it plays by the rules, whatever they are, from its decision alone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skyjo import Decision, Phase, RuleSet, decision
from skyjo.bots import HOUSE_BOTS, evaluate
from tests.skyjo.bots.match import played
from tests.strategies import SOME, PlayedGame, action_stream, games, rule_sets, seat_counts, seeds

NAMES = sorted(HOUSE_BOTS)
ENDLESS = RuleSet(ender_multiplier=100, max_turns_per_seat=None, initial_flips=11, remove_columns=False, max_rounds=1)
"""Nobody dares to end a round, and nothing else ends it."""


def decisions(game: PlayedGame) -> list[Decision]:
    """What every seat that may act sees, in every seventh state and the last one."""
    seen = [*game.states[::7], game.state]
    return [decision(state, seat) for state in seen for seat in state.to_act]


def test_there_are_three() -> None:
    assert NAMES == ["greedy", "random", "threshold"]


@pytest.mark.parametrize("name", NAMES)
@SOME
@given(games(), seeds())
def test_every_choice_is_legal_in_every_position_that_play_can_reach(name: str, game: PlayedGame, seed: int) -> None:
    bot = HOUSE_BOTS[name](action_stream(seed))
    for seen in decisions(game):
        assert bot.choose(seen) in seen.legal_actions


@pytest.mark.parametrize("name", NAMES)
@SOME
@given(games(), seeds())
def test_a_choice_depends_on_the_decision_and_the_stream_alone(name: str, game: PlayedGame, seed: int) -> None:
    one, other = HOUSE_BOTS[name](action_stream(seed)), HOUSE_BOTS[name](action_stream(seed))
    for seen in decisions(game):
        assert one.choose(seen) == other.choose(Decision.from_dict(seen.to_dict()))


@settings(max_examples=25)
@given(rule_sets(max_rounds=1), seat_counts().flatmap(lambda n: st.tuples(*[st.sampled_from(NAMES)] * n)), seeds())
def test_house_bots_play_every_game_to_its_end(rules: RuleSet, names: tuple[str, ...], seed: int) -> None:
    assert played(names, seed, rules).phase is Phase.OVER


@pytest.mark.parametrize(("seats", "seed"), [(2, 5), (6, 1)])
def test_greedy_players_do_not_wait_for_ever_where_ending_costs_a_hundredfold(seats: int, seed: int) -> None:
    assert played(("greedy",) * seats, seed, ENDLESS, actions=5000).phase is Phase.OVER


@SOME
@given(games())
def test_greedy_prices_every_legal_action_and_plays_the_cheapest(game: PlayedGame) -> None:
    bot = HOUSE_BOTS["greedy"](action_stream(0))
    for seen in decisions(game):
        costs = evaluate(seen)
        assert list(costs) == list(seen.legal_actions)
        assert costs[bot.choose(seen)] == min(costs.values())


def test_where_nothing_is_to_decide_nothing_is_priced() -> None:
    table = played(("threshold", "threshold"), 1, RuleSet(max_rounds=1))
    assert evaluate(decision(table, 0)) == evaluate(decision(table, None)) == {}
