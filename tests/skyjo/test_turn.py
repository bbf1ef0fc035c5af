"""A turn: rules 10 to 14."""

from __future__ import annotations

import pytest
from hypothesis import given

from skyjo import PLACES, Phase, Place, Reason, RuleSet, Verb
from skyjo.facts import Discarded, Drawn, Flipped, Placed
from tests.skyjo.tables import CLASSIC, FRENCH, position
from tests.strategies import SOME, PlayedGame, games

PLAIN = "(1) (2) (3) (4) / 5 6 7 8 / 9 10 11 12"
OTHER = "(4) (3) (2) (1) / 12 11 10 9 / 8 7 6 5"
GAP = ". (2) (3) (4) / . 6 7 8 / . 10 11 12"
ALL_OPEN = "1 2 3 4 / 5 6 7 8 / 9 10 11 12"


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_the_discard_goes_on_any_place_that_holds_a_card(place: Place) -> None:
    table = position(PLAIN, OTHER, discard="0 -1")
    replaced = table.state.grids[0].cards[place]
    table.play(f"take {place}")
    assert table.events[0].facts == (Placed(0, place, -1), Discarded(0, replaced))
    assert table.view().seats[0].card(place) == -1
    assert table.view().discard_pile == (0, replaced)


def test_a_discard_may_replace_an_equal_card() -> None:
    table = position(PLAIN, OTHER, discard="0 12").play("take d3")
    assert table.view().discard_pile == (0, 12)
    assert table.view().seats[0].card(PLACES[11]) == 12


def test_taking_the_discard_is_one_action_that_ends_the_turn() -> None:
    table = position(PLAIN, OTHER).play("take a1")
    assert len(table.events) == 1
    assert (table.state.phase, table.state.to_act) == (Phase.TURN, (1,))


@pytest.mark.parametrize("text", ["take a1", "keep a1", "reject a1", "take a2", "keep a3"])
def test_nothing_is_done_to_an_empty_place(text: str) -> None:
    table = position(GAP, OTHER, hand=None if text.startswith("take") else 6)
    assert table.refusal(text) is Reason.PLACE_EMPTY
    assert text not in table.legal()


def test_a_drawn_card_waits_in_the_hand_until_it_is_kept_or_rejected() -> None:
    table = position(PLAIN, OTHER, draws="12 3").play("draw")
    assert table.facts(Drawn) == [Drawn(0, 12)]
    assert (table.state.phase, table.state.hand, table.state.to_act) == (Phase.DRAWN, 12, (0,))
    table.play("keep a1")
    assert (table.state.phase, table.state.hand, table.state.to_act) == (Phase.TURN, None, (1,))


def test_a_rejected_card_goes_on_the_discards_before_the_flip() -> None:
    table = position(PLAIN, OTHER, hand=12).play("reject c1")
    assert table.events[0].facts == (Discarded(0, 12), Flipped(0, PLACES[6], 3))


def test_a_replaced_card_goes_on_the_discards_whatever_it_was() -> None:
    table = position("(-2) (2) (3) (4) / 5 6 7 8 / 9 10 11 12", OTHER, discard="0").play("take a1")
    assert table.view().discard_pile == (-2,)


def test_the_flip_after_a_reject_is_required_or_optional_as_the_option_says() -> None:
    assert position(PLAIN, OTHER, hand=12, rules=CLASSIC).refusal("reject") is Reason.FLIP_REQUIRED
    assert position(PLAIN, OTHER, hand=12, rules=FRENCH).refusal("reject") is None
    assert position(PLAIN, OTHER, hand=12, rules=FRENCH).refusal("reject b1") is None
    house = RuleSet(flip_after_reject="optional")
    table = position(PLAIN, OTHER, hand=12, rules=house).play("reject")
    assert table.facts(Flipped) == []
    assert table.view().seats[0].hidden_places == (0, 3, 6, 9)


@pytest.mark.parametrize("rules", [CLASSIC, FRENCH], ids=["classic", "french"])
def test_a_flip_never_targets_an_open_card_or_an_empty_place(rules: RuleSet) -> None:
    table = position(GAP, OTHER, hand=6, rules=rules)
    assert table.refusal("reject b2") is Reason.PLACE_OPEN
    assert table.refusal("reject a1") is Reason.PLACE_EMPTY
    assert table.refusal("reject b1") is None


def test_where_no_card_is_hidden_a_required_flip_is_not_required() -> None:
    # No play of today's options leads here: whoever has no hidden card has ended the round or had its last turn.
    table = position(ALL_OPEN, OTHER, hand=6, discard="5", ender=1)
    assert "reject" in table.legal()
    table.play("reject")
    assert table.facts(Discarded) == [Discarded(0, 6)]
    assert len(table.state.rounds) == 1


@SOME
@given(games())
def test_a_turn_is_one_take_or_a_draw_and_one_keep_or_reject(game: PlayedGame) -> None:
    verbs = [event.action.verb for event in game.events[1:] if event.action is not None]
    for number, verb in enumerate(verbs):
        after_draw = number > 0 and verbs[number - 1] is Verb.DRAW
        assert (verb in (Verb.KEEP, Verb.REJECT)) == after_draw
