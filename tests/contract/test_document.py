"""The committed document, the code and the answers say the same: each way of drifting apart fails here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from openapi_spec_validator import OpenAPIV31SpecValidator

from skyjo import ACTION_PATTERN
from skyjo_server.http.app import describe
from skyjo_server.http.openapi import as_yaml
from skyjo_server.http.openapi import document as described
from skyjo_server.http.problems import KINDS
from skyjo_server.http.schemas.problems import urn
from skyjo_server.service.errors import ProblemCode
from tests.contract.document import ContractBroken, Document, references
from tests.house.tree import ROOT

DOCUMENT = Document(described())
COMPONENTS: dict[str, Any] = DOCUMENT.described["components"]
OPERATIONS = list(DOCUMENT.operations())
NEVER_DESCRIBED = {ProblemCode.METHOD_NOT_ALLOWED}
"""A method that is not in the document has no operation in it."""


def test_the_committed_document_is_what_the_code_describes() -> None:
    committed = (ROOT / "openapi.yaml").read_text(encoding="utf-8")
    assert committed == as_yaml(described()), "run: python -m skyjo_server.http.openapi openapi.yaml"
    assert yaml.safe_load(committed) == described()


def test_the_document_is_sound_openapi() -> None:
    assert list(OpenAPIV31SpecValidator(described()).iter_errors()) == []
    assert DOCUMENT.described["openapi"].startswith("3.1.")


def test_every_route_is_described_and_everything_described_has_a_route() -> None:
    app, _ = describe()
    routes = {
        (method.lower(), re.sub(r"<\w+:(\w+)>", r"{\1}", rule.rule))
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert routes == {(operation.method, operation.path) for operation in OPERATIONS}


def test_every_operation_has_a_name_of_its_own_and_says_what_it_is() -> None:
    names = [operation.operation_id for operation in OPERATIONS]
    assert len(set(names)) == len(names)
    for operation in OPERATIONS:
        assert re.fullmatch(r"[a-z]+[A-Z][A-Za-z]+|resign|withdraw|disqualify", operation.operation_id)
        assert operation.described["summary"].endswith(".")
        assert set(re.findall(r"{(\w+)}", operation.path)) == set(operation.parameters("path"))


def test_every_parameter_is_described_in_words() -> None:
    for operation in OPERATIONS:
        for parameter in operation.described.get("parameters", ()):
            assert parameter["description"].endswith("."), (operation.operation_id, parameter["name"])


def test_every_component_is_used() -> None:
    used = {reference.removeprefix("#/components/") for reference in references(DOCUMENT.described)}
    kinds = ("schemas", "responses", "headers")
    assert used == {f"{kind}/{name}" for kind in kinds for name in COMPONENTS[kind]}


def test_every_schema_is_described_in_words() -> None:
    assert [name for name, schema in COMPONENTS["schemas"].items() if not schema["description"].endswith(".")] == []


def test_no_object_is_described_without_a_name() -> None:
    def nameless(schema: Any) -> Iterator[Any]:
        for inner in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
            if isinstance(inner, dict) and "properties" in inner and inner.get("type") == "object":
                yield inner
            yield from nameless(inner)

    assert [found for schema in COMPONENTS["schemas"].values() for found in nameless(schema)] == []
    assert list(nameless(DOCUMENT.described["paths"])) == []


def test_a_request_takes_no_unknown_member_and_an_answer_has_all_of_its_own() -> None:
    bodies = {
        operation.described["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        for operation in OPERATIONS
        if "requestBody" in operation.described
    }
    parts = {"BotSeat", "HouseSeat", "OpenSeat", "RuleOptions", "SequentialOptions", "Turn"}
    for name, schema in COMPONENTS["schemas"].items():
        if "properties" not in schema:
            continue
        if name in bodies | parts:
            assert schema["additionalProperties"] is False, name
        else:
            assert set(schema["required"]) == set(schema["properties"]), name


def test_every_problem_is_described_where_it_can_happen() -> None:
    responses = (DOCUMENT.resolve(found) for one in OPERATIONS for found in one.described["responses"].values())
    types = {problem for response in responses for problem in response.get("x-problem-types", ())}
    assert types == {urn(code) for code in set(ProblemCode) - NEVER_DESCRIBED}


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.operation_id)
def test_the_problems_of_an_operation_stand_under_their_statuses(operation: Any) -> None:
    statuses = {urn(code): kind.status for code, kind in KINDS.items()}
    for status, response in operation.described["responses"].items():
        for problem in DOCUMENT.resolve(response).get("x-problem-types", ()):
            assert statuses[problem] == int(status)
    assert {"429", "500", "503"} <= set(operation.described["responses"])
    assert ("401" in operation.described["responses"]) == (operation.described["security"] != [])
    assert ("404" in operation.described["responses"]) >= ("{" in operation.path)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.operation_id)
def test_the_examples_of_an_operation_are_sound(operation: Any) -> None:
    body = operation.described.get("requestBody", {"content": {}})
    for content in body["content"].values():
        assert DOCUMENT.faults(content["schema"], content["example"]) == []
    for parameter in operation.described.get("parameters", ()):
        for example in parameter["schema"].get("examples", ()):
            assert DOCUMENT.faults(parameter["schema"], example) == []


def test_the_examples_of_the_schemas_are_sound() -> None:
    for schema in COMPONENTS["schemas"].values():
        for described_ in (schema, *schema.get("properties", {}).values()):
            for example in described_.get("examples", ()):
                assert DOCUMENT.faults(described_, example) == []


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.operation_id)
def test_the_links_of_an_operation_lead_to_operations(operation: Any) -> None:
    targets = {target.operation_id: target for target in OPERATIONS}
    for response in operation.described["responses"].values():
        for link in DOCUMENT.resolve(response).get("links", {}).values():
            assert set(link["parameters"]) <= set(targets[link["operationId"]].parameters("path"))


def test_an_action_is_described_by_the_pattern_of_the_rules() -> None:
    assert COMPONENTS["schemas"]["Action"]["pattern"] == ACTION_PATTERN


def test_the_kinds_of_facts_seats_and_problems_can_be_told_apart() -> None:
    for name in ("Fact", "SeatRequest"):
        choice = COMPONENTS["schemas"][name]
        member = choice["discriminator"]["propertyName"]
        for value, reference in choice["discriminator"]["mapping"].items():
            assert DOCUMENT.resolve({"$ref": reference})["properties"][member]["const"] == value
        assert [found["$ref"] for found in choice["oneOf"]] == list(choice["discriminator"]["mapping"].values())


@pytest.mark.parametrize(
    ("status", "headers", "body"),
    [
        (200, {"X-Request-Id": ""}, b'{"status":"ok"}'),
        (200, {"Skyjo-Api-Version": "2"}, b'{"status":"ok"}'),
        (200, {"Content-Type": "text/html"}, b"ok"),
        (200, {}, b'{"status":"no"}'),
        (200, {}, b'{"status":"ok","more":1}'),
        (201, {}, b'{"status":"ok"}'),
    ],
)
def test_an_answer_that_is_not_as_described_is_found(status: int, headers: dict[str, str], body: bytes) -> None:
    sound = {"X-Request-Id": "a-1", "Skyjo-Api-Version": "1", "Content-Type": "application/json"}
    assert DOCUMENT.check("GET", "/healthz", 200, sound, b'{"status":"ok"}') == "getHealth"
    with pytest.raises(ContractBroken):
        DOCUMENT.check("GET", "/healthz", status, {**sound, **headers}, body)
