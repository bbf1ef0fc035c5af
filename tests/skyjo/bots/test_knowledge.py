"""What `greedy` knows of a table: which cards are unseen, and who has ended the round."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given

from skyjo import COPIES, Phase, decision
from skyjo.bots.columns import CARDS
from skyjo.bots.knowledge import THROWN_AWAY, Knowledge
from tests.skyjo.tables import position
from tests.strategies import SOME, PlayedGame, games


@SOME
@given(games())
def test_unseen_is_what_lies_face_down_in_grids_and_draw_pile(game: PlayedGame) -> None:
    state = game.state
    if state.phase in (Phase.TURN, Phase.DRAWN) and state.turn is not None:
        know = Knowledge(decision(state, state.turn))
        unseen = Counter(state.pile[sum(state.taken) :] if len(state.taken) == 1 else _left(state.pile, state.taken))
        for grid in state.grids:
            unseen.update(card for place, card in enumerate(grid.cards) if grid.hidden >> place & 1)
        total = sum(unseen.values())
        assert know.chance == pytest.approx([unseen[card] / total for card in CARDS])


def _left(pile: tuple[int, ...], taken: tuple[int, ...]) -> list[int]:
    """What is left of a pile that every seat draws its own stream of."""
    streams = len(taken)
    return [card for at, card in enumerate(pile) if at // streams >= taken[at % streams]]


@SOME
@given(games())
def test_the_ender_is_the_first_seat_that_had_nothing_hidden(game: PlayedGame) -> None:
    for state in game.states:
        if state.phase is Phase.TURN and state.turn is not None:
            assert Knowledge(decision(state, state.turn)).ender == state.ender


def test_a_card_of_which_all_copies_are_seen_cannot_come() -> None:
    know = Knowledge(position("(4) 7 7 5 / 7 7 5 7 / 5 7 7 12", "0 1 2 3 / 4 6 6 7 / 8 9 10 11", discard="7 7").view(0))
    assert know.chance[7] == 0
    assert know.chance[12] == pytest.approx((COPIES[12] - 1) / (150 - 11 - 12 - 2))
    assert sum(know.chance) == pytest.approx(1)


def test_in_the_last_lap_nobody_throws_a_missing_card_away_any_more() -> None:
    grids = "(4) 1 2 3 / 5 6 7 8 / 9 0 2 4", "4 1 2 3 / 5 6 7 8 / 9 0 2 4"
    last, before = Knowledge(position(*grids, ender=1).view(0)), Knowledge(position(grids[0], grids[0]).view(0))
    assert last.surplus[12] == pytest.approx(last.chance[12] * 15 - 1)
    assert before.surplus[12] == pytest.approx(before.chance[12] * 15 - 1 + THROWN_AWAY)


def test_cards_that_were_reshuffled_are_unseen_again() -> None:
    table = position("(4) 1 2 3 / 5 6 7 8 / 9 0 2 4", "(4) 1 2 3 / 5 6 7 8 / 9 0 2 4", discard="12", left_to_draw=0)
    before = Knowledge(table.view(0))
    after = Knowledge(table.play("draw").view(0))
    assert sum(chance > 0 for chance in before.chance) == 1
    assert all(chance > 0 for chance in after.chance)
