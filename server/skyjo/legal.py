"""Which actions are legal: listing them, and saying why another is not. Changes nothing."""

from __future__ import annotations

from collections.abc import Sequence, Sized
from functools import cache
from itertools import combinations, repeat
from operator import is_
from typing import Final, Protocol

from skyjo.actions import DRAW, KEEPS, REJECT, REJECTS, TAKES, Action, Verb
from skyjo.errors import IllegalAction, Reason
from skyjo.places import PLACES, PLACES_BY_ROW, Place
from skyjo.rules import RuleSet
from skyjo.state import ALL_PLACES, PLACES_OF_MASK, Phase

_FLIP: Final = Verb.FLIP
_DRAW: Final = Verb.DRAW
_TAKE: Final = Verb.TAKE
_KEEP: Final = Verb.KEEP
_REJECT: Final = Verb.REJECT
_TURN: Final = Phase.TURN


class GridMasks(Protocol):
    """The part of a grid that legality depends on: it cannot see a card."""

    @property
    def hidden(self) -> int:
        """Bit mask of the places whose card lies face down."""

    @property
    def open(self) -> int:
        """Bit mask of the places whose card lies face up."""


class Position(Protocol):
    """The part of a state that legality depends on."""

    @property
    def rules(self) -> RuleSet:
        """The options."""

    @property
    def phase(self) -> Phase:
        """What the game waits for."""

    @property
    def turn(self) -> int | None:
        """The seat on move."""

    @property
    def grids(self) -> Sequence[GridMasks]:
        """One per seat."""

    @property
    def chosen(self) -> Sequence[tuple[Place, ...] | None]:
        """Initial flips by seat."""

    @property
    def pile(self) -> Sized:
        """The draw pile as it was last dealt or reshuffled: only its size matters here."""

    @property
    def taken(self) -> Sequence[int]:
        """How many cards were drawn from each stream of it."""

    @property
    def discard_pile(self) -> Sequence[int]:
        """Bottom to top."""


class Membership(Position, Protocol):
    """A position that knows who has left."""

    @property
    def left(self) -> Sequence[bool]:
        """By seat, whether it has left."""


class LegalActions(tuple[Action, ...]):
    """The legal actions of one seat: a value with ``in``, ``len``, indices, iteration and truth.

    A choice of initial flips is listed once, its places in the order a1 a2 a3 b1 …; ``in`` knows it in any order.

    >>> actions = LegalActions((Action.draw(), Action.take("c2")))
    >>> len(actions), Action.parse("take c2") in actions, [str(action) for action in actions]
    (2, True, ['draw', 'take c2'])
    """

    __slots__ = ()

    def __contains__(self, action: object) -> bool:
        if any(map(is_, self, repeat(action))):  # equal actions are nearly always the same one, and this asks no __eq__
            return True
        if isinstance(action, Action) and action.verb is _FLIP:
            action = Action(_FLIP, tuple(sorted(action.places)))
        return super().__contains__(action)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LegalActions) and super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = tuple.__hash__

    def __repr__(self) -> str:
        return f"LegalActions({super().__repr__()})"


NONE: Final = LegalActions(())


def legal_actions(position: Position, seat: int) -> LegalActions:
    """Every action that a seat may play now; empty if it is not its turn.

    Raises:
        IllegalAction: `no-such-seat`.
    """
    if seat != position.turn:
        return _choices_off_turn(position, seat)
    grid = position.grids[seat]
    if position.phase is _TURN:
        held = grid.hidden | grid.open
        if len(position.discard_pile) > 1 or len(position.pile) > sum(position.taken):
            return turn_choices(held)
        return take_choices(held)
    return drawn_choices(grid.hidden, grid.open, position.rules.flip_after_reject == "optional")


def draw_possible(position: Position) -> bool:
    """Say whether there is a card to draw, after a reshuffle if need be (rule 28)."""
    return len(position.discard_pile) > 1 or len(position.pile) > sum(position.taken)


def _choices_off_turn(position: Position, seat: int) -> LegalActions:
    if not 0 <= seat < len(position.grids):
        raise _no_such_seat(position, seat)
    if position.phase is Phase.FLIP and position.chosen[seat] is None:
        return flip_choices(position.rules.initial_flips)
    return NONE


@cache
def flip_choices(count: int) -> LegalActions:
    """All choices of so many places (rule 6)."""
    return LegalActions(tuple(Action(_FLIP, places) for places in combinations(PLACES, count)))


@cache
def turn_choices(held: int) -> LegalActions:
    """Draw, or take the discard to any place that holds a card (rules 10 and 11)."""
    return LegalActions((DRAW, *take_choices(held)))


@cache
def all_turn_choices() -> tuple[LegalActions, ...]:
    """:func:`turn_choices` by the mask of the places that hold a card, for whoever looks them up all the time."""
    return tuple(map(turn_choices, range(ALL_PLACES + 1)))


@cache
def take_choices(held: int) -> LegalActions:
    """Take the discard to any place that holds a card; there is none to draw."""
    return LegalActions(TAKES[place] for place in PLACES_OF_MASK[held])


@cache
def drawn_choices(hidden: int, open_: int, flip_optional: bool) -> LegalActions:
    """Keep the drawn card anywhere, or reject it and flip a hidden card (rules 11, 13 and 14)."""
    keeps = tuple(KEEPS[place] for place in PLACES_OF_MASK[hidden | open_])
    rejects = tuple(REJECTS[place] for place in PLACES_OF_MASK[hidden])
    bare = (REJECT,) if flip_optional or not hidden else ()
    return LegalActions((*keeps, *rejects, *bare))


def check_action(position: Position, seat: int, action: Action) -> None:
    """Refuse an action that is not legal.

    Raises:
        IllegalAction: with the reason and the way out. It depends on nothing that the seat cannot see.
    """
    if seat != position.turn:
        _check_flip(position, seat, action)
        return
    grid = position.grids[seat]
    if position.phase is not _TURN:
        _check_drawn(position.rules, grid, action)
    elif action.verb is _TAKE:
        place = action.places[0]
        if not (grid.hidden | grid.open) >> place & 1:
            raise _place_empty(place)
    elif action.verb is not _DRAW:
        raise _wrong_phase(action, "draw, or take the discard: 'draw' or 'take c2'")
    elif not draw_possible(position):
        raise IllegalAction(Reason.DRAW_IMPOSSIBLE, "there is no card left to draw: take the discard")


def check_leave(position: Membership, seat: int) -> None:
    """Refuse a seat's leaving where it cannot leave.

    Raises:
        IllegalAction: `no-such-seat`, `game-over` or `already-left`.
    """
    if not 0 <= seat < len(position.grids):
        raise _no_such_seat(position, seat)
    if position.phase is Phase.OVER:
        raise IllegalAction(Reason.GAME_OVER, "the game is over: nobody can leave it any more")
    if position.left[seat]:
        raise IllegalAction(Reason.ALREADY_LEFT, f"seat {seat} has left already")


def default_action(position: Position, seat: int) -> Action:
    """What is played for a seat that let its time run out, or has left (rule 30). Always legal."""
    if position.phase is Phase.FLIP:
        return Action(_FLIP, PLACES_BY_ROW[: position.rules.initial_flips])
    grid = position.grids[seat]
    if position.phase is Phase.TURN:
        return DRAW if draw_possible(position) else TAKES[PLACES_OF_MASK[grid.hidden | grid.open][0]]
    return REJECTS[PLACES_OF_MASK[grid.hidden][0]] if grid.hidden else REJECT


def _check_flip(position: Position, seat: int, action: Action) -> None:
    if not 0 <= seat < len(position.grids):
        raise _no_such_seat(position, seat)
    if position.phase is Phase.OVER:
        raise IllegalAction(Reason.GAME_OVER, f"the game is over: '{action}' comes too late")
    if position.phase is not Phase.FLIP:
        raise IllegalAction(Reason.NOT_YOUR_TURN, f"seat {seat} is not on move: seat {position.turn} is")
    if position.chosen[seat] is not None:
        raise IllegalAction(Reason.ALREADY_CHOSEN, f"seat {seat} has chosen its flips: wait for the other seats")
    count = position.rules.initial_flips
    if action.verb is not _FLIP:
        raise _wrong_phase(action, f"choose the {count} cards to turn up, such as '{flip_choices(count)[0]}'")
    if len(action.places) != count:
        raise IllegalAction(Reason.FLIP_COUNT, f"'{action}' turns up {len(action.places)} cards, but must {count}")
    if len(set(action.places)) < count:
        raise IllegalAction(Reason.PLACE_TWICE, f"'{action}' names a place twice: choose {count} different places")


def _check_drawn(rules: RuleSet, grid: GridMasks, action: Action) -> None:
    if action.verb is _KEEP:
        place = action.places[0]
        if not (grid.hidden | grid.open) >> place & 1:
            raise _place_empty(place)
    elif action.verb is not _REJECT:
        raise _wrong_phase(action, "keep or reject the drawn card: 'keep c2' or 'reject c2'")
    elif action.places:
        _check_hidden(grid, action.places[0])
    elif grid.hidden and rules.flip_after_reject == "required":
        raise IllegalAction(Reason.FLIP_REQUIRED, "a reject must turn up a hidden card: name it, as in 'reject c2'")


def _check_hidden(grid: GridMasks, place: Place) -> None:
    if grid.open >> place & 1:
        raise IllegalAction(Reason.PLACE_OPEN, f"{place} is open already: a reject turns up a hidden card")
    if not grid.hidden >> place & 1:
        raise _place_empty(place)


def _place_empty(place: Place) -> IllegalAction:
    return IllegalAction(Reason.PLACE_EMPTY, f"{place} holds no card any more: choose a place that does")


def _wrong_phase(action: Action, wanted: str) -> IllegalAction:
    return IllegalAction(Reason.WRONG_PHASE, f"'{action}' is not possible now: {wanted}")


def _no_such_seat(position: Position, seat: int) -> IllegalAction:
    return IllegalAction(Reason.NO_SUCH_SEAT, f"there is no seat {seat}: the seats are 0 to {len(position.grids) - 1}")
