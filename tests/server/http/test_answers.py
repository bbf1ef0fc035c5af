"""What every answer has: its request's id, the contract's version, and whether it may be kept."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.http.client import Client, members
from tests.server.http.conftest import Player
from tests.server.http.playing import SHORT, act, play_on, view


@pytest.mark.parametrize("path", ["/healthz", "/v1/games", "/v1/me", "/nothing", "/docs", "/openapi.json"])
def test_every_answer_names_its_request_and_the_version_of_the_contract(client: Client, path: str) -> None:
    first, second = client.get(path), client.get(path)
    assert first.headers["X-Request-Id"] != second.headers["X-Request-Id"]
    assert first.headers["Skyjo-Api-Version"] == "1"
    assert first.headers["X-Content-Type-Options"] == "nosniff"
    assert "Authorization" in first.headers["Vary"]


@pytest.mark.parametrize("sent", ["trace-1", "A.b_C-9", "x" * 64])
def test_a_request_keeps_the_plain_id_that_it_came_with(client: Client, sent: str) -> None:
    assert client.get("/healthz", headers={"X-Request-Id": sent}).headers["X-Request-Id"] == sent


@pytest.mark.parametrize("sent", ["", " ", "a b", "<script>", "ä", "x" * 65, 'a"b', "a,b"])
def test_a_request_with_another_id_gets_a_new_one(client: Client, sent: str) -> None:
    given = client.get("/healthz", headers={"X-Request-Id": sent}).headers["X-Request-Id"]
    assert given != sent
    assert given.isalnum()


def test_what_depends_on_the_caller_is_kept_nowhere(client: Client, ada: Player, game: dict[str, Any]) -> None:
    base = f"/v1/games/{game['id']}"
    for path in (f"{base}/view", f"{base}/actions", f"{base}/events", "/v1/me", "/v1/turns", "/v1/nothing"):
        assert client.get(path, ada.token).headers["Cache-Control"] == "private, no-store", path


def test_a_view_is_tagged_with_its_version_and_not_given_twice(
    client: Client, ada: Player, bob: Player, game: dict[str, Any]
) -> None:
    path = f"/v1/games/{game['id']}/view"
    answer = client.get(path, ada.token)
    tag = answer.headers["ETag"]
    assert tag == f'"{members(answer)["version"]}"'
    for known in (tag, f"W/{tag}", f'"x", {tag}', "*"):
        again = client.get(path, ada.token, headers={"If-None-Match": known})
        assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", tag)
    act(client, game["id"], ada.token, "flip a1 b1", 0)
    assert client.get(path, ada.token, headers={"If-None-Match": tag}).status_code == 200
    assert client.get(path, bob.token).headers["ETag"] == '"1"'


def test_all_viewers_of_a_version_have_the_same_tag(
    client: Client, ada: Player, bob: Player, game: dict[str, Any]
) -> None:
    play_on(client, game["id"], [ada.token, bob.token], 7)
    path = f"/v1/games/{game['id']}/view"
    assert {client.get(path, token).headers["ETag"] for token in (ada.token, bob.token, None)} == {'"7"'}


def test_an_action_is_answered_with_the_tag_of_the_view_after_it(
    client: Client, ada: Player, game: dict[str, Any]
) -> None:
    answer = act(client, game["id"], ada.token, "flip a1 b1", 0, If_None_Match="*")
    assert (answer.status_code, answer.headers["ETag"]) == (200, '"1"')


def test_the_tag_of_a_view_tells_when_the_game_is_over_and_can_be_sent_back(
    client: Client, organiser: str, ada: Player, bob: Player
) -> None:
    seats = [{"kind": "bot", "bot": player.bot} for player in (ada, bob)]
    game = members(client.post("/v1/games", {"rules": SHORT, "seats": seats}, organiser))["id"]
    last = play_on(client, game, [ada.token, bob.token])
    answer = client.get(f"/v1/games/{game}/view")
    assert answer.headers["ETag"] == f'"{last["version"]}-over"'
    sent = {"If-Match": answer.headers["ETag"]}
    refused = client.post(f"/v1/games/{game}/actions", {"action": "draw"}, ada.token, headers=sent)
    assert members(refused)["type"] == "urn:skyjo:problem:game-over"


def test_a_game_is_asked_for_again_by_a_tag_that_changes_with_whatever_it_shows(
    client: Client, ada: Player, bob: Player
) -> None:
    seats = [{"kind": "bot", "bot": ada.bot}, {"kind": "open"}, {"kind": "open"}]
    path = client.post("/v1/games", {"seats": seats}, ada.token).headers["Location"]
    first = client.get(path)
    assert first.headers["Cache-Control"] == "no-cache"
    assert client.get(path, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
    client.post(f"{path}/seats", {}, bob.token)
    assert client.get(path, headers={"If-None-Match": first.headers["ETag"]}).status_code == 200


@pytest.mark.parametrize("path", ["/healthz", "/v1/games", "/openapi.json", "/v1/nothing"])
def test_head_is_get_without_the_body(client: Client, path: str) -> None:
    head, get = client.send("HEAD", path), client.get(path)
    assert head.data == b""
    assert (head.status_code, head.content_length) == (get.status_code, get.content_length)


def test_the_answer_to_an_action_shows_what_the_view_shows(client: Client, ada: Player, game: dict[str, Any]) -> None:
    after = members(act(client, game["id"], ada.token, "flip a1 b1", 0))
    assert after == view(client, game["id"], ada.token)
