"""An event as one archive: options, log, entries, schedule, results, standings, and every game. Proves nothing.

The archive is a ZIP file, written in pieces as it is read. While an event goes on, whatever is embargoed is left out;
once its seed is revealed, the archive holds all that a proof needs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeVar
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from skyjo.export import write_jsonl
from skyjo.record import GameRecord
from skyjo.transcript import write_transcript
from skyjo_server.service.errors import Embargoed, GameNotFinished, NotFound
from skyjo_server.service.games import Games
from skyjo_server.service.model import Page
from skyjo_server.service.tournament_model import TableInfo, TournamentInfo
from skyjo_server.service.tournament_notation import (
    crosstable_to_dict,
    entry_to_dict,
    standing_to_dict,
    table_to_dict,
    tournament_event_to_dict,
    tournament_to_dict,
)
from skyjo_server.service.tournament_ports import TournamentStore
from skyjo_server.service.tournament_sheets import crosstable_sheet, standings_sheet
from skyjo_server.service.tournaments import Tournaments

ARCHIVE_VERSION: Final = 1
"""The number after ``skyjo-tournament`` in `tournament.json`."""

ITEMS_AT_ONCE: Final = 500

_Item = TypeVar("_Item")


class Exporter:
    """Writes archives.

    Args:
        tournaments: the use cases that tell what may be known.
        store: where owners are told apart.
        games: where the records of games come from.
    """

    def __init__(self, tournaments: Tournaments, store: TournamentStore, games: Games) -> None:
        self._tournaments = tournaments
        self._store = store
        self._games = games

    def export(self, tournament_id: UUID) -> Iterator[bytes]:
        """The archive of an event in pieces. Raises NotFound at once."""
        return self._pieces(self._tournaments.tournament(tournament_id))

    def _pieces(self, info: TournamentInfo) -> Iterator[bytes]:
        outlet = _Outlet()
        with ZipFile(outlet, "w", ZIP_DEFLATED) as archive:
            for name, text in self._texts(info):
                archive.writestr(_member(name), text)
                yield outlet.drained()
            with archive.open(_member("games.jsonl"), "w", force_zip64=True) as lines:
                for record in self._records(info.id):
                    lines.write(write_jsonl(record).encode())
                    yield outlet.drained()
            for record in self._records(info.id):
                archive.writestr(_member(f"games/{record.game}.skyjo"), write_transcript(record))
                yield outlet.drained()
        yield outlet.drained()

    def _texts(self, info: TournamentInfo) -> Iterator[tuple[str, str]]:
        """Everything but the games, by the names of the files."""
        size = info.new.shape.table_size
        yield "tournament.json", _json({"skyjo-tournament": ARCHIVE_VERSION, **tournament_to_dict(info)})
        yield "entries.json", _json(self._entries(info))
        yield "log.jsonl", "".join(f"{_line(event)}\n" for event in self._log(info))
        yield "tables.json", _json([table_to_dict(table) for table in self._tables(info.id)])
        standings = [
            standing_to_dict(row, size)
            for row in _all(lambda cursor: self._tournaments.standings(info.id, ITEMS_AT_ONCE, cursor))
        ]
        yield "standings.json", _json(standings)
        yield "standings.csv", standings_sheet(standings)
        crosstable = crosstable_to_dict(self._tournaments.crosstable(info.id), size)
        yield "crosstable.json", _json(crosstable)
        yield "crosstable.csv", crosstable_sheet(crosstable)

    def _entries(self, info: TournamentInfo) -> list[dict[str, Any]]:
        """The entries; once all is over, with a number for each owner, so that it can be seen who met which board."""
        entries = _all(lambda cursor: self._tournaments.entries(info.id, ITEMS_AT_ONCE, cursor))
        if info.seed is None:
            return [entry_to_dict(entry) for entry in entries]
        owners, labels = self._store.owners(info.id), dict[UUID, int]()
        told = []
        for entry in entries:
            owner_id = owners.get(entry.number)
            label = None if owner_id is None else labels.setdefault(owner_id, len(labels))
            told.append({**entry_to_dict(entry), "owner": label})
        return told

    def _log(self, info: TournamentInfo) -> Iterator[dict[str, Any]]:
        """The log as everybody may know it; once the seed is revealed, as it is."""
        after = -1
        while after < info.version:
            page = self._tournaments.events(info.id, after, ITEMS_AT_ONCE, 0)
            if info.seed is not None:
                page = self._store.events(info.id, after, ITEMS_AT_ONCE) or page
            if not page.events:
                return
            for event in page.events:
                yield tournament_event_to_dict(page, event)
            after = page.events[-1].version

    def _tables(self, tournament_id: UUID) -> Iterator[TableInfo]:
        return _all(lambda cursor: self._tournaments.tables(tournament_id, None, None, None, ITEMS_AT_ONCE, cursor))

    def _records(self, tournament_id: UUID) -> Iterator[GameRecord]:
        """Every game that may be known, in the order of the schedule."""
        for table in self._tables(tournament_id):
            if table.game_id is not None and not table.embargoed:
                try:
                    yield self._games.record(table.game_id)
                except (Embargoed, GameNotFinished, NotFound):
                    continue


class _Outlet:
    """What a ZIP file is written to: keeps what has not been passed on."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, piece: bytes, /) -> int:
        """Take a piece."""
        self._pieces.append(bytes(piece))
        return len(piece)

    def flush(self) -> None:
        """Nothing is held back."""

    def close(self) -> None:
        """Nothing is held open."""

    def drained(self) -> bytes:
        """What has come since the last time."""
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)


def _all(page_after: Callable[[str | None], Page[_Item]]) -> Iterator[_Item]:
    cursor = None
    while True:
        page = page_after(cursor)
        yield from page.items
        if (cursor := page.next_cursor) is None:
            return


def _member(name: str) -> ZipInfo:
    """A file of the archive; without a time, so that the same event gives the same bytes."""
    member = ZipInfo(name)
    member.compress_type = ZIP_DEFLATED
    return member


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
