"""pgbench as the yardstick for commits: the service's own statement, sent by PostgreSQL's own load generator.

Each client has one game and moves it on by one event a transaction. The statement is :data:`COMMIT` to the letter; its
one parameter, a JSON text, is filled in by `format`, because pgbench cannot. The same writes as an ordinary transaction
of two statements, four round trips, are a second yardstick: less work for the server, more for whoever talks to it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from hashlib import sha256
from pathlib import Path
from statistics import mean
from typing import Final
from uuid import UUID

import psycopg
from psycopg.conninfo import conninfo_to_dict

from skyjo import Action
from skyjo.facts import Cause, Discarded, Event, Placed
from skyjo.places import Place
from skyjo_server.postgres.binaries import find_binaries
from skyjo_server.service.model import GameStatus
from skyjo_server.service.ports import Move, NewEvent, Receipt
from skyjo_server.storage.connections import PLANNING
from skyjo_server.storage.log import COMMIT, commit_parameter

CLIENTS: Final = 64
ONE_STATEMENT: Final = "one statement"
TRANSACTION: Final = "transaction"

WARM_UP_SECONDS: Final = 2
"""Not counted: sixty-four new connections each plan the statement first."""

_RUNS: Final = 16
"""Each run has games of its own: clients count their versions from 0."""

_OPTIONS: Final = ("-n", "-M", "prepared", "-c", str(CLIENTS), "-j", "2", "-P", "1")
_GAME: Final = "00000000-0000-4000-8000-%012d"
_TOKEN: Final = UUID(int=1)
_SENT_VERSION: Final = 1_000_001
"""Stands for the version in the sample, where nothing else can be meant."""

_PREPARE: Final = f"""
INSERT INTO owners (owner_id) VALUES ('{_TOKEN}');
INSERT INTO tokens (token_id, owner_id, scope, digest, prefix) VALUES ('{_TOKEN}', '{_TOKEN}', 'bot', '\\x00', '');
INSERT INTO games (game_id, owner_id, status, version, rules, commitment, bank_seconds, on_timeout, max_timeouts,
                   clock_started)
SELECT format('00000000-0000-4000-8000-%s', lpad(n::text, 12, '0'))::uuid, '{_TOKEN}', 'running', 0, '{{}}', '', 0,
       'default', 3, now()
FROM generate_series(0, {_RUNS * CLIENTS - 1}) n
"""  # noqa: S608 - put together from constants of this module
_ADVANCE: Final = "\\set expected :expected + 1\n\\set game :client_id + :first\n"
_AS_TRANSACTION: Final = """
BEGIN;
INSERT INTO events (game_id, version, seat, action, cause, facts, at, hash)
VALUES (format('00000000-0000-4000-8000-%s', lpad(:game::text, 12, '0'))::uuid, :expected + 1, 1, :action,
        'player', :facts, now(), decode(:hash, 'hex'));
UPDATE games SET version = :expected + 1, clock_started = now()
WHERE game_id = format('00000000-0000-4000-8000-%s', lpad(:game::text, 12, '0'))::uuid
  AND version = :expected;
END;
"""


class Yardstick:
    """pgbench on a database of its own.

    Args:
        conninfo: the database, migrated and empty.
        folder: where its scripts go.
    Attributes:
        committed: transactions so far, those of the first seconds included.
    """

    def __init__(self, conninfo: str, folder: Path) -> None:
        self._conninfo = conninfo
        self._program = find_binaries().bin / "pgbench"
        self._folder = folder
        with psycopg.connect(conninfo) as connection:
            connection.execute(_PREPARE)
        self._runs = 0
        self.committed = 0
        template = _template()
        event = _sample().events[0]
        self._variables = {
            "template": template,
            "action": str(event.event.action),
            "hash": event.hash.hex(),
            "facts": json.dumps(json.loads(commit_parameter([_sample()]))[0]["events"][0]["facts"]),
        }
        statement = COMMIT.replace(
            "%s::json",
            "format(:template, lpad(:game::text, 12, '0'), :expected::text, (:expected + 1)::text)::json",
        ).strip()
        (folder / ONE_STATEMENT).write_text(f"{_ADVANCE}{statement};\n", encoding="utf-8")
        (folder / TRANSACTION).write_text(f"{_ADVANCE}{_AS_TRANSACTION}", encoding="utf-8")

    @property
    def possible(self) -> bool:
        """Whether there is a pgbench beside the server's programs."""
        return self._program.exists()

    def rate(self, script: str, seconds: int) -> float:
        """Transactions a second of 64 clients on two threads, prepared, over the Unix socket.

        Raises:
            RuntimeError: if pgbench fails, or not every transaction moved its game.
        """
        before = self._events()
        said = self._run(script, seconds + WARM_UP_SECONDS)
        counted = re.findall(r"number of transactions actually processed: (\d+)", said)
        rates = [float(rate) for rate in re.findall(r"^progress: .* s, ([0-9.]+) tps", said, re.MULTILINE)]
        if not counted or len(rates) <= WARM_UP_SECONDS or self._events() - before != int(counted[0]):
            raise RuntimeError(f"pgbench committed {self._events() - before} events and says:\n{said}")
        self.committed += int(counted[0])
        return mean(rates[WARM_UP_SECONDS:])

    def _run(self, script: str, seconds: int) -> str:
        first, self._runs = self._runs * CLIENTS, self._runs + 1
        assert self._runs <= _RUNS
        given = conninfo_to_dict(self._conninfo)
        environment = {
            "PGHOST": given["host"],
            "PGPORT": given["port"],
            "PGUSER": given["user"],
            "PGPASSWORD": given["password"],
            "PGDATABASE": given["dbname"],
            "PGOPTIONS": " ".join(f"-c {name}={value}" for name, value in PLANNING.items()),
        }
        variables = [part for name, value in self._variables.items() for part in ("-D", f"{name}={value}")]
        done = subprocess.run(
            [
                str(self._program),
                *_OPTIONS,
                "-T",
                str(seconds),
                "-D",
                "expected=-1",
                "-D",
                f"first={first}",
                *variables,
                "-f",
                script,
            ],
            cwd=self._folder,
            env=os.environ | {name: str(value) for name, value in environment.items()},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(done.stderr[:1000])
        return done.stdout + done.stderr

    def _events(self) -> int:
        with psycopg.connect(self._conninfo) as connection:
            row = connection.execute("SELECT count(*) FROM events").fetchone()
            assert row is not None
            return int(row[0])


def _template() -> str:
    """The parameter of a usual move, with places for the game's number and the versions before and after."""
    text = commit_parameter([_sample()])
    assert "%" not in text
    numbered = text.replace((_GAME % 0)[-12:], "%1$s").replace(str(_SENT_VERSION + 1), "%3$s")
    return numbered.replace(str(_SENT_VERSION), "%2$s")


def _sample() -> Move:
    """A card that was drawn and is kept, by the second of two bots, with an idempotency key."""
    version, place = _SENT_VERSION + 1, Place.parse("c2")
    event = Event(version, 1, Action.parse("keep c2"), Cause.PLAYER, (Placed(1, place, 7), Discarded(1, 12)))
    return Move(
        game_id=UUID(_GAME % 0),
        expected_version=_SENT_VERSION,
        events=(NewEvent(event, sha256(b"sample").digest()),),
        status=GameStatus.RUNNING,
        to_act=1,
        token_id=_TOKEN,
        receipts=(Receipt(1, f"k{_SENT_VERSION}", _SENT_VERSION, str(event.action), version, version),),
    )
