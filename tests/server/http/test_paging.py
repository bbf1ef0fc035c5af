"""Games are listed page by page: nothing that was there is skipped or told twice, whatever is created meanwhile."""

from __future__ import annotations

import base64
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import pytest
from flask import Flask

from tests.contract.document import Document
from tests.server.http.client import Client, members, places, problem_code
from tests.server.http.conftest import Player

OPEN: Final = {"kind": "open"}
GAME: Final = "00112233-4455-6677-8899-aabbccddeeff"
CREATORS: Final = 3


def create(client: Client, token: str, *seats: dict[str, Any]) -> str:
    return str(members(client.post("/v1/games", {"seats": list(seats)}, token))["id"])


def pages(client: Client, query: str) -> Iterator[list[str]]:
    """The ids of the games of each page, one page after the other."""
    cursor = ""
    while cursor is not None:
        page = members(client.get(f"/v1/games?{query}{cursor and f'&cursor={cursor}'}"))
        yield [game["id"] for game in page["items"]]
        cursor = page["next_cursor"]


def bot_seat(player: Player) -> dict[str, Any]:
    return {"kind": "bot", "bot": player.bot}


@pytest.mark.parametrize("limit", [1, 7])
@pytest.mark.parametrize("filtered", ["", "&status=open", "&bot={bot}", "&bot={bot}&status=open"])
def test_while_others_create_games_those_that_were_there_are_told_once_each(
    app: Flask, document: Document, client: Client, ada: Player, limit: int, filtered: str
) -> None:
    there = [create(client, ada.token, bot_seat(ada), OPEN) for _ in range(12)]
    done, created = threading.Event(), threading.Semaphore(0)

    def go_on_creating() -> None:
        own = Client(app, document)
        while not done.is_set():
            create(own, ada.token, bot_seat(ada), OPEN)
            created.release()

    with ThreadPoolExecutor(CREATORS) as threads:
        creating = [threads.submit(go_on_creating) for _ in range(CREATORS)]
        try:
            told: list[str] = []
            for page in pages(client, f"limit={limit}{filtered.format(bot=ada.bot)}"):
                told += page
                if there[0] in page:
                    break
                assert created.acquire(timeout=60), "others create games between one page and the next"
        finally:
            done.set()
    assert [each.result() for each in creating] == [None] * CREATORS
    assert [game for game in told if game in there] == there[::-1]
    assert len(set(told)) == len(told)


@pytest.fixture
def by_status(client: Client, organiser: str, ada: Player, bob: Player) -> dict[str, list[str]]:
    """Games of Ada's by where they stand, each list newest first."""
    table = (bot_seat(ada), bot_seat(bob))
    games = {
        "open": [create(client, organiser, bot_seat(ada), OPEN) for _ in range(3)],
        "running": [create(client, organiser, *table) for _ in range(3)],
        "finished": [create(client, organiser, *table) for _ in range(3)],
        "void": [],
        "aborted": [],
    }
    for game in games["finished"]:
        assert client.post(f"/v1/games/{game}/resignation", None, bob.token).status_code == 200
    return {status: found[::-1] for status, found in games.items()}


def test_the_filters_part_the_games_and_no_page_is_longer_than_asked_for(
    client: Client, ada: Player, bob: Player, by_status: dict[str, list[str]]
) -> None:
    for status, games in by_status.items():
        found = list(pages(client, f"bot={ada.bot}&status={status}&limit=2"))
        assert [game for page in found for game in page] == games
        assert [len(page) for page in found] == ([2, 1] if games else [0])
    whole = [game for status in ("finished", "running", "open") for game in by_status[status]]
    assert [game for page in pages(client, f"bot={ada.bot}&limit=4") for game in page] == whole
    assert next(pages(client, f"bot={bob.bot}&status=open")) == []
    assert next(pages(client, f"bot={GAME}")) == []


def test_a_page_that_is_just_full_is_the_last_one(client: Client, ada: Player) -> None:
    games = [create(client, ada.token, bot_seat(ada), OPEN) for _ in range(4)]
    assert list(pages(client, f"bot={ada.bot}&limit=2")) == [games[:1:-1], games[1::-1]]


def test_a_game_that_moves_on_keeps_its_place_between_the_pages(client: Client, ada: Player, bob: Player) -> None:
    games = [create(client, ada.token, bot_seat(ada), OPEN) for _ in range(3)]
    walk = pages(client, f"bot={ada.bot}&limit=1")
    told = next(walk)
    for game in games:
        assert client.post(f"/v1/games/{game}/seats", {}, bob.token).status_code == 201
    assert told + [game for page in walk for game in page] == games[::-1]


def cursor(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def true_cursor(client: Client, ada: Player) -> str:
    for _ in range(2):
        create(client, ada.token, bot_seat(ada), OPEN)
    return str(members(client.get(f"/v1/games?bot={ada.bot}&limit=1"))["next_cursor"])


SPOILT: Final[dict[str, Callable[[str], str]]] = {
    "empty": lambda _: "",
    "cut off": lambda true: true[:-1],
    "lengthened": lambda true: f"{true}A",
    "padded": lambda true: f"{true}=",
    "twice": lambda true: true + true,
    "in other case": str.swapcase,
    "of nothing": lambda _: cursor(""),
    "of words": lambda _: cursor("yesterday a-game"),
    "of no game": lambda _: cursor("2030-01-02T03:04:05+00:00 x"),
    "of no time": lambda _: cursor(f"2030-13-02T03:04:05+00:00 {GAME}"),
    "of a time nowhere": lambda _: cursor(f"2030-01-02T03:04:05 {GAME}"),
    "in another spelling": lambda _: cursor(f"2030-01-02 03:04:05+00:00 {GAME}"),
    "of more": lambda _: cursor(f"2030-01-02T03:04:05+00:00 {GAME} 1"),
    "of NUL": lambda _: cursor(f"2030-01-02T03:04:05+00:00 {GAME}\0"),
    "not UTF-8": lambda _: base64.urlsafe_b64encode(b"\xff" * 60).decode(),
    "a game": lambda _: GAME,
    "long": lambda true: true * 100,
}


@pytest.mark.parametrize("how", SPOILT)
def test_a_cursor_that_is_none_of_this_list_is_refused(client: Client, ada: Player, how: str) -> None:
    true = true_cursor(client, ada)
    assert client.get(f"/v1/games?cursor={true}").status_code == 200
    answer = client.get("/v1/games", query_string={"cursor": SPOILT[how](true)})
    assert answer.status_code == 422
    assert (problem_code(answer), places(answer)) == ("invalid-request", ["cursor"])


@pytest.mark.parametrize(
    "moment",
    [
        "0001-01-01T00:00:00+00:00",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59.999999+00:00",
        "9999-12-31T23:59:59-14:00",
        "2030-01-02T03:04:05+23:59",
        "2030-01-02T03:04:05-23:59",
        "2030-01-02T03:04:05+00:00:00.000001",
    ],
)
def test_a_forged_cursor_is_a_place_in_the_list_or_none_and_never_a_fault(client: Client, moment: str) -> None:
    answer = client.get(f"/v1/games?cursor={cursor(f'{moment} {GAME}')}")
    assert answer.status_code in {200, 422}


@pytest.mark.parametrize("limit", ["0", "-1", "101", "1.0", "1e1", "", "x", "²", "01", "+1"])
def test_a_limit_that_is_none_is_refused(client: Client, limit: str) -> None:
    answer = client.get("/v1/games", query_string={"limit": limit})
    assert (answer.status_code, places(answer)) == (422, ["limit"])


def test_a_page_has_twenty_games_unless_another_number_up_to_a_hundred_is_asked_for(
    client: Client, ada: Player
) -> None:
    for _ in range(21):
        create(client, ada.token, bot_seat(ada), OPEN)
    assert len(next(pages(client, f"bot={ada.bot}"))) == 20
    assert len(next(pages(client, f"bot={ada.bot}&limit=100"))) == 21
