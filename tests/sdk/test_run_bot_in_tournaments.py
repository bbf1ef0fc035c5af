"""`run_bot` in a tournament: one call enters and plays it, comes back to it, and ends with it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest

from skyjo import RuleSet
from skyjo_client import (
    AlreadyEntered,
    Client,
    EntryClosed,
    EntryStatus,
    Pace,
    Played,
    RunEvent,
    RunSummary,
    Tournament,
    TournamentFormat,
    TournamentOptions,
    TournamentStatus,
    run_bot,
    run_bot_async,
)
from skyjo_server.app import Service
from skyjo_server.service.model import Scope
from tests.sdk.serving import LocalServer
from tests.sdk.worlds import World, by_default

Run = Callable[..., RunSummary]

SHORT = RuleSet(max_rounds=1, score_limit=None, max_turns_per_seat=4)
BRISK = Pace(wait_seconds=0.2)


@pytest.fixture(params=["run_bot", "run_bot_async"])
def run(request: pytest.FixtureRequest) -> Run:
    """One of the two ways to run a bot."""
    if request.param == "run_bot":
        return run_bot
    return lambda *arguments, **options: asyncio.run(run_bot_async(*arguments, **options))


@pytest.fixture
def organiser(service: Service, server: LocalServer) -> Iterator[Client]:
    """A client that may set up events, which move on by themselves."""
    service.arena.runner.start()
    with Client(server.url, service.arena.grant_token(Scope.ORGANISER).secret) as client:
        yield client


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    """Where bots run beside the test."""
    with ThreadPoolExecutor(4) as pool:
        yield pool


def event(organiser: Client, **options: Any) -> Tournament:
    """A round robin of short games that begins when everybody is in."""
    wanted = {"rules": SHORT, "duplicate": True, "entries_max": 3, "start_when_full": True, "house": ("random",)}
    return organiser.tournaments.create(
        TournamentOptions(name="Cup", format=TournamentFormat.ROUND_ROBIN, **{**wanted, **options})
    )


def until_entered(organiser: Client, tournament: str, entries: int) -> None:
    """Wait for a bot that runs beside the test to enter."""
    version = -1
    while organiser.tournaments.get(tournament).entries < entries:
        version = organiser.tournaments.events(tournament, after=version, wait_seconds=5).version


def test_two_bots_enter_and_play_an_event_with_one_call_each(
    real_world: World, server: LocalServer, organiser: Client, threads: ThreadPoolExecutor, run: Run
) -> None:
    cup = event(organiser)
    bots = [real_world.bot() for _ in range(2)]
    runs: list[Future[RunSummary]] = [
        threads.submit(run, by_default, server.url, token, tournament=cup.id, pace=BRISK) for _, token in bots
    ]
    summaries = [each.result() for each in runs]
    assert {summary.entry for summary in summaries} == {1, 2}
    assert all(summary.played > 0 for summary in summaries)
    assert organiser.tournaments.get(cup.id).status is TournamentStatus.FINISHED
    rows = {row.bot: row for row in organiser.tournaments.standings(cup.id)}
    assert all((rows[bot].tables, rows[bot].causes.finished) == (4, 4) for bot, _ in bots)


def test_a_bot_that_comes_back_goes_on_as_the_same_entry(
    real_world: World, server: LocalServer, organiser: Client, run: Run
) -> None:
    cup = event(organiser, entries_max=2)
    bot, token = real_world.bot()
    stop = Event()

    def crash(happened: RunEvent) -> None:
        if isinstance(happened, Played):
            stop.set()

    first = run(by_default, server.url, token, tournament=cup.id, stop=stop, on_event=crash, pace=BRISK)
    assert organiser.tournaments.get(cup.id).status is TournamentStatus.RUNNING
    second = run(by_default, server.url, token, tournament=cup.id, pace=BRISK)
    assert (first.entry, second.entry) == (1, 1)
    assert second.played > 0
    assert [entry.bot for entry in organiser.tournaments.entries(cup.id)] == [None, bot]
    assert run(by_default, server.url, token, tournament=cup.id) == RunSummary()


def test_a_bot_that_is_taken_out_is_not_kept_waiting(
    real_world: World, server: LocalServer, organiser: Client, threads: ThreadPoolExecutor, run: Run
) -> None:
    cup = event(organiser)
    _, token = real_world.bot()
    waiting = threads.submit(run, by_default, server.url, token, tournament=cup.id, pace=BRISK)
    until_entered(organiser, cup.id, 2)
    taken_out = organiser.tournaments.disqualify(cup.id, 1, "two bots of one author")
    assert (taken_out.status, taken_out.reason) == (EntryStatus.DISQUALIFIED, "two bots of one author")
    assert waiting.result() == RunSummary(entry=1)
    with pytest.raises(AlreadyEntered):
        run(by_default, server.url, token, tournament=cup.id, pace=BRISK)


def test_a_bot_that_may_not_enter_is_told_why(
    real_world: World, server: LocalServer, organiser: Client, run: Run
) -> None:
    cup = event(organiser, house=("random", "random"), start_when_full=False)
    organiser.tournaments.start(cup.id)
    organiser.tournaments.pause(cup.id)
    _, token = real_world.bot()
    with pytest.raises(EntryClosed):
        run(by_default, server.url, token, tournament=cup.id, pace=BRISK)
