"""Events of sixteen bots in every format while processes are killed, audited from their archives alone.

`FAULTS_EVENT_KILLS` in the environment sets how often something is killed, in place of what fits a run of all tests.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from random import Random
from uuid import uuid4

from skyjo import RuleSet
from skyjo_client import (
    Client,
    RetryPolicy,
    Scoring,
    TableNotPlaying,
    TournamentFormat,
    TournamentOptions,
    TournamentOver,
    run_bot,
)
from skyjo_client.tournament_models import TableOutcome
from skyjo_server.app import open_service
from skyjo_server.postgres import EmbeddedPostgres
from skyjo_server.service.model import Scope
from skyjo_server.settings import Settings
from tests.database import PEPPER
from tests.faults.event_audit import audit
from tests.faults.playing import IMPATIENT, Account, Moody
from tests.faults.serving import RunningService
from tests.faults.test_kills import Killer
from tests.faults.waiting import until

KILLS = int(os.environ.get("FAULTS_EVENT_KILLS", "5"))
HOUSE = ("threshold", "random") * 4
PLAYERS = 7
ENTRIES = len(HOUSE) + PLAYERS + 1
"""The last one enters and never plays."""

GAMES_BETWEEN = 25
"""Games that end between two kills."""

PATIENT = RetryPolicy(attempts=120, cap_seconds=1.0)
"""The service is away now and then."""

LONGEST_SECONDS = 300.0

_PLAIN = TournamentOptions(
    name="Round robin",
    format=TournamentFormat.ROUND_ROBIN,
    boards=1,
    entries_per_owner=2,
    rules=RuleSet(max_rounds=1, draw_streams="per_seat"),
    move_seconds=5.0,
    bank_seconds=0.0,
    house=HOUSE,
)
TABLES_AT_ONCE = 16
"""Fewer than an entry has in the round robin: some of those of the absentee have not begun when it is withdrawn."""

EVENTS = (
    replace(_PLAIN, duplicate=True, tables_at_once=TABLES_AT_ONCE),
    replace(_PLAIN, name="Gauntlet", format=TournamentFormat.GAUNTLET, boards=3, challengers=2, duplicate=True),
    replace(
        _PLAIN, name="Swiss", format=TournamentFormat.SWISS, boards=2, rounds=4, scoring=Scoring.POINTS, duplicate=True
    ),
    replace(_PLAIN, name="Knockout", format=TournamentFormat.KNOCKOUT, boards=2),
    replace(_PLAIN, name="Ladder", format=TournamentFormat.LADDER, boards=2, rounds=6),
)


def test_events_of_every_format_come_to_an_end_that_holds_up_whatever_is_killed(
    own_service: RunningService, cluster: EmbeddedPostgres
) -> None:
    killer = Killer(own_service, cluster, Random(KILLS))
    players, absentee = registered(own_service.url, PLAYERS), registered(own_service.url, 1)[0]
    with Client(own_service.url, organiser_of(own_service), retry=PATIENT) as client:
        events = [client.tournaments.create(options).id for options in EVENTS]
        for account in (*players, absentee):
            enter(own_service.url, account, events)
        with at_play(own_service.url, players):
            for event in events:
                client.tournaments.start(event)
            for number in range(KILLS):
                wait_for_games(client, events, killer)
                killer.ways[number % len(killer.ways)]()
                steer(client, events[number % len(events)])
            killer.see_to_the_service()
            assert not are_over(client, events), "the events were over before the last kill"
            until(lambda: are_over(client, events), "the end of every event", LONGEST_SECONDS)
        archives = [audit(client.tournaments.export(event)) for event in events]
    assert [len(read.entries) for read in archives] == [ENTRIES] * len(EVENTS)
    tables = [table for read in archives for table in read.tables]
    assert {"finished", "no-show"} <= {seat["cause"] for table in tables for seat in table["seats"]}
    assert {"finished", "void", "cancelled"} <= {table["outcome"] for table in tables}


def organiser_of(service: RunningService) -> str:
    """A token that may steer events."""
    opened = open_service(Settings(pepper=PEPPER, workers=1), service.conninfo)
    try:
        return opened.arena.grant_token(Scope.ORGANISER).secret
    finally:
        opened.close()


def registered(url: str, count: int) -> tuple[Account, ...]:
    """Bots, the first two of one owner and each other one of its own."""
    accounts: list[Account] = []
    for number in range(count):
        with Client(url, accounts[0].token if number == 1 else None, retry=PATIENT) as client:
            made = client.bots.register(f"bot-{uuid4().hex[:12]}")
        accounts.append(Account(made.bot.id, made.bot.name, made.token.token))
    return tuple(accounts)


def enter(url: str, account: Account, events: Sequence[str]) -> None:
    """Enter a bot in all events."""
    with Client(url, account.token, retry=PATIENT) as client:
        for event in events:
            client.tournaments.enter(event)


@contextmanager
def at_play(url: str, accounts: Sequence[Account]) -> Iterator[None]:
    """Let bots play whatever they are paired for; afterwards they stop, and none has failed."""
    stop = threading.Event()
    with ThreadPoolExecutor(len(accounts)) as pool:
        runs = [
            pool.submit(run_bot, Moody(seed), url, account.token, stop=stop, on_event=lambda _: None, pace=IMPATIENT)
            for seed, account in enumerate(accounts)
        ]
        try:
            yield
        finally:
            stop.set()
    for run in runs:
        run.result()


def wait_for_games(client: Client, events: Sequence[str], killer: Killer) -> None:
    """Wait until some more games are over: the service plays again, and is hit at any moment."""
    goal = games_over(client, events) + GAMES_BETWEEN

    def played_on() -> bool:
        killer.see_to_the_service()
        return games_over(client, events) >= goal

    until(played_on, "further games", LONGEST_SECONDS)


def games_over(client: Client, events: Sequence[str]) -> int:
    """How many tables are over in all events together."""
    return sum(client.tournaments.get(event).progress.tables_over for event in events)


def are_over(client: Client, events: Sequence[str]) -> bool:
    """Whether every event has come to its end, and its ratings rest on all of it."""
    seen = [client.tournaments.get(event) for event in events]
    return all(event.status.is_over and event.rated for event in seen)


def steer(client: Client, event: str) -> None:
    """Pause an event, declare a game void that is on, and let it go on, as an organiser may at any moment."""
    with suppress(TableNotPlaying, TournamentOver):
        client.tournaments.pause(event)
        for table in client.tournaments.tables(event, outcome=TableOutcome.PLAYING, limit=1).items:
            client.tournaments.void_table(event, table.round, table.table)
    with suppress(TableNotPlaying, TournamentOver):
        client.tournaments.resume(event)
