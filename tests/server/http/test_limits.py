"""Rate limits, cross-origin calls, invitations: what is set for a service, and what is not."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

from skyjo_server.app import Service
from skyjo_server.http import create_http_app
from skyjo_server.http.limits import STREAMS_IN_WINDOW
from skyjo_server.service import Arena
from skyjo_server.settings import Settings
from tests.database import PEPPER
from tests.server.service.people import Player, bot_seat, house_seat, new_game, register, view

ORIGIN = "https://table.example"
Made = Callable[..., FlaskClient]


@pytest.fixture
def make(service: Service) -> Made:
    """A client of the service under other settings."""

    def make(**settings: object) -> FlaskClient:
        app: Flask = create_http_app(service.arena, **settings)  # type: ignore[arg-type]  # as its tests name them
        return app.test_client()

    return make


def bearer(player: Player) -> dict[str, str]:
    return {"Authorization": f"Bearer {player.secret}"}


def test_a_caller_beyond_its_limit_is_told_when_to_come_back_and_others_are_not_touched(
    service: Service, make: Made
) -> None:
    ada, bob = register(service, "Ada", "Bob")
    client = make(rate_limit=5)
    left = [client.get("/v1/me", headers=bearer(ada)).headers["RateLimit"].partition(";t=")[0] for _ in range(5)]
    assert left == [f'"default";r={remaining}' for remaining in (4, 3, 2, 1, 0)]
    refused = client.get("/v1/me", headers=bearer(ada))
    assert refused.status_code == 429
    assert refused.json is not None
    assert refused.json["type"] == "urn:skyjo:problem:rate-limited"
    assert 1 <= int(refused.headers["Retry-After"]) <= 10
    assert refused.headers["RateLimit-Policy"] == '"default";q=5;w=10'
    assert client.get("/v1/me", headers=bearer(bob)).status_code == 200


def test_moves_and_inboxes_are_never_limited_and_refused_moves_count_elsewhere(service: Service, make: Made) -> None:
    (ada,) = register(service, "Ada")
    game = new_game(service, bot_seat(ada), house_seat("random"))
    client = make(rate_limit=5)
    seen = view(service, ada, game)
    stale = {"If-Match": '"999"'} | bearer(ada)
    for _ in range(12):
        answer = client.post(f"/v1/games/{game.id}/actions", headers=stale, json={"action": "draw"})
        assert answer.status_code == 412
    assert client.get("/v1/me", headers=bearer(ada)).status_code == 429
    sent = {"actions": [{"game": str(game.id), "version": seen.version, "action": str(seen.legal_actions[0])}]}
    assert client.post("/v1/turns", headers=bearer(ada), json=sent).status_code == 200
    assert client.get("/healthz").status_code == 200


def test_whoever_opens_streams_in_a_loop_is_told_to_wait(service: Service, make: Made) -> None:
    (ada,) = register(service, "Ada")
    game = new_game(service, bot_seat(ada), house_seat("random"))
    service.arena.resign(ada.caller, game.id)
    client = make(rate_limit=1000)
    headers = bearer(ada) | {"Accept": "text/event-stream"}
    codes = [
        client.get(f"/v1/games/{game.id}/events", headers=headers).status_code for _ in range(STREAMS_IN_WINDOW + 1)
    ]
    assert codes == [200] * STREAMS_IN_WINDOW + [429]


def test_without_a_limit_no_answer_speaks_of_one(make: Made) -> None:
    answer = make().get("/v1/games")
    assert not [name for name, _ in answer.headers if name.lower().startswith("ratelimit")]


def test_pages_of_an_allowed_origin_may_call_and_read_what_they_need(make: Made) -> None:
    client = make(cors_origins=(ORIGIN,))
    asked = {"Origin": ORIGIN, "Access-Control-Request-Method": "POST"}
    preflight = client.options("/v1/turns", headers=asked)
    assert (preflight.status_code, preflight.data) == (204, b"")
    assert preflight.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert "POST" in preflight.headers["Access-Control-Allow-Methods"]
    assert "Idempotency-Key" in preflight.headers["Access-Control-Allow-Headers"]
    answer = client.get("/v1/games", headers={"Origin": ORIGIN})
    assert answer.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert "ETag" in answer.headers["Access-Control-Expose-Headers"]
    assert "Origin" in answer.headers["Vary"]
    assert "Access-Control-Allow-Credentials" not in answer.headers


@pytest.mark.parametrize("origins", [(), (ORIGIN,)])
def test_pages_of_other_origins_may_not(make: Made, origins: tuple[str, ...]) -> None:
    client = make(cors_origins=origins)
    asked = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "GET"}
    for answer in (client.options("/v1/games", headers=asked), client.get("/v1/games", headers=asked)):
        assert "Access-Control-Allow-Origin" not in answer.headers


def test_all_origins_may_be_allowed(make: Made) -> None:
    answer = make(cors_origins=("*",)).get("/v1/games", headers={"Origin": ORIGIN})
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


def test_where_registering_takes_an_invitation_only_those_who_have_it_may(service: Service) -> None:
    arena = Arena(service.storage, service.hub, PEPPER, 16, invitation="the code")
    client = create_http_app(arena).test_client()
    for invitation in ({}, {"invitation": "wrong"}, {"invitation": None}):
        refused = client.post("/v1/bots", json={"name": "Ada", **invitation})
        assert refused.status_code == 403
        assert refused.json is not None
        assert refused.json["type"] == "urn:skyjo:problem:forbidden"
    assert client.post("/v1/bots", json={"name": "Ada", "invitation": "the code".replace(" ", "-")}).status_code == 403


def test_a_registration_sent_again_with_its_key_gets_the_same_bot_and_token(make: Made) -> None:
    client = make()
    key = {"Idempotency-Key": "5f0c2d9a-0000-4000-8000-123456789abc"}
    first = client.post("/v1/bots", json={"name": "Ada"}, headers=key)
    assert first.status_code == 201
    again = client.post("/v1/bots", json={"name": "Ada"}, headers=key)
    assert (again.status_code, again.json) == (201, first.json)
    other = client.post("/v1/bots", json={"name": "Bob"}, headers=key)
    assert other.status_code == 422
    assert other.json is not None
    assert other.json["type"] == "urn:skyjo:problem:idempotency-key-reused"
    assert first.json is not None
    me = client.get("/v1/me", headers={"Authorization": f"Bearer {first.json['token']['token']}"})
    assert me.json is not None
    assert me.json["bot"]["name"] == "Ada"
    assert client.post("/v1/bots", json={"name": "Cat"}, headers={"Idempotency-Key": "short"}).status_code == 422


def test_an_answer_to_a_move_says_how_long_it_had_taken(service: Service, make: Made) -> None:
    (ada,) = register(service, "Ada")
    game = new_game(service, bot_seat(ada), house_seat("random"))
    seen = view(service, ada, game)
    headers = {"If-Match": f'"{seen.version}"', "Idempotency-Key": "a"} | bearer(ada)
    first = make().post(f"/v1/games/{game.id}/actions", headers=headers, json={"action": str(seen.legal_actions[0])})
    again = make().post(f"/v1/games/{game.id}/actions", headers=headers, json={"action": str(seen.legal_actions[0])})
    assert float(first.headers["Thinking-Seconds"]) >= 0
    assert again.headers["Thinking-Seconds"] == first.headers["Thinking-Seconds"]


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("SKYJO_CORS_ORIGINS", "table.example", "is no origin"),
        ("SKYJO_CORS_ORIGINS", "https://table.example/path", "is no origin"),
        ("SKYJO_RATE_LIMIT", "-1", "whole number"),
        ("SKYJO_FOLLOWERS", "400", "more threads than both"),
    ],
)
def test_a_setting_that_cannot_be_is_named(name: str, text: str, says: str) -> None:
    with pytest.raises(Exception, match=says):
        Settings.from_environment({name: text, "SKYJO_PEPPER": "x" * 32})


def test_a_reader_who_finds_no_place_to_wait_is_answered_at_once_and_told_when_to_come_back(
    service: Service, make: Made
) -> None:
    (ada,) = register(service, "Ada")
    service.hub._places = threading.BoundedSemaphore(1)
    client = make()
    with service.hub._places:
        answer = client.get("/v1/turns?wait=30", headers=bearer(ada))
    assert (answer.status_code, answer.json) == (200, {"decisions": []})
    assert answer.headers["Retry-After"] == "1"
    assert "Retry-After" not in client.get("/v1/turns", headers=bearer(ada)).headers
