"""What is asked of tournaments, as any viewer: reading everything, and whatever is refused or changes nothing.

A tournament stands by that is full and has not begun; nobody steers it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from skyjo_server.service.tournament_options import options_to_dict
from tests.acceptance.leaks.entries import entry
from tests.acceptance.leaks.people import EVENT, EVENT_KEY
from tests.acceptance.leaks.sights import NOBODY, Sight
from tests.acceptance.leaks.worlds import Ask

READ_ONE_IN: Final = 20
REFUSED_ONE_IN: Final = 24
EVENTS: Final = "/v1/tournaments"


def _path(sight: Sight, part: str = "") -> str:
    return f"{EVENTS}/{sight.people.event.id}{part}"


def _read(sight: Sight, part: str, *queries: str, **headers: str) -> Iterator[Ask]:
    """A part of the tournament, in several ways; and of one that is not there."""
    if sight.once_in(READ_ONE_IN):
        yield sight.get(_path(sight, part), **headers)
        for query in queries:
            yield sight.get(_path(sight, part), query)
        yield sight.get(f"{EVENTS}/{NOBODY}{part}")


def _steer(sight: Sight, part: str, body: object = None) -> Iterator[Ask]:
    """A command that is refused: of somebody who may give none, or about a tournament that is not there."""
    if sight.once_in(REFUSED_ONE_IN):
        yield sight.post(f"{EVENTS}/{NOBODY}{part}", body)
        if not sight.people.may_steer(sight.person):
            yield sight.post(_path(sight, part), body)


@entry("GET /v1/tournaments")
def _list(sight: Sight) -> Iterator[Ask]:
    if sight.once_in(READ_ONE_IN):
        yield sight.get(EVENTS)
        yield sight.get(EVENTS, "status=entry&limit=1")
        yield sight.get(EVENTS, "status=running&cursor=none")


@entry("POST /v1/tournaments")
def _create(sight: Sight) -> Iterator[Ask]:
    if sight.once_in(REFUSED_ONE_IN):
        options = options_to_dict(EVENT)
        again = {"name": options["name"], **options["shape"]}
        if not sight.people.may_steer(sight.person) or sight.person.owner == sight.people.owner:
            yield sight.post(EVENTS, again, Idempotency_Key=EVENT_KEY)
            yield sight.post(EVENTS, again | {"boards": 4}, Idempotency_Key=EVENT_KEY)
        yield sight.post(EVENTS, again | {"boards": 3}, Idempotency_Key="never-seen")


@entry("GET /v1/tournaments/{tournament_id}")
def _tournament(sight: Sight) -> Iterator[Ask]:
    yield from _read(sight, "")


@entry("POST /v1/tournaments/{tournament_id}/entries")
def _enter(sight: Sight) -> Iterator[Ask]:
    """Whoever is in enters again; for others there is no place."""
    if sight.once_in(REFUSED_ONE_IN):
        yield sight.post(_path(sight, "/entries"))
        yield sight.post(_path(sight, "/entries"), {"bot": str(sight.others[0] if sight.others else NOBODY)})
        yield sight.post(f"{EVENTS}/{NOBODY}/entries")


@entry("GET /v1/tournaments/{tournament_id}/entries")
def _entries(sight: Sight) -> Iterator[Ask]:
    yield from _read(sight, "/entries", "limit=1", "cursor=none")


@entry("POST /v1/tournaments/{tournament_id}/withdrawal")
def _withdraw(sight: Sight) -> Iterator[Ask]:
    if sight.once_in(REFUSED_ONE_IN):
        yield sight.post(f"{EVENTS}/{NOBODY}/withdrawal")
        if sight.person not in sight.people.entered:
            yield sight.post(_path(sight, "/withdrawal"))


@entry("POST /v1/tournaments/{tournament_id}/disqualifications")
def _disqualify(sight: Sight) -> Iterator[Ask]:
    yield from _steer(sight, "/disqualifications", {"entry": 0, "reason": "none"})
    if sight.once_in(REFUSED_ONE_IN):
        yield sight.post(_path(sight, "/disqualifications"), {"entry": 99, "reason": "not there"})


@entry("POST /v1/tournaments/{tournament_id}/start")
def _start(sight: Sight) -> Iterator[Ask]:
    yield from _steer(sight, "/start")


@entry("POST /v1/tournaments/{tournament_id}/pause")
def _pause(sight: Sight) -> Iterator[Ask]:
    yield from _steer(sight, "/pause")


@entry("POST /v1/tournaments/{tournament_id}/resume")
def _resume(sight: Sight) -> Iterator[Ask]:
    yield from _steer(sight, "/resume")


@entry("POST /v1/tournaments/{tournament_id}/abortion")
def _abort(sight: Sight) -> Iterator[Ask]:
    yield from _steer(sight, "/abortion")


@entry("GET /v1/tournaments/{tournament_id}/tables")
def _tables(sight: Sight) -> Iterator[Ask]:
    yield from _read(sight, "/tables", "round=0&entry=1&outcome=playing&limit=1", "cursor=none")


@entry("POST /v1/tournaments/{tournament_id}/tables/{round_number}/{table_number}/void")
def _void(sight: Sight) -> Iterator[Ask]:
    yield from _steer(sight, "/tables/0/0/void")


@entry("GET /v1/tournaments/{tournament_id}/standings")
def _standings(sight: Sight) -> Iterator[Ask]:
    accept = sight.rng.choice(("application/json", "text/csv"))
    yield from _read(sight, "/standings", "limit=1", "cursor=none", Accept=accept)


@entry("GET /v1/tournaments/{tournament_id}/crosstable")
def _crosstable(sight: Sight) -> Iterator[Ask]:
    yield from _read(sight, "/crosstable", Accept=sight.rng.choice(("application/json", "text/csv")))


@entry("GET /v1/tournaments/{tournament_id}/events")
def _events(sight: Sight) -> Iterator[Ask]:
    yield from _read(sight, "/events", "after=0&limit=2", "after=0&wait=5", Accept="application/json")
    if sight.once_in(READ_ONE_IN):
        path = _path(sight, "/events")
        last = str(sight.people.event.version)
        yield replace(sight.get(path, f"after={last}&wait=0.001"), counted=False)
        for headers in ({}, {"Last_Event_ID": "0"}):
            yield replace(sight.get(path, **headers, Accept="text/event-stream"), chunks=1)


@entry("GET /v1/tournaments/{tournament_id}/export")
def _export(sight: Sight) -> Iterator[Ask]:
    yield from _read(sight, "/export")


@entry("GET /v1/leaderboard")
def _leaderboard(sight: Sight) -> Iterator[Ask]:
    if sight.once_in(READ_ONE_IN):
        yield sight.get("/v1/leaderboard", "limit=3")
        yield sight.get("/v1/leaderboard", "cursor=none")
