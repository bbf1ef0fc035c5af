"""Games as a whole over HTTP: create, find, join, leave."""

from __future__ import annotations

from typing import Any

import pytest

from skyjo import RuleSet
from tests.server.http.client import Client, members, places, problem_code
from tests.server.http.conftest import Player
from tests.server.http.playing import view

NOWHERE = "00112233-4455-6677-8899-aabbccddeeff"


def create(client: Client, token: str, *seats: dict[str, Any], **more: Any) -> dict[str, Any]:
    return members(client.post("/v1/games", {"seats": list(seats), **more}, token))


def bot_seat(player: Player) -> dict[str, Any]:
    return {"kind": "bot", "bot": player.bot}


OPEN = {"kind": "open"}


def test_a_game_shows_its_rules_seats_and_clock(client: Client, ada: Player) -> None:
    game = create(client, ada.token, bot_seat(ada), OPEN, preset="french", move_seconds=5, bank_seconds=60.5)
    assert (game["status"], game["version"], game["preset"]) == ("open", -1, "french")
    assert game["rules"] == RuleSet.preset("french").to_dict()
    assert game["seats"] == [
        {"seat": 0, "kind": "bot", "bot": ada.bot, "name": ada.name, "left": False},
        {"seat": 1, "kind": "open", "bot": None, "name": None, "left": False},
    ]
    assert (game["move_seconds"], game["bank_seconds"]) == (5, 60.5)
    assert (game["started_at"], game["result"]) == (None, None)
    assert client.get(f"/v1/games/{game['id']}").json == game


def test_options_change_the_preset_and_take_its_name_away(client: Client, ada: Player) -> None:
    game = create(client, ada.token, OPEN, OPEN, preset="french", rules={"score_limit": 50})
    assert game["preset"] is None
    assert game["rules"] == {**RuleSet.preset("french").to_dict(), "score_limit": 50}
    assert create(client, ada.token, OPEN, OPEN, rules={"score_limit": 100})["preset"] == "classic"


@pytest.mark.parametrize(
    ("rules", "option"),
    [
        ({"score_limit": 0}, "score_limit"),
        ({"score_limit": 3.0}, "score_limit"),
        ({"score_limit": True}, "score_limit"),
        ({"remove_rows": "true"}, "remove_rows"),
        ({"remove_rows": 1}, "remove_rows"),
        ({"next_starter": "nobody"}, "next_starter"),
        ({"next_starter": ["ender"]}, "next_starter"),
        ({"nonsense": 1}, "nonsense"),
        ({"score_limit": None}, "max_rounds"),
        ({"initial_flips": 12}, "initial_flips"),
        ({"initial_flips": None}, "initial_flips"),
    ],
)
def test_rules_that_cannot_be_played_are_refused_by_option(
    client: Client, ada: Player, rules: dict[str, Any], option: str
) -> None:
    answer = client.post("/v1/games", {"rules": rules, "seats": [OPEN, OPEN]}, ada.token)
    assert (answer.status_code, problem_code(answer)) == (422, "invalid-rules")
    assert members(answer)["option"] == option


@pytest.mark.parametrize(
    ("seat", "place"),
    [
        ({"kind": "bot"}, "/seats/1/bot"),
        ({"kind": "bot", "bot": NOWHERE}, "/seats/1/bot"),
        ({"kind": "bot", "bot": NOWHERE, "house": "greedy"}, "/seats/1/house"),
        ({"kind": "house", "house": "skynet"}, "/seats/1/house"),
        ({"kind": "open", "bot": NOWHERE}, "/seats/1/bot"),
        ({"kind": "throne"}, "/seats/1"),
        ({}, "/seats/1"),
        ("open", "/seats/1"),
    ],
)
def test_a_seat_that_cannot_be_is_named(client: Client, ada: Player, seat: Any, place: str) -> None:
    answer = client.post("/v1/games", {"seats": [OPEN, seat]}, ada.token)
    assert (problem_code(answer), places(answer)) == ("invalid-request", [place])


def test_only_an_organiser_seats_the_bots_of_others(client: Client, organiser: str, ada: Player, bob: Player) -> None:
    answer = client.post("/v1/games", {"seats": [bot_seat(ada), bot_seat(bob)]}, ada.token)
    assert places(answer) == ["/seats/1/bot"]
    assert create(client, organiser, bot_seat(ada), bot_seat(bob))["status"] == "running"


def test_a_game_created_again_with_its_key_is_the_same_one(client: Client, ada: Player) -> None:
    def send(seats: int) -> Any:
        return client.post("/v1/games", {"seats": [OPEN] * seats}, ada.token, headers={"Idempotency-Key": "g-1"})

    assert members(send(2)) == members(send(2))
    assert problem_code(send(3)) == "idempotency-key-reused"


def test_a_game_starts_when_its_last_seat_is_taken(client: Client, ada: Player, bob: Player) -> None:
    game = create(client, ada.token, OPEN, OPEN)["id"]
    path = f"/v1/games/{game}/seats"
    first = members(client.post(path, None, ada.token))
    assert (first["seat"], first["game"]["status"]) == (0, "open")
    taken = client.post(path, {}, ada.token)
    assert (problem_code(taken), members(taken)["seat"]) == ("already-seated", 0)
    last = members(client.post(path, {"bot": bob.bot, "entropy": "ff" * 64}, bob.token))
    assert (last["seat"], last["game"]["status"], last["game"]["version"]) == (1, "running", 0)
    assert view(client, game, bob.token)["seat"] == 1


def test_a_full_game_has_no_seat_for_another(client: Client, register: Any, game: dict[str, Any]) -> None:
    answer = client.post(f"/v1/games/{game['id']}/seats", {}, register().token)
    assert (answer.status_code, problem_code(answer)) == (409, "game-full")


def test_nobody_takes_a_seat_in_a_game_that_is_over(client: Client, ada: Player, bob: Player) -> None:
    game = create(client, ada.token, bot_seat(ada), {"kind": "house", "house": "random"})["id"]
    assert members(client.post(f"/v1/games/{game}/resignation", None, ada.token))["status"] == "finished"
    answer = client.post(f"/v1/games/{game}/seats", None, bob.token)
    assert (answer.status_code, problem_code(answer)) == (409, "game-over")


def test_a_seat_that_resigns_has_left(client: Client, ada: Player, register: Any, game: dict[str, Any]) -> None:
    path = f"/v1/games/{game['id']}/resignation"
    assert problem_code(client.post(path, None, register().token)) == "not-found"
    after = members(client.post(path, None, ada.token))
    assert ([seat["left"] for seat in after["seats"]], after["result"]["ranks"]) == ([True, False], [2, 1])
    assert problem_code(client.post(path, None, ada.token)) == "game-over"


def test_games_are_listed_newest_first_page_by_page(client: Client, ada: Player) -> None:
    created = [create(client, ada.token, bot_seat(ada), OPEN)["id"] for _ in range(5)]
    found: list[str] = []
    query = f"/v1/games?bot={ada.bot}&status=open&limit=2"
    page = members(client.get(query))
    while page["next_cursor"] is not None:
        found += [game["id"] for game in page["items"]]
        page = members(client.get(f"{query}&cursor={page['next_cursor']}"))
    found += [game["id"] for game in page["items"]]
    assert found == created[::-1]


def test_a_cursor_that_no_answer_gave_is_refused(client: Client) -> None:
    answer = client.get("/v1/games?cursor=abc")
    assert (problem_code(answer), places(answer)) == ("invalid-request", ["cursor"])


def test_games_are_found_by_where_they_stand(client: Client, ada: Player, game: dict[str, Any]) -> None:
    def listed(status: str) -> list[str]:
        return [found["id"] for found in members(client.get(f"/v1/games?bot={ada.bot}&status={status}"))["items"]]

    assert (listed("running"), listed("finished")) == ([game["id"]], [])


@pytest.mark.parametrize("path", ["", "/view", "/actions", "/events", "/transcript"])
def test_a_game_that_does_not_exist_is_not_found(client: Client, path: str) -> None:
    answer = client.get(f"/v1/games/{NOWHERE}{path}")
    assert (answer.status_code, problem_code(answer)) == (404, "not-found")
