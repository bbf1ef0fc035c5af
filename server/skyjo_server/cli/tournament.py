"""`skyjo tournament`: setting up events, steering them, looking at them. The service runs them; this asks it to."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from skyjo_client import (
    Entry,
    TableOutcome,
    TournamentStatus,
)
from skyjo_server.cli.output import EXIT_USAGE, OUT, CommandFailed, print_json
from skyjo_server.cli.remote import DEFAULT_URL, JsonOption, TokenOption, UrlOption, service
from skyjo_server.cli.tournament_create import create, tell
from skyjo_server.cli.tournament_views import (
    crosstable_table,
    entries_table,
    leaderboard_table,
    plain,
    print_wide,
    schedule_table,
    standings_table,
    tournaments_table,
)
from skyjo_server.cli.tournament_watch import PATIENCE, follow_lines, watch_live

_HELP: Final = (
    "Set up tournaments, steer them, and look at them.\n\n"
    "An event from beginning to end: [bold]create[/bold] it, let bots enter, [bold]start[/bold] it, "
    "[bold]watch[/bold] it, [bold]export[/bold] it. A bot enters and plays with "
    "[bold]skyjo play BOT --tournament ID[/bold]. Once it has begun, it runs by itself."
)

app: Final = typer.Typer(no_args_is_help=True, help=_HELP, rich_markup_mode="rich")

Id = Annotated[str, typer.Argument(metavar="ID", help="The tournament's id.")]
BotOption = Annotated[str | None, typer.Option("--bot", help="Id of a bot of your own; the token's bot if not given.")]


def _rows(usual: int | None) -> Any:
    return typer.Option("--limit", help="How many at most." + ("" if usual else " All if not given."), min=1)


app.command("create")(create)


@app.command("list")
def list_tournaments(
    status: Annotated[TournamentStatus | None, typer.Option(help="Only those that stand there.")] = None,
    limit: Annotated[int, _rows(20)] = 20,
    url: UrlOption = DEFAULT_URL,
    as_json: JsonOption = False,
) -> None:
    """List tournaments, the newest first."""
    with service(url, None) as client:
        found = list(islice(client.tournaments.list(status=status, limit=min(limit, 100)), limit))
    _tell_all(found, tournaments_table(found), as_json=as_json)


@app.command("show")
def show(tournament: Id, url: UrlOption = DEFAULT_URL, as_json: JsonOption = False) -> None:
    """Show how a tournament was set up, where it stands, and what its chance is bound to."""
    with service(url, None) as client:
        tell(client.tournaments.get(tournament), as_json=as_json)


@app.command("entries")
def entries(
    tournament: Id,
    limit: Annotated[int | None, _rows(None)] = None,
    url: UrlOption = DEFAULT_URL,
    as_json: JsonOption = False,
) -> None:
    """List who is in, in the order of entry."""
    with service(url, None) as client:
        found = list(islice(client.tournaments.entries(tournament, limit=1000), limit))
    _tell_all(found, entries_table(found), as_json=as_json)


@app.command("enter")
def enter(
    tournament: Id, bot: BotOption = None, url: UrlOption = DEFAULT_URL, token: TokenOption = None,
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    """Enter a bot, with its token. `skyjo play BOT --tournament ID` enters and plays in one go."""
    with service(url, token) as client:
        _tell_entry(client.tournaments.enter(tournament, bot=bot), as_json=as_json)


@app.command("withdraw")
def withdraw(
    tournament: Id, bot: BotOption = None, url: UrlOption = DEFAULT_URL, token: TokenOption = None,
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    """Take a bot out, with its token: it is never paired again; games that are on go on."""
    with service(url, token) as client:
        _tell_entry(client.tournaments.withdraw(tournament, bot=bot), as_json=as_json)


@app.command("disqualify")
def disqualify(
    tournament: Id,
    entry: Annotated[int, typer.Argument(metavar="ENTRY", help="The entry's number.", min=0)],
    reason: Annotated[str, typer.Argument(metavar="REASON", help="What everybody may read of it.")],
    url: UrlOption = DEFAULT_URL,
    token: TokenOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take an entry out, as the organiser.

    skyjo tournament disqualify ID 3 "two bots of one author"
    """
    with service(url, token) as client:
        _tell_entry(client.tournaments.disqualify(tournament, entry, reason), as_json=as_json)


@app.command("start")
def start(tournament: Id, url: UrlOption = DEFAULT_URL, token: TokenOption = None, as_json: JsonOption = False) -> None:
    """Begin, as the organiser; harmless if it has begun. From then on it runs by itself."""
    with service(url, token) as client:
        tell(client.tournaments.start(tournament), as_json=as_json)


@app.command("pause")
def pause(tournament: Id, url: UrlOption = DEFAULT_URL, token: TokenOption = None, as_json: JsonOption = False) -> None:
    """Begin no more games until it is resumed; those that are on go on."""
    with service(url, token) as client:
        tell(client.tournaments.pause(tournament), as_json=as_json)


@app.command("resume")
def resume(
    tournament: Id, url: UrlOption = DEFAULT_URL, token: TokenOption = None, as_json: JsonOption = False
) -> None:
    """Go on after a pause."""
    with service(url, token) as client:
        tell(client.tournaments.resume(tournament), as_json=as_json)


@app.command("abort")
def abort(tournament: Id, url: UrlOption = DEFAULT_URL, token: TokenOption = None, as_json: JsonOption = False) -> None:
    """End it at once, for good; games that are on are aborted, what was played stays in the standings."""
    with service(url, token) as client:
        tell(client.tournaments.abort(tournament), as_json=as_json)


@app.command("void")
def void(
    tournament: Id,
    round_number: Annotated[int, typer.Argument(metavar="ROUND", help="Its round, from 1 as shown.", min=1)],
    table: Annotated[int, typer.Argument(metavar="TABLE", help="Its number in the round.", min=0)],
    url: UrlOption = DEFAULT_URL,
    token: TokenOption = None,
    as_json: JsonOption = False,
) -> None:
    """Declare the game that is played at a table void; it is played again on a deal of its own."""
    with service(url, token) as client:
        stopped = client.tournaments.void_table(tournament, round_number - 1, table)
    if as_json:
        print_json(plain(stopped))
    else:
        print_wide(schedule_table([stopped]))


@app.command("watch")
def watch(
    tournament: Id,
    limit: Annotated[int, _rows(20)] = 20,
    url: UrlOption = DEFAULT_URL,
    as_json: Annotated[bool, typer.Option("--json", help="Print the log instead, an event a line.")] = False,
) -> None:
    """Show a tournament as it happens: progress, tables in play, standings. Ends when it is over."""
    with service(url, None, PATIENCE) as client:
        if as_json:
            follow_lines(client, tournament)
        else:
            watch_live(client, tournament, min(limit, 1000))


@app.command("schedule")
def schedule(
    tournament: Id,
    round_number: Annotated[int | None, typer.Option("--round", help="Only this round, from 1.", min=1)] = None,
    entry: Annotated[int | None, typer.Option(help="Only tables at which this entry sits.", min=0)] = None,
    outcome: Annotated[TableOutcome | None, typer.Option(help="Only tables that this has become of.")] = None,
    limit: Annotated[int | None, _rows(None)] = None,
    url: UrlOption = DEFAULT_URL,
    as_json: JsonOption = False,
) -> None:
    """List the tables, as far as the schedule is known, with what may be known of each."""
    chosen: dict[str, Any] = {"round_number": None if round_number is None else round_number - 1, "entry": entry}
    with service(url, None) as client:
        pages = client.tournaments.tables(tournament, outcome=outcome, limit=1000, **chosen)
        found = list(islice(pages, limit))
    _tell_all(found, schedule_table(found), as_json=as_json)


@app.command("standings")
def standings(
    tournament: Id,
    limit: Annotated[int | None, _rows(None)] = None,
    url: UrlOption = DEFAULT_URL,
    as_json: JsonOption = False,
) -> None:
    """Print the ranking, from every board that is over at all its tables."""
    with service(url, None) as client:
        seen = client.tournaments.get(tournament)
        found = list(islice(client.tournaments.standings(tournament, limit=1000), limit))
    _tell_all(found, standings_table(found, seen.options, seen.options.name), as_json=as_json)


@app.command("crosstable")
def crosstable(tournament: Id, url: UrlOption = DEFAULT_URL, as_json: JsonOption = False) -> None:
    """Print who did what against whom, among the best."""
    with service(url, None) as client:
        found = client.tournaments.crosstable(tournament)
    if as_json:
        print_json(plain(found))
    else:
        print_wide(crosstable_table(found))


@app.command("export")
def export(
    tournament: Id,
    out: Annotated[Path | None, typer.Option(help="The file to write; tournament-ID.zip if not given.")] = None,
    url: UrlOption = DEFAULT_URL,
    as_json: JsonOption = False,
) -> None:
    """Write everything about a tournament that may be known to one archive, which `skyjo verify` proves."""
    path = out or Path(f"tournament-{tournament}.zip")
    with service(url, None) as client:
        archive = client.tournaments.export(tournament)
    try:
        path.write_bytes(archive)
    except OSError as error:
        raise CommandFailed(f"{path}: {error.strerror}", "name a file that can be written", EXIT_USAGE) from error
    if as_json:
        print_json({"file": str(path), "bytes": len(archive)})
    else:
        OUT.print(f"{len(archive)} bytes written to {path}; prove them with: skyjo verify {path}", markup=False)


@app.command("leaderboard")
def leaderboard(
    limit: Annotated[int, _rows(50)] = 50, url: UrlOption = DEFAULT_URL, as_json: JsonOption = False
) -> None:
    """Print the live ratings over all tournaments."""
    with service(url, None) as client:
        found = list(islice(client.leaderboard(limit=min(limit, 1000)), limit))
    _tell_all(found, leaderboard_table(found), as_json=as_json)


def _tell_entry(entry: Entry, *, as_json: bool) -> None:
    if as_json:
        print_json(plain(entry))
    else:
        OUT.print(f"{entry.name} is entry {entry.number}: {entry.status}", markup=False)


def _tell_all(found: list[Any], table: Any, *, as_json: bool) -> None:
    if as_json:
        print_json({"items": plain(found)})
    else:
        print_wide(table)
