"""Writes and tells packed games of this folder, once for each format: those that are there are never written again.

Run ``python -m tests.logs.packed`` after the format of what is packed has got a new number, and commit what is new.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Final
from uuid import UUID

from skyjo.notation import event_to_dict
from skyjo_server.service.model import ClockRules, GameStatus
from skyjo_server.service.ports import StoredGame
from skyjo_server.storage.packing import FORMAT, PackedGame, pack
from tests.logs.write import FOLDER, GAMES, SUMS, record
from tests.server.storage.stored import stored_game

CLOCK: Final = ClockRules(move_seconds=2.0, bank_seconds=30.0)


def path_of(number: int) -> Path:
    """The file of a format."""
    return FOLDER / f"packed-{number}.jsonl"


def games() -> Iterator[StoredGame]:
    """The frozen games as a service would have kept them."""
    for name in GAMES:
        random = Random(f"packed {name}")
        yield stored_game(record(name), random, random.choice([None, CLOCK]), house_only=name == "classic-2")


def told(game: StoredGame) -> str:
    """A hash over everything that is known of a game."""
    info = game.info
    result = info.result
    everything = [
        str(info.id), info.status, info.rules.to_dict(), info.version, info.commitment.hex(), repr(info.clock),
        [str(seat) for seat in info.seats], str(info.created_at), str(info.started_at), str(info.finished_at),
        None if result is None else [result.status, result.totals, result.ranks, result.causes],
        str(info.tournament_id), repr(info.forked),
        game.seed.hex(), [given.hex() for given in game.entropy], repr(game.board),
        [
            [event_to_dict(kept.event), kept.event.opener, str(kept.at), kept.hash.hex(), kept.thinking_seconds]
            for kept in game.events
        ],
    ]  # fmt: skip
    return sha256(json.dumps(everything).encode()).hexdigest()


def line_of(game: StoredGame) -> dict[str, Any]:
    """A packed game as a line, with the hash of what it must give."""
    packed = pack(game)
    return {
        "game_id": str(packed.game_id),
        "status": packed.status,
        "version": packed.version,
        "created_at": packed.created_at.isoformat(),
        "bots": [str(bot) for bot in packed.bots],
        "tournament_id": None if packed.tournament_id is None else str(packed.tournament_id),
        "body": b64encode(packed.body).decode(),
        "told": told(game),
    }


def packed_of(line: dict[str, Any]) -> PackedGame:
    """The packed game of a line."""
    tournament = line["tournament_id"]
    return PackedGame(
        UUID(line["game_id"]),
        GameStatus(line["status"]),
        line["version"],
        datetime.fromisoformat(line["created_at"]),
        tuple(map(UUID, line["bots"])),
        None if tournament is None else UUID(tournament),
        b64decode(line["body"]),
    )


if __name__ == "__main__":
    path = path_of(FORMAT)
    if not path.exists():
        path.write_text("".join(f"{json.dumps(line_of(game))}\n" for game in games()), encoding="ascii")
        with SUMS.open("a", encoding="ascii") as sums:
            sums.write(f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n")
