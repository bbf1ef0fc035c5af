"""Games of house bots: played in the commit that begins them, or in several where they are long."""

from __future__ import annotations

import pytest

from skyjo import RuleSet, verify
from skyjo_server.app import Service
from skyjo_server.service.errors import RulesInvalid
from skyjo_server.service.games import MOST_POINTS, MOST_ROUNDS, MOST_TURNS
from skyjo_server.service.model import ClockRules, GameStatus, NewGame
from skyjo_server.service.table import EVENTS_AT_ONCE
from tests.server.service.people import bot_seat, house_seat, new_game, organiser, register, view

LONG = RuleSet(score_limit=None, max_rounds=60)


def test_a_game_of_house_bots_is_over_when_it_is_created(service: Service) -> None:
    game = new_game(service, house_seat("greedy"), house_seat("threshold"))
    assert game.status is GameStatus.FINISHED
    verify(service.arena.transcript(game.id))


def test_a_long_game_of_house_bots_takes_no_request_longer_and_is_swept_to_its_end(service: Service) -> None:
    game = new_game(service, house_seat("random"), house_seat("random"), house_seat("random"), rules=LONG)
    assert game.status is GameStatus.RUNNING
    assert EVENTS_AT_ONCE <= game.version + 1 < EVENTS_AT_ONCE + 10
    while service.arena.sweeper.turn():
        pass
    over = service.arena.game(game.id)
    assert over.status is GameStatus.FINISHED
    assert over.version > game.version
    verify(service.arena.transcript(game.id))


def test_a_seat_that_leaves_a_long_game_to_house_bots_is_swept_up_too_and_no_clock_is_touched(service: Service) -> None:
    (ada,) = register(service, "Ada")
    seats = (bot_seat(ada), house_seat("random"), house_seat("random"))
    game = service.arena.create_game(organiser(service), NewGame(LONG, seats, ClockRules(move_seconds=60.0)))
    seen = view(service, ada, game)
    service.arena.play(ada.caller, game.id, seen.version, seen.legal_actions[0], None)
    service.arena.resign(ada.caller, game.id)
    assert service.arena.game(game.id).status is GameStatus.RUNNING
    while service.arena.sweeper.turn():
        pass
    record = service.arena.transcript(game.id)
    verify(record)
    assert record.result.ranks is not None
    assert record.result.ranks[0] == 3


@pytest.mark.parametrize(
    "rules",
    [
        RuleSet(score_limit=None, max_rounds=MOST_ROUNDS + 1),
        RuleSet(score_limit=MOST_POINTS + 1),
        RuleSet(max_turns_per_seat=None),
        RuleSet(max_turns_per_seat=MOST_TURNS + 1),
    ],
)
def test_a_game_that_would_take_for_ever_is_not_begun(service: Service, rules: RuleSet) -> None:
    with pytest.raises(RulesInvalid, match="served here"):
        new_game(service, house_seat("random"), house_seat("random"), rules=rules)
