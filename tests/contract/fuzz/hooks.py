"""What schemathesis is told of the service beyond its document: what a client knows, and which refusals are no faults.

Loaded by schemathesis in a process of its own; it is no test.
"""

from __future__ import annotations

import os
import re
from itertools import cycle
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import urlsplit
from uuid import uuid4

import schemathesis
from schemathesis import CheckContext, HookContext
from schemathesis.core.failures import Failure
from schemathesis.core.transport import Response
from schemathesis.generation.case import Case
from schemathesis.generation.meta import TestPhase
from schemathesis.openapi.checks import RejectedPositiveData

from skyjo_server.http.openapi import document as described
from tests.contract.document import Document

BOT: Final = os.environ["FUZZ_BOT"]
"""The bot that the token belongs to."""
TOKEN_ID: Final = os.environ["FUZZ_TOKEN_ID"]
ANSWERS: Final = Path(os.environ["FUZZ_ANSWERS"])
"""Where it is noted how often each operation gave which answer, a line for each."""

SEATS: Final = cycle(
    [
        [{"kind": "bot", "bot": BOT}, {"kind": "house", "house": "greedy"}],
        [{"kind": "open"}, {"kind": "house", "house": "random"}],
    ]
)
"""The seats of games that can be played: one begins at once, another when somebody joins it."""

SHORT_WAIT_SECONDS: Final = 0.05
"""So long a sound request waits for news: waiting itself is tested elsewhere."""

UNDERSTOOD: Final = {
    "urn:skyjo:problem:idempotency-key-reused",
    "urn:skyjo:problem:illegal-action",
    "urn:skyjo:problem:invalid-rules",
    "urn:skyjo:problem:stale-version",
}
"""Refusals of requests that were understood: what they ask cannot be done."""

NO_SCHEMA_SAYS: Final = re.compile(
    "is no cursor of this list"  # a text that looks like one
    "|that you may seat"  # a bot that does not exist
    "|must be an action, such as"  # a flip that names a place twice
    r"|must be a whole number .* not -?\d+\.0\b"  # to a schema this is one; this service takes it for none
)
"""What is wrong with a value that keeps to its schema."""

PLAY_WHAT_IS_SEEN: Final = {
    "operationId": "playAction",
    "parameters": {"path.game_id": "$response.body#/game", "header.If-Match": "$response.header.ETag"},
    "requestBody": {"action": "$response.body#/legal_actions/*"},
}
"""From a view to an action that is legal in it."""

PLAY_WHAT_WAITS: Final = {
    "operationId": "playAction",
    "parameters": {
        "path.game_id": "$response.body#/decisions/0/game",
        "header.If-Match": '"{$response.body#/decisions/0/version}"',
    },
    "requestBody": {"action": "$response.body#/decisions/0/legal_actions/*"},
}
"""From the decisions that wait to an action for the first of them."""

PLAY_ALL_THAT_WAITS: Final = {
    "operationId": "playTurns",
    "requestBody": {
        "actions": [
            {
                "game": f"$response.body#/decisions/{index}/game",
                "version": f"$response.body#/decisions/{index}/version",
                "action": f"$response.body#/decisions/{index}/legal_actions/*",
            }
            for index in range(2)
        ]
    },
}
"""From the decisions that wait to actions for two of them."""

MORE_LINKS: Final = {
    ("/v1/games/{game_id}/view", "get"): {"PlayAction": PLAY_WHAT_IS_SEEN},
    ("/v1/games/{game_id}/actions", "post"): {"PlayAction": PLAY_WHAT_IS_SEEN},
    ("/v1/turns", "get"): {"PlayAction": PLAY_WHAT_WAITS, "PlayTurns": PLAY_ALL_THAT_WAITS},
    ("/v1/turns", "post"): {"PlayAction": PLAY_WHAT_WAITS, "PlayTurns": PLAY_ALL_THAT_WAITS},
}
"""How an answer leads to an action that is legal; without them hardly any game would be played."""

DOCUMENT: Final = Document(described())


@schemathesis.hook
def before_load_schema(_context: HookContext, raw_schema: dict[str, Any]) -> None:
    """Link what shows decisions to the actions that are legal, so that games are played."""
    for (path, method), links in MORE_LINKS.items():
        raw_schema["paths"][path][method]["responses"]["200"].setdefault("links", {}).update(links)


@schemathesis.hook
def before_call(_context: HookContext, case: Case[Any], _kwargs: dict[str, Any]) -> None:
    """Put into a request what no schema can say."""
    if case.path_parameters.get("token_id") == TOKEN_ID:
        case.path_parameters["token_id"] = str(uuid4())  # or no request after this one would be signed
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = uuid4().hex
    for holder in (case.query, case.body):
        if isinstance(holder, dict) and "wait" in holder:
            holder["wait"] = SHORT_WAIT_SECONDS
    if operation_id(case) == "createGame" and isinstance(case.body, dict):
        _keep_short(cast("dict[str, Any]", case.body.get("rules", {})))
    if case.meta.phase.name is TestPhase.STATEFUL and isinstance(case.body, dict):
        _make_playable(operation_id(case), case.body)


def _keep_short(rules: dict[str, Any]) -> None:
    """Let no game have thousands of rounds: the house plays a game that waits for nobody in one go."""
    limit = rules.get("score_limit", 100)
    if limit is None or limit > 1000:
        rules["max_rounds"] = min(rules.get("max_rounds") or 20, 20)


def _make_playable(operation: str, body: dict[str, Any]) -> None:
    """Let games be of the bot that asks, and wait for it."""
    if operation == "createGame":
        body |= {"seats": next(SEATS), "move_seconds": 600}
    elif operation == "takeSeat":
        body.pop("bot", None)


@schemathesis.hook
def filter_failure(_context: HookContext, failure: Failure, _case: Case[Any], response: Response) -> bool:
    """Keep a failure, unless a sound request was refused for what no schema can say."""
    if not isinstance(failure, RejectedPositiveData):
        return True
    problem: dict[str, Any] = response.json()
    return problem["type"] not in UNDERSTOOD and not NO_SCHEMA_SAYS.search(problem["detail"])


@schemathesis.hook
def after_call(_context: HookContext, case: Case[Any], response: Response) -> None:
    """Note what was asked and answered."""
    with ANSWERS.open("a", encoding="utf-8") as file:
        file.write(f"{operation_id(case)} {response.status_code}\n")


@schemathesis.check
def keeps_to_the_document(_ctx: CheckContext, response: Response, case: Case[Any]) -> None:
    """Hold every answer against the document as this project reads it: nothing missing, nothing more."""
    path = urlsplit(str(response.request.url)).path
    headers = {name: values[0] for name, values in response.headers.items()}
    DOCUMENT.check(str(case.method), path, response.status_code, headers, response.content or b"")


def operation_id(case: Case[Any]) -> str:
    """The name of the operation that a case is for."""
    return str(case.operation.definition.raw["operationId"])
