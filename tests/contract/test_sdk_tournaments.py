"""The SDK and the service meet on tournaments: every operation has a method, and what it reads is what is described."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
from flask import Flask

from skyjo import RuleSet
from skyjo_client import (
    CauseCounts,
    Client,
    Crosstable,
    CrosstableCell,
    Entry,
    Estimate,
    Interval,
    Leader,
    SequentialTest,
    SequentialVerdict,
    TableOutcome,
    TableSeat,
    Tournament,
    TournamentEvent,
    TournamentEventPage,
    TournamentFormat,
    TournamentOptions,
    TournamentProgress,
    TournamentStanding,
    TournamentTable,
)
from skyjo_server.app import Service
from skyjo_server.service.model import Scope
from tests.contract.checked import Checked
from tests.contract.document import Document
from tests.server.service.cups import run

TAGS = {"tournaments", "entries", "results"}
"""What the document calls the operations on tournaments."""

SHORT = RuleSet(max_rounds=1, max_turns_per_seat=2, score_limit=None)
READ = {
    "Causes": CauseCounts,
    "Crosstable": Crosstable,
    "CrosstableCell": CrosstableCell,
    "Entry": Entry,
    "Estimate": Estimate,
    "Interval": Interval,
    "Leader": Leader,
    "Progress": TournamentProgress,
    "SequentialTest": SequentialTest,
    "SequentialVerdict": SequentialVerdict,
    "Standing": TournamentStanding,
    "TableSeat": TableSeat,
    "TournamentEvent": TournamentEvent,
    "TournamentEventPage": TournamentEventPage,
    "TournamentTable": TournamentTable,
}
"""By component, what it is read into."""


@pytest.fixture
def checked(app: Flask, document: Document) -> Checked:
    """The service, each answer held against the document."""
    return Checked(app, document)


@pytest.fixture
def connect(checked: Checked) -> Callable[[str | None], Client]:
    """Makes clients of it."""

    def client(token: str | None = None) -> Client:
        return Client("http://service.test", token, transport=httpx.WSGITransport(checked))

    return client


def properties(document: Document, component: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = document.described["components"]["schemas"][component]["properties"]
    return found


@pytest.mark.parametrize("component", READ)
def test_an_answer_is_read_whole(document: Document, component: str) -> None:
    assert {field.name for field in fields(READ[component])} == set(properties(document, component))


def test_a_tournament_is_read_whole_its_options_as_a_value_of_their_own(document: Document) -> None:
    own = {field.name for field in fields(Tournament)} - {"options"}
    options = {field.name for field in fields(TournamentOptions)}
    assert own | options | {"preset"} == set(properties(document, "Tournament"))
    assert options | {"preset"} == set(properties(document, "NewTournament"))


def test_every_operation_on_tournaments_has_a_method(
    connect: Callable[..., Client], checked: Checked, document: Document, shared_service: Service
) -> None:
    host = connect(shared_service.arena.grant_token(Scope.ORGANISER).secret)
    bot = connect(host.bots.register(f"ada {uuid4().hex[:12]}").token.token)
    checked.seen.clear()
    options = TournamentOptions(
        name="Cup", format=TournamentFormat.ROUND_ROBIN, rules=SHORT, house=("random", "threshold"), boards=2
    )
    cup = host.tournaments.create(options)
    assert cup in host.tournaments.list().items
    entry = bot.tournaments.enter(cup.id)
    assert bot.tournaments.withdraw(cup.id).number == entry.number
    assert host.tournaments.disqualify(cup.id, entry.number, "late").reason == "late"
    assert len(list(host.tournaments.entries(cup.id))) == 3
    host.tournaments.start(cup.id)
    host.tournaments.pause(cup.id)
    host.tournaments.resume(cup.id)
    run(shared_service, UUID(cup.id))
    assert host.tournaments.get(cup.id).status.is_over
    assert {table.outcome for table in host.tournaments.tables(cup.id)} == {TableOutcome.FINISHED}
    assert len(host.tournaments.standings(cup.id).items) == len(host.tournaments.crosstable(cup.id).entries)
    assert host.tournaments.events(cup.id).events[0].kind == "created"
    assert host.tournaments.export(cup.id)[:2] == b"PK"
    assert host.leaderboard().items
    _void_and_abort(host, bot, shared_service, options)
    called = {operation.operation_id for operation in document.operations() if TAGS.intersection(_tags(operation))}
    assert set(checked.seen) == called


def _void_and_abort(host: Client, bot: Client, service: Service, options: TournamentOptions) -> None:
    """Another event, in which a game waits for a bot, so that it can be stopped."""
    other = host.tournaments.create(options)
    bot.tournaments.enter(other.id)
    host.tournaments.start(other.id)
    service.arena.runner.turn()
    playing = host.tournaments.tables(other.id, outcome=TableOutcome.PLAYING).items[0]
    assert host.tournaments.void_table(other.id, playing.round, playing.table).outcome is TableOutcome.VOID
    assert host.tournaments.abort(other.id).status.is_over


def _tags(operation: Any) -> set[str]:
    return set(operation.described["tags"])
