"""What may be kept and asked for again, and what may be kept by nobody: entity tags and Cache-Control of every read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest

from tests.contract.document import Document
from tests.server.http.client import Client, members
from tests.server.http.conftest import Player
from tests.server.http.cups import new_cup
from tests.server.http.playing import act

PUBLIC: Final = {
    "getBot",
    "getGame",
    "getTranscript",
    "getProof",
    "getAnalysis",
    "getTournament",
    "getStandings",
    "getCrosstable",
}
"""Tagged reads that are the same for everybody."""

TAGGED: Final = PUBLIC | {"getView"}
"""Every read that has an entity tag."""


@pytest.fixture
def paths(client: Client, organiser: str, ada: Player, bob: Player) -> dict[str, str]:
    """A path for each read: of a running game, of a finished one for its transcript."""
    seats = [{"kind": "bot", "bot": player.bot} for player in (ada, bob)]
    running, finished = (
        f"/v1/games/{members(client.post('/v1/games', {'seats': seats}, organiser))['id']}" for _ in range(2)
    )
    assert client.post(f"{finished}/resignation", None, bob.token).status_code == 200
    cup = f"/v1/tournaments/{new_cup(client, organiser, house=['greedy', 'random'])['id']}"
    return {
        "getBot": f"/v1/bots/{ada.bot}",
        "getMe": "/v1/me",
        "listGames": "/v1/games",
        "getGame": running,
        "getView": f"{running}/view",
        "getLegalActions": f"{running}/actions",
        "listTurns": "/v1/turns",
        "listEvents": f"{running}/events",
        "getTranscript": f"{finished}/transcript",
        "getState": f"{running}/states/0",
        "getProof": f"{finished}/proof",
        "getAnalysis": f"{finished}/analysis",
        "getFairness": "/v1/fairness",
        "listTournaments": "/v1/tournaments",
        "getTournament": cup,
        "listEntries": f"{cup}/entries",
        "listTables": f"{cup}/tables",
        "getStandings": f"{cup}/standings",
        "getCrosstable": f"{cup}/crosstable",
        "listTournamentEvents": f"{cup}/events",
        "exportTournament": f"{cup}/export",
        "getLeaderboard": "/v1/leaderboard",
        "getHealth": "/healthz",
        "getReadiness": "/readyz",
    }


def test_every_read_is_among_these_and_every_tagged_one_says_so(document: Document, paths: dict[str, str]) -> None:
    reads = {found.operation_id: found.described for found in document.operations() if found.method == "get"}
    assert reads.keys() == paths.keys()
    assert {name for name, described in reads.items() if "304" in described["responses"]} == TAGGED


@pytest.mark.parametrize("operation", sorted(TAGGED))
def test_a_tagged_read_is_not_given_twice(client: Client, ada: Player, paths: dict[str, str], operation: str) -> None:
    first = client.get(paths[operation], ada.token)
    tag = first.headers["ETag"]
    assert client.get(paths[operation], ada.token).headers["ETag"] == tag
    for known in (tag, f"W/{tag}", f'"x", {tag}', "*"):
        again = client.get(paths[operation], ada.token, headers={"If-None-Match": known})
        assert (again.status_code, again.data) == (304, b"")
        assert {name: again.headers[name] for name in ("ETag", "Cache-Control", "Vary")} == {
            name: first.headers[name] for name in ("ETag", "Cache-Control", "Vary")
        }
    for other in ('"x"', tag.strip('"'), f'{tag[:-1]}x"'):
        assert client.get(paths[operation], ada.token, headers={"If-None-Match": other}).status_code == 200


CHANGES: Final[dict[str, Callable[[Client, str, Player], Any]]] = {
    "a move": lambda client, game, ada: act(client, game, ada.token, "flip a1 b1", 0),
    "a resignation": lambda client, game, ada: client.post(f"/v1/games/{game}/resignation", None, ada.token),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("part", ["", "/view"])
def test_a_tag_changes_with_the_game(client: Client, ada: Player, game: dict[str, Any], part: str, change: str) -> None:
    path = f"/v1/games/{game['id']}{part}"
    before = client.get(path, ada.token)
    assert CHANGES[change](client, game["id"], ada).status_code == 200
    after = client.get(path, ada.token, headers={"If-None-Match": before.headers["ETag"]})
    assert after.status_code == 200
    assert after.data != before.data
    assert after.headers["ETag"] != before.headers["ETag"]


FORMS: Final = {
    "getTranscript": ("text/plain", "application/jsonl"),
    "getStandings": ("application/json", "text/csv"),
    "getCrosstable": ("application/json", "text/csv"),
}


@pytest.mark.parametrize("operation", FORMS)
def test_each_form_of_an_answer_has_a_tag_of_its_own(client: Client, paths: dict[str, str], operation: str) -> None:
    forms = [client.get(paths[operation], headers={"Accept": accept}) for accept in FORMS[operation]]
    assert len({form.headers["ETag"] for form in forms}) == 2
    assert all("Accept" in form.headers["Vary"] for form in forms)


def test_only_what_is_the_same_for_everybody_may_be_kept(client: Client, ada: Player, paths: dict[str, str]) -> None:
    kept = {name: client.get(path, ada.token).headers["Cache-Control"] for name, path in paths.items()}
    assert kept == {name: "no-cache" if name in PUBLIC else "private, no-store" for name in paths}
    for name in PUBLIC:
        assert client.get(paths[name]).data == client.get(paths[name], ada.token).data


def test_no_refusal_may_be_kept_and_none_has_a_tag(client: Client, paths: dict[str, str]) -> None:
    for path in ("/v1/bots/00112233-4455-6677-8899-aabbccddeeff", f"{paths['getGame']}/transcript", "/v1/me"):
        answer = client.get(path, headers={"If-None-Match": "*"})
        assert answer.status_code in {401, 404, 409}
        assert answer.headers["Cache-Control"] == "private, no-store"
        assert "ETag" not in answer.headers
