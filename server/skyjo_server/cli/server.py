"""`skyjo server`: running the service, bringing its schema up to date, and handing out tokens for its operators."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from skyjo_server.cli.maintenance import DataDir, compact, export_games, import_games, rebuild
from skyjo_server.cli.output import ERR, EXIT_USAGE, OUT, CommandFailed, print_json

if TYPE_CHECKING:
    from skyjo_server.settings import Settings

app: Final = typer.Typer(no_args_is_help=True, help="Run the service, migrate its database, make operators' tokens.")


class ScopeName(StrEnum):
    """How far a token reaches."""

    BOT = "bot"
    ORGANISER = "organiser"
    ADMIN = "admin"


@app.command("run")
def run(
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 = all.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on.", min=1, max=65535)] = 8000,
    data_dir: DataDir = None,
) -> None:
    """Run the service until it is told to stop (SIGTERM, Ctrl-C); then finish what is in flight.

    Without SKYJO_DATABASE_URL it runs an embedded PostgreSQL and keeps its schema up to date; a database of your own
    is yours to migrate: `skyjo server migrate`.
    """
    settings = settings_of(data_dir)
    from skyjo_server.app import database, migrate_database, open_service, serve  # noqa: PLC0415 - needs the extra
    from skyjo_server.cli.server_errors import reported  # noqa: PLC0415 - as above

    with reported(), database(settings) as conninfo:
        if settings.database_url is None:
            migrate_database(settings, conninfo)
        else:
            service = open_service(settings, conninfo)
            try:
                service.arena.ready()
            finally:
                service.close()
        url = f"http://{host}:{port}"
        told = f"Skyjo Arena answers at {url}: its page there, its reference at {url}/docs"
        serve(settings, conninfo, host, port, lambda: ERR.print(told))


@app.command("migrate")
def migrate(data_dir: DataDir = None) -> None:
    """Bring the database's schema to this version's. Safe to run again, and at the same time elsewhere."""
    settings = settings_of(data_dir)
    from skyjo_server.app import database, migrate_database  # noqa: PLC0415 - needs the extra
    from skyjo_server.cli.server_errors import reported  # noqa: PLC0415 - as above

    with reported(), database(settings) as conninfo:
        OUT.print(f"the schema is at revision {migrate_database(settings, conninfo)}")


@app.command("token")
def token(
    scope: Annotated[ScopeName, typer.Option(help="How far the token reaches.")] = ScopeName.ORGANISER,
    data_dir: DataDir = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")] = False,
) -> None:
    """Make a token for somebody who runs events here. It is shown this once, and stored as a keyed hash only."""
    settings = settings_of(data_dir)
    from skyjo_server.app import database, open_service  # noqa: PLC0415 - needs the extra
    from skyjo_server.cli.server_errors import reported  # noqa: PLC0415 - as above
    from skyjo_server.service.model import Scope  # noqa: PLC0415 - as above

    with reported(), database(settings) as conninfo:
        service = open_service(settings, conninfo)
        try:
            issued = service.arena.grant_token(Scope(scope.value))
        finally:
            service.close()
    if as_json:
        print_json({"id": str(issued.token.id), "scope": issued.token.scope.value, "token": issued.secret})
    else:
        OUT.print(issued.secret)


app.command("export")(export_games)
app.command("import")(import_games)
app.command("compact")(compact)
app.command("rebuild")(rebuild)


def settings_of(data_dir: Path | None) -> Settings:
    """The settings of the environment, or why they cannot be had."""
    from dataclasses import replace  # noqa: PLC0415 - used here alone

    try:
        import flask  # noqa: F401, PLC0415 - stands for the whole extra
        import psycopg  # noqa: F401, PLC0415 - as above
    except ImportError as error:
        raise CommandFailed(
            f"the service is not installed: {error.name} is missing", "pip install 'skyjo-arena[server]'", EXIT_USAGE
        ) from error
    from skyjo_server.settings import InvalidSetting, Settings  # noqa: PLC0415 - as above

    try:
        settings = Settings.from_environment()
    except InvalidSetting as error:
        raise CommandFailed(str(error), code=EXIT_USAGE) from error
    return settings if data_dir is None else replace(settings, data_dir=data_dir)
