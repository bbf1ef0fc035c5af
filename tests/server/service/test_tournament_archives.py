"""An event is proved from its archive alone, whatever happened in it: bots were gone, games void, an end came early."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

import psycopg

from skyjo_server.app import Service
from skyjo_server.cli.archives import Archive, archive_faults
from skyjo_server.service.model import Scope
from skyjo_server.service.tournament_model import TournamentInfo
from skyjo_server.tournaments.values import Format, Outcome, Scoring, Sequential, Shape
from tests.server.service.cups import cup, let_time_pass, play_all, run, run_with, schedule, turn
from tests.server.service.people import Player, organiser, register

BOARDS = Shape(format=Format.ROUND_ROBIN, duplicate=True, scoring=Scoring.POINTS)


def faults(service: Service, event: TournamentInfo, folder: Path) -> list[str]:
    """What is said against the archive of an event."""
    file = folder / "event.zip"
    file.write_bytes(b"".join(service.arena.export(event.id)))
    with Archive(file) as archive:
        return list(archive_faults(archive, lambda: None))


def outcomes(service: Service, event: TournamentInfo) -> set[Outcome]:
    return {table.outcome for table in schedule(service, event.id)}


def begun(service: Service, shape: Shape, players: tuple[Player, ...], *house: str) -> TournamentInfo:
    """An event with bots in it, its first games dealt."""
    host = organiser(service)
    event = cup(service, host, shape, *house, late_entry=shape.format is Format.SWISS)
    for player in players:
        service.arena.enter(player.caller, event.id)
    service.arena.start_tournament(host, event.id)
    turn(service)
    return event


def test_an_event_in_which_a_bot_never_appears(service: Service, conninfo: str, tmp_path: Path) -> None:
    ada, bob, gone = register(service, "Ada", "Bob", "Gone")
    event = begun(service, Shape(format=Format.ROUND_ROBIN, boards=4, tables_at_once=4), (ada, bob, gone), "random")
    run_with(service, event.id, (ada, bob), lambda: let_time_pass(conninfo, service))
    assert outcomes(service, event) >= {Outcome.FINISHED, Outcome.CANCELLED}
    assert faults(service, event, tmp_path) == []


def test_an_event_in_which_nobody_ever_acts(service: Service, conninfo: str, tmp_path: Path) -> None:
    event = begun(service, BOARDS, register(service, "Ada", "Bob"))
    run_with(service, event.id, (), lambda: let_time_pass(conninfo, service))
    assert Outcome.VOID in outcomes(service, event)
    assert faults(service, event, tmp_path) == []


def test_an_event_in_which_a_game_was_declared_void(service: Service, tmp_path: Path) -> None:
    players, host = register(service, "Ada", "Bob", "Cid", "Dan"), organiser(service)
    event = cup(service, host, BOARDS)
    for player in players:
        service.arena.enter(player.caller, event.id)
    service.arena.start_tournament(host, event.id)
    turn(service)
    play_all(service, players)
    service.arena.void_table(host, event.id, 0, 0)
    run_with(service, event.id, players)
    assert outcomes(service, event) == {Outcome.FINISHED, Outcome.VOID}
    assert faults(service, event, tmp_path) == []


def test_a_swiss_that_one_leaves_and_another_joins_while_it_goes_on(service: Service, tmp_path: Path) -> None:
    ada, bob, late = register(service, "Ada", "Bob", "Late")
    shape = Shape(format=Format.SWISS, rounds=3, duplicate=True)
    event = begun(service, shape, (ada, bob), "random", "threshold", "random", "threshold")
    service.arena.enter(late.caller, event.id)
    assert faults(service, event, tmp_path) == [], "it goes on, and its seed is secret"
    play_all(service, (ada, bob))
    service.arena.withdraw(ada.caller, event.id)
    run_with(service, event.id, (ada, bob, late))
    assert faults(service, event, tmp_path) == []
    late_number = next(e.number for e in service.arena.entries(event.id, 10, None).items if e.name == "Late")
    rounds = {table.round for table in schedule(service, event.id) if late_number in {s.entry for s in table.seats}}
    assert rounds
    assert 0 not in rounds


def test_an_event_that_was_called_off(service: Service, tmp_path: Path) -> None:
    players = register(service, "Ada", "Bob", "Cid")
    event = begun(service, Shape(format=Format.ROUND_ROBIN, boards=2, tables_at_once=4), players)
    while play_all(service, [players[seat.entry] for seat in schedule(service, event.id)[0].seats]):
        pass  # their games end; those of the second pair do not, and those of the third have not begun
    stop(service, event.id)
    run(service, event.id)
    assert outcomes(service, event) == {Outcome.FINISHED, Outcome.ABORTED, Outcome.CANCELLED}
    assert faults(service, event, tmp_path) == []


def test_a_match_that_its_test_ended(service: Service, tmp_path: Path) -> None:
    test = Sequential(low=0, high=200)
    shape = Shape(format=Format.ROUND_ROBIN, boards=200, entries_max=2, tables_at_once=8, sequential=test)
    event = begun(service, shape, (), "threshold", "random")
    run(service, event.id)
    assert Outcome.CANCELLED in outcomes(service, event)
    assert faults(service, event, tmp_path) == []


def test_the_seeds_of_events_are_counted_and_one_never_revealed_is_seen(service: Service, conninfo: str) -> None:
    cup(service, organiser(service), BOARDS)
    over = begun(service, BOARDS, (), "threshold", "random")
    run(service, over.id)
    counted = service.storage.games.commitments()
    assert (counted.tournaments, counted.tournaments_pending, counted.tournaments_revealed) == (2, 1, 1)
    assert counted.tournaments_never_revealed == 0
    with psycopg.connect(conninfo) as connection:
        connection.execute("UPDATE tournaments SET revealed = false WHERE tournament_id = %s", (over.id,))
    assert service.storage.games.commitments().tournaments_never_revealed == 1


def stop(service: Service, event_id: UUID) -> None:
    """Call an event off, as an administrator may."""
    admin = service.arena.authenticate(service.arena.grant_token(Scope.ADMIN).secret)
    service.arena.abort_tournament(admin, event_id)
