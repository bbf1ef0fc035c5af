"""Whatever a schema allows or forbids, the running service answers as described: schemathesis, with all its checks."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from skyjo_client import BotSeat, Client, HouseSeat, OpenSeat, Scope
from skyjo_server.app import open_service
from skyjo_server.http.openapi import document as described
from skyjo_server.service import model
from skyjo_server.settings import Settings
from tests.contract.document import Document
from tests.database import PEPPER
from tests.faults.playing import Account
from tests.faults.serving import RunningService
from tests.house.tree import ROOT

EXAMPLES = 40
"""Requests of each operation at most, beside those that its schema asks for by itself."""

STATEFUL_SECONDS = 45
"""Chains of requests are tried for so long: what the service answers decides how many that are."""

OPERATIONS = {operation.operation_id for operation in Document(described()).operations()}
PERHAPS = {"resign", "revokeToken"}
"""Operations that succeed with what an earlier answer happened to give."""


@pytest.fixture
def account(running: RunningService) -> Account:
    """The bot that asks; its token is an organiser's."""
    opened = open_service(Settings(pepper=PEPPER, workers=1), running.conninfo)
    try:
        secret = opened.arena.grant_token(model.Scope.ORGANISER).secret
    finally:
        opened.close()
    with Client(running.url, secret) as client:
        bot = client.bots.register(f"bot-{uuid4().hex[:12]}").bot
        return Account(bot.id, bot.name, client.tokens.create(scope=Scope.ORGANISER, bot=bot.id).token)


def schemathesis(running: RunningService, account: Account, folder: Path, *options: str) -> Counter[tuple[str, str]]:
    """Run schemathesis, which must find nothing; give how often each operation gave which kind of answer, as "2xx"."""
    answers = folder / "answers"
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
        "FUZZ_URL": running.url,
        "FUZZ_TOKEN": account.token,
        "FUZZ_TOKEN_ID": token_id(running.url, account),
        "FUZZ_BOT": account.id,
        "FUZZ_GAMES": ",".join(games_of_all_kinds(running.url, account)),
        "FUZZ_TOURNAMENTS": ",".join(tournaments_of_all_kinds(running.url, account)),
        "FUZZ_ANSWERS": str(answers),
    }
    settings = ["--config-file", str(Path(__file__).with_name("schemathesis.toml"))]
    # In CI, as with all properties, the same examples each time; elsewhere new ones.
    repeatable = ["--generation-deterministic"] if "CI" in os.environ else []
    command = [sys.executable, "-m", "schemathesis.cli", *settings, "run", "--no-color", *repeatable, *options]
    ran = subprocess.run(
        [*command, f"{running.url}/openapi.json"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=540,
    )
    assert ran.returncode == 0, f"{ran.stdout}\n{ran.stderr}"
    lines = [line.split() for line in answers.read_text(encoding="utf-8").splitlines()]
    return Counter((operation, f"{status[0]}xx") for operation, status in lines)


def token_id(url: str, account: Account) -> str:
    with Client(url, account.token) as client:
        return client.me().token.id


def games_of_all_kinds(url: str, account: Account) -> list[str]:
    """Make games that are open, on and over."""
    me, house = BotSeat(account.id), HouseSeat("random")
    with Client(url, account.token) as client:
        return [client.games.create(seats=[seat, house]).id for seat in (OpenSeat(), me, house) * 4]


def tournaments_of_all_kinds(url: str, account: Account) -> list[str]:
    """Make tournaments that are open and on."""
    with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {account.token}"}, trust_env=False) as client:

        def post(path: str, body: object = None) -> dict[str, Any]:
            found: dict[str, Any] = client.post(path, json=body).raise_for_status().json()
            return found

        def create(**options: object) -> str:
            wanted = {"name": "Cup", "format": "round-robin", "house": ["random", "greedy"], "move_seconds": 600}
            return str(post("/v1/tournaments", wanted | options)["id"])

        made = [create() for _ in range(12)]
        for number, tournament in enumerate(made):
            if number % 3:
                post(f"/v1/tournaments/{tournament}/entries")
                post(f"/v1/tournaments/{tournament}/start")
        return made


def succeeded(answers: Counter[tuple[str, str]]) -> set[str]:
    """Name the operations that did what was asked at least once."""
    return {operation for operation, status in answers if status == "2xx"}


def test_every_operation_keeps_to_its_description_whatever_is_sent(
    running: RunningService, account: Account, tmp_path: Path
) -> None:
    # By one thread: of several that parse Python at once, as hypothesis does, CPython 3.11 can lose count (gh-106905).
    phases = ["--phases", "examples,coverage,fuzzing", "--max-examples", str(EXAMPLES), "--workers", "1"]
    answers = schemathesis(running, account, tmp_path, *phases)
    assert {operation for operation, _ in answers} == OPERATIONS
    assert succeeded(answers) >= OPERATIONS - PERHAPS
    assert {status for _, status in answers} <= {"2xx", "3xx", "4xx"}


def test_chains_of_requests_play_games_and_every_answer_keeps_to_its_description(
    running: RunningService, account: Account, tmp_path: Path
) -> None:
    phases = ["--phases", "stateful", "--max-examples", str(EXAMPLES), "--max-time", str(STATEFUL_SECONDS)]
    answers = schemathesis(running, account, tmp_path, *phases)
    assert succeeded(answers) >= {"createGame", "takeSeat", "playAction", "revokeToken"}
    assert {status for _, status in answers} <= {"2xx", "3xx", "4xx"}
