"""Bots in events: they play through their inbox, fail to appear, leave, crash; nobody else is hurt by it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import pytest

from skyjo import verify
from skyjo.record import GameRecord
from skyjo_server.app import Service, open_service
from skyjo_server.service.errors import Embargoed, GameFull
from skyjo_server.service.tournament_model import EntryStatus, TableInfo, TournamentInfo, TournamentStatus
from skyjo_server.service.tournament_results import ABSENCES_MAX, ATTEMPTS_MAX
from skyjo_server.settings import Settings
from skyjo_server.tournaments.values import Cause, Format, Outcome, Sequential, Shape
from tests.server.service.cups import (
    cup,
    let_time_pass,
    log,
    play_all,
    run,
    run_with,
    schedule,
    standings,
    turn,
)
from tests.server.service.people import Player, organiser, register

PAIR = Shape(format=Format.ROUND_ROBIN, boards=2)
BOARDS = Shape(format=Format.ROUND_ROBIN, boards=2, duplicate=True)
ONE_ROUND = Shape(format=Format.SWISS, duplicate=True, rounds=1)


def begun(service: Service, shape: Shape, players: tuple[Player, ...], *house: str) -> TournamentInfo:
    """An event with bots in it, begun, its first games dealt."""
    host = organiser(service)
    event = cup(service, host, shape, *house)
    for player in players:
        service.arena.enter(player.caller, event.id)
    service.arena.start_tournament(host, event.id)
    turn(service)
    return event


def game_of(service: Service, table: TableInfo) -> GameRecord:
    assert table.game_id is not None
    record = service.arena.transcript(table.game_id)
    verify(record)
    return record


def table_of(service: Service, event_id: UUID, table: int, attempt: int) -> TableInfo:
    return next(each for each in schedule(service, event_id) if (each.table, each.attempt) == (table, attempt))


def test_bots_find_the_games_of_an_event_in_their_inbox_and_play_it_to_its_end(service: Service) -> None:
    players = register(service, "Ada", "Bob", "Cid")
    event = begun(service, BOARDS, players, "random")
    assert run_with(service, event.id, players).status is TournamentStatus.FINISHED
    for row in standings(service, event.id):
        assert row.tally.tables == row.tally.count(Cause.FINISHED) == 6
    leaders = service.arena.leaderboard(10, None).items
    assert {leader.name for leader in leaders} == {"Ada", "Bob", "Cid", "random"}
    assert [leader.rank for leader in leaders] == [1, 2, 3, 4]
    first = service.arena.leaderboard(1, None)
    assert service.arena.leaderboard(3, first.next_cursor).items == leaders[1:]


def test_nobody_else_can_take_part_in_a_game_of_an_event(service: Service) -> None:
    ada, bob, eve = register(service, "Ada", "Bob", "Eve")
    event = begun(service, PAIR, (ada, bob))
    game_id = schedule(service, event.id)[0].game_id
    assert game_id is not None
    with pytest.raises(GameFull):
        service.arena.join(eve.caller, game_id, None, b"")


def test_nothing_of_a_board_is_seen_before_it_is_over_at_every_table(service: Service) -> None:
    players = register(service, "Ada", "Bob", "Cid", "Dan")
    event = begun(service, ONE_ROUND, players)
    first = {seat.entry for seat in schedule(service, event.id)[0].seats}
    pair = [player for number, player in enumerate(players) if number in first]
    while play_all(service, pair):
        turn(service)
    for table in schedule(service, event.id):
        assert table.embargoed
        assert table.board is None
        assert all(seat.total is None and seat.rank is None and seat.cause is None for seat in table.seats)
        assert table.game_id is not None
        with pytest.raises(Embargoed):
            service.arena.transcript(table.game_id)
    assert [table.outcome for table in schedule(service, event.id)].count(Outcome.FINISHED) == 2
    assert not any(row.tally.tables for row in standings(service, event.id))
    assert not any("boards" in told.data for told in log(service, event.id) if told.kind == "paired")
    run_with(service, event.id, players)
    assert not any(table.embargoed for table in schedule(service, event.id))
    assert all(row.tally.tables == 2 for row in standings(service, event.id))


def test_a_game_in_which_no_bot_ever_acts_is_void_for_both_and_is_replayed_so_often_and_no_more(
    service: Service, conninfo: str
) -> None:
    players = register(service, "Ada", "Bob")
    event = begun(service, Shape(format=Format.ROUND_ROBIN, boards=1, duplicate=True), players)
    run_with(service, event.id, (), lambda: let_time_pass(conninfo, service))
    played = schedule(service, event.id)
    assert [(table.attempt, table.outcome) for table in played] == [(n, Outcome.VOID) for n in range(ATTEMPTS_MAX)]
    boards = [game_of(service, table).board for table in played]
    assert len({board.id for board in boards if board is not None}) == 1
    for row in standings(service, event.id):
        assert (row.tally.tables, row.tally.count(Cause.VOID), row.tally.count(Cause.FORFEIT)) == (0, ATTEMPTS_MAX, 0)
        assert row.status is EntryStatus.WITHDRAWN


def test_a_bot_that_is_gone_forfeits_and_is_withdrawn_and_the_others_get_all_their_games_and_results(
    service: Service, conninfo: str
) -> None:
    ada, bob, gone = register(service, "Ada", "Bob", "Gone")
    event = begun(service, Shape(format=Format.ROUND_ROBIN, boards=4, tables_at_once=4), (ada, bob, gone))
    over = run_with(service, event.id, (ada, bob), lambda: let_time_pass(conninfo, service))
    assert over.status is TournamentStatus.FINISHED
    rows = {row.name: row for row in standings(service, event.id)}
    assert rows["Gone"].status is EntryStatus.WITHDRAWN
    assert rows["Gone"].tally.count(Cause.NO_SHOW) >= ABSENCES_MAX
    assert service.arena.entries(event.id, 10, None).items[2].reason == "no-show"
    between = [table for table in schedule(service, event.id) if all(seat.name != "Gone" for seat in table.seats)]
    assert [table.outcome for table in between] == [Outcome.FINISHED] * 4
    assert rows["Gone"].rank == 3


def test_once_a_withdrawal_is_acknowledged_the_bot_is_never_paired_again_and_its_running_game_goes_on(
    service: Service,
) -> None:
    players = register(service, "Ada", "Bob", "Cid")
    event = begun(service, Shape(format=Format.ROUND_ROBIN, boards=2, tables_at_once=1), players)
    (playing,) = (table for table in schedule(service, event.id) if table.outcome is Outcome.PLAYING)
    leaver = players[playing.seats[0].entry]
    left = service.arena.withdraw(leaver.caller, event.id)
    assert left.status is EntryStatus.WITHDRAWN
    for table in schedule(service, event.id):
        sits = any(seat.entry == left.number for seat in table.seats)
        not_begun = Outcome.CANCELLED if sits else Outcome.SCHEDULED
        assert table.outcome is (Outcome.PLAYING if table == playing else not_begun)
    run_with(service, event.id, players)
    assert sum(table.outcome is Outcome.FINISHED for table in schedule(service, event.id)) == 3
    assert next(row for row in standings(service, event.id) if row.entry == left.number).tally.tables == 1


def test_a_game_that_the_organiser_declares_void_is_replayed_on_a_deal_of_its_own_and_is_not_compared(
    service: Service,
) -> None:
    players, host = register(service, "Ada", "Bob", "Cid", "Dan"), organiser(service)
    event = cup(service, host, ONE_ROUND)
    for player in players:
        service.arena.enter(player.caller, event.id)
    service.arena.start_tournament(host, event.id)
    turn(service)
    for player in players:
        for seen in service.arena.pending(player.caller, 0, 10):
            service.arena.play(player.caller, UUID(seen.game), seen.version, seen.legal_actions[0], None)
    void = service.arena.void_table(host, event.id, 0, 0)
    assert (void.attempt, void.outcome) == (0, Outcome.VOID)
    run_with(service, event.id, players)
    again = table_of(service, event.id, 0, 1)
    assert (again.outcome, again.complete) == (Outcome.FINISHED, False)
    assert all(table.complete for table in schedule(service, event.id) if table.table != 0)
    assert game_of(service, again).board is None
    assert game_of(service, table_of(service, event.id, 0, 0)).board is not None


def test_a_match_ends_as_soon_as_its_test_has_decided(service: Service) -> None:
    host = organiser(service)
    test = Sequential(low=0, high=200)
    shape = Shape(format=Format.ROUND_ROBIN, boards=400, entries_max=2, tables_at_once=8, sequential=test)
    event = cup(service, host, shape, "threshold", "random")
    service.arena.start_tournament(host, event.id)
    over = run(service, event.id)
    assert over.verdict is not None
    assert over.verdict.decision == "first"
    assert over.verdict.boards * 2 <= over.progress.tables_over < 100
    assert [told.kind for told in log(service, event.id)].count("decided") == 1


def test_processes_that_move_an_event_on_at_once_never_begin_a_round_or_a_game_twice(
    conninfo: str, settings: Settings
) -> None:
    services = [open_service(settings, conninfo) for _ in range(3)]
    try:
        host = organiser(services[0])
        shape = Shape(format=Format.SWISS, rounds=3, duplicate=True)
        event = cup(services[0], host, shape, "random", "threshold", "random", "threshold")
        services[0].arena.start_tournament(host, event.id)
        with ThreadPoolExecutor(len(services)) as pool:
            list(pool.map(lambda service: run(service, event.id), services))
        told = log(services[0], event.id)
        assert [each.version for each in told] == list(range(len(told)))
        assert [each.data["round"] for each in told if each.kind == "paired"] == [0, 1, 2]
        dealt = [game["game"] for each in told if each.kind == "dealt" for game in each.data["tables"]]
        assert len(dealt) == len(set(dealt)) == 12
    finally:
        for service in services:
            service.close()
