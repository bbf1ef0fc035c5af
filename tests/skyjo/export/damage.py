"""Ways in which the bytes of a file are damaged, whatever they mean, and what comes of it. Asserts nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from io import BytesIO
from random import Random
from typing import Final

from skyjo import CorruptLog, GameRecord, InvalidText, read_jsonl, verify
from tests.skyjo.export.mutations import MUTATIONS
from tests.skyjo.export.records import text_of

Damage = Callable[[Random, bytes], bytes]

_BYTES: Final = 40
"""So many bytes at once, at most."""


class Fate(StrEnum):
    """What became of a damaged file: refused, accepted though it says the same, or accepted though it does not."""

    FOUND = "found"
    SAYS_THE_SAME = "says the same"
    MISSED = "missed"


def flipped_bits(random: Random, data: bytes) -> bytes:
    """One byte becomes another one."""
    at = random.randrange(len(data))
    return data[:at] + bytes([data[at] ^ random.randrange(1, 256)]) + data[at + 1 :]


def another_letter(random: Random, data: bytes) -> bytes:
    """One byte becomes another that is as likely in such a file."""
    at = random.randrange(len(data))
    return data[:at] + bytes([random.choice(data)]) + data[at + 1 :]


def deleted_bytes(random: Random, data: bytes) -> bytes:
    """Some bytes are gone."""
    at = random.randrange(len(data))
    return data[:at] + data[at + random.randint(1, _BYTES) :]


def inserted_bytes(random: Random, data: bytes) -> bytes:
    """Some bytes of the file stand again somewhere else, or white space or noise does."""
    at, copied = random.randrange(len(data)), random.randrange(len(data))
    length = random.randint(1, _BYTES)
    inserted = random.choice([data[copied : copied + length], b" ", b"\n", random.randbytes(length)])
    return data[:at] + inserted + data[at:]


def swapped_bytes(random: Random, data: bytes) -> bytes:
    """Two neighbours change places."""
    at = random.randrange(len(data) - 1)
    return data[:at] + data[at + 1 : at + 2] + data[at : at + 1] + data[at + 2 :]


def deleted_line(random: Random, data: bytes) -> bytes:
    """A line is gone."""
    lines = data.splitlines(keepends=True)
    del lines[random.randrange(len(lines))]
    return b"".join(lines)


def repeated_line(random: Random, data: bytes) -> bytes:
    """A line stands again somewhere else."""
    lines = data.splitlines(keepends=True)
    lines.insert(random.randrange(len(lines) + 1), random.choice(lines))
    return b"".join(lines)


def reordered_lines(random: Random, data: bytes) -> bytes:
    """Two lines change places."""
    lines = data.splitlines(keepends=True)
    one, other = random.sample(range(len(lines)), 2)
    lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


def cut_off(random: Random, data: bytes) -> bytes:
    """The end of the file is gone."""
    return data[: random.randrange(len(data))]


def falsified(random: Random, data: bytes) -> bytes:
    """What the lines say is changed by somebody who knows what they mean: a score, two cards, an action."""
    lines = [json.loads(line) for line in data.splitlines()]
    random.choice(MUTATIONS)(random, lines)
    return text_of(lines).encode()


DAMAGES: Final[tuple[Damage, ...]] = (
    flipped_bits,
    another_letter,
    deleted_bytes,
    inserted_bytes,
    swapped_bytes,
    deleted_line,
    repeated_line,
    reordered_lines,
    cut_off,
    falsified,
)


def fate(original: GameRecord, damaged: bytes) -> Fate:
    """What becomes of a damaged file that was one game.

    What may differ is what proves nothing and is held against nothing: times, and salts that are left out.
    """
    read = []
    try:
        for record in read_jsonl(BytesIO(damaged)):
            verify(record)
            read.append(record)
    except (CorruptLog, InvalidText):
        return Fate.FOUND
    if not read:
        return Fate.FOUND  # there is no game in this file, and whoever verifies it is told so
    return Fate.SAYS_THE_SAME if [*map(_meaning, read)] == [_meaning(original)] else Fate.MISSED


def _meaning(record: GameRecord) -> GameRecord:
    return replace(record, events=tuple(replace(logged, at=None, salt=None) for logged in record.events))
