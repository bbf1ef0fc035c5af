"""A blueprint whose decorators say everything about an operation: who may call it, what it takes, gives and refuses.

flask-smorest makes the document from what they note. What happens at a request is ours: arguments are not read by
webargs, which would guess at them, and nothing of the document is touched while a request is served.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from http import HTTPStatus
from typing import Any, Final, TypeVar, cast

import flask_smorest
from flask import Response, request
from flask.views import MethodView
from marshmallow import Schema

from skyjo_server.http import callers, intake
from skyjo_server.http.answers import empty, written
from skyjo_server.http.problem_responses import problem_responses
from skyjo_server.http.schemas.base import Query
from skyjo_server.service.errors import ProblemCode

View = TypeVar("View", bound=Callable[..., Any])
Noted = dict[str, Any]

JSON: Final = "application/json"
BEARER: Final = "bearer"
"""Name of the security scheme."""

IF_NONE_MATCH: Final = {
    "in": "header",
    "name": "If-None-Match",
    "required": False,
    "schema": {"type": "string"},
    "description": "The ETag of an earlier answer: if it is the current one still, the answer is 304.",
    "example": '"41"',
}

_READERS: Final[dict[str, Callable[[Any], Any]]] = {
    "json": intake.read_json,
    "query": intake.read_query,
    "headers": intake.read_headers,
}
_REFUSED_IN: Final[dict[str, tuple[ProblemCode, ...]]] = {
    "json": (
        ProblemCode.INVALID_JSON,
        ProblemCode.INVALID_REQUEST,
        ProblemCode.BODY_TOO_LARGE,
        ProblemCode.UNSUPPORTED_MEDIA_TYPE,
    ),
    "query": (ProblemCode.INVALID_REQUEST,),
    "headers": (ProblemCode.INVALID_REQUEST,),
}
_NO_QUERY: Final = Query()
_ALWAYS: Final = (ProblemCode.RATE_LIMITED, ProblemCode.UNAVAILABLE, ProblemCode.INTERNAL_ERROR)


class Resource(MethodView):
    """The operations of one path. One object serves all requests, so it keeps nothing."""

    init_every_request = False


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]  # flask-smorest ships no types
    """Some operations, under one tag of the document."""

    def __init__(self, name: str, description: str) -> None:
        super().__init__(name, __name__, description=description)
        self._prepare_doc_cbks = [self._prepare_arguments_doc, self._prepare_response_doc, _prepare_operation_doc]

    def route(self, rule: str, **options: Any) -> Callable[[type[Resource]], type[Resource]]:
        """Serve a path with the operations of a resource."""
        decorate: Callable[[type[Resource]], type[Resource]] = super().route(rule, **options)
        return decorate

    def operation(
        self, operation_id: str, *codes: ProblemCode, links: Mapping[str, Any] | None = None
    ) -> Callable[[View], View]:
        """Name an operation, and the problems that it can have beside those of its arguments.

        It comes first: an operation whose arguments have no query takes none.
        """

        def decorate(view: View) -> View:
            parameters = _notes(view).get("arguments", {}).get("parameters", ())
            named = view if any(found["in"] == "query" for found in parameters) else _without_query(view)
            noted = _operation(named)
            noted["codes"] |= {*codes, *_ALWAYS}
            noted["operationId"], noted["links"] = operation_id, links
            return named

        return decorate

    def signed_in(self, *, optional: bool = False, at_table: bool = False) -> Callable[[View], View]:
        """Pass the caller to the view.

        Args:
            optional: pass None if no token was sent, as against refusing that.
            at_table: the use case has a revoked token refused by a statement that it needs anyway, so that a token that
                is known need not be looked up. A request that does not get there is still refused for its token first.
        """
        find = callers.maybe_known_caller if at_table else callers.maybe_caller

        def decorate(view: View) -> View:
            @wraps(view)
            def signed(resource: Resource, *args: Any, **kwargs: Any) -> Any:
                bearer = find() if optional else callers.present(find())
                try:
                    return view(resource, bearer, *args, **kwargs)
                except intake.REFUSALS:
                    if at_table:
                        callers.maybe_caller()
                    raise

            noted = _operation(signed)
            noted["security"] = [{}, {BEARER: []}] if optional else [{BEARER: []}]
            noted["codes"] |= {ProblemCode.UNAUTHENTICATED}
            return cast(View, signed)

        return decorate

    def arguments(self, schema: type[Schema], location: str = "json", example: Any = None) -> Callable[[View], View]:
        """Pass to the view what its body, query or headers say, read by a schema."""
        reader, instance = _READERS[location], schema()

        def decorate(view: View) -> View:
            @wraps(view)
            def reading(resource: Resource, *args: Any, **kwargs: Any) -> Any:
                return view(resource, *args, reader(instance), **kwargs)

            parameter = {"in": location, "schema": schema, "required": not getattr(schema, "optional_body", False)}
            if example is not None:
                parameter["example"] = example
            _notes(reading).setdefault("arguments", {}).setdefault("parameters", []).append(parameter)
            _operation(reading)["codes"] |= set(_REFUSED_IN[location])
            return cast(View, reading)

        return decorate

    def response(
        self,
        status: int,
        schema: type[Schema] | Noted | None = None,
        *,
        content_type: str = JSON,
        headers: tuple[str, ...] = (),
        tagged: bool = False,
    ) -> Callable[[View], View]:
        """Say what the one success is, and write the view's value by the schema, unless it is an answer already.

        Args:
            status: its status.
            schema: what its body is, None = there is none.
            content_type: its media type.
            headers: names of the headers that it has.
            tagged: whether it has an entity tag, and is 304 for a caller who has it already.
        """
        instance = schema() if isinstance(schema, type) else Schema()

        def decorate(view: View) -> View:
            @wraps(view)
            def answering(*args: Any, **kwargs: Any) -> Response:
                value = view(*args, **kwargs)
                return empty(status) if schema is None else written(instance, value, status)

            noted: Noted = {"description": HTTPStatus(status).phrase, "content_type": content_type}
            if schema is not None:
                noted["schema"] = schema
            if headers:
                noted["headers"] = {name: name for name in headers}
            responses = _notes(answering).setdefault("response", {}).setdefault("responses", {})
            responses.setdefault(status, []).append(noted)
            _operation(answering)["tagged"] |= tagged
            return cast(View, answering)

        return decorate


def _notes(view: Callable[..., Any]) -> Noted:
    """What was noted of a view so far, in the place where flask-smorest looks for it."""
    notes: Noted = view.__dict__.setdefault("_apidoc", {})
    return notes


def _operation(view: Callable[..., Any]) -> Noted:
    """Our own part of the notes."""
    noted: Noted = _notes(view).setdefault(
        "operation", {"codes": frozenset(), "security": [], "links": None, "tagged": False}
    )
    return noted


def _without_query(view: View) -> View:
    @wraps(view)
    def plain(*args: Any, **kwargs: Any) -> Any:
        if request.environ.get("QUERY_STRING"):
            intake.read_query(_NO_QUERY)
        return view(*args, **kwargs)

    _operation(plain)["codes"] |= {ProblemCode.INVALID_REQUEST}
    return cast(View, plain)


def _prepare_operation_doc(doc: Noted, doc_info: Noted, **_kwargs: Any) -> Noted:
    """Add to a described operation what :meth:`Blueprint.operation` and the arguments noted."""
    noted = doc_info["operation"]
    doc |= {"operationId": noted["operationId"], "security": noted["security"]}
    success = next(iter(doc["responses"].values()))
    if noted["links"]:
        success["links"] = noted["links"]
    if noted["tagged"]:
        success["headers"] = {**success.get("headers", {}), "ETag": "ETag"}
        doc["responses"][304] = {"description": "The caller has it already.", "headers": {"ETag": "ETag"}}
        doc.setdefault("parameters", []).append(IF_NONE_MATCH)
    doc["responses"] |= problem_responses(noted["codes"])
    return doc
