"""Clocks: late is late to the statement that would accept it, nobody pays for another, and downtime costs nothing.

No test waits for time to pass: it moves a game's clock, or the service's last sign of life, back in the database.
"""

from __future__ import annotations

from collections.abc import Callable

import psycopg
import pytest

from skyjo import Action, Phase, RuleSet
from skyjo_server.app import Service, open_service
from skyjo_server.service.errors import DeadlinePassed, StaleVersion
from skyjo_server.service.model import (
    Accepted,
    ClockRules,
    GameInfo,
    GameStatus,
    NewGame,
    OnTimeout,
    Refused,
    Submission,
)
from skyjo_server.settings import Settings
from tests.server.service.people import Player, bot_seat, house_seat, organiser, play_on, register, view

MINUTE = ClockRules(move_seconds=60.0, bank_seconds=30.0)

MOVE_CLOCKS_BACK = """
UPDATE games SET clock_started = clock_started - make_interval(secs => %s),
                 deadline = deadline - make_interval(secs => %s)
"""

Elapse = Callable[[float], None]


@pytest.fixture
def players(service: Service) -> tuple[Player, ...]:
    return register(service, "Ada", "Bob", "Cat")


@pytest.fixture
def elapse(conninfo: str, service: Service) -> Elapse:
    """Let seconds go by for every game, with the service alive all the while."""

    def go_by(seconds: float) -> None:
        with psycopg.connect(conninfo) as connection:
            connection.execute(MOVE_CLOCKS_BACK, (seconds, seconds))
        service.storage.log.beat()

    return go_by


@pytest.fixture
def be_down(conninfo: str) -> Elapse:
    """Let seconds go by for every game, in which the service was down."""

    def go_by(seconds: float) -> None:
        with psycopg.connect(conninfo) as connection:
            connection.execute(MOVE_CLOCKS_BACK, (seconds, seconds))
            connection.execute("UPDATE heartbeat SET at = now() - make_interval(secs => %s)", (seconds,))

    return go_by


def clocked(service: Service, players: tuple[Player, ...], clock: ClockRules = MINUTE) -> GameInfo:
    """A game in which everybody has acted once, so that nobody is a no-show."""
    service.arena.sweeper.turn()
    game = fresh_game(service, players, clock)
    play_on(service, players, game, 4 * len(players))
    while service.arena.view(None, game.id, None, None, 0).phase is not Phase.TURN:
        play_on(service, players, game, 1)
    return game


def fresh_game(service: Service, players: tuple[Player, ...], clock: ClockRules) -> GameInfo:
    return service.arena.create_game(organiser(service), NewGame(RuleSet(), tuple(map(bot_seat, players)), clock))


def on_move(service: Service, players: tuple[Player, ...], game: GameInfo) -> Player:
    return next(player for player in players if (seen := view(service, player, game)).seat in seen.to_act)


def causes(service: Service, game: GameInfo) -> list[str]:
    return [stamped.event.cause.value for stamped in service.arena.events(None, game.id, -1, 1000, 0).events]


def test_a_decision_says_when_its_time_ends_and_only_to_whoever_it_waits_for(
    service: Service, players: tuple[Player, ...]
) -> None:
    game = clocked(service, players)
    deadlines = [view(service, player, game).deadline for player in players]
    assert sum(deadline is not None for deadline in deadlines) == 1
    assert service.arena.view(None, game.id, None, None, 0).deadline is None


def test_a_move_in_time_is_accepted_and_says_how_long_it_took(
    service: Service, players: tuple[Player, ...], elapse: Elapse
) -> None:
    game = clocked(service, players)
    player = on_move(service, players, game)
    elapse(50)
    seen = view(service, player, game)
    answer = service.arena.submit(player.caller, (Submission(game.id, seen.version, seen.legal_actions[1]),), 0, 1)
    assert isinstance(answer.results[0], Accepted)
    assert answer.results[0].thinking_seconds == pytest.approx(50, abs=5)


def test_a_late_move_is_refused_though_nobody_has_swept_and_names_what_was_played_instead(
    service: Service, players: tuple[Player, ...], elapse: Elapse
) -> None:
    game = clocked(service, players)
    player = on_move(service, players, game)
    seen = view(service, player, game)
    elapse(90.001)
    with pytest.raises(DeadlinePassed) as late:
        service.arena.play(player.caller, game.id, seen.version, seen.legal_actions[1], "key")
    assert late.value.extras["played"][0] == "draw"
    assert late.value.extras["played"][1].startswith("reject")
    assert causes(service, game)[-2:] == ["timeout", "timeout"]
    with pytest.raises(StaleVersion):
        service.arena.play(player.caller, game.id, seen.version, seen.legal_actions[1], "key")


def test_in_a_batch_a_late_move_is_refused_alone(service: Service, players: tuple[Player, ...], elapse: Elapse) -> None:
    late_game = clocked(service, players)
    elapse(90.001)
    good_game = fresh_game(service, players, MINUTE)
    player = on_move(service, players, late_game)
    seen = view(service, player, late_game)
    while on_move(service, players, good_game) != player:
        play_on(service, players, good_game, 1)
    good = view(service, player, good_game)
    sent = (
        Submission(late_game.id, seen.version, seen.legal_actions[1]),
        Submission(good_game.id, good.version, good.legal_actions[1]),
    )
    results = service.arena.submit(player.caller, sent, 0, 1).results
    assert isinstance(results[0], Refused)
    assert isinstance(results[0].error, DeadlinePassed)
    assert isinstance(results[1], Accepted)


def test_the_bank_is_used_up_by_slow_moves_and_not_given_back(
    service: Service, players: tuple[Player, ...], elapse: Elapse
) -> None:
    game = clocked(service, players)
    player = on_move(service, players, game)
    elapse(80)  # 20 of the 30 seconds of the bank
    seen = service.arena.play(player.caller, game.id, view(service, player, game).version, Action.draw(), None)
    assert seen.phase is Phase.DRAWN
    elapse(75)  # there are 60 + 10 now
    with pytest.raises(DeadlinePassed):
        service.arena.play(player.caller, game.id, seen.version, seen.legal_actions[0], None)


def test_the_sweeper_finds_what_the_statement_would_refuse_and_nothing_else(
    service: Service, players: tuple[Player, ...], elapse: Elapse
) -> None:
    game = clocked(service, players)
    before = service.arena.game(game.id).version
    assert service.arena.sweeper.turn() == 0
    elapse(89)
    assert service.arena.sweeper.turn() == 0
    elapse(1.001)
    assert service.arena.sweeper.turn() == 1
    assert service.arena.game(game.id).version == before + 2
    assert service.arena.sweeper.turn() == 0


def test_two_processes_sweep_a_game_once(
    service: Service, players: tuple[Player, ...], elapse: Elapse, settings: Settings, conninfo: str
) -> None:
    game = clocked(service, players)
    before = service.arena.game(game.id).version
    other = open_service(settings, conninfo)
    elapse(91)
    try:
        assert service.arena.sweeper.turn() + other.arena.sweeper.turn() == 1
    finally:
        other.close()
    assert service.arena.game(game.id).version == before + 2


def test_a_turn_that_its_seat_has_begun_is_ended_by_a_timeout_with_the_card_discarded(
    service: Service, players: tuple[Player, ...], elapse: Elapse
) -> None:
    game = clocked(service, players)
    player = on_move(service, players, game)
    seen = service.arena.play(player.caller, game.id, view(service, player, game).version, Action.draw(), None)
    elapse(91)
    service.arena.sweeper.turn()
    after = view(service, player, game)
    assert after.version == seen.version + 1
    # Above it lies a column, where the card that was turned up has completed one.
    assert after.discard_pile[len(seen.discard_pile)] == seen.drawn


def test_another_seats_time_is_not_changed_by_what_this_seat_does(
    service: Service, players: tuple[Player, ...], elapse: Elapse
) -> None:
    service.arena.sweeper.turn()
    game = fresh_game(service, players, MINUTE)
    elapse(20)
    first = view(service, players[0], game)
    deadline = view(service, players[1], game).deadline
    service.arena.play(players[0].caller, game.id, first.version, first.legal_actions[0], None)
    assert view(service, players[1], game).deadline == deadline
    service.arena.resign(players[2].caller, game.id)
    assert view(service, players[1], game).deadline == deadline


def test_a_seat_that_resigns_does_not_change_the_time_of_the_seat_on_move(
    service: Service, players: tuple[Player, ...], elapse: Elapse
) -> None:
    game = clocked(service, players)
    player = on_move(service, players, game)
    elapse(40)
    deadline = view(service, player, game).deadline
    other = next(candidate for candidate in players if candidate != player)
    service.arena.resign(other.caller, game.id)
    assert view(service, player, game).deadline == deadline
    elapse(50.001)
    assert service.arena.sweeper.turn() == 1


def test_a_bot_that_never_shows_up_forfeits_instead_of_playing_a_slow_game(
    service: Service, players: tuple[Player, ...], elapse: Elapse
) -> None:
    service.arena.sweeper.turn()
    game = fresh_game(service, players[:2], MINUTE)
    seen = view(service, players[0], game)
    service.arena.play(players[0].caller, game.id, seen.version, seen.legal_actions[0], None)
    elapse(91)
    service.arena.sweeper.turn()
    over = service.arena.game(game.id)
    assert over.status is GameStatus.FINISHED
    assert over.result is not None
    assert over.result.ranks is not None
    assert [over.result.ranks[seen.seat or 0], over.seats[1 - (seen.seat or 0)].left] == [1, True]


def test_after_its_strikes_a_seat_leaves(service: Service, players: tuple[Player, ...], elapse: Elapse) -> None:
    game = clocked(service, players[:2], ClockRules(move_seconds=60.0, max_timeouts=1))
    late = on_move(service, players[:2], game)
    elapse(61)
    assert service.arena.sweeper.turn() == 1
    other = on_move(service, players[:2], game)
    assert other != late
    seen = view(service, other, game)
    service.arena.play(other.caller, game.id, seen.version, Action.take(seen.own.hidden_places[0]), None)
    elapse(61)
    assert service.arena.sweeper.turn() == 1
    assert service.arena.game(game.id).status is GameStatus.FINISHED


def test_on_timeout_forfeit_makes_the_first_timeout_the_last(
    service: Service, players: tuple[Player, ...], elapse: Elapse
) -> None:
    game = clocked(service, players[:2], ClockRules(move_seconds=60.0, on_timeout=OnTimeout.FORFEIT))
    elapse(61)
    assert service.arena.sweeper.turn() == 1
    assert service.arena.game(game.id).status is GameStatus.FINISHED


def test_time_in_which_the_service_was_down_is_not_charged(
    service: Service, players: tuple[Player, ...], elapse: Elapse, be_down: Elapse
) -> None:
    game = clocked(service, players)
    player = on_move(service, players, game)
    elapse(30)
    be_down(600)
    seen = view(service, player, game)
    answer = service.arena.submit(player.caller, (Submission(game.id, seen.version, seen.legal_actions[1]),), 0, 1)
    assert isinstance(answer.results[0], Accepted)


def test_downtime_is_credited_once_before_anything_is_swept(
    service: Service, players: tuple[Player, ...], elapse: Elapse, be_down: Elapse, settings: Settings, conninfo: str
) -> None:
    game = clocked(service, players)
    player = on_move(service, players, game)
    elapse(30)
    be_down(600)
    other = open_service(settings, conninfo)
    try:
        assert service.arena.sweeper.turn() + other.arena.sweeper.turn() == 0
    finally:
        other.close()
    elapse(55)
    assert service.arena.sweeper.turn() == 0
    elapse(6)
    seen = view(service, player, game)
    with pytest.raises(DeadlinePassed):
        service.arena.play(player.caller, game.id, seen.version, seen.legal_actions[1], None)


def test_who_was_late_before_the_service_went_down_is_late_after_it(
    service: Service, players: tuple[Player, ...], elapse: Elapse, be_down: Elapse
) -> None:
    game = clocked(service, players)
    player = on_move(service, players, game)
    elapse(100)
    be_down(600)
    seen = view(service, player, game)
    with pytest.raises(DeadlinePassed):
        service.arena.play(player.caller, game.id, seen.version, seen.legal_actions[1], None)


def test_the_inbox_lists_the_earliest_deadline_first(service: Service, players: tuple[Player, ...]) -> None:
    service.arena.sweeper.turn()
    ada = players[0]

    def game_with(seconds: float) -> GameInfo:
        seats = (bot_seat(ada), house_seat("random"))
        return service.arena.create_game(
            organiser(service), NewGame(RuleSet(), seats, ClockRules(move_seconds=seconds))
        )

    games = [game_with(seconds) for seconds in (300, 60, 120)]
    listed = [decision.game for decision in service.arena.pending(ada.caller, 0, 10)]
    assert listed == [str(games[index].id) for index in (1, 2, 0)]
