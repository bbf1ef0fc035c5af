"""What schemathesis is told of the service beyond its document: what a client knows, and which refusals are no faults.

Loaded by schemathesis in a process of its own; it is no test.
"""

from __future__ import annotations

import os
import re
from itertools import cycle
from pathlib import Path
from random import choice
from typing import Any, Final, cast
from urllib.parse import urlsplit
from uuid import uuid4

import httpx
import schemathesis
from schemathesis import CheckContext, HookContext
from schemathesis.core.failures import Failure
from schemathesis.core.transport import Response
from schemathesis.generation.case import Case
from schemathesis.generation.meta import TestPhase
from schemathesis.openapi.checks import EnsureResourceAvailability, RejectedPositiveData

from skyjo_server.http.openapi import document as described
from tests.contract.document import Document

BOT: Final = os.environ["FUZZ_BOT"]
"""The bot that the token belongs to."""
TOKEN_ID: Final = os.environ["FUZZ_TOKEN_ID"]
GAMES: Final = cycle([*os.environ["FUZZ_GAMES"].split(","), None])
"""Games that there are, one after the other; None = whatever was going to be asked for."""
TOURNAMENTS: Final = cycle([*os.environ["FUZZ_TOURNAMENTS"].split(","), None])
"""Tournaments that there are, likewise."""
TO_ABORT: Final = os.environ["FUZZ_TOURNAMENTS"].split(",")[-1]
"""The one that may be aborted, so that others go on."""
ANSWERS: Final = Path(os.environ["FUZZ_ANSWERS"])
"""Where it is noted how often each operation gave which answer, a line for each."""

SEATS: Final = cycle(
    [
        [{"kind": "bot", "bot": BOT}, {"kind": "house", "house": "greedy"}],
        [{"kind": "open"}, {"kind": "house", "house": "random"}],
    ]
)
"""The seats of games that can be played: one begins at once, another when somebody joins it."""

FORMATS: Final = cycle(["round-robin", "swiss", "gauntlet", "knockout", "ladder"])
"""The formats of tournaments whose options go together."""

MATCHED: Final = (
    "table_size",
    "boards",
    "rounds",
    "duplicate",
    "challengers",
    "sequential",
    "tables_max",
    "games_at_once",
    "start_at",
)
"""Options of a tournament that have to match others, or would begin it at once."""

CAN_BE_PLAYED: Final = cycle([True, True, False])
"""Whether the next action that is sent shall be a legal one."""
ASKING: Final = httpx.Client(
    base_url=os.environ["FUZZ_URL"], headers={"Authorization": f"Bearer {os.environ['FUZZ_TOKEN']}"}, trust_env=False
)
"""The same bot beside the requests of the test."""

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
    "|must not have a token in it"  # a text that was learned from an answer
    "|that you may seat"  # a bot that does not exist
    r"|is beyond \d+|the game is over at|in the midst of a turn"  # a step that no game can go on from
    "|a seat is open, but the game goes on|seats, but the game has"  # who is to go on in a fork
    "|a seat and a view are named|there is no seat"  # each is sound without the other, and in a greater game
    "|must be a point in time from 2000 to 2999"  # a year, or a second, that the calendar of this service has not
    "|must be 1 to 200 characters"  # half a surrogate pair
    "|must be an action, such as"  # a flip that names a place twice
    r"|must be a whole number .* not -?\d+\.0\b"  # to a schema this is one; this service takes it for none
)
"""What is wrong with a value that keeps to its schema."""

OF_AN_ENTRY: Final = frozenset({"enterTournament", "withdraw", "disqualify", "voidTable"})
"""Operations on what may be missing though the tournament was just created: the bot, its entry, a table."""

DOCUMENT: Final = Document(described())


@schemathesis.hook
def before_call(_context: HookContext, case: Case[Any], _kwargs: dict[str, Any]) -> None:
    """Put into a request what no schema can say."""
    if case.path_parameters.get("token_id") == TOKEN_ID:
        case.path_parameters["token_id"] = str(uuid4())  # or no request after this one would be signed
    if case.meta is not None and case.meta.generation.mode.is_positive:
        _make_sensible(case, case.meta.phase.name is TestPhase.STATEFUL)


def _make_sensible(case: Case[Any], in_a_chain: bool) -> None:
    """Let a sound request be about what there is."""
    operation, body = operation_id(case), cast("dict[str, Any]", case.body) if isinstance(case.body, dict) else {}
    if "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = uuid4().hex
    for holder in (case.query, body):
        if "wait" in holder:
            holder["wait"] = SHORT_WAIT_SECONDS
    _keep_small(operation, body)
    if in_a_chain:
        _make_playable(operation, body)
    else:
        _ask_for_what_there_is(operation, case.path_parameters)
    if operation in {"playAction", "playTurns"} and next(CAN_BE_PLAYED):
        _play_what_waits(case, body)


def _keep_small(operation: str, body: dict[str, Any]) -> None:
    """Let what is created be over soon."""
    if operation in {"createGame", "createTournament"}:
        _keep_short(body.get("rules", {}))
    if operation == "createTournament":
        _make_small(body)


def _keep_short(rules: dict[str, Any]) -> None:
    """Let every game end within what is served; no schema says so of two options together."""
    limit = rules.get("score_limit", 100)
    if limit is None or limit > 1000:
        rules["max_rounds"] = min(rules.get("max_rounds") or 20, 20)
    if "max_turns_per_seat" in rules:
        rules["max_turns_per_seat"] = min(rules["max_turns_per_seat"] or 200, 200)


def _make_small(body: dict[str, Any]) -> None:
    """Let the options of a tournament go together, and be few; which do, no schema says."""
    for name in MATCHED:
        body.pop(name, None)
    body |= {"format": next(FORMATS), "entries_max": 8, "tables_at_once": 2, "house": body.get("house", [])[:3]}
    if body["format"] == "ladder":
        body["rounds"] = 2  # or it would never end


def _ask_for_what_there_is(operation: str, path_parameters: dict[str, Any]) -> None:
    """Name a game and a bot that are there, where no link leads to them."""
    if "game_id" in path_parameters:
        path_parameters["game_id"] = next(GAMES) or path_parameters["game_id"]
    if "bot_id" in path_parameters:
        path_parameters["bot_id"] = BOT
    if "tournament_id" in path_parameters:
        wanted = TO_ABORT if operation == "abortTournament" else next(TOURNAMENTS)
        path_parameters["tournament_id"] = wanted or path_parameters["tournament_id"]
    if "table_number" in path_parameters:
        path_parameters |= {"round_number": 0, "table_number": 0}


def _make_playable(operation: str, body: dict[str, Any]) -> None:
    """Let games be of the bot that asks, and wait for it."""
    if operation == "createGame":
        body |= {"seats": next(SEATS), "move_seconds": 600}
    elif operation == "takeSeat":
        body.pop("bot", None)


def _play_what_waits(case: Case[Any], body: dict[str, Any]) -> None:
    """Make an action one that can be played now."""
    waiting = ASKING.get("/v1/turns", params={"limit": 2}).raise_for_status().json()["decisions"]
    turns = [
        {"game": seen["game"], "version": seen["version"], "action": choice(seen["legal_actions"])} for seen in waiting
    ]
    if operation_id(case) == "playTurns":
        body["actions"] = turns
    elif turns:
        case.path_parameters["game_id"] = turns[0]["game"]
        case.headers["If-Match"] = f'"{turns[0]["version"]}"'
        body["action"] = turns[0]["action"]


@schemathesis.hook
def filter_failure(_context: HookContext, failure: Failure, case: Case[Any], response: Response) -> bool:
    """Keep a failure, unless a sound request was refused for what no schema can say."""
    if isinstance(failure, EnsureResourceAvailability):
        return operation_id(case) not in OF_AN_ENTRY
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
