"""Games looked at again: each step as it was seen, proofs, what decisions cost, going on from a step."""

from __future__ import annotations

from uuid import uuid4

import psycopg
import pytest

from skyjo import Decision, FairChance, RuleSet, State, decision, initial_state, verify
from skyjo.analysis import analyse
from skyjo.chain import event_salt, next_hash, result_hash
from skyjo.evolution import evolve
from skyjo.record import GameRecord
from skyjo.view import seen_event
from skyjo_server.app import Service
from skyjo_server.service.errors import Embargoed, GameNotFinished, InvalidRequest, KeyReused, NotFound, ServiceError
from skyjo_server.service.model import Caller, ClockRules, GameInfo, GameStatus, NewGame, SeatRequest
from skyjo_server.service.replay_model import NewFork, Perspective
from tests.server.service.boards import lift, two_tables
from tests.server.service.people import (
    OPEN_SEAT,
    Player,
    bot_seat,
    house_seat,
    new_game,
    organiser,
    play_on,
    register,
    view,
)

SHORT = RuleSet(max_rounds=2, max_turns_per_seat=6, score_limit=None)
LONG = 100_000
GREEDY = (house_seat("greedy"), house_seat("threshold"))


@pytest.fixture
def players(service: Service) -> tuple[Player, ...]:
    return register(service, "Ada", "Bob", "Cat", "Dan")


@pytest.fixture
def finished(service: Service) -> GameInfo:
    """A game of the house."""
    return new_game(service, *GREEDY, rules=SHORT)


def state_of(record: GameRecord, version: int) -> State:
    state = initial_state(record.rules, len(record.seats))
    for event in [*record.bare_events()][: version + 1]:
        state = evolve(state, event)
    return state


def step(
    service: Service,
    game: GameInfo,
    version: int,
    caller: Caller | None = None,
    seat: int | None = None,
    perspective: Perspective | None = None,
) -> Decision:
    return service.arena.state(caller, game.id, version, seat, perspective)


def fork(
    service: Service,
    game: GameInfo,
    version: int,
    *seats: SeatRequest,
    caller: Caller | None = None,
    key: str | None = None,
) -> GameInfo:
    wanted = NewFork(version, seats or GREEDY, ClockRules())
    return service.arena.fork(caller or organiser(service), game.id, wanted, key)


def test_each_step_is_what_each_viewer_saw_then_while_the_game_is_on_and_afterwards(
    service: Service, players: tuple[Player, ...]
) -> None:
    game = new_game(service, *map(bot_seat, players[:2]), rules=SHORT)
    seen: list[tuple[Player | None, Decision]] = []
    while not service.arena.game(game.id).status.is_over:
        seen += [(player, view(service, player, game)) for player in players[:2]]
        seen.append((None, service.arena.view(None, game.id, None, None, 0)))
        play_on(service, players[:2], game, 1)
        if len(seen) == 30:
            for player, then in seen:
                caller = None if player is None else player.caller
                assert step(service, game, then.version, caller) == then
                assert step(service, game, then.version, caller, then.seat) == then
    for _, then in seen:
        spectator = None if then.seat is not None else Perspective.SPECTATOR
        assert step(service, game, then.version, None, then.seat, spectator) == then


def test_nobody_looks_as_another_seat_or_at_every_card_while_the_game_is_on(
    service: Service, players: tuple[Player, ...]
) -> None:
    ada, bob, cat, _ = players
    game = new_game(service, *map(bot_seat, players[:2]), rules=SHORT)
    play_on(service, players, game, 5)
    for caller, seat in ((None, 0), (cat.caller, 0), (ada.caller, 1), (bob.caller, 0), (bob.caller, 5)):
        with pytest.raises(GameNotFinished):
            step(service, game, 0, caller, seat)
    for caller in (ada.caller, None):
        with pytest.raises(GameNotFinished):
            step(service, game, 0, caller, None, Perspective.OPEN)
    assert step(service, game, 0, ada.caller, None, Perspective.SPECTATOR).seat is None


def test_of_a_game_that_is_over_everybody_sees_every_card_at_every_step(service: Service, finished: GameInfo) -> None:
    record = service.arena.transcript(finished.id)
    for version in range(0, finished.version + 1, 7):
        expected = decision(state_of(record, version), None, game=str(finished.id), complete=True)
        assert step(service, finished, version) == step(service, finished, version, None, None, Perspective.OPEN)
        assert step(service, finished, version) == expected
        assert not any(seat.hidden_places for seat in expected.seats)


def test_a_step_that_is_not_there_and_a_seat_that_is_not_there_are_refused(
    service: Service, finished: GameInfo
) -> None:
    with pytest.raises(NotFound):
        step(service, finished, finished.version + 1)
    with pytest.raises(NotFound):
        service.arena.state(None, uuid4(), 0, None, None)
    with pytest.raises(InvalidRequest, match="seat 2"):
        step(service, finished, 0, None, 2)
    with pytest.raises(InvalidRequest, match="a seat and a view"):
        step(service, finished, 0, None, 1, Perspective.OPEN)


def test_the_steps_of_an_embargoed_game_are_shown_to_its_seats_alone_and_closed(
    service: Service, conninfo: str, players: tuple[Player, ...]
) -> None:
    game, _ = two_tables(service, players)
    first = view(service, players[0], game)
    play_on(service, players[:2], game, LONG)
    version = view(service, players[0], game).version
    assert step(service, game, 0, players[0].caller) == step(service, game, 0, players[0].caller, 0) == first
    for caller, seat, perspective in (
        (None, None, None),
        (players[2].caller, None, None),
        (players[0].caller, 1, None),
        (players[0].caller, None, Perspective.OPEN),
    ):
        for known in (0, version, version + 1):
            with pytest.raises(Embargoed):
                step(service, game, known, caller, seat, perspective)
    for refused in (service.arena.proof, service.arena.analysis):
        with pytest.raises(Embargoed):
            refused(game.id)
    with pytest.raises(Embargoed):
        fork(service, game, 0)
    lift(conninfo, game)
    assert not any(seat.hidden_places for seat in step(service, game, 0).seats)
    proof = service.arena.proof(game.id)
    assert proof.board is not None
    assert proof.shuffled_as == proof.board.id


def test_a_proof_has_the_key_of_every_shuffle_and_both_ends_of_the_hash_chain(
    service: Service, finished: GameInfo
) -> None:
    record, proof = service.arena.transcript(finished.id), service.arena.proof(finished.id)
    state, link = initial_state(record.rules, 2), proof.genesis
    for event in record.bare_events():
        salt = event_salt(proof.seed, proof.game_id, event.version)
        link = next_hash(link, event, seen_event(event, state, None), salt)
        state = evolve(state, event)
    assert (proof.version, proof.hash) == (finished.version, link)
    assert proof.result_hash == result_hash(link, proof.result)
    assert FairChance(proof.key).deal(1) == record.events[0].event.facts[0].cards  # type: ignore[union-attr]  # a deal
    assert (proof.commitment, proof.result) == (record.commitment, record.result)


def test_nothing_is_proved_analysed_or_forked_before_the_end(service: Service, players: tuple[Player, ...]) -> None:
    game = new_game(service, *map(bot_seat, players[:2]))
    with pytest.raises(GameNotFinished):
        service.arena.proof(game.id)
    with pytest.raises(GameNotFinished):
        service.arena.analysis(game.id)
    with pytest.raises(GameNotFinished):
        fork(service, game, 0)


def test_an_analysis_is_that_of_the_rules_package_each_time(service: Service, finished: GameInfo) -> None:
    expected = analyse(service.arena.transcript(finished.id))
    assert service.arena.analysis(finished.id) == service.arena.analysis(finished.id) == expected


def test_a_fork_repeats_the_other_game_goes_on_by_itself_and_is_proved(service: Service, finished: GameInfo) -> None:
    record = service.arena.transcript(finished.id)
    for version in range(0, finished.version, 11):
        made = fork(service, finished, version, house_seat("threshold"), house_seat("greedy"))
        assert made.forked is not None
        assert (made.forked.game_id, made.forked.version) == (finished.id, version)
        forked = service.arena.transcript(made.id)
        verify(forked)
        assert forked.board is not None
        assert (forked.seed, forked.board.id) == (record.seed, record.game)
        assert [*forked.bare_events()][: version + 1] == [*record.bare_events()][: version + 1]
        assert forked.seats == ("threshold", "greedy")


def test_a_fork_by_the_same_bots_of_the_house_is_the_same_game_again(service: Service, finished: GameInfo) -> None:
    record = service.arena.transcript(finished.id)
    again = service.arena.transcript(fork(service, finished, finished.version // 2).id)
    assert [*again.bare_events()] == [*record.bare_events()]
    assert again.events[-1].hash != record.events[-1].hash


def test_a_fork_of_a_fork_shares_the_deals_of_the_first_game(service: Service, finished: GameInfo) -> None:
    second = fork(service, fork(service, finished, 3), 9)
    record = service.arena.transcript(second.id)
    verify(record)
    assert record.board is not None
    assert record.board.id == finished.id


def test_a_fork_between_bots_waits_for_them_and_keeps_who_has_left(
    service: Service, players: tuple[Player, ...]
) -> None:
    ada, bob, cat, dan = players
    game = new_game(service, *map(bot_seat, (ada, bob, cat)), rules=SHORT)
    play_on(service, players[:3], game, 12)
    service.arena.resign(cat.caller, game.id)
    version = view(service, ada, game).version
    play_on(service, players[:3], game, LONG)
    made = fork(service, game, version, *map(bot_seat, (dan, cat, bob)))
    assert (made.status, made.version) == (GameStatus.RUNNING, version)
    assert [seat.left for seat in made.seats] == [False, False, True]
    assert view(service, dan, made).own == step(service, game, version, None, 0).own
    play_on(service, (dan, cat), made, LONG)
    verify(service.arena.transcript(made.id))


def test_forks_become_transcripts_like_any_game(
    service: Service, finished: GameInfo, players: tuple[Player, ...]
) -> None:
    first = fork(service, finished, 7)
    played = fork(service, finished, 4, *map(bot_seat, players[:2]))
    play_on(service, players[:2], played, LONG)
    forks = [first, played, fork(service, first, 9)]
    before = [service.arena.transcript(made.id) for made in forks]
    assert sum(iter(lambda: service.storage.archive.compact(10, 0), 0)) == 1 + len(forks)
    assert [service.arena.transcript(made.id) for made in forks] == before


def test_a_stopped_game_is_forked_from_its_last_step(service: Service, players: tuple[Player, ...]) -> None:
    game = new_game(service, *map(bot_seat, players[:2]), rules=SHORT)
    play_on(service, players[:2], game, 9)
    service.arena._play.stop(game.id, GameStatus.VOID)
    made = fork(service, game, service.arena.game(game.id).version)
    assert made.status is GameStatus.FINISHED
    verify(service.arena.transcript(made.id))


def test_a_fork_sent_again_with_its_key_is_made_once(service: Service, finished: GameInfo) -> None:
    caller = organiser(service)
    made = fork(service, finished, 5, caller=caller, key="again")
    assert fork(service, finished, 5, caller=caller, key="again").id == made.id
    for version, seats in ((6, GREEDY), (5, GREEDY[::-1])):
        with pytest.raises(KeyReused):
            fork(service, finished, version, *seats, caller=caller, key="again")


@pytest.mark.parametrize(
    ("version", "seats", "place"),
    [
        (0, GREEDY[:1], "/seats"),
        (0, (*GREEDY, *GREEDY), "/seats"),
        (0, (OPEN_SEAT, GREEDY[0]), "/seats/0"),
        (0, (house_seat("nobody"), GREEDY[0]), "/seats/0/house"),
        (-1, GREEDY, "/version"),
        (LONG, GREEDY, "/version"),
    ],
)
def test_a_fork_that_cannot_be_is_refused_by_its_place(
    service: Service, finished: GameInfo, version: int, seats: tuple[SeatRequest, ...], place: str
) -> None:
    """Version -1 stands for the last one, at which the game is over."""
    with pytest.raises(ServiceError) as caught:
        fork(service, finished, finished.version if version < 0 else version, *seats)
    assert caught.value.extras["errors"][0]["place"] == place


def test_no_fork_begins_in_the_midst_of_a_turn_that_a_timeout_played(
    service: Service, conninfo: str, players: tuple[Player, ...]
) -> None:
    wanted = NewGame(SHORT, tuple(map(bot_seat, players[:2])), ClockRules(move_seconds=3600.0))
    game = service.arena.create_game(organiser(service), wanted)
    play_on(service, players[:2], game, 6)
    service.storage.log.beat()
    with psycopg.connect(conninfo) as connection:
        connection.execute(
            "UPDATE games SET clock_started = clock_started - interval '2 hours', deadline = now() - interval '1 hour'"
        )
    assert service.arena.sweeper.turn() == 1
    last = service.arena.view(None, game.id, None, None, 0).version
    service.arena._play.stop(game.id, GameStatus.ABORTED)
    with pytest.raises(InvalidRequest, match="midst"):
        fork(service, game, last - 1)
    for version in (last - 2, last):
        verify(service.arena.transcript(fork(service, game, version).id))


def test_commitments_are_counted_and_one_that_is_never_revealed_is_seen(
    service: Service, conninfo: str, players: tuple[Player, ...], finished: GameInfo
) -> None:
    new_game(service, bot_seat(players[0]), OPEN_SEAT)
    embargoed, _ = two_tables(service, players)
    play_on(service, players[:2], embargoed, LONG)
    counted = service.storage.games.commitments()
    assert (counted.games, counted.pending, counted.embargoed, counted.revealed, counted.never_revealed) == (
        4,
        2,
        1,
        1,
        0,
    )
    assert service.arena.commitments() == service.arena.commitments()
    with psycopg.connect(conninfo) as connection:
        connection.execute("DELETE FROM game_secrets WHERE game_id = %s", (finished.id,))
    assert service.storage.games.commitments().never_revealed == 1
