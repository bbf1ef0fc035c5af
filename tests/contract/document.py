"""The OpenAPI document as tests use it: does an answer keep to it? Makes no requests."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

METHODS = ("get", "put", "post", "delete", "patch")
PROBLEM_JSON = "application/problem+json"

_HERE = "urn:skyjo:document"
_NO_BODY = (204, 304)


class ContractBroken(AssertionError):
    """An answer that is not as the document says."""


@dataclass(frozen=True)
class Operation:
    """One operation of the document."""

    method: str
    path: str
    described: Mapping[str, Any]

    @property
    def operation_id(self) -> str:
        name: str = self.described["operationId"]
        return name

    def parameters(self, location: str) -> dict[str, Any]:
        """The parameters in the path, query or header, by name."""
        return {found["name"]: found for found in self.described.get("parameters", ()) if found["in"] == location}


class Document:
    """A document, read strictly: objects have no member that it does not name."""

    def __init__(self, described: Mapping[str, Any]) -> None:
        self.described = described
        closed = copy.deepcopy(dict(described))
        for schema in closed["components"]["schemas"].values():
            if "properties" in schema:
                schema.setdefault("additionalProperties", False)
        resource = Resource.from_contents(closed, default_specification=DRAFT202012)
        self._registry: Registry[Any] = Registry().with_resource(_HERE, resource)
        self._paths = {path: _path_pattern(path) for path in described["paths"]}

    def operations(self) -> Iterator[Operation]:
        """Every operation."""
        for path, item in self.described["paths"].items():
            for method in METHODS:
                if method in item:
                    yield Operation(method, path, item[method])

    def operation(self, method: str, path: str) -> Operation | None:
        """The operation that a request calls, if any."""
        method = "get" if method == "HEAD" else method.lower()
        found = [item for item in self.operations() if item.method == method and self._paths[item.path].fullmatch(path)]
        return found[0] if found else None

    def faults(self, schema: Mapping[str, Any], value: object) -> list[str]:
        """What is wrong with a value, by a schema of the document; nothing if it is as described."""
        absolute = json.loads(json.dumps(schema).replace('"#/', f'"{_HERE}#/'))
        validator = Draft202012Validator(absolute, registry=self._registry, format_checker=FormatChecker())
        return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(value)]

    def resolve(self, described: Mapping[str, Any]) -> Mapping[str, Any]:
        """What a reference refers to; anything else as it is."""
        while "$ref" in described:
            found: Any = self.described
            for part in described["$ref"].removeprefix("#/").split("/"):
                found = found[part]
            described = found
        return described

    def check(self, method: str, path: str, status: int, headers: Mapping[str, str], body: bytes) -> str | None:
        """Hold an answer against the document; gives the operation's id, None for what is outside of it.

        Raises:
            ContractBroken: naming the request and what is wrong.
        """
        try:
            return self._check(method, path, status, {name.lower(): value for name, value in headers.items()}, body)
        except ContractBroken as broken:
            raise ContractBroken(f"{method} {path} -> {status}: {broken}\n{body[:500]!r}") from None

    def _check(self, method: str, path: str, status: int, headers: Mapping[str, str], body: bytes) -> str | None:
        operation = self.operation(method, path)
        if operation is None:
            self._check_problem(status, headers, body, ("not-found", "method-not-allowed"), head=method == "HEAD")
            return None
        responses = operation.described["responses"]
        _demand(str(status) in responses, f"the document knows only {', '.join(responses)}")
        response = self.resolve(responses[str(status)])
        self._check_headers(response, headers)
        if method == "HEAD" or status in _NO_BODY:
            _demand(body == b"", "there is a body")
        else:
            self._check_body(response, headers, body)
        return operation.operation_id

    def _check_headers(self, response: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        for name, described in response["headers"].items():
            header = self.resolve(described)
            if name.lower() not in headers and not header.get("required", True):
                continue
            _demand(name.lower() in headers, f"there is no header {name}")
            schema = header["schema"]
            sent = headers[name.lower()]
            faults = self.faults(schema, int(sent) if schema["type"] == "integer" else sent)
            _demand(not faults, f"header {name}: {faults}")

    def _check_body(self, response: Mapping[str, Any], headers: Mapping[str, str], body: bytes) -> None:
        media_type = headers.get("content-type", "").partition(";")[0]
        content = response.get("content", {})
        _demand(media_type in content, f"the media type is {media_type}, not one of {', '.join(content)}")
        value: Any = json.loads(body) if media_type.endswith("json") else body.decode(_coding(media_type))
        faults = self.faults(content[media_type]["schema"], value)
        _demand(not faults, "; ".join(faults))
        if media_type == PROBLEM_JSON:
            types = response["x-problem-types"]
            _demand(value["type"] in types, f"the type is {value['type']}, not one of {types}")
            _demand(headers["x-request-id"] != "", "the request has no id")

    def _check_problem(
        self, status: int, headers: Mapping[str, str], body: bytes, codes: Iterable[str], *, head: bool
    ) -> None:
        _demand(headers.get("content-type") == PROBLEM_JSON, "what is outside of the document can only be a problem")
        if head:
            return
        value = json.loads(body)
        faults = self.faults({"$ref": "#/components/schemas/Problem"}, value)
        _demand(not faults, "; ".join(faults))
        _demand(value["status"] == status, f"the problem says {value['status']}")
        _demand(value["type"].rpartition(":")[2] in codes, f"the type is {value['type']}")


def references(described: object) -> Iterator[str]:
    """Every reference inside of a part of a document."""
    if isinstance(described, Mapping):
        if isinstance(described.get("$ref"), str):
            yield described["$ref"]
        for inner in described.values():
            yield from references(inner)
    elif isinstance(described, list):
        for inner in described:
            yield from references(inner)


def _path_pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path)))


def _coding(media_type: str) -> str:
    """How a body becomes a text: what is no text, a character for each byte."""
    return "utf-8" if media_type.startswith("text/") or media_type.endswith("jsonl") else "latin-1"


def _demand(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ContractBroken(otherwise)
