"""`skyjo arena`: bots against bots on this machine, without a service. The SDK's Arena does the work."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer
from rich.table import Table

from skyjo import write_jsonl
from skyjo_client import Arena, ArenaGame, BotError, Standing, standings
from skyjo_server.cli.bots import BOT_HELP, named_bot
from skyjo_server.cli.output import EXIT_USAGE, OUT, CommandFailed, print_json, progress
from skyjo_server.cli.rules import RulesOption, read_rules


def arena(
    bots: Annotated[list[str], typer.Argument(metavar="BOT BOT…", help=f"2 to 8 bots. {BOT_HELP}")],
    games: Annotated[int, typer.Option(help="How many games; every game moves each bot on by one seat.", min=1)] = 100,
    seed: Annotated[str, typer.Option(help="Any text: decides every deal and the house bots' choices.")] = "0",
    rules: RulesOption = "classic",
    jobs: Annotated[int, typer.Option(help="Processes; 0 = one for each core. The results are the same.", min=0)] = 1,
    out: Annotated[Path | None, typer.Option(help="Write every game to this file, for `skyjo verify`.")] = None,
    forfeit: Annotated[
        bool, typer.Option("--forfeit", help="A bot that fails leaves its game, and play goes on.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")] = False,
) -> None:
    """Play games between bots, all at one table, and print who did how well.

    The same seed plays the same deals, whatever the bots and the number of processes. Exit code 1 if a bot fails.
    """
    try:
        table = Arena(
            [named_bot(bot) for bot in bots],
            rules=read_rules(rules),
            seed=seed,
            on_bot_error="forfeit" if forfeit else "stop",
        )
    except ValueError as error:
        raise CommandFailed(str(error), "skyjo arena BOT BOT …", EXIT_USAGE) from error
    played = _play(table, games, jobs, out, quiet=as_json)
    ranking = standings(played)
    if as_json:
        print_json(_report(table, played, ranking, out))
    else:
        _print(played, ranking, out)


def _play(table: Arena, games: int, jobs: int, out: Path | None, *, quiet: bool) -> list[ArenaGame]:
    played = []
    try:
        with _executor(jobs) as executor, _writable(out) as file, progress(shown=not quiet) as bar:
            results = table.play(games, executor=executor, records=out is not None)
            for game in bar.track(results, total=games, description="playing"):
                if file is not None and game.record is not None:
                    file.write(write_jsonl(game.record))
                played.append(_without_record(game))
    except BotError as error:
        raise CommandFailed(str(error), "--forfeit lets such a bot leave the game and goes on") from error
    return played


@contextmanager
def _executor(jobs: int) -> Iterator[Executor | None]:
    """Processes that begin with nothing of this one's, so that they are alike on every system."""
    wanted = jobs or os.cpu_count() or 1
    if wanted == 1:
        yield None
        return
    with ProcessPoolExecutor(wanted, mp_context=multiprocessing.get_context("spawn")) as executor:
        yield executor


@contextmanager
def _writable(out: Path | None) -> Iterator[TextIO | None]:
    try:
        opened = nullcontext(None) if out is None else out.open("w", encoding="ascii")
    except OSError as error:
        raise CommandFailed(f"{out}: {error.strerror}", "name a file that can be written", EXIT_USAGE) from error
    with opened as file:
        yield file


def _without_record(game: ArenaGame) -> ArenaGame:
    """What the ranking needs; the whole game is in the file."""
    return ArenaGame(**{**{name: getattr(game, name) for name in ArenaGame.__slots__}, "record": None})


def _report(table: Arena, played: list[ArenaGame], ranking: tuple[Standing, ...], out: Path | None) -> dict[str, Any]:
    return {
        "games": len(played),
        "seed": table.seed,
        "rules": table.rules.to_dict(),
        "rounds": sum(game.rounds for game in played),
        "actions": sum(game.actions for game in played),
        "standings": [{**asdict(row), "win_rate": row.win_rate} for row in ranking],
        "out": None if out is None else str(out),
    }


def _print(played: list[ArenaGame], ranking: tuple[Standing, ...], out: Path | None) -> None:
    table = Table("", "bot", "games", "wins", "win rate", "mean rank", "mean points")
    for place, row in enumerate(ranking, start=1):
        figures = (f"{row.wins:g}", f"{row.win_rate:.1%}", f"{row.mean_rank:.2f}", f"{row.mean_points:.1f}")
        table.add_row(str(place), row.name, str(row.games), *figures)
    OUT.print(table)
    rounds = sum(game.rounds for game in played)
    OUT.print(f"{len(played)} games, {rounds} rounds, {sum(game.actions for game in played)} actions")
    if out is not None:
        OUT.print(f"games written to {out}; prove them with: skyjo verify {out}", markup=False)
