"""Plays games over HTTP, for tests that need one in the middle or at its end."""

from __future__ import annotations

from typing import Any

from tests.server.http.client import Client, members

SHORT = {"max_rounds": 1, "max_turns_per_seat": 2, "score_limit": None}
"""Rules of a game that is over after a few turns."""


def view(client: Client, game: str, token: str | None) -> dict[str, Any]:
    return members(client.get(f"/v1/games/{game}/view", token))


def act(client: Client, game: str, token: str, action: str, version: int, **headers: str) -> Any:
    sent = {"If-Match": f'"{version}"', **{name.replace("_", "-"): value for name, value in headers.items()}}
    return client.post(f"/v1/games/{game}/actions", {"action": action}, token, headers=sent)


def play_on(client: Client, game: str, tokens: list[str], moves: int = 1000) -> dict[str, Any]:
    """Play the first legal action of whoever is awaited, so many times at most; gives the last decision."""
    seen = view(client, game, tokens[0])
    for _ in range(moves):
        if seen["phase"] == "over":
            break
        token = next(token for token in tokens if view(client, game, token)["legal_actions"])
        seen = view(client, game, token)
        seen = members(act(client, game, token, seen["legal_actions"][0], seen["version"]))
    return seen
