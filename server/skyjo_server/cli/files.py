"""`skyjo verify` and `skyjo replay`: what can be done with the files of games that are over."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from skyjo import CorruptLog, GameRecord, InvalidText, SkyjoError, State, decision, evolve, initial_state
from skyjo import verify as verify_record
from skyjo_server.cli.archives import Archive, archive_faults, is_archive
from skyjo_server.cli.output import EXIT_NO, EXIT_USAGE, OUT, CommandFailed, print_json, progress
from skyjo_server.cli.records import open_records
from skyjo_server.cli.table import draw_scores, draw_table

FAULTS_MAX: Final = 100
"""So many faults of an archive are told; one with more of them is as false as it gets."""

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]


def verify(
    paths: Annotated[
        list[Path], typer.Argument(metavar="FILE…", help="Games as JSON Lines or transcripts; archives of events.")
    ],
    as_json: Json = False,
) -> None:
    """Prove games: every shuffle from its commitment, every action, fact, score, rank and hash.

    Of an event's archive also that its ids, boards, pairings, seats, results and standings follow from one seed, which
    was committed to. Needs no network and no service. Exit code 1 if anything is not what it says, naming it.
    """
    reports = [_verify_file(path, quiet=as_json) for path in paths]
    failures = sum(len(report["failures"]) for report in reports)
    if as_json:
        print_json({"files": reports, "games": sum(report["games"] for report in reports), "failures": failures})
    else:
        for report in reports:
            _print_report(report)
    if failures:
        raise typer.Exit(EXIT_NO)


def replay(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="A game as JSON Lines or a transcript.")],
    step: Annotated[int | None, typer.Option(help="Draw the table after this version; the end if not given.")] = None,
    game: Annotated[int, typer.Option(help="Which game of the file: 1, 2 ….", min=1)] = 1,
    seat: Annotated[int | None, typer.Option(help="Draw what this seat saw; everybody's view if not given.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Draw the table after every version.")] = False,
    as_json: Json = False,
) -> None:
    """Draw the table of a finished game at any step, in the terminal."""
    record = _find(path, game)
    states = _states(record)
    last = len(states) - 1
    if step is not None and not 0 <= step <= last:
        raise CommandFailed(f"step {step} is not in the game", f"choose 0 to {last}", EXIT_USAGE)
    if seat is not None and not 0 <= seat < len(record.seats):
        raise CommandFailed(f"there is no seat {seat}", f"choose 0 to {len(record.seats) - 1}", EXIT_USAGE)
    if as_json:
        print_json(decision(states[last if step is None else step], seat, game=str(record.game)).to_dict())
        return
    for version in range(last + 1) if every else [last if step is None else step]:
        seen = decision(states[version], seat, game=str(record.game))
        OUT.print(draw_table(seen, record.seats, f"{_title(record, version)}   round {seen.round}"))
    if every or step is None:
        OUT.print(draw_scores(record))


def _verify_file(path: Path, *, quiet: bool) -> dict[str, Any]:
    report: dict[str, Any] = {"file": str(path), "games": 0, "failures": []}
    if is_archive(path):
        return _verify_archive(path, report, quiet=quiet)
    size = path.stat().st_size if path.is_file() else 0
    with progress(shown=not quiet and size > 1 << 20) as bar:
        task = bar.add_task(f"verifying {path.name}", total=size)
        records = open_records(path, lambda count: bar.advance(task, count))
        try:
            for record in records:
                report["games"] += 1
                _verify_game(record, report)
        except SkyjoError as error:
            report["failures"].append(_failure(error))
    if report["games"] == 0 and not report["failures"]:
        report["failures"].append({"game": None, "version": None, "message": "there is no game in this file"})
    return report


def _verify_archive(path: Path, report: dict[str, Any], *, quiet: bool) -> dict[str, Any]:
    with progress(shown=not quiet) as bar:
        task = bar.add_task(f"verifying {path.name}", total=None)

        def count() -> None:
            report["games"] += 1
            bar.advance(task)

        try:
            with Archive(path) as archive:
                report["event"] = archive.summary()
                for fault in islice(archive_faults(archive, count), FAULTS_MAX):
                    report["failures"].append({"game": None, "version": None, "message": fault})
        except SkyjoError as error:
            report["failures"].append(_failure(error))
    return report


def _verify_game(record: GameRecord, report: dict[str, Any]) -> None:
    try:
        verify_record(record)
    except CorruptLog as error:
        report["failures"].append(_failure(error))


def _failure(error: SkyjoError) -> dict[str, Any]:
    corrupt = error if isinstance(error, CorruptLog) else None
    return {
        "game": corrupt.game if corrupt else None,
        "version": corrupt.version if corrupt else None,
        "message": str(error),
    }


def _print_report(report: dict[str, Any]) -> None:
    for failure in report["failures"]:
        OUT.print(f"[bold red]✗[/bold red] {report['file']}: ", end="")
        OUT.print(failure["message"], markup=False)
    if not report["failures"]:
        OUT.print(
            f"[bold green]✓[/bold green] {report['file']}: {report['games']} games verified{_told_of_event(report)}"
        )


def _told_of_event(report: dict[str, Any]) -> str:
    """What was proved of an event besides its games."""
    if "event" not in report:
        return ""
    if report["event"]["seed"] is None:
        return ", of an event that goes on: its seed is not revealed yet, and proves nothing"
    if not report["event"]["pairings"]:
        return ", with the boards, the results and the standings of their event; its pairings were not made anew here"
    return ", with the draw, the boards, the pairings, the results and the standings of their event"


def _find(path: Path, number: int) -> GameRecord:
    try:
        record = next(islice(open_records(path), number - 1, None), None)
    except (InvalidText, CorruptLog) as error:
        raise CommandFailed(f"{path}: {error}", "see what 'skyjo verify' says") from error
    if record is None:
        raise CommandFailed(f"{path} has no game {number}", "games are counted from 1", EXIT_USAGE)
    try:
        verify_record(record)
    except CorruptLog as error:
        raise CommandFailed(f"{path}: {error}", "a game that does not verify is not replayed") from error
    return record


def _states(record: GameRecord) -> list[State]:
    state = initial_state(record.rules, len(record.seats))
    return [state := evolve(state, event) for event in record.bare_events()]


def _title(record: GameRecord, version: int) -> str:
    event = record.events[version].event
    if event.seat is None:
        return f"{version}: the deal"
    what = "leaves" if event.action is None else str(event.action)
    cause = "" if event.cause == "player" else f" ({event.cause})"
    return f"{version}: {record.seats[event.seat]} {what}{cause}"
