"""Exactly once over a network that loses, doubles and delays: cases 19, 21, 23, 25, 27 and 32."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, cycle, repeat

import pytest

from skyjo_client import AnswerUnreadable, Client, RetryPolicy
from skyjo_client.retry import NEVER
from tests.faults.audit import assert_keys_used_once, assert_told_what_is_logged, proved
from tests.faults.network import Fault, Proxy, Traffic, plan
from tests.faults.playing import Moody, Run, at_play, finish, new_game, on_move, register
from tests.faults.serving import RunningService

PATIENT = RetryPolicy(attempts=50, first_seconds=0.1, cap_seconds=0.1)


def test_whatever_the_network_does_two_bots_play_whole_games_and_each_action_is_logged_once(
    running: RunningService,
) -> None:
    accounts = register(running.url, 2)
    games = [new_game(running.url, seats) for seats in (accounts, accounts[::-1], accounts)]
    runs = [Run(account) for account in accounts]
    traffic = Traffic()
    with (
        Proxy(running.port, plan(1), traffic) as one,
        Proxy(running.port, plan(2), traffic) as other,
        Proxy(running.port, plan(3), traffic) as third,
        ThreadPoolExecutor(1) as reader,
    ):
        followed = reader.submit(follow, third.url, games[0])
        with at_play(list(zip(runs, (one.url, other.url), strict=True))):
            summaries = finish(runs)
        for proxy in (one, other):
            proxy.deliver_late()  # … and when all is over it does no harm either
        assert followed.result() == list(range(len(proved(running.url, games[0]).events)))
    met = one.met + other.met
    assert set(met) == set(Fault)
    assert assert_told_what_is_logged(running.url, runs, games) == sum(summary.played for summary in summaries)
    assert_keys_used_once(runs)
    assert all(summary.interruptions > 0 for summary in summaries)


def test_a_request_that_arrives_twice_is_answered_twice_with_the_same_bytes(running: RunningService) -> None:
    accounts = register(running.url, 2)
    game = new_game(running.url, accounts, move_seconds=600)
    with Proxy(running.port, cycle([Fault.TWICE, Fault.TWICE_AT_ONCE])) as proxy:
        for number in range(24):
            account, seen = on_move(running.url, accounts, game)
            with Client(proxy.url, account.token) as client:
                client.games.play(game, version=seen.version, action=Moody(number).choose(seen))
    assert len(proxy.doubled) == 24
    for _, first, second in proxy.doubled:
        assert (first.status, first.body) == (second.status, second.body)
        assert first.status == 200
    _, seen = on_move(running.url, accounts, game)
    assert seen.version == 24


def test_a_move_that_is_resent_after_every_kind_of_loss_is_recognised_each_time(running: RunningService) -> None:
    accounts = register(running.url, 2)
    game = new_game(running.url, accounts)
    lost = [Fault.LOST_AFTER, Fault.HALF_AN_ANSWER, Fault.PAGE_AFTER, Fault.LOST_BEFORE, Fault.CUT_OFF, Fault.LATE]
    for number in range(4):
        account, seen = on_move(running.url, accounts, game)
        with Proxy(running.port, chain(lost, repeat(Fault.NONE))) as proxy:
            with Client(proxy.url, account.token, retry=PATIENT) as client:
                answer = client.games.play(game, version=seen.version, action=Moody(number).choose(seen))
            assert proxy.met == Counter([*lost, Fault.NONE])
        with Client(running.url, account.token) as client:
            assert client.games.view(game) == answer
        assert answer.version == seen.version + 1


def test_a_page_of_a_proxy_is_an_error_of_its_own_and_says_what_came(running: RunningService) -> None:
    with (
        Proxy(running.port, repeat(Fault.PAGE_BEFORE)) as proxy,
        Client(proxy.url, retry=NEVER) as client,
        pytest.raises(AnswerUnreadable, match=r"status 502, text/html.*502 Bad Gateway") as raised,
    ):
        client.games.list()
    assert raised.value.status == 502


def follow(url: str, game: str) -> list[int]:
    """Read a game's events as they come, and give their versions."""
    with Client(url, retry=PATIENT) as client:
        return [stamped.event.version for stamped in client.games.follow(game, wait_seconds=1)]
