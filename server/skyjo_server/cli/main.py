"""The command line put together: its commands, and what an error becomes. Does no work itself."""

from __future__ import annotations

import sys
from typing import Annotated, Final

import typer

from skyjo_server.cli.analyse import analyse
from skyjo_server.cli.arena import arena
from skyjo_server.cli.demo import demo
from skyjo_server.cli.files import replay, verify
from skyjo_server.cli.output import EXIT_INTERRUPTED, EXIT_USAGE, CommandFailed, fail
from skyjo_server.cli.play import play
from skyjo_server.cli.server import app as server
from skyjo_server.cli.tournament import app as tournament

_HELP: Final = """Skyjo Arena: the place where programs play Skyjo against each other.

Start with [bold]skyjo demo[/bold]: four bots play a tournament on a service of its own.

Exit codes: 0 = done; 1 = it ran, and the answer is no (a log that does not verify, a bot that failed, a service that
refused); 2 = it could not run as asked (an unknown option, a file that is not there); 130 = interrupted.
"""

app: Final = typer.Typer(
    name="skyjo", help=_HELP, no_args_is_help=True, rich_markup_mode="rich", pretty_exceptions_enable=False
)
app.command("demo")(demo)
app.add_typer(server, name="server")
app.add_typer(tournament, name="tournament")
app.command("play")(play)
app.command("arena")(arena)
app.command("replay")(replay)
app.command("verify")(verify)
app.command("analyse")(analyse)


@app.callback()
def version(
    show: Annotated[bool, typer.Option("--version", help="Print the version and leave.", is_eager=True)] = False,
) -> None:
    """Answer `--version`, which needs no command."""
    if show:
        from importlib.metadata import version as installed_version  # noqa: PLC0415 - only here

        typer.echo(f"skyjo-arena {installed_version('skyjo-arena')}")
        raise typer.Exit


def main() -> None:
    """Run the command that the arguments name, and leave with its exit code."""
    try:
        app()
    except CommandFailed as failure:
        fail(failure)
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        sys.exit(EXIT_INTERRUPTED)
    except BrokenPipeError:
        sys.exit(EXIT_USAGE)
