"""Games that were packed once come back as they were for ever, whatever becomes of format, rules and clocks."""

from __future__ import annotations

import json

import pytest

from skyjo_server.storage.packing import FORMAT, unpack, unpack_info
from tests.logs.packed import games, line_of, packed_of, path_of, told


@pytest.mark.parametrize("number", range(1, FORMAT + 1))
def test_a_frozen_transcript_comes_back_as_it_was(number: int) -> None:
    for line in map(json.loads, path_of(number).read_text(encoding="ascii").splitlines()):
        packed = packed_of(line)
        game = unpack(packed)
        assert told(game) == line["told"]
        assert unpack_info(packed) == game.info


def test_what_is_packed_today_is_what_is_frozen() -> None:
    frozen = path_of(FORMAT).read_text(encoding="ascii").splitlines()
    assert [json.dumps(line_of(game)) for game in games()] == frozen
