"""Games between bots on a cluster: Dask's executor in the place of one of this machine's, over loopback."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor

import pytest
from distributed import Client, LocalCluster

from skyjo import Decision, RuleSet
from skyjo_client import Arena, BotError, NamedBot, load_bot

QUICK = RuleSet(max_rounds=1)
RANDOM = load_bot("random")
FIRST = load_bot("skyjo_client.examples.first_bot:choose")


def stubborn(_decision: Decision) -> str:
    return "keep a1"


@pytest.fixture(scope="module")
def cluster() -> Iterator[Executor]:
    """Two workers: threads, to be quick to start, but reached by TCP, so that what is sent to them is serialised."""
    where = {"host": "127.0.0.1", "protocol": "tcp", "dashboard_address": None}
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=False, **where) as workers,  # type: ignore[no-untyped-call]  # it has no annotations
        Client(workers) as client,  # type: ignore[no-untyped-call]  # as above
        client.get_executor() as executor,
    ):
        yield executor


def test_the_results_are_the_same_on_a_cluster(cluster: Executor) -> None:
    arena = Arena([RANDOM, FIRST], rules=QUICK, seed="cluster")
    assert list(arena.play(40, executor=cluster, records=True)) == list(arena.play(40, records=True))


def test_a_bot_need_not_be_found_by_name_there(cluster: Executor) -> None:
    arena = Arena([NamedBot("last", bot=lambda decision: decision.legal_actions[-1]), RANDOM], rules=QUICK)
    assert list(arena.play(9, executor=cluster)) == list(arena.play(9))


def test_a_bot_that_fails_there_is_named_here_with_its_game_and_version(cluster: Executor) -> None:
    with pytest.raises(BotError, match="stubborn: the bot chose 'keep a1'") as caught:
        list(Arena([NamedBot("stubborn", bot=stubborn), RANDOM]).play(20, executor=cluster))
    assert (caught.value.action, caught.value.decision.version) == ("keep a1", 0)
