"""One tour through the whole API, as a client author would take it; every answer is held against the document."""

from __future__ import annotations

from typing import Any

from skyjo_server.app import Service
from tests.contract.document import Document
from tests.server.http.client import Client, members
from tests.server.http.conftest import Player
from tests.server.http.cups import move_on, new_cup
from tests.server.http.playing import SHORT, act, play_on, view


def test_every_operation_of_the_document_can_be_carried_out(
    client: Client, document: Document, organiser: str, ada: Player, bob: Player, shared_service: Service
) -> None:
    _manage_tokens(client, ada)
    game = _create_and_join(client, ada, bob)
    _play_one_action(client, game, ada)
    _use_the_inbox(client, ada)
    play_on(client, game, [ada.token, bob.token])
    _read_it_again(client, game)
    _go_on_from_it(client, game, ada)
    _hold_a_tournament(client, shared_service, organiser, ada, bob)
    _resign(client, organiser, ada, bob)
    for path in ("/healthz", "/readyz", "/v1/games?limit=3", "/v1/fairness", "/v1/leaderboard", "/v1/tournaments"):
        assert client.get(path).status_code == 200
    carried_out = {operation for operation, statuses in client.checked.seen.items() if min(statuses) < 300}
    assert carried_out == {operation.operation_id for operation in document.operations()}


def _manage_tokens(client: Client, ada: Player) -> None:
    assert members(client.get(f"/v1/bots/{ada.bot}"))["name"] == ada.name
    further = members(client.post("/v1/tokens", None, ada.token))
    assert members(client.get("/v1/me", further["token"]))["bot"]["id"] == ada.bot
    assert client.delete(f"/v1/tokens/{further['id']}", ada.token).status_code == 204
    assert client.get("/v1/me", further["token"]).status_code == 401


def _create_and_join(client: Client, ada: Player, bob: Player) -> str:
    wanted = {"rules": SHORT, "seats": [{"kind": "bot", "bot": ada.bot}, {"kind": "open"}]}
    created = client.post("/v1/games", wanted, ada.token)
    game: str = members(created)["id"]
    assert created.headers["Location"] == f"/v1/games/{game}"
    joined = members(client.post(f"/v1/games/{game}/seats", {"entropy": "00ff"}, bob.token))
    assert (joined["seat"], joined["game"]["status"]) == (1, "running")
    return game


def _play_one_action(client: Client, game: str, ada: Player) -> None:
    legal = members(client.get(f"/v1/games/{game}/actions", ada.token))
    assert legal["seat"] == 0
    after = members(act(client, game, ada.token, "flip a1 b1", legal["version"]))
    assert after["version"] == legal["version"] + 1


def _use_the_inbox(client: Client, ada: Player) -> None:
    assert members(client.get("/v1/turns", ada.token)) == {"decisions": []}
    assert members(client.post("/v1/turns", {"actions": []}, ada.token)) == {"results": [], "decisions": []}


def _read_it_again(client: Client, game: str) -> None:
    found: dict[str, Any] = members(client.get(f"/v1/games/{game}"))
    assert (found["status"], found["result"]["status"]) == ("finished", "finished")
    page = members(client.get(f"/v1/games/{game}/events"))
    assert [event["version"] for event in page["events"]] == list(range(found["version"] + 1))
    assert client.get(f"/v1/games/{game}/transcript").text.startswith('[Skyjo "1"]')
    assert view(client, game, None)["phase"] == "over"


def _go_on_from_it(client: Client, game: str, ada: Player) -> None:
    for part in ("states/0", "proof", "analysis"):
        assert client.get(f"/v1/games/{game}/{part}").status_code == 200
    seats = [{"kind": "house", "house": "greedy"}] * 2
    assert client.post(f"/v1/games/{game}/forks", {"version": 0, "seats": seats}, ada.token).status_code == 201


def _hold_a_tournament(client: Client, service: Service, organiser: str, ada: Player, bob: Player) -> None:
    cup = f"/v1/tournaments/{new_cup(client, organiser)['id']}"
    for player in (ada, bob):
        assert client.post(f"{cup}/entries", None, player.token).status_code == 201
    assert client.post(f"{cup}/start", None, organiser).status_code == 200
    move_on(service)
    for part in ("tables/0/0/void", "pause", "resume", "abortion"):
        assert client.post(f"{cup}/{part}", None, organiser).status_code == 200
    for part in ("", "/entries", "/tables", "/standings", "/crosstable", "/events", "/export"):
        assert client.get(f"{cup}{part}").status_code == 200
    other = f"/v1/tournaments/{new_cup(client, organiser, house=['greedy'])['id']}"
    assert client.post(f"{other}/entries", None, ada.token).status_code == 201
    assert members(client.post(f"{other}/withdrawal", None, ada.token))["status"] == "withdrawn"
    why = {"entry": 0, "reason": "it is of the house"}
    assert members(client.post(f"{other}/disqualifications", why, organiser))["status"] == "disqualified"


def _resign(client: Client, organiser: str, ada: Player, bob: Player) -> None:
    seats = [{"kind": "bot", "bot": player.bot} for player in (ada, bob)]
    game = members(client.post("/v1/games", {"seats": seats}, organiser))["id"]
    assert members(client.post(f"/v1/games/{game}/resignation", None, ada.token))["status"] == "finished"
