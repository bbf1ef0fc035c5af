"""The files of this repository, as the tests about it see them. Knows paths, judges nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {
    "skyjo": ROOT / "server" / "skyjo",
    "skyjo_client": ROOT / "client_sdk" / "skyjo_client",
    "skyjo_server": ROOT / "server" / "skyjo_server",
}

_HIDDEN_AND_OURS = {".ci", ".dockerignore", ".gitignore"}
_MADE_BY_TOOLS = {"__pycache__", "build", "dist", "node_modules", "out", "site"}


def project_files(folder: Path = ROOT) -> Iterator[Path]:
    """Walk the files that people wrote, sorted; what tools made and virtual environments are left out."""
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") and path.name not in _HIDDEN_AND_OURS:
            continue
        if path.is_file():
            yield path
        elif path.is_dir() and path.name not in _MADE_BY_TOOLS and not (path / "pyvenv.cfg").exists():
            yield from project_files(path)


def text_files() -> Iterator[tuple[Path, str]]:
    """Give every file that reads as UTF-8, with its text."""
    for path in project_files():
        try:
            yield path, path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue


def python_files(*folders: Path) -> Iterator[Path]:
    """Give the Python files below these folders."""
    for folder in folders:
        yield from (path for path in project_files(folder) if path.suffix == ".py")


def shown(path: Path) -> str:
    """Write a path from the root of the repository on, for messages."""
    return path.relative_to(ROOT).as_posix()
