"""Requests and answers as values: what is sent, and what is made of what comes back."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from skyjo_client import AnswerUnreadable, ApiError, Bot, EventPage, Game, GameStatus, Result, TableCause, TurnResult
from skyjo_client.exchange import Request, answer, as_json, as_nothing, get, path, post
from skyjo_client.reading import Members
from tests.sdk.little.http import LittleApp
from tests.sdk.worlds import World

BOT = {"id": "b", "name": "kiebitz", "created_at": "2026-01-31T12:00:00Z"}
PROBLEM = {"type": "urn:skyjo:problem:teapot", "title": "Teapot", "status": 418, "detail": "Short.", "hint": "Stout."}
GET_BOT = get(path("bots", "b"), Bot.from_dict)


def test_the_client_waits_for_an_answer_as_long_as_the_server_may_and_no_longer() -> None:
    plain = get(path("turns"), Bot.from_dict).arguments(10)
    waiting = get(path("turns"), Bot.from_dict, wait_seconds=20).arguments(10)
    assert (plain["timeout"].read, plain["params"]) == (10, {})
    assert (waiting["timeout"].read, waiting["timeout"].connect, waiting["params"]) == (30, 10, {"wait": 20})


def test_a_request_may_be_repeated_if_it_changes_nothing_or_has_a_key() -> None:
    assert GET_BOT.repeatable
    assert not post(path("bots"), Bot.from_dict, {}).repeatable
    assert post(path("games"), Bot.from_dict, {}, key="k").repeatable


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"name": 7}, "Bot.name is 7, but must be a text"),
        ({"created_at": "yesterday"}, "Bot.created_at is 'yesterday', but must be a time such as"),
        ({"created_at": "2026-01-31T12:00:00"}, "but must be a time with its zone"),
        ({"id": None}, "Bot.id is None, but must be a text"),
    ],
)
def test_a_member_that_is_not_what_it_should_be_is_named(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(AnswerUnreadable) as caught:
        answer(httpx.Response(200, json={**BOT, **changed}), GET_BOT)
    assert said in str(caught.value)


def test_a_member_that_is_missing_is_named_with_those_that_are_there() -> None:
    with pytest.raises(AnswerUnreadable, match="Bot has no member 'created_at': it has id, name"):
        answer(httpx.Response(200, json={"id": "b", "name": "kiebitz"}), GET_BOT)


def test_a_member_that_a_newer_server_adds_is_left_alone() -> None:
    assert answer(httpx.Response(200, json={**BOT, "motto": "slow"}), GET_BOT) == Bot.from_dict(BOT)


@pytest.mark.parametrize("body", [b"", b"[]", b"null", b"{", b"\xff\xfe", b'"text"'])
def test_a_body_that_makes_no_sense_is_unreadable_whatever_its_status(body: bytes) -> None:
    for status in (200, 302, 404, 500):
        with pytest.raises(AnswerUnreadable) as caught:
            answer(httpx.Response(status, content=body), GET_BOT)
        assert caught.value.status == status


def test_a_redirection_is_not_followed_and_not_read() -> None:
    with pytest.raises(AnswerUnreadable, match="status 302"):
        answer(httpx.Response(302, headers={"Location": "https://log-in.test"}), GET_BOT)


def test_a_304_that_was_not_asked_for_is_no_answer() -> None:
    with pytest.raises(AnswerUnreadable, match="status 304"):
        answer(httpx.Response(304), GET_BOT)


def test_a_problem_is_believed_only_with_the_status_that_it_names() -> None:
    with pytest.raises(ApiError, match=r"teapot: Short. \(Stout.\)"):
        answer(httpx.Response(418, json=PROBLEM), GET_BOT)
    with pytest.raises(AnswerUnreadable, match=r"Problem.status is 418, but the answer has the status 502"):
        answer(httpx.Response(502, json=PROBLEM), GET_BOT)


def test_an_answer_without_content_is_nothing() -> None:
    assert answer(httpx.Response(204), Request("DELETE", path("tokens", "t"), as_nothing)) is None


@pytest.mark.parametrize("value", [True, 7.0, "7", None])
def test_true_and_fractions_are_no_whole_numbers(value: object) -> None:
    with pytest.raises(ValueError, match="a whole number"):
        Members("Seat", {"seat": value}).whole("seat")
    with pytest.raises(ValueError, match="a list of whole numbers"):
        Members("Result", {"totals": [1, value]}).wholes("totals")


@pytest.mark.parametrize(("value", "number"), [(7, 7.0), (0.5, 0.5)])
def test_a_number_may_be_whole_or_not(value: float, number: float) -> None:
    assert Members("Game", {"move_seconds": value}).number("move_seconds") == number
    with pytest.raises(ValueError, match="a number"):
        Members("Game", {"move_seconds": True}).number("move_seconds")


def test_a_result_without_ranks_is_that_of_a_game_that_was_stopped() -> None:
    read = Result.from_dict({"status": "void", "totals": [-3, 40], "ranks": None, "causes": ["void"] * 2})
    assert read == Result(GameStatus.VOID, (-3, 40), None, (TableCause.VOID, TableCause.VOID))


@pytest.mark.parametrize(
    ("status", "last", "ends"),
    [("running", 7, False), ("finished", 7, True), ("finished", 6, False), ("aborted", 7, True)],
)
def test_only_the_last_event_of_a_game_that_is_over_ends_it(status: str, last: int, ends: bool) -> None:
    assert EventPage.from_dict({"events": [], "version": 7, "status": status}).ends_with(last) is ends


def test_a_result_is_either_accepted_or_refused() -> None:
    played = {"game": "g", "version": 3, "status": "accepted", "problem": None}
    assert TurnResult.from_dict(played) == TurnResult("g", 3, None)
    with pytest.raises(KeyError):
        TurnResult.from_dict({**played, "status": "pending"})


def test_as_many_results_come_back_as_actions_were_submitted() -> None:
    world = World(lambda _: httpx.Response(200, json={"results": [RESULT, RESULT], "decisions": []}))
    with (
        world.client() as client,
        pytest.raises(AnswerUnreadable, match="0 actions were submitted, but 2 have a result"),
    ):
        client.turns.submit([])


def test_a_game_is_read_from_every_member_that_it_has() -> None:
    world = World(LittleApp())
    bot, token = world.bot()
    game = world.game(bot, token)
    written = world.handler(httpx.Request("GET", f"http://service.test/v1/games/{game.id}")).json()
    for name in written:
        with pytest.raises(ValueError, match=f"Game has no member '{name}'"):
            Game.from_dict({member: value for member, value in written.items() if member != name})
    assert answer(httpx.Response(200, json=written), get(path("games"), Game.from_dict)) == game
    assert as_json(Game.from_dict)(httpx.Response(200, json=written)) == game


RESULT = {"game": "g", "version": 3, "status": "accepted", "problem": None}
