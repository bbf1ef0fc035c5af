"""How a round is set up and who opens it: rules 1 to 9."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyjo import PLACES, Cause, InvalidRules, Phase, Place, RuleSet, decide, evolve, legal_actions, seen_event, start
from skyjo.facts import Dealt, Flipped, Removed
from tests.skyjo.tables import CLASSIC, Script, Table, dealt, first_deal, position
from tests.strategies import SOME, PlayedGame, action_stream, fair_chance, games, play, rule_sets, seeds

UNTURNED = "1 2 3 4 / 5 6 7 8 / 9 10 11 12"
LOW = "(1) 2 3 4 / 1 0 0 0 / 5 0 0 0"
PLAIN = "(1) (2) (3) (4) / 5 6 7 8 / 9 10 11 12"
TIED = ["flip a1 d3", "flip b1 c3", "flip c1 b3"]
"""Choices on three UNTURNED grids that all turn up 13 points."""


@pytest.mark.parametrize("seats", [-1, 0, 1, 9, 100])
def test_a_game_of_fewer_than_2_or_more_than_8_seats_is_refused(seats: int) -> None:
    with pytest.raises(InvalidRules, match=f"{seats} seats: a game has 2 to 8") as refused:
        start(CLASSIC, seats, Script())
    assert refused.value.option == "seats"


def test_a_deal_goes_to_the_grids_seat_by_seat_and_column_by_column_then_to_the_piles() -> None:
    table = first_deal(CLASSIC, UNTURNED, "12 11 10 9 / 8 7 6 5 / 4 3 2 1", discard=-2, draws="-1 0 9")
    (deal,) = table.facts(Dealt)
    assert deal.cards[:12] == (1, 5, 9, 2, 6, 10, 3, 7, 11, 4, 8, 12)
    assert table.state.grids[0].cards == deal.cards[:12]
    assert table.state.grids[1].cards == deal.cards[12:24] == (12, 8, 4, 11, 7, 3, 10, 6, 2, 9, 5, 1)
    assert table.state.discard_pile == deal.cards[24:25] == (-2,)
    table.play("flip a1 b1", "flip a1 b1").play("draw")
    assert table.state.hand == deal.cards[25] == -1


@SOME
@given(games(rule_sets(initial_flip_choice="player")))
def test_the_discard_is_visible_before_anybody_flips(game: PlayedGame) -> None:
    first = game.states[0]
    assert len(first.discard_pile) == 1
    deal = game.events[0].facts[0]
    assert isinstance(deal, Dealt)
    assert first.discard_pile == (deal.cards[12 * game.seats],)


@pytest.mark.parametrize("count", range(1, 12))
def test_a_choice_turns_up_as_many_cards_as_the_rules_say_at_any_places(count: int) -> None:
    rules = RuleSet(initial_flips=count, remove_columns=False)
    table = first_deal(rules, UNTURNED, UNTURNED)
    chosen = [str(place) for place in PLACES[-count:]]
    table.play(f"flip {' '.join(chosen)}", f"flip {' '.join(reversed(chosen))}")
    assert [list(seat.open_cards) for seat in table.view().seats] == [list(PLACES[-count:])] * 2


def test_with_no_first_flips_the_deal_goes_straight_to_the_first_turn() -> None:
    table = first_deal(RuleSet(initial_flips=0), UNTURNED, UNTURNED)
    assert table.state.phase is Phase.TURN
    assert table.state.to_act == (0,)
    assert table.facts(Flipped) == []


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_choices_are_accepted_in_any_order_and_lead_to_the_same_table(order: tuple[int, ...]) -> None:
    choices = ["flip a1 b1", "flip c3 a2", "flip d1 d2"]
    straight = first_deal(CLASSIC, UNTURNED, UNTURNED, UNTURNED).play(*choices).state
    table = first_deal(CLASSIC, UNTURNED, UNTURNED, UNTURNED)
    for seat in order:
        assert seat in table.state.to_act
        table.play(choices[seat], seat=seat)
    assert table.state == straight


def test_nobody_sees_a_turned_card_until_every_seat_has_chosen_not_even_its_own() -> None:
    table = first_deal(CLASSIC, UNTURNED, UNTURNED, UNTURNED).play("flip a1 b1", seat=1).play("flip a1 b1", seat=0)
    for viewer in (None, 0, 1, 2):
        assert all(seat.open_cards == {} for seat in table.view(viewer).seats)
    table.play("flip a1 b1")
    assert all(len(seat.open_cards) == 2 for seat in table.view().seats)


def test_a_choice_shows_its_places_to_its_own_seat_alone_and_the_last_one_shows_them_all() -> None:
    table = first_deal(CLASSIC, UNTURNED, UNTURNED)
    before = table.state
    first = table.play("flip c1 a1", seat=1).events[-1]
    own, other, spectator = (seen_event(first, before, viewer) for viewer in (1, 0, None))
    assert (str(own.action), own.facts) == ("flip c1 a1", ())
    assert (other.seat, other.action, other.facts) == (1, None, ())
    assert spectator == other
    before = table.state
    last = table.play("flip b1 d1", seat=0).events[-1]
    shown = (
        Flipped(0, Place.parse("b1"), 2),
        Flipped(0, Place.parse("d1"), 4),
        Flipped(1, Place.parse("c1"), 3),
        Flipped(1, Place.parse("a1"), 1),
    )
    for viewer in (None, 0, 1):
        assert seen_event(last, before, viewer).facts == shown


def test_the_highest_sum_opens_the_first_round_and_negatives_count() -> None:
    table = first_deal(CLASSIC, "-2 12 0 0 / 1 1 2 3 / 4 5 6 7", "5 6 0 1 / 1 2 2 3 / 4 5 6 7")
    assert table.play("flip a1 b1", "flip a1 b1").state.to_act == (1,)


@pytest.mark.parametrize("how", ["highest_sum", "lowest_seat", "random"])
def test_a_tie_of_the_first_opener_goes_to_the_lowest_tied_seat(how: str) -> None:
    rules = RuleSet.from_dict({"first_starter": how, "starter_tie": "lowest_seat"})
    lower = "1 2 3 4 / 5 6 7 8 / 9 10 11 0"
    table = first_deal(rules, lower, UNTURNED, UNTURNED, chance=Script(starters=[2])).play("flip a1 d3", *TIED[1:])
    assert table.state.opener == {"highest_sum": 1, "lowest_seat": 0, "random": 2}[how]
    assert table.events[-1].opener == (2 if how == "random" else None)


def test_a_tie_may_be_broken_by_chance_among_the_tied_seats_alone() -> None:
    rules = RuleSet(starter_tie="random")
    for index, opener in enumerate((0, 2)):
        script = Script(starters=[index])
        table = first_deal(rules, UNTURNED, "0 2 3 4 / 5 6 7 8 / 9 10 11 12", UNTURNED, chance=script)
        table.play("flip a1 d3", "flip a1 d3", "flip b1 c3")
        assert script.asked == ["deal 1", "starter 1 of 2"]
        assert table.state.to_act == (opener,)
        assert table.events[-1].opener == opener


def test_chance_is_not_asked_for_an_opener_where_there_is_no_tie() -> None:
    script = Script(starters=[1])
    table = first_deal(RuleSet(starter_tie="random"), UNTURNED, UNTURNED, chance=script)
    assert table.play("flip a1 b1", "flip a1 c1").state.to_act == (1,)
    assert script.asked == ["deal 1"]


def test_a_random_opener_is_any_seat_and_only_of_the_first_round() -> None:
    script = Script(starters=[2])
    table = first_deal(RuleSet(first_starter="random"), UNTURNED, UNTURNED, UNTURNED, chance=script).play(*TIED)
    assert script.asked == ["deal 1", "starter 1 of 3"]
    assert table.state.to_act == (2,)


@SOME
@given(st.sampled_from(range(2, 9)), seeds())
def test_a_chosen_opener_stands_in_the_log_so_that_replay_needs_no_chance(seats: int, seed: int) -> None:
    rules = RuleSet(first_starter="random", initial_flips=1)
    game = play(rules, seats, fair_chance(seed), action_stream(seed), 2 * seats)
    opening = game.events[seats]
    assert opening.opener == game.states[seats].opener == game.states[seats].turn


def test_chance_may_choose_the_first_flips_and_they_are_shown_with_the_deal() -> None:
    rules = RuleSet(initial_flip_choice="random")
    script = Script(flips=[["d3", "a1"], ["b1", "c1"]])
    table = first_deal(rules, UNTURNED, UNTURNED, chance=script)
    assert script.asked == ["deal 1", "flips 1 2 2"]
    assert table.state.phase is Phase.TURN
    assert table.state.to_act == (0,)
    assert [str(fact.place) for fact in table.facts(Flipped)] == ["d3", "a1", "b1", "c1"]
    shown = seen_event(table.events[0], table.state, None).facts[1:]
    assert list(shown) == table.facts(Flipped)


def ended_by_2(how: str, *grids: str, **more: object) -> Table:
    """Three seats; seat 2 has ended round 2, which seat 1 opened; then all have turned up the same sum."""
    rules = RuleSet.from_dict({"next_starter": how, "double_on_tie": False} | more)
    script = Script({3: dealt(UNTURNED, UNTURNED, UNTURNED)})
    table = position(*grids, rules=rules, turn=2, opener=1, totals=(-99, -99, -99), chance=script).play_out()
    assert table.state.round == 3
    assert table.scored.ender == 2
    return table


@pytest.mark.parametrize(("how", "opener"), [("ender", 2), ("winner", 1), ("rotate", 2), ("highest_sum", 0)])
def test_the_next_round_is_opened_as_the_option_says(how: str, opener: int) -> None:
    table = ended_by_2(how, PLAIN, LOW, "(1) 2 3 4 / 5 6 7 8 / 9 10 11 -1")
    assert table.play("flip d3 c3", "flip a1 a2", "flip b1 b2").state.to_act == (opener,)


def test_rotate_passes_the_opening_on_from_the_opener_before_whoever_ended() -> None:
    rules = RuleSet(next_starter="rotate", max_rounds=9, score_limit=None)
    game = play(rules, 3, fair_chance(2), action_stream(2), 2000)
    openers = {state.round: state.opener for state in game.states if state.phase is Phase.TURN}
    first = openers[1]
    assert first is not None
    assert [openers[round_] for round_ in range(1, 10)] == [(first + step) % 3 for step in range(9)]


@pytest.mark.parametrize(
    ("scores", "opener"),
    [
        ((31, 31, 43), 0),  # from seat 2 clockwise: 2, 0, 1
        ((31, 31, 31), 2),  # the ender itself comes first
        ((43, 31, 31), 2),
        ((43, 31, 32), 1),
    ],
)
def test_tied_winners_the_first_clockwise_from_the_ender_opens(scores: tuple[int, ...], opener: int) -> None:
    grids = [f"(1) 2 3 4 / 5 1 {score - 31} 2 / 3 4 1 5" for score in scores]
    table = ended_by_2("winner", *grids, ender_multiplier=1)
    assert table.scored.final == scores
    assert table.play("flip a1 a2", "flip a1 a2", "flip a1 a2").state.to_act == (opener,)


def test_the_winner_is_found_by_final_scores_not_by_raw_ones() -> None:
    # The ender has the fewest raw points together with seat 0, and is doubled for it.
    table = ended_by_2("winner", LOW, PLAIN, LOW, double_on_tie=True)
    assert table.scored.final == (16, 78, 32)
    assert table.play("flip a1 a2", "flip a1 a2", "flip a1 a2").state.to_act == (0,)


@pytest.mark.parametrize("how", ["ender", "winner", "rotate"])
def test_after_a_round_without_an_ender_the_opening_rotates(how: str) -> None:
    rules = RuleSet.from_dict({"next_starter": how, "max_turns_per_seat": 1})
    script = Script({3: dealt(UNTURNED, UNTURNED, UNTURNED)})
    table = position(PLAIN, PLAIN, PLAIN, rules=rules, turn=2, opener=0, totals=(-99,) * 3, chance=script)
    table.play("draw", "reject a1")
    assert table.scored.ender is None
    assert table.play("flip d3 c3", "flip a1 a2", "flip b1 b2").state.to_act == (1,)


def test_the_highest_sum_can_open_every_round_with_its_tie_option() -> None:
    rules = RuleSet(
        next_starter="highest_sum", starter_tie="random", max_turns_per_seat=1, score_limit=None, max_rounds=9
    )
    script = Script({1: dealt(UNTURNED, UNTURNED), 2: dealt(UNTURNED, UNTURNED)}, starters=[1, 1])
    table = first_deal(rules, UNTURNED, UNTURNED, chance=script).play("flip a1 d3", "flip b1 c3")
    assert table.state.to_act == (1,)
    table.play("draw", "reject a1")
    assert table.state.round == 2
    table.play("flip a1 d3", "flip b1 c3")
    assert table.state.to_act == (1,)
    assert script.asked == ["deal 1", "starter 1 of 2", "deal 2", "starter 2 of 2"]


def test_the_opener_is_settled_before_columns_that_the_flips_complete_are_removed_seats_ascending() -> None:
    rules = RuleSet(initial_flips=3)
    nines, eights = "9 1 2 3 / 9 4 5 6 / 9 7 8 10", "8 1 2 3 / 8 4 5 6 / 8 7 9 10"
    table = first_deal(rules, eights, nines, "12 1 2 3 / 11 4 5 6 / 3 7 8 10")
    table.play("flip a1 a2 a3", seat=1).play("flip a1 a2 a3", seat=2).play("flip a1 a2 a3", seat=0)
    assert table.facts(Removed) == [Removed(0, PLACES[:3], 8), Removed(1, PLACES[:3], 9)]
    assert table.state.to_act == (1,)  # 27 points against 24 and 26, though none of them is left
    assert table.state.discard_pile == (5, 8, 8, 8, 9, 9, 9)
    assert table.events[-1].facts[-2:] == tuple(table.facts(Removed))


@pytest.mark.parametrize("choice", ["player", "random"])
def test_several_columns_that_first_flips_complete_go_lowest_first(choice: str) -> None:
    rules = RuleSet.from_dict({"initial_flips": 6, "initial_flip_choice": choice})
    two = "9 1 0 3 / 9 4 0 6 / 9 7 0 10"
    places = ["c1", "c2", "c3", "a1", "a2", "a3"]
    script = Script(flips=[places, places])
    table = first_deal(rules, two, UNTURNED, chance=script)
    if choice == "player":
        table.play(f"flip {' '.join(places)}", f"flip {' '.join(places)}")
    assert table.facts(Removed) == [Removed(0, PLACES[:3], 9), Removed(0, PLACES[6:9], 0)]
    assert table.state.discard_pile == (5, 9, 9, 9, 0, 0, 0)


@SOME
@given(games(rule_sets(initial_flip_choice="player")))
def test_every_round_starts_the_same_way(game: PlayedGame) -> None:
    flips = game.rules.initial_flips
    for before, event, after in zip(game.states, game.events[1:], game.states[1:], strict=False):
        deals = [fact for fact in event.facts if isinstance(fact, Dealt)]
        assert len(deals) == after.round - before.round
        if deals:
            assert Counter(deals[0].cards).total() == 150
            assert all(grid.open == 0 for grid in after.grids)
            assert after.turns == (0,) * game.seats
            assert (after.ender, after.reshuffles, after.hand) == (None, 0, None)
            assert after.to_act == (tuple(range(game.seats)) if flips else (after.opener,))


def test_seats_that_have_chosen_are_no_longer_waited_for() -> None:
    table = first_deal(CLASSIC, UNTURNED, UNTURNED, UNTURNED)
    assert table.state.to_act == (0, 1, 2)
    assert table.play("flip a1 a2", seat=1).state.to_act == (0, 2)
    assert not legal_actions(table.state, 1)
    event = decide(table.state, 2, legal_actions(table.state, 2)[0], Script(), Cause.TIMEOUT)
    assert evolve(table.state, event).to_act == (0,)
