"""`skyjo tournament watch`: an event as it happens, until it is over. Shows what the service tells; steers nothing."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from itertools import islice
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from skyjo_client import Client, RetryPolicy, TableOutcome, Tournament, TournamentStanding
from skyjo_server.cli.output import OUT
from skyjo_server.cli.tournament_views import (
    plain,
    print_wide,
    progress_words,
    schedule_table,
    standings_table,
    verdict_words,
)

PATIENCE: Final = RetryPolicy(attempts=120, cap_seconds=2.0)
"""The service may be restarted while somebody watches."""

_WAIT_SECONDS: Final = 2.0
_LOOK_SECONDS: Final = 0.5
_SETTLE_SECONDS: Final = 0.25
_LOOKS: Final = 120
_TABLES: Final = 8
_BAR_CELLS: Final = 40


def follow_lines(client: Client, tournament_id: str) -> None:
    """Print the log of a tournament as JSON Lines, each event as it happens, until it is over."""
    for event in client.tournaments.follow(tournament_id):
        sys.stdout.write(json.dumps(plain(event), separators=(",", ":")) + "\n")
        sys.stdout.flush()


def watch_live(client: Client, tournament_id: str, rows: int) -> None:
    """Show progress, tables in play and standings, anew whenever something has happened, until it is over.

    Args:
        client: knows the service.
        tournament_id: the tournament.
        rows: how many rows of the standings to show.
    """
    if OUT.is_terminal:
        with Live(console=Console(highlight=False), auto_refresh=False) as live:
            for seen in until_over(client, tournament_id):
                live.update(_picture(client, seen, rows), refresh=True)
    else:
        *_, seen = until_over(client, tournament_id)
        print_wide(_picture(client, seen, rows))


def until_over(client: Client, tournament_id: str) -> Iterator[Tournament]:
    """A tournament, again whenever something has happened in it, and the last time when it is over."""
    while True:
        seen = client.tournaments.get(tournament_id)
        yield seen
        if seen.status.is_over:
            return
        client.tournaments.events(tournament_id, after=seen.version, limit=1, wait_seconds=_WAIT_SECONDS)
        time.sleep(_LOOK_SECONDS)


def settled(client: Client, tournament_id: str, limit: int | None = None) -> tuple[TournamentStanding, ...]:
    """The ranking of an event that is over, once its ratings and intervals, fitted beside it, have come to rest."""
    for _ in range(_LOOKS):
        if client.tournaments.get(tournament_id).rated:
            break
        time.sleep(_SETTLE_SECONDS)
    return tuple(islice(client.tournaments.standings(tournament_id, limit=limit), limit))


def _picture(client: Client, seen: Tournament, rows: int) -> RenderableType:
    progress = seen.progress
    head = Text.assemble((seen.options.name, "bold"), f"   {seen.status}   {progress_words(seen)}")
    bar = Table.grid()
    bar.add_row(ProgressBar(total=max(progress.tables_total, 1), completed=progress.tables_over, width=_BAR_CELLS))
    parts: list[RenderableType] = [head, bar]
    if not seen.status.is_over:
        playing = client.tournaments.tables(seen.id, outcome=TableOutcome.PLAYING, limit=_TABLES).items
        more = progress.tables_playing - len(playing)
        parts.append(schedule_table(playing))
        parts.extend([Text(f"and {more} more in play")] if more > 0 else [])
    if seen.verdict is not None:
        parts.append(Text(verdict_words(seen)))
    if seen.status.is_over:
        standings = settled(client, seen.id, rows)
    else:
        standings = client.tournaments.standings(seen.id, limit=rows).items
    if standings:
        parts.append(standings_table(standings, seen.options))
    return Group(*parts)
