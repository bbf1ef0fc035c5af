"""An empty draw pile, and who draws which card: rule 28."""

from __future__ import annotations

import pytest
from hypothesis import given

from skyjo import Action, Phase, RuleSet, decide, evolve, initial_state, seen_event, start
from skyjo.facts import Drawn, Reshuffled, RoundScored
from tests.skyjo.shadow import Shadow
from tests.skyjo.tables import CLASSIC, Table, position
from tests.strategies import SOME, PlayedGame, action_stream, fair_chance, games, play, rule_sets, seat_counts, seeds

PLAIN = "(1) (2) (3) (4) / 5 6 7 8 / 9 10 11 12"
OTHER = "(4) (3) (2) (1) / 12 11 10 9 / 8 7 6 5"
PER_SEAT = RuleSet(draw_streams="per_seat")


def drawn(table: Table) -> list[int]:
    return [fact.card for fact in table.facts(Drawn)]


def test_a_draw_from_an_empty_pile_shuffles_the_discards_without_their_top_first() -> None:
    table = position(PLAIN, OTHER, discard="3 5", left_to_draw=0)
    below = table.state.discard_pile[:-1]
    table.play("draw")
    reshuffled, first = table.events[-1].facts
    assert reshuffled == Reshuffled(tuple(reversed(below)))
    assert first == Drawn(0, below[-1])
    assert table.state.discard_pile == (5,)
    assert table.state.draw_pile_size == len(below) - 1
    assert table.chance.asked == ["reshuffle 1 1"]


def test_the_pile_is_shuffled_only_when_a_draw_is_asked_for() -> None:
    table = position(PLAIN, OTHER, draws="7", left_to_draw=1).play("draw", "keep a1")
    assert table.state.draw_pile_size == 0
    table.play("take a1")
    assert table.facts(Reshuffled) == []
    table.play("draw")
    assert len(table.facts(Reshuffled)) == 1


def test_every_reshuffle_of_a_round_has_its_own_number() -> None:
    table = position(PLAIN, OTHER, draws="7", left_to_draw=1, rules=RuleSet(max_turns_per_seat=None))
    while table.state.reshuffles < 3:
        table.play("draw", "keep d3")
    assert table.chance.asked == [f"reshuffle 1 {count}" for count in (1, 2, 3)]


def test_nobody_sees_the_order_of_a_reshuffled_pile_and_everybody_how_large_it_is() -> None:
    table = position(PLAIN, OTHER, discard="3 5", left_to_draw=0)
    before = table.state
    event = table.play("draw").events[-1]
    for viewer in (None, 0, 1):
        hidden, first = seen_event(event, before, viewer).facts
        assert hidden.cards == (None,) * (len(before.discard_pile) - 1)  # type: ignore[union-attr]  # a SeenReshuffled
        assert first.card == (table.state.hand if viewer == 0 else None)  # type: ignore[union-attr]  # a SeenDrawn


def per_seat(*grids: str, draws: str, left_to_draw: int) -> Table:
    return position(*grids, draws=draws, left_to_draw=left_to_draw, rules=PER_SEAT)


def test_with_streams_of_their_own_seat_s_of_n_draws_every_nth_card() -> None:
    table = position(PLAIN, OTHER, PLAIN, draws="1 2 3 4 5 6 7 8 9", rules=PER_SEAT)
    for _ in range(9):
        table.play("draw", "keep d3")
    assert [(fact.seat, fact.card) for fact in table.facts(Drawn)] == [(step % 3, step + 1) for step in range(9)]


def test_one_seats_draws_do_not_shift_anothers_cards() -> None:
    table = position(PLAIN, OTHER, PLAIN, draws="1 2 3 4 5 6 7 8 9", rules=PER_SEAT)
    table.play("take d3", "draw", "keep d3", "take d3", "take d3", "draw", "keep d3", "draw", "keep d3")
    assert [(fact.seat, fact.card) for fact in table.facts(Drawn)] == [(1, 2), (1, 5), (2, 3)]
    shared = position(PLAIN, OTHER, PLAIN, draws="1 2 3 4 5 6 7 8 9", rules=CLASSIC)
    shared.play("take d3", "draw", "keep d3", "take d3", "take d3", "draw", "keep d3", "draw", "keep d3")
    assert drawn(shared) == [1, 2, 3]


def test_a_seat_without_cards_of_its_own_draws_the_top_of_the_longest_stream() -> None:
    # Streams of seats 0, 1, 2: 1 4 | 2 5 | 3.
    table = per_seat(PLAIN, OTHER, PLAIN, draws="1 2 3 4 5", left_to_draw=5)
    table.play("take d3", "draw", "keep d3", "draw", "keep d3")
    assert drawn(table) == [2, 3]
    # Left: 1 4 | 5 | nothing. Seat 2 takes from seat 0's stream.
    table.play("take d3", "take d3", "draw", "keep d3")
    assert drawn(table) == [2, 3, 1]


def test_of_streams_of_equal_length_the_lowest_seats_is_drawn_from() -> None:
    table = per_seat(PLAIN, OTHER, PLAIN, draws="1 2 3", left_to_draw=3)
    table.play("take d3", "take d3", "draw", "keep d3", "take d3", "take d3", "draw", "keep d3")
    assert drawn(table) == [3, 1]
    table.play("draw", "keep d3")
    assert drawn(table) == [3, 1, 2]


def test_a_reshuffled_pile_is_split_anew() -> None:
    table = per_seat(PLAIN, OTHER, PLAIN, draws="1", left_to_draw=0)
    table.play("draw")
    (reshuffled,) = table.facts(Reshuffled)
    table.play("keep d3", "draw", "keep d3", "draw", "keep d3", "draw")
    assert drawn(table) == list(reshuffled.cards[:4])
    table = per_seat(PLAIN, OTHER, PLAIN, draws="1", left_to_draw=0).play("take d3", "draw")
    (reshuffled,) = table.facts(Reshuffled)
    assert drawn(table) == [reshuffled.cards[1]]


@pytest.mark.parametrize("streams", ["shared", "per_seat"])
@pytest.mark.parametrize("seats", range(2, 9))
def test_two_reshuffles_in_one_round_lose_no_card(seats: int, streams: str) -> None:
    rules = RuleSet.from_dict({"draw_streams": streams, "max_turns_per_seat": None})
    chance, shadow = fair_chance(seats), Shadow(rules, seats)
    state = initial_state(rules, seats)
    event = start(rules, seats, chance)
    while state.reshuffles < 2:
        shadow.watch(event)
        state = evolve(state, event)
        text = {Phase.FLIP: "flip a1 b1", Phase.TURN: "draw", Phase.DRAWN: "keep a1"}[state.phase]
        event = decide(state, state.to_act[0], Action.parse(text), chance)
    assert len(set(shadow.everything())) == 150
    assert state.discard_pile == shadow.values(shadow.discards)


@SOME
@given(games(rule_sets(max_turns_per_seat=None)))
def test_every_reshuffle_stands_in_the_log(game: PlayedGame) -> None:
    for before, event, after in zip(game.states, game.events[1:], game.states[1:], strict=False):
        reshuffles = sum(isinstance(fact, Reshuffled) for fact in event.facts)
        assert after.reshuffles == (before.reshuffles + reshuffles if after.round == before.round else 0)


def own_draws(game: PlayedGame) -> list[list[int]]:
    """By seat, what it drew in the first round, as long as every seat still had cards of its own to draw."""
    own = [len(game.states[0].pile[seat :: game.seats]) for seat in range(game.seats)]
    draws: list[list[int]] = [[] for _ in own]
    for fact in (fact for event in game.events for fact in event.facts):
        if isinstance(fact, RoundScored) or (isinstance(fact, Drawn) and len(draws[fact.seat]) == own[fact.seat]):
            break
        if isinstance(fact, Drawn):
            draws[fact.seat].append(fact.card)
    return draws


@SOME
@given(rule_sets(draw_streams="per_seat"), seat_counts(), seeds(), seeds(), seeds())
def test_with_streams_of_their_own_a_seat_draws_the_same_cards_whatever_the_others_do(
    rules: RuleSet, seats: int, deal: int, one: int, two: int
) -> None:
    played = [play(rules, seats, fair_chance(deal), action_stream(players), 200) for players in (one, two)]
    for first, second in zip(*map(own_draws, played), strict=True):
        shorter = min(len(first), len(second))
        assert first[:shorter] == second[:shorter]
