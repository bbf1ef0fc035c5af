"""Who may enter an event and when, who steers it, how it begins by itself, and what leaving does."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from skyjo import RuleSet
from skyjo_server.app import Service
from skyjo_server.service.errors import (
    AlreadyEntered,
    EntryClosed,
    EntryLimit,
    Forbidden,
    InvalidRequest,
    KeyReused,
    NotFound,
    RulesInvalid,
    TableNotPlaying,
    TooFewEntries,
    TournamentNotStarted,
    TournamentOver,
)
from skyjo_server.service.model import Caller, ClockRules, Scope
from skyjo_server.service.tournament_model import EntryStatus, NewTournament, TournamentStatus
from skyjo_server.tournaments.values import Format, Outcome, Sequential, Shape
from tests.server.service.cups import SHORT, cup, log, run, schedule, turn
from tests.server.service.people import organiser, register

ROBIN = Shape(format=Format.ROUND_ROBIN, boards=1)
SWISS = Shape(format=Format.SWISS, rounds=2)
LADDER = Shape(format=Format.LADDER)
PAST = datetime(2020, 1, 1, tzinfo=UTC)


def test_a_bot_enters_once_however_often_it_asks(service: Service) -> None:
    (ada,) = register(service, "Ada")
    event = cup(service, organiser(service), ROBIN)
    first = service.arena.enter(ada.caller, event.id)
    assert service.arena.enter(ada.caller, event.id, ada.bot_id) == first
    assert (first.number, first.bot_id, first.name, first.status) == (0, ada.bot_id, "Ada", EntryStatus.ACTIVE)
    assert service.arena.tournament(event.id).entries == 1
    assert [told.kind for told in log(service, event.id)] == ["created", "entered"]


def test_a_bot_of_somebody_else_cannot_be_entered(service: Service) -> None:
    ada, bob = register(service, "Ada", "Bob")
    event = cup(service, organiser(service), ROBIN)
    with pytest.raises(NotFound):
        service.arena.enter(ada.caller, event.id, bob.bot_id)
    with pytest.raises(NotFound):
        service.arena.enter(ada.caller, uuid4())
    with pytest.raises(InvalidRequest):
        service.arena.enter(organiser(service), event.id)


def test_an_event_takes_so_many_entries_and_so_many_of_an_owner(service: Service) -> None:
    ada, bob = register(service, "Ada", "Bob")
    second = service.arena.register("Ada II", ada.caller).bot.id
    owner = service.arena.authenticate(service.arena.issue_token(ada.caller, Scope.BOT, second).secret)
    event = cup(service, organiser(service), Shape(format=Format.ROUND_ROBIN, entries_max=2), "random")
    service.arena.enter(ada.caller, event.id)
    with pytest.raises(EntryClosed, match="2 places"):
        service.arena.enter(bob.caller, event.id)
    roomy = cup(service, organiser(service), ROBIN)
    service.arena.enter(ada.caller, roomy.id)
    with pytest.raises(EntryLimit, match="1 bot here"):
        service.arena.enter(owner, roomy.id)


def test_who_has_left_before_the_beginning_may_come_back_and_who_was_thrown_out_may_not(service: Service) -> None:
    (ada,) = register(service, "Ada")
    host = organiser(service)
    event = cup(service, host, ROBIN)
    service.arena.enter(ada.caller, event.id)
    assert service.arena.withdraw(ada.caller, event.id).status is EntryStatus.WITHDRAWN
    assert service.arena.withdraw(ada.caller, event.id).reason == "withdrawn"
    assert service.arena.enter(ada.caller, event.id).status is EntryStatus.ACTIVE
    out = service.arena.disqualify(host, event.id, 0, "plays by telepathy")
    assert (out.status, out.reason) == (EntryStatus.DISQUALIFIED, "plays by telepathy")
    with pytest.raises(AlreadyEntered):
        service.arena.enter(ada.caller, event.id)
    with pytest.raises(NotFound):
        service.arena.disqualify(host, event.id, 1, "is not there")


def test_entry_ends_with_the_beginning_and_with_its_time_but_not_on_a_ladder_nor_where_late_ones_are_let_in(
    service: Service,
) -> None:
    (ada,) = register(service, "Ada")
    host = organiser(service)
    closed = cup(service, host, ROBIN, closes_at=PAST)
    begun, late, ladder = (
        cup(service, host, shape, "random", "random", late_entry=shape is SWISS) for shape in (ROBIN, SWISS, LADDER)
    )
    for event in (begun, late, ladder):
        service.arena.start_tournament(host, event.id)
        service.arena.runner.step(event.id)
    for event in (closed, begun):
        with pytest.raises(EntryClosed):
            service.arena.enter(ada.caller, event.id)
    assert service.arena.enter(ada.caller, late.id).since_round == 1
    assert service.arena.enter(ada.caller, ladder.id).since_round == 0
    service.arena.abort_tournament(host, ladder.id)
    with pytest.raises(TournamentOver):
        service.arena.enter(register(service, "Bob")[0].caller, ladder.id)


def test_an_event_begins_by_itself_when_it_is_full_and_when_its_time_has_come(service: Service) -> None:
    ada, bob = register(service, "Ada", "Bob")
    host = organiser(service)
    full = cup(service, host, Shape(format=Format.ROUND_ROBIN, entries_max=2), start_when_full=True)
    service.arena.enter(ada.caller, full.id)
    assert service.arena.tournament(full.id).status is TournamentStatus.ENTRY
    service.arena.enter(bob.caller, full.id)
    timed = cup(service, host, ROBIN, "random", "random", start_at=PAST)
    later = cup(service, host, ROBIN, "random", "random", start_at=datetime.now(UTC) + timedelta(days=1))
    deserted = cup(service, host, ROBIN, "random", start_at=PAST)
    turn(service)
    assert service.arena.tournament(full.id).progress.tables_playing == 2
    assert run(service, timed.id).status is TournamentStatus.FINISHED
    assert service.arena.tournament(later.id).status is TournamentStatus.ENTRY
    assert run(service, deserted.id).status is TournamentStatus.ABORTED


def test_house_bots_fill_up_what_the_numbers_lack(service: Service) -> None:
    host = organiser(service)
    event = cup(service, host, Shape(format=Format.SWISS, rounds=1), "random", "threshold", "random", filler="random")
    service.arena.start_tournament(host, event.id)
    run(service, event.id)
    assert [entry.name for entry in service.arena.entries(event.id, 10, None).items][-1] == "random 3"
    assert not any(told.data["byes"] for told in log(service, event.id) if told.kind == "paired")


def test_too_few_cannot_begin(service: Service) -> None:
    host = organiser(service)
    event = cup(service, host, ROBIN, "random")
    with pytest.raises(TooFewEntries, match="needs 2"):
        service.arena.start_tournament(host, event.id)


def test_only_an_organiser_makes_events_and_only_its_own_and_an_admin_steer_one(service: Service) -> None:
    (ada,) = register(service, "Ada")
    host, other = organiser(service), organiser(service)
    admin = service.arena.authenticate(service.arena.grant_token(Scope.ADMIN).secret)
    with pytest.raises(Forbidden):
        cup(service, ada.caller, ROBIN)
    event = cup(service, host, ROBIN, "random", "random")
    for steer in steering(service, event.id):
        with pytest.raises(Forbidden):
            steer(ada.caller)
        with pytest.raises(NotFound):
            steer(other)
    assert service.arena.start_tournament(admin, event.id).status is TournamentStatus.RUNNING


def steering(service: Service, event_id: object) -> list[Callable[[Caller], object]]:
    arena = service.arena
    return [
        lambda caller: arena.start_tournament(caller, event_id),  # type: ignore[arg-type]  # an id, whatever it is
        lambda caller: arena.pause_tournament(caller, event_id),  # type: ignore[arg-type]  # as above
        lambda caller: arena.resume_tournament(caller, event_id),  # type: ignore[arg-type]  # as above
        lambda caller: arena.abort_tournament(caller, event_id),  # type: ignore[arg-type]  # as above
        lambda caller: arena.disqualify(caller, event_id, 0, ""),  # type: ignore[arg-type]  # as above
        lambda caller: arena.void_table(caller, event_id, 0, 0),  # type: ignore[arg-type]  # as above
    ]


def test_steering_is_harmless_twice_and_refused_where_it_has_no_sense(service: Service) -> None:
    host = organiser(service)
    event = cup(service, host, ROBIN, "random", "random")
    for too_early in (service.arena.pause_tournament, service.arena.resume_tournament):
        with pytest.raises(TournamentNotStarted):
            too_early(host, event.id)
    for _ in range(2):
        assert service.arena.start_tournament(host, event.id).status is TournamentStatus.RUNNING
    for _ in range(2):
        assert service.arena.pause_tournament(host, event.id).status is TournamentStatus.PAUSED
    turn(service)
    assert {table.outcome for table in schedule(service, event.id)} == {Outcome.SCHEDULED}
    for _ in range(2):
        assert service.arena.resume_tournament(host, event.id).status is TournamentStatus.RUNNING
    run(service, event.id)
    with pytest.raises(TournamentOver):
        service.arena.abort_tournament(host, event.id)
    with pytest.raises(TableNotPlaying, match="finished"):
        service.arena.void_table(host, event.id, 0, 0)
    assert [told.kind for told in log(service, event.id)].count("started") == 1


def test_an_event_that_is_called_off_plays_no_more_and_reveals_its_seed(service: Service) -> None:
    ada, bob = register(service, "Ada", "Bob")
    host = organiser(service)
    event = cup(service, host, Shape(format=Format.ROUND_ROBIN, boards=6, tables_at_once=2, duplicate=True))
    for player in (ada, bob):
        service.arena.enter(player.caller, event.id)
    service.arena.start_tournament(host, event.id)
    turn(service)
    for _ in range(2):
        assert service.arena.abort_tournament(host, event.id).status is TournamentStatus.ABORTED
    assert service.arena.tournament(event.id).seed is None
    over = run(service, event.id)
    assert (over.progress.tables_playing, over.progress.tables_total) == (0, 2)
    outcomes = [table.outcome for table in schedule(service, event.id)]
    assert outcomes == [Outcome.ABORTED] * 2 + [Outcome.CANCELLED] * 4
    assert over.seed is not None
    assert not service.arena.pending(ada.caller, 0, 10)
    for table in schedule(service, event.id)[:2]:
        assert table.game_id is not None
        assert service.arena.transcript(table.game_id).board is not None


def test_a_key_makes_creating_harmless(service: Service) -> None:
    host = organiser(service)
    wanted = NewTournament("Cup", ROBIN, SHORT, house=("random",))
    first = service.arena.create_tournament(host, wanted, "once")
    assert service.arena.create_tournament(host, wanted, "once") == first
    with pytest.raises(KeyReused):
        service.arena.create_tournament(host, NewTournament("Cup", SWISS, SHORT), "once")


@pytest.mark.parametrize(
    "options",
    [
        {"house": ("gandalf",)},
        {"filler": "gandalf"},
        {"start_when_full": True},
        {"clock": ClockRules()},
        {"shape": Shape(format=Format.ROUND_ROBIN, entries_max=2), "house": ("random",) * 3},
        {"shape": Shape(format=Format.ROUND_ROBIN, sequential=Sequential())},
        {"rules": RuleSet(max_turns_per_seat=None)},
    ],
    ids="-".join,
)
def test_options_that_cannot_be_are_refused_with_a_way_out(service: Service, options: dict[str, object]) -> None:
    given = {"name": "Cup", "shape": ROBIN, **options}
    with pytest.raises((InvalidRequest, RulesInvalid)) as refusal:
        service.arena.create_tournament(organiser(service), NewTournament(**given))  # type: ignore[arg-type]  # as above
    assert refusal.value.hint
