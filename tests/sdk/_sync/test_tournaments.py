# Written by client_sdk/generate_sync.py from tests/sdk/_async/test_tournaments.py.
"""Every method on tournaments: the one request that it makes, and what its answer is read into."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from zipfile import ZipFile

import pytest

from skyjo import RuleSet
from skyjo_client import (
    AlreadyEntered,
    EntryClosed,
    EntryLimit,
    EntryStatus,
    Forbidden,
    InvalidRequest,
    NotFound,
    OnTimeout,
    Scoring,
    SequentialTest,
    SequentialUnit,
    TableNotPlaying,
    TableOutcome,
    TooFewEntries,
    TournamentFormat,
    TournamentNotStarted,
    TournamentOptions,
    TournamentOver,
    TournamentStatus,
)
from skyjo_server.app import Service
from skyjo_server.service.model import Scope
from tests.sdk.worlds import SHORT, World

LEAGUE = TournamentOptions(name="League", format=TournamentFormat.ROUND_ROBIN, rules=SHORT)
AT = datetime(2999, 1, 2, 3, 4, 5, tzinfo=UTC)
EVERY_OPTION = TournamentOptions(
    name="Every option",
    format=TournamentFormat.SWISS,
    table_size=3,
    boards=6,
    rounds=4,
    scoring=Scoring.POINTS,
    entries_max=40,
    entries_per_owner=2,
    tables_at_once=9,
    rules=RuleSet.preset("french"),
    move_seconds=2.5,
    bank_seconds=30.0,
    on_timeout=OnTimeout.FORFEIT,
    max_timeouts=5,
    house=("greedy", "greedy", "random"),
    filler="threshold",
    start_at=AT,
    start_when_full=True,
    closes_at=AT,
    late_entry=True,
)
MATCH = TournamentOptions(
    name="Match",
    format=TournamentFormat.ROUND_ROBIN,
    boards=100,
    entries_max=2,
    sequential=SequentialTest(low=-1.0, high=2.5, unit=SequentialUnit.POINTS, alpha=0.01, beta=0.1),
)


@pytest.fixture
def organiser(service: Service) -> str:
    """The token of somebody who may set up events."""
    return service.arena.grant_token(Scope.ORGANISER).secret


def of_house(**options: object) -> TournamentOptions:
    """An event of house bots alone, on duplicate boards."""
    wanted = {"name": "House", "format": TournamentFormat.ROUND_ROBIN, "duplicate": True, "rules": SHORT}
    return TournamentOptions(**{**wanted, "house": ("random", "greedy", "threshold"), **options})  # type: ignore[arg-type]  # each test names what it needs


@pytest.mark.parametrize("options", [LEAGUE, EVERY_OPTION, MATCH], ids=lambda options: options.name)
def test_a_tournament_is_what_it_was_asked_to_be(real_world: World, organiser: str, options: TournamentOptions) -> None:
    with real_world.client(organiser) as client:
        made = client.tournaments.create(options, key="the-key-of-this-cup")
        assert client.tournaments.create(options, key="the-key-of-this-cup") == made
        assert client.tournaments.get(made.id) == made
        assert list(client.tournaments.list(status=TournamentStatus.ENTRY)) == [made]
    assert made.options == options
    assert (made.status, made.entries, made.seed) == (TournamentStatus.ENTRY, len(options.house), None)
    assert len(bytes.fromhex(made.commitment)) == 32


def test_an_option_that_cannot_be_is_named(real_world: World, organiser: str) -> None:
    _, token = real_world.bot()
    with real_world.client(organiser) as client:
        with pytest.raises(InvalidRequest) as caught:
            client.tournaments.create(TournamentOptions(name="Cup", format=TournamentFormat.SWISS, boards=3))
        with pytest.raises(NotFound):
            client.tournaments.get("00000000-0000-0000-0000-0000000fffff")
    assert [place for place, _ in caught.value.errors] == ["/boards"]
    with real_world.client(token) as bot:
        with pytest.raises(Forbidden):
            bot.tournaments.create(LEAGUE)


def test_bots_enter_once_and_leave_for_good(real_world: World, organiser: str) -> None:
    bot, token = real_world.bot()
    with real_world.client(organiser) as host, real_world.client(token) as client:
        cup = host.tournaments.create(LEAGUE)
        entry = client.tournaments.enter(cup.id)
        assert client.tournaments.enter(cup.id, bot=bot) == entry
        assert (entry.number, entry.bot, entry.house, entry.status) == (0, bot, None, EntryStatus.ACTIVE)
        other = client.bots.register("second-bot")
        with real_world.client(other.token.token) as second:
            with pytest.raises(EntryLimit):
                second.tournaments.enter(cup.id)
        with pytest.raises(TooFewEntries):
            host.tournaments.start(cup.id)
        assert (client.tournaments.withdraw(cup.id)).status is EntryStatus.WITHDRAWN
        assert [found.status for found in host.tournaments.entries(cup.id)] == [EntryStatus.WITHDRAWN]
        client.tournaments.enter(cup.id)
        thrown = host.tournaments.disqualify(cup.id, 0, "it is mine")
        assert (thrown.status, thrown.reason) == (EntryStatus.DISQUALIFIED, "it is mine")
        with pytest.raises(AlreadyEntered):
            client.tournaments.enter(cup.id)


def test_an_event_is_steered_by_its_organiser(real_world: World, organiser: str) -> None:
    _, token = real_world.bot()
    with real_world.client(organiser) as client, real_world.client(token) as late:
        cup = client.tournaments.create(of_house())
        with pytest.raises(TournamentNotStarted):
            client.tournaments.pause(cup.id)
        begun = client.tournaments.start(cup.id)
        assert (begun.status, client.tournaments.start(cup.id)) == (TournamentStatus.RUNNING, begun)
        assert begun.boards_commitment is not None
        with pytest.raises(EntryClosed):
            late.tournaments.enter(cup.id)
        assert (client.tournaments.pause(cup.id)).status is TournamentStatus.PAUSED
        assert (client.tournaments.resume(cup.id)).status is TournamentStatus.RUNNING
        assert (client.tournaments.abort(cup.id)).status is TournamentStatus.ABORTED
        assert (client.tournaments.abort(cup.id)).status is TournamentStatus.ABORTED
        with pytest.raises(TournamentOver):
            client.tournaments.start(cup.id)


def test_an_event_is_followed_to_its_end_and_taken_home(real_world: World, organiser: str, service: Service) -> None:
    service.arena.runner.start()
    service.arena.sweeper.start()
    with real_world.client(organiser) as client:
        cup = client.tournaments.create(of_house(filler="random"))
        client.tournaments.start(cup.id)
        events = list(client.tournaments.follow(cup.id))
        over = client.tournaments.get(cup.id)
        assert [event.version for event in events] == list(range(over.version + 1))
        assert (events[-1].kind, over.status, over.entries) == ("finished", TournamentStatus.FINISHED, 4)
        assert events[-1].data["seed"] == over.seed
        rest = client.tournaments.events(cup.id, after=over.version - 2, limit=1)
        assert rest.events == (events[-2],)
        tables = list(client.tournaments.tables(cup.id, limit=5))
        rows = list(client.tournaments.standings(cup.id, limit=3))
        first = client.tournaments.tables(cup.id, round_number=0, entry=0, outcome=TableOutcome.FINISHED)
        crosstable = client.tournaments.crosstable(cup.id)
        with ZipFile(io.BytesIO(client.tournaments.export(cup.id))) as archive:
            assert len([name for name in archive.namelist() if name.startswith("games/")]) == len(tables)
        with pytest.raises(TableNotPlaying):
            client.tournaments.void_table(cup.id, 0, 0)
        leaders = list(client.leaderboard(limit=2))
    assert len(tables) == over.progress.tables_over == 12
    assert list(first.items) == [t for t in tables if t.round == 0 and 0 in {seat.entry for seat in t.seats}]
    assert [row.rank for row in rows] == [1, 2, 3, 4]
    assert all((row.tables, row.causes.finished, sum(row.seats)) == (6, 6, 6) for row in rows)
    assert [row.entry for row in crosstable.entries] == [row.entry for row in rows]
    assert [[cell is None for cell in cells] for cells in crosstable.cells] == [
        [row == column for column in range(4)] for row in range(4)
    ]
    assert {row.house for row in leaders} == {"random", "greedy", "threshold"}
