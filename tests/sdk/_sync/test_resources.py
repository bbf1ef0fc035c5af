# Written by client_sdk/generate_sync.py from tests/sdk/_async/test_resources.py.
"""Every method of the client: the one request that it makes, and what its answer is read into."""

from __future__ import annotations

from dataclasses import replace

import httpx
import pytest

from skyjo import Action, Phase, RuleSet
from skyjo_client import (
    AlreadySeated,
    BotSeat,
    Client,
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


def play_to_the_end(client: Client, game_id: str) -> None:
    decision = client.games.view(game_id)
    while decision.phase is not Phase.OVER:
        decision = client.games.play(game_id, version=decision.version, action=default_of(decision))


def test_a_bot_is_registered_with_a_token_that_knows_it(world: World) -> None:
    bot, token = world.bot()
    with world.client(token) as client:
        me = client.me()
        assert me.bot == client.bots.get(bot)
        assert (me.token.scope, me.token.bot, me.token.revoked_at) == (Scope.BOT, bot, None)
        assert token.startswith(me.token.prefix)


def test_a_token_is_shown_once_and_never_in_a_repr(world: World) -> None:
    _, token = world.bot()
    with world.client(token) as client:
        issued = client.tokens.create()
        assert issued.token.startswith("skj_")
        assert issued.token not in repr(issued)
        assert (client.me()).token.id != issued.id


def test_a_revoked_token_opens_nothing_any_more(world: World) -> None:
    bot, token = world.bot()
    with world.client(token) as client:
        issued = client.tokens.create(bot=bot)
        with world.client(issued.token) as other:
            assert (other.me()).token.id == issued.id
            client.tokens.revoke(issued.id)
            with pytest.raises(Unauthenticated) as caught:
                other.me()
    assert (caught.value.status, caught.value.code) == (401, "unauthenticated")


def test_a_scope_above_ones_own_is_not_given(world: World) -> None:
    _, token = world.bot()
    with world.client(token) as client:
        with pytest.raises(Forbidden):
            client.tokens.create(scope=Scope.ADMIN)


def test_a_name_belongs_to_one_bot(world: World) -> None:
    bot, token = world.bot()
    with world.client(token) as client:
        name = (client.bots.get(bot)).name
        with pytest.raises(NameTaken):
            client.bots.register(name)
        with pytest.raises(InvalidRequest) as caught:
            client.bots.register("")
    assert [place for place, _ in caught.value.errors] == ["/name"]


@pytest.mark.parametrize("rules", [None, RuleSet(), FRENCH, HOUSE_RULES])
def test_a_game_has_the_rules_and_the_seats_that_it_was_asked_for(world: World, rules: RuleSet | None) -> None:
    bot, token = world.bot()
    with world.client(token) as client:
        game = client.games.create(
            seats=[BotSeat(bot), HouseSeat("threshold"), OpenSeat()], rules=rules, move_seconds=60
        )
        assert game == client.games.get(game.id)
    expected = rules or RuleSet()
    assert (game.rules, game.preset, game.move_seconds) == (expected, expected.name, 60)
    assert [seat.kind for seat in game.seats] == [SeatKind.BOT, SeatKind.HOUSE, SeatKind.OPEN]
    assert [seat.bot for seat in game.seats] == [bot, None, None]
    assert (game.status, game.version, game.started_at, game.result) == (GameStatus.OPEN, -1, None, None)
    assert len(bytes.fromhex(game.commitment)) == 32


def test_a_game_starts_when_the_last_open_seat_is_taken(world: World) -> None:
    bot, token = world.bot()
    other, other_token = world.bot()
    game = world.game(bot, token, SHORT, OpenSeat())
    with world.client(other_token) as client:
        with pytest.raises(GameNotStarted):
            client.games.view(game.id)
        taken = client.games.join(game.id, entropy=b"from the other side")
        assert (taken.seat, taken.game.seats[1].bot, taken.game.status) == (1, other, GameStatus.RUNNING)
        with pytest.raises(AlreadySeated) as caught:
            client.games.join(game.id)
    assert caught.value.seat == 1


def test_a_game_without_an_open_seat_is_full(world: World) -> None:
    bot, token = world.bot()
    game = world.game(bot, token)
    _, other_token = world.bot()
    with world.client(other_token) as client:
        with pytest.raises(GameFull):
            client.games.join(game.id)


def test_a_list_of_games_goes_on_over_all_its_pages(world: World) -> None:
    bot, token = world.bot()
    games = [world.game(bot, token).id for _ in range(5)]
    with world.client(token) as client:
        page = client.games.list(bot=bot, limit=2)
        assert [game.id for game in page.items] == games[:2:-1]
        assert [game.id for game in page] == games[::-1]
        following = page.next_page()
        assert following is not None
        assert [game.id for game in following.items] == games[2:0:-1]
        assert [game.id for game in client.games.list(bot=bot, status=GameStatus.FINISHED)] == []
    queries = [dict(request.url.params) for request in world.requests[:3]]
    assert all(query["bot"] == bot and query["limit"] == "2" for query in queries)


def test_a_view_that_has_not_changed_is_not_sent_again(world: World) -> None:
    bot, token = world.bot()
    game = world.game(bot, token)
    with world.client(token) as client:
        known = client.games.view(game.id)
        assert client.games.view(game.id, known=known) is known
        now = client.games.play(game.id, version=known.version, action=default_of(known))
        assert client.games.view(game.id, known=known) == now
        play_to_the_end(client, game.id)
        over = client.games.view(game.id)
        assert client.games.view(game.id, known=over) is over


def test_a_seat_sees_its_own_side_and_a_spectator_sees_neither(world: World) -> None:
    bot, token = world.bot()
    game = world.game(bot, token)
    with world.client(token) as client, world.client() as nobody:
        own = client.games.view(game.id, bot=bot, after=-1, wait_seconds=1.5)
        spectated = nobody.games.view(game.id)
        choices = client.games.legal_actions(game.id)
    assert (own.seat, spectated.seat) == (0, None)
    assert spectated == replace(own, seat=None, legal_actions=spectated.legal_actions)
    assert (choices.game, choices.version, choices.seat) == (game.id, own.version, 0)
    assert choices.legal_actions == own.legal_actions
    assert dict(world.requests[0].url.params) == {"wait": "1.5", "bot": bot, "after": "-1"}


def test_an_illegal_action_says_why_and_what_is_legal(world: World) -> None:
    bot, token = world.bot()
    game = world.game(bot, token)
    with world.client(token) as client:
        before = client.games.view(game.id)
        with pytest.raises(IllegalAction) as caught:
            client.games.play(game.id, version=before.version, action="draw")
        assert client.games.view(game.id, known=before) is before
    assert (caught.value.reason, caught.value.version) == ("wrong-phase", before.version)
    assert caught.value.legal_actions == before.legal_actions


def test_a_key_of_ones_own_makes_a_move_from_two_processes_one(world: World) -> None:
    bot, token = world.bot()
    game = world.game(bot, token)
    flips, others = Action.flip("a1", "b1"), Action.flip("a1", "c1")
    with world.client(token) as one, world.client(token) as another:
        version = (one.games.view(game.id)).version
        first = one.games.play(game.id, version=version, action=flips, key="opening")
        again = another.games.play(game.id, version=version, action=flips, key="opening")
        assert again == first
        with pytest.raises(IdempotencyKeyReused):
            one.games.play(game.id, version=version, action=others, key="opening")


def test_the_events_of_a_game_are_followed_to_its_end(world: World) -> None:
    bot, token = world.bot()
    game = world.game(bot, token)
    with world.client(token) as client:
        with pytest.raises(GameNotFinished):
            client.games.transcript(game.id)
        seen = []
        for stamped in client.games.follow(game.id):
            seen.append(stamped)
            decision = client.games.view(game.id)
            if decision.legal_actions:
                client.games.play(game.id, version=decision.version, action=default_of(decision))
        over = client.games.get(game.id)
        rest = client.games.events(game.id, after=over.version - 2, limit=1)
    assert [stamped.event.version for stamped in seen] == list(range(over.version + 1))
    assert {stamped.game for stamped in seen} == {game.id}
    assert seen[0].at == over.started_at
    assert [stamped.event.version for stamped in rest.events] == [over.version - 1]
    assert (rest.version, rest.status) == (over.version, GameStatus.FINISHED)


def test_who_follows_a_game_in_which_nothing_happens_does_not_spin(little: World) -> None:
    bot, token = little.bot()
    game = little.game(bot, token)
    little.meanwhile = {4: lambda: little.undisturbed(token).games.resign(game.id)}
    with little.client(token) as client:
        seen = [stamped.event.version for stamped in client.games.follow(game.id)]
    assert little.sleeps == [0.1, 0.2, 0.4, 0.8, 1.0]
    assert seen == [0, 1, 2]


def test_a_game_that_is_over_has_a_result_and_two_forms_of_record(world: World) -> None:
    bot, token = world.bot()
    game = world.game(bot, token)
    with world.client(token) as client:
        play_to_the_end(client, game.id)
        over = client.games.get(game.id)
        assert over.status.is_over
        assert over.result is not None
        assert over.result.status is GameStatus.FINISHED
        assert over.result.ranks == (client.games.view(game.id)).ranks
        assert game.id in client.games.transcript(game.id)
        lines = (client.games.export(game.id)).splitlines()
        assert len(lines) > over.version
        with pytest.raises(GameOver):
            client.games.resign(game.id)


def test_who_resigns_ends_a_game_of_two(world: World) -> None:
    bot, token = world.bot()
    game = world.game(bot, token)
    with world.client(token) as client:
        over = client.games.resign(game.id)
    assert [seat.left for seat in over.seats] == [True, False]
    assert over.result is not None
    assert over.result.ranks == (2, 1)


def test_all_games_are_played_in_one_request_and_each_answer_stands_alone(world: World) -> None:
    bot, token = world.bot()
    for _ in range(3):
        world.game(bot, token)
    with world.client(token) as client:
        first, second, third = client.turns.pending()
        answer = client.turns.submit(
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


def test_what_is_not_there_is_not_found_and_no_id_reaches_elsewhere(world: World) -> None:
    _, token = world.bot()
    with world.client(token) as client:
        with pytest.raises(NotFound):
            client.games.get("00000000-0000-0000-0000-0000000fffff")
        with pytest.raises(NotFound):
            client.games.get("../bots?limit=1")
    assert world.requests[-1].url.raw_path == b"/v1/games/..%2Fbots%3Flimit%3D1"


@pytest.mark.parametrize("url", ["service.test", "ftp://service.test", "http://", ""])
def test_an_address_that_is_none_is_refused_before_anything_is_sent(url: str) -> None:
    with pytest.raises(ValueError, match="address"):
        Client(url)


@pytest.mark.parametrize("token", ["skj_a\n", "skj_ä", "Bearer skj_a"])
def test_a_token_that_cannot_be_one_is_refused_before_anything_is_sent(token: str) -> None:
    with pytest.raises(ValueError, match="copy it again"):
        Client(URL, token)


def test_a_service_below_a_path_is_reached_there() -> None:
    seen: list[httpx.URL] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(request.url)
        return httpx.Response(200, json={"decisions": []})

    with Client(f"{URL}/skyjo", transport=httpx.MockTransport(handler)) as client:
        client.turns.pending(wait_seconds=20, limit=3)
    assert str(seen[0]) == f"{URL}/skyjo/v1/turns?limit=3&wait=20"
