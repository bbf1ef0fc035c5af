"""The bots `random` and `threshold`, action by action."""

from __future__ import annotations

from dataclasses import replace

import pytest

from skyjo import LegalActions, RuleSet
from skyjo.bots import HOUSE_BOTS
from tests.skyjo.tables import Table, first_deal, position

OTHER = "(4) (3) (2) (1) / 12 11 10 9 / 8 7 6 5"
MIXED = "(1) (2) 3 9 / 4 9 5 0 / 1 1 2 2"
"""Its highest open card is 9, first at b2; its first hidden place is a1."""


class Fixed:
    """A stream that gives one number, and remembers what it was asked for."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.asked: list[int] = []

    def uniform(self, n: int) -> int:
        """The number."""
        self.asked.append(n)
        return self.number


def chosen(name: str, table: Table, number: int = 0) -> str:
    """What a bot plays for the seat on move."""
    return str(HOUSE_BOTS[name](Fixed(number)).choose(table.view(table.state.to_act[0])))


@pytest.mark.parametrize("hand", [None, 7])
def test_random_plays_the_action_that_the_stream_names_out_of_all(hand: int | None) -> None:
    table = position(MIXED, OTHER, hand=hand)
    legal = table.legal()
    stream = Fixed(0)
    bot = HOUSE_BOTS["random"](stream)
    played = []
    for stream.number in range(len(legal)):
        played.append(str(bot.choose(table.view(0))))
    assert played == legal
    assert stream.asked == [len(legal)] * len(legal)


@pytest.mark.parametrize(
    ("discard", "hand", "action"),
    [
        ("2", None, "take b2"),
        ("-2", None, "take b2"),
        ("3", None, "draw"),
        ("12", None, "draw"),
        ("5", 8, "keep b2"),
        ("5", 9, "reject a1"),
        ("5", -1, "keep b2"),
    ],
)
def test_threshold_takes_a_2_or_less_and_puts_any_card_on_its_highest_open_one_if_that_is_higher(
    discard: str, hand: int | None, action: str
) -> None:
    assert chosen("threshold", position(MIXED, OTHER, discard=discard, hand=hand)) == action


@pytest.mark.parametrize(
    ("discard", "hand", "action"), [("2", None, "take b1"), ("5", 2, "keep b1"), ("5", 3, "reject b1")]
)
def test_threshold_puts_a_low_card_on_the_first_hidden_place_if_no_open_card_is_higher(
    discard: str, hand: int | None, action: str
) -> None:
    low = "1 (6) 2 (4) / 0 1 2 (4) / -1 -1 0 0"
    assert chosen("threshold", position(low, OTHER, discard=discard, hand=hand)) == action


def test_threshold_turns_up_the_first_places() -> None:
    assert chosen("threshold", first_deal(RuleSet(initial_flips=4), MIXED, OTHER)) == "flip a1 a2 a3 b1"


@pytest.mark.parametrize(("discard", "action"), [("8", "take b2"), ("12", "take a1"), ("1", "take b2")])
def test_threshold_takes_any_discard_where_nothing_is_left_to_draw(discard: str, action: str) -> None:
    seen = position(MIXED, OTHER, discard=discard).view(0)
    without_draw = replace(seen, legal_actions=LegalActions(seen.legal_actions[1:]))
    assert str(HOUSE_BOTS["threshold"](Fixed(0)).choose(without_draw)) == action
