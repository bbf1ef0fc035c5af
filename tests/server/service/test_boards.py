"""Games on a duplicate board: begun together, dealt alike, embargoed until it is over everywhere; stopped games."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import psycopg
import pytest

from skyjo import Phase, RuleSet, verify
from skyjo.facts import Dealt
from skyjo_server.app import Service, open_service
from skyjo_server.service.errors import Embargoed, GameOver, NotFound, ServiceError
from skyjo_server.service.model import ClockRules, GameInfo, GameStatus, NewGame
from skyjo_server.settings import Settings
from skyjo_server.tournaments.values import Cause
from tests.server.service.boards import begin, lift, table, two_tables
from tests.server.service.people import Player, bot_seat, new_game, organiser, play_on, register, view

LONG = 100_000
"""More moves than any game has."""


@pytest.fixture
def players(service: Service) -> tuple[Player, ...]:
    return register(service, "Ada", "Bob", "Cat", "Dan")


def stop(service: Service, game: GameInfo, status: GameStatus) -> GameInfo:
    service.arena._play.stop(game.id, status)
    return service.arena.game(game.id)


def refusal_to(service: Service, player: Player | None, game: GameInfo, what: str) -> ServiceError:
    arena, caller = service.arena, None if player is None else player.caller
    asks: dict[str, Callable[[], object]] = {
        "view": lambda: arena.view(caller, game.id, None, None, 0),
        "events": lambda: arena.events(caller, game.id, -1, 9, 20),
        "follow": lambda: arena.follow(caller, game.id, -1),
        "transcript": lambda: arena.transcript(game.id),
    }
    with pytest.raises(ServiceError) as caught:
        asks[what]()
    return caught.value


def test_tables_of_a_board_are_dealt_alike_and_proved_by_seed_board_and_salt(
    service: Service, conninfo: str, players: tuple[Player, ...]
) -> None:
    games = two_tables(service, players)
    for game, seated in zip(games, (players[:2], players[2:]), strict=True):
        play_on(service, seated, game, LONG)
    lift(conninfo, *games)
    one, other = (service.arena.transcript(game.id) for game in games)
    verify(one)
    verify(other)
    assert one.events[0].event == other.events[0].event
    assert one.commitment != other.commitment
    assert (one.seed, one.board and one.board.id) == (other.seed, other.board and other.board.id)


def test_beginning_games_again_adds_nothing_and_begins_those_that_are_missing(
    service: Service, players: tuple[Player, ...]
) -> None:
    event_id = uuid4()
    one, other = table(event_id, 0, players[:2]), table(event_id, 1, players[2:])
    assert [game.id for game in begin(service, one)] == [one.game_id]
    play_on(service, players[:2], service.arena.game(one.game_id), 3)
    assert [game.id for game in begin(service, one, other)] == [other.game_id]
    assert begin(service, one, other) == ()
    assert view(service, players[0], service.arena.game(one.game_id)).version > 0


@pytest.mark.parametrize("what", ["view", "events", "follow", "transcript"])
def test_an_embargoed_game_is_shown_to_nobody_without_a_seat_be_it_on_or_over(
    service: Service, players: tuple[Player, ...], what: str
) -> None:
    game, other = two_tables(service, players)
    assert isinstance(refusal_to(service, None, game, what), Embargoed)
    assert isinstance(refusal_to(service, players[2], game, what), Embargoed)
    play_on(service, players[:2], game, LONG)
    assert isinstance(refusal_to(service, players[2], game, what), Embargoed)
    shown = service.arena.game(game.id)
    assert (shown.status, shown.version, shown.result) == (GameStatus.FINISHED, -1, None)
    listed = service.arena.games(None, None, game.tournament_id, 9, None).items
    assert {found.id: (found.version, found.result) for found in listed} == dict.fromkeys(
        (game.id, other.id), (-1, None)
    )


def test_seats_see_their_own_side_of_an_embargoed_game_also_when_it_is_over(
    service: Service, players: tuple[Player, ...]
) -> None:
    game, _ = two_tables(service, players)
    play_on(service, players[:2], game, LONG)
    seen = view(service, players[0], game)
    assert (seen.phase, seen.seat) == (Phase.OVER, 0)
    events = [stamped.event for stamped in service.arena.events(players[0].caller, game.id, -1, 1000, 0).events]
    followed = [
        stamped.event for page in service.arena.follow(players[0].caller, game.id, -1) for stamped in page.events
    ]
    assert events == followed
    assert not any(isinstance(fact, Dealt) for event in events for fact in event.facts)


def test_a_process_that_has_the_table_in_memory_learns_at_once_that_the_embargo_is_over(
    service: Service, conninfo: str, settings: Settings, players: tuple[Player, ...]
) -> None:
    game, _ = two_tables(service, players)
    play_on(service, players[:2], game, LONG)
    elsewhere = open_service(settings, conninfo)
    for process in (service, elsewhere):
        assert isinstance(refusal_to(process, None, game, "view"), Embargoed)
    lift(conninfo, game)
    for process in (service, elsewhere):
        assert process.arena.view(None, game.id, None, None, 0).phase is Phase.OVER
        deal = process.arena.events(players[0].caller, game.id, -1, 1, 0).events[0].event.facts[0]
        assert isinstance(deal, Dealt)
        assert next(process.arena.follow(None, game.id, -1)).events[0].event.facts[0] == deal
        assert process.arena.game(game.id).result is not None
        verify(process.arena.transcript(game.id))
    elsewhere.close()


@pytest.mark.parametrize("status", [GameStatus.VOID, GameStatus.ABORTED])
def test_a_game_that_is_stopped_ends_where_it_is_with_its_seed_and_without_ranks(
    service: Service, players: tuple[Player, ...], status: GameStatus
) -> None:
    game = new_game(service, *map(bot_seat, players[:2]))
    play_on(service, players, game, 9)
    before = max((view(service, player, game) for player in players[:2]), key=lambda seen: len(seen.legal_actions))
    over = stop(service, game, status)
    assert over.result is not None
    assert (over.status, over.version, over.result.ranks) == (status, before.version, None)
    assert over.result.causes == (Cause.VOID, Cause.VOID)
    record = service.arena.transcript(game.id)
    verify(record)
    assert record.result.status == status.value
    assert service.arena.pending(players[0].caller, 0, 9) == ()
    with pytest.raises(GameOver):
        service.arena.play(players[before.seat or 0].caller, game.id, before.version, before.legal_actions[0], None)
    assert stop(service, game, status) == over


def test_a_game_that_is_over_or_not_there_cannot_be_stopped(service: Service, players: tuple[Player, ...]) -> None:
    game = new_game(service, *map(bot_seat, players[:2]), rules=RuleSet(max_rounds=1, score_limit=None))
    play_on(service, players, game, LONG)
    with pytest.raises(GameOver):
        stop(service, game, GameStatus.VOID)
    with pytest.raises(NotFound):
        service.arena._play.stop(uuid4(), GameStatus.VOID)


def test_a_stopped_game_that_is_embargoed_opens_nothing(service: Service, players: tuple[Player, ...]) -> None:
    game, _ = two_tables(service, players)
    play_on(service, players[:2], game, 9)
    before = view(service, players[0], game)
    stop(service, game, GameStatus.ABORTED)
    after = view(service, players[0], game)
    assert (after.phase, after.seats, after.draw_pile_size) == (Phase.OVER, before.seats, before.draw_pile_size)


def test_a_result_says_for_each_seat_how_the_game_ended(
    service: Service, conninfo: str, players: tuple[Player, ...]
) -> None:
    ada, bob, _cat, dan = players
    clock = ClockRules(move_seconds=3600.0, max_timeouts=2)
    rules = RuleSet(max_rounds=1, score_limit=None)
    game = service.arena.create_game(organiser(service), NewGame(rules, tuple(map(bot_seat, players)), clock))
    elapse = "UPDATE games SET clock_started = clock_started - interval '2 hours', deadline = now() - interval '1 hour'"
    with psycopg.connect(conninfo, autocommit=True) as connection:

        def time_out() -> None:
            service.storage.log.beat()
            connection.execute(elapse)
            assert service.arena.sweeper.turn() == 1

        play_on(service, (ada, bob, dan), game, 3)
        time_out()  # Cat, who has never come
        while ada.bot_id not in _awaited(service, game):
            play_on(service, (bob, dan), game, 1)
        time_out()  # Ada, once
        service.arena.resign(bob.caller, game.id)
        while not service.arena.game(game.id).status.is_over:
            if dan.bot_id in _awaited(service, game):
                time_out()
            else:
                play_on(service, (ada,), game, 1)
    result = service.arena.game(game.id).result
    assert result is not None
    assert result.causes == (Cause.TIMEOUT, Cause.RESIGNED, Cause.NO_SHOW, Cause.FORFEIT)


def _awaited(service: Service, game: GameInfo) -> set[object]:
    seen = service.arena.view(None, game.id, None, None, 0)
    return {game.seats[seat].bot_id for seat in seen.to_act}
