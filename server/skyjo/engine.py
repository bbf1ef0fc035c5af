"""The game itself: `decide` says what an action causes, `evolve` folds it into the state. Pure, no side effects.

`decide` refuses what is illegal; `evolve` never refuses, it trusts the log. Chance comes in as an argument and leaves as
facts, so that `replay` needs no generator.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from skyjo.actions import Action, Verb
from skyjo.cards import SEATS_MAX, SEATS_MIN
from skyjo.errors import IllegalAction, InvalidRules, Reason
from skyjo.facts import (
    Cause,
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
from skyjo.legal import check_action
from skyjo.lines import complete_lines, final_lines
from skyjo.opening import chance_opener, dealt_grids, with_flips
from skyjo.places import Place
from skyjo.rules import RuleSet
from skyjo.scoring import final_scores, game_is_over, ranks
from skyjo.shuffle import Chance
from skyjo.state import PLACES_OF_MASK, Grid, Phase, State, initial_state, next_stream, stream_counts

_DRAW = Verb.DRAW
_FLIP = Verb.FLIP
_TAKE = Verb.TAKE
_REJECT = Verb.REJECT
_PLAYER = Cause.PLAYER
_T = TypeVar("_T")


def start(rules: RuleSet, seats: int, chance: Chance) -> Event:
    """Event 0 of a game: the first deal.

    Raises:
        InvalidRules: if there are not 2 to 8 seats.
    """
    if not SEATS_MIN <= seats <= SEATS_MAX:
        raise InvalidRules("seats", f"{seats} seats: a game has {SEATS_MIN} to {SEATS_MAX}")
    facts, opener = _deal(initial_state(rules, seats), 1, None, chance)
    return Event(0, None, None, Cause.SYSTEM, facts, opener)


def decide(state: State, seat: int, action: Action, chance: Chance, cause: Cause = _PLAYER) -> Event:
    """The event that an action of a seat causes; the state stays as it is.

    Raises:
        IllegalAction: with its reason; nothing has happened.
    """
    check_action(state, seat, action)
    verb = action.verb
    if verb is _DRAW:
        return Event(state.version + 1, seat, action, cause, _draw(state, seat, chance))
    if verb is _FLIP:
        facts, opener = _choose_flips(state, seat, action.places, chance)
    else:
        facts, opener = _finish_turn(state, seat, action, chance)
    return Event(state.version + 1, seat, action, cause, facts, opener)


def decide_leave(state: State, seat: int, cause: Cause) -> Event:
    """The event of a seat that resigns (cause `player`) or is made to leave (cause `forfeit`). Source: rule 31.

    Raises:
        IllegalAction: `no-such-seat`, `game-over` or `already-left`.
    """
    if not 0 <= seat < state.seats:
        raise IllegalAction(Reason.NO_SUCH_SEAT, f"there is no seat {seat}: the seats are 0 to {state.seats - 1}")
    if state.phase is Phase.OVER:
        raise IllegalAction(Reason.GAME_OVER, "the game is over: nobody can leave it any more")
    if state.left[seat]:
        raise IllegalAction(Reason.ALREADY_LEFT, f"seat {seat} has left already")
    left = tuple(gone or other == seat for other, gone in enumerate(state.left))
    facts: tuple[Fact, ...] = (Left(seat),)
    if left.count(False) == 1:
        facts += (GameEnded(state.totals, ranks(state.totals, left)),)
    return Event(state.version + 1, seat, None, cause, facts)


def forced_seat(state: State) -> int | None:
    """The lowest seat to act that has left, and so is played by default actions; None if there is none."""
    return next((seat for seat in state.to_act if state.left[seat]), None)


def _draw(state: State, seat: int, chance: Chance) -> tuple[Fact, ...]:
    if state.draw_pile_size:
        pile, taken = state.pile, state.taken
        stream = next_stream(len(pile), taken, seat)
        return (Drawn(seat, pile[stream + len(taken) * taken[stream]]),)
    pile = chance.reshuffle(state.round, state.reshuffles + 1, state.discard_pile[:-1])
    stream = next_stream(len(pile), stream_counts(state.rules, state.seats), seat)
    return Reshuffled(pile), Drawn(seat, pile[stream])


def _choose_flips(
    state: State, seat: int, places: tuple[Place, ...], chance: Chance
) -> tuple[tuple[Fact, ...], int | None]:
    cards = state.grids[seat].cards
    facts: tuple[Fact, ...] = tuple(Flipped(seat, place, cards[place]) for place in places)
    chosen = _replaced(state.chosen, seat, places)
    if None in chosen:
        return facts, None
    grids = with_flips(state.grids, chosen)
    opener = chance_opener(state.rules, state.round, state.rounds, state.opener, grids, chance)
    return facts + _first_removals(state.rules, grids), opener


def _finish_turn(state: State, seat: int, action: Action, chance: Chance) -> tuple[tuple[Fact, ...], int | None]:
    grid, facts = _move_card(state, seat, action)
    if action.places:
        lines = complete_lines(state.rules, grid)
        if lines:
            removals, grid = _remove(seat, grid, lines)
            facts += removals
    ends, truncated = _round_ends(state, seat, grid)
    if not ends:
        return facts, None
    more, opener = _end_round(state, _replaced(state.grids, seat, grid), seat, truncated, chance)
    return facts + more, opener


def _move_card(state: State, seat: int, action: Action) -> tuple[Grid, tuple[Fact, ...]]:
    grid = state.grids[seat]
    if action.verb is _REJECT:
        return _reject_card(state, seat, grid, action)
    place = action.places[0]
    card = state.discard_pile[-1] if action.verb is _TAKE else state.hand
    assert card is not None  # noqa: S101 - check_action saw the phase `drawn`, which has a hand
    return grid.with_card(place, card), (Placed(seat, place, card), Discarded(seat, grid.cards[place]))


def _reject_card(state: State, seat: int, grid: Grid, action: Action) -> tuple[Grid, tuple[Fact, ...]]:
    assert state.hand is not None  # noqa: S101 - as above
    discarded = Discarded(seat, state.hand)
    if not action.places:
        return grid, (discarded,)
    place = action.places[0]
    return grid.with_flipped(1 << place), (discarded, Flipped(seat, place, grid.cards[place]))


def _round_ends(state: State, seat: int, grid: Grid) -> tuple[bool, bool]:
    """Whether the turn just finished is the round's last, and if so whether the turn limit cuts it short."""
    if state.ender is not None:
        return (seat + 1) % state.seats == state.ender, False
    if not grid.hidden:
        return False, False
    limit = state.rules.max_turns_per_seat
    truncated = limit is not None and state.turns[seat] + 1 >= limit
    return truncated, truncated


def _end_round(
    state: State, grids: Sequence[Grid], seat: int, truncated: bool, chance: Chance
) -> tuple[tuple[Fact, ...], int | None]:
    """Final reveal, removals, scores, then the next deal or the end. Source: rules 22 to 29."""
    rules = state.rules
    facts: list[Fact] = [
        Flipped(owner, place, grid.cards[place])
        for owner, grid in enumerate(grids)
        for place in PLACES_OF_MASK[grid.hidden]
    ]
    raw = []
    for owner, grid in enumerate(grids):
        shown = grid.with_flipped(grid.hidden)
        removals, shown = _remove(owner, shown, final_lines(rules, shown))
        facts += removals
        raw.append(shown.score())
    ender = None if truncated else state.ender
    final = final_scores(rules, raw, ender)
    totals = tuple(total + score for total, score in zip(state.totals, final, strict=True))
    scored = RoundScored(state.round, tuple(raw), final, totals, ender, truncated)
    facts.append(scored)
    if game_is_over(rules, scored):
        return (*facts, GameEnded(totals, ranks(totals, state.left))), None
    dealt, opener = _deal(state, state.round + 1, scored, chance)
    return (*facts, *dealt), opener


def _deal(state: State, round_: int, scored: RoundScored | None, chance: Chance) -> tuple[tuple[Fact, ...], int | None]:
    """A deal, and what follows at once where nobody has flips to choose. Source: rules 5 to 9."""
    rules, seats = state.rules, state.seats
    dealt = Dealt(round_, chance.deal(round_))
    if rules.initial_flips and rules.initial_flip_choice == "player":
        return (dealt,), None
    flips = chance.flips(round_, seats, rules.initial_flips) if rules.initial_flips else ((),) * seats
    grids = with_flips(dealt_grids(dealt.cards, seats), flips)
    facts: tuple[Fact, ...] = (dealt,)
    facts += tuple(
        Flipped(seat, place, grids[seat].cards[place]) for seat, places in enumerate(flips) for place in places
    )
    rounds = state.rounds if scored is None else (*state.rounds, scored)
    opener = chance_opener(rules, round_, rounds, state.opener, grids, chance)
    return facts + _first_removals(rules, grids), opener


def _first_removals(rules: RuleSet, grids: Sequence[Grid]) -> tuple[Fact, ...]:
    return tuple(
        removed for seat, grid in enumerate(grids) for removed in _remove(seat, grid, complete_lines(rules, grid))[0]
    )


def _remove(seat: int, grid: Grid, lines: Sequence[int]) -> tuple[tuple[Fact, ...], Grid]:
    """Remove lines found on one snapshot, in order; a card that a line before has taken is not named again."""
    facts: tuple[Fact, ...] = ()
    for mask in lines:
        places = PLACES_OF_MASK[mask & grid.open]
        facts += (Removed(seat, places, grid.cards[places[0]]),)
        grid = grid.without(mask)
    return facts, grid


def _replaced(values: Sequence[_T], index: int, value: _T) -> tuple[_T, ...]:
    return (*values[:index], value, *values[index + 1 :])
