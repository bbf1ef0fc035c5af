"""Bots and tokens over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import pytest

from tests.server.http.client import Client, members, problem_code
from tests.server.http.conftest import Player


def test_a_bot_is_registered_with_a_token_that_is_shown_once(client: Client) -> None:
    name = f"new {uuid4().hex[:8]}"
    answer = client.post("/v1/bots", {"name": name})
    made = members(answer)
    assert answer.status_code == 201
    assert answer.headers["Location"] == f"/v1/bots/{made['bot']['id']}"
    token = made["token"]
    assert (token["scope"], token["bot"], token["revoked_at"]) == ("bot", made["bot"]["id"], None)
    assert token["token"].startswith(token["prefix"])
    secret = token.pop("token")
    assert client.get("/v1/me", secret).json == {"bot": made["bot"], "token": token}


def test_a_name_that_is_taken_is_refused(client: Client, ada: Player) -> None:
    answer = client.post("/v1/bots", {"name": ada.name})
    assert (answer.status_code, problem_code(answer)) == (409, "name-taken")


@pytest.mark.parametrize("name", ["x", "a b", "A.b_c-9", "0", "n" * 40])
def test_a_plain_name_is_taken_as_it_is(client: Client, name: str) -> None:
    assert members(client.post("/v1/bots", {"name": name}))["bot"]["name"] == name


def test_a_second_bot_belongs_to_the_owner_of_the_token(client: Client, ada: Player) -> None:
    second = members(client.post("/v1/bots", {"name": f"{ada.name} 2"[-40:]}, ada.token))
    further = client.post("/v1/tokens", {"bot": second["bot"]["id"]}, ada.token)
    assert members(further)["bot"] == second["bot"]["id"]


def test_a_token_that_is_no_good_does_not_register(client: Client) -> None:
    assert problem_code(client.post("/v1/bots", {"name": "nobody"}, "skj_nothing")) == "unauthenticated"


@pytest.mark.parametrize("scope", ["organiser", "admin"])
def test_a_token_gives_no_scope_beyond_its_own(client: Client, ada: Player, scope: str) -> None:
    answer = client.post("/v1/tokens", {"scope": scope}, ada.token)
    assert (answer.status_code, problem_code(answer)) == (403, "forbidden")


def test_a_revoked_token_is_refused_at_once_and_its_sibling_is_not(client: Client, ada: Player) -> None:
    further = members(client.post("/v1/tokens", {"scope": "bot"}, ada.token))
    answer = client.delete(f"/v1/tokens/{further['id']}", ada.token)
    assert (answer.status_code, answer.data) == (204, b"")
    assert "Content-Type" not in answer.headers
    assert problem_code(client.get("/v1/turns", further["token"])) == "unauthenticated"
    assert client.get("/v1/me", ada.token).status_code == 200


def test_what_belongs_to_others_is_as_if_it_did_not_exist(
    client: Client, ada: Player, register: Callable[[], Player]
) -> None:
    stranger = register()
    token = members(client.get("/v1/me", ada.token))["token"]["id"]
    foreign = client.delete(f"/v1/tokens/{token}", stranger.token)
    missing = client.delete(f"/v1/tokens/{uuid4()}", stranger.token)
    assert (foreign.status_code, foreign.data) == (missing.status_code, missing.data) == (404, foreign.data)
    assert problem_code(client.post("/v1/tokens", {"bot": ada.bot}, stranger.token)) == "not-found"
    assert client.get("/v1/me", ada.token).status_code == 200


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/me"),
        ("POST", "/v1/tokens"),
        ("DELETE", "/v1/tokens/00112233-4455-6677-8899-aabbccddeeff"),
        ("POST", "/v1/games"),
        ("POST", "/v1/games/00112233-4455-6677-8899-aabbccddeeff/seats"),
        ("POST", "/v1/games/00112233-4455-6677-8899-aabbccddeeff/resignation"),
        ("POST", "/v1/games/00112233-4455-6677-8899-aabbccddeeff/actions"),
        ("GET", "/v1/turns"),
        ("POST", "/v1/turns"),
    ],
)
def test_without_a_token_nothing_is_done_and_no_body_is_read(client: Client, method: str, path: str) -> None:
    answer = client.send(method, path, data=b"[" * 100, content_type="application/json")
    assert (answer.status_code, problem_code(answer)) == (401, "unauthenticated")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_the_bearer_scheme_is_known_in_any_case(client: Client, ada: Player) -> None:
    assert client.get("/v1/me", headers={"Authorization": f"bearer {ada.token}"}).status_code == 200
