"""`skyjo tournament create`: an event from options, a file, or both. What fits together, the service says."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from skyjo_client import OnTimeout, Scoring, Tournament, TournamentFormat
from skyjo_server.cli.output import ERR, OUT, print_json
from skyjo_server.cli.remote import DEFAULT_URL, JsonOption, TokenOption, UrlOption, service
from skyjo_server.cli.rules import read_rules
from skyjo_server.cli.tournament_views import plain, tournament_lines
from skyjo_server.cli.tournament_wanted import sequential, wanted

Name = Annotated[str | None, typer.Argument(metavar="NAME", help="What people read.")]
Form = Annotated[TournamentFormat | None, typer.Option("--format", help="Who meets whom.")]
File = Annotated[Path | None, typer.Option("--file", help="A JSON object of options; those given here go before.")]
Size = Annotated[int | None, typer.Option("--table-size", help="Seats at a table, 2 to 8; usually 2.")]
Boards = Annotated[int | None, typer.Option("--boards", help="Games of a meeting; usually 2.")]
Rounds = Annotated[int | None, typer.Option("--rounds", help="How many; as many as it takes if not given.")]
Duplicate = Annotated[
    bool | None, typer.Option("--duplicate/--plain", help="The same deals at all tables of a round; usually plain.")
]
Counts = Annotated[Scoring | None, typer.Option("--scoring", help="What counts at a table; usually ranks.")]
Most = Annotated[int | None, typer.Option("--entries-max", help="How many may enter.")]
PerOwner = Annotated[int | None, typer.Option("--entries-per-owner", help="How many of them of one owner; usually 1.")]
Challengers = Annotated[int | None, typer.Option("--challengers", help="Gauntlet: how many meet the field; usually 1.")]
Seeded = Annotated[
    bool | None, typer.Option("--seeded/--drawn", help="Knockout: the order of entry is that of strength, or drawn.")
]
AtOnce = Annotated[int | None, typer.Option("--tables-at-once", help="Games that run at a time; usually 64.")]
Test = Annotated[
    str | None, typer.Option("--sequential", help="Match of two: stop early, LOW:HIGH[:UNIT[:ALPHA[:BETA]]].")
]
Rules = Annotated[str | None, typer.Option("--rules", help="A preset, or options as JSON, or a file of them.")]
Move = Annotated[float | None, typer.Option("--move-seconds", help="Time for each decision; usually 10.")]
Bank = Annotated[float | None, typer.Option("--bank-seconds", help="Time to spare for a whole game; usually 60.")]
Late = Annotated[OnTimeout | None, typer.Option("--on-timeout", help="What happens to a seat that is late.")]
Strikes = Annotated[int | None, typer.Option("--max-timeouts", help="How often it may be before it must leave.")]
House = Annotated[list[str] | None, typer.Option("--house", help="A house bot that is in from the start; repeatable.")]
Filler = Annotated[str | None, typer.Option("--filler", help="The house bot that makes the numbers divide.")]
StartAt = Annotated[str | None, typer.Option("--start-at", help="When it begins by itself: 2030-01-31T18:00:00Z.")]
WhenFull = Annotated[bool | None, typer.Option("--start-when-full", help="Begin by itself once --entries-max are in.")]
ClosesAt = Annotated[str | None, typer.Option("--closes-at", help="Until when bots may enter.")]
LateEntry = Annotated[bool | None, typer.Option("--late-entry", help="Swiss: bots may enter later.")]
Key = Annotated[str | None, typer.Option("--key", help="Creating it again with the same key gives the same one.")]


def create(
    name: Name = None, form: Form = None, file: File = None, table_size: Size = None, boards: Boards = None,
    rounds: Rounds = None, duplicate: Duplicate = None, scoring: Counts = None, entries_max: Most = None,
    entries_per_owner: PerOwner = None, challengers: Challengers = None, seeded: Seeded = None,
    tables_at_once: AtOnce = None, test: Test = None, rules: Rules = None, move_seconds: Move = None,
    bank_seconds: Bank = None, on_timeout: Late = None, max_timeouts: Strikes = None, house: House = None,
    filler: Filler = None, start_at: StartAt = None, start_when_full: WhenFull = None, closes_at: ClosesAt = None,
    late_entry: LateEntry = None, key: Key = None, url: UrlOption = DEFAULT_URL, token: TokenOption = None,
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    """Create a tournament, open for entries. Needs an organiser's token: `skyjo server token`.

    skyjo tournament create "Winter Cup" --format swiss --duplicate --filler threshold
    skyjo tournament create League --format round-robin --boards 20 --house greedy --house threshold
    skyjo tournament create Match --format round-robin --boards 400 --entries-max 2 --sequential 0:20
    skyjo tournament create --file cup.json --start-at 2030-01-31T18:00:00Z
    """
    given = {
        "name": name, "format": form, "table_size": table_size, "boards": boards, "rounds": rounds,
        "duplicate": duplicate, "scoring": scoring, "entries_max": entries_max, "entries_per_owner": entries_per_owner,
        "challengers": challengers, "seeded": seeded, "tables_at_once": tables_at_once,
        "sequential": None if test is None else sequential(test),
        "rules": None if rules is None else read_rules(rules).to_dict(),
        "move_seconds": move_seconds, "bank_seconds": bank_seconds, "on_timeout": on_timeout,
        "max_timeouts": max_timeouts, "house": house or None, "filler": filler, "start_at": start_at,
        "start_when_full": start_when_full, "closes_at": closes_at, "late_entry": late_entry,
    }  # fmt: skip
    options = wanted(file, given)
    with service(url, token) as client:
        made = client.tournaments.create(options, key=key)
    tell(made, as_json=as_json)
    if not as_json:
        ERR.print(f"bots enter and play with: skyjo play BOT --tournament {made.id} --url {url}", markup=False)


def tell(seen: Tournament, *, as_json: bool) -> None:
    """Print a tournament."""
    if as_json:
        print_json(plain(seen))
    else:
        OUT.print(tournament_lines(seen))
