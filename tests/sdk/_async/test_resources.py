"""Every method of the client: the one request that it makes, and what its answer is read into."""

from __future__ import annotations

from dataclasses import replace

import httpx
import pytest

from skyjo import Action, Phase, RuleSet
from skyjo_client import (
    AlreadySeated,
    AsyncClient,
    BotSeat,
    Forbidden,
    GameFull,
    GameNotFinished,
    GameNotStarted,
    GameOver,
    GameStatus,
    HouseSeat,
    IdempotencyKeyReused,
    IllegalAction,
    InvalidRequest,
    NameTaken,
    NotFound,
    OpenSeat,
    Scope,
    SeatKind,
    Submission,
    Unauthenticated,
)
from skyjo_client.bots import default_of
from tests.sdk.worlds import SHORT, URL, World

FRENCH = RuleSet.preset("french")
HOUSE_RULES = replace(FRENCH, initial_flips=3)


async def play_to_the_end(client: AsyncClient, game_id: str) -> None:
    decision = await client.games.view(game_id)
    while decision.phase is not Phase.OVER:
        decision = await client.games.play(game_id, version=decision.version, action=default_of(decision))


async def test_a_bot_is_registered_with_a_token_that_knows_it(world: World) -> None:
    bot, token = world.bot()
    async with world.client_async(token) as client:
        me = await client.me()
        assert me.bot == await client.bots.get(bot)
        assert (me.token.scope, me.token.bot, me.token.revoked_at) == (Scope.BOT, bot, None)
        assert token.startswith(me.token.prefix)


async def test_a_token_is_shown_once_and_never_in_a_repr(world: World) -> None:
    _, token = world.bot()
    async with world.client_async(token) as client:
        issued = await client.tokens.create()
        assert issued.token.startswith("skj_")
        assert issued.token not in repr(issued)
        assert (await client.me()).token.id != issued.id


async def test_a_revoked_token_opens_nothing_any_more(world: World) -> None:
    bot, token = world.bot()
    async with world.client_async(token) as client:
        issued = await client.tokens.create(bot=bot)
        async with world.client_async(issued.token) as other:
            assert (await other.me()).token.id == issued.id
            await client.tokens.revoke(issued.id)
            with pytest.raises(Unauthenticated) as caught:
                await other.me()
    assert (caught.value.status, caught.value.code) == (401, "unauthenticated")


async def test_a_scope_above_ones_own_is_not_given(world: World) -> None:
    _, token = world.bot()
    async with world.client_async(token) as client:
        with pytest.raises(Forbidden):
            await client.tokens.create(scope=Scope.ADMIN)


async def test_a_name_belongs_to_one_bot(world: World) -> None:
    bot, token = world.bot()
    async with world.client_async(token) as client:
        name = (await client.bots.get(bot)).name
        with pytest.raises(NameTaken):
            await client.bots.register(name)
        with pytest.raises(InvalidRequest) as caught:
            await client.bots.register("")
    assert [place for place, _ in caught.value.errors] == ["/name"]


@pytest.mark.parametrize("rules", [None, RuleSet(), FRENCH, HOUSE_RULES])
async def test_a_game_has_the_rules_and_the_seats_that_it_was_asked_for(world: World, rules: RuleSet | None) -> None:
    bot, token = world.bot()
    async with world.client_async(token) as client:
        game = await client.games.create(
            seats=[BotSeat(bot), HouseSeat("threshold"), OpenSeat()], rules=rules, move_seconds=60
        )
        assert game == await client.games.get(game.id)
    expected = rules or RuleSet()
    assert (game.rules, game.preset, game.move_seconds) == (expected, expected.name, 60)
    assert [seat.kind for seat in game.seats] == [SeatKind.BOT, SeatKind.HOUSE, SeatKind.OPEN]
    assert [seat.bot for seat in game.seats] == [bot, None, None]
    assert (game.status, game.version, game.started_at, game.result) == (GameStatus.OPEN, -1, None, None)
    assert len(bytes.fromhex(game.commitment)) == 32


async def test_a_game_starts_when_the_last_open_seat_is_taken(world: World) -> None:
    bot, token = world.bot()
    other, other_token = world.bot()
    game = world.game(bot, token, SHORT, OpenSeat())
    async with world.client_async(other_token) as client:
        with pytest.raises(GameNotStarted):
            await client.games.view(game.id)
        taken = await client.games.join(game.id, entropy=b"from the other side")
        assert (taken.seat, taken.game.seats[1].bot, taken.game.status) == (1, other, GameStatus.RUNNING)
        with pytest.raises(AlreadySeated) as caught:
            await client.games.join(game.id)
    assert caught.value.seat == 1


async def test_a_game_without_an_open_seat_is_full(world: World) -> None:
    bot, token = world.bot()
    game = world.game(bot, token)
    _, other_token = world.bot()
    async with world.client_async(other_token) as client:
        with pytest.raises(GameFull):
            await client.games.join(game.id)


async def test_a_list_of_games_goes_on_over_all_its_pages(world: World) -> None:
    bot, token = world.bot()
    games = [world.game(bot, token).id for _ in range(5)]
    async with world.client_async(token) as client:
        page = await client.games.list(bot=bot, limit=2)
        assert [game.id for game in page.items] == games[:2:-1]
        assert [game.id async for game in page] == games[::-1]
        following = await page.next_page()
        assert following is not None
        assert [game.id for game in following.items] == games[2:0:-1]
        assert [game.id async for game in await client.games.list(bot=bot, status=GameStatus.FINISHED)] == []
    queries = [dict(request.url.params) for request in world.requests[:3]]
    assert all(query["bot"] == bot and query["limit"] == "2" for query in queries)


async def test_a_view_that_has_not_changed_is_not_sent_again(world: World) -> None:
    bot, token = world.bot()
    game = world.game(bot, token)
    async with world.client_async(token) as client:
        known = await client.games.view(game.id)
        assert await client.games.view(game.id, known=known) is known
        now = await client.games.play(game.id, version=known.version, action=default_of(known))
        assert await client.games.view(game.id, known=known) == now
        await play_to_the_end(client, game.id)
        over = await client.games.view(game.id)
        assert await client.games.view(game.id, known=over) is over


async def test_a_seat_sees_its_own_side_and_a_spectator_sees_neither(world: World) -> None:
    bot, token = world.bot()
    game = world.game(bot, token)
    async with world.client_async(token) as client, world.client_async() as nobody:
        own = await client.games.view(game.id, bot=bot, after=-1, wait_seconds=1.5)
        spectated = await nobody.games.view(game.id)
        choices = await client.games.legal_actions(game.id)
    assert (own.seat, spectated.seat) == (0, None)
    assert spectated == replace(own, seat=None, legal_actions=spectated.legal_actions)
    assert (choices.game, choices.version, choices.seat) == (game.id, own.version, 0)
    assert choices.legal_actions == own.legal_actions
    assert dict(world.requests[0].url.params) == {"wait": "1.5", "bot": bot, "after": "-1"}


async def test_an_illegal_action_says_why_and_what_is_legal(world: World) -> None:
    bot, token = world.bot()
    game = world.game(bot, token)
    async with world.client_async(token) as client:
        before = await client.games.view(game.id)
        with pytest.raises(IllegalAction) as caught:
            await client.games.play(game.id, version=before.version, action="draw")
        assert await client.games.view(game.id, known=before) is before
    assert (caught.value.reason, caught.value.version) == ("wrong-phase", before.version)
    assert caught.value.legal_actions == before.legal_actions


async def test_a_key_of_ones_own_makes_a_move_from_two_processes_one(world: World) -> None:
    bot, token = world.bot()
    game = world.game(bot, token)
    flips, others = Action.flip("a1", "b1"), Action.flip("a1", "c1")
    async with world.client_async(token) as one, world.client_async(token) as another:
        version = (await one.games.view(game.id)).version
        first = await one.games.play(game.id, version=version, action=flips, key="opening")
        again = await another.games.play(game.id, version=version, action=flips, key="opening")
        assert again == first
        with pytest.raises(IdempotencyKeyReused):
            await one.games.play(game.id, version=version, action=others, key="opening")


async def test_the_events_of_a_game_are_followed_to_its_end(world: World) -> None:
    bot, token = world.bot()
    game = world.game(bot, token)
    async with world.client_async(token) as client:
        with pytest.raises(GameNotFinished):
            await client.games.transcript(game.id)
        seen = []
        async for stamped in client.games.follow(game.id):
            seen.append(stamped)
            decision = await client.games.view(game.id)
            if decision.legal_actions:
                await client.games.play(game.id, version=decision.version, action=default_of(decision))
        over = await client.games.get(game.id)
        rest = await client.games.events(game.id, after=over.version - 2, limit=1)
    assert [stamped.event.version for stamped in seen] == list(range(over.version + 1))
    assert {stamped.game for stamped in seen} == {game.id}
    assert seen[0].at == over.started_at
    assert [stamped.event.version for stamped in rest.events] == [over.version - 1]
    assert (rest.version, rest.status) == (over.version, GameStatus.FINISHED)


async def test_who_follows_a_game_in_which_nothing_happens_does_not_spin(little: World) -> None:
    bot, token = little.bot()
    game = little.game(bot, token)
    little.meanwhile = {4: lambda: little.undisturbed(token).games.resign(game.id)}
    async with little.client_async(token) as client:
        seen = [stamped.event.version async for stamped in client.games.follow(game.id)]
    assert little.sleeps == [0.1, 0.2, 0.4, 0.8, 1.0]
    assert seen == [0, 1, 2]


async def test_a_game_that_is_over_has_a_result_and_two_forms_of_record(world: World) -> None:
    bot, token = world.bot()
    game = world.game(bot, token)
    async with world.client_async(token) as client:
        await play_to_the_end(client, game.id)
        over = await client.games.get(game.id)
        assert over.status.is_over
        assert over.result is not None
        assert over.result.status is GameStatus.FINISHED
        assert over.result.ranks == (await client.games.view(game.id)).ranks
        assert game.id in await client.games.transcript(game.id)
        lines = (await client.games.export(game.id)).splitlines()
        assert len(lines) > over.version
        with pytest.raises(GameOver):
            await client.games.resign(game.id)


async def test_who_resigns_ends_a_game_of_two(world: World) -> None:
    bot, token = world.bot()
    game = world.game(bot, token)
    async with world.client_async(token) as client:
        over = await client.games.resign(game.id)
    assert [seat.left for seat in over.seats] == [True, False]
    assert over.result is not None
    assert over.result.ranks == (2, 1)


async def test_all_games_are_played_in_one_request_and_each_answer_stands_alone(world: World) -> None:
    bot, token = world.bot()
    for _ in range(3):
        world.game(bot, token)
    async with world.client_async(token) as client:
        first, second, third = await client.turns.pending()
        answer = await client.turns.submit(
            [
                Submission.answering(first, default_of(first)),
                Submission.answering(second, "draw"),
                Submission(third.game, third.version + 9, default_of(third)),
                Submission("00000000-0000-0000-0000-0000000fffff", 0, Action.draw()),
            ],
            limit=2,
        )
    codes = [result.error and result.error.code for result in answer.results]
    assert codes == [None, "illegal-action", "stale-version", "not-found"]
    assert [result.accepted for result in answer.results] == [True, False, False, False]
    versions = [result.version for result in answer.results]
    assert versions == [first.version + 1, second.version, third.version, None]
    assert len(answer.decisions) == 2


async def test_what_is_not_there_is_not_found_and_no_id_reaches_elsewhere(world: World) -> None:
    _, token = world.bot()
    async with world.client_async(token) as client:
        with pytest.raises(NotFound):
            await client.games.get("00000000-0000-0000-0000-0000000fffff")
        with pytest.raises(NotFound):
            await client.games.get("../bots?limit=1")
    assert world.requests[-1].url.raw_path == b"/v1/games/..%2Fbots%3Flimit%3D1"


@pytest.mark.parametrize("url", ["service.test", "ftp://service.test", "http://", ""])
def test_an_address_that_is_none_is_refused_before_anything_is_sent(url: str) -> None:
    with pytest.raises(ValueError, match="address"):
        AsyncClient(url)


@pytest.mark.parametrize("token", ["skj_a\n", "skj_ä", "Bearer skj_a"])
def test_a_token_that_cannot_be_one_is_refused_before_anything_is_sent(token: str) -> None:
    with pytest.raises(ValueError, match="copy it again"):
        AsyncClient(URL, token)


async def test_a_service_below_a_path_is_reached_there() -> None:
    seen: list[httpx.URL] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(request.url)
        return httpx.Response(200, json={"decisions": []})

    async with AsyncClient(f"{URL}/skyjo", transport=httpx.MockTransport(handler)) as client:
        await client.turns.pending(wait_seconds=20, limit=3)
    assert str(seen[0]) == f"{URL}/skyjo/v1/turns?limit=3&wait=20"
