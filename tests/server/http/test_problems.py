"""Whatever goes wrong is a problem of the closed list, and says no more than it should."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, cast
from uuid import UUID

import pytest
import structlog

from skyjo import (
    FairChance,
    IllegalAction,
    InvalidRules,
    LegalActions,
    Reason,
    RuleSet,
    decision,
    evolve,
    initial_state,
    shuffle_key,
    start,
)
from skyjo_server.http import create_http_app, errors
from skyjo_server.http.ports import AllUseCases
from skyjo_server.http.problems import KINDS
from skyjo_server.service import errors as service
from skyjo_server.service.errors import ProblemCode, ServiceError
from tests.contract.document import Document
from tests.server.http.client import Client, members, problem_code

GAME = UUID("00112233-4455-6677-8899-aabbccddeeff")
DEAL = start(RuleSet(), 2, FairChance(shuffle_key(b"s" * 32, GAME, "classic")))
DECISION = decision(evolve(initial_state(RuleSet(), 2), DEAL), 0, game=str(GAME))

RAISED: list[ServiceError] = [
    service.Unauthenticated(),
    service.Forbidden("not with this token", "use another"),
    service.NotFound(),
    service.InvalidRequest("/seats/0", "is taken", "choose another"),
    service.RulesInvalid(InvalidRules("score_limit", "score_limit is 0")),
    service.NameTaken("Ada"),
    service.KeyReused("k-1"),
    service.IllegalMove(IllegalAction(Reason.WRONG_PHASE, "no card is drawn"), 3, LegalActions(())),
    service.StaleVersion(2, DECISION),
    service.DeadlinePassed(DECISION, ["draw", "reject a1"]),
    service.GameNotStarted(),
    service.GameNotFinished(),
    service.Embargoed(),
    service.EntryClosed("it has begun"),
    service.EntryLimit(1),
    service.AlreadyEntered(3, "withdrawn"),
    service.TooFewEntries(1, 2),
    service.TournamentNotStarted(),
    service.TournamentOver("finished"),
    service.TableNotPlaying("scheduled"),
    service.GameOver(),
    service.GameFull(),
    service.AlreadySeated(1),
    service.RateLimited("too many", "wait", retry_after_seconds=7),
    service.Unavailable("the database does not answer", 3),
    errors.InvalidJson("/action", "is NaN"),
    errors.InvalidContent([("/action", "is required")]),
    errors.PreconditionRequired(),
    errors.BodyTooLarge(1000),
    errors.UnsupportedMediaType("Content-Type", "text/plain"),
    errors.NotAcceptable("text/html", ["text/plain"]),
    errors.MethodNotAllowed("PUT", ["GET"]),
    errors.InternalError(),
]
"""One of each class."""


class Failing:
    """Stands in for the service: every use case raises."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def use_case(*_args: Any) -> Any:
            raise self._error

        return use_case


def failing(error: Exception, document: Document) -> Client:
    return Client(create_http_app(cast(AllUseCases, Failing(error))), document)


def classes(base: type[ServiceError]) -> Iterator[type[ServiceError]]:
    for subclass in base.__subclasses__():
        yield subclass
        yield from classes(subclass)


def test_every_code_has_a_status_and_a_title() -> None:
    assert list(KINDS) == list(ProblemCode)
    assert len({kind.title for kind in KINDS.values()}) == len(KINDS)


def test_every_code_has_a_class_and_every_class_is_tried_below() -> None:
    known = [found for found in classes(ServiceError) if found.__module__.startswith("skyjo_server.")]
    assert {found.code for found in known} == set(ProblemCode)
    assert set(known) == {type(error) for error in RAISED}


@pytest.mark.parametrize("error", RAISED, ids=lambda error: type(error).__name__)
def test_an_error_is_a_problem_with_its_status_and_members(error: ServiceError, document: Document) -> None:
    app = create_http_app(cast(AllUseCases, Failing(error)))
    answer = app.test_client().get("/readyz")
    sent = members(answer)
    assert answer.status_code == sent["status"] == KINDS[error.code].status
    assert (problem_code(answer), sent["title"]) == (error.code.value, KINDS[error.code].title)
    assert (sent["detail"], sent["hint"]) == (error.detail, error.hint)
    assert sent["hint"] != ""
    assert {name: sent[name] for name in error.extras} == json.loads(json.dumps(error.extras))
    schema = document.described["components"]["schemas"]
    variant = next((name for name, found in schema.items() if is_type_of(found, sent["type"])), "Problem")
    assert document.faults({"$ref": f"#/components/schemas/{variant}"}, sent) == []


def is_type_of(schema: dict[str, Any], problem_type: str) -> bool:
    described: dict[str, Any] = schema.get("properties", {}).get("type", {})
    return described.get("const") == problem_type


@pytest.mark.parametrize(
    ("error", "header", "value"),
    [
        (service.Unauthenticated(), "WWW-Authenticate", "Bearer"),
        (service.RateLimited("too many", "wait", retry_after_seconds=7), "Retry-After", "7"),
        (service.Unavailable("no database", 3), "Retry-After", "3"),
        (service.RateLimited("too many", "wait"), "Retry-After", "1"),
    ],
)
def test_a_problem_has_the_headers_that_its_status_asks_for(
    error: ServiceError, header: str, value: str, document: Document
) -> None:
    answer = failing(error, document).get(f"/v1/games/{GAME}/actions", "skj_token")
    assert answer.headers[header] == value


def test_a_fault_of_the_service_is_logged_under_its_request_and_says_nothing(document: Document) -> None:
    client = failing(LookupError("seed=00ff, password=secret"), document)
    with structlog.testing.capture_logs() as logs:
        answer = client.get("/readyz", headers={"X-Request-Id": "a-1"})
    assert problem_code(answer) == "internal-error"
    assert b"secret" not in answer.data
    assert b"LookupError" not in answer.data
    assert answer.headers["X-Request-Id"] == "a-1"
    assert [(log["event"], log["request_id"]) for log in logs] == [("request-failed", "a-1")]
    assert isinstance(logs[0]["exc_info"], LookupError)


def test_the_service_never_shows_its_insides_whatever_the_environment_says(
    document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FLASK_DEBUG", "1")
    app = create_http_app(cast(AllUseCases, Failing(LookupError("seed=00ff"))))
    answer = Client(app, document).get("/readyz")
    assert (app.debug, problem_code(answer)) == (False, "internal-error")


def test_a_missing_object_and_a_missing_path_are_the_same_to_the_byte(document: Document) -> None:
    client = failing(service.NotFound(), document)
    missing = client.get("/v1/bots/00112233-4455-6677-8899-aabbccddeeff")
    assert missing.data == client.get("/v1/nothing").data
