"""`skyjo server export`, `import`, `compact` and `rebuild`: what those who run a service do to its stored games."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from skyjo import SkyjoError, write_jsonl
from skyjo_server.cli.output import ERR, EXIT_NO, OUT, print_json, progress
from skyjo_server.cli.pieces import Piece, pieces

if TYPE_CHECKING:
    from skyjo_server.app import Service
    from skyjo_server.service.exchange import Exchange
    from skyjo_server.storage.rebuilding import Difference

DataDir = Annotated[
    Path | None,
    typer.Option(
        "--data-dir",
        help="Where the embedded PostgreSQL keeps its data. SKYJO_DATABASE_URL names a server of your own.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]

_GAMES_AT_ONCE: Final = 64


def export_games(
    file: Annotated[
        typer.FileTextWrite,
        typer.Argument(metavar="FILE", help="Where to write; - = standard output.", encoding="ascii"),
    ],
    data_dir: DataDir = None,
) -> None:
    """Write every finished game as JSON Lines, with its seed, times and hashes: for another server, or to keep.

    Embargoed games are left out, and so are bots, tokens and games that are not over.
    """
    with _service(data_dir) as service, progress() as bar:
        count = 0
        for record in bar.track(_exchange(service).records(), description="exporting"):
            file.write(write_jsonl(record))
            count += 1
    ERR.print(f"{count} games exported")


def import_games(
    file: Annotated[
        typer.FileBinaryRead,
        typer.Argument(metavar="FILE", help="What 'skyjo server export' has written; - = standard input."),
    ],
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Take in finished games of another server, each proved first. Games that are here already are passed over.

    A game that cannot be read or proved is refused with its line, and the others come in. Exit code 1 if any was.
    """
    taken: dict[str, Any] = {"imported": 0, "already_here": 0, "refused": []}
    with _service(data_dir) as service:
        exchange = _exchange(service)
        for piece in pieces(file):
            _take(exchange, piece, taken)
    if as_json:
        print_json(taken)
    else:
        for refusal in taken["refused"]:
            OUT.print(f"✗ line {refusal['line']}: {refusal['message']}", markup=False)
        OUT.print(f"{taken['imported']} games imported, {taken['already_here']} were here already")
    if taken["refused"]:
        raise typer.Exit(EXIT_NO)


def compact(data_dir: DataDir = None) -> None:
    """Make transcripts of all finished games now; the service does it by itself, slowly, an hour after their end."""
    with _service(data_dir) as service:
        compacted = sum(iter(lambda: service.storage.archive.compact(_GAMES_AT_ONCE, 0), 0))
    OUT.print(f"{compacted} games compacted")


def rebuild(
    data_dir: DataDir = None,
    write: Annotated[bool, typer.Option("--write", help="Mend what differs.")] = False,
    as_json: Json = False,
) -> None:
    """Derive what the tables say of every game and event from its log again, and compare; play may go on meanwhile.

    Exit code 1 if anything differs, or with --write, if anything could not be mended: a log that is damaged itself.
    """
    with _service(data_dir) as service:
        of_games = service.storage.rebuilder(write=write)
        of_tournaments = service.storage.tournament_rebuilder(write=write)
        differences = [*of_games.differences(), *of_tournaments.differences()]
        compared = {"games": of_games.games, "tournaments": of_tournaments.tournaments}
    if as_json:
        print_json({**compared, "differences": [_told(difference) for difference in differences]})
    else:
        for (subject, whose), own in groupby(differences, key=lambda difference: (difference.subject, difference.id)):
            OUT.print(f"{subject} {whose}", markup=False)
            for difference in own:
                OUT.print(f"  {difference}", markup=False)
        OUT.print(
            f"{of_games.games} games compared, {of_tournaments.tournaments} events, {len(differences)} differences"
        )
    if any(not difference.mended for difference in differences):
        raise typer.Exit(EXIT_NO)


def _told(difference: Difference) -> dict[str, Any]:
    told = asdict(difference)
    return {told.pop("subject").value: str(told.pop("id")), **told}


def _take(exchange: Exchange, piece: Piece, taken: dict[str, Any]) -> None:
    try:
        is_new = exchange.take(piece.record())
    except SkyjoError as error:
        taken["refused"].append({"line": piece.first, "message": str(error)})
    else:
        taken["imported" if is_new else "already_here"] += 1


def _exchange(service: Service) -> Exchange:
    from skyjo_server.service.exchange import Exchange  # noqa: PLC0415 - needs the extra

    return Exchange(service.storage.games, service.storage.log, service.storage.archive)


@contextmanager
def _service(data_dir: Path | None) -> Iterator[Service]:
    """The use cases on the database, which must have the schema of this version; nothing is served."""
    from skyjo_server.cli.server import settings_of  # noqa: PLC0415 - it imports this module

    settings = settings_of(data_dir)
    from skyjo_server.app import database, open_service  # noqa: PLC0415 - needs the extra
    from skyjo_server.cli.server_errors import reported  # noqa: PLC0415 - as above

    with reported(), database(settings) as conninfo:
        service = open_service(settings, conninfo)
        try:
            service.arena.ready()
            yield service
        finally:
            service.close()
