"""`skyjo demo`: the whole thing on one machine: database, service, four bots as processes of their own, a tournament.

Everything it knows lies in its folder, so that a demo that was killed is finished by the next one.
"""

from __future__ import annotations

import signal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from platformdirs import user_data_path

from skyjo_client import SkyjoClientError
from skyjo_server.cli.output import ERR, EXIT_NO, OUT, CommandFailed, print_json
from skyjo_server.cli.tournament_views import print_wide, standings_table

if TYPE_CHECKING:
    from skyjo_server.cli.demo_event import Outcome
    from skyjo_server.cli.demo_house import House

BOARDS: Final = 10
QUICK_BOARDS: Final = 2
"""Games of every pair, each on a duplicate board."""


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

    Every pair of bots meets on the same duplicate boards, so that luck is the same for all; everything is then exported
    to one archive and proved by replay. Exit code 1 if anything does not verify. A demo that was interrupted, even by
    kill -9, is finished by running it again.
    """
    from skyjo_server.cli.demo_event import Event  # noqa: PLC0415 - needs the server's dependencies
    from skyjo_server.cli.demo_house import House  # noqa: PLC0415 - as above
    from skyjo_server.cli.server_errors import reported  # noqa: PLC0415 - as above

    boards = QUICK_BOARDS if quick else BOARDS
    home = folder or user_data_path("skyjo-arena") / "demo"
    try:
        with reported(), House(home, port) as house:
            event = Event.resume_or_begin(home, house.url, house.organiser_token, boards)
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
    print_wide(standings_table(outcome.standings, outcome.tournament.options))
    for failure in outcome.failures:
        OUT.print(f"✗ {failure}", style="bold red", markup=False)
    if not outcome.failures:
        OUT.print(f"{outcome.games} games, {outcome.events} events: proved by replay, and all chance from one seed")
    OUT.print(f"archive      {outcome.archive}", markup=False)
    OUT.print(f"games        {outcome.records}", markup=False)
    OUT.print(f"transcripts  {outcome.transcripts}", markup=False)
    OUT.print(f"prove again  skyjo verify {outcome.archive}", markup=False)
    OUT.print(f"look at one  skyjo replay {outcome.transcripts} --step 40", markup=False)


def _stay(house: House) -> None:
    """Say how to join, and leave the service up until Ctrl-C."""
    ERR.print(f"\nThe service stays. Watch games and replays at {house.url}, read its reference at {house.url}/docs")
    ERR.print("Join with a bot of your own (a file with a function choose(decision)), from another terminal:")
    ERR.print(
        f"  skyjo play my_bot.py:choose --url {house.url} --name my-bot --against greedy --games 10", markup=False
    )
    ERR.print(f"An organiser's token: {house.organiser_token}", markup=False)
    ERR.print("Ctrl-C ends it.")
    signal.sigwait({signal.SIGINT, signal.SIGTERM})
