"""Tables laid by hand: chosen cards in chosen places, for tests of one rule at a time. Asserts nothing.

A grid is written as it lies on the table, three rows of four: ``5`` is open, ``(5)`` face down, ``.`` an empty place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from skyjo import (
    COPIES,
    PLACES,
    Action,
    Cause,
    Decision,
    Event,
    Grid,
    IllegalAction,
    Phase,
    Place,
    Reason,
    RuleSet,
    State,
    decide,
    decide_leave,
    decision,
    default_action,
    evolve,
    initial_state,
    legal_actions,
    start,
)
from skyjo.facts import Fact, RoundScored

F = TypeVar("F", bound=Fact)

CLASSIC: Final = RuleSet.preset("classic")
FRENCH: Final = RuleSet.preset("french")


class Script:
    """A :class:`skyjo.Chance` that gives what it was given, and where that is nothing, the first of everything.

    Args:
        deals: 150 cards by round.
        flips: places by seat, the same in every round.
        starters: indices of openers, one after another.
    """

    def __init__(
        self,
        deals: Mapping[int, Sequence[int]] | None = None,
        flips: Sequence[Sequence[str]] = (),
        starters: Iterable[int] = (),
    ) -> None:
        self.deals = dict(deals or {})
        self.places = tuple(tuple(Place.parse(text) for text in places) for places in flips)
        self.starters = list(starters)
        self.asked: list[str] = []

    def deal(self, round_: int) -> tuple[int, ...]:
        """The given deal, else the deck in ascending order."""
        self.asked.append(f"deal {round_}")
        return tuple(self.deals[round_]) if round_ in self.deals else deck()

    def reshuffle(self, round_: int, count: int, cards: Sequence[int]) -> tuple[int, ...]:
        """The cards upside down, which is an order like any other."""
        self.asked.append(f"reshuffle {round_} {count}")
        return tuple(reversed(cards))

    def flips(self, round_: int, seats: int, count: int) -> tuple[tuple[Place, ...], ...]:
        """The given places, else the first ones."""
        self.asked.append(f"flips {round_} {seats} {count}")
        return self.places or (PLACES[:count],) * seats

    def starter(self, round_: int, candidates: int) -> int:
        """The next of the given openers, else the first candidate."""
        self.asked.append(f"starter {round_} of {candidates}")
        return self.starters.pop(0) if self.starters else 0


class Table:
    """A state and everything that was played on it: the tests' short way of speaking."""

    def __init__(self, state: State, chance: Script | None = None) -> None:
        self.state = state
        self.chance = chance or Script()
        self.events: list[Event] = []

    def play(self, *actions: str, seat: int | None = None, cause: Cause = Cause.PLAYER) -> Table:
        """Play actions, each for the seat on move unless a seat is given."""
        for text in actions:
            actor = self.state.to_act[0] if seat is None else seat
            self._accept(decide(self.state, actor, Action.parse(text), self.chance, cause))
        return self

    def time_out(self) -> Table:
        """Play the default action of the first seat to act."""
        seat = self.state.to_act[0]
        return self.play(str(default_action(self.state, seat)), seat=seat, cause=Cause.TIMEOUT)

    def play_out(self) -> Table:
        """Play default actions until the round is scored: each draws, rejects and flips its first hidden card."""
        scored = len(self.state.rounds)
        while len(self.state.rounds) == scored:
            self.time_out()
        return self

    def leave(self, seat: int, cause: Cause = Cause.PLAYER) -> Table:
        """Let a seat leave."""
        self._accept(decide_leave(self.state, seat, cause))
        return self

    def legal(self, seat: int | None = None) -> list[str]:
        """What a seat, else the seat on move, may play."""
        return [str(action) for action in legal_actions(self.state, self.state.to_act[0] if seat is None else seat)]

    def refusal(self, text: str, seat: int | None = None) -> Reason | None:
        """Why an action would be refused; None if it would not."""
        actor = self.state.to_act[0] if seat is None else seat
        try:
            decide(self.state, actor, Action.parse(text), self.chance)
        except IllegalAction as refused:
            return refused.reason
        return None

    def view(self, viewer: int | None = None) -> Decision:
        """What a viewer sees."""
        return decision(self.state, viewer)

    def facts(self, kind: type[F]) -> list[F]:
        """All facts of one kind since the table was laid."""
        return [fact for event in self.events for fact in event.facts if isinstance(fact, kind)]

    @property
    def scored(self) -> RoundScored:
        """The last round's scores."""
        return self.state.rounds[-1]

    def _accept(self, event: Event) -> None:
        self.events.append(event)
        self.state = evolve(self.state, event)


def grid(text: str) -> Grid:
    """A grid from three rows of four, parted by slashes.

    >>> grid("5 (5) . 0 / 5 1 . 0 / 5 1 . 1").score()
    23
    """
    rows = [row.split() for row in text.split("/")]
    if [len(row) for row in rows] != [4, 4, 4]:
        raise ValueError(f"{text!r} has not three rows of four")
    tokens = [rows[place.row][place.column] for place in PLACES]
    cards = tuple(0 if token == "." else int(token.strip("()")) for token in tokens)
    hidden = sum(1 << index for index, token in enumerate(tokens) if token.startswith("("))
    empty = sum(1 << index for index, token in enumerate(tokens) if token == ".")
    return Grid(cards, hidden, (1 << len(PLACES)) - 1 & ~hidden & ~empty)


def summing_to(total: int) -> str:
    """A grid of at most two rows whose cards add up to a number from -16 to 96, the first of them face down.

    >>> summing_to(23)
    '(12) 11 . . / . . . . / . . . .'
    """
    values = [min(max(total, -2), 12)]
    while sum(values) != total:
        values.append(min(max(total - sum(values), -2), 12))
    tokens = [f"({values[0]})", *map(str, values[1:]), *"." * (12 - len(values))]
    return " / ".join(" ".join(tokens[at : at + 4]) for at in (0, 4, 8))


def cards(text: str) -> tuple[int, ...]:
    """Cards from their values, parted by blanks."""
    return tuple(int(value) for value in text.split())


def deck(*first: int) -> tuple[int, ...]:
    """All 150 cards, those given first and the others after them, ascending.

    Raises:
        ValueError: if a value is given more often than the deck has it.
    """
    rest = Counter(COPIES)
    rest.subtract(first)
    if min(rest.values()) < 0:
        raise ValueError(f"the deck has no such cards: {sorted(first)}")
    return (*first, *sorted(rest.elements()))


def dealt(*grids: str, discard: int = 5, draws: str = "") -> tuple[int, ...]:
    """A deal that lays these grids, opens this discard and has these cards drawn next; brackets mean nothing here."""
    laid = [card for text in grids for card in grid(text).cards]
    return deck(*laid, discard, *cards(draws))


def first_deal(rules: RuleSet, *grids: str, chance: Script | None = None, discard: int = 5, draws: str = "") -> Table:
    """A table whose game starts with these grids."""
    script = chance or Script()
    script.deals[1] = dealt(*grids, discard=discard, draws=draws)
    table = Table(initial_state(rules, len(grids)), script)
    event = start(rules, len(grids), script)
    table.events.append(event)
    table.state = evolve(table.state, event)
    return table


def position(
    *grids: str,
    rules: RuleSet = CLASSIC,
    discard: str = "5",
    draws: str = "",
    left_to_draw: int | None = None,
    turn: int = 0,
    ender: int | None = None,
    hand: int | None = None,
    totals: Sequence[int] | None = None,
    opener: int = 0,
    turns: Sequence[int] | None = None,
    chance: Script | None = None,
) -> Table:
    """A table in mid-round, with all 150 cards.

    Args:
        grids: one per seat.
        rules: the options.
        discard: the top of the discard pile, bottom to top.
        draws: the next cards of the draw pile.
        left_to_draw: size of the draw pile; the cards that are left over lie below the discards. None = all.
        turn: the seat on move.
        ender: the seat that has ended the round.
        hand: the card that the seat on move has drawn.
        totals: points of a round before this one; None = this is the first round.
        opener: who opened this round.
        turns: finished turns by seat.
        chance: what is dealt next.
    """
    laid = tuple(grid(text) for text in grids)
    pile = _rest_of_the_deck(laid, discard, draws, hand)
    size = len(pile) if left_to_draw is None else left_to_draw
    scored = () if totals is None else (RoundScored(1, tuple(totals), tuple(totals), tuple(totals), None, False),)
    state = replace(
        initial_state(rules, len(grids)),
        round=1 + len(scored),
        phase=Phase.TURN if hand is None else Phase.DRAWN,
        turn=turn,
        grids=laid,
        pile=pile[:size],
        discard_pile=(*pile[size:], *cards(discard)),
        hand=hand,
        chosen=tuple(PLACES[: rules.initial_flips] for _ in grids),
        opener=opener,
        ender=ender,
        turns=tuple(turns or (0,) * len(grids)),
        rounds=scored,
    )
    return Table(state, chance)


def _rest_of_the_deck(laid: Sequence[Grid], discard: str, draws: str, hand: int | None) -> tuple[int, ...]:
    """All cards that lie nowhere else, the given draws on top."""
    named = [one.cards[place] for one in laid for place in PLACES if one.held >> place & 1]
    named += [*cards(discard), *([] if hand is None else [hand]), *cards(draws)]
    return (*cards(draws), *deck(*named)[len(named) :])
