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
async def test_a_tournament_is_what_it_was_asked_to_be(
    real_world: World, organiser: str, options: TournamentOptions
) -> None:
    async with real_world.client_async(organiser) as client:
        made = await client.tournaments.create(options, key="the-key-of-this-cup")
        assert await client.tournaments.create(options, key="the-key-of-this-cup") == made
        assert await client.tournaments.get(made.id) == made
        assert [found async for found in await client.tournaments.list(status=TournamentStatus.ENTRY)] == [made]
    assert made.options == options
    assert (made.status, made.entries, made.seed) == (TournamentStatus.ENTRY, len(options.house), None)
    assert len(bytes.fromhex(made.commitment)) == 32


async def test_an_option_that_cannot_be_is_named(real_world: World, organiser: str) -> None:
    _, token = real_world.bot()
    async with real_world.client_async(organiser) as client:
        with pytest.raises(InvalidRequest) as caught:
            await client.tournaments.create(TournamentOptions(name="Cup", format=TournamentFormat.SWISS, boards=3))
        with pytest.raises(NotFound):
            await client.tournaments.get("00000000-0000-0000-0000-0000000fffff")
    assert [place for place, _ in caught.value.errors] == ["/boards"]
    async with real_world.client_async(token) as bot:
        with pytest.raises(Forbidden):
            await bot.tournaments.create(LEAGUE)


async def test_bots_enter_once_and_leave_for_good(real_world: World, organiser: str) -> None:
    bot, token = real_world.bot()
    async with real_world.client_async(organiser) as host, real_world.client_async(token) as client:
        cup = await host.tournaments.create(LEAGUE)
        entry = await client.tournaments.enter(cup.id)
        assert await client.tournaments.enter(cup.id, bot=bot) == entry
        assert (entry.number, entry.bot, entry.house, entry.status) == (0, bot, None, EntryStatus.ACTIVE)
        other = await client.bots.register("second-bot")
        async with real_world.client_async(other.token.token) as second:
            with pytest.raises(EntryLimit):
                await second.tournaments.enter(cup.id)
        with pytest.raises(TooFewEntries):
            await host.tournaments.start(cup.id)
        assert (await client.tournaments.withdraw(cup.id)).status is EntryStatus.WITHDRAWN
        assert [found.status async for found in await host.tournaments.entries(cup.id)] == [EntryStatus.WITHDRAWN]
        await client.tournaments.enter(cup.id)
        thrown = await host.tournaments.disqualify(cup.id, 0, "it is mine")
        assert (thrown.status, thrown.reason) == (EntryStatus.DISQUALIFIED, "it is mine")
        with pytest.raises(AlreadyEntered):
            await client.tournaments.enter(cup.id)


async def test_an_event_is_steered_by_its_organiser(real_world: World, organiser: str) -> None:
    _, token = real_world.bot()
    async with real_world.client_async(organiser) as client, real_world.client_async(token) as late:
        cup = await client.tournaments.create(of_house())
        with pytest.raises(TournamentNotStarted):
            await client.tournaments.pause(cup.id)
        begun = await client.tournaments.start(cup.id)
        assert (begun.status, await client.tournaments.start(cup.id)) == (TournamentStatus.RUNNING, begun)
        assert begun.boards_commitment is not None
        with pytest.raises(EntryClosed):
            await late.tournaments.enter(cup.id)
        assert (await client.tournaments.pause(cup.id)).status is TournamentStatus.PAUSED
        assert (await client.tournaments.resume(cup.id)).status is TournamentStatus.RUNNING
        assert (await client.tournaments.abort(cup.id)).status is TournamentStatus.ABORTED
        assert (await client.tournaments.abort(cup.id)).status is TournamentStatus.ABORTED
        with pytest.raises(TournamentOver):
            await client.tournaments.start(cup.id)


async def test_an_event_is_followed_to_its_end_and_taken_home(
    real_world: World, organiser: str, service: Service
) -> None:
    service.arena.runner.start()
    service.arena.sweeper.start()
    async with real_world.client_async(organiser) as client:
        cup = await client.tournaments.create(of_house(filler="random"))
        await client.tournaments.start(cup.id)
        events = [event async for event in client.tournaments.follow(cup.id)]
        over = await client.tournaments.get(cup.id)
        assert [event.version for event in events] == list(range(over.version + 1))
        assert (events[-1].kind, over.status, over.entries) == ("finished", TournamentStatus.FINISHED, 4)
        assert events[-1].data["seed"] == over.seed
        rest = await client.tournaments.events(cup.id, after=over.version - 2, limit=1)
        assert rest.events == (events[-2],)
        tables = [table async for table in await client.tournaments.tables(cup.id, limit=5)]
        rows = [row async for row in await client.tournaments.standings(cup.id, limit=3)]
        first = await client.tournaments.tables(cup.id, round_number=0, entry=0, outcome=TableOutcome.FINISHED)
        crosstable = await client.tournaments.crosstable(cup.id)
        with ZipFile(io.BytesIO(await client.tournaments.export(cup.id))) as archive:
            assert len([name for name in archive.namelist() if name.startswith("games/")]) == len(tables)
        with pytest.raises(TableNotPlaying):
            await client.tournaments.void_table(cup.id, 0, 0)
        leaders = [row async for row in await client.leaderboard(limit=2)]
    assert len(tables) == over.progress.tables_over == 12
    assert list(first.items) == [t for t in tables if t.round == 0 and 0 in {seat.entry for seat in t.seats}]
    assert [row.rank for row in rows] == [1, 2, 3, 4]
    assert all((row.tables, row.causes.finished, sum(row.seats)) == (6, 6, 6) for row in rows)
    assert [row.entry for row in crosstable.entries] == [row.entry for row in rows]
    assert [[cell is None for cell in cells] for cells in crosstable.cells] == [
        [row == column for column in range(4)] for row in range(4)
    ]
    assert {row.house for row in leaders} == {"random", "greedy", "threshold"}
