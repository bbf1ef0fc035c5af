"""Legal actions are exactly those that are accepted, and a refusal changes nothing."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyjo import (
    Action,
    Cause,
    IllegalAction,
    LegalActions,
    Phase,
    Reason,
    RuleSet,
    State,
    decide,
    decide_leave,
    default_action,
    evolve,
    forced_seat,
    legal_actions,
    replay,
)
from tests.skyjo.tables import Script, Table, first_deal, position
from tests.skyjo.test_conservation import all_cards
from tests.strategies import SOME, PlayedGame, games, states, universe

HALF_HIDDEN = "(1) (2) (3) 4 / 5 6 7 8 / 9 10 11 12"
OPEN = "1 2 3 4 / 5 6 7 8 / 9 10 11 12"


def accepted(state: State, seat: int, action: Action) -> bool:
    """Whether the engine takes an action; what it refuses must not have asked chance for anything."""
    script = Script()
    try:
        decide(state, seat, action, script)
    except IllegalAction:
        assert script.asked == []
        return False
    return True


@given(states())
def test_every_listed_action_is_accepted_and_every_other_one_is_refused(state: State) -> None:
    for seat in range(state.seats):
        listed = legal_actions(state, seat)
        written = [action for action in universe(state.rules) if accepted(state, seat, action)]
        assert all(action in listed for action in written)
        in_any_order = {Action(action.verb, tuple(sorted(action.places))) for action in written}
        # Of the flips, the universe holds a sample.
        assert in_any_order == set(listed) if state.phase is not Phase.FLIP else in_any_order <= set(listed)


@SOME
@given(states(), st.data())
def test_every_listed_action_can_be_folded_and_keeps_the_cards_together(state: State, data: st.DataObject) -> None:
    for seat in state.to_act:
        listed = list(legal_actions(state, seat))
        few = listed if len(listed) < 40 else data.draw(st.lists(st.sampled_from(listed), max_size=20))
        for action in few:
            event = decide(state, seat, action, Script())
            after = evolve(state, event)
            assert event.version == after.version == state.version + 1
            assert all_cards(after) == all_cards(state)


@SOME
@given(states())
def test_a_seat_has_legal_actions_exactly_when_it_is_to_act(state: State) -> None:
    acting = tuple(seat for seat in range(state.seats) if legal_actions(state, seat))
    assert acting == state.to_act
    assert bool(acting) == (state.phase is not Phase.OVER)


@SOME
@given(states())
def test_no_legal_action_is_listed_twice(state: State) -> None:
    for seat in state.to_act:
        listed = legal_actions(state, seat)
        assert len(set(listed)) == len(listed)


@SOME
@given(states())
def test_deciding_leaves_the_state_as_it_was_whether_it_accepts_or_refuses(state: State) -> None:
    before = deepcopy(state)
    for seat in range(-1, state.seats + 1):
        for action in universe(state.rules):
            accepted(state, seat, action)
    assert state == before


@SOME
@given(states())
def test_a_seat_that_is_not_there_is_refused_by_name(state: State) -> None:
    for seat in (-1, state.seats):
        for refuse in (
            lambda seat=seat: decide(state, seat, Action.draw(), Script()),
            lambda seat=seat: legal_actions(state, seat),
            lambda seat=seat: decide_leave(state, seat, Cause.PLAYER),
        ):
            with pytest.raises(IllegalAction, match=f"no seat {seat}: the seats are 0 to {state.seats - 1}") as refused:
                refuse()
            assert refused.value.reason is Reason.NO_SUCH_SEAT


@SOME
@given(games())
def test_the_default_action_is_legal_for_every_seat_to_act_in_every_state(game: PlayedGame) -> None:
    for state in game.states:
        for seat in state.to_act:
            action = default_action(state, seat)
            assert action in legal_actions(state, seat)
            assert accepted(state, seat, action)


@given(games())
def test_replaying_the_events_gives_the_equal_state_at_every_version(game: PlayedGame) -> None:
    assert replay(game.rules, game.seats, game.events) == game.state
    half = len(game.events) // 2
    assert replay(game.rules, game.seats, game.events[: half + 1]) == game.states[half]


@SOME
@given(games())
def test_deciding_again_in_the_same_state_gives_the_equal_event(game: PlayedGame) -> None:
    for before, event in zip(game.states, game.events[1:], strict=False):
        if event.action is not None:
            assert event.seat is not None
            assert decide(before, event.seat, event.action, game.chance, event.cause) == event


@SOME
@given(games())
def test_versions_count_up_from_0_without_a_gap(game: PlayedGame) -> None:
    assert [event.version for event in game.events] == list(range(len(game.events)))
    assert [state.version for state in game.states] == list(range(len(game.events)))


@SOME
@given(games())
def test_the_seat_that_is_forced_has_left_and_is_to_act(game: PlayedGame) -> None:
    for state in game.states:
        gone = [seat for seat in state.to_act if state.left[seat]]
        assert forced_seat(state) == (gone[0] if gone else None)


def refusals() -> list[tuple[str, Table, str, int | None, Reason]]:
    """One refusal of every kind, and those that are easily got wrong."""
    flipping = first_deal(RuleSet(), OPEN, OPEN.replace("12", "0"))
    chosen = first_deal(RuleSet(), OPEN, OPEN).play("flip a1 b1", seat=0)
    turn = position(HALF_HIDDEN, "(0) . . . / (0) . . . / (0) 1 1 2")
    drawn = position(HALF_HIDDEN, HALF_HIDDEN, hand=3)
    gap = position(". (2) (3) 4 / . 6 7 8 / . 10 11 12", HALF_HIDDEN)
    gap_drawn = position(". (2) (3) 4 / . 6 7 8 / . 10 11 12", HALF_HIDDEN, hand=3)
    over = first_deal(RuleSet(), OPEN, OPEN).leave(0)
    return [
        ("nobody plays when the game is over", over, "draw", 1, Reason.GAME_OVER),
        ("nobody flips when the game is over", over, "flip a1 b1", 1, Reason.GAME_OVER),
        ("only the seat on move plays", turn, "draw", 1, Reason.NOT_YOUR_TURN),
        ("nobody plays for the drawer", drawn, "keep a1", 1, Reason.NOT_YOUR_TURN),
        ("first flips are chosen once", chosen, "flip a1 b1", 0, Reason.ALREADY_CHOSEN),
        ("first flips come before the first turn", flipping, "draw", 0, Reason.WRONG_PHASE),
        ("first flips are as many as the rules say", flipping, "flip a1", 0, Reason.FLIP_COUNT),
        ("first flips are not more either", flipping, "flip a1 a2 a3", 0, Reason.FLIP_COUNT),
        ("a turn has no free flip", turn, "flip a1 b1", 0, Reason.WRONG_PHASE),
        ("nothing is kept that was not drawn", turn, "keep a1", 0, Reason.WRONG_PHASE),
        ("nothing is rejected that was not drawn", turn, "reject a1", 0, Reason.WRONG_PHASE),
        ("nobody draws twice", drawn, "draw", 0, Reason.WRONG_PHASE),
        ("the discard is out of reach once a card is drawn", drawn, "take a1", 0, Reason.WRONG_PHASE),
        ("the discard cannot go on an empty place", gap, "take a1", 0, Reason.PLACE_EMPTY),
        ("the drawn card cannot go on an empty place", gap_drawn, "keep a1", 0, Reason.PLACE_EMPTY),
        ("an empty place cannot be flipped", gap_drawn, "reject a1", 0, Reason.PLACE_EMPTY),
        ("an open card cannot be flipped", drawn, "reject d1", 0, Reason.PLACE_OPEN),
        ("a required flip cannot be left out", drawn, "reject", 0, Reason.FLIP_REQUIRED),
    ]


@pytest.mark.parametrize(
    ("table", "text", "seat", "reason"), [case[1:] for case in refusals()], ids=[case[0] for case in refusals()]
)
def test_an_illegal_action_is_refused_for_its_reason(table: Table, text: str, seat: int, reason: Reason) -> None:
    before = deepcopy(table.state)
    assert table.refusal(text, seat) is reason
    assert table.state == before
    assert Action.parse(text) not in legal_actions(table.state, seat)


def test_a_flip_that_names_a_place_twice_is_refused() -> None:
    table = first_deal(RuleSet(), OPEN, OPEN)
    with pytest.raises(IllegalAction, match="'flip a1 a1' names a place twice") as refused:
        decide(table.state, 0, Action.flip("a1", "a1"), table.chance)
    assert refused.value.reason is Reason.PLACE_TWICE


def test_a_choice_of_flips_is_in_the_legal_actions_in_any_order() -> None:
    listed = legal_actions(first_deal(RuleSet(), OPEN, OPEN).state, 0)
    assert len(listed) == 12 * 11 // 2
    assert Action.parse("flip d3 a1") in listed
    assert Action.parse("flip a1 d3") in listed
    assert [str(action) for action in listed[:2]] == ["flip a1 a2", "flip a1 a3"]
    assert Action.parse("flip a1 a2 a3") not in listed
    assert Action.parse("flip a1") not in listed


def test_the_legal_actions_are_a_value() -> None:
    state = position(HALF_HIDDEN, HALF_HIDDEN).state
    actions = legal_actions(state, 0)
    assert actions == LegalActions(tuple(actions))
    assert hash(actions) == hash(LegalActions(tuple(actions)))
    assert actions != tuple(actions)
    assert actions[0] == Action.draw()
    assert actions[1:3] == (Action.take("a1"), Action.take("a2"))
    assert legal_actions(state, 1) == LegalActions(())
    assert not legal_actions(state, 1)
    assert eval(repr(actions), {"LegalActions": LegalActions, "Action": Action}) == actions  # noqa: S307 - it is our own


def test_the_pile_that_cannot_be_drawn_from_leaves_only_the_discard_to_take() -> None:
    # No table gets here: with 8 seats 54 cards lie outside the grids. The rule says what would hold, so it must.
    table = position(HALF_HIDDEN, OPEN, discard="5", left_to_draw=0)
    table.state = replace(table.state, discard_pile=table.state.discard_pile[-1:])
    assert table.refusal("draw") is Reason.DRAW_IMPOSSIBLE
    assert table.legal()[:2] == ["take a1", "take a2"]
    assert str(default_action(table.state, 0)) == "take a1"
