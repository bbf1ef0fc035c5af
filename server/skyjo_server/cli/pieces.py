"""A file of games as JSON Lines cut into its games, so that one that cannot be read does not keep out the others."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from skyjo import GameRecord, InvalidText, read_jsonl

_LINE: Final = re.compile(r"^line (\d+)")


@dataclass(slots=True)
class Piece:
    """The lines of one game.

    Attributes:
        first: the number of its first line in the file, from 1.
        lines: its lines.
    """

    first: int
    lines: list[bytes] = field(default_factory=list)

    def record(self) -> GameRecord:
        """The game.

        Raises:
            InvalidText: naming the line of the file.
        """
        try:
            (record,) = read_jsonl(self.lines)
        except InvalidText as error:
            raise InvalidText(_LINE.sub(self._in_file, str(error))) from error
        return record

    def _in_file(self, found: re.Match[str]) -> str:
        return f"line {int(found[1]) + self.first - 1}"


def pieces(lines: Iterable[bytes]) -> Iterator[Piece]:
    """Cut a file before every header and after every closing line."""
    piece: Piece | None = None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        members = _members(line)
        if piece is not None and "skyjo" in members:
            yield piece
            piece = None
        if piece is None:
            piece = Piece(number)
        # Lines that are passed over between others still count.
        piece.lines += [b""] * (number - piece.first - len(piece.lines)) + [line]
        if "result" in members:
            yield piece
            piece = None
    if piece is not None:
        yield piece


def _members(line: bytes) -> frozenset[str]:
    """The names of a line's members; none for what is no object."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return frozenset()
    return frozenset(data) if isinstance(data, dict) else frozenset()
