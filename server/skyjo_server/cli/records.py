"""Reading game files of either form for commands, one game at a time, with progress by bytes."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from skyjo import GameRecord, read_jsonl, read_transcript
from skyjo_server.cli.output import EXIT_USAGE, CommandFailed


class _Counting(io.RawIOBase):
    """A file that tells how many bytes were read of it."""

    def __init__(self, file: BinaryIO, advance: Callable[[int], None]) -> None:
        self._file = file
        self._advance = advance

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # typeshed names a type that is private to it
        data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        self._advance(len(data))
        return len(data)


def open_records(path: Path, advance: Callable[[int], None] = lambda _bytes: None) -> Iterator[GameRecord]:
    """The games of a file, JSON Lines or transcripts, told apart by their first character.

    Raises:
        CommandFailed: if the file cannot be opened.
        InvalidText, CorruptLog: from the reading, naming the line.
    """
    try:
        file = path.open("rb")
    except OSError as error:
        raise CommandFailed(
            f"{path}: {error.strerror}", "name a file written by 'skyjo arena --out'", EXIT_USAGE
        ) from error
    with file:
        first = file.read(1)
        file.seek(0)
        counted = io.BufferedReader(_Counting(file, advance), buffer_size=1 << 16)
        yield from read_transcript(counted) if first in {b"[", b";"} else read_jsonl(counted)
