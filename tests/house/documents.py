"""Runs the examples of a Markdown document as a reader would: in order, in one folder. It judges only what they print.

A ``python`` block is a program, or an interactive example if it has ``>>>``; a first line ``# name.py`` names its file,
so that later blocks can use it. In a ``console`` block each line that starts with ``$`` is a command; what stands below
it, if anything, is what it prints, with ``...`` for what varies. Blocks below ``<!-- not run: reason -->`` stay out,
and so do the set-up commands, which ``.ci/run`` runs on an empty machine.
"""

from __future__ import annotations

import doctest
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt

SET_UP = "python3 -m venv .venv && .venv/bin/pip install "
"""How a set-up command begins."""

TIMEOUT_SECONDS = 300
_AS_SHOWN = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class ExampleFailed(Exception):
    """An example of a document that does not do what the document shows."""


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block of a document.

    Attributes:
        language: the word after the fence, such as "python"; may be empty.
        text: what stands between the fences.
        line: number of the line of its opening fence, from 1.
        not_run: why it is left out; None if it is to be run.
    """

    language: str
    text: str
    line: int
    not_run: str | None


def blocks(markdown: str) -> Iterator[Block]:
    """Give the fenced blocks of a document, in order."""
    not_run = None
    for token in MarkdownIt().parse(markdown):
        if token.type == "fence":
            yield Block(token.info.strip(), token.content, (token.map or [0])[0] + 1, not_run)
        _, mark, reason = token.content.partition("<!-- not run:")
        not_run = reason.partition("-->")[0].strip() if mark and token.type == "html_block" else None


def commands(console: str) -> Iterator[tuple[str, str]]:
    """Give the commands of a console block, each with what it is shown to print; "" if nothing is shown."""
    for part in f"\n{console}".split("\n$ ")[1:]:
        command, _, printed = part.partition("\n")
        yield command, printed.strip()


def set_up_commands(markdown: str) -> list[str]:
    """Give the commands of a document that make an environment and do something in it."""
    shown = (
        command for block in blocks(markdown) if block.language == "console" for command, _ in commands(block.text)
    )
    return [command for command in shown if command.startswith(SET_UP)]


def run(markdown: str, folder: Path) -> int:
    """Run every example of a document in `folder`, and say how many there were.

    Raises:
        ExampleFailed: for the first one that fails or prints something else; names its line.
    """
    runnable = {"python": _run_python, "console": _run_console}
    chosen = [block for block in blocks(markdown) if block.language in runnable and block.not_run is None]
    for block in chosen:
        runnable[block.language](block, folder)
    return len(chosen)


def _run_python(block: Block, folder: Path) -> None:
    first = block.text.partition("\n")[0]
    if ">>>" in block.text:
        path, how = folder / f"line_{block.line}.txt", ["-m", "doctest", "-o", "ELLIPSIS"]
    else:
        named = first.startswith("# ") and first.endswith(".py") and " " not in first[2:]
        path, how = folder / (first[2:] if named else f"line_{block.line}.py"), []
    path.write_text(block.text, encoding="utf-8")
    _printed_by([sys.executable, "-W", "error", *how, path.name], block, folder)


def _run_console(block: Block, folder: Path) -> None:
    for command, shown in commands(block.text):
        if command.startswith(SET_UP):
            continue
        printed = _printed_by(["bash", "-c", command.replace(".venv/bin/", "")], block, folder)
        if shown and not doctest.OutputChecker().check_output(f"{shown}\n", printed, _AS_SHOWN):
            raise ExampleFailed(f"line {block.line}: {command!r} is shown to print\n{shown}\nand printed\n{printed}")


def _printed_by(command: list[str], block: Block, folder: Path) -> str:
    """Run a command in the folder, which is also its home; give what it printed."""
    home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder / "data"), "XDG_CACHE_HOME": str(folder / "cache")}
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | home | {"PATH": path},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    if done.returncode:
        raise ExampleFailed(f"line {block.line}: exit code {done.returncode}\n{block.text}\n{done.stdout}")
    return done.stdout
