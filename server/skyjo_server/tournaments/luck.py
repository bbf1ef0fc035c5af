"""How lucky a seat was: what chance turned up, against what was to be expected just before. It judges no decision.

Whenever a card is drawn or turned up, its effect on the leads of the table is weighed by a simple formula, and the
mean of that effect over all cards that it could have been is taken away. What is left is nought in expectation, whoever
plays and however well; so a result may be corrected by it without favouring anybody, and varies less. All that it takes
is the log of a finished game. (Such a correction is a control variate; the idea is that of AIVAT: N. Burch and others,
"AIVAT: a new variance reduction technique for agent evaluation in imperfect information games", 2018.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from skyjo.cards import COLUMNS, DECK, GRID_SIZE, ROWS
from skyjo.facts import Dealt, Discarded, Drawn, Event, Fact, Flipped, Placed, Removed, Reshuffled

LOWEST: Final = DECK[0]
VALUES: Final = tuple(sorted(set(DECK)))

DRAWN: Final = 0.7
"""Points of lead that one point of gain by a drawn card is worth."""

PASSED_ON: Final = 0.3
"""Likewise for the next seat, by the card that the drawer then leaves to it."""

TURNED: Final = -0.55
"""Likewise for a point on a card that is turned up in the course of a round: it can be replaced still."""

REVEALED: Final = -1.3
"""Likewise for a point on a card that is turned up at the end of a round; the end itself may be doubled."""

COMPLETED: Final = 1.3
"""Likewise for a point that leaves the grid with a column that a card completes by being turned up."""

Effect = Callable[[int], float]
"""What a card of a value is worth to somebody, in points."""


def luck(events: Iterable[Event], seats: int) -> tuple[float, ...]:
    """Say how many points of lead chance gave to each seat of a game.

    A seat's lead is the mean total of the others minus its own; the sum over a table is nought.

    Args:
        events: of the whole game, as the log has them.
        seats: how many there are.

    >>> from skyjo_client import Arena, load_bot
    >>> game = Arena([load_bot("threshold")] * 2, seed="docs").play_one(0, record=True)
    >>> game.totals, [round(points) for points in luck(game.record.bare_events(), 2)]
    ((108, 149), [15, -15])
    """
    table = _Table(seats)
    for event in events:
        before: Fact | None = None
        for fact in event.facts:
            table.see(fact, before)
            before = fact
    total = sum(table.points)
    return tuple((own * seats - total) / (seats - 1) for own in table.points)


@dataclass(slots=True)
class _Grid:
    """What everybody sees of a seat's cards, by place."""

    open: dict[int, int]
    hidden: set[int]

    def gains(self, hidden_mean: float) -> Effect:
        """How many points a card in hand takes off the grid at the best place for it; nought if nowhere."""
        highest = max(self.open.values(), default=LOWEST)
        worst = max(highest, hidden_mean) if self.hidden else highest
        lines = self._lines(hidden_mean)
        return lambda card: max(0.0, worst - card, lines.get(card, 0.0))

    def completes(self, place: int, card: int) -> float:
        """What leaves the grid if a hidden card turns out to be the third of its column."""
        mates = [self.open.get(mate) for mate in _column(place) if mate != place]
        return ROWS * card if mates == [card, card] else 0.0

    def _lines(self, hidden_mean: float) -> dict[int, float]:
        """By card that is the third of a column: what leaves the grid with it."""
        found: dict[int, float] = {}
        for first in range(0, GRID_SIZE, ROWS):
            for third in _column(first):
                one, other = (self.open.get(place) for place in _column(first) if place != third)
                if one is not None and one == other and (third in self.hidden or third in self.open):
                    found[one] = max(found.get(one, 0.0), 2 * one + self.open.get(third, hidden_mean))
        return found


class _Table:
    """A game as far as everybody at the table could put it together, were all cards in hands shown."""

    def __init__(self, seats: int) -> None:
        self.points = [0.0] * seats
        self._seats = seats
        self._grids: list[_Grid] = []
        self._unseen: list[int] = []
        self._pile: list[int] = []

    def see(self, fact: Fact, before: Fact | None) -> None:
        """Take notice of what happened; `before` is what happened just before within the same event."""
        match fact:
            case Dealt():
                self._deal(fact.cards)
            case Drawn():
                self._draw(fact.seat, fact.card)
            case Flipped():
                self._flip(fact, in_play=isinstance(before, Discarded) or len(self._grids[fact.seat].open) < 2)
            case Reshuffled():
                self._pile = _counted(fact.cards)
            case _:
                self._move(fact, before)

    def _move(self, fact: Fact, before: Fact | None) -> None:
        match fact:
            case Placed():
                self._grids[fact.seat].open[fact.place] = fact.card
            case Discarded() if isinstance(before, Placed) and before.place in self._grids[fact.seat].hidden:
                self._replaced(fact, before.place)
            case Removed():
                for place in fact.places:
                    self._grids[fact.seat].open.pop(place, None)
            case _:
                pass

    def _deal(self, cards: Sequence[int]) -> None:
        self._grids = [_Grid({}, set(range(COLUMNS * ROWS))) for _ in range(self._seats)]
        self._unseen = self._pile = _counted(cards)
        self._unseen[cards[GRID_SIZE * self._seats] - LOWEST] -= 1

    def _draw(self, seat: int, card: int) -> None:
        mean = _mean(self._unseen, float)
        mine, theirs = self._grids[seat].gains(mean), self._grids[(seat + 1) % self._seats].gains(mean)
        self._add(seat, DRAWN, self._pile, mine, card)
        self._add((seat + 1) % self._seats, PASSED_ON, self._pile, _passed_on(self._grids[seat], mine, theirs), card)
        self._pile[card - LOWEST] -= 1

    def _flip(self, fact: Flipped, *, in_play: bool) -> None:
        grid = self._grids[fact.seat]
        self._add(fact.seat, TURNED if in_play else REVEALED, self._unseen, float, fact.card)
        self._add(fact.seat, COMPLETED, self._unseen, lambda card: grid.completes(fact.place, card), fact.card)
        self._unseen[fact.card - LOWEST] -= 1
        grid.hidden.discard(fact.place)
        grid.open[fact.place] = fact.card

    def _replaced(self, fact: Discarded, place: int) -> None:
        after = (fact.seat + 1) % self._seats
        gains = self._grids[after].gains(_mean(self._unseen, float))
        self._add(after, PASSED_ON, self._unseen, gains, fact.card)
        self._unseen[fact.card - LOWEST] -= 1
        self._grids[fact.seat].hidden.discard(place)

    def _add(self, seat: int, weight: float, pool: Sequence[int], effect: Effect, card: int) -> None:
        """Add the effect of a card, less its mean over all that it could have been."""
        self.points[seat] += weight * (effect(card) - _mean(pool, effect))


def _passed_on(grid: _Grid, mine: Effect, theirs: Effect) -> Effect:
    """What a drawn card brings to the next seat: itself if it is of no use, else the highest open card for it."""
    left = theirs(max(grid.open.values(), default=VALUES[-1]))
    return lambda card: left if mine(card) > 0 else theirs(card)


def _mean(pool: Sequence[int], effect: Effect) -> float:
    """The mean effect of a card of the pool; nought of an empty one."""
    return sum(count * effect(value) for value, count in zip(VALUES, pool, strict=True) if count) / max(sum(pool), 1)


def _counted(cards: Sequence[int]) -> list[int]:
    return [cards.count(value) for value in VALUES]


def _column(place: int) -> tuple[int, ...]:
    first = place - place % ROWS
    return tuple(range(first, first + ROWS))
