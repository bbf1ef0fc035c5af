"""`skyjo demo`: the whole thing on one machine: database, service, four bots as processes of their own, a round robin.

Everything it knows lies in its folder, so that a demo that was killed is finished by the next one.
"""

from __future__ import annotations

import signal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from platformdirs import user_data_path
from rich.table import Table

from skyjo_client import SkyjoClientError
from skyjo_server.cli.output import ERR, EXIT_NO, OUT, CommandFailed, print_json

if TYPE_CHECKING:
    from skyjo_server.cli.demo_event import Outcome
    from skyjo_server.cli.demo_house import House

GAMES_PER_PAIR: Final = 10
QUICK_GAMES_PER_PAIR: Final = 2


def demo(
    quick: Annotated[bool, typer.Option("--quick", help="A few games only: a minute or less.")] = False,
    stay: Annotated[
        bool, typer.Option("--stay", help="Leave the service up afterwards, for a bot of your own.")
    ] = False,
    folder: Annotated[
        Path | None, typer.Option("--data-dir", help="Where database, transcripts and everything else lie.")
    ] = None,
    port: Annotated[int, typer.Option(help="The service's port; 0 = any that is free.", min=0, max=65535)] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object at the end.")] = False,
) -> None:
    """Play a tournament from nothing: an embedded PostgreSQL, the service, and four bots that play it over HTTP.

    Every pair of bots plays, seats taken in turn; every log is then fetched and proved by replay. Exit code 1 if any
    game does not verify. A demo that was interrupted, even by kill -9, is finished by running it again.
    """
    from skyjo_server.cli.demo_event import Event  # noqa: PLC0415 - needs the server's dependencies
    from skyjo_server.cli.demo_house import House  # noqa: PLC0415 - as above
    from skyjo_server.cli.server_errors import reported  # noqa: PLC0415 - as above

    pairs = QUICK_GAMES_PER_PAIR if quick else GAMES_PER_PAIR
    home = folder or user_data_path("skyjo-arena") / "demo"
    try:
        with reported(), House(home, port) as house:
            event = Event.resume_or_begin(home, house.url, house.organiser_token, pairs)
            event.play(house)
            outcome = event.finish(home)
            if as_json:
                print_json(outcome.to_dict())
            else:
                _print(outcome)
            if stay and not outcome.failures:
                _stay(house)
    except SkyjoClientError as error:
        raise CommandFailed(f"the service failed: {error}", f"its log is in {home / 'service.log'}") from error
    if outcome.failures:
        raise typer.Exit(EXIT_NO)


def _print(outcome: Outcome) -> None:
    table = Table("", "bot", "games", "wins", "win rate", "mean points", title="standings", title_justify="left")
    for place, row in enumerate(outcome.standings, start=1):
        rate = f"{row.wins / row.games:.0%}"
        table.add_row(str(place), row.name, str(row.games), f"{row.wins:g}", rate, f"{row.points:.1f}")
    OUT.print(table)
    for failure in outcome.failures:
        OUT.print(f"✗ {failure}", style="bold red", markup=False)
    proved = outcome.games - len(outcome.failures)
    OUT.print(f"{proved} of {outcome.games} logs proved by replay, {outcome.events} events")
    OUT.print(f"games        {outcome.records}", markup=False)
    OUT.print(f"transcripts  {outcome.transcripts}", markup=False)
    OUT.print(f"look at one  skyjo replay {outcome.transcripts} --step 40", markup=False)


def _stay(house: House) -> None:
    """Say how to join, and leave the service up until Ctrl-C."""
    ERR.print(f"\nThe service stays at {house.url}, its interactive reference at {house.url}/docs")
    ERR.print("Join with a bot of your own (a file with a function choose(decision)), from another terminal:")
    ERR.print(
        f"  skyjo play my_bot.py:choose --url {house.url} --name my-bot --against greedy --games 10", markup=False
    )
    ERR.print(f"An organiser's token: {house.organiser_token}", markup=False)
    ERR.print("Ctrl-C ends it.")
    signal.sigwait({signal.SIGINT, signal.SIGTERM})
