"""Ten thousand damaged files of games, and how many of them `skyjo verify` finds. Says nothing of how fast."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from io import BytesIO
from multiprocessing import get_context
from os import cpu_count
from random import Random
from typing import Final

from rich.progress import Progress

from benchmarks.report import Report, Row
from skyjo import read_jsonl
from tests.logs.write import FOLDER
from tests.skyjo.export.damage import DAMAGES, Fate, fate

MUTATIONS: Final = 10_000
QUICK_MUTATIONS: Final = 200
_AT_ONCE: Final = 16

FILES: Final = tuple(sorted(path.name for path in FOLDER.glob("[0-9]*.jsonl") if path.stat().st_size < 60_000))
"""Frozen logs of games of every kind, with hashes and times; the longest ones are left out."""


def run(progress: Progress, *, quick: bool = False) -> Report:
    """Damage files one by one, and try to have them accepted."""
    wanted = QUICK_MUTATIONS if quick else MUTATIONS
    fates: Counter[tuple[str, Fate]] = Counter()
    with ProcessPoolExecutor(cpu_count(), mp_context=get_context("spawn")) as pool:
        tried = pool.map(one, range(wanted), chunksize=_AT_ONCE)
        fates.update(progress.track(tried, total=wanted, description="mutations"))
    same = sum(count for (_, fate_), count in fates.items() if fate_ is Fate.SAYS_THE_SAME)
    return Report(
        "mutations",
        tuple(_rows(fates, wanted - same)),
        (
            f"{wanted:,} mutations of {len(FILES)} games, of {len(DAMAGES)} kinds in turn; {same:,} change no meaning:",
            "white space, a time, a value put in the place of an equal one. They are accepted, and not counted.",
        ),
    )


def one(number: int) -> tuple[str, Fate]:
    """Do the damage of a number; gives its kind and what became of the file."""
    damage, name = DAMAGES[number % len(DAMAGES)], FILES[number // len(DAMAGES) % len(FILES)]
    data = (FOLDER / name).read_bytes()
    (original,) = read_jsonl(BytesIO(data))
    return damage.__name__.replace("_", " "), fate(original, damage(Random(f"mutation {number}"), data))


def _rows(fates: Counter[tuple[str, Fate]], changing: int) -> Iterator[Row]:
    found = sum(count for (_, fate_), count in fates.items() if fate_ is Fate.FOUND)
    yield Row(
        name="mutations found",
        value=found,
        unit="files",
        yardstick="of those that change a game",
        yardstick_value=max(1, changing),
        floor=1.0,
    )
    for kind in sorted({kind for kind, _ in fates}):
        changed = fates[kind, Fate.FOUND] + fates[kind, Fate.MISSED]
        yield Row(
            name=f"found: {kind}",
            value=fates[kind, Fate.FOUND],
            unit="files",
            yardstick="of",
            yardstick_value=max(1, changed),
        )
