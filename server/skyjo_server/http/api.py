"""The OpenAPI document: what flask-smorest and apispec make of the schemas, and what they leave out. Serves nothing."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any, Final

import flask_smorest
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Flask
from marshmallow import fields

from skyjo_server.http.blueprint import BEARER
from skyjo_server.http.problem_responses import single_responses
from skyjo_server.http.request_id import HEADER, PATTERN
from skyjo_server.http.schemas.base import Answer
from skyjo_server.http.schemas.components import COMPONENTS, SCHEMAS, ref

API_VERSION: Final = "1"
VERSION_HEADER: Final = "Skyjo-Api-Version"

DESCRIPTION: Final = (
    "The place where programs play Skyjo against each other.\n\n"
    "Register a bot with `POST /v1/bots`; its token signs every other request: `Authorization: Bearer skj_…`. "
    "Play one game with its view and its actions, or all games at once with `/v1/turns`, which takes actions and gives "
    "the next decisions in one round trip. An action says which version it answers; sent again with the same "
    "idempotency key, it gets the first answer again.\n\n"
    "An organiser opens a tournament with `POST /v1/tournaments`; bots enter it, and it runs to its end by itself: "
    "games come by the inbox, and schedule, standings and log can be read at any time.\n\n"
    "Whatever goes wrong is a problem (RFC 9457) of a closed list of types. Answers may get further members in time; "
    "requests with members that are not known are refused.\n"
)

HEADERS: Final[dict[str, dict[str, Any]]] = {
    HEADER: {
        "description": "Id of the request: the one that was sent, or a new one. It stands in the service's log.",
        "schema": {"type": "string", "pattern": f"^{PATTERN}$"},
    },
    VERSION_HEADER: {
        "description": "Version of this contract. A client made for another one should say so and stop.",
        "schema": {"type": "string", "enum": [API_VERSION]},
    },
    "ETag": {"description": "The state that was given. Send it as If-None-Match.", "schema": {"type": "string"}},
    "Location": {"description": "Where the new object is.", "schema": {"type": "string", "format": "uri-reference"}},
    "Link": {
        "required": False,
        "description": "Where the next page is (RFC 8288); absent on the last one.",
        "schema": {"type": "string"},
    },
    "Thinking-Seconds": {
        "description": "How long the seat had taken for the action, by the database's clock, without the network.",
        "schema": {"type": "string", "pattern": r"^[0-9]+\.[0-9]{3}$"},
    },
    "RateLimit-Policy": {
        "required": False,
        "description": "How many requests in how many seconds a caller may send, where a limit is set.",
        "schema": {"type": "string"},
    },
    "RateLimit": {
        "required": False,
        "description": "How many of them are left, and in how many seconds they are renewed.",
        "schema": {"type": "string"},
    },
    "Retry-After": {
        "description": "Seconds after which to send the same request again.",
        "schema": {"type": "integer", "minimum": 1},
    },
    "WWW-Authenticate": {"description": "The scheme to use.", "schema": {"type": "string", "enum": ["Bearer"]}},
}
"""The headers of answers by name."""

EVERYWHERE: Final = (HEADER, VERSION_HEADER)
"""Headers that every answer has."""

PATH_PARAMETERS: Final = {
    "game_id": "The game's id.",
    "bot_id": "The bot's id.",
    "token_id": "The token's id.",
    "tournament_id": "The tournament's id.",
    "round_number": "The number of the round, from 0.",
    "table_number": "The number of the table in its round, from 0.",
    "version": "The number of an event of the game, from 0.",
}
"""What the parts of paths are."""


class _Converter(OpenAPIConverter):
    """Describes our own schemas and fields."""

    def schema2jsonschema(self, schema: Any) -> dict[str, Any]:
        """Describe a schema: its docstring says what it is, and a request takes no further members."""
        described: dict[str, Any] = super().schema2jsonschema(schema)  # type: ignore[no-untyped-call]  # apispec types it not
        schema_class = schema if isinstance(schema, type) else type(schema)
        described = {"type": "object", "description": (schema_class.__doc__ or "").split("\n\n")[0], **described}
        if not issubclass(schema_class, Answer):
            described["additionalProperties"] = False
        for member in described.get("properties", {}).values():
            _say_default(member)
        return described

    def field2property(self, field: fields.Field[Any]) -> dict[str, Any]:
        """Describe a field; one that names a component is a reference to it."""
        component = getattr(field, "component", None)
        if component is None:
            described: dict[str, Any] = super().field2property(field)
        elif field.allow_none:
            described = {"anyOf": [ref(component), {"type": "null"}], **field.metadata}
        else:
            described = {**ref(component), **field.metadata}
        if component is not None:
            described |= super().field2default(field)
        if len(described.get("enum", ())) == 1:
            described["const"] = described.pop("enum")[0]
        if described.get("default", ...) is None:
            del described["default"]
        return described


class _Plugin(MarshmallowPlugin):
    Converter = _Converter


class Api(flask_smorest.Api):  # type: ignore[misc]  # flask-smorest ships no types
    """Collects the described operations. It neither serves the document nor handles errors: both are done elsewhere."""

    DEFAULT_ERROR_RESPONSE_NAME = None

    def __init__(self, app: Flask) -> None:
        options: dict[str, Any] = {
            "title": "Skyjo Arena",
            "version": API_VERSION,
            "openapi_version": "3.1.0",
            "marshmallow_plugin": _Plugin(),
            "info": {"description": DESCRIPTION, "license": {"name": "MIT", "identifier": "MIT"}},
            "servers": [{"url": "/", "description": "The server that gave this document."}],
        }
        super().__init__(app, spec_kwargs=options)
        self._describe_components()

    def document(self) -> dict[str, Any]:
        """The whole document."""
        found: dict[str, Any] = deepcopy(self.spec.to_dict())
        for path in found["paths"].values():
            parameters = [_described(parameter) for parameter in path.pop("parameters", ())]
            for method, operation in path.items():
                path[method] = _complete(operation, parameters)
        for response in found["components"]["responses"].values():
            _add_headers(response)
        return _in_order(found, ("openapi", "info", "servers", "tags", "paths", "components"))

    def _describe_components(self) -> None:
        for name, described in COMPONENTS.items():
            self.spec.components.schema(name, described)
        for schema in SCHEMAS:
            self.spec.components.schema(schema.__name__, schema=schema)
        for name, described in single_responses().items():
            self.spec.components.response(name, described, lazy=True)
        for name, described in HEADERS.items():
            self.spec.components.header(name, described)
        self.spec.components.security_scheme(
            BEARER, {"type": "http", "scheme": "bearer", "description": "A token of this service: `skj_…`."}
        )

    def _register_error_handlers(self) -> None:
        """Leave errors to :mod:`skyjo_server.http.problems`."""

    def _register_pagination_header(self) -> None:
        """There is none: lists are pages with a cursor in their body."""

    def _register_etag_headers(self) -> None:
        """They are among our own headers."""

    def _register_responses(self) -> None:
        """Leave them to :mod:`skyjo_server.http.problem_responses`: the words of a status vary between Pythons."""


def _complete(operation: dict[str, Any], parameters: list[dict[str, Any]]) -> dict[str, Any]:
    """Add to an operation what belongs to every one of its kind, and put its members in the usual order."""
    for response in operation["responses"].values():
        if "$ref" not in response:
            _add_headers(response)
    if parameters or "parameters" in operation:
        operation["parameters"] = [*parameters, *operation.get("parameters", ())]
    return _in_order(
        operation,
        ("operationId", "summary", "description", "tags", "security", "parameters", "requestBody", "responses"),
    )


def _say_default(member: dict[str, Any]) -> None:
    """Say in words what an absent member means.

    Generators of clients take `default` of a member for more than it says: some send it each time, some have everybody
    who calls send something.
    """
    default = member.pop("default", "")
    if default != "":
        member["description"] = f"{member['description']} {_in_words(default)} if absent.".lstrip()


def _in_words(default: str | bool | float) -> str:
    if isinstance(default, bool):
        return f"`{json.dumps(default)}`"
    return f"`{default}`" if isinstance(default, str) else f"{default:g}"


def _add_headers(response: dict[str, Any]) -> None:
    everywhere = {name: {"$ref": f"#/components/headers/{name}"} for name in EVERYWHERE}
    response["headers"] = {**response.get("headers", {}), **everywhere}


def _described(parameter: dict[str, Any]) -> dict[str, Any]:
    return {**parameter, "description": PATH_PARAMETERS[parameter["name"]]}


def _in_order(members: dict[str, Any], order: tuple[str, ...]) -> dict[str, Any]:
    return {name: members[name] for name in order if name in members}
