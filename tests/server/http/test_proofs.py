"""Proofs and forks over HTTP, checked by formulas that are written here anew: hashes, and nothing of ours."""

from __future__ import annotations

import hmac
import json
from hashlib import sha256
from itertools import pairwise
from typing import Any
from uuid import UUID

import pytest

from skyjo.export import read_jsonl
from skyjo.verify import verify
from tests.server.http.client import Client, members, problem_code
from tests.server.http.conftest import Player
from tests.server.http.playing import SHORT, play_on

HOUSE = [{"kind": "house", "house": "greedy"}, {"kind": "house", "house": "threshold"}]


@pytest.fixture
def finished(client: Client, organiser: str) -> str:
    """A game of the house with entropy of nobody."""
    return str(members(client.post("/v1/games", {"rules": SHORT, "seats": HOUSE}, organiser))["id"])


def prefixed(data: bytes) -> bytes:
    return len(data).to_bytes(2, "big") + data


def raw(proof: dict[str, Any], name: str) -> bytes:
    return bytes.fromhex(proof[name])


def check(proof: dict[str, Any], lines: list[dict[str, Any]]) -> None:
    """Commitment, key, genesis and every link whose event is public in full, computed anew."""
    game, shuffled_as = UUID(proof["game"]).bytes, UUID(proof["shuffled_as"]).bytes
    rules, seed = prefixed(proof["rules_name"].encode()), raw(proof, "seed")
    committed = sha256(b"skyjo-commit/1\0" + shuffled_as + rules + seed).digest()
    if proof["board"] is None:
        assert shuffled_as == game
    else:
        assert UUID(proof["board"]["id"]).bytes == shuffled_as
        committed = sha256(b"skyjo-table/1\0" + game + raw(proof["board"], "salt") + committed).digest()
    assert committed == raw(proof, "commitment")
    entropy = bytes([len(proof["entropy"])]) + b"".join(prefixed(bytes.fromhex(given)) for given in proof["entropy"])
    assert hmac.digest(seed, b"skyjo-key/1\0" + shuffled_as + rules + entropy, "sha256") == raw(proof, "key")
    names = b"".join(prefixed(name.encode()) for name in proof["seats"])
    table = game + raw(proof, "commitment") + rules + bytes([len(proof["seats"])]) + names
    assert sha256(b"skyjo-log/1\0" + table).digest() == raw(proof, "genesis")
    _, *events, closing = lines
    for before, event in pairwise(events):
        if (
            any(fact["kind"] in {"dealt", "drawn", "reshuffled"} for fact in event["facts"])
            or "flip" in event["action"]
        ):
            continue  # these have a private part
        message = b"skyjo-salt/1\0" + game + event["version"].to_bytes(4, "big")
        private = sha256(hmac.digest(seed, message, "sha256")[:16]).digest()
        public = json.dumps(
            {name: event[name] for name in ("action", "cause", "facts", "seat", "version")},
            sort_keys=True,
            separators=(",", ":"),
        )
        link = sha256(b"skyjo-event/1\0" + bytes.fromhex(before["hash"]) + private + public.encode())
        assert link.hexdigest() == event["hash"]
    assert (events[-1]["version"], events[-1]["hash"]) == (proof["version"], proof["hash"])
    result = json.dumps(proof["result"], sort_keys=True, separators=(",", ":"))
    end = sha256(b"skyjo-result/1\0" + raw(proof, "hash") + result.encode()).hexdigest()
    assert end == proof["result_hash"] == closing["hash"]


def exported(client: Client, game: str) -> str:
    return client.get(f"/v1/games/{game}/transcript", headers={"Accept": "application/jsonl"}).text


def proof_of(client: Client, game: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    lines = [json.loads(line) for line in exported(client, game).splitlines()]
    return members(client.get(f"/v1/games/{game}/proof")), lines


def fork(client: Client, token: str, game: str, version: int, seats: list[dict[str, str]] | None = None) -> Any:
    return client.post(f"/v1/games/{game}/forks", {"version": version, "seats": seats or HOUSE}, token)


def test_a_proof_is_one_by_the_published_formulas(client: Client, ada: Player, organiser: str) -> None:
    seats = [{"kind": "open"}, {"kind": "house", "house": "random"}]
    game = members(client.post("/v1/games", {"rules": SHORT, "seats": seats}, organiser))["id"]
    assert client.post(f"/v1/games/{game}/seats", {"entropy": "00ff"}, ada.token).status_code == 201
    play_on(client, game, [ada.token])
    proof, lines = proof_of(client, game)
    assert proof["entropy"] == ["00ff", ""]
    check(proof, lines)


def test_a_fork_is_proved_by_the_formulas_of_a_board(client: Client, ada: Player, finished: str) -> None:
    answer = fork(client, ada.token, finished, 5)
    made = members(answer)
    assert answer.headers["Location"] == f"/v1/games/{made['id']}"
    assert made["forked_from"] == {"game": finished, "version": 5}
    proof, lines = proof_of(client, made["id"])
    assert proof["board"]["id"] == finished
    check(proof, lines)
    (record,) = read_jsonl(exported(client, made["id"]))
    verify(record)
    parent = proof_of(client, finished)[1]
    what = ("version", "seat", "action", "cause", "facts")
    assert [[line[name] for name in what] for line in lines[1:7]] == [
        [line[name] for name in what] for line in parent[1:7]
    ]


def test_a_fork_is_played_on_by_bots_whose_seats_are_their_own(client: Client, ada: Player, finished: str) -> None:
    made = members(fork(client, ada.token, finished, 3, [{"kind": "bot", "bot": ada.bot}, HOUSE[0]]))
    assert made["status"] == "running"
    assert play_on(client, made["id"], [ada.token])["phase"] == "over"
    check(*proof_of(client, made["id"]))


def test_a_fork_that_cannot_be_is_refused_by_its_place(client: Client, ada: Player, finished: str) -> None:
    last = members(client.get(f"/v1/games/{finished}"))["version"]
    for version, seats, place in ((last, HOUSE, "/version"), (0, [HOUSE[0], {"kind": "open"}], "/seats/1")):
        refused = fork(client, ada.token, finished, version, seats)
        assert (refused.status_code, problem_code(refused)) == (422, "invalid-request")
        assert [error["place"] for error in members(refused)["errors"]] == [place]


@pytest.mark.parametrize("version", ["-1", "x", "1.5", "٣", "1_0", "9" * 400])
def test_a_step_that_is_no_number_is_not_there(client: Client, finished: str, version: str) -> None:
    assert client.get(f"/v1/games/{finished}/states/{version}").status_code == 404


def test_commitments_are_counted_and_none_is_left_unrevealed(client: Client, finished: str) -> None:
    assert members(client.get(f"/v1/games/{finished}"))["status"] == "finished"
    counted = members(client.get("/v1/fairness"))
    parts = ("pending", "embargoed", "revealed", "never_revealed")
    assert counted["games"] == sum(counted[name] for name in parts)
    assert counted["never_revealed"] == 0
    events = ("tournaments_pending", "tournaments_revealed", "tournaments_never_revealed")
    assert counted["tournaments"] == sum(counted[name] for name in events)
    assert counted["tournaments_never_revealed"] == 0
