"""A table drawn in the terminal: grids, piles and scores of one moment. Draws what it is given; hides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from skyjo import GONE, Decision, GameRecord, Phase, Place, SeatView
from skyjo.facts import RoundScored
from skyjo.places import PLACES_BY_ROW

_STYLES: Final = (
    (-1, "bold white on blue"),
    (0, "bold black on bright_cyan"),
    (4, "bold black on green"),
    (8, "bold black on yellow"),
    (12, "bold white on red"),
)
"""Up to which value a card has which colours, as on the printed cards: the cold ones are good."""

_BACK: Final = Text(" ▒▒ ", style="dim")
_EMPTY: Final = Text("    ")


def draw_table(seen: Decision, names: Sequence[str], title: str) -> RenderableType:
    """The table as a viewer sees it.

    Args:
        seen: the view.
        names: by seat.
        title: what stands above it.
    """
    piles = Text.assemble(
        "draw pile ", (f"{seen.draw_pile_size} cards", "bold"), "   discard pile ", card_text(seen.discard_pile[-1])
    )
    if seen.drawn is not None:
        piles.append_text(Text.assemble("   in hand ", card_text(seen.drawn)))
    seats = Columns([_seat(seen, seat, name) for seat, name in enumerate(names)], padding=(0, 1))
    return Group(Text(title, style="bold"), piles, seats)


def draw_scores(record: GameRecord) -> Table:
    """Every round's points, the totals and the ranks."""
    table = Table("round", *map(escape, record.seats), title="scores", title_justify="left")
    for event in record.bare_events():
        for fact in event.facts:
            if isinstance(fact, RoundScored):
                table.add_row(str(fact.round), *_round_cells(fact))
    table.add_section()
    table.add_row("total", *(str(total) for total in record.result.totals), style="bold")
    if record.result.ranks is not None:
        table.add_row("rank", *(str(rank) for rank in record.result.ranks))
    return table


def card_text(card: int) -> Text:
    """A card with its colours."""
    style = next(style for highest, style in _STYLES if card <= highest)
    return Text(f" {card:>2} ", style=style)


def _round_cells(scored: RoundScored) -> list[Text]:
    cells = []
    for seat, points in enumerate(scored.final):
        mark = " *" if seat == scored.ender else ""
        doubled = "" if points == scored.raw[seat] else f" ({scored.raw[seat]})"
        cells.append(Text(f"{points}{doubled}{mark}"))
    return cells


def _seat(seen: Decision, seat: int, name: str) -> Panel:
    view = seen.seats[seat]
    grid = Table.grid(padding=(0, 1))
    for row in range(3):
        grid.add_row(*(_cell(view, place) for place in PLACES_BY_ROW[row * 4 : row * 4 + 4]))
    awaited = seat in seen.to_act
    shown = Text(name + (" (left)" if view.left else ""), style="bold" if awaited else "")
    open_sum = sum(view.open_cards.values())
    footer = f"total {view.total}" + ("" if seen.phase is Phase.OVER else f", open {open_sum}")
    return Panel(grid, title=shown, subtitle=footer, border_style="bold yellow" if awaited else "dim", expand=False)


def _cell(view: SeatView, place: Place) -> Text:
    card = view.card(place)
    if card is None:
        return _BACK
    return _EMPTY if card == GONE or isinstance(card, str) else card_text(card)
