"""What commands print: tables and bars for people, one JSON object for programs, errors with the way out."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from typing import Any, Final, NoReturn

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

EXIT_NO: Final = 1
EXIT_USAGE: Final = 2
EXIT_INTERRUPTED: Final = 130

OUT: Final = Console(highlight=False, soft_wrap=True)
"""Results go here."""

ERR: Final = Console(stderr=True, highlight=False, soft_wrap=True)
"""Progress and errors go here, so that results can be piped."""


class CommandFailed(Exception):
    """The command cannot go on.

    Attributes:
        hint: the way out; empty if the message says it.
        code: the exit code, 1 or 2 (see `skyjo --help`).
    """

    def __init__(self, message: str, hint: str = "", code: int = EXIT_NO) -> None:
        super().__init__(message)
        self.hint = hint
        self.code = code


def fail(failure: CommandFailed) -> NoReturn:
    """Say what is wrong, and leave."""
    ERR.print(f"[bold red]error:[/bold red] {_plain(str(failure))}")
    if failure.hint:
        ERR.print(f"[dim]hint:[/dim] {_plain(failure.hint)}")
    sys.exit(failure.code)


def print_json(data: Mapping[str, Any]) -> None:
    """One JSON object, for a program."""
    sys.stdout.write(json.dumps(data, indent=2, ensure_ascii=True) + "\n")


def progress(*, shown: bool = True) -> Progress:
    """A progress bar on standard error; only where somebody can see it move."""
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=ERR,
        disable=not shown or not (ERR.is_terminal or "SKYJO_PROGRESS" in os.environ),
        transient=False,
    )


def _plain(text: str) -> str:
    return text.replace("[", r"\[")
