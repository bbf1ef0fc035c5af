"""Folding events into states. Refuses nothing, draws nothing at random; whether an event was legal is not asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from skyjo.actions import Action, Verb
from skyjo.cards import GRID_SIZE
from skyjo.facts import (
    Dealt,
    Discarded,
    Drawn,
    Event,
    Fact,
    Flipped,
    GameEnded,
    Left,
    Placed,
    Removed,
    Reshuffled,
    RoundScored,
)
from skyjo.opening import dealt_grids, opener_candidates, with_flips
from skyjo.rules import RuleSet
from skyjo.state import Grid, Phase, State, StateSlots, initial_state, mask_of, next_stream, replaced, stream_counts
from skyjo.swap import swapped

_DRAW: Final = Verb.DRAW
_FLIP: Final = Verb.FLIP
_CHOOSING: Final = Phase.FLIP
_TURN: Final = Phase.TURN
_DRAWN: Final = Phase.DRAWN


def evolve(state: State, event: Event) -> State:
    """The state after an event. Never refuses: it trusts the log."""
    facts: tuple[Any, ...] = event.facts
    if len(facts) == 2 and type(facts[0]) is Placed:
        return swapped(state, event.version, *facts)
    return fold(state, event)


def fold(state: State, event: Event) -> State:
    """The state after an event, fact by fact, whatever they are."""
    draft = _Draft()
    draft.copy(state)
    draft.version = event.version
    for fact in event.facts:
        _FOLDS[type(fact)](draft, fact)
    if event.opener is not None:
        draft.turn = draft.opener = event.opener
    elif draft.rounds is state.rounds and _ends_turn(event.action):
        draft.finish_turn()
    return draft.frozen()


def replay(rules: RuleSet, seats: int, events: Iterable[Event]) -> State:
    """The state after folding events from version 0 on."""
    state = initial_state(rules, seats)
    for event in events:
        state = evolve(state, event)
    return state


def _ends_turn(action: Action | None) -> bool:
    return action is not None and action.verb is not _DRAW and action.verb is not _FLIP


class _Draft(StateSlots):
    """A state in the making, alive only inside one `evolve`, at whose end it becomes the state."""

    __slots__ = ()

    def copy(self, state: State) -> None:
        """Take over everything that a state holds."""
        self.version = state.version
        self.rules = state.rules
        self.round = state.round
        self.phase = state.phase
        self.turn = state.turn
        self.grids = state.grids
        self.pile = state.pile
        self.taken = state.taken
        self.discard_pile = state.discard_pile
        self.hand = state.hand
        self.chosen = state.chosen
        self.opener = state.opener
        self.ender = state.ender
        self.turns = state.turns
        self.reshuffles = state.reshuffles
        self.rounds = state.rounds
        self.left = state.left
        self.ranks = state.ranks

    def frozen(self) -> State:
        """Turn the draft itself into the state: constructing another would cost as much as all the rest."""
        draft: Any = self
        draft.__class__ = State
        state: State = draft
        return state

    def finish_turn(self) -> None:
        """Hand the turn on; whoever has no hidden card left first is the ender (rule 20)."""
        seat, turns = self.turn, self.turns
        assert seat is not None  # noqa: S101 - a turn was played, so somebody was on move
        finished = list(turns)
        finished[seat] += 1
        self.turns = tuple(finished)
        if self.ender is None and not self.grids[seat].hidden:
            self.ender = seat
        self.turn = (seat + 1) % len(turns)
        self.phase = _TURN

    def replace_grid(self, seat: int, grid: Grid) -> None:
        """Put a new grid in a seat's place."""
        self.grids = replaced(self.grids, seat, grid)

    def open_round(self) -> None:
        """Show the first flips and settle who opens, as far as that needs no chance (rules 6 to 8)."""
        self.grids = with_flips(self.grids, self.chosen)
        candidates = opener_candidates(self.rules, self.round, self.rounds, self.opener, self.grids)
        self.turn = self.opener = candidates[0]
        self.phase = _TURN


def _fold_dealt(draft: _Draft, fact: Dealt) -> None:
    rules, seats = draft.rules, len(draft.grids)
    dealt = seats * GRID_SIZE
    draft.grids = dealt_grids(fact.cards, seats)
    draft.discard_pile = (fact.cards[dealt],)
    draft.pile = fact.cards[dealt + 1 :]
    draft.taken = stream_counts(rules, seats)
    draft.round, draft.phase, draft.turn, draft.hand = fact.round, _CHOOSING, None, None
    draft.ender, draft.turns, draft.reshuffles = None, (0,) * seats, 0
    draft.chosen = (None if rules.initial_flips else (),) * seats
    if not rules.initial_flips:
        draft.open_round()


def _fold_flipped(draft: _Draft, fact: Flipped) -> None:
    if draft.phase is not _CHOOSING:
        draft.replace_grid(fact.seat, draft.grids[fact.seat].with_flipped(1 << fact.place))
        return
    places = (*(draft.chosen[fact.seat] or ()), fact.place)
    draft.chosen = replaced(draft.chosen, fact.seat, places)
    if len(places) == draft.rules.initial_flips and None not in draft.chosen:
        draft.open_round()


def _fold_drawn(draft: _Draft, fact: Drawn) -> None:
    taken = draft.taken
    stream = next_stream(len(draft.pile), taken, fact.seat)
    draft.taken = replaced(taken, stream, taken[stream] + 1)
    draft.hand = fact.card
    draft.phase = _DRAWN


def _fold_placed(draft: _Draft, fact: Placed) -> None:
    if draft.phase is _TURN:
        draft.discard_pile = draft.discard_pile[:-1]
    draft.hand = None
    grids, seat = list(draft.grids), fact.seat
    grids[seat] = grids[seat].with_card(fact.place, fact.card)
    draft.grids = tuple(grids)


def _fold_discarded(draft: _Draft, fact: Discarded) -> None:
    draft.discard_pile += (fact.card,)
    draft.hand = None


def _fold_removed(draft: _Draft, fact: Removed) -> None:
    grid = draft.grids[fact.seat]
    draft.replace_grid(fact.seat, grid.without(mask_of(fact.places)))
    draft.discard_pile += (fact.card,) * len(fact.places)


def _fold_reshuffled(draft: _Draft, fact: Reshuffled) -> None:
    draft.pile = fact.cards
    draft.taken = stream_counts(draft.rules, len(draft.grids))
    draft.discard_pile = draft.discard_pile[-1:]
    draft.reshuffles += 1


def _fold_round_scored(draft: _Draft, fact: RoundScored) -> None:
    draft.rounds = (*draft.rounds, fact)


def _fold_left(draft: _Draft, fact: Left) -> None:
    draft.left = replaced(draft.left, fact.seat, True)


def _fold_game_ended(draft: _Draft, fact: GameEnded) -> None:
    draft.phase, draft.turn, draft.ranks = Phase.OVER, None, fact.ranks


_FOLDS: Final[dict[type[Fact], Callable[[_Draft, Any], None]]] = {
    Dealt: _fold_dealt,
    Flipped: _fold_flipped,
    Drawn: _fold_drawn,
    Placed: _fold_placed,
    Discarded: _fold_discarded,
    Removed: _fold_removed,
    Reshuffled: _fold_reshuffled,
    RoundScored: _fold_round_scored,
    Left: _fold_left,
    GameEnded: _fold_game_ended,
}
