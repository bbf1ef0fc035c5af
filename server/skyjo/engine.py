"""The game itself: `decide` says what an action causes, `evolve` folds it into the state. Pure, no side effects.

`decide` refuses what is illegal; `evolve` never refuses, it trusts the log. Chance comes in as an argument and leaves
as facts, so that `replay` needs no generator.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from skyjo.actions import Action, Verb
from skyjo.cards import ROWS, SEATS_MAX, SEATS_MIN
from skyjo.errors import InvalidRules
from skyjo.facts import (
    Cause,
    Dealt,
    Event,
    Fact,
    GameEnded,
    Left,
    Removed,
    Reshuffled,
    RoundScored,
)
from skyjo.interned import DISCARDED, DRAWN, FLIPPED, PLACED
from skyjo.legal import check_action, check_leave
from skyjo.lines import complete_lines, final_lines, lines_completed
from skyjo.opening import chance_opener, dealt_grids, may_open_by_chance, with_flips
from skyjo.places import Place
from skyjo.quick import quick
from skyjo.rules import RuleSet
from skyjo.scoring import final_scores, game_is_over, ranks
from skyjo.shuffle import Chance
from skyjo.state import PLACES_OF_MASK, Grid, State, initial_state, next_stream, replaced, stream_counts
from skyjo.swap import swap

_DRAW: Final = Verb.DRAW
_FLIP: Final = Verb.FLIP
_TAKE: Final = Verb.TAKE
_REJECT: Final = Verb.REJECT
_PLAYER: Final = Cause.PLAYER

Outcome = tuple[tuple[Fact, ...], int | None]
"""What happened, and the seat that chance chose to open the round, if it did."""

_event: Final = quick(Event)


def start(rules: RuleSet, seats: int, chance: Chance) -> Event:
    """Event 0 of a game: the first deal.

    Raises:
        InvalidRules: if there are not 2 to 8 seats.
    """
    check_seats(seats)
    facts, opener = _deal(initial_state(rules, seats), 1, None, chance)
    return Event(0, None, None, Cause.SYSTEM, facts, opener)


def check_seats(seats: int) -> None:
    """Refuse a number of seats that no game has.

    Raises:
        InvalidRules: if it is not 2 to 8.
    """
    if not SEATS_MIN <= seats <= SEATS_MAX:
        raise InvalidRules("seats", f"{seats} seats: a game has {SEATS_MIN} to {SEATS_MAX}")


def decide(state: State, seat: int, action: Action, chance: Chance, cause: Cause = _PLAYER) -> Event:
    """The event that an action of a seat causes; the state stays as it is.

    Raises:
        IllegalAction: with its reason; nothing has happened.
    """
    facts: tuple[Fact, ...] | None = swap(state, seat, action)
    opener = None
    if facts is None:
        facts, opener = settle(state, seat, action, chance)
    return _event(state.version + 1, seat, action, cause, facts, opener)


def settle(state: State, seat: int, action: Action, chance: Chance) -> Outcome:
    """What an action of a seat causes, whatever it is.

    Raises:
        IllegalAction: with its reason.
    """
    check_action(state, seat, action)
    verb = action.verb
    if verb is _DRAW:
        return _draw(state, seat, chance), None
    if verb is _FLIP:
        return _choose_flips(state, seat, action.places, chance)
    return _finish_turn(state, seat, action, chance)


def decide_leave(state: State, seat: int, cause: Cause) -> Event:
    """The event of a seat that resigns (cause `player`) or is made to leave (cause `forfeit`). Source: rule 31.

    Raises:
        IllegalAction: `no-such-seat`, `game-over` or `already-left`.
    """
    check_leave(state, seat)
    left = tuple(gone or other == seat for other, gone in enumerate(state.left))
    facts: tuple[Fact, ...] = (Left(seat),)
    if left.count(False) == 1:
        facts += (GameEnded(state.totals, ranks(state.totals, left)),)
    return Event(state.version + 1, seat, None, cause, facts)


class Seating(Protocol):
    """A game as far as whose action it waits for: a State or a Twin."""

    @property
    def to_act(self) -> Sequence[int]:
        """Seats whose action the game waits for."""

    @property
    def left(self) -> Sequence[bool]:
        """By seat, whether it has left."""


def forced_seat(game: Seating) -> int | None:
    """The lowest seat to act that has left, and so is played by default actions; None if there is none."""
    for seat in game.to_act:
        if game.left[seat]:
            return seat
    return None


def _draw(state: State, seat: int, chance: Chance) -> tuple[Fact, ...]:
    if state.draw_pile_size:
        pile, taken = state.pile, state.taken
        stream = next_stream(len(pile), taken, seat)
        return (DRAWN[seat][pile[stream + len(taken) * taken[stream]]],)
    pile = chance.reshuffle(state.round, state.reshuffles + 1, state.discard_pile[:-1])
    stream = next_stream(len(pile), stream_counts(state.rules, state.seats), seat)
    return Reshuffled(pile), DRAWN[seat][pile[stream]]


def _choose_flips(state: State, seat: int, places: tuple[Place, ...], chance: Chance) -> Outcome:
    cards = state.grids[seat].cards
    facts: tuple[Fact, ...] = tuple(FLIPPED[seat][place][cards[place]] for place in places)
    chosen = replaced(state.chosen, seat, places)
    if None in chosen:
        return facts, None
    removals, opener = _open_round(state, state.round, state.rounds, state.grids, chosen, chance)
    return facts + removals, opener


def _finish_turn(state: State, seat: int, action: Action, chance: Chance) -> Outcome:
    """A taken, kept or rejected card, and what the card that then lies face up sets off. Source: rules 10 to 29."""
    verb, grid = action.verb, state.grids[seat]
    if not action.places:
        return _finish_bare_reject(state, seat, chance)
    place = action.places[0]
    card = state.discard_pile[-1] if verb is _TAKE else state.hand
    assert card is not None  # noqa: S101 - check_action saw the phase `drawn`, which has a hand
    facts: tuple[Fact, ...]
    if verb is _REJECT:
        facts = DISCARDED[seat][card], FLIPPED[seat][place][card := grid.cards[place]]
    else:
        facts = PLACED[seat][place][card], DISCARDED[seat][grid.cards[place]]
    lines = lines_completed(state.rules, grid, place, card)
    ends = _ends_round(state, seat, grid.hidden & ~(1 << place))
    if lines or ends:
        removals, grid = _remove(seat, grid.with_card(place, card), lines)
        facts += removals
    return _end_round(state, replaced(state.grids, seat, grid), facts, chance) if ends else (facts, None)


def _finish_bare_reject(state: State, seat: int, chance: Chance) -> Outcome:
    assert state.hand is not None  # noqa: S101 - as above
    facts = (DISCARDED[seat][state.hand],)
    ends = _ends_round(state, seat, state.grids[seat].hidden)
    return _end_round(state, state.grids, facts, chance) if ends else (facts, None)


def _ends_round(state: State, seat: int, hidden: int) -> bool:
    """Whether this turn, which leaves the seat these hidden places, is the round's last. Source: rules 21 and 29."""
    if state.ender is not None:
        return (seat + 1) % state.seats == state.ender
    limit = state.rules.max_turns_per_seat
    return limit is not None and hidden != 0 and state.turns[seat] + 1 >= limit


def _end_round(state: State, grids: Sequence[Grid], before: tuple[Fact, ...], chance: Chance) -> Outcome:
    """Final reveal, removals, scores, then the next deal or the end. Source: rules 22 to 29."""
    rules, ender = state.rules, state.ender
    facts = [*before, *_final_reveal(grids)]
    raw = []
    for owner, grid in enumerate(grids):
        shown = grid.with_flipped(grid.hidden)
        removals, shown = _remove(owner, shown, final_lines(rules, shown))
        facts += removals
        raw.append(shown.score())
    final = final_scores(rules, raw, ender)
    totals = tuple(total + score for total, score in zip(state.totals, final, strict=True))
    scored = RoundScored(state.round, tuple(raw), final, totals, ender, truncated=ender is None)
    facts.append(scored)
    if game_is_over(rules, scored):
        return (*facts, GameEnded(totals, ranks(totals, state.left))), None
    dealt, opener = _deal(state, state.round + 1, scored, chance)
    return (*facts, *dealt), opener


def _final_reveal(grids: Sequence[Grid]) -> list[Fact]:
    return [
        FLIPPED[owner][place][grid.cards[place]]
        for owner, grid in enumerate(grids)
        for place in PLACES_OF_MASK[grid.hidden]
    ]


def _deal(state: State, round_: int, scored: RoundScored | None, chance: Chance) -> Outcome:
    """A deal, and what follows at once where nobody has flips to choose. Source: rules 5 to 9."""
    rules, seats = state.rules, state.seats
    dealt = Dealt(round_, chance.deal(round_))
    if rules.initial_flips and rules.initial_flip_choice == "player":
        return (dealt,), None
    flips = chance.flips(round_, seats, rules.initial_flips) if rules.initial_flips else ((),) * seats
    grids = dealt_grids(dealt.cards, seats)
    flipped = [FLIPPED[seat][place][grids[seat].cards[place]] for seat, places in enumerate(flips) for place in places]
    rounds = state.rounds if scored is None else (*state.rounds, scored)
    removals, opener = _open_round(state, round_, rounds, grids, flips, chance)
    return (dealt, *flipped, *removals), opener


def _open_round(
    state: State,
    round_: int,
    rounds: Sequence[RoundScored],
    dealt: Sequence[Grid],
    flips: Sequence[tuple[Place, ...] | None],
    chance: Chance,
) -> Outcome:
    """The opener, if chance chooses it, then the lines that the first flips complete. Source: rules 7 to 9."""
    rules = state.rules
    if rules.initial_flips < ROWS and not may_open_by_chance(rules, round_):
        return (), None  # too few open cards for any line, and nothing left to chance
    grids = with_flips(dealt, flips)
    opener = chance_opener(rules, round_, rounds, state.opener, grids, chance)
    facts: list[Fact] = []
    for seat, grid in enumerate(grids):
        facts += _remove(seat, grid, complete_lines(rules, grid))[0]
    return tuple(facts), opener


def _remove(seat: int, grid: Grid, lines: Sequence[int]) -> tuple[tuple[Fact, ...], Grid]:
    """Remove lines found on one snapshot, in order; a card that a line before has taken is not named again."""
    facts: tuple[Fact, ...] = ()
    for mask in lines:
        places = PLACES_OF_MASK[mask & grid.open]
        if places:  # four columns of one value leave nothing of the rows that they complete
            facts += (Removed(seat, places, grid.cards[places[0]]),)
            grid = grid.without(mask)
    return facts, grid
