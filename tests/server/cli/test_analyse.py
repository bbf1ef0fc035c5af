"""`skyjo analyse`: the same figures for people and for programs, and only of games that were played."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import pytest

from skyjo import GameRecord, read_jsonl, write_jsonl
from skyjo.analysis import analyse
from tests.server.cli.conftest import VECTORS, Skyjo


@pytest.fixture
def games() -> list[GameRecord]:
    """The first published games."""
    with VECTORS.open("rb") as file:
        return list(islice(read_jsonl(file), 2))


def test_programs_get_a_line_for_each_game_with_every_decision(
    skyjo: Skyjo, tmp_path: Path, games: list[GameRecord]
) -> None:
    (tmp_path / "two.jsonl").write_text("".join(map(write_jsonl, games)))
    ran = skyjo("analyse", "two.jsonl", "--json")
    assert ran.code == 0, ran.err
    assert [json.loads(line) for line in ran.out.splitlines()] == [
        {"game": str(record.game), "decisions": [decision.to_dict() for decision in analyse(record)]}
        for record in games
    ]


def test_people_see_each_seat_of_one_game_and_its_dearest_decision_first(skyjo: Skyjo, games: list[GameRecord]) -> None:
    record = games[0]
    ran = skyjo("analyse", str(VECTORS), "--game", str(record.game), "--worst", "1")
    dearest = max((decision for decision in analyse(record) if decision.seat == 1), key=lambda one: one.cost)
    assert ran.code == 0, ran.err
    assert [name for name in record.seats if name not in ran.out] == []
    assert f"│ {dearest.version}" in ran.out
    assert f"{dearest.cost:.2f}" in ran.out


def test_people_see_each_player_of_many_games(skyjo: Skyjo) -> None:
    skyjo("arena", "greedy", "random", "--games", "3", "--out", "games.jsonl")
    ran = skyjo("analyse", "games.jsonl")
    assert ran.code == 0, ran.err
    assert "greedy" in ran.out
    assert "dearest of random: " in ran.out
    assert "dearest of greedy" not in ran.out


def test_a_game_that_does_not_verify_is_not_analysed(skyjo: Skyjo, tmp_path: Path) -> None:
    lines = VECTORS.read_text().splitlines(keepends=True)
    (tmp_path / "false.jsonl").write_text("".join(lines[:40]) + lines[40].replace('"card":', '"card":1', 1))
    ran = skyjo("analyse", "false.jsonl")
    assert (ran.code, ran.out) == (1, "")
    assert "a game that does not verify is not analysed" in ran.err


def test_a_game_that_is_not_there_is_an_error_of_usage(skyjo: Skyjo) -> None:
    ran = skyjo("analyse", str(VECTORS), "--game", "00000000-0000-4000-8000-000000000000")
    assert (ran.code, ran.out) == (2, "")
    assert "no game 00000000" in ran.err
