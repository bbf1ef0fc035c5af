"""The SDK and the service meet: every operation has a method, and every method keeps to the document."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import httpx
import pytest
from flask import Flask

from skyjo import Decision, RuleSet
from skyjo.record import GameRecord
from skyjo.transcript import read_transcript
from skyjo.verify import verify
from skyjo_client import (
    BotSeat,
    Client,
    ForkPoint,
    HouseSeat,
    IllegalAction,
    OpenSeat,
    StaleVersion,
    Submission,
    TableCause,
)
from tests.contract.checked import Checked
from tests.contract.document import Document
from tests.contract.test_sdk_tournaments import TAGS

NOT_FOR_BOTS = {"getHealth", "getReadiness"}
"""Operations for those who run the service."""

SHORT = RuleSet(max_rounds=1, max_turns_per_seat=2, score_limit=None)


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


@pytest.fixture
def ada(connect: Callable[..., Client]) -> Client:
    """A client with the token of a bot."""
    with connect() as client:
        return connect(client.bots.register(f"ada {uuid4().hex[:12]}").token.token)


def look_again(client: Client, game_id: str, record: GameRecord) -> None:
    """Ask everything that can be asked about a game that is over."""
    assert client.games.state(game_id, 0, seat=0).seat == 0
    assert not any(seat.hidden_places for seat in client.games.state(game_id, 0).seats)
    proof = client.games.proof(game_id)
    assert (proof.seed, proof.entropy, proof.result) == (record.seed, record.entropy, record.result)
    assert client.games.analysis(game_id)[0].version == 1
    forked = client.games.fork(game_id, version=2, seats=[HouseSeat("random"), HouseSeat("greedy")])
    assert forked.forked_from == ForkPoint(game_id, 2)
    assert forked.result is not None
    assert forked.result.causes == (TableCause.FINISHED, TableCause.FINISHED)
    commitments = client.games.commitments()
    assert (commitments.games, commitments.never_revealed) == (commitments.pending + commitments.revealed, 0)


def play_out(client: Client, seen: Decision) -> None:
    while seen.legal_actions:
        seen = client.games.play(seen.game, version=seen.version, action=seen.legal_actions[0])


def test_every_operation_has_a_method_and_every_method_an_operation(
    ada: Client, checked: Checked, document: Document
) -> None:
    bot = ada.me().bot
    assert bot is not None
    assert ada.bots.get(bot.id) == bot
    ada.tokens.revoke(ada.tokens.create().id)
    opened = ada.games.create(seats=[OpenSeat(), HouseSeat("random")], rules=SHORT)
    game = ada.games.join(opened.id, entropy=b"\x00\xff").game
    seen = ada.games.view(game.id)
    assert ada.games.legal_actions(game.id).legal_actions == seen.legal_actions
    assert ada.turns.pending() == (seen,)
    answer = ada.turns.submit([Submission.answering(seen, seen.legal_actions[0])])
    assert [result.version for result in answer.results] == [seen.version + 1]
    play_out(ada, ada.games.view(game.id))
    assert [found.id for found in ada.games.list(bot=bot.id).items] == [game.id]
    assert ada.games.get(game.id).status == "finished"
    assert ada.games.events(game.id).version == ada.games.get(game.id).version
    (record,) = read_transcript(ada.games.transcript(game.id))
    verify(record)
    look_again(ada, game.id, record)
    other = ada.games.create(seats=[BotSeat(bot.id), HouseSeat("random")])
    assert ada.games.resign(other.id).seats[0].left
    others = [operation for operation in document.operations() if not TAGS.intersection(operation.described["tags"])]
    assert set(checked.seen) == {operation.operation_id for operation in others} - NOT_FOR_BOTS


def test_a_refused_action_comes_with_what_is_needed_to_go_on(ada: Client) -> None:
    bot = ada.me().bot
    assert bot is not None
    game = ada.games.create(seats=[BotSeat(bot.id), HouseSeat("random")])
    seen = ada.games.view(game.id)
    with pytest.raises(IllegalAction) as illegal:
        ada.games.play(game.id, version=seen.version, action="draw")
    assert illegal.value.legal_actions == seen.legal_actions
    after = ada.games.play(game.id, version=seen.version, action=seen.legal_actions[0])
    with pytest.raises(StaleVersion) as stale:
        ada.games.play(game.id, version=seen.version, action=seen.legal_actions[0])
    assert stale.value.decision == after
