"""The command ``python -m benchmarks NAME [--json]``: finds a benchmark, runs it, shows the report. Measures nothing.

A benchmark is a module ``benchmarks/NAME.py`` with ``def run(progress: Progress) -> Report``; a package beside it is
what it is made of. It takes those options of the command as keyword arguments that mean something to it.
Exit codes: 0 every floor kept, 1 a floor missed, 2 no such benchmark, or an option that it does not have.
"""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from benchmarks.report import Report

RUNNER = frozenset({"__main__", "report"})
"""The modules of this package that are not benchmarks."""

EXIT_FLOOR_MISSED = 1
EXIT_UNKNOWN = 2


def names() -> Sequence[str]:
    """List the benchmarks there are, sorted."""
    folder = str(Path(__file__).parent)
    modules = (module.name for module in pkgutil.iter_modules([folder]) if not module.ispkg)
    return sorted(name for name in modules if name not in RUNNER and not name.startswith("_"))


def main(
    name: Annotated[str, typer.Argument(help="The benchmark to run.")] = "",
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of a table.")] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="Try everything in a short time; the figures say little.")
    ] = False,
    finished_games: Annotated[
        int, typer.Option(help="Games that are over, to store beside those that are played.")
    ] = 0,
    games: Annotated[int, typer.Option(help="Games to measure with, where not the usual number.", min=0)] = 0,
) -> None:
    """Run one benchmark and hold its floors; without a name, list them."""
    if name not in names():
        known = ", ".join(names()) or "none yet"
        Console(stderr=True).print(f"no benchmark {name!r}; there are: {known}", markup=False)
        raise typer.Exit(EXIT_UNKNOWN)
    given = {"quick": quick, "finished_games": finished_games, "games": games}
    report = measure(name, {option: value for option, value in given.items() if value})
    show(report, as_json=as_json)
    if not report.ok:
        raise typer.Exit(EXIT_FLOOR_MISSED)


def measure(name: str, options: dict[str, Any]) -> Report:
    """Run the benchmark `name` under a progress bar; the bar goes to standard error, so that JSON can be piped."""
    run: Callable[..., Report] = importlib.import_module(f"benchmarks.{name}").run
    if foreign := options.keys() - inspect.signature(run).parameters.keys():
        Console(stderr=True).print(f"benchmark {name!r} has no option {', '.join(sorted(foreign))}", markup=False)
        raise typer.Exit(EXIT_UNKNOWN)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        return run(progress, **options)


def show(report: Report, *, as_json: bool) -> None:
    """Print the report on standard output, for people or for programs."""
    if as_json:
        json.dump(report.data(), sys.stdout, indent=2)
        sys.stdout.write("\n")
    else:
        Console(width=None if sys.stdout.isatty() else 120).print(report.table())


if __name__ == "__main__":
    typer.run(main)
