"""A packed game is small, and gives back every event, time and hash as it was; what it would not is refused."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skyjo_server.service.model import GameStatus
from skyjo_server.service.ports import StoredGame
from skyjo_server.storage.numbers import deflate, inflate, pack_numbers, unpack_numbers
from skyjo_server.storage.packing import NotPackable, pack, unpack, unpack_info
from tests.server.storage.stored import stored_game, stored_games
from tests.skyjo.export.records import NUMBERS
from tests.skyjo.export.records import record_of as published


@settings(max_examples=60)
@given(stored_games())
def test_whatever_was_played_comes_back_as_it_was(game: StoredGame) -> None:
    packed = pack(game)
    assert unpack(packed) == game
    assert unpack_info(packed) == game.info


@pytest.mark.parametrize("number", NUMBERS)
def test_the_published_games_come_back_to_the_byte(number: int) -> None:
    game = stored_game(published(number), Random(number))
    again = unpack(pack(game))
    assert repr(again) == repr(game)


@pytest.mark.parametrize("number", NUMBERS)
def test_a_packed_game_is_a_fraction_of_its_export(number: int) -> None:
    """A published game of 266 events has 170 kB as JSON Lines."""
    game = stored_game(published(number), Random(number))
    assert len(pack(game).body) < 400 + 4 * len(game.events)


def test_a_game_between_house_bots_is_smaller_still() -> None:
    """All of it is played in one moment, and nobody waits for anybody."""
    game = stored_game(published(1), Random(0), house_only=True)
    assert len(pack(game).body) < 300


def test_a_game_that_the_rules_do_not_give_back_is_refused() -> None:
    game = stored_game(published(1), Random(1))
    assert game.info.result is not None
    first, second, *others = game.events
    for wrong in (
        replace(game, seed=bytes(32)),
        replace(game, events=(first, replace(second, hash=bytes(32)), *others)),
        replace(game, events=(first, replace(second, event=replace(second.event, facts=())), *others)),
        replace(game, events=(first, *others)),
        replace(game, events=game.events[:-1]),
        replace(game, events=()),
        replace(game, info=replace(game.info, status=GameStatus.RUNNING)),
        replace(game, info=replace(game.info, embargoed=True)),
        replace(game, info=replace(game.info, version=3)),
        replace(game, info=replace(game.info, seats=(game.info.seats[0], replace(game.info.seats[1], left=True)))),
        replace(game, info=replace(game.info, commitment=bytes(32))),
        replace(game, info=replace(game.info, result=None)),
        replace(game, info=replace(game.info, result=replace(game.info.result, totals=(1, 2)))),
        replace(game, info=replace(game.info, result=replace(game.info.result, ranks=None))),
    ):
        with pytest.raises(NotPackable, match=str(game.info.id)):
            pack(wrong)


def test_a_body_that_lacks_commands_is_refused() -> None:
    packed = pack(stored_game(published(1), Random(1)))
    version, *members, commands = msgpack.unpackb(packed.body, strict_map_key=False)
    cut = msgpack.packb([version, *members, deflate(inflate(commands)[:-1])])
    with pytest.raises(ValueError, match="fewer commands than events"):
        unpack(replace(packed, body=cut))


@given(st.lists(st.integers() | st.integers(0, 1000)))
def test_numbers_come_back(numbers: list[int]) -> None:
    assert unpack_numbers(pack_numbers(numbers), len(numbers)) == numbers


@given(st.binary())
def test_deflated_bytes_come_back(data: bytes) -> None:
    assert inflate(deflate(data)) == data
