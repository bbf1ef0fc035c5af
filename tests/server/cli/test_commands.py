"""The command line tells people what they want to see, programs what they can read, and everybody what went wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.server.cli.conftest import VECTORS, Skyjo

COMMANDS = ["demo", "play", "arena", "replay", "verify", "analyse", "server run", "server migrate", "server token"]
COMMANDS += [f"server {command}" for command in ("export", "import", "compact", "rebuild")]


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_command_explains_itself(skyjo: Skyjo, command: str) -> None:
    ran = skyjo(*command.split(), "--help")
    assert ran.code == 0
    assert f"Usage: skyjo{' ' if command else ''}{command}" in ran.out.replace("python -m skyjo_server.cli", "skyjo")


def test_the_published_games_verify(skyjo: Skyjo) -> None:
    ran = skyjo("verify", str(VECTORS), "--json")
    report = json.loads(ran.out)
    assert (ran.code, report["games"], report["failures"]) == (0, 34, 0)


def test_a_falsified_game_is_named_with_its_first_wrong_event(skyjo: Skyjo, tmp_path: Path) -> None:
    lines = VECTORS.read_text().splitlines(keepends=True)
    lines[10] = lines[10].replace('"card":', '"card":1', 1)
    falsified = tmp_path / "false.jsonl"
    falsified.write_text("".join(lines))
    ran = skyjo("verify", str(falsified), str(VECTORS), "--json")
    report = json.loads(ran.out)
    assert ran.code == 1
    assert report["failures"] == 1
    (failure,) = report["files"][0]["failures"]
    assert "line 11" in failure["message"] or failure["version"] == json.loads(lines[10])["version"]
    assert report["files"][1]["failures"] == []


def test_a_file_without_a_game_does_not_verify(skyjo: Skyjo, tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("")
    ran = skyjo("verify", "empty.jsonl")
    assert (ran.code, "no game" in ran.out) == (1, True)


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_a_file_that_is_not_there_is_an_error_of_usage(skyjo: Skyjo, command: str) -> None:
    ran = skyjo(command, "nowhere.jsonl")
    assert (ran.code, ran.out) == (2, "")
    assert "nowhere.jsonl: No such file" in ran.err


def test_an_arena_writes_games_that_verify_and_the_same_ones_with_more_processes(skyjo: Skyjo, tmp_path: Path) -> None:
    for jobs in ("1", "2"):
        ran = skyjo("arena", "threshold", "random", "--games", "12", "--jobs", jobs, "--out", f"{jobs}.jsonl", "--json")
        assert ran.code == 0
        assert json.loads(ran.out)["games"] == 12
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()
    assert skyjo("verify", "1.jsonl").code == 0


def test_an_arena_prints_a_table_for_people(skyjo: Skyjo) -> None:
    ran = skyjo("arena", "random", "random", "--games", "2")
    assert "win rate" in ran.out
    assert "random-2" in ran.out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("arena", "gready", "random"), "name one of"),
        (("arena", "random"), "2 to 8"),
        (("arena", "random", "random", "--rules", "spanish"), "no preset and no file"),
        (("arena", "random", "random", "--rules", '{"initial_flips": 12}'), "whole number from 0 to 11"),
        (("arena", "random", "random", "--rules", "{"), "JSON"),
        (("arena", "random", "random", "--rules", "[]"), "no preset and no file"),
        (("arena", "random", "random", "--out", "no/such/folder/x.jsonl"), "No such file"),
        (("play", "random"), "no token"),
        (("replay", str(VECTORS), "--step", "9999"), "not in the game"),
        (("replay", str(VECTORS), "--game", "35"), "no game 35"),
        (("replay", str(VECTORS), "--seat", "7"), "no seat 7"),
    ],
)
def test_what_cannot_be_done_is_an_error_of_usage_that_says_what_can(
    skyjo: Skyjo, arguments: tuple[str, ...], says: str
) -> None:
    ran = skyjo(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err


def test_a_bot_that_fails_ends_an_arena_with_its_name(skyjo: Skyjo, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("def choose(decision):\n    return 'keep z9'\n")
    ran = skyjo("arena", "bad.py:choose", "random", "--games", "2")
    assert ran.code == 1
    assert "bad: the bot chose 'keep z9'" in ran.err
    assert skyjo("arena", "bad.py:choose", "random", "--games", "2", "--forfeit").code == 0


def test_house_rules_come_as_options_or_as_a_file(skyjo: Skyjo, tmp_path: Path) -> None:
    (tmp_path / "rules.json").write_text('{"max_rounds": 1}')
    for rules in ('{"max_rounds": 1}', "rules.json"):
        ran = skyjo("arena", "random", "random", "--games", "3", "--rules", rules, "--json")
        assert json.loads(ran.out)["rounds"] == 3


def test_a_replay_draws_the_table_at_a_step_and_the_scores_at_the_end(skyjo: Skyjo) -> None:
    middle = skyjo("replay", str(VECTORS), "--step", "20")
    assert middle.code == 0
    assert "20: " in middle.out
    assert "▒▒" in middle.out
    end = skyjo("replay", str(VECTORS))
    assert "scores" in end.out
    assert "rank" in end.out


def test_a_replay_for_programs_is_the_view_of_that_step(skyjo: Skyjo) -> None:
    seen = json.loads(skyjo("replay", str(VECTORS), "--step", "20", "--seat", "1", "--json").out)
    assert (seen["version"], seen["seat"]) == (20, 1)


def test_a_service_on_a_database_that_does_not_answer_says_so(
    skyjo: Skyjo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SKYJO_DATABASE_URL", f"postgresql://nobody@/nothing?host={tmp_path}&connect_timeout=1")
    ran = skyjo("server", "run")
    assert (ran.code, ran.out) == (1, "")
    assert "the database does not answer" in ran.err


def test_a_wrong_setting_is_named(skyjo: Skyjo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKYJO_WORKERS", "many")
    ran = skyjo("server", "run")
    assert (ran.code, ran.out) == (2, "")
    assert "SKYJO_WORKERS is 'many': it must be a whole number from 1 to 64" in ran.err
