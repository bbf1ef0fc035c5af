"""The kept texts on disk: written, compared, listed. Knows nothing of the game."""

from __future__ import annotations

from pathlib import Path

from tests.playthroughs.games import Kept, kept_games
from tests.playthroughs.text import written

FOLDER = Path(__file__).parent


def path_of(kept: Kept) -> Path:
    """Where the text of a game is kept."""
    return FOLDER / f"{kept.name}.txt"


def text_of(kept: Kept) -> str:
    """What the engine plays now."""
    return written(kept.name, kept.played())


def write_all() -> None:
    """Write every text anew, and take away those of games that are no longer kept."""
    for name in stray():
        (FOLDER / name).unlink()
    for kept in kept_games():
        path_of(kept).write_text(text_of(kept), encoding="utf-8")


def differing() -> list[str]:
    """The games whose kept text is missing or is not what the engine plays now."""
    return [kept.name for kept in kept_games() if _kept_text(kept) != text_of(kept)]


def stray() -> list[str]:
    """Texts on disk that belong to no kept game."""
    expected = {path_of(kept) for kept in kept_games()}
    return sorted(path.name for path in FOLDER.glob("*.txt") if path not in expected)


def _kept_text(kept: Kept) -> str | None:
    path = path_of(kept)
    return path.read_text(encoding="utf-8") if path.exists() else None
