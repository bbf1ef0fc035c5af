"""No byte that a viewer is given depends on what it may not know.

A played game is played again on another deal: every card whose face the viewer has not been shown gets another value,
and choices that it has not been shown are other choices. All that the viewer is given must be equal at every version.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hypothesis import given
from hypothesis import strategies as st

from skyjo import (
    Action,
    Cause,
    Chance,
    Event,
    IllegalAction,
    Phase,
    Place,
    RuleSet,
    State,
    Verb,
    decide,
    decide_leave,
    decision,
    evolve,
    initial_state,
    legal_actions,
    seen_event,
    start,
)
from skyjo.notation import event_to_dict
from skyjo.shuffle import WordStream
from tests.skyjo.shadow import Card, Shadow
from tests.strategies import SOME, PlayedGame, action_stream, fair_chance, games, play, seeds, universe


@dataclass(frozen=True)
class OtherChance:
    """The chance of a game, but for the cards whose values are given."""

    chance: Chance
    values: dict[Card, int]

    def deal(self, round_: int) -> tuple[int, ...]:
        return self._changed(round_, 0, self.chance.deal(round_))

    def reshuffle(self, round_: int, count: int, cards: Sequence[int]) -> tuple[int, ...]:
        return self._changed(round_, count, self.chance.reshuffle(round_, count, cards))

    def flips(self, round_: int, seats: int, count: int) -> tuple[tuple[Place, ...], ...]:
        return self.chance.flips(round_, seats, count)

    def starter(self, round_: int, candidates: int) -> int:
        return self.chance.starter(round_, candidates)

    def _changed(self, round_: int, shuffle: int, cards: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(self.values.get((round_, shuffle, index), card) for index, card in enumerate(cards))


def unknown_cards_in_another_order(game: PlayedGame, viewer: int | None, words: WordStream) -> dict[Card, int]:
    """New values for the cards that a viewer has not been shown; those of one shuffle swap places."""
    shadow = Shadow(game.rules, game.seats)
    for event in game.events:
        shadow.watch(event)
    unknown = [card for card in shadow.value if card not in shadow.known[viewer]]
    changed: dict[Card, int] = {}
    for shuffle in {card[:2] for card in unknown}:
        cards = [card for card in unknown if card[:2] == shuffle]
        values = [shadow.value[card] for card in cards]
        while cards:
            changed[cards.pop()] = values.pop(words.uniform(len(values)))
    return changed


def with_other_choices(game: PlayedGame, viewer: int | None, words: WordStream) -> tuple[Event, ...]:
    """The events, but where the last round still waits for choices of flips, other seats have chosen other places."""
    if game.state.phase is not Phase.FLIP:
        return game.events
    changed = []
    for event in game.events:
        secret = event.seat != viewer and event.action is not None and event.action.verb is Verb.FLIP
        if secret and event.version > game.state.version - still_choosing(game):
            listed = legal_actions(game.states[event.version - 1], event.seat or 0)
            changed.append(replace(event, action=listed[words.uniform(len(listed))]))
        else:
            changed.append(event)
    return tuple(changed)


def still_choosing(game: PlayedGame) -> int:
    """How many events the game has been waiting for the choices of the round."""
    waiting = 0
    for state in reversed(game.states[:-1]):
        if state.phase is not Phase.FLIP:
            break
        waiting += 1
    return waiting


def played_again(game: PlayedGame, events: Sequence[Event], chance: Chance) -> PlayedGame:
    """The same actions on another deal."""
    first = start(game.rules, game.seats, chance)
    played, states = [first], [evolve(initial_state(game.rules, game.seats), first)]
    for event in events[1:]:
        assert event.seat is not None or event.action is None
        played.append(_again(states[-1], event, chance))
        states.append(evolve(states[-1], played[-1]))
    return PlayedGame(chance, tuple(played), tuple(states))


def _again(state: State, event: Event, chance: Chance) -> Event:
    assert event.seat is not None
    if event.action is None:
        return decide_leave(state, event.seat, event.cause)
    return decide(state, event.seat, event.action, chance, event.cause)


def other_world(game: PlayedGame, viewer: int | None, words: WordStream) -> PlayedGame:
    """A game that differs from this one in what the viewer cannot know, and in nothing else."""
    chance = OtherChance(game.chance, unknown_cards_in_another_order(game, viewer, words))
    return played_again(game, with_other_choices(game, viewer, words), chance)


def given_to(game: PlayedGame, viewer: int | None) -> list[str]:
    """All that a viewer was given, as bytes would carry it: events, decisions and, at the end, refusals."""
    befores = (initial_state(game.rules, game.seats), *game.states)
    seen = [
        json.dumps([event_to_dict(seen_event(event, before, viewer)), decision(after, viewer, game="g").to_dict()])
        for event, before, after in zip(game.events, befores, game.states, strict=False)
    ]
    return seen + refusals(game.state, viewer)


def cut(game: PlayedGame, version: int) -> PlayedGame:
    """The game as far as a version."""
    return PlayedGame(game.chance, game.events[: version + 1], game.states[: version + 1])


def refusals(state: State, viewer: int | None) -> list[str]:
    """What a seat is told about every action that it may not play."""
    if viewer is None:
        return []
    listed = legal_actions(state, viewer)
    return [refusal(state, viewer, action) for action in universe(state.rules) if action not in listed]


def refusal(state: State, viewer: int, action: Action) -> str:
    try:
        decide(state, viewer, action, fair_chance(0))
    except IllegalAction as refused:
        return f"{refused.reason} {refused}"
    return f"{action} was accepted"


@given(games(), st.sampled_from(range(-1, 8)), seeds())
def test_a_viewer_cannot_tell_a_game_from_one_that_differs_in_what_it_may_not_know(
    game: PlayedGame, seat: int, seed: int
) -> None:
    if game.state.phase is Phase.OVER:
        game = cut(game, game.state.version - 1)
    viewer = None if seat < 0 else seat % game.seats
    other = other_world(game, viewer, action_stream(seed))
    assert given_to(other, viewer) == given_to(game, viewer)


def test_two_such_games_do_differ_and_the_drawer_can_tell_them_apart() -> None:
    game = play(RuleSet(), 3, fair_chance(7), action_stream(7), 40)
    game = cut(game, next(state.version for state in game.states[20:] if state.phase is Phase.DRAWN))
    drawer = game.state.turn
    assert drawer is not None
    other = other_world(game, (drawer + 1) % 3, action_stream(8))
    assert [event.action for event in other.events] == [event.action for event in game.events]
    assert other.state.grids != game.state.grids
    assert given_to(other, (drawer + 1) % 3) == given_to(game, (drawer + 1) % 3)
    assert other.state.hand != game.state.hand
    assert given_to(other, drawer) != given_to(game, drawer)


def test_while_flips_are_chosen_the_other_world_has_other_choices() -> None:
    game = play(RuleSet(), 3, fair_chance(7), action_stream(7), 2)
    assert game.state.phase is Phase.FLIP
    chooser = game.events[1].seat
    assert chooser is not None
    watcher = next(seat for seat in range(3) if game.state.chosen[seat] is None)
    other = other_world(game, watcher, action_stream(8))
    assert other.events[1].action != game.events[1].action
    assert given_to(other, watcher) == given_to(game, watcher)
    assert given_to(other, chooser) != given_to(game, chooser)


@SOME
@given(games(), st.sampled_from(range(8)))
def test_a_viewer_is_given_the_face_of_no_card_that_it_was_not_shown(game: PlayedGame, seat: int) -> None:
    shadow = Shadow(game.rules, game.seats)
    for event, state in zip(game.events, game.states, strict=True):
        shadow.watch(event)
        if state.phase is not Phase.OVER:
            assert_only_known_faces(shadow, state, None)
            assert_only_known_faces(shadow, state, seat % game.seats)


def assert_only_known_faces(shadow: Shadow, state: State, viewer: int | None) -> None:
    view = decision(state, viewer)
    for seat, laid in enumerate(shadow.grids):
        for place, card in enumerate(laid):
            cell = view.seats[seat].card(Place(place))
            assert card is None or (cell is None) == (card not in shadow.known[None])
    assert (view.drawn is None) == (shadow.hand is None or shadow.hand not in shadow.known[viewer])
    assert len(view.discard_pile) == len(shadow.discards)


@SOME
@given(games())
def test_a_seat_that_watches_as_a_spectator_sees_less_than_at_its_seat_and_nothing_else(game: PlayedGame) -> None:
    spectator, state = decision(game.state, None).to_dict(), game.state
    for seat in range(game.seats):
        own = decision(state, seat).to_dict()
        differing = {name for name in own if own[name] != spectator[name]}
        assert differing <= {"seat", "drawn", "legal_actions"}
    assert spectator["legal_actions"] == []
    assert state.phase is Phase.OVER or spectator["drawn"] is None


def test_what_was_shown_does_not_change_when_the_game_goes_on() -> None:
    game = play(RuleSet(), 4, fair_chance(3), action_stream(3), 60)
    assert game.state.phase is not Phase.OVER
    for viewer in (None, 0, 3):
        assert given_to(game, viewer)[:31] == given_to(cut(game, 30), viewer)[:31]


def test_leaving_shows_nobody_a_card() -> None:
    game = play(RuleSet(), 3, fair_chance(5), action_stream(5), 30)
    event = decide_leave(game.state, 1, Cause.PLAYER)
    after = evolve(game.state, event)
    assert decision(after, 0).seats[1].columns == decision(game.state, 0).seats[1].columns
    assert decision(after, 0).seats[1].left
