"""Writes the synchronous client and its tests from the asynchronous ones. Knows nothing of what it turns.

``python client_sdk/generate_sync.py`` writes them; with ``--check`` it only compares, and ends with 1 if anything
differs. The keywords go token by token; names are replaced in code, comments and texts alike; then ruff formats. A rule
that replaces nothing anywhere is a leftover, and an error.
"""

from __future__ import annotations

import argparse
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
SOURCES: Final = (ROOT / "client_sdk" / "skyjo_client" / "_async", ROOT / "tests" / "sdk" / "_async")

KEYWORDS: Final = frozenset({"async", "await"})
RULES: Final = {
    r"\b_async\b": "_sync",
    r"(?<=\w)_async\b": "",
    r"\bAsync(?=[A-Z])": "",
    r"\b__a(enter|exit|iter)__\b": r"__\1__",
    r"\baclose\b": "close",
    r"\basyncio\b": "time",
    r"\bThe client for time, and the source of its synchronous twin\b": "The synchronous client",
}
"""What is replaced by what, in this order."""

_WITH_NAMES: Final = frozenset({"NAME", "COMMENT", "STRING", "FSTRING_MIDDLE"})


class StaleRule(Exception):
    """A rule that replaces nothing any more."""


def synchronous(source: str, used: set[str]) -> str:
    r"""The synchronous form of a module, unformatted; the patterns of the rules that it needed go to `used`.

    >>> print(synchronous("async def aclose() -> None:\n    await asyncio.sleep(1)\n", set()), end="")
    def close() -> None:
        time.sleep(1)
    """
    lines = source.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    for start, end, text in reversed(list(_edits(source, starts, used))):
        source = source[:start] + text + source[end:]
    return source


def generated(source: Path, root: Path, used: set[str]) -> tuple[Path, str]:
    """Where the synchronous form of a file belongs, and its text."""
    target = source.parents[1] / "_sync" / source.name
    heading = f"# Written by client_sdk/generate_sync.py from {source.relative_to(root).as_posix()}.\n"
    return target, _formatted(heading + synchronous(source.read_text(encoding="utf-8"), used), target)


def all_generated(folders: Sequence[Path] = SOURCES, root: Path = ROOT) -> dict[Path, str]:
    """Every file that is to be written, with its text.

    Args:
        folders: what is read.
        root: where the paths begin that the files are told to come from.
    Raises:
        StaleRule: naming the rules that replaced nothing.
    """
    used: set[str] = set()
    files = dict(generated(source, root, used) for folder in folders for source in sorted(folder.glob("*.py")))
    if unused := RULES.keys() - used:
        raise StaleRule(f"rules that replace nothing: {', '.join(sorted(unused))}")
    return files


def differences(files: dict[Path, str]) -> Iterator[Path]:
    """Give the files that are not as they would be written, those too many included."""
    for target, text in files.items():
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            yield target
    for folder in {target.parent for target in files}:
        yield from (path for path in folder.glob("*.py") if path not in files)


def main(arguments: list[str] | None = None) -> int:
    """Write the files, or compare them. Gives the exit code."""
    parser = argparse.ArgumentParser(description="Writes the synchronous client from the asynchronous one.")
    parser.add_argument("--check", action="store_true", help="only compare; end with 1 if anything differs")
    check = parser.parse_args(arguments).check
    files = all_generated()
    different = list(differences(files))
    for path in different:
        sys.stdout.write(f"{'differs' if check else 'written'}: {path.relative_to(ROOT)}\n")
        if not check:
            _write(path, files.get(path))
    return 1 if check and different else 0


def _edits(source: str, starts: list[int], used: set[str]) -> Iterator[tuple[int, int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        start = starts[token.start[0] - 1] + token.start[1]
        end = starts[token.end[0] - 1] + token.end[1]
        if token.type == tokenize.NAME and token.string in KEYWORDS:
            yield start, end + 1, ""
        elif tokenize.tok_name[token.type] in _WITH_NAMES:
            yield start, end, _replaced(source[start:end], used)


def _replaced(text: str, used: set[str]) -> str:
    for pattern, replacement in RULES.items():
        text, count = re.subn(pattern, replacement, text)
        if count:
            used.add(pattern)
    return text


def _formatted(text: str, target: Path) -> str:
    ruff = [sys.executable, "-m", "ruff"]
    name = ["--quiet", "--stdin-filename", str(target), "-"]
    # Without await, a loop that only yields is better written "yield from", and one that only collects "list".
    for command in (["check", "--fix-only", "--select", "I,UP028,C416", "--unsafe-fixes"], ["format"]):
        text = subprocess.run([*ruff, *command, *name], input=text, capture_output=True, text=True, check=True).stdout
    return text


def _write(path: Path, text: str | None) -> None:
    if text is None:
        path.unlink()
    else:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
