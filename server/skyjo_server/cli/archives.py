"""Archives of events from anywhere, proved: a ZIP file is read member by member, and never unpacked to disk.

Whoever made the file may mean ill. So nothing is believed of it: neither names nor sizes, nor that what it holds is
small.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

from skyjo import GameRecord, InvalidText, read_jsonl, write_transcript
from skyjo.archive import EventArchive, read_archive
from skyjo.proof import games_of, prove_event, prove_game
from skyjo.reading import json_object, json_value, quoted
from skyjo_server.tournaments.audit import audit, is_made_anew, shape_of

RATIO_MAX: Final = 100
"""So many times its packed size may a member be, and an archive as a whole; games are packed to about a tenth."""

SLACK_BYTES: Final = 1 << 20
"""What may come on top, so that a small archive is not refused for a member of blanks."""

_NEEDED: Final = ("tournament.json", "entries.json", "log.jsonl", "tables.json", "standings.json", "games.jsonl")
_OTHERS: Final = frozenset({"standings.csv", "crosstable.json", "crosstable.csv"})
_GAME: Final = re.compile(r"games/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.skyjo")

_ENCRYPTED: Final = 1

_BROKEN: Final = (zipfile.BadZipFile, zlib.error, NotImplementedError, OSError, EOFError)
"""What the library raises for a file that is torn, encrypted, or packed in a way that nobody uses."""


def is_archive(path: Path) -> bool:
    """Say whether a file begins as a ZIP archive does; no file of games does."""
    try:
        with path.open("rb") as file:
            return file.read(2) == b"PK"
    except OSError:
        return False


class Archive:
    """An archive that is open.

    Args:
        path: the file.
    Raises:
        InvalidText: at creation, if it is not an archive of an event, or one that nobody would write.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._zip = zipfile.ZipFile(path)
        except (*_BROKEN, ValueError) as error:
            raise InvalidText(f"this is no ZIP archive: {error}") from error
        try:
            self._members = _checked(self._zip.infolist(), path.stat().st_size)
        except BaseException:
            self._zip.close()
            raise

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def summary(self) -> dict[str, Any]:
        """Which event it is of, and whether its pairings can be made anew; its seed is None while it goes on."""
        event = self.event()
        seed = None if event.seed is None else event.seed.hex()
        return {
            "id": str(event.id),
            "status": event.status,
            "seed": seed,
            "pairings": is_made_anew(shape_of(event.options)),
        }

    def event(self) -> EventArchive:
        """Everything but the games, read."""
        log = (json_object(line) for line in self._text("log.jsonl").split("\n") if line)
        return read_archive(
            json_object(self._text("tournament.json")), self._list("entries"), log, self._list("tables")
        )

    def standings(self) -> list[Mapping[str, Any]]:
        """The rows of the standings."""
        rows = self._list("standings")
        if not all(isinstance(row, dict) for row in rows):
            raise InvalidText("standings.json has a row that is no object")
        return rows

    def records(self) -> Iterator[GameRecord]:
        """Its games, one after another."""
        with self._opened("games.jsonl") as lines:
            yield from read_jsonl(lines)

    def transcripts(self) -> set[str]:
        """The names of the games' transcripts."""
        return {name for name in self._members if _GAME.fullmatch(name)}

    def transcript(self, name: str) -> bytes:
        """One of them."""
        return self._bytes(name)

    def _list(self, name: str) -> list[Any]:
        value = json_value(self._text(f"{name}.json"))
        if not isinstance(value, list):
            raise InvalidText(f"{name}.json is {quoted(value)}, but must be a list")
        return value

    def _text(self, name: str) -> str:
        try:
            return self._bytes(name).decode()
        except UnicodeDecodeError as error:
            raise InvalidText(f"{name} is not UTF-8: {error.reason} at byte {error.start + 1}") from None

    def _bytes(self, name: str) -> bytes:
        with self._opened(name) as member:
            return member.read()

    @contextmanager
    def _opened(self, name: str) -> Iterator[IO[bytes]]:
        try:
            with self._zip.open(self._members[name]) as member:
                yield member
        except _BROKEN as error:
            raise InvalidText(f"{name} cannot be read: {error}") from error


def _checked(members: Sequence[zipfile.ZipInfo], size: int) -> dict[str, zipfile.ZipInfo]:
    """The members by name, if they are those of an archive, each once, and none could be larger than it seems."""
    by_name = {member.filename: member for member in members}
    if len(by_name) < len(members):
        raise InvalidText("this archive has two files of one name")
    for name, member in by_name.items():
        if name not in _NEEDED and name not in _OTHERS and not _GAME.fullmatch(name):
            raise InvalidText(f"this archive has a file {quoted(name)}, which belongs to no event")
        if member.flag_bits & _ENCRYPTED or member.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
            raise InvalidText(f"{name} is encrypted, or packed in another way than by deflate")
        if member.file_size > RATIO_MAX * member.compress_size + SLACK_BYTES:
            raise InvalidText(f"{name} grows from {member.compress_size} to {member.file_size} bytes: no game does so")
    if sum(member.file_size for member in members) > RATIO_MAX * size + SLACK_BYTES:
        raise InvalidText(f"this archive of {size} bytes grows to more than {RATIO_MAX} times its size")
    if missing := [name for name in _NEEDED if name not in by_name]:
        raise InvalidText(f"this is no archive of an event: it lacks {', '.join(missing)}")
    return by_name


def archive_faults(archive: Archive, count: Callable[[], None]) -> Iterator[str]:
    """Prove an archive; give a sentence for each fault.

    Args:
        archive: open.
        count: called for each game.
    Raises:
        InvalidText, CorruptLog: where it cannot be read on.
    """
    event = archive.event()
    story = list(prove_event(event))
    yield from story
    yield from _game_faults(archive, event, count)
    if event.seed is not None and not story:
        yield from audit(event, archive.standings())


def _game_faults(archive: Archive, event: EventArchive, count: Callable[[], None]) -> Iterator[str]:
    """Every game, of its table, as lines and as a transcript; and none is missing once the event is over."""
    tables, left = games_of(event), archive.transcripts()
    proved = set()
    for record in archive.records():
        count()
        name = f"games/{record.game}.skyjo"
        table = tables.get(record.game)
        if table is None or record.game in proved:
            yield f"game {record.game} is of no table, or there twice"
            continue
        proved.add(record.game)
        faults = list(prove_game(event, table, record))
        yield from faults
        if name not in left or (not faults and archive.transcript(name) != write_transcript(record).encode()):
            yield f"{name} is missing, or is not the transcript of the game in games.jsonl"
        left.discard(name)
    for name in sorted(left):
        yield f"{name} is of a game that is not in games.jsonl"
    for game, table in tables.items():
        if event.seed is not None and game not in proved:
            yield f"{table}: its game {game} is missing"
