"""What the tables say of events is derived again from their logs and games, and mended: of real ones."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

import psycopg
import pytest

from skyjo_server.app import Service, open_service
from skyjo_server.postgres import EmbeddedPostgres
from skyjo_server.service.model import Caller
from skyjo_server.service.tournament_model import TournamentStatus
from skyjo_server.settings import Settings
from skyjo_server.storage.rebuilding import Difference
from skyjo_server.tournaments.values import Format, Outcome, Sequential, Shape
from tests.database import PEPPER, new_database
from tests.server.service.cups import cup, run, run_with, schedule, turn
from tests.server.service.people import organiser, register

ON_BOARDS = Shape(format=Format.ROUND_ROBIN, boards=2, duplicate=True, tables_at_once=3)
TESTED = Shape(
    format=Format.ROUND_ROBIN, boards=60, entries_max=2, tables_at_once=8, sequential=Sequential(low=0, high=300)
)
SWISS = Shape(format=Format.SWISS, duplicate=True, rounds=2)
LADDER = Shape(format=Format.LADDER, rounds=4)

Events = dict[str, UUID]


@pytest.fixture(scope="module")
def database(postgres: EmbeddedPostgres, template: str) -> Iterator[str]:
    with new_database(postgres, template) as made:
        yield made


@pytest.fixture(scope="module")
def service(database: str) -> Iterator[Service]:
    opened = open_service(Settings(pepper=PEPPER, workers=1, threads=64, waiters=32, followers=8), database)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def events(service: Service) -> Events:
    """One of each kind, most of them over."""
    host = organiser(service)
    house = ("threshold", "random", "threshold", "random")
    shapes = {"ladder": LADDER, "knockout": Shape(format=Format.KNOCKOUT, duplicate=True)}
    over = {name: _played(service, host, shape, house) for name, shape in shapes.items()}
    tested = _played(service, host, TESTED, ("threshold", "random"))
    aborted = cup(service, host, ON_BOARDS, *house)
    service.arena.start_tournament(host, aborted.id)
    service.arena.runner.step(aborted.id)
    service.arena.abort_tournament(host, aborted.id)
    run(service, aborted.id)
    waiting = cup(service, host, SWISS, "random")
    return {
        "boards": _with_bots(service, host),
        "swiss": _late(service, host),
        **over,
        "tested": tested,
        "aborted": aborted.id,
        "waiting": waiting.id,
    }


def _played(service: Service, host: Caller, shape: Shape, house: tuple[str, ...]) -> UUID:
    event = cup(service, host, shape, *house)
    service.arena.start_tournament(host, event.id)
    assert run(service, event.id).status is TournamentStatus.FINISHED
    return event.id


def _with_bots(service: Service, host: Caller) -> UUID:
    """Boards, of which one table is void and played again, one bot leaves before the beginning and one amidst it."""
    *players, early = register(service, "Ada", "Bob", "Cid", "Dan")
    event = cup(service, host, ON_BOARDS)
    for player in (*players, early):
        service.arena.enter(player.caller, event.id)
    service.arena.withdraw(early.caller, event.id)
    service.arena.start_tournament(host, event.id)
    turn(service)
    for player in players:
        for seen in service.arena.pending(player.caller, 0, 10):
            service.arena.play(player.caller, UUID(seen.game), seen.version, seen.legal_actions[0], None)
    playing = next(table for table in schedule(service, event.id) if table.outcome is Outcome.PLAYING)
    service.arena.void_table(host, event.id, playing.round, playing.table)
    service.arena.withdraw(players[2].caller, event.id)
    assert run_with(service, event.id, players).status is TournamentStatus.FINISHED
    outcomes = {table.outcome for table in schedule(service, event.id)}
    assert outcomes == {Outcome.FINISHED, Outcome.VOID, Outcome.CANCELLED}
    return event.id


def _late(service: Service, host: Caller) -> UUID:
    """Rounds that are paired one by one, with a bye and one who comes late and is thrown out."""
    (late,) = register(service, "Late")
    event = cup(service, host, SWISS, "threshold", "random", "threshold", late_entry=True)
    service.arena.start_tournament(host, event.id)
    turn(service)
    service.arena.pause_tournament(host, event.id)
    service.arena.enter(late.caller, event.id)
    service.arena.disqualify(host, event.id, 3, "plays by telepathy")
    service.arena.resume_tournament(host, event.id)
    assert run(service, event.id).status is TournamentStatus.FINISHED
    return event.id


def differences(service: Service, *, write: bool = False) -> list[Difference]:
    return list(service.storage.tournament_rebuilder(write=write).differences())


def test_nothing_differs_in_events_of_all_kinds(service: Service, events: Events) -> None:
    rebuilder = service.storage.tournament_rebuilder(write=False)
    assert [*map(str, rebuilder.differences())] == []
    assert rebuilder.tournaments == len(events)


FIRST_TABLE = "(round, number, attempt) = (0, 0, 0)"
DAMAGE = {
    "tournament_tables 0 0 0 totals": "UPDATE tournament_tables SET totals[1] = 99 WHERE {0} AND {2}",
    "tournament_standings 0 tally": """
        UPDATE tournament_standings SET tally = jsonb_set(tally, '{{wins}}', '77') WHERE {0} AND entry = 0
    """,
    "tournament_standings 0 place": "UPDATE tournament_standings SET place = 9 WHERE {0} AND entry = 0",
    "tournament_pairs 0 1 halves": "UPDATE tournament_pairs SET halves = 99 WHERE {0} AND (entry, other) = (0, 1)",
    "tournaments tables_over": "UPDATE tournaments SET tables_over = tables_over + 1 WHERE {0}",
}
OF_BOARDS = {
    "tournament_entries 0 status": "UPDATE tournament_entries SET status = 'disqualified' WHERE {0} AND entry = 0",
    "tournament_entries 0 absences": "UPDATE tournament_entries SET absences = 2 WHERE {0} AND entry = 0",
    "tournament_entries 1 tables": "UPDATE tournament_entries SET tables = tables + 1 WHERE {0} AND entry = 1",
    "tournament_entries 2": "DELETE FROM tournament_entries WHERE {0} AND entry = 2",
    "tournament_tables 0 0 0 outcome": "UPDATE tournament_tables SET outcome = 'aborted' WHERE {0} AND {2}",
    "tournament_tables 0 0 0 scored": "UPDATE tournament_tables SET scored = false WHERE {0} AND {2}",
    "tournament_tables 0 0 0": "DELETE FROM tournament_tables WHERE {0} AND {2}",
    "tournament_seats 0 7 7 0": "INSERT INTO tournament_seats VALUES ({1}, 0, 7, 7, 0)",
    "tournament_board_owners 0 ": """
        UPDATE tournament_board_owners SET number = 77
        WHERE ctid = (SELECT min(ctid) FROM tournament_board_owners WHERE {0})
    """,
    "tournament_standings 1": "DELETE FROM tournament_standings WHERE {0} AND entry = 1",
    "tournament_pairs 0 1": "DELETE FROM tournament_pairs WHERE {0} AND (entry, other) = (0, 1)",
    "tournaments status": "UPDATE tournaments SET status = 'paused' WHERE {0}",
    "tournaments version": "UPDATE tournaments SET version = version - 1 WHERE {0}",
    "tournaments finished_at": "UPDATE tournaments SET finished_at = now() WHERE {0}",
    "tournaments revealed": "UPDATE tournaments SET revealed = false WHERE {0}",
    "tournaments boards_commitment": "UPDATE tournaments SET boards_commitment = NULL WHERE {0}",
}
OF_A_TEST = {"tournaments verdict": "UPDATE tournaments SET verdict = NULL WHERE {0}"}
CASES = {"boards": DAMAGE | OF_BOARDS, "ladder": DAMAGE, "tested": OF_A_TEST}


@pytest.mark.parametrize("name", CASES)
def test_what_was_changed_in_a_table_is_told_with_its_event_and_mended(
    service: Service, events: Events, database: str, name: str
) -> None:
    event = f"'{events[name]}'"
    for what, damage in CASES[name].items():
        with psycopg.connect(database) as connection:
            assert connection.execute(damage.format(f"tournament_id = {event}", event, FIRST_TABLE)).rowcount
        (told,) = differences(service, write=True)  # so what was changed before has been mended
        assert (told.id, told.mended) == (events[name], True)
        assert told.what.startswith(what)
    assert differences(service) == []
    turn(service)  # the ranking is made anew
    assert [*map(str, differences(service))] == []


def test_what_is_not_to_be_mended_stays_as_it_is(service: Service, events: Events, database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("UPDATE tournaments SET rounds = 77 WHERE tournament_id = %s", (events["swiss"],))
        found = differences(service)
        assert [*map(str, found)] == ["tournaments rounds: found 77, but the log gives 2"]
        assert differences(service) == found
        connection.execute("UPDATE tournaments SET rounds = 2 WHERE tournament_id = %s", (events["swiss"],))
    assert differences(service) == []


def test_a_log_that_is_damaged_itself_is_told_and_left_alone(service: Service, events: Events, database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        move = "UPDATE tournament_events SET version = %s WHERE tournament_id = %s AND version = %s"
        connection.execute(move, (999, events["swiss"], 3))
        (told,) = differences(service, write=True)
        assert (told.id, told.what, told.mended) == (events["swiss"], "log", False)
        connection.execute(move, (3, events["swiss"], 999))
    assert differences(service) == []


def test_nothing_differs_once_the_games_have_become_transcripts(service: Service, events: Events) -> None:
    while service.storage.archive.compact(64, 0):
        pass
    assert service.arena.tournament(events["boards"]).status is TournamentStatus.FINISHED
    assert [*map(str, differences(service))] == []
