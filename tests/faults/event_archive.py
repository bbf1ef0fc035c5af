"""The archive of an event, read without anything of the project. Judges nothing."""

from __future__ import annotations

import hmac
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID
from zipfile import ZipFile

Plain = dict[str, Any]
Place = tuple[int, int]


@dataclass
class Game:
    """A game of `games.jsonl`: its header, its events and its closing line."""

    header: Plain
    events: list[Plain]
    result: Plain


class Archive:
    """An archive, read."""

    def __init__(self, archive: bytes) -> None:
        with ZipFile(io.BytesIO(archive)) as files:
            assert files.testzip() is None
            self.names = files.namelist()
            self.event: Plain = json.loads(files.read("tournament.json"))
            self.entries: list[Plain] = json.loads(files.read("entries.json"))
            self.log: list[Plain] = _lines(files.read("log.jsonl"))
            self.tables: list[Plain] = json.loads(files.read("tables.json"))
            self.standings: list[Plain] = json.loads(files.read("standings.json"))
            self.games = {game.header["game"]: game for game in _games(files.read("games.jsonl"))}
        self.id = UUID(self.event["id"]).bytes
        self.seed = bytes.fromhex(self.event["seed"])
        options = self.event["rules"]
        canonical = json.dumps(options, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        self.rules_name = (self.event["preset"] or canonical).encode()

    @property
    def first_tables(self) -> list[Plain]:
        """The schedule: what was played again because a game was void left out."""
        return [table for table in self.tables if table["attempt"] == 0]

    @property
    def last_tables(self) -> list[Plain]:
        """The last attempt at each table, whose result counts."""
        last: dict[Place, Plain] = {}
        for table in sorted(self.tables, key=lambda table: int(table["attempt"])):
            last[table["round"], table["table"]] = table
        return list(last.values())

    def logged(self, kind: str) -> list[Plain]:
        """Events of the log of one kind."""
        return [event for event in self.log if event["kind"] == kind]

    def derived(self, label: bytes, *parts: bytes) -> bytes:
        """32 bytes that come from the event's seed."""
        return hmac.digest(self.seed, label + b"\0" + b"".join(parts), "sha256")


def _lines(text: bytes) -> list[Plain]:
    return [json.loads(line) for line in text.splitlines()]


def _games(text: bytes) -> Iterator[Game]:
    header: Plain = {}
    events: list[Plain] = []
    for line in _lines(text):
        if "skyjo" in line:
            header, events = line, []
        elif "result" in line:
            yield Game(header, events, line["result"])
        else:
            events.append(line)
