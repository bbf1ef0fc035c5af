"""Files that were damaged in any way are found, unless they say the same; `python -m benchmarks mutations` goes on."""

from __future__ import annotations

from io import BytesIO
from random import Random

import pytest

from skyjo import read_jsonl
from tests.logs.write import FOLDER, name_of
from tests.skyjo.export.damage import DAMAGES, Damage, Fate, fate

EACH = 12
"""How often each damage is done to each file: 9 × 10 × 12 in all."""

FILES = sorted(path for path in FOLDER.glob("[0-9]*.jsonl") if path.stat().st_size < 60_000)


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
@pytest.mark.parametrize("name", [path.name for path in FILES])
def test_whatever_is_done_to_a_file_is_found_or_says_the_same(name: str, damage: Damage) -> None:
    data = (FOLDER / name).read_bytes()
    (original,) = read_jsonl(BytesIO(data))
    fates = [fate(original, damage(Random(f"{name} {damage.__name__} {seed}"), data)) for seed in range(EACH)]
    assert Fate.MISSED not in fates
    assert Fate.FOUND in fates


def test_what_changes_no_meaning_is_told_apart_and_what_changes_it_is_not() -> None:
    data = (FOLDER / name_of(1, "timeouts-2")).read_bytes()
    (original,) = read_jsonl(BytesIO(data))
    assert fate(original, data) is Fate.SAYS_THE_SAME
    assert fate(original, data.replace(b'":', b'" : ')) is Fate.SAYS_THE_SAME
    assert fate(original, data.replace(b"\n", b"\n\n")) is Fate.SAYS_THE_SAME
    assert fate(original, data.replace(b'"at":"2026-01-31T18', b'"at":"2026-01-31T19')) is Fate.SAYS_THE_SAME
    assert fate(original, data.replace(b"timeouts-2 0", b"timeouts-2 1", 1)) is Fate.FOUND
    assert fate(original, data * 2) is Fate.MISSED, "the same game twice is another file"
    assert fate(original, b"") is Fate.FOUND
