"""The client's errors: a tree as it is drawn, one class for each code that a caller may care about."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator

import pytest

from skyjo import Decision, FairChance, RuleSet, decision, evolve, initial_state, start
from skyjo_client import (
    AnswerUnreadable,
    ApiError,
    BotError,
    ConnectionFailed,
    ContractMismatch,
    Problem,
    SkyjoClientError,
    StaleVersion,
    errors,
)
from skyjo_client.errors import api_error
from skyjo_client.testing import BotCheckFailed

RULES = RuleSet()
SEEN = decision(evolve(initial_state(RULES, 2), start(RULES, 2, FairChance(bytes(32)))), 1, game="g")


def below(error: type[SkyjoClientError]) -> Iterator[type[SkyjoClientError]]:
    for child in error.__subclasses__():
        yield child
        yield from below(child)


CLASSES = sorted(
    {error for error in below(SkyjoClientError) if error.__module__ == errors.__name__ and error.__name__[0] != "_"},
    key=lambda error: error.__name__,
)
CODES: list[type[ApiError]] = [error for error in CLASSES if issubclass(error, ApiError) and error is not ApiError]


def problem(code: str, **extras: object) -> Problem:
    return Problem(400, code, "Title", "Detail.", "Hint.", extras, "r1", 2.0)


def test_the_tree_is_drawn_as_it_is() -> None:
    drawn = set(re.findall(r"[├└]── (\w+) ", errors.__doc__ or ""))
    assert drawn == {error.__name__ for error in CLASSES}


@pytest.mark.parametrize("error", CODES)
def test_the_class_of_a_refusal_is_its_code_in_capitals(error: type[ApiError]) -> None:
    code = re.sub(r"(?<!^)(?=[A-Z])", "-", error.__name__).lower()
    raised = api_error(problem(code))
    assert type(raised) is error
    assert (raised.code, raised.detail, raised.hint, raised.request_id) == (code, "Detail.", "Hint.", "r1")


def test_a_code_without_a_class_is_an_api_error_itself() -> None:
    raised = api_error(problem("teapot", spout="left"))
    assert type(raised) is ApiError
    assert raised.problem.extras == {"spout": "left"}
    assert str(raised) == "teapot: Detail. (Hint.)"


def test_an_overtaken_move_brings_the_decision_as_it_is_now() -> None:
    raised = api_error(problem("stale-version", version=7, decision=SEEN.to_dict()))
    assert isinstance(raised, StaleVersion)
    assert (raised.version, raised.decision) == (7, SEEN)


@pytest.mark.parametrize(
    "error",
    [
        ConnectionFailed("gone", sent=False),
        AnswerUnreadable("a page", 502, 3.0),
        ContractMismatch("2", "1"),
        BotError("it raised", SEEN, "draw"),
        BotCheckFailed("it raised", 7),
        *[api_error(problem(str(error.CODE), decision=SEEN.to_dict())) for error in CODES],
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_survives_the_way_between_processes(error: SkyjoClientError) -> None:
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - these bytes were made here
    assert type(copy) is type(error)
    assert (str(copy), copy.args) == (str(error), error.args)
    assert {name: value for name, value in vars(copy).items() if not isinstance(value, Decision)} == {
        name: value for name, value in vars(error).items() if not isinstance(value, Decision)
    }
