"""A played game as a text to read and to compare: every event and what it changed on the table. Plays nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from skyjo import PLACES, Event, SeatView, State, decision, legal_actions
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
from tests.strategies import PlayedGame

LEGEND: Final = """\
Each event with its facts; then what everybody sees: the round, what it waits for, who is to act (and of how many
actions it chooses), the discards (how many: the last ones), the cards left to draw; then each seat whose grid or points
have changed: columns a b c d, each top to bottom, ? = face down, . = empty, and its points.
"""


def written(name: str, game: PlayedGame) -> str:
    """The whole text of a game."""
    return "\n".join(_lines(name, game)) + "\n"


def _lines(name: str, game: PlayedGame) -> Iterator[str]:
    yield f"{name}: {game.seats} seats"
    yield ", ".join(f"{option} {value}" for option, value in game.rules.to_dict().items())
    yield f"\n{LEGEND}"
    shown: list[str] = [""] * game.seats
    for event, state in zip(game.events, game.states, strict=True):
        yield f"{event.version} {_headline(event)}"
        yield from _facts(event)
        yield _middle(state)
        seats = _seats(state)
        yield from (now for before, now in zip(shown, seats, strict=True) if now != before)
        shown = seats


def _headline(event: Event) -> str:
    who = "the deal" if event.seat is None else f"seat {event.seat}: {event.action or 'leaves'}"
    why = "" if event.cause.value in {"player", "system"} else f" ({event.cause.value})"
    chance = "" if event.opener is None else f", and chance lets seat {event.opener} open"
    return f"{who}{why}{chance}"


def _facts(event: Event) -> Iterator[str]:
    for kinds, group in groupby(event.facts, lambda fact: isinstance(fact, Flipped | Placed | Discarded | Removed)):
        separator = "; " if kinds else "\n  "
        yield "  " + separator.join(_FACTS[type(fact)](fact) for fact in group)


def _middle(state: State) -> str:
    view = decision(state, None)
    acting = " ".join(f"{seat} ({len(legal_actions(state, seat))})" for seat in view.to_act) or "nobody"
    discards = f"{len(view.discard_pile)}: {_cards(view.discard_pile[-4:])}"
    return f"= round {view.round} {view.phase.value}: {acting}; discards {discards}; to draw {view.draw_pile_size}"


def _seats(state: State) -> list[str]:
    view = decision(state, None)
    lines = [f"  {seat} [{_grid(shown)}] {shown.total}" for seat, shown in enumerate(view.seats)]
    if view.ranks is not None:
        lines = [f"{line}, rank {rank}" for line, rank in zip(lines, view.ranks, strict=True)]
    return [line + ", left" * shown.left for line, shown in zip(lines, view.seats, strict=True)]


def _grid(seat: SeatView) -> str:
    texts = ["?" if cell is None else "." if cell == "gone" else str(cell) for cell in map(seat.card, PLACES)]
    return " | ".join(" ".join(texts[at : at + 3]) for at in range(0, 12, 3))


def _cards(cards: Sequence[int]) -> str:
    return " ".join(map(str, cards))


def _scored(fact: RoundScored) -> str:
    how = "truncated" if fact.truncated else f"ended by {fact.ender}"
    return f"round {fact.round} {how}: raw {_cards(fact.raw)}, final {_cards(fact.final)}, totals {_cards(fact.totals)}"


_FACTS: Final[dict[type[Fact], Callable[[Any], str]]] = {
    Dealt: lambda fact: f"round {fact.round} dealt: {_cards(fact.cards)}",
    Flipped: lambda fact: f"{fact.seat} flipped {fact.place} {fact.card}",
    Drawn: lambda fact: f"drew {fact.card}",
    Placed: lambda fact: f"placed {fact.place} {fact.card}",
    Discarded: lambda fact: f"discarded {fact.card}",
    Removed: lambda fact: f"{fact.seat} removed {_cards(fact.places)}, each {fact.card}",
    Reshuffled: lambda fact: f"reshuffled: {_cards(fact.cards)}",
    RoundScored: _scored,
    Left: lambda fact: f"{fact.seat} left",
    GameEnded: lambda fact: f"game over: totals {_cards(fact.totals)}, ranks {_cards(fact.ranks)}",
}
