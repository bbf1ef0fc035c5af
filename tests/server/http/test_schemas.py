"""The schemas take what they describe, build values from it, and describe what the other packages say."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marshmallow import ValidationError

from skyjo import Action, RuleSet
from skyjo.notation import KINDS
from skyjo.rules import BOUNDS
from skyjo_server.http.schemas.base import Request
from skyjo_server.http.schemas.decisions import ViewQuery
from skyjo_server.http.schemas.events import FACTS
from skyjo_server.http.schemas.games import GamesQuery, NewGame
from skyjo_server.http.schemas.problems import WITH_MORE
from skyjo_server.http.schemas.rules import EXPLAINED, RuleOptions, Rules
from skyjo_server.http.schemas.turns import Turn, TurnSubmission, quick_submission

GAME = "00112233-4455-6677-8899-aabbccddeeff"
ODD: st.SearchStrategy[Any] = st.sampled_from(
    [
        None,
        True,
        0,
        -1,
        10**9,
        10**9 + 1,
        3.0,
        "",
        "3",
        GAME,
        GAME.upper(),
        "draw",
        "draw ",
        "take c2",
        "flip a1 a1",
        [],
        {},
    ]
)


def test_every_kind_of_fact_is_described_with_its_members() -> None:
    described = {kind: {"kind", *(member.name for member in fields(fact))} for kind, fact in KINDS.items()}
    assert {kind: set(schema().fields) for kind, schema in FACTS.items()} == described


def test_every_option_of_the_rules_is_described_with_its_bounds() -> None:
    options = {option.name: option.default for option in fields(RuleSet)}
    assert set(options) == set(EXPLAINED) == set(Rules().fields) == set(RuleOptions().fields)
    for name, (low, high) in BOUNDS.items():
        field: Any = Rules().fields[name]
        assert (field.low, field.high) == (low, high)


def test_the_members_that_a_problem_adds_are_described() -> None:
    plain = {"type", "title", "status", "detail", "hint"}
    assert all(set(schema().fields) > plain for schema in WITH_MORE.values())


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "game": ODD | st.just(GAME),
            "version": ODD | st.integers(),
            "action": ODD | st.sampled_from(["draw", "keep c2"]),
            "key": ODD | st.just("k-1"),
            "more": ODD,
        },
    )
    | ODD
)
def test_the_quick_way_to_read_a_turn_agrees_with_its_schema(item: Any) -> None:
    try:
        slow = Turn().load(item)
    except ValidationError:
        slow = None
    assert quick_submission(item) == slow


@given(st.dictionaries(st.sampled_from(["after", "wait", "bot", "limit", "cursor", "status", "more"]), ODD))
def test_the_quick_way_to_load_agrees_with_marshmallow(data: dict[str, Any]) -> None:
    for schema in (ViewQuery(), GamesQuery()):
        assert loaded(schema, data) == loaded(schema, data, partial=False)


def loaded(schema: Request, data: dict[str, Any], **options: Any) -> object:
    """What a schema makes of data; any option keeps it from the quick way."""
    try:
        return schema.load(data, **options)
    except ValidationError as error:
        return error.messages


def test_a_new_game_is_built_from_a_preset_and_the_options_that_differ() -> None:
    wanted = NewGame().load({"preset": "french", "rules": {"score_limit": 50}, "seats": [{"kind": "open"}] * 3})
    assert wanted.rules == RuleSet.from_dict({**RuleSet.preset("french").to_dict(), "score_limit": 50})
    assert len(wanted.seats) == 3


def test_turns_are_built_in_the_order_in_which_they_were_sent() -> None:
    turns = [{"game": GAME, "version": number, "action": "draw"} for number in range(5)]
    wanted = TurnSubmission().load({"actions": turns, "wait": 1})
    assert [submission.version for submission in wanted.actions] == [0, 1, 2, 3, 4]
    assert {submission.action for submission in wanted.actions} == {Action.draw()}


@pytest.mark.parametrize("number", [3.0, "3", True, None, 10**40])
def test_what_only_looks_like_a_whole_number_is_none(number: object) -> None:
    with pytest.raises(ValidationError):
        Turn().load({"game": GAME, "version": number, "action": "draw"})
