"""Writes the logs of this folder for the version of today, once: logs that are there are never written again.

Run ``python -m tests.logs.write`` after :data:`skyjo.record.LOG_VERSION` has got a new number, and commit what is new.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Final
from uuid import UUID

from skyjo import GameRecord, LoggedEvent, RuleSet, Status, shuffle_key, write_jsonl
from skyjo.chain import hashed
from skyjo.record import LOG_VERSION, Board
from skyjo.shuffle import FairChance
from tests.skyjo.export.records import played, result_of, with_additions
from tests.strategies import Habits, action_stream

FOLDER: Final = Path(__file__).parent
SUMS: Final = FOLDER / "SHA256SUMS"

_PLAIN: Final = Habits()
_LATE: Final = Habits(timeout_one_in=4)
_STALLING: Final = Habits("stalling")
_LEAVING: Final = Habits(timeout_one_in=30, leave_one_in=25)

GAMES: Final[dict[str, tuple[RuleSet, int, Habits, int, bool]]] = {
    "classic-2": (RuleSet(), 2, _PLAIN, 10_000, False),
    "french-3": (RuleSet.preset("french"), 3, _PLAIN, 10_000, False),
    "timeouts-2": (RuleSet(max_rounds=2), 2, _LATE, 10_000, False),
    "leavers-7": (RuleSet(max_rounds=3), 7, _LEAVING, 10_000, False),
    "rows-3": (
        RuleSet(remove_rows=True, initial_flips=3, initial_flip_choice="random", max_rounds=2),
        3,
        _PLAIN,
        10_000,
        False,
    ),
    "board-4": (RuleSet(draw_streams="per_seat", starter_tie="random", max_rounds=1), 4, _PLAIN, 10_000, True),
    "blind-2": (RuleSet(initial_flips=0, first_starter="random", max_rounds=2), 2, _PLAIN, 10_000, False),
    "stalled-2": (RuleSet(max_rounds=1, max_turns_per_seat=70), 2, _STALLING, 10_000, False),
    "open-8": (RuleSet(initial_flips=11, score_limit=None, max_rounds=8), 8, _PLAIN, 10_000, False),
    "stopped-8": (RuleSet(next_starter="winner"), 8, _PLAIN, 60, False),
}
"""By name: rules, seats, habits of the players, after how many events the game is stopped, whether it is on a board."""


def name_of(version: int, game: str) -> str:
    """The name of the file of a game in a version."""
    return f"{version}-{game}.jsonl"


def record(name: str) -> GameRecord:
    """A game by its name, hashes and times in it."""
    rules, seats, habits, steps, on_board = GAMES[name]
    random = Random(name)
    game, seed = UUID(int=random.getrandbits(128)), random.randbytes(32)
    board = Board(UUID(int=random.getrandbits(128)), random.randbytes(32)) if on_board else None
    entropy = tuple(random.randbytes(8) for _ in range(seats)) if random.random() < 0.5 else ()
    chance = FairChance(shuffle_key(seed, game if board is None else board.id, rules.canonical_name, entropy))
    events = played(rules, seats, chance, action_stream(random.getrandbits(32)), steps, habits)
    names = tuple(f"{name} {seat}" for seat in range(seats))
    result = result_of(rules, seats, events, Status.VOID)
    made = GameRecord(game, rules, names, bytes(32), seed, entropy, tuple(map(LoggedEvent, events)), result, board)
    return with_additions(hashed(replace(made, commitment=made.true_commitment())))


def write() -> Iterator[Path]:
    """Write what is missing; gives the files."""
    for name in GAMES:
        path = FOLDER / name_of(LOG_VERSION, name)
        if not path.exists():
            path.write_text(write_jsonl(record(name)), encoding="ascii")
            yield path


if __name__ == "__main__":
    with SUMS.open("a", encoding="ascii") as sums:
        for path in write():
            sums.write(f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n")
