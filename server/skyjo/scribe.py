"""How an event reads in a transcript: the words of its move and of the notes around it. Lays out no lines.

:mod:`skyjo.transcript` shows the form.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from skyjo.actions import Action, Verb
from skyjo.cards import GRID_SIZE, ROWS
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

LEAVE: Final = "leave"
"""What a seat does that resigns or is made to leave."""

_OWN_FACTS: Final = {Verb.DRAW: 1, Verb.TAKE: 2, Verb.KEEP: 2}
"""How many facts are the action itself; what stands after them followed from it. The others show a card a place."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Words that stay together: one action, or one note, which has its lines for itself.

    Attributes:
        text: the words.
        is_note: whether they are a note.
        continues: whether they are an action of the same seat as the one before, and so do not name it.
    """

    text: str
    is_note: bool = False
    continues: bool = False


class Scribe:
    """Writes down the events of one game, in order."""

    __slots__ = ("_seat", "_seats")

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self._seat: int | None = None

    def units(self, event: Event) -> Iterator[Unit]:
        """The words of the next event."""
        facts = event.facts
        if event.seat is not None:
            while facts and isinstance(facts[0], Reshuffled):
                yield self._note(f"Reshuffled {_numbers(facts[0].cards)}")
                facts = facts[1:]
            own = _own_facts(event.action)
            yield self._move(event.seat, _move(event, facts[:own]))
            facts = facts[own:]
        for text in _notes(facts, self._seats):
            yield self._note(text)
        if event.opener is not None:
            yield self._note(f"Opener {event.opener}")

    def _move(self, seat: int, text: str) -> Unit:
        continues = seat == self._seat
        self._seat = seat
        return Unit(text if continues else f"{seat}: {text}", continues=continues)

    def _note(self, text: str) -> Unit:
        self._seat = None
        return Unit(text, is_note=True)


def _own_facts(action: Action | None) -> int:
    return 1 if action is None else _OWN_FACTS.get(action.verb, (action.verb is Verb.REJECT) + len(action.places))


def _move(event: Event, own: Sequence[Fact]) -> str:
    words = [] if event.cause is Cause.PLAYER else [f"({event.cause})"]
    words.append(LEAVE if event.action is None else str(event.action))
    cards = [fact.card for fact in own if isinstance(fact, Flipped | Drawn | Placed | Discarded)]
    if event.action is not None and event.action.verb in (Verb.KEEP, Verb.REJECT):
        # The card in hand was shown when it was drawn.
        cards = cards[1:]
    if cards:
        words.append(f"{{{_numbers(cards)}}}")
    return " ".join(words)


def _notes(facts: Sequence[Fact], seats: int) -> Iterator[str]:
    """What followed by itself. Cards of one seat that were shown one after another share a note."""
    for _, together in groupby(facts, key=lambda fact: fact.seat if isinstance(fact, Flipped) else fact):
        fact, *others = together
        match fact:
            case Dealt():
                yield from _deal(fact, seats)
            case Flipped(seat):
                shown = [f"{flip.place} {flip.card}" for flip in (fact, *others) if isinstance(flip, Flipped)]
                yield f"Shown {seat}: {' '.join(shown)}"
            case Removed(seat, places, card):
                yield f"Removed {seat}: {' '.join(map(str, places))} of {card}"
            case RoundScored():
                yield _scores(fact)
            case GameEnded(totals, ranks):
                yield f"End totals {_numbers(totals)} ranks {_numbers(ranks)}"
            case Drawn() | Placed() | Discarded() | Reshuffled() | Left():
                # No rules bring this about here. A false record can be written, but it does not read back.
                yield f"Also {fact}"


def _deal(fact: Dealt, seats: int) -> Iterator[str]:
    yield f"Round {fact.round}"
    for seat in range(seats):
        grid = fact.cards[seat * GRID_SIZE : (seat + 1) * GRID_SIZE]
        columns = [_numbers(grid[at : at + ROWS]) for at in range(0, GRID_SIZE, ROWS)]
        yield f"Deal {seat}: {' / '.join(columns)}"
    dealt = seats * GRID_SIZE
    yield f"Discard {_numbers(fact.cards[dealt : dealt + 1])}"
    yield f"Pile {_numbers(fact.cards[dealt + 1 :])}"


def _scores(fact: RoundScored) -> str:
    ender = "no ender" if fact.ender is None else f"ender {fact.ender}"
    points = f"raw {_numbers(fact.raw)} final {_numbers(fact.final)} totals {_numbers(fact.totals)}"
    return f"Scores {points} {ender}{' truncated' if fact.truncated else ''}"


def _numbers(values: Sequence[int]) -> str:
    return " ".join(map(str, values))
