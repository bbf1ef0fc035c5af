"""What the client does when no answer comes, or not the right one."""

from __future__ import annotations

import httpx
import pytest

from skyjo import Action
from skyjo_client import (
    AnswerUnreadable,
    AsyncClient,
    BotSeat,
    ConnectionFailed,
    ContractMismatch,
    HouseSeat,
    OpenSeat,
    RateLimited,
    RetryPolicy,
    StaleVersion,
    Unavailable,
)
from tests.sdk.little.faults import Fault
from tests.sdk.worlds import SHORT, URL, World

SEATS = (OpenSeat(), HouseSeat("greedy"))
BUSY = {
    "type": "urn:skyjo:problem:rate-limited",
    "title": "Busy",
    "status": 429,
    "detail": "Slow down.",
    "hint": "Wait.",
}


def limited(headers: dict[str, str], times: int) -> httpx.MockTransport:
    """Refuses the first requests as too many, then answers that there is nothing to do."""
    left = iter(range(times))

    def handler(_: httpx.Request) -> httpx.Response:
        if next(left, None) is not None:
            return httpx.Response(429, json=BUSY, headers=headers)
        return httpx.Response(200, json={"decisions": []})

    return httpx.MockTransport(handler)


@pytest.mark.parametrize(
    "fault", [Fault.LOST_BEFORE, Fault.LOST_AFTER, Fault.PAGE_BEFORE, Fault.PAGE_AFTER, Fault.TWICE, Fault.LATE]
)
async def test_whatever_is_lost_or_doubled_a_game_is_created_once(world: World, fault: Fault) -> None:
    bot, token = world.bot()
    async with world.client_async(token, faults=[fault]) as client:
        game = await client.games.create(seats=[BotSeat(bot), *SEATS])
        page = await client.games.list(bot=bot)
    assert [listed.id for listed in page.items] == [game.id]


async def test_a_request_is_sent_again_with_the_same_idempotency_key(world: World) -> None:
    _, token = world.bot()
    async with world.client_async(token, faults=[Fault.LOST_BEFORE, Fault.LOST_AFTER]) as client:
        await client.games.create(seats=SEATS)
        await client.games.create(seats=SEATS)
    keys = [request.headers["Idempotency-Key"] for request in world.requests]
    assert keys[0] == keys[1] == keys[2] != keys[3]


async def test_a_move_whose_answer_is_lost_is_played_once(world: World) -> None:
    bot, token = world.bot()
    game = world.game(bot, token)
    async with world.client_async(token, faults=[Fault.NONE, Fault.LOST_AFTER]) as client:
        before = await client.games.view(game.id)
        after = await client.games.play(game.id, version=before.version, action=before.legal_actions[0])
        events = await client.games.events(game.id, after=before.version)
    assert after.version > before.version
    assert [stamped.event.seat for stamped in events.events].count(0) == 1
    assert len(world.requests) == 4


async def test_a_stale_action_is_not_sent_again(world: World) -> None:
    bot, token = world.bot()
    game = world.game(bot, token)
    async with world.client_async(token) as client:
        before = await client.games.view(game.id)
        now = await client.games.play(game.id, version=before.version, action=before.legal_actions[0])
        sent = len(world.requests)
        with pytest.raises(StaleVersion) as caught:
            await client.games.play(game.id, version=before.version, action=Action.draw())
    assert len(world.requests) == sent + 1
    assert caught.value.decision == now
    assert caught.value.version == now.version


async def test_a_request_without_a_key_is_not_sent_again_once_it_may_have_arrived(world: World) -> None:
    async with world.client_async(faults=[Fault.LOST_BEFORE]) as client:
        with pytest.raises(ConnectionFailed, match=r"POST v1/tokens: the connection broke") as caught:
            await client.tokens.create()
    assert caught.value.sent
    assert len(world.requests) == 1


async def test_a_registration_whose_answer_was_lost_gives_the_same_bot_and_token(real_world: World) -> None:
    key = "a-key-that-nobody-guesses"
    async with real_world.client_async(faults=[Fault.LOST_AFTER]) as client:
        first = await client.bots.register("kiebitz", key=key)
        assert await client.bots.register("kiebitz", key=key) == first


async def test_a_request_that_never_left_is_sent_again_with_or_without_a_key(world: World) -> None:
    async with world.client_async(faults=[Fault.REFUSED, Fault.REFUSED]) as client:
        registration = await client.bots.register("kiebitz")
    assert registration.bot.name == "kiebitz"
    assert world.sleeps == [0.25, 0.5]


async def test_a_proxys_page_is_an_error_of_its_own_once_there_is_nothing_more_to_try(world: World) -> None:
    async with world.client_async(faults=[Fault.PAGE_BEFORE] * 5) as client:
        with pytest.raises(AnswerUnreadable, match=r"status 502, text/html.*<h1>502 Bad Gateway</h1>") as caught:
            await client.games.list()
    assert caught.value.status == 502
    assert len(world.requests) == 5
    assert world.sleeps == [0.25, 0.5, 1.0, 2.0]


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "7"}, 7.25),
        ({"Retry-After": "Thu, 01 Jan 2026 00:00:09 GMT", "Date": "Thu, 01 Jan 2026 00:00:00 GMT"}, 9.25),
        ({"Retry-After": "soon"}, 0.25),
        ({}, 0.25),
    ],
)
async def test_the_client_waits_as_long_as_it_is_asked_to(
    little: World, headers: dict[str, str], seconds: float
) -> None:
    transport = limited(headers, 1)
    async with AsyncClient(URL, transport=transport, sleep=little.sleep_async, jitter=lambda: 1.0) as client:
        assert await client.turns.pending() == ()
    assert little.sleeps == [seconds]


async def test_a_server_that_asks_for_a_longer_wait_than_allowed_is_obeyed_by_giving_up(little: World) -> None:
    transport = limited({"Retry-After": "3600", "X-Request-Id": "r7"}, 1)
    async with AsyncClient(URL, transport=transport, sleep=little.sleep_async) as client:
        with pytest.raises(RateLimited, match=r"Slow down. \(Wait.\)") as caught:
            await client.turns.pending()
    assert caught.value.retry_after_seconds == 3600
    assert caught.value.request_id == "r7"
    assert little.sleeps == []


async def test_what_was_refused_as_too_many_was_not_carried_out_and_is_sent_again_without_a_key(little: World) -> None:
    page = {"type": "urn:skyjo:problem:unavailable", "title": "No", "status": 503, "detail": "Later.", "hint": "Wait."}
    answers = iter([httpx.Response(429, json=BUSY), httpx.Response(503, json=page)])
    transport = httpx.MockTransport(lambda _: next(answers))
    async with AsyncClient(URL, transport=transport, sleep=little.sleep_async) as client:
        with pytest.raises(Unavailable):
            await client.tokens.create()
    assert len(little.sleeps) == 1


async def test_a_policy_of_ones_own_decides_how_often_a_request_is_sent(world: World) -> None:
    retry = RetryPolicy(attempts=2, first_seconds=3)
    async with world.client_async(faults=[Fault.LOST_BEFORE] * 2, retry=retry) as client:
        with pytest.raises(ConnectionFailed):
            await client.games.list()
    assert world.sleeps == [3]


async def test_a_server_of_another_version_is_named_and_not_read() -> None:
    transport = httpx.MockTransport(lambda _: httpx.Response(200, json={}, headers={"Skyjo-Api-Version": "2"}))
    async with AsyncClient(URL, transport=transport) as client:
        with pytest.raises(ContractMismatch, match=r"speaks version 2 of the API, this client version 1: install"):
            await client.games.list()


async def test_rules_with_an_option_that_this_client_does_not_know_are_not_guessed_at(world: World) -> None:
    bot, token = world.bot()
    game = world.game(bot, token, SHORT)

    def newer(request: httpx.Request) -> httpx.Response:
        answer = world.handler(request).json()
        return httpx.Response(200, json={**answer, "rules": {**answer["rules"], "jokers": 2}})

    async with AsyncClient(URL, token, transport=httpx.MockTransport(newer)) as client:
        with pytest.raises(AnswerUnreadable, match="'jokers' is no option"):
            await client.games.get(game.id)
