"""The little service in HTTP: from a request to an answer. It has no sockets and decides nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

import httpx

from tests.sdk.little.problems import Refusal
from tests.sdk.little.service import LittleService, Token
from tests.sdk.little.table import Table

Answer = tuple[int, Any, dict[str, str]]
Route = Callable[["Exchange"], Answer]


class Exchange:
    """A request, taken apart for its route."""

    def __init__(self, service: LittleService, request: httpx.Request, ids: tuple[str, ...]) -> None:
        self.service = service
        self.ids = ids
        self.query = request.url.params
        self.headers = request.headers
        self.body: Mapping[str, Any] = json.loads(request.content or b"{}")
        _, _, secret = self.headers.get("Authorization", "").partition(" ")
        self.maybe_caller = service.caller(secret or None)

    @property
    def caller(self) -> Token:
        if self.maybe_caller is None:
            raise Refusal("unauthenticated", "this needs a token")
        return self.maybe_caller

    @property
    def table(self) -> Table:
        return self.service.table(self.ids[0])

    @property
    def seat(self) -> int | None:
        caller = self.maybe_caller
        return None if caller is None else self.table.seat_of(self.query.get("bot", caller.bot))

    def limit(self, usual: int) -> int:
        return int(self.query.get("limit", usual))


class LittleApp:
    """Answers requests, and keeps them for tests to look at."""

    def __init__(self, service: LittleService | None = None) -> None:
        self.service = service or LittleService()
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        try:
            status, content, headers = self._answer(request)
        except Refusal as refusal:
            status, content, headers = refusal.status, refusal.to_dict(), {"Content-Type": "application/problem+json"}
        headers = {"Skyjo-Api-Version": "1", "X-Request-Id": f"r{len(self.requests)}", **headers}
        if isinstance(content, str):
            return httpx.Response(status, text=content, headers=headers)
        if content is None:
            return httpx.Response(status, headers=headers)
        return httpx.Response(status, json=content, headers=headers)

    def _answer(self, request: httpx.Request) -> Answer:
        for method, pattern, route in ROUTES:
            match = re.fullmatch(pattern, request.url.path)
            if match and method == request.method:
                return route(Exchange(self.service, request, match.groups()))
        raise Refusal("not-found")


def register(exchange: Exchange) -> Answer:
    return 201, exchange.service.register(exchange.maybe_caller, exchange.body["name"]), {}


def bot(exchange: Exchange) -> Answer:
    return 200, exchange.service.bot(exchange.ids[0]), {}


def me(exchange: Exchange) -> Answer:
    service, caller = exchange.service, exchange.caller
    return 200, {"bot": service.bot(caller.bot), "token": service.show(caller)}, {}


def issue(exchange: Exchange) -> Answer:
    caller = exchange.caller
    if exchange.body.get("scope", "bot") != "bot":
        raise Refusal("forbidden")
    return 201, exchange.service.issue(caller.owner, exchange.body.get("bot", caller.bot)), {}


def revoke(exchange: Exchange) -> Answer:
    exchange.service.revoke(exchange.caller.owner, exchange.ids[0])
    return 204, None, {}


def create(exchange: Exchange) -> Answer:
    key = exchange.headers.get("Idempotency-Key")
    return 201, exchange.service.create(exchange.caller, exchange.body, key).to_dict(), {}


def games(exchange: Exchange) -> Answer:
    found = exchange.service.games(exchange.query.get("status"), exchange.query.get("bot"))
    begin, limit = int(exchange.query.get("cursor", 0)), exchange.limit(20)
    following = str(begin + limit) if begin + limit < len(found) else None
    return 200, {"items": [table.to_dict() for table in found[begin : begin + limit]], "next_cursor": following}, {}


def game(exchange: Exchange) -> Answer:
    return 200, exchange.table.to_dict(), {}


def join(exchange: Exchange) -> Answer:
    body = exchange.body
    seat, table = exchange.service.join(exchange.caller, exchange.ids[0], body.get("bot"), body.get("entropy"))
    return 201, {"seat": seat, "game": table.to_dict()}, {}


def resign(exchange: Exchange) -> Answer:
    seat = exchange.table.seat_of(exchange.caller.bot)
    if seat is None:
        raise Refusal("not-found")
    exchange.table.leave(seat)
    return 200, exchange.table.to_dict(), {}


def view(exchange: Exchange) -> Answer:
    if exchange.table.status == "open":
        raise Refusal("game-not-started")
    decision = exchange.table.view(exchange.seat)
    tag = f'"{decision.version}{"-over" if decision.phase == "over" else ""}"'
    if exchange.headers.get("If-None-Match") == tag:
        return 304, None, {"ETag": tag}
    return 200, decision.to_dict(), {"ETag": tag}


def legal(exchange: Exchange) -> Answer:
    decision = exchange.table.view(exchange.seat)
    actions = [str(action) for action in decision.legal_actions]
    answer = {"game": decision.game, "version": decision.version, "seat": decision.seat, "legal_actions": actions}
    return 200, answer, {}


def play(exchange: Exchange) -> Answer:
    expected = exchange.headers.get("If-Match")
    if expected is None:
        raise Refusal("precondition-required")
    key, version = exchange.headers.get("Idempotency-Key"), int(expected.strip('"'))
    exchange.service.play(exchange.caller, exchange.ids[0], version, exchange.body["action"], key)
    return view(exchange)


def events(exchange: Exchange) -> Answer:
    table, after = exchange.table, int(exchange.query.get("after", -1))
    found = table.events(exchange.seat, after, exchange.limit(500))
    return 200, {"events": found, "version": table.state.version, "status": table.status}, {}


def transcript(exchange: Exchange) -> Answer:
    if not exchange.table.is_over:
        raise Refusal("game-not-finished")
    if exchange.headers["Accept"].startswith("application/jsonl"):
        lines = [json.dumps(event) for event in exchange.table.events(None, -1, len(exchange.table.log))]
        return 200, "\n".join(lines), {"Content-Type": "application/jsonl"}
    return 200, f"game {exchange.table.id}\n", {}


def pending(exchange: Exchange) -> Answer:
    return 200, {"decisions": exchange.service.pending(exchange.caller, exchange.limit(64))}, {}


def submit(exchange: Exchange) -> Answer:
    results = exchange.service.submit(exchange.caller, exchange.body["actions"])
    limit = exchange.body.get("limit", 64)
    return 200, {"results": results, "decisions": exchange.service.pending(exchange.caller, limit)}, {}


_ID = "([^/]+)"
ROUTES: Final[tuple[tuple[str, str, Route], ...]] = (
    ("POST", "/v1/bots", register),
    ("GET", f"/v1/bots/{_ID}", bot),
    ("GET", "/v1/me", me),
    ("POST", "/v1/tokens", issue),
    ("DELETE", f"/v1/tokens/{_ID}", revoke),
    ("POST", "/v1/games", create),
    ("GET", "/v1/games", games),
    ("GET", f"/v1/games/{_ID}", game),
    ("POST", f"/v1/games/{_ID}/seats", join),
    ("POST", f"/v1/games/{_ID}/resignation", resign),
    ("GET", f"/v1/games/{_ID}/view", view),
    ("GET", f"/v1/games/{_ID}/actions", legal),
    ("POST", f"/v1/games/{_ID}/actions", play),
    ("GET", f"/v1/games/{_ID}/events", events),
    ("GET", f"/v1/games/{_ID}/transcript", transcript),
    ("GET", "/v1/turns", pending),
    ("POST", "/v1/turns", submit),
)
