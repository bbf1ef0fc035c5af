"""The shuffle beside a plain reading of its specification, on the words that are rejected and on few cards."""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence

import pytest

from skyjo import DECK, FairChance

# A word is rejected in three deals of a million. The first key of a search, counted up from 1, whose deal has one:
REJECTS = (1_099_279).to_bytes(32, "big")
# ... and the first whose deal has a word that looks like one, but is low enough:
NEARLY = (1_533).to_bytes(32, "big")


def words(key: bytes, label: bytes) -> Iterator[int]:
    """The words of HMAC-SHA256 blocks, numbered from 0."""
    for block in range(1 << 32):
        made = hmac.digest(key, label + block.to_bytes(4, "big"), "sha256")
        yield from (int.from_bytes(made[index : index + 4], "big") for index in range(0, 32, 4))


def shuffled(key: bytes, round_: int, count: int, cards: Sequence[int]) -> tuple[tuple[int, ...], int]:
    """Fisher-Yates as specified, and how many words it rejected."""
    stream = words(key, b"skyjo-deck/1\0" + round_.to_bytes(4, "big") + count.to_bytes(4, "big"))
    made, rejected = list(cards), 0
    for last in range(len(made) - 1, 0, -1):
        while (word := next(stream)) >= 2**32 - 2**32 % (last + 1):
            rejected += 1
        other = word % (last + 1)
        made[last], made[other] = made[other], made[last]
    return tuple(made), rejected


@pytest.mark.parametrize(("key", "rejections"), [(REJECTS, 1), (NEARLY, 0), (bytes(32), 0)])
def test_a_deal_is_as_specified_whether_or_not_a_word_is_rejected(key: bytes, rejections: int) -> None:
    expected, rejected = shuffled(key, 1, 0, DECK)
    assert rejected == rejections
    assert FairChance(key).deal(1) == expected


@pytest.mark.parametrize("size", [0, 1, 2, 3, 8, 9, 10, 17, 60, 117])
def test_a_reshuffle_of_any_size_is_as_specified(size: int) -> None:
    cards = DECK[:size]
    assert FairChance(bytes(32)).reshuffle(4, 2, cards) == shuffled(bytes(32), 4, 2, cards)[0]
