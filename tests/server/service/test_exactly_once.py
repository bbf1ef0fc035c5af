"""Moves are applied once, whatever is repeated, raced or lost on the way back. Cases 19 to 24."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from skyjo import Action, Decision
from skyjo_server.app import Service, open_service
from skyjo_server.service.errors import IllegalMove, KeyReused, NotFound, ServiceError, StaleVersion, Unauthenticated
from skyjo_server.service.model import Accepted, GameInfo, Refused, Submission
from skyjo_server.settings import Settings
from tests.server.service.people import Player, bot_seat, house_seat, new_game, play_on, register, view


@pytest.fixture
def players(service: Service) -> tuple[Player, ...]:
    return register(service, "Ada", "Bob")


@pytest.fixture
def game(service: Service, players: tuple[Player, ...]) -> GameInfo:
    """A game of two bots, in the middle of its first round."""
    game = new_game(service, *map(bot_seat, players))
    assert play_on(service, players, game, 6) == 6
    return game


def on_move(service: Service, players: tuple[Player, ...], game: GameInfo) -> tuple[Player, Decision]:
    return next((player, seen) for player in players if (seen := view(service, player, game)).seat in seen.to_act)


def version(service: Service, game: GameInfo) -> int:
    return service.arena.game(game.id).version


def test_a_repeated_submission_gets_the_first_answer_and_plays_nothing(
    service: Service, players: tuple[Player, ...], game: GameInfo
) -> None:
    player, seen = on_move(service, players, game)
    first = service.arena.play(player.caller, game.id, seen.version, Action.draw(), "key-1")
    for _ in range(3):
        assert service.arena.play(player.caller, game.id, seen.version, Action.draw(), "key-1") == first
    assert version(service, game) == seen.version + 1


def test_a_repeated_submission_gets_the_first_answer_even_after_others_have_moved(
    service: Service, players: tuple[Player, ...], game: GameInfo
) -> None:
    player, seen = on_move(service, players, game)
    first = service.arena.play(player.caller, game.id, seen.version, seen.legal_actions[1], "key-1")
    play_on(service, players, game, 9)
    assert service.arena.play(player.caller, game.id, seen.version, seen.legal_actions[1], "key-1") == first


def test_a_repeated_submission_is_known_to_a_process_that_never_saw_the_first(
    service: Service, settings: Settings, conninfo: str, players: tuple[Player, ...], game: GameInfo
) -> None:
    player, seen = on_move(service, players, game)
    other = open_service(settings, conninfo)
    try:
        view(other, player, game)  # the other process has the table in memory, at the version before the move
        first = service.arena.play(player.caller, game.id, seen.version, Action.draw(), "key-1")
        assert other.arena.play(player.caller, game.id, seen.version, Action.draw(), "key-1") == first
        with pytest.raises(StaleVersion):
            other.arena.play(player.caller, game.id, seen.version, Action.draw(), "key-2")
    finally:
        other.close()


def test_a_key_with_other_content_is_refused_and_plays_nothing(
    service: Service, players: tuple[Player, ...], game: GameInfo
) -> None:
    player, seen = on_move(service, players, game)
    after = service.arena.play(player.caller, game.id, seen.version, Action.draw(), "key-1")
    with pytest.raises(KeyReused):
        service.arena.play(player.caller, game.id, seen.version, seen.legal_actions[1], "key-1")
    with pytest.raises(KeyReused):
        service.arena.play(player.caller, game.id, after.version, after.legal_actions[0], "key-1")
    assert version(service, game) == seen.version + 1


def test_an_action_for_an_old_version_is_refused_with_the_current_decision(
    service: Service, players: tuple[Player, ...], game: GameInfo
) -> None:
    player, seen = on_move(service, players, game)
    after = service.arena.play(player.caller, game.id, seen.version, Action.draw(), None)
    with pytest.raises(StaleVersion) as refused:
        service.arena.play(player.caller, game.id, seen.version, Action.draw(), None)
    assert refused.value.extras["decision"] == after.to_dict()


def test_an_action_for_a_version_to_come_is_refused(
    service: Service, players: tuple[Player, ...], game: GameInfo
) -> None:
    player, seen = on_move(service, players, game)
    with pytest.raises(StaleVersion):
        service.arena.play(player.caller, game.id, seen.version + 1, Action.draw(), "key-1")


def test_an_illegal_action_changes_nothing_and_names_the_legal_ones(
    service: Service, players: tuple[Player, ...], game: GameInfo
) -> None:
    player, seen = on_move(service, players, game)
    with pytest.raises(IllegalMove) as refused:
        service.arena.play(player.caller, game.id, seen.version, Action.keep("a1"), "key-1")
    assert refused.value.extras["reason"] == "wrong-phase"
    assert refused.value.extras["legal_actions"] == [str(action) for action in seen.legal_actions]
    assert version(service, game) == seen.version
    assert service.arena.play(player.caller, game.id, seen.version, Action.draw(), "key-1").drawn is not None


def test_of_many_who_answer_one_version_one_is_accepted_and_the_rest_learn_the_current_decision(
    service: Service, settings: Settings, conninfo: str, players: tuple[Player, ...], game: GameInfo
) -> None:
    other = open_service(settings, conninfo)
    contenders = 16
    start = threading.Barrier(contenders)
    player, seen = on_move(service, players, game)

    def contend(number: int) -> Decision | ServiceError:
        arena = (service, other)[number % 2].arena
        start.wait()
        try:
            return arena.play(
                player.caller, game.id, seen.version, seen.legal_actions[1 + number % 12], f"key-{number}"
            )
        except ServiceError as error:
            return error

    try:
        with ThreadPoolExecutor(contenders) as pool:
            answers = list(pool.map(contend, range(contenders)))
    finally:
        other.close()
    accepted = [answer for answer in answers if isinstance(answer, Decision)]
    refused = [answer for answer in answers if isinstance(answer, StaleVersion)]
    assert (len(accepted), len(refused)) == (1, contenders - 1)
    assert all(answer.extras["version"] == accepted[0].version for answer in refused)
    assert version(service, game) == seen.version + 1


def test_the_same_submission_many_times_at_once_is_one_event_and_one_answer(
    service: Service, settings: Settings, conninfo: str, players: tuple[Player, ...], game: GameInfo
) -> None:
    other = open_service(settings, conninfo)
    player, seen = on_move(service, players, game)
    start = threading.Barrier(12)

    def click(number: int) -> Decision:
        start.wait()
        arena = (service, other)[number % 2].arena
        return arena.play(player.caller, game.id, seen.version, seen.legal_actions[3], "the key")

    try:
        with ThreadPoolExecutor(12) as pool:
            answers = list(pool.map(click, range(12)))
    finally:
        other.close()
    assert all(answer == answers[0] for answer in answers)
    assert version(service, game) == seen.version + 1


def test_a_batch_plays_several_actions_of_one_game_in_sequence_and_refuses_the_bad_ones_alone(service: Service) -> None:
    (player,) = register(service, "Ada")
    games = [new_game(service, bot_seat(player), house_seat("random")) for _ in range(3)]
    seen = [view(service, player, game) for game in games]
    flips = [
        Submission(game.id, sight.version, sight.legal_actions[0], f"f{n}")
        for n, (game, sight) in enumerate(zip(games, seen, strict=True))
    ]
    answer = service.arena.submit(player.caller, (*flips, Submission(games[0].id, 999, Action.draw(), "x")), 0, 10)
    assert [type(result) for result in answer.results] == [Accepted, Accepted, Accepted, Refused]
    decisions = {decision.game: decision for decision in answer.decisions}
    assert set(decisions) == {str(game.id) for game in games}
    first = decisions[str(games[0].id)]
    chain = (
        Submission(games[0].id, first.version, Action.draw(), "a"),
        Submission(games[0].id, first.version + 1, Action.keep("c2"), "b"),
        Submission(games[1].id, decisions[str(games[1].id)].version, Action.keep("c2"), "c"),
    )
    again = service.arena.submit(player.caller, chain, 0, 10)
    assert [type(result) for result in again.results] == [Accepted, Accepted, Refused]
    assert [result.version for result in again.results[:2] if isinstance(result, Accepted)] == [
        first.version + 1,
        first.version + 2,
    ]
    assert service.arena.submit(player.caller, chain[:2], 0, 10).results == again.results[:2]


def test_an_action_that_its_own_batch_has_overtaken_is_told_what_the_batch_has_led_to(service: Service) -> None:
    (player,) = register(service, "Ada")
    game = new_game(service, bot_seat(player), house_seat("random"))
    seen = view(service, player, game)
    flips = [Submission(game.id, seen.version, action) for action in list(seen.legal_actions)[:2]]
    accepted, refused = service.arena.submit(player.caller, tuple(flips), 0, 10).results
    assert isinstance(accepted, Accepted)
    assert isinstance(refused, Refused)
    assert isinstance(refused.error, StaleVersion)
    now = view(service, player, game)
    assert now.version >= accepted.version > seen.version
    assert refused.error.extras == StaleVersion(seen.version, now).extras


def test_an_action_that_stands_in_a_batch_twice_with_its_key_is_played_once(service: Service) -> None:
    (player,) = register(service, "Ada")
    game = new_game(service, bot_seat(player), house_seat("random"))
    seen = view(service, player, game)
    flip = Submission(game.id, seen.version, seen.legal_actions[0], "k")
    first, again = service.arena.submit(player.caller, (flip, flip), 0, 10).results
    assert isinstance(first, Accepted)
    assert again == first
    assert service.arena.submit(player.caller, (flip, flip), 0, 10).results == (first, first)


def test_a_stranger_plays_at_no_table_and_learns_nothing_of_it(
    service: Service, players: tuple[Player, ...], game: GameInfo
) -> None:
    (stranger,) = register(service, "Eve")
    _, seen = on_move(service, players, game)
    with pytest.raises(NotFound):
        service.arena.play(stranger.caller, game.id, seen.version, Action.draw(), None)
    answer = service.arena.submit(stranger.caller, (Submission(game.id, seen.version, Action.draw()),), 0, 10)
    assert isinstance(answer.results[0], Refused)
    assert isinstance(answer.results[0].error, NotFound)


def test_a_revoked_token_plays_nothing_though_its_bearer_was_known(
    service: Service, players: tuple[Player, ...], game: GameInfo
) -> None:
    player, seen = on_move(service, players, game)
    service.arena.revoke_token(player.caller, player.caller.token_id)
    with pytest.raises(Unauthenticated):
        service.arena.play(player.caller, game.id, seen.version, Action.draw(), "key-1")
    with pytest.raises(Unauthenticated):
        service.arena.pending(player.caller, 0, 10)
    assert version(service, game) == seen.version
