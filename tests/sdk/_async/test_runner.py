"""A bot plays all its games through the inbox, whatever happens to the network, the server, the bot or its process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import httpx
import pytest

from skyjo import Action, Decision, Phase, RuleSet
from skyjo_client import (
    BotError,
    BotFailed,
    BotSeat,
    Forbidden,
    GameStatus,
    HouseSeat,
    Interrupted,
    OpenSeat,
    Pace,
    Refused,
    RunEvent,
    StaleVersion,
    Unauthenticated,
)
from skyjo_client._async.runner import AsyncRunner
from skyjo_client.bots import default_of
from skyjo_client.retry import NEVER
from tests.sdk.little.faults import Fault
from tests.sdk.little.service import LittleService
from tests.sdk.worlds import SHORT, World, by_default, own_moves, told_moves


@dataclass
class Switch:
    """A stop that is set after it was looked at so many times; at some of the looks something happens."""

    until: int
    at: Mapping[int, Callable[[], object]] = field(default_factory=dict)
    looks: int = 0

    def is_set(self) -> bool:
        self.looks += 1
        self.at.get(self.looks, lambda: None)()
        return self.looks > self.until


async def test_a_bot_plays_all_its_games_to_the_end(world: World) -> None:
    bot, token = world.bot()
    games = [world.game(bot, token).id for _ in range(4)]
    events: list[RunEvent] = []
    async with world.client_async(token) as client:
        summary = await world.runner_async(client, by_default, until_done=True, on_event=events.append).run()
        finished = [game.id async for game in await client.games.list(bot=bot, status=GameStatus.FINISHED)]
    assert sorted(finished) == sorted(games)
    for game in games:
        assert own_moves(world, token, game) == told_moves(events, game)
    assert summary.played == len(events)
    assert (summary.refused, summary.interruptions, summary.bot_errors) == (0, 0, 0)


async def test_a_batch_is_sent_again_unchanged_until_it_is_answered(world: World) -> None:
    bot, token = world.bot()
    world.game(bot, token)
    faults = [Fault.NONE, Fault.LOST_AFTER, Fault.PAGE_AFTER, Fault.LOST_BEFORE]
    events: list[RunEvent] = []
    async with world.client_async(token, faults=faults, retry=NEVER) as client:
        await world.runner_async(client, by_default, until_done=True, on_event=events.append).run()
    bodies = [request.content for request in world.requests if request.method == "POST"]
    assert bodies[0] == bodies[1] == bodies[2] == bodies[3]
    assert len(set(bodies)) == len(bodies) - 3
    interrupted = [event for event in events if isinstance(event, Interrupted)]
    assert [event.attempt for event in interrupted] == [1, 2, 3]
    assert world.sleeps[:3] == [event.delay_seconds for event in interrupted] == [0.25, 0.5, 1.0]


async def test_a_server_that_is_away_for_long_is_waited_for(world: World) -> None:
    bot, token = world.bot()
    game = world.game(bot, token)
    async with world.client_async(token, faults=[Fault.REFUSED] * 200, retry=NEVER) as client:
        summary = await world.runner_async(client, by_default, until_done=True).run()
        assert (await client.games.get(game.id)).status is GameStatus.FINISHED
    assert summary.interruptions == 200
    assert max(world.sleeps) <= 1


async def test_a_bot_that_restarts_goes_on_with_all_that_waits(world: World) -> None:
    bot, token = world.bot()
    games = [world.game(bot, token).id for _ in range(12)]
    seen: list[str] = []

    def crashing(decision: Decision) -> Action:
        if len(seen) == 40:
            raise KeyboardInterrupt
        seen.append(decision.game)
        return default_of(decision)

    async with world.client_async(token) as client:
        with pytest.raises(KeyboardInterrupt):
            await world.runner_async(client, crashing).run()
    assert set(seen) == set(games)
    asked: list[str] = []

    def restarted(decision: Decision) -> Action:
        asked.append(decision.game)
        return default_of(decision)

    async with world.client_async(token) as client:
        await world.runner_async(client, restarted, until_done=True).run()
        assert [game.id async for game in await client.games.list(bot=bot, status=GameStatus.RUNNING)] == []
    assert sorted(asked[:12]) == sorted(games)


async def test_a_process_that_dies_before_it_reads_the_answer_plays_no_move_twice(world: World) -> None:
    bot, token = world.bot()
    game = world.game(bot, token)
    dead = 0
    while world.status(game.id) is GameStatus.RUNNING:
        # Every process reads the inbox, sends its answer, and dies before it learns what became of it.
        async with world.client_async(token, faults=[Fault.NONE, Fault.LOST_AFTER], retry=NEVER) as client:
            with pytest.raises(Died):
                await world.runner_async(client, by_default, on_event=die).run()
        dead += 1
    assert dead == len(own_moves(world, token, game.id)) > 0


async def test_a_revoked_token_ends_the_run_with_a_clear_error(world: World) -> None:
    bot, token = world.bot()
    world.game(bot, token)
    with world.undisturbed(token) as client:
        client.tokens.revoke(client.me().token.id)
    async with world.client_async(token) as revoked:
        with pytest.raises(Unauthenticated):
            await world.runner_async(revoked, by_default).run()
    assert len(world.requests) == 1


async def test_a_run_that_is_told_to_stop_sends_what_is_chosen_and_ends(world: World) -> None:
    bot, token = world.bot()
    game = world.game(bot, token)
    async with world.client_async(token) as client:
        stop = Switch(3)
        summary = await world.runner_async(client, by_default, stop=stop).run()
        assert (await client.games.get(game.id)).status is GameStatus.RUNNING
    assert summary.played == 1
    assert [request.method for request in world.requests] == ["GET", "POST", "GET"]


async def test_a_run_that_is_told_to_stop_while_the_server_is_away_ends_without_it(world: World) -> None:
    bot, token = world.bot()
    world.game(bot, token)
    async with world.client_async(token, faults=[Fault.REFUSED] * 1000, retry=NEVER) as client:
        summary = await world.runner_async(client, by_default, stop=Switch(20)).run()
    assert summary.played == 0
    assert 0 < summary.interruptions < 20


async def test_a_run_told_to_stop_before_it_begins_asks_for_nothing(world: World) -> None:
    _, token = world.bot()
    async with world.client_async(token) as client:
        await world.runner_async(client, by_default, stop=Switch(0)).run()
    assert world.requests == []


async def test_an_illegal_choice_ends_the_run_and_names_game_version_and_action(world: World) -> None:
    bot, token = world.bot()
    game = world.game(bot, token)
    async with world.client_async(token) as client:
        with pytest.raises(BotError, match=rf"'draw'.*not legal in game {game.id}, version \d, seat 0") as caught:
            await world.runner_async(client, lambda _: "draw").run()
    assert (caught.value.action, caught.value.decision.game) == ("draw", game.id)
    assert [request.method for request in world.requests] == ["GET"]


async def test_a_bot_that_raises_ends_the_run_with_its_own_error_as_the_cause(world: World) -> None:
    bot, token = world.bot()
    game = world.game(bot, token)

    def broken(decision: Decision) -> Action:
        raise LookupError(decision.game)

    async with world.client_async(token) as client:
        with pytest.raises(BotError, match=rf"raised LookupError\('{game.id}'\) in game") as caught:
            await world.runner_async(client, broken).run()
    assert isinstance(caught.value.__cause__, LookupError)


async def test_the_default_action_can_stand_in_for_a_bot_that_fails(world: World) -> None:
    bot, token = world.bot()
    game = world.game(bot, token)
    events: list[RunEvent] = []
    async with world.client_async(token) as client:
        runner = world.runner_async(
            client, lambda _: "fold", until_done=True, on_bot_error="default", on_event=events.append
        )
        summary = await runner.run()
        assert (await client.games.get(game.id)).status is GameStatus.FINISHED
    failures = [event for event in events if isinstance(event, BotFailed)]
    assert summary.bot_errors == len(failures) == summary.played > 0
    assert all("'fold' is not an action" in str(failure.error) for failure in failures)


async def test_a_failing_bot_can_resign_one_game_and_play_on_in_the_others(world: World) -> None:
    bot, token = world.bot()
    games = [world.game(bot, token).id for _ in range(3)]

    def picky(decision: Decision) -> Action:
        if decision.game == games[1] and decision.round and decision.phase == "turn":
            raise RuntimeError("not this one")
        return default_of(decision)

    async with world.client_async(token) as client:
        runner = world.runner_async(client, picky, until_done=True, on_bot_error="resign", on_event=ignore)
        summary = await runner.run()
        left = [(await client.games.get(game)).seats[0].left for game in games]
    assert left == [False, True, False]
    assert summary.bot_errors == 1


async def test_a_resignation_whose_answer_is_lost_is_still_one(world: World) -> None:
    bot, token = world.bot()
    game = world.game(bot, token)
    async with world.client_async(token, faults=[Fault.NONE, Fault.LOST_AFTER], retry=NEVER) as client:
        runner = world.runner_async(client, lambda _: "", until_done=True, on_bot_error="resign", on_event=ignore)
        await runner.run()
        assert (await client.games.get(game.id)).seats[0].left


async def test_a_move_that_another_process_has_played_is_told_as_refused_and_the_game_goes_on(world: World) -> None:
    bot, token = world.bot()
    game = world.game(bot, token)
    events: list[RunEvent] = []

    def overtaken(decision: Decision) -> Action:
        if decision.phase is Phase.FLIP:
            with world.undisturbed(token) as other:
                other.games.play(game.id, version=decision.version, action=default_of(decision))
        return default_of(decision)

    async with world.client_async(token) as client:
        await world.runner_async(client, overtaken, until_done=True, on_event=events.append).run()
        assert (await client.games.get(game.id)).status is GameStatus.FINISHED
    refused = [event for event in events if isinstance(event, Refused)]
    assert [type(event.error) for event in refused] == [StaleVersion]


async def test_a_class_is_instantiated_once_for_each_game(world: World) -> None:
    bot, token = world.bot()
    games = [world.game(bot, token).id for _ in range(3)]
    made: list[set[str]] = []

    class Remembering:
        def __init__(self) -> None:
            self.games: set[str] = set()
            made.append(self.games)

        def choose(self, decision: Decision) -> Action:
            self.games.add(decision.game)
            return default_of(decision)

    async with world.client_async(token) as client:
        await world.runner_async(client, Remembering, until_done=True).run()
    assert sorted(map(sorted, made)) == sorted([game] for game in games)


async def test_instances_of_games_that_are_over_are_let_go(little: World) -> None:
    bot, token = little.bot()
    alive: set[int] = set()

    class Counted:
        def __init__(self) -> None:
            alive.add(id(self))

        def __del__(self) -> None:
            alive.discard(id(self))

        def choose(self, decision: Decision) -> Action:
            return default_of(decision)

    rules = RuleSet(max_rounds=1, max_turns_per_seat=1, initial_flips=0)
    async with little.client_async(token) as client:
        runner: AsyncRunner = little.runner_async(client, Counted, until_done=True)
        for _ in range(3):
            for _ in range(200):
                little.game(bot, token, rules)
            await runner.run()
    assert 200 <= len(alive) < 600


async def test_a_slow_bot_sends_what_it_has_chosen_and_asks_again_for_the_rest(world: World) -> None:
    bot, token = world.bot()
    for _ in range(3):
        world.game(bot, token)
    ticks = iter(range(10**6))
    async with world.client_async(token) as client:
        runner = world.runner_async(client, by_default, until_done=True, pace=Pace(wait_seconds=0, batch_seconds=0))
        runner.clock = lambda: next(ticks)
        await runner.run()
    sizes = {request.content.count(b'"key"') for request in world.requests if request.method == "POST"}
    assert sizes == {1}


async def test_a_run_whose_requests_come_back_at_once_with_nothing_does_not_spin(little: World) -> None:
    _, token = little.bot()
    async with little.client_async(token) as client:
        await little.runner_async(client, by_default, stop=Switch(30), pace=Pace()).run()
    assert little.sleeps[:6] == [0.1, 0.2, 0.4, 0.8, 1.0, 1.0]
    assert len(little.requests) <= len(little.sleeps) + 1


async def test_the_pauses_begin_anew_after_something_has_happened(little: World) -> None:
    bot, token = little.bot()
    stop = Switch(40, at={10: lambda: little.game(bot, token)})
    async with little.client_async(token) as client:
        summary = await little.runner_async(client, by_default, stop=stop, pace=Pace()).run()
    assert summary.played > 0
    assert little.sleeps[:5] == [0.1, 0.2, 0.1, 0.2, 0.4]


async def test_a_run_until_done_waits_for_open_games(world: World) -> None:
    bot, token = world.bot()
    game = world.game(bot, token, SHORT, OpenSeat())
    _, other = world.bot()

    def join() -> None:
        with world.undisturbed(other) as joining:
            joining.games.join(game.id)

    def leave() -> None:
        with world.undisturbed(other) as leaving:
            leaving.games.resign(game.id)

    async with world.client_async(token) as client:
        stop = Switch(10**6, at={20: join, 40: leave})
        await world.runner_async(client, by_default, until_done=True, stop=stop).run()
    assert world.status(game.id) is GameStatus.FINISHED


async def test_a_refusal_that_would_be_the_same_again_ends_the_run() -> None:
    problem = {"type": "urn:skyjo:problem:forbidden", "title": "No", "status": 403, "detail": "No.", "hint": "No."}
    refusing = World(lambda _: httpx.Response(403, json=problem))
    async with refusing.client_async("skj_x") as client:
        with pytest.raises(Forbidden):
            await refusing.runner_async(client, by_default).run()


async def test_a_move_that_comes_too_late_is_told_as_refused(little: World, little_service: LittleService) -> None:
    bot, token = little.bot()
    with little.undisturbed(token) as setting_up:
        game = setting_up.games.create(seats=[BotSeat(bot), HouseSeat("greedy")], rules=SHORT, move_seconds=30)
    events: list[RunEvent] = []

    def slow_once(decision: Decision) -> Action:
        assert decision.deadline is not None
        if decision.phase is Phase.FLIP:
            little_service.time += 31
        return default_of(decision)

    async with little.client_async(token) as client:
        await little.runner_async(client, slow_once, until_done=True, on_event=events.append).run()
        assert (await client.games.get(game.id)).status is GameStatus.FINISHED
    refused = [event.error.code for event in events if isinstance(event, Refused)]
    assert refused == ["deadline-passed"]


class Died(BaseException):
    """A process is no more."""


def die(_: RunEvent) -> None:
    """Ends the process at the first thing that happens."""
    raise Died


def ignore(_: RunEvent) -> None:
    """Does nothing about it."""
