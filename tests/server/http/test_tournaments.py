"""Tournaments over HTTP: set up as asked for or refused by name, entered, steered, and run to their end."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from skyjo import RuleSet
from skyjo.boards import event_commitment
from skyjo_server.app import Service
from tests.server.http.client import Client, members, places, problem_code
from tests.server.http.conftest import Player
from tests.server.http.cups import HOUSE, begin, move_on, new_cup, play_out


def test_a_tournament_is_set_up_as_it_was_asked_for(client: Client, organiser: str) -> None:
    wanted = {
        "name": "Winter Cup",
        "format": "gauntlet",
        "table_size": 3,
        "boards": 5,
        "rounds": 2,
        "duplicate": True,
        "scoring": "points",
        "entries_max": 64,
        "entries_per_owner": 2,
        "challengers": 2,
        "tables_max": 500,
        "tables_at_once": 8,
        "preset": "french",
        "move_seconds": 1.5,
        "bank_seconds": 0,
        "on_timeout": "forfeit",
        "max_timeouts": 1,
        "house": ["greedy", "greedy"],
        "filler": "random",
        "start_at": "2999-01-02T03:04:05.000000Z",
        "start_when_full": True,
        "closes_at": "2999-01-01T00:00:00.000000Z",
        "late_entry": True,
    }
    answer = client.post("/v1/tournaments", {**wanted, "rules": {"score_limit": 50}}, organiser)
    made = members(answer)
    assert {name: made[name] for name in wanted} == {**wanted, "preset": None}
    assert made["rules"] == {**RuleSet.preset("french").to_dict(), "score_limit": 50, "draw_streams": "per_seat"}
    assert (made["status"], made["entries"], made["seed"], made["verdict"]) == ("entry", 2, None, None)
    assert answer.headers["Location"] == f"/v1/tournaments/{made['id']}"
    assert members(client.get(answer.headers["Location"])) == made


def test_what_is_left_out_is_usual(client: Client, organiser: str) -> None:
    made = members(client.post("/v1/tournaments", {"name": "Cup", "format": "swiss"}, organiser))
    assert (made["table_size"], made["boards"], made["rounds"], made["duplicate"]) == (2, 2, None, False)
    assert (made["preset"], made["move_seconds"], made["bank_seconds"]) == ("classic", 10, 60)
    assert (made["entries"], made["house"], made["filler"], made["sequential"]) == (0, [], None, None)


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("2030-01-02T03:04:05Z", "2030-01-02T03:04:05.000000Z"),
        ("2030-01-02t03:04:05.25z", "2030-01-02T03:04:05.250000Z"),
        ("2030-01-02T00:30:00+01:00", "2030-01-01T23:30:00.000000Z"),
        ("2999-12-31T23:59:59-12:00", "3000-01-01T11:59:59.000000Z"),
    ],
)
def test_a_point_in_time_may_be_sent_with_any_offset(client: Client, organiser: str, sent: str, kept: str) -> None:
    assert new_cup(client, organiser, closes_at=sent)["closes_at"] == kept


def test_a_creation_that_is_sent_again_makes_no_second_tournament(client: Client, organiser: str) -> None:
    def create(**options: Any) -> Any:
        body = {"name": "Cup", "format": "swiss", "house": ["greedy"], **options}
        return client.post("/v1/tournaments", body, organiser, headers={"Idempotency-Key": "k-1"})

    first, again, other = create(), create(), create(boards=4)
    assert (again.status_code, again.data) == (201, first.data)
    assert problem_code(other) == "idempotency-key-reused"


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ({"format": "swiss", "boards": 3}, "/boards"),
        ({"format": "ladder", "boards": 2, "table_size": 3}, "/boards"),
        ({"format": "knockout", "table_size": 3, "boards": 3}, "/table_size"),
        ({"format": "knockout", "rounds": 3}, "/rounds"),
        ({"format": "ladder", "duplicate": True}, "/duplicate"),
        ({"format": "gauntlet", "duplicate": True}, "/duplicate"),
        ({"table_size": 3, "sequential": {}}, "/sequential"),
        ({"sequential": {"low": 10, "high": 10}, "entries_max": 2}, "/sequential"),
        ({"sequential": {}, "entries_max": 3}, "/entries_max"),
        ({"start_when_full": True}, "/start_when_full"),
        ({"entries_max": 2, "table_size": 3}, "/entries_max"),
        ({"format": "gauntlet", "entries_max": 3, "challengers": 3}, "/entries_max"),
        ({"boards": 1000}, "/boards"),
        ({"rounds": 1000}, "/rounds"),
        ({"boards": 1000, "rounds": 1000, "entries_max": 2}, "/rounds"),
        ({"entries_max": 2, "house": ["greedy"] * 3}, "/house"),
    ],
)
def test_options_that_do_not_go_together_are_refused_by_name(
    client: Client, organiser: str, options: dict[str, Any], place: str
) -> None:
    answer = client.post("/v1/tournaments", {"name": "Cup", "format": "round-robin", **options}, organiser)
    assert (problem_code(answer), places(answer)) == ("invalid-request", [place])


@pytest.mark.parametrize(
    ("rules", "option"), [({"score_limit": None}, "max_rounds"), ({"max_turns_per_seat": None}, "max_turns_per_seat")]
)
def test_rules_that_have_no_end_are_refused_by_name(
    client: Client, organiser: str, rules: dict[str, Any], option: str
) -> None:
    answer = client.post("/v1/tournaments", {"name": "Cup", "format": "swiss", "rules": rules}, organiser)
    assert (problem_code(answer), members(answer)["option"]) == ("invalid-rules", option)


def test_a_tournament_that_is_full_of_house_bots_begins_at_once(client: Client, organiser: str) -> None:
    cup = new_cup(client, organiser, house=HOUSE, entries_max=len(HOUSE), start_when_full=True)
    assert cup["status"] == "running"


def test_bots_of_the_house_play_a_tournament_to_its_end_by_themselves(
    client: Client, organiser: str, shared_service: Service
) -> None:
    cup = new_cup(client, organiser, house=HOUSE, entries_max=4)
    begin(client, organiser, cup)
    over = play_out(client, shared_service, cup)
    assert over["status"] == "finished"
    assert {name: over["progress"][name] for name in ("tables_total", "tables_over", "tables_playing")} == {
        "tables_total": 12,
        "tables_over": 12,
        "tables_playing": 0,
    }
    assert event_commitment(bytes.fromhex(over["seed"]), UUID(cup["id"])).hex() == cup["commitment"]


def test_a_tournament_that_is_full_begins_by_itself_and_its_games_come_by_the_inbox(
    client: Client, organiser: str, ada: Player, bob: Player, shared_service: Service
) -> None:
    cup = new_cup(client, organiser, entries_max=2, start_when_full=True)
    path = f"/v1/tournaments/{cup['id']}"
    for number, player in enumerate((ada, bob)):
        entered = client.post(f"{path}/entries", None, player.token)
        assert entered.status_code == 201
        assert (members(entered)["number"], members(entered)["bot"]) == (number, player.bot)
    assert members(client.get(path))["status"] == "running"
    move_on(shared_service)
    waiting = members(client.get("/v1/turns", ada.token))["decisions"]
    games = members(client.get(f"/v1/games?tournament={cup['id']}"))["items"]
    assert {seen["game"] for seen in waiting} <= {game["id"] for game in games}
    assert {game["tournament"] for game in games} == {cup["id"]}
    tables = members(client.get(f"{path}/tables?outcome=playing"))["items"]
    assert {table["game"] for table in tables} == {game["id"] for game in games}


def test_who_has_entered_twice_is_entered_once_and_who_has_withdrawn_may_come_back_before_it_begins(
    client: Client, organiser: str, ada: Player
) -> None:
    cup = new_cup(client, organiser, house=["greedy", "random"])
    path = f"/v1/tournaments/{cup['id']}"
    first = client.post(f"{path}/entries", {}, ada.token)
    again = client.post(f"{path}/entries", {"bot": ada.bot}, ada.token)
    assert (again.status_code, again.data) == (201, first.data)
    left = members(client.post(f"{path}/withdrawal", None, ada.token))
    assert (left["status"], left["reason"]) == ("withdrawn", "withdrawn")
    assert members(client.post(f"{path}/entries", None, ada.token))["status"] == "active"
    assert client.post(f"{path}/withdrawal", None, ada.token).status_code == 200
    begin(client, organiser, cup)
    refused = client.post(f"{path}/entries", None, ada.token)
    assert problem_code(refused) == "entry-closed"
    assert members(client.get(path))["entries"] == 3


@pytest.mark.parametrize("what", ["entries", "withdrawal"])
def test_whose_token_plays_for_no_bot_must_name_one(client: Client, organiser: str, what: str) -> None:
    answer = client.post(f"/v1/tournaments/{new_cup(client, organiser)['id']}/{what}", {}, organiser)
    assert problem_code(answer) == "invalid-request"
    assert [error["place"] for error in members(answer)["errors"]] == ["/bot"]


def test_who_was_disqualified_cannot_come_back_and_everybody_reads_why(
    client: Client, organiser: str, ada: Player
) -> None:
    cup = new_cup(client, organiser)
    path = f"/v1/tournaments/{cup['id']}"
    client.post(f"{path}/entries", None, ada.token)
    why = "Zwei Bots – eine Autorin"
    out = members(client.post(f"{path}/disqualifications", {"entry": 0, "reason": why}, organiser))
    assert (out["status"], out["reason"]) == ("disqualified", why)
    assert members(client.get(f"{path}/entries"))["items"] == [out]
    refused = client.post(f"{path}/entries", None, ada.token)
    assert (problem_code(refused), members(refused)["entry"]) == ("already-entered", 0)


def test_a_tournament_pauses_goes_on_and_ends_as_its_organiser_says(
    client: Client, organiser: str, ada: Player, bob: Player, shared_service: Service
) -> None:
    cup = new_cup(client, organiser)
    path = f"/v1/tournaments/{cup['id']}"
    early = client.post(f"{path}/start", None, organiser)
    assert problem_code(early) == "too-few-entries"
    for player in (ada, bob):
        client.post(f"{path}/entries", None, player.token)
    states = []
    for how in ("start", "pause", "pause", "resume", "resume", "abortion", "abortion"):
        states.append(members(client.post(f"{path}/{how}", None, organiser))["status"])
        move_on(shared_service)
    assert states == ["running", "paused", "paused", "running", "running", "aborted", "aborted"]
    over = play_out(client, shared_service, cup)
    assert (over["status"], over["progress"]["tables_playing"]) == ("aborted", 0)
    assert problem_code(client.post(f"{path}/start", None, organiser)) == "tournament-over"


def test_a_table_that_is_declared_void_is_played_again(
    client: Client, organiser: str, ada: Player, bob: Player, shared_service: Service
) -> None:
    cup = new_cup(client, organiser)
    path = f"/v1/tournaments/{cup['id']}"
    for player in (ada, bob):
        client.post(f"{path}/entries", None, player.token)
    begin(client, organiser, cup)
    move_on(shared_service)
    void = members(client.post(f"{path}/tables/0/0/void", None, organiser))
    assert (void["attempt"], void["outcome"]) == (0, "void")
    assert members(client.get(f"/v1/games/{void['game']}"))["status"] == "void"
    move_on(shared_service)
    attempts = members(client.get(f"{path}/tables?round=0&entry=0"))["items"]
    again = [table for table in attempts if table["table"] == 0 and table["attempt"] == 1]
    assert [table["outcome"] for table in again] == ["playing"]


def test_a_match_of_two_with_a_test_says_where_the_test_stands(
    client: Client, organiser: str, shared_service: Service
) -> None:
    test = {"low": -20, "high": 300, "unit": "points", "alpha": 0.1, "beta": 0.2}
    cup = new_cup(client, organiser, house=["greedy", "random"], entries_max=2, boards=6, sequential=test)
    assert cup["sequential"] == test
    begin(client, organiser, cup)
    over = play_out(client, shared_service, cup)
    assert over["verdict"]["decision"] in {"continue", "first", "not-first"}
    assert over["verdict"]["boards"] > 0
