"""What a viewer is given: the shape of decisions and events. That no card leaks, test_secrecy holds."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from skyjo import GONE, PLACES, Decision, Phase, Place, RuleSet, decision, full_event, legal_actions, seen_event
from skyjo.facts import Dealt, Flipped
from skyjo.notation import event_from_dict, event_to_dict, seen_event_from_dict
from skyjo.view import SeenDealt, SeenDrawn
from tests.skyjo.tables import CLASSIC, first_deal, position
from tests.strategies import SOME, PlayedGame, games

PLAIN = "(1) (2) (3) (4) / 5 6 7 8 / 9 10 11 12"
OTHER = "(4) (3) (2) (1) / 12 11 10 9 / 8 7 6 5"
UNTURNED = "1 2 3 4 / 5 6 7 8 / 9 10 11 12"


def test_a_decision_written_out() -> None:
    table = position(". (2) 0 (4) / . 6 -1 8 / . 10 11 12", OTHER, discard="3 5", draws="9", totals=(7, -2), turn=0)
    written = decision(table.play("draw").state, 0, game="g", deadline="2026-01-01T00:00:00Z").to_dict()
    legal = written.pop("legal_actions")
    rules = written.pop("rules")
    assert rules == CLASSIC.to_dict()
    assert legal == [*(f"keep {place}" for place in PLACES[3:]), "reject b1", "reject d1"]
    assert written == {
        "game": "g",
        "version": 0,
        "round": 2,
        "phase": "drawn",
        "seat": 0,
        "to_act": [0],
        "drawn": 9,
        "discard_pile": [3, 5],
        "draw_pile_size": 150 - 9 - 12 - 2 - 1,
        "seats": [
            {
                "columns": [None, [None, 6, 10], [0, -1, 11], [None, 8, 12]],
                "round_scores": [7],
                "total": 7,
                "left": False,
            },
            {
                "columns": [[None, 12, 8], [None, 11, 7], [None, 10, 6], [None, 9, 5]],
                "round_scores": [-2],
                "total": -2,
                "left": False,
            },
        ],
        "deadline": "2026-01-01T00:00:00Z",
        "ranks": None,
    }


def test_a_place_that_a_removed_row_left_is_marked_gone_inside_its_column() -> None:
    table = position(". . . . / (1) 2 3 4 / 5 6 7 8", OTHER, rules=RuleSet(remove_rows=True))
    seat = table.view().seats[0]
    assert seat.columns == (("gone", None, 5), ("gone", 2, 6), ("gone", 3, 7), ("gone", 4, 8))
    assert seat.card(Place.parse("a1")) == GONE
    assert seat.hidden_places == (Place.parse("a2"),)
    assert Place.parse("a1") not in seat.open_cards


def test_a_column_of_which_nothing_is_left_is_none_however_it_went() -> None:
    rules = RuleSet(remove_rows=True)
    table = position("5 (1) 2 3 / 5 4 6 7 / 5 8 9 0".replace("5 (", ". (").replace("/ 5", "/ ."), OTHER, rules=rules)
    assert table.view().seats[0].columns[0] is None
    assert table.view().seats[0].card(Place.parse("a2")) == GONE


def test_a_viewers_own_seat_is_at_hand_and_a_spectator_has_none() -> None:
    table = position(PLAIN, OTHER)
    assert table.view(1).own == table.view(1).seats[1]
    with pytest.raises(ValueError, match="a spectator has no seat"):
        _ = table.view(None).own


@SOME
@given(games())
def test_a_decision_reads_back_from_what_it_writes_also_through_json(game: PlayedGame) -> None:
    for viewer in (None, *range(game.seats)):
        view = decision(game.state, viewer, game="some", deadline=None)
        assert Decision.from_dict(view.to_dict()) == view
        assert Decision.from_dict(json.loads(json.dumps(view.to_dict()))) == view
        assert Decision.from_dict(view.to_dict() | {"later": 1}) == view


@SOME
@given(games())
def test_a_seats_decision_lists_its_legal_actions_and_a_spectators_none(game: PlayedGame) -> None:
    for seat in range(game.seats):
        assert decision(game.state, seat).legal_actions == legal_actions(game.state, seat)
    assert len(decision(game.state, None).legal_actions) == 0


@SOME
@given(games())
def test_a_decision_shows_the_open_cards_and_counts_of_the_state(game: PlayedGame) -> None:
    state, view = game.state, decision(game.state, None)
    assert (view.version, view.round, view.to_act) == (state.version, state.round, state.to_act)
    assert (view.discard_pile, view.draw_pile_size) == (state.discard_pile, state.draw_pile_size)
    for seat, grid in zip(view.seats, state.grids, strict=True):
        shown = grid.held if view.phase is Phase.OVER else grid.open
        assert seat.open_cards == {place: grid.cards[place] for place in PLACES if shown >> place & 1}
        assert len(seat.hidden_places) == (0 if view.phase is Phase.OVER else grid.hidden.bit_count())
    assert tuple(seat.total for seat in view.seats) == state.totals
    assert all(sum(seat.round_scores) == seat.total for seat in view.seats)


def test_the_views_of_a_finished_game_are_complete_and_the_same_for_everybody() -> None:
    table = position(PLAIN, OTHER, hand=9).leave(0)
    assert table.state.phase is Phase.OVER
    views = [table.view(viewer).to_dict() | {"seat": None} for viewer in (None, 0, 1)]
    assert views[0] == views[1] == views[2]
    assert views[0]["drawn"] == 9
    assert table.view().seats[0].hidden_places == ()
    assert table.view().seats[0].card(PLACES[0]) == 1
    assert views[0]["ranks"] == [2, 1]
    assert views[0]["to_act"] == views[0]["legal_actions"] == []


def test_the_views_of_a_stopped_game_are_complete_and_nobody_is_to_act() -> None:
    table = position(PLAIN, OTHER, hand=9)
    for viewer in (None, 0, 1):
        view = decision(table.state, viewer, deadline="2026-01-01T00:00:00Z", stopped=True)
        assert (view.phase, view.to_act, len(view.legal_actions)) == (Phase.OVER, (), 0)
        assert (view.drawn, view.ranks, view.deadline) == (9, None, None)
        assert all(seat.hidden_places == () for seat in view.seats)


def test_a_running_game_shows_of_a_deal_only_the_first_discard() -> None:
    table = first_deal(CLASSIC, UNTURNED, UNTURNED, discard=11)
    (seen,) = seen_event(table.events[0], table.state, 0).facts
    assert seen == SeenDealt(1, tuple(11 if index == 24 else None for index in range(150)))
    assert full_event(table.events[0]).facts == tuple(table.facts(Dealt))


def test_a_draw_is_shown_to_its_drawer_alone() -> None:
    table = position(PLAIN, OTHER, draws="9")
    before = table.state
    event = table.play("draw").events[-1]
    shown = {viewer: seen_event(event, before, viewer).facts for viewer in (None, 0, 1)}
    assert shown == {None: (SeenDrawn(0, None),), 0: (SeenDrawn(0, 9),), 1: (SeenDrawn(0, None),)}


@SOME
@given(games())
def test_beside_deals_draws_reshuffles_and_first_flips_an_event_is_shown_as_it_is(game: PlayedGame) -> None:
    for before, event in zip(game.states, game.events[1:], strict=False):
        seen = seen_event(event, before, None)
        if before.phase is not Phase.FLIP:
            assert (seen.version, seen.seat, seen.action, seen.cause) == (
                event.version,
                event.seat,
                event.action,
                event.cause,
            )
            pairs = zip(seen.facts, event.facts, strict=True)
            assert all(shown == fact or type(shown).__name__.startswith("Seen") for shown, fact in pairs)


@SOME
@given(games())
def test_the_flips_of_a_round_are_shown_to_all_exactly_once(game: PlayedGame) -> None:
    befores = (game.states[0], *game.states)
    full = [fact for event in game.events for fact in event.facts if isinstance(fact, Flipped)]
    shown = [
        fact
        for event, before in zip(game.events, befores, strict=False)
        for fact in seen_event(event, before, None).facts
        if isinstance(fact, Flipped)
    ]
    if game.state.phase is not Phase.FLIP and not any(game.state.left):
        assert sorted(shown, key=repr) == sorted(full, key=repr)


@SOME
@given(games())
def test_events_read_back_from_what_they_write_also_through_json(game: PlayedGame) -> None:
    before = game.states[0]
    for event, state in zip(game.events, game.states, strict=True):
        assert event_from_dict(json.loads(json.dumps(event_to_dict(event))), event.opener) == event
        for viewer in (None, 0):
            seen = seen_event(event, before, viewer)
            assert seen_event_from_dict(json.loads(json.dumps(event_to_dict(seen)))) == seen
        before = state
