"""The one door: everything that leaves for a viewer is built here, from what the viewer may know, and nowhere else.

A viewer is a seat, or None for a spectator. Nothing is deleted from a full state on its way out; what is visible is put
together member by member. When a game is over, everything is open to everybody.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from skyjo.actions import Action, Verb
from skyjo.cards import GRID_SIZE, ROWS
from skyjo.facts import Cause, Dealt, Drawn, Event, Fact, Flipped, Reshuffled, RoundScored
from skyjo.legal import LegalActions, Position, legal_actions
from skyjo.lines import COLUMN_MASKS
from skyjo.places import PLACES, Place
from skyjo.quick import quick
from skyjo.rules import RuleSet
from skyjo.state import PLACES_OF_MASK, Phase, State

GONE: Final = "gone"
"""What stands at a place that a removed row has emptied, inside a column that still holds cards."""

Cell = int | str | None
Column = tuple[Cell, Cell, Cell] | None

_EVERY_PLACE: Final = (1 << GRID_SIZE) - 1


class TableGrid(Protocol):
    """A grid as the door reads it."""

    @property
    def cards(self) -> Sequence[int]:
        """Twelve values by place."""

    @property
    def hidden(self) -> int:
        """Bit mask of the places whose card lies face down."""

    @property
    def open(self) -> int:
        """Bit mask of the places whose card lies face up."""


class Table(Position, Protocol):
    """A game as the door reads it: a State, or the arena's mutable twin."""

    @property
    def version(self) -> int:
        """Number of the last event."""

    @property
    def round(self) -> int:
        """1, 2 …."""

    @property
    def grids(self) -> Sequence[TableGrid]:
        """One per seat."""

    @property
    def draw_pile_size(self) -> int:
        """Cards left to draw."""

    @property
    def hand(self) -> int | None:
        """The drawn card."""

    @property
    def rounds(self) -> Sequence[RoundScored]:
        """The rounds scored so far."""

    @property
    def totals(self) -> Sequence[int]:
        """Points by seat."""

    @property
    def to_act(self) -> Sequence[int]:
        """Seats whose action the game waits for."""

    @property
    def ranks(self) -> Sequence[int] | None:
        """Ranks by seat, once the game is over."""

    @property
    def left(self) -> Sequence[bool]:
        """By seat, whether it has left."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """What everybody can see of one seat.

    Attributes:
        columns: four columns a to d; each three cells, top to bottom: a card in points, None = face down, or
            ``"gone"`` where a removed row has emptied the place; a column is None when it is gone as a whole.
        round_scores: points of the rounds scored so far.
        total: their sum.
        left: whether the seat has resigned or was made to leave.
    """

    columns: tuple[Column, ...]
    round_scores: tuple[int, ...]
    total: int
    left: bool

    def card(self, place: Place) -> Cell:
        """The cell at a place: a card, None = face down, ``"gone"`` = empty."""
        column = self.columns[place // ROWS]
        return GONE if column is None else column[place % ROWS]

    @property
    def hidden_places(self) -> tuple[Place, ...]:
        """Places whose card lies face down."""
        return tuple(place for place in PLACES if self.card(place) is None)

    @property
    def open_cards(self) -> dict[Place, int]:
        """The open cards by place."""
        return {place: card for place in PLACES if isinstance(card := self.card(place), int)}


@dataclass(frozen=True, slots=True)
class Decision:
    """The table as one viewer sees it, at one version; all that a bot is given to choose its action.

    Attributes:
        game: the game's id.
        version: number of the last event; an action answers this version.
        round: 1, 2 ….
        phase: ``flip`` | ``turn`` | ``drawn`` | ``over``.
        seat: the viewer's seat, None for a spectator.
        to_act: seats whose action the game waits for.
        drawn: the drawn card, for its drawer alone.
        discard_pile: bottom to top.
        draw_pile_size: cards left to draw.
        seats: what everybody can see, by seat.
        legal_actions: what this viewer may play now.
        deadline: when the viewer's time ends, as RFC 3339 text; None = no limit.
        rules: every option.
        ranks: by seat, once the game is over.
    """

    game: str
    version: int
    round: int
    phase: Phase
    seat: int | None
    to_act: tuple[int, ...]
    drawn: int | None
    discard_pile: tuple[int, ...]
    draw_pile_size: int
    seats: tuple[SeatView, ...]
    legal_actions: LegalActions
    deadline: str | None
    rules: RuleSet
    ranks: tuple[int, ...] | None = None

    @property
    def own(self) -> SeatView:
        """The viewer's own seat.

        Raises:
            ValueError: for a spectator.
        """
        if self.seat is None:
            raise ValueError("a spectator has no seat of its own")
        return self.seats[self.seat]

    def to_dict(self) -> dict[str, Any]:
        """The decision as the API writes it."""
        return {
            "game": self.game,
            "version": self.version,
            "round": self.round,
            "phase": self.phase.value,
            "seat": self.seat,
            "to_act": list(self.to_act),
            "drawn": self.drawn,
            "discard_pile": list(self.discard_pile),
            "draw_pile_size": self.draw_pile_size,
            "seats": [_seat_to_dict(seat) for seat in self.seats],
            "legal_actions": [str(action) for action in self.legal_actions],
            "deadline": self.deadline,
            "rules": self.rules.to_dict(),
            "ranks": None if self.ranks is None else list(self.ranks),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Decision:
        """Read what :meth:`to_dict` wrote; members that are not known are left alone.

        Raises:
            InvalidText: for an action or place that cannot be read.
            KeyError: for a missing member.
        """
        return cls(
            game=data["game"],
            version=data["version"],
            round=data["round"],
            phase=Phase(data["phase"]),
            seat=data["seat"],
            to_act=tuple(data["to_act"]),
            drawn=data["drawn"],
            discard_pile=tuple(data["discard_pile"]),
            draw_pile_size=data["draw_pile_size"],
            seats=tuple(_seat_from_dict(seat) for seat in data["seats"]),
            legal_actions=LegalActions(tuple(Action.parse(text) for text in data["legal_actions"])),
            deadline=data["deadline"],
            rules=RuleSet.from_dict(data["rules"]),
            ranks=None if data["ranks"] is None else tuple(data["ranks"]),
        )


_seat_view: Final = quick(SeatView)
_decision: Final = quick(Decision)


@dataclass(frozen=True, slots=True)
class SeenDealt:
    """A deal as a viewer sees it: of all 150 cards only the one that opens the discard pile; None = unseen."""

    round: int
    cards: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class SeenDrawn:
    """A draw as a viewer sees it; None = not its own."""

    seat: int
    card: int | None


@dataclass(frozen=True, slots=True)
class SeenReshuffled:
    """A reshuffle as a viewer sees it: how many cards, None for each."""

    cards: tuple[int | None, ...]


SeenFact = Fact | SeenDealt | SeenDrawn | SeenReshuffled


@dataclass(frozen=True, slots=True)
class SeenEvent:
    """An event as one viewer may know it while the game is on.

    A choice of initial flips shows nothing, its places to its own seat alone, until every seat has chosen; the event
    that completes the choice carries the flips of all seats, ascending. What a viewer was shown never changes before
    the game is over.
    """

    version: int
    seat: int | None
    action: Action | None
    cause: Cause
    facts: tuple[SeenFact, ...]


def decision(
    table: Table,
    viewer: int | None,
    *,
    game: str = "",
    deadline: str | None = None,
    stopped: bool = False,
    complete: bool | None = None,
) -> Decision:
    """The table as a viewer sees it.

    Args:
        table: the full state.
        viewer: a seat, None for a spectator.
        game: the game's id.
        deadline: when the viewer's time ends, RFC 3339.
        stopped: the game was voided or aborted: nobody is to act, and all is open.
        complete: whether every card of the grids and the drawn one are shown; None = once the game is over.
    """
    phase = Phase.OVER if stopped else table.phase
    over = phase is Phase.OVER
    if complete is None:
        complete = over
    return _decision(
        game=game,
        version=table.version,
        round=table.round,
        phase=phase,
        seat=viewer,
        to_act=() if over else tuple(table.to_act),
        drawn=table.hand if complete or (viewer is not None and viewer == table.turn) else None,
        discard_pile=tuple(table.discard_pile),
        draw_pile_size=table.draw_pile_size,
        seats=_seat_views(table, complete),
        legal_actions=LegalActions(()) if over or viewer is None else legal_actions(table, viewer),
        deadline=None if over else deadline,
        rules=table.rules,
        ranks=None if table.ranks is None else tuple(table.ranks),
    )


def seen_event(event: Event, before: State, viewer: int | None) -> SeenEvent:
    """An event of a running game as a viewer may know it.

    Args:
        event: the full event.
        before: the state that it was played in.
        viewer: a seat, None for a spectator.
    """
    action, seat = event.action, event.seat
    if action is None or action.verb is not Verb.FLIP or seat is None:
        facts = tuple([_seen_fact(fact, before, viewer) for fact in event.facts])
        return SeenEvent(event.version, seat, action, event.cause, facts)
    if len(before.to_act) > 1:
        return SeenEvent(event.version, seat, action if viewer == seat else None, event.cause, ())
    own = tuple(fact for fact in event.facts if isinstance(fact, Flipped))
    rest = tuple(fact for fact in event.facts if not isinstance(fact, Flipped))
    return SeenEvent(event.version, seat, action, event.cause, _all_flips(before, seat, own) + rest)


def full_event(event: Event) -> SeenEvent:
    """An event of a game that is over: everything, for everybody."""
    return SeenEvent(event.version, event.seat, event.action, event.cause, event.facts)


def _all_flips(before: State, last_seat: int, last: tuple[Flipped, ...]) -> tuple[Flipped, ...]:
    flips: tuple[Flipped, ...] = ()
    for seat, places in enumerate(before.chosen):
        cards = before.grids[seat].cards
        flips += last if seat == last_seat else tuple(Flipped(seat, place, cards[place]) for place in places or ())
    return flips


def _seen_fact(fact: Fact, before: State, viewer: int | None) -> SeenFact:
    match fact:
        case Dealt(round_, cards):
            shown = before.seats * GRID_SIZE
            return SeenDealt(round_, tuple(card if index == shown else None for index, card in enumerate(cards)))
        case Drawn(seat, card):
            return SeenDrawn(seat, card if seat == viewer else None)
        case Reshuffled(cards):
            return SeenReshuffled((None,) * len(cards))
        case _:
            return fact


def _seat_views(table: Table, complete: bool) -> tuple[SeatView, ...]:
    rounds, totals, left = table.rounds, table.totals, table.left
    views = []
    for seat, grid in enumerate(table.grids):
        scores = tuple([scored.final[seat] for scored in rounds])
        views.append(_seat_view(_columns(grid, complete), scores, totals[seat], left[seat]))
    return tuple(views)


def _columns(grid: TableGrid, complete: bool) -> tuple[Column, ...]:
    """The cells of a grid; every one is face down until it is known to be something else."""
    cards, hidden, open_ = grid.cards, grid.hidden, grid.open
    if complete:
        hidden, open_ = 0, hidden | open_
    held = hidden | open_
    cells: list[Cell] = [None] * GRID_SIZE
    for place in PLACES_OF_MASK[open_]:
        cells[place] = cards[place]
    for place in PLACES_OF_MASK[_EVERY_PLACE ^ held]:
        cells[place] = GONE
    a1, a2, a3, b1, b2, b3, c1, c2, c3, d1, d2, d3 = cells
    columns = ((a1, a2, a3), (b1, b2, b3), (c1, c2, c3), (d1, d2, d3))
    if held == _EVERY_PLACE:
        return columns
    return tuple([column if held & mask else None for column, mask in zip(columns, COLUMN_MASKS, strict=True)])


def _seat_to_dict(seat: SeatView) -> dict[str, Any]:
    return {
        "columns": [None if column is None else list(column) for column in seat.columns],
        "round_scores": list(seat.round_scores),
        "total": seat.total,
        "left": seat.left,
    }


def _seat_from_dict(data: Mapping[str, Any]) -> SeatView:
    return SeatView(
        columns=tuple(None if column is None else (column[0], column[1], column[2]) for column in data["columns"]),
        round_scores=tuple(data["round_scores"]),
        total=data["total"],
        left=data["left"],
    )
