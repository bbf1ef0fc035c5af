"""What anybody may read of a tournament: schedule, standings, crosstable, log, archive; by page, and in every form."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final
from uuid import UUID

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from skyjo_server.app import Service
from skyjo_server.service.arena import FOLLOWERS
from skyjo_server.service.model import Scope
from skyjo_server.service.tournament_follow import PAGE_EVENTS
from skyjo_server.service.tournament_sheets import STANDING_COLUMNS
from tests.contract.document import Document
from tests.server.http.client import Client, members, places, problem_code
from tests.server.http.conftest import Player
from tests.server.http.cups import HOUSE, begin, move_on, new_cup, play_out, walk

NOBODY: Final = UUID(int=1)
LISTS: Final = ("", "/entries", "/tables", "/standings", "leaderboard")
"""Lists with a cursor: those of one tournament, that of all of them, and the leaderboard."""


@pytest.fixture(scope="module")
def over(app: Flask, document: Document, shared_service: Service) -> dict[str, Any]:
    """A tournament of five bots of the house that is over."""
    client, token = Client(app, document), shared_service.arena.grant_token(Scope.ORGANISER).secret
    cup = new_cup(client, token, house=[*HOUSE, "threshold"])
    begin(client, token, cup)
    return play_out(client, shared_service, cup)


def of(cup: dict[str, Any], part: str = "") -> str:
    return f"/v1/tournaments/{cup['id']}{part}"


def address(cup: dict[str, Any], part: str) -> str:
    """Where a list is."""
    return "/v1/tournaments" if not part else of(cup, part) if part.startswith("/") else f"/v1/{part}"


def test_the_schedule_is_told_in_order_and_by_what_is_asked_for(client: Client, over: dict[str, Any]) -> None:
    tables = members(client.get(of(over, "/tables?limit=1000")))["items"]
    assert [(table["round"], table["table"]) for table in tables] == sorted(
        (table["round"], table["table"]) for table in tables
    )
    assert len(tables) == over["progress"]["tables_total"]
    assert {table["outcome"] for table in tables} == {"finished"}
    assert all(seat["cause"] == "finished" and seat["rank"] for table in tables for seat in table["seats"])
    of_two = members(client.get(of(over, "/tables?entry=2&round=0&outcome=finished&limit=1000")))["items"]
    first = [table for table in tables if table["round"] == 0]
    assert of_two == [table for table in first if 2 in [seat["entry"] for seat in table["seats"]]]
    assert members(client.get(of(over, "/tables?outcome=playing")))["items"] == []


def test_the_standings_are_a_ranking_whose_sums_are_those_of_the_schedule(client: Client, over: dict[str, Any]) -> None:
    rows = members(client.get(of(over, "/standings")))["items"]
    tables = members(client.get(of(over, "/tables?limit=1000")))["items"]
    assert [row["rank"] for row in rows] == [1, 2, 3, 4, 5]
    assert {row["entry"] for row in rows} == {0, 1, 2, 3, 4}
    scores = [row["score"] for row in rows]
    assert scores == sorted(scores, reverse=True)
    for row in rows:
        own = [table for table in tables if row["entry"] in [seat["entry"] for seat in table["seats"]]]
        assert row["tables"] == row["causes"]["finished"] == sum(row["seats"]) == len(own)
        assert row["wins"] == sum(_rank(table, row["entry"]) == 1 and not _is_shared(table) for table in own)
        assert row["house"] is not None
        assert row["bot"] is None


def test_the_crosstable_agrees_with_itself_and_with_the_standings(client: Client, over: dict[str, Any]) -> None:
    found = members(client.get(of(over, "/crosstable")))
    assert found["entries"] == members(client.get(of(over, "/standings")))["items"]
    for one, row in enumerate(found["cells"]):
        assert row[one] is None
        for other, cell in enumerate(row):
            back = found["cells"][other][one]
            if cell is not None:
                assert cell["tables"] == back["tables"] == cell["score"] + back["score"]
                assert cell["margin"] == -back["margin"]
        assert sum(cell["tables"] for cell in row if cell) == found["entries"][one]["tables"]


def test_standings_and_crosstable_come_as_sheets_too(client: Client, over: dict[str, Any]) -> None:
    wanted = {"Accept": "text/csv"}
    answer = client.get(of(over, "/standings"), headers=wanted)
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8; header=present"
    assert "Accept" in answer.headers["Vary"]
    sheet = list(csv.DictReader(io.StringIO(answer.text, newline="")))
    rows = members(client.get(of(over, "/standings")))["items"]
    assert list(sheet[0]) == list(STANDING_COLUMNS)
    assert [(each["rank"], each["name"], float(each["score"])) for each in sheet] == [
        (str(row["rank"]), row["name"], row["score"]) for row in rows
    ]
    crosstable = list(csv.reader(io.StringIO(client.get(of(over, "/crosstable"), headers=wanted).text, newline="")))
    assert [line[0] for line in crosstable] == ["rank", "1", "2", "3", "4", "5"]
    assert {len(line) for line in crosstable} == {9}


@pytest.mark.parametrize("part", ["/standings", "/crosstable", "/events"])
def test_a_form_that_there_is_not_is_refused(client: Client, over: dict[str, Any], part: str) -> None:
    assert problem_code(client.get(of(over, part), headers={"Accept": "image/png"})) == "not-acceptable"


def test_a_sheet_says_where_the_next_page_is(client: Client, over: dict[str, Any]) -> None:
    ranks, path = [], of(over, "/standings?limit=2")
    while path:
        answer = client.get(path, headers={"Accept": "text/csv"})
        ranks += [row["rank"] for row in csv.DictReader(io.StringIO(answer.text, newline=""))]
        path = answer.headers.get("Link", "<>").partition(">")[0].removeprefix("<")
    assert ranks == ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize("part", LISTS)
def test_pages_of_any_length_give_the_whole_list(client: Client, over: dict[str, Any], part: str) -> None:
    whole = [item for page in walk(client, address(over, part), "limit=100") for item in page]
    assert len(whole) >= (1 if not part else 3)
    for limit in (1, 2, len(whole)):
        pages = list(walk(client, address(over, part), f"limit={limit}"))
        assert [item for page in pages for item in page] == whole
        assert all(len(page) == limit for page in pages[:-1])


@pytest.mark.parametrize("cursor", ["x", "MA", "MCAw", "LTE", "bmFu", "OTk5OTk5OTk5OTk5OTk5OTk5", "a" * 200])
@pytest.mark.parametrize("part", LISTS)
def test_a_cursor_of_another_list_is_refused_or_is_a_place_in_this_one(
    client: Client, over: dict[str, Any], part: str, cursor: str
) -> None:
    answer = client.get(address(over, part), query_string={"cursor": cursor})
    assert answer.status_code == 200 or (problem_code(answer), places(answer)) == ("invalid-request", ["cursor"])


def test_the_log_is_told_without_gaps_from_any_place(client: Client, over: dict[str, Any]) -> None:
    page = members(client.get(of(over, "/events?limit=1000")))
    assert [event["version"] for event in page["events"]] == list(range(over["version"] + 1))
    assert (page["version"], page["status"]) == (over["version"], "finished")
    assert page["events"][0]["kind"] == "created"
    assert {event["tournament"] for event in page["events"]} == {over["id"]}
    some = members(client.get(of(over, "/events?after=2&limit=3")))
    assert some["events"] == page["events"][3:6]
    assert members(client.get(of(over, f"/events?after={over['version']}&wait=30")))["events"] == []


def test_whoever_waits_for_the_log_is_told_as_soon_as_something_happens(
    client: Client, app: Flask, document: Document, organiser: str, ada: Player
) -> None:
    cup = new_cup(client, organiser)
    with ThreadPoolExecutor(1) as thread:
        waiting = thread.submit(Client(app, document).get, of(cup, f"/events?after={cup['version']}&wait=30"))
        assert client.post(of(cup, "/entries"), None, ada.token).status_code == 201
        (event,) = members(waiting.result())["events"]
    assert (event["kind"], event["data"]["bot"]) == ("entered", ada.bot)


def stream(app: Flask, cup: dict[str, Any], **headers: str) -> Iterator[dict[str, str]]:
    """The events of a stream as they come; a comment is an empty one."""
    answer: TestResponse = app.test_client().get(of(cup, "/events"), headers={"Accept": "text/event-stream", **headers})
    assert answer.content_type == "text/event-stream"
    for chunk in answer.iter_encoded():
        for block in chunk.decode().removesuffix("\n\n").split("\n\n"):
            yield dict(line.split(": ", 1) for line in block.split("\n") if not line.startswith(":"))


def test_a_stream_gives_what_the_log_gives_and_says_when_it_is_over(
    app: Flask, client: Client, over: dict[str, Any]
) -> None:
    wanted = members(client.get(of(over, "/events?limit=1000")))["events"]
    *told, end = stream(app, over)
    assert [json.loads(event["data"]) for event in told] == wanted
    assert (end["event"], json.loads(end["data"])) == ("end", {"version": over["version"], "status": "finished"})
    again = list(stream(app, over, **{"Last-Event-ID": told[-2]["id"]}))
    assert again == [told[-1], end]


def test_a_stream_goes_on_with_what_happens_until_the_end(
    app: Flask, client: Client, organiser: str, ada: Player
) -> None:
    cup = new_cup(client, organiser)
    events = stream(app, cup)
    assert json.loads(next(events)["data"])["kind"] == "created"
    client.post(of(cup, "/entries"), None, ada.token)
    assert json.loads(next(events)["data"])["kind"] == "entered"
    client.post(of(cup, "/abortion"), None, organiser)
    assert [event.get("event") for event in events][-1] == "end"


def test_a_long_log_is_streamed_to_its_last_event(app: Flask, client: Client, organiser: str, ada: Player) -> None:
    cup = new_cup(client, organiser)
    for _ in range(PAGE_EVENTS // 2 + 1):
        assert client.post(of(cup, "/entries"), None, ada.token).status_code == 201
        assert client.post(of(cup, "/withdrawal"), None, ada.token).status_code == 200
    version = members(client.post(of(cup, "/abortion"), None, organiser))["version"]
    assert version > PAGE_EVENTS
    *told, end = stream(app, cup)
    assert [int(event["id"]) for event in told] == list(range(version + 1))
    assert end["event"] == "end"


def test_whoever_asks_for_the_headers_of_a_stream_alone_keeps_no_place(app: Flask, over: dict[str, Any]) -> None:
    for _ in range(FOLLOWERS + 1):
        answer = app.test_client().head(of(over, "/events"), headers={"Accept": "text/event-stream"})
        assert answer.status_code == 200


def test_the_archive_holds_what_the_api_tells(client: Client, over: dict[str, Any]) -> None:
    answer = client.get(of(over, "/export"))
    assert answer.headers["Content-Type"] == "application/zip"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="tournament-{over["id"]}.zip"'
    with zipfile.ZipFile(io.BytesIO(answer.data)) as archive:
        assert archive.testzip() is None
        told = json.loads(archive.read("tournament.json"))
        assert {name: told[name] for name in over} == over
        tables = members(client.get(of(over, "/tables?limit=1000")))["items"]
        assert json.loads(archive.read("tables.json")) == tables
        standings = members(client.get(of(over, "/standings")))["items"]
        assert json.loads(archive.read("standings.json")) == standings
        sheet = client.get(of(over, "/standings"), headers={"Accept": "text/csv"})
        assert archive.read("standings.csv") == sheet.data
        games = {name for name in archive.namelist() if name.startswith("games/")}
        assert games == {f"games/{table['game']}.skyjo" for table in tables}


@pytest.mark.parametrize("part", ["", "/entries", "/tables", "/standings", "/crosstable", "/events", "/export"])
def test_a_tournament_that_is_not_there_is_found_nowhere(client: Client, part: str) -> None:
    assert problem_code(client.get(f"/v1/tournaments/{NOBODY}{part}")) == "not-found"


def test_the_leaderboard_ranks_whoever_has_played(client: Client, over: dict[str, Any]) -> None:
    rows = members(client.get("/v1/leaderboard"))["items"]
    assert [row["rank"] for row in rows] == list(range(1, len(rows) + 1))
    assert {row["house"] for row in rows} >= set(over["house"])
    assert all(row["games"] > 0 and row["rating"] < row["mu"] for row in rows)


def test_while_a_board_is_in_play_elsewhere_its_results_are_told_nowhere(
    client: Client, organiser: str, ada: Player, shared_service: Service
) -> None:
    cup = new_cup(client, organiser, house=["random", "threshold"], boards=1)
    client.post(of(cup, "/entries"), None, ada.token)
    begin(client, organiser, cup)
    move_on(shared_service)
    hidden = [table for table in members(client.get(of(cup, "/tables")))["items"] if table["embargoed"]]
    assert hidden
    for table in hidden:
        assert table["board"] is None
        assert {(seat["total"], seat["rank"], seat["cause"]) for seat in table["seats"]} == {(None, None, None)}
    with zipfile.ZipFile(io.BytesIO(client.get(of(cup, "/export")).data)) as archive:
        games = {name for name in archive.namelist() if name.startswith("games/")}
    assert not games & {f"games/{table['game']}.skyjo" for table in hidden}


def _rank(table: dict[str, Any], entry: int) -> int:
    return next(int(seat["rank"]) for seat in table["seats"] if seat["entry"] == entry)


def _is_shared(table: dict[str, Any]) -> bool:
    return [seat["rank"] for seat in table["seats"]].count(1) > 1
