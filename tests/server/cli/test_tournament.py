"""`skyjo tournament`: an event from the terminal, from its creation to its archive, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from skyjo_client import Client
from skyjo_server.app import Service
from skyjo_server.service.model import Scope
from tests.sdk.serving import LocalServer
from tests.server.cli.conftest import Ran, Skyjo

Organise = Callable[..., Ran]

COMMANDS = [
    "create", "list", "show", "entries", "enter", "withdraw", "disqualify", "start", "pause", "resume", "abort", "void",
    "watch", "schedule", "standings", "crosstable", "export", "leaderboard",
]  # fmt: skip
QUICK = '{"max_rounds": 1, "score_limit": null, "max_turns_per_seat": 6}'
CUP = ["Cup", "--format", "round-robin", "--duplicate", "--rules", QUICK, "--filler", "random"]


@pytest.fixture
def organise(skyjo: Skyjo, server: LocalServer, service: Service) -> Organise:
    """`skyjo tournament …` with an organiser's token."""
    token = service.arena.grant_token(Scope.ORGANISER).secret

    def run(command: str, *arguments: str) -> Ran:
        signed = ["--token", token] if command in {"create", "start", "pause", "resume", "abort", "disqualify"} else []
        return skyjo("tournament", command, *arguments, "--url", server.url, *signed)

    return run


def printed(ran: Ran) -> dict[str, Any]:
    """The object that a command printed."""
    assert ran.code == 0, ran.err
    found: dict[str, Any] = json.loads(ran.out)
    return found


def test_there_is_a_command_for_everything_and_its_help_has_examples(skyjo: Skyjo) -> None:
    listed = skyjo("tournament", "--help")
    assert all(f" {command} " in listed.out for command in COMMANDS)
    assert "skyjo play BOT --tournament ID" in listed.out
    assert 'skyjo tournament create "Winter Cup"' in skyjo("tournament", "create", "--help").out


def test_an_event_goes_from_its_creation_to_an_archive_that_is_proved(organise: Organise, skyjo: Skyjo) -> None:
    cup = printed(organise("create", *CUP, "--house", "random", "--house", "greedy", "--house", "threshold", "--json"))
    assert (cup["status"], cup["entries"], cup["duplicate"], cup["rules"]["max_rounds"]) == ("entry", 3, True, 1)
    assert organise("start", cup["id"]).code == 0
    watched = organise("watch", cup["id"])
    assert "finished   round 3 of 3, 12 of 12 tables over" in watched.out
    log = [json.loads(line) for line in organise("watch", cup["id"], "--json").out.splitlines()]
    assert [event["kind"] for event in log][:: len(log) - 1] == ["created", "finished"]
    shown = organise("standings", cup["id"]).out
    assert all(head in shown for head in ("score", "95 % of a table", "wins", "points", "greedy", "random 2"))
    assert "greedy" in organise("crosstable", cup["id"]).out
    tables = printed(organise("schedule", cup["id"], "--round", "2", "--json"))["items"]
    assert [(table["round"], table["table"], table["outcome"]) for table in tables] == [
        (1, number, "finished") for number in range(4)
    ]
    assert printed(organise("export", cup["id"], "--out", "cup.zip", "--json"))["file"] == "cup.zip"
    proved = skyjo("verify", "cup.zip")
    assert (proved.code, "12 games verified" in proved.out) == (0, True)
    assert "greedy" in organise("leaderboard").out


def test_an_event_is_set_up_from_a_file_and_what_is_given_goes_before(organise: Organise, tmp_path: Path) -> None:
    (tmp_path / "cup.json").write_text(
        '{"name": "From a file", "format": "swiss", "preset": "french", "rules": {"max_rounds": 9}, "boards": 4,'
        ' "sequential": null, "house": ["random"]}'
    )
    cup = printed(
        organise("create", "--file", "cup.json", "--boards", "6", "--start-at", "2999-01-01T00:00:00Z", "--json")
    )
    assert (cup["name"], cup["boards"], cup["house"]) == ("From a file", 6, ["random"])
    assert (cup["rules"]["max_rounds"], cup["rules"]["double_on_tie"]) == (9, False)
    assert [found["id"] for found in printed(organise("list", "--status", "entry", "--json"))["items"]] == [cup["id"]]
    assert "From a file" in organise("show", cup["id"]).out


def test_a_bot_enters_leaves_and_is_taken_out(organise: Organise, skyjo: Skyjo, server: LocalServer) -> None:
    cup = printed(organise("create", *CUP, "--json"))["id"]
    with Client(server.url) as client:
        token = client.bots.register("ada").token.token
    signed = [cup, "--url", server.url, "--token", token]
    assert "ada is entry 0: active" in skyjo("tournament", "enter", *signed).out
    assert "ada is entry 0: withdrawn" in skyjo("tournament", "withdraw", *signed).out
    thrown = printed(organise("disqualify", cup, "0", "two bots of one author", "--json"))
    assert (thrown["status"], thrown["reason"]) == ("disqualified", "two bots of one author")
    assert "two bots of one author" in organise("entries", cup).out
    refused = skyjo("tournament", "enter", *signed)
    assert (refused.code, "enter another bot" in refused.err) == (1, True)


def test_a_bot_plays_an_event_with_one_command(organise: Organise, skyjo: Skyjo, server: LocalServer) -> None:
    begin = ["--entries-max", "2", "--start-when-full", "--house", "random", "--sequential", "0:50:points"]
    cup = printed(organise("create", *CUP, *begin, "--json"))
    assert cup["sequential"] == {"low": 0.0, "high": 50.0, "unit": "points", "alpha": 0.05, "beta": 0.05}
    play = skyjo("play", "threshold", "--name", "ada", "--tournament", cup["id"], "--url", server.url, "--json")
    assert printed(play)["entry"] == 1
    assert printed(organise("show", cup["id"], "--json"))["status"] == "finished"


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["create", "--format", "swiss"], 2, "no name"),
        (["create", "Cup"], 2, "no format"),
        (["create", "Cup", "--format", "league"], 2, "league"),
        (["create", "Cup", "--format", "swiss", "--sequential", "often"], 2, "LOW:HIGH"),
        (["create", "Cup", "--format", "swiss", "--start-at", "tomorrow"], 2, "start_at"),
        (["create", "--file", "nowhere.json"], 2, "No such file"),
        (["create", "--file", "odd.json"], 2, "no option 'bords'"),
        (["create", "Cup", "--format", "swiss", "--url", "http://127.0.0.1:9"], 1, "--url"),
    ],
)
def test_what_cannot_be_asked_says_what_can(
    skyjo: Skyjo, tmp_path: Path, arguments: list[str], code: int, says: str
) -> None:
    (tmp_path / "odd.json").write_text('{"name": "Cup", "format": "swiss", "bords": 2}')
    ran = skyjo("tournament", *arguments)
    assert (ran.code, ran.out) == (code, "")
    assert says in ran.err


def test_what_the_service_refuses_is_told_with_the_way_out(
    organise: Organise, skyjo: Skyjo, server: LocalServer
) -> None:
    odd = organise("create", "Cup", "--format", "swiss", "--boards", "3")
    assert (odd.code, "boards" in odd.err, "multiple of 2" in odd.err) == (1, True, True)
    nobody = skyjo("tournament", "create", "Cup", "--format", "swiss", "--url", server.url)
    assert (nobody.code, "SKYJO_TOKEN" in nobody.err) == (1, True)
    few = organise("start", printed(organise("create", *CUP, "--json"))["id"])
    assert (few.code, "house bots" in few.err) == (1, True)
