"""Problems (RFC 9457) as they are sent: the general one, and one for each code that says more. Has no statuses."""

from __future__ import annotations

from typing import Any, Final

from marshmallow import fields

from skyjo import Reason, RuleSet
from skyjo_server.http.fields import Inner, Named, Whole, Word
from skyjo_server.http.schemas.base import Answer
from skyjo_server.http.schemas.common import seat_number, version_number
from skyjo_server.http.schemas.decisions import Decision
from skyjo_server.service.errors import ProblemCode


def urn(code: ProblemCode) -> str:
    """The type of a problem.

    >>> urn(ProblemCode.STALE_VERSION)
    'urn:skyjo:problem:stale-version'
    """
    return f"urn:skyjo:problem:{code.value}"


def _only(code: ProblemCode) -> Word:
    return Word([urn(code)], metadata={"description": "The kind of problem."})


class Problem(Answer):
    """Why a request was not carried out. Kinds with further members have a description of their own."""

    type: fields.Field[Any] = Named("ProblemType")
    title = fields.String(metadata={"description": "The kind of problem in words; always the same for a type."})
    status = Whole(400, 599, metadata={"description": "The status code of the answer."})
    detail = fields.String(metadata={"description": "What is wrong here, with the offending value."})
    hint = fields.String(metadata={"description": "The way out."})


class Fault(Answer):
    """One place at fault."""

    place = fields.String(
        metadata={
            "description": "A JSON pointer into the body, empty for all of it; or the name of a parameter or header.",
            "examples": ["/actions/0/version"],
        }
    )
    detail = fields.String(metadata={"description": "What is wrong there."})


class InvalidJsonProblem(Problem):
    """The body is not JSON as this service takes it."""

    type = _only(ProblemCode.INVALID_JSON)
    errors = fields.List(Inner(Fault))


class InvalidRequestProblem(Problem):
    """Well-formed, but some values cannot be."""

    type = _only(ProblemCode.INVALID_REQUEST)
    errors = fields.List(Inner(Fault))


class InvalidRulesProblem(Problem):
    """Rules that cannot be played."""

    type = _only(ProblemCode.INVALID_RULES)
    option = fields.String(
        metadata={"description": "The option at fault.", "examples": [next(iter(RuleSet().to_dict()))]}
    )


class IllegalActionProblem(Problem):
    """The rules refuse the action here and now. Nothing has changed."""

    type = _only(ProblemCode.ILLEGAL_ACTION)
    reason = Word(list(Reason), "Reason", metadata={"description": "Why."})
    version = version_number(metadata={"description": "The game's version."})
    legal_actions = fields.List(Named("Action"), metadata={"description": "What may be played instead."})


class StaleVersionProblem(Problem):
    """The action answers a version that is not the current one."""

    type = _only(ProblemCode.STALE_VERSION)
    version = version_number(metadata={"description": "The game's version."})
    decision = Inner(Decision, metadata={"description": "The current decision."})


class DeadlinePassedProblem(Problem):
    """The action came after the seat's time."""

    type = _only(ProblemCode.DEADLINE_PASSED)
    version = version_number(metadata={"description": "The game's version."})
    played = fields.List(Named("Action"), metadata={"description": "What was played; empty if the seat had to leave."})
    decision = Inner(Decision, metadata={"description": "The current decision."})


class AlreadySeatedProblem(Problem):
    """The bot sits in this game already."""

    type = _only(ProblemCode.ALREADY_SEATED)
    seat = seat_number(metadata={"description": "Its seat."})


class AlreadyEnteredProblem(Problem):
    """The bot has left the event, or was taken out, and cannot come back."""

    type = _only(ProblemCode.ALREADY_ENTERED)
    entry = version_number(metadata={"description": "The number of its entry."})


WITH_MORE: Final[dict[ProblemCode, type[Problem]]] = {
    ProblemCode.INVALID_JSON: InvalidJsonProblem,
    ProblemCode.INVALID_REQUEST: InvalidRequestProblem,
    ProblemCode.INVALID_RULES: InvalidRulesProblem,
    ProblemCode.ILLEGAL_ACTION: IllegalActionProblem,
    ProblemCode.STALE_VERSION: StaleVersionProblem,
    ProblemCode.DEADLINE_PASSED: DeadlinePassedProblem,
    ProblemCode.ALREADY_SEATED: AlreadySeatedProblem,
    ProblemCode.ALREADY_ENTERED: AlreadyEnteredProblem,
}
"""The schemas of those problems that have further members."""
