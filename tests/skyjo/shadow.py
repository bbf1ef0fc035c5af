"""A table of 150 distinguishable cards, moved by facts as hands would move them: a second opinion on every event.

It follows the rules of moving cards and of what is shown to whom, and knows nothing of the engine but its facts. A card
is named by the shuffle that brought it: (round, shuffle, index), shuffle 0 being the deal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from skyjo import COPIES, PLACES, Event, Place, RuleSet
from skyjo.facts import (
    Dealt,
    Discarded,
    Drawn,
    Fact,
    Flipped,
    GameEnded,
    Left,
    Placed,
    Removed,
    Reshuffled,
    RoundScored,
)

Card = tuple[int, int, int]


class Shadow:
    """The physical table.

    Attributes:
        value: what is printed on each card, by its name.
        grids: by seat, the card on each place; None = empty.
        open: by seat, the places whose card lies face up.
        streams: the draw pile, top first; one stream when it is shared.
        discards: bottom to top.
        hand: the drawn card.
        known: by viewer (None = a spectator), the cards whose face it has been shown.
    """

    def __init__(self, rules: RuleSet, seats: int) -> None:
        self.rules = rules
        self.seats = seats
        self.value: dict[Card, int] = {}
        self.grids: list[list[Card | None]] = []
        self.open: list[set[Place]] = []
        self.streams: list[list[Card]] = []
        self.discards: list[Card] = []
        self.hand: Card | None = None
        self.known: dict[int | None, set[Card]] = {viewer: set() for viewer in (None, *range(seats))}
        self._lifted: Card | None = None
        self._round = 0
        self._shuffles = 0
        self._awaited: dict[int, int] = {}
        self._face_down_flips: list[tuple[int, Place]] = []

    def watch(self, event: Event) -> None:
        """Move the cards of an event.

        Raises:
            AssertionError: if a fact names another value than its card has, or moves a card that is not there.
        """
        for fact in event.facts:
            _MOVES[type(fact)](self, fact)
        assert self._lifted is None, f"a card was lifted and never put down: {event}"

    def everything(self) -> list[Card]:
        """Every card of the table, wherever it lies."""
        laid = [card for cards in self.grids for card in cards if card is not None]
        drawn = [] if self.hand is None else [self.hand]
        return [*(card for stream in self.streams for card in stream), *self.discards, *laid, *drawn]

    def values(self, cards: list[Card]) -> tuple[int, ...]:
        """What is printed on the cards."""
        return tuple(self.value[card] for card in cards)

    def _dealt(self, fact: Dealt) -> None:
        assert Counter(fact.cards) == Counter(COPIES)
        self._round, self._shuffles = fact.round, 0
        order = self._fresh(fact.cards)
        laid = self.seats * len(PLACES)
        self.grids = [list(order[at : at + len(PLACES)]) for at in range(0, laid, len(PLACES))]
        self.open = [set() for _ in self.grids]
        self.discards = []
        self._lay_open(order[laid])
        self._split(order[laid + 1 :])
        self._awaited = dict.fromkeys(range(self.seats), self.rules.initial_flips) if self.rules.initial_flips else {}
        self._face_down_flips = []

    def _flipped(self, fact: Flipped) -> None:
        card = self._at(fact.seat, fact.place)
        self._expect(card, fact.card)
        assert fact.place not in self.open[fact.seat]
        self._face_down_flips.append((fact.seat, fact.place))
        if self._awaited:
            self._awaited[fact.seat] -= 1
        if not any(self._awaited.values()):
            self._awaited = {}
            self._turn_up()

    def _turn_up(self) -> None:
        for seat, place in self._face_down_flips:
            self.open[seat].add(place)
            self._show(self._at(seat, place))
        self._face_down_flips = []

    def _drawn(self, fact: Drawn) -> None:
        assert self.hand is None
        own = self.streams[fact.seat if len(self.streams) > 1 else 0]
        card = (own or max(self.streams, key=len)).pop(0)
        self._expect(card, fact.card)
        self.hand = card
        self.known[fact.seat].add(card)

    def _placed(self, fact: Placed) -> None:
        card = self.discards.pop() if self.hand is None else self.hand
        self._expect(card, fact.card)
        self.hand = None
        self._lifted = self._at(fact.seat, fact.place)
        self.grids[fact.seat][fact.place] = card
        self.open[fact.seat].add(fact.place)
        self._show(card)

    def _discarded(self, fact: Discarded) -> None:
        card = self.hand if self._lifted is None else self._lifted
        assert card is not None
        self._expect(card, fact.card)
        self.hand = self._lifted = None
        self._lay_open(card)

    def _removed(self, fact: Removed) -> None:
        assert fact.places
        for place in fact.places:
            card = self._at(fact.seat, place)
            assert place in self.open[fact.seat]
            self._expect(card, fact.card)
            self.grids[fact.seat][place] = None
            self.open[fact.seat].remove(place)
            self._lay_open(card)

    def _reshuffled(self, fact: Reshuffled) -> None:
        assert not any(self.streams)
        under = self.discards[:-1]
        assert Counter(fact.cards) == Counter(self.values(under))
        self._shuffles += 1
        self.discards = self.discards[-1:]
        self._split(self._fresh(fact.cards))

    def _scored(self, fact: RoundScored) -> None:
        raw = tuple(sum(self.value[card] for card in cards if card is not None) for cards in self.grids)
        assert fact.raw == raw
        assert all(set(self._held(seat)) == self.open[seat] for seat in range(self.seats))

    def _nothing(self, fact: Left | GameEnded) -> None:
        """No card moves."""

    def _held(self, seat: int) -> list[Place]:
        return [place for place in PLACES if self.grids[seat][place] is not None]

    def _at(self, seat: int, place: Place) -> Card:
        card = self.grids[seat][place]
        assert card is not None, f"{place} of seat {seat} is empty"
        return card

    def _fresh(self, cards: tuple[int, ...]) -> list[Card]:
        names = [(self._round, self._shuffles, index) for index in range(len(cards))]
        self.value.update(zip(names, cards, strict=True))
        return names

    def _split(self, cards: list[Card]) -> None:
        count = self.seats if self.rules.draw_streams == "per_seat" else 1
        self.streams = [cards[stream::count] for stream in range(count)]

    def _expect(self, card: Card, value: int) -> None:
        assert self.value[card] == value, f"{card} is {self.value[card]}, but the fact says {value}"

    def _lay_open(self, card: Card) -> None:
        self.discards.append(card)
        self._show(card)

    def _show(self, card: Card) -> None:
        for cards in self.known.values():
            cards.add(card)


_MOVES: Final[dict[type[Fact], Callable[[Shadow, Any], None]]] = {
    Dealt: Shadow._dealt,
    Flipped: Shadow._flipped,
    Drawn: Shadow._drawn,
    Placed: Shadow._placed,
    Discarded: Shadow._discarded,
    Removed: Shadow._removed,
    Reshuffled: Shadow._reshuffled,
    RoundScored: Shadow._scored,
    Left: Shadow._nothing,
    GameEnded: Shadow._nothing,
}
