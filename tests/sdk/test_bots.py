"""What may play, and what comes of its choices."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyjo import Action, Decision, FairChance, RuleSet, State, decide, decision, evolve, initial_state, start
from skyjo import default_action as default_in_the_rules
from skyjo_client import BotError
from skyjo_client.bots import choices_of, chosen, default_of
from skyjo_client.testing import RULES

FLIPPING = decision(evolve(initial_state(RuleSet(), 2), start(RuleSet(), 2, FairChance(bytes(32)))), 0, game="g")


class Counting:
    """A bot that counts what it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, decision: Decision) -> Action:
        self.asked += 1
        return decision.legal_actions[0]


def states(rules: RuleSet, seats: int, key: bytes, picks: list[int]) -> Iterator[State]:
    """The states of a game in which the legal actions are picked by number."""
    chance = FairChance(key)
    state = evolve(initial_state(rules, seats), start(rules, seats, chance))
    for pick in picks:
        yield state
        if not state.to_act:
            return
        seat = state.to_act[0]
        listed = decision(state, seat).legal_actions
        state = evolve(state, decide(state, seat, listed[pick % len(listed)], chance))


@given(
    st.sampled_from(RULES),
    st.integers(2, 4),
    st.binary(min_size=32, max_size=32),
    st.lists(st.integers(0), max_size=80),
)
def test_the_default_of_a_decision_is_the_default_of_the_rules(
    rules: RuleSet, seats: int, key: bytes, picks: list[int]
) -> None:
    for state in states(rules, seats, key, picks):
        for seat in state.to_act:
            assert default_of(decision(state, seat)) == default_in_the_rules(state, seat)


def test_there_is_no_default_where_there_is_nothing_to_choose() -> None:
    spectated = decision(evolve(initial_state(RuleSet(), 2), start(RuleSet(), 2, FairChance(bytes(32)))), None)
    with pytest.raises(ValueError, match="nothing to choose"):
        default_of(spectated)


def test_a_function_and_an_object_are_shared_by_all_games_and_a_class_is_not() -> None:
    shared = Counting()
    for _ in range(3):
        chosen(choices_of(shared)(), FLIPPING)
    assert shared.asked == 3
    new_choice = choices_of(Counting)
    assert new_choice() is not new_choice()
    assert chosen(new_choice(), FLIPPING) == FLIPPING.legal_actions[0]


@pytest.mark.parametrize("choice", ["flip c3 a1", Action.flip("c3", "a1")])
def test_a_choice_may_be_a_text_or_a_value(choice: Action | str) -> None:
    assert chosen(lambda _: choice, FLIPPING) == Action.flip("c3", "a1")


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        (None, "chose None, which is no action,"),
        (7, "chose 7, which is no action,"),
        ("flip c3 c9", "'flip c3 c9' in game g, version 0, seat 0, phase flip: 'c9' is not a place"),
        ("flip c3", "'flip c3', which is not legal in game g, version 0, seat 0, phase flip: legal are 'flip a1 a2', "),
        ("draw", "and 61 more"),
    ],
)
def test_a_choice_that_is_no_legal_action_is_named_with_what_would_be(choice: object, said: str) -> None:
    with pytest.raises(BotError) as caught:
        chosen(lambda _: choice, FLIPPING)  # type: ignore[arg-type, return-value]  # the point of the test
    assert said in str(caught.value)


def test_a_class_that_cannot_be_instantiated_is_a_bot_that_raises() -> None:
    class Demanding(Counting):
        def __init__(self, strength: int) -> None:
            super().__init__()
            self.asked = strength

    with pytest.raises(BotError, match=r"missing 1 required positional argument: 'strength'"):
        chosen(choices_of(Demanding)(), FLIPPING)


@pytest.mark.parametrize("nobody", [7, "greedy", object(), int])
def test_what_cannot_choose_is_no_bot(nobody: object) -> None:
    with pytest.raises(TypeError, match="is no bot"):
        choices_of(nobody)  # type: ignore[arg-type]  # the point of the test
