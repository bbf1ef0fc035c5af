"""Stored games can be taken elsewhere and back, made small, and derived again from their logs: by the command line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from skyjo import RuleSet, read_jsonl
from skyjo_server.app import Service
from skyjo_server.postgres import EmbeddedPostgres
from skyjo_server.tournaments.values import Format, Shape
from tests.database import PEPPER, new_database
from tests.server.cli.conftest import VECTORS, Skyjo
from tests.server.service.cups import cup, run
from tests.server.service.people import bot_seat, house_seat, new_game, organiser, play_on, register

SHORT = RuleSet(max_rounds=1)


@pytest.fixture
def served(conninfo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command line looks at the test's own database."""
    monkeypatch.setenv("SKYJO_DATABASE_URL", conninfo)
    monkeypatch.setenv("SKYJO_PEPPER", PEPPER.decode())


@pytest.fixture
def games(service: Service, served: None) -> list[str]:  # noqa: ARG001 - asks for the environment
    """Ids of games that are over: two of house bots, one that a bot gave up; beside them one that is played."""
    players = register(service, "Ada", "Bob")
    over = [new_game(service, house_seat("threshold"), house_seat("random"), rules=SHORT) for _ in range(2)]
    resigned = new_game(service, *map(bot_seat, players))
    play_on(service, players, resigned, 7)
    service.arena.resign(players[0].caller, resigned.id)
    play_on(service, players, new_game(service, *map(bot_seat, players)), 5)
    return [str(game.id) for game in (*over, resigned)]


@pytest.fixture
def elsewhere(postgres: EmbeddedPostgres, template: str) -> Iterator[str]:
    """A database of another server, without games."""
    with new_database(postgres, template) as made:
        yield made


def test_finished_games_move_to_another_server_and_back_to_the_byte(
    skyjo: Skyjo, games: list[str], elsewhere: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert skyjo("server", "export", "before.jsonl").code == 0
    before = (tmp_path / "before.jsonl").read_text()
    assert sorted(str(record.game) for record in read_jsonl(before)) == sorted(games)
    assert skyjo("server", "compact").out == "3 games compacted\n"
    assert skyjo("server", "export", "-").out == before
    assert json.loads(skyjo("server", "import", "before.jsonl", "--json").out)["already_here"] == 3

    monkeypatch.setenv("SKYJO_DATABASE_URL", elsewhere)
    ran = skyjo("server", "import", "before.jsonl", "--json")
    assert (ran.code, json.loads(ran.out)) == (0, {"imported": 3, "already_here": 0, "refused": []})
    assert skyjo("server", "import", "before.jsonl").out == "0 games imported, 3 were here already\n"
    there = skyjo("server", "export", "-").out
    assert sorted(there.splitlines()) == sorted(before.splitlines())
    assert skyjo("server", "rebuild").code == 0


def test_what_cannot_be_proved_is_refused_by_its_line_and_the_rest_comes_in(
    skyjo: Skyjo, games: list[str], elsewhere: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    skyjo("server", "export", "good.jsonl")
    assert len(games) == 3
    lines = (tmp_path / "good.jsonl").read_text().splitlines(keepends=True)
    second, third = [at for at, line in enumerate(lines) if '"skyjo"' in line][1:]
    lines[third + 2] = lines[third + 2].replace('"card":', '"card":1', 1)
    without_times = VECTORS.read_text().splitlines(keepends=True)[:268]
    (tmp_path / "mixed.jsonl").write_text(
        "".join([*lines[:second], "\n", "{\n", *lines[second:], *without_times, *lines[:3]])
    )
    monkeypatch.setenv("SKYJO_DATABASE_URL", elsewhere)
    ran = skyjo("server", "import", "mixed.jsonl", "--json")
    report = json.loads(ran.out)
    assert (ran.code, report["imported"]) == (1, 2)
    told = {refusal["line"]: refusal["message"] for refusal in report["refused"]}
    assert list(told) == [second + 2, third + 3, len(lines) + 3, len(lines) + 3 + len(without_times)]
    broken, false, timeless, cut = told.values()
    assert broken.startswith(f"line {second + 2}: ")
    assert f"line {third + 5}: " in false or "event 1: " in false
    assert "it has no time" in timeless
    assert "the file ends inside game" in cut


def test_another_game_of_an_id_that_is_here_is_refused(skyjo: Skyjo, games: list[str], conninfo: str) -> None:
    skyjo("server", "export", "games.jsonl")
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute("UPDATE events SET at = at + interval '1 second' WHERE game_id = %s", (games[0],))
    ran = skyjo("server", "import", "games.jsonl", "--json")
    (refused,) = json.loads(ran.out)["refused"]
    assert ran.code == 1
    assert refused["message"] == f"game {games[0]}: there is another game of this id here"


DAMAGE = {
    "version": "UPDATE games SET version = 3 WHERE game_id = %s",
    "status": "UPDATE games SET status = 'running' WHERE game_id = %s",
    "to_act": "UPDATE games SET to_act = 2 WHERE game_id = %s",
    "left_seats": "UPDATE games SET left_seats = 2 WHERE game_id = %s",
    "result": "UPDATE games SET result = jsonb_set(result, '{totals,0}', '1000') WHERE game_id = %s",
    "commitment": "UPDATE games SET commitment = '\\x00' WHERE game_id = %s",
    "started_at": "UPDATE games SET started_at = now() WHERE game_id = %s",
    "finished_at": "UPDATE games SET finished_at = NULL WHERE game_id = %s",
    "active": "UPDATE game_seats SET active = true WHERE game_id = %s",
}


def test_what_the_tables_say_is_derived_again_from_the_logs_and_mended(
    skyjo: Skyjo, games: list[str], conninfo: str
) -> None:
    assert skyjo("server", "rebuild").out == "4 games compared, 0 events, 0 differences\n"
    before = skyjo("server", "export", "-").out
    with psycopg.connect(conninfo, autocommit=True) as connection:
        for damage in DAMAGE.values():
            connection.execute(damage, (games[0],))
    found = skyjo("server", "rebuild", "--json")
    report = json.loads(found.out)
    assert (found.code, {told["game"] for told in report["differences"]}) == (1, {games[0]})
    assert {told["what"] for told in report["differences"]} == {*DAMAGE}
    mended = skyjo("server", "rebuild", "--write")
    assert (mended.code, mended.out.count("(mended)")) == (0, len(DAMAGE))
    assert skyjo("server", "rebuild").out == "4 games compared, 0 events, 0 differences\n"
    assert skyjo("server", "export", "-").out == before


def test_a_log_that_is_damaged_itself_is_told_and_left_alone(skyjo: Skyjo, games: list[str], conninfo: str) -> None:
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute("UPDATE events SET hash = '\\x00' WHERE game_id = %s AND version = 2", (games[0],))
        connection.execute("UPDATE events SET action = 'take a1' WHERE game_id = %s AND version = 1", (games[1],))
        connection.execute("UPDATE games SET to_act = 2 WHERE game_id = %s", (games[0],))
    ran = skyjo("server", "rebuild", "--write", "--json")
    told = [(found["game"], found["what"], found["mended"]) for found in json.loads(ran.out)["differences"]]
    assert ran.code == 1
    assert sorted(told) == sorted([(games[0], "event 2", False), (games[0], "to_act", False), (games[1], "log", False)])


def test_a_transcript_that_is_damaged_is_told(skyjo: Skyjo, games: list[str], conninfo: str) -> None:
    skyjo("server", "compact")
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute("UPDATE transcripts SET version = version - 1 WHERE game_id = %s", (games[0],))
    ran = skyjo("server", "rebuild")
    assert (ran.code, games[0] in ran.out, games[1] in ran.out) == (1, True, False)


@pytest.mark.usefixtures("served")
def test_the_tables_of_an_event_are_derived_again_too(skyjo: Skyjo, service: Service, conninfo: str) -> None:
    host = organiser(service)
    event = cup(service, host, Shape(format=Format.ROUND_ROBIN, boards=1), "random", "threshold")
    service.arena.start_tournament(host, event.id)
    run(service, event.id)
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute("UPDATE tournament_pairs SET halves = 7")
    found = skyjo("server", "rebuild", "--json")
    report = json.loads(found.out)
    (told,) = report["differences"]
    assert (found.code, report["games"], report["tournaments"]) == (1, 1, 1)
    assert (told["tournament"], told["what"], told["found"]) == (str(event.id), "tournament_pairs 0 1 halves", "7")
    mended = skyjo("server", "rebuild", "--write")
    first, _, last = mended.out.splitlines()
    assert (mended.code, first) == (0, f"tournament {event.id}")
    assert last == "1 games compared, 1 events, 1 differences"
