"""Folding events into states. Refuses nothing and draws nothing at random: whether an event was legal is not asked here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from skyjo.actions import Verb
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
from skyjo.state import Grid, Phase, State, initial_state, next_stream, stream_counts

_TURN_ENDING: Final = frozenset({id(Verb.TAKE), id(Verb.KEEP), id(Verb.REJECT)})


def evolve(state: State, event: Event) -> State:
    """The state after an event. Never refuses: it trusts the log."""
    draft = _Draft(state, event.opener)
    for fact in event.facts:
        _FOLDS[type(fact)](draft, fact)
    action = event.action
    if action is not None and id(action.verb) in _TURN_ENDING and not draft.round_over:
        draft.finish_turn()
    return draft.frozen(event.version)


def replay(rules: RuleSet, seats: int, events: Iterable[Event]) -> State:
    """The state after folding events from version 0 on."""
    state = initial_state(rules, seats)
    for event in events:
        state = evolve(state, event)
    return state


class _Draft:
    """A state in the making, alive only inside one `evolve`; the attributes are those of State."""

    __slots__ = (
        "chance_opener", "chosen", "discard_pile", "ender", "grids", "hand", "left", "opener", "phase", "pile", "ranks",
        "reshuffles", "round", "round_over", "rounds", "rules", "taken", "turn", "turns",
    )  # fmt: skip

    def __init__(self, state: State, chance_opener: int | None) -> None:
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
        self.chance_opener = chance_opener
        self.round_over = False

    def frozen(self, version: int) -> State:
        """The finished state."""
        return State(
            self.rules, version, self.round, self.phase, self.turn, self.grids, self.pile, self.taken,
            self.discard_pile, self.hand, self.chosen, self.opener, self.ender, self.turns, self.reshuffles,
            self.rounds, self.left, self.ranks,
        )  # fmt: skip

    def finish_turn(self) -> None:
        """Hand the turn on; whoever has no hidden card left first is the ender (rule 20)."""
        seat, turns = self.turn, self.turns
        assert seat is not None  # noqa: S101 - a turn was played, so somebody was on move
        self.turns = (*turns[:seat], turns[seat] + 1, *turns[seat + 1 :])
        if self.ender is None and not self.grids[seat].hidden:
            self.ender = seat
        self.turn = (seat + 1) % len(turns)
        self.phase = Phase.TURN

    def replace_grid(self, seat: int, grid: Grid) -> None:
        """Put a new grid in a seat's place."""
        self.grids = (*self.grids[:seat], grid, *self.grids[seat + 1 :])

    def open_round(self) -> None:
        """Show the first flips and settle who opens (rules 6 to 8)."""
        self.grids = with_flips(self.grids, self.chosen)
        candidates, _ = opener_candidates(self.rules, self.round, self.rounds, self.opener, self.grids)
        self.opener = candidates[0] if self.chance_opener is None else self.chance_opener
        self.turn = self.opener
        self.phase = Phase.TURN


def _fold_dealt(draft: _Draft, fact: Dealt) -> None:
    rules, seats = draft.rules, len(draft.grids)
    dealt = seats * GRID_SIZE
    draft.grids = dealt_grids(fact.cards, seats)
    draft.discard_pile = (fact.cards[dealt],)
    draft.pile = fact.cards[dealt + 1 :]
    draft.taken = stream_counts(rules, seats)
    draft.round, draft.phase, draft.turn, draft.hand = fact.round, Phase.FLIP, None, None
    draft.ender, draft.turns, draft.reshuffles = None, (0,) * seats, 0
    draft.chosen = (None if rules.initial_flips else (),) * seats
    draft.round_over = True
    if not rules.initial_flips:
        draft.open_round()


def _fold_flipped(draft: _Draft, fact: Flipped) -> None:
    if draft.phase is not Phase.FLIP:
        draft.replace_grid(fact.seat, draft.grids[fact.seat].with_flipped(1 << fact.place))
        return
    chosen = list(draft.chosen)
    chosen[fact.seat] = (*(chosen[fact.seat] or ()), fact.place)
    draft.chosen = tuple(chosen)
    if all(places is not None and len(places) == draft.rules.initial_flips for places in chosen):
        draft.open_round()


def _fold_drawn(draft: _Draft, fact: Drawn) -> None:
    taken = draft.taken
    stream = next_stream(len(draft.pile), taken, fact.seat)
    draft.taken = (*taken[:stream], taken[stream] + 1, *taken[stream + 1 :])
    draft.hand = fact.card
    draft.phase = Phase.DRAWN


def _fold_placed(draft: _Draft, fact: Placed) -> None:
    if draft.phase is Phase.TURN:
        draft.discard_pile = draft.discard_pile[:-1]
    draft.hand = None
    draft.replace_grid(fact.seat, draft.grids[fact.seat].with_card(fact.place, fact.card))


def _fold_discarded(draft: _Draft, fact: Discarded) -> None:
    draft.discard_pile = (*draft.discard_pile, fact.card)
    draft.hand = None


def _fold_removed(draft: _Draft, fact: Removed) -> None:
    grid = draft.grids[fact.seat]
    draft.replace_grid(fact.seat, grid.without(sum(1 << place for place in fact.places)))
    draft.discard_pile += (fact.card,) * len(fact.places)


def _fold_reshuffled(draft: _Draft, fact: Reshuffled) -> None:
    draft.pile = fact.cards
    draft.taken = stream_counts(draft.rules, len(draft.grids))
    draft.discard_pile = draft.discard_pile[-1:]
    draft.reshuffles += 1


def _fold_round_scored(draft: _Draft, fact: RoundScored) -> None:
    draft.rounds = (*draft.rounds, fact)
    draft.round_over = True


def _fold_left(draft: _Draft, fact: Left) -> None:
    draft.left = (*draft.left[: fact.seat], True, *draft.left[fact.seat + 1 :])


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
