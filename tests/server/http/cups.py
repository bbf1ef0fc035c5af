"""Tournaments over HTTP, for tests that need one: set up, and moved on by hand. Expects nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from skyjo_server.app import Service
from tests.server.http.client import Client, members

SHORT: Final = {"score_limit": None, "max_rounds": 1}
"""Rules of a game that is over soon."""

HOUSE: Final = ["threshold", "random", "greedy", "random"]


def new_cup(client: Client, token: str, **options: Any) -> dict[str, Any]:
    """A tournament of short games, open for entries; a round robin on duplicate boards unless told otherwise."""
    usual = {"name": "Cup", "format": "round-robin", "duplicate": True, "rules": SHORT}
    answer = client.post("/v1/tournaments", usual | options, token)
    assert answer.status_code == 201, answer.data
    return members(answer)


def begin(client: Client, token: str, cup: dict[str, Any]) -> None:
    assert client.post(f"/v1/tournaments/{cup['id']}/start", None, token).status_code == 200


def move_on(service: Service) -> None:
    """Do once what the threads of a process do all the time."""
    service.arena.runner.turn()
    while service.arena.sweeper.turn():
        pass


def play_out(client: Client, service: Service, cup: dict[str, Any]) -> dict[str, Any]:
    """Move a tournament of house bots on until it is over and ranked; gives it as it is then."""
    found = cup
    for _ in range(200):
        move_on(service)
        found = members(client.get(f"/v1/tournaments/{cup['id']}"))
        if found["seed"] is not None:
            service.arena.runner.turn()
            return found
    raise AssertionError(f"it is not over: {found}")


def walk(client: Client, path: str, query: str = "") -> Iterator[list[dict[str, Any]]]:
    """The items of each page of a list, one page after the other."""
    cursor: str | None = ""
    while cursor is not None:
        page = members(client.get(f"{path}?{query}{cursor and f'&cursor={cursor}'}"))
        yield page["items"]
        cursor = page["next_cursor"]
