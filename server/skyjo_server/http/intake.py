"""Takes what a request carries to a schema: its body, its query, its headers. Says nothing about what they mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import IO, Any, Final
from urllib.parse import parse_qsl

from flask import request
from marshmallow import Schema, ValidationError, fields

from skyjo_server.http.errors import (
    BodyTooLarge,
    InvalidContent,
    InvalidJson,
    PreconditionRequired,
    UnsupportedMediaType,
)
from skyjo_server.http.schemas.base import Body, Headers, Query
from skyjo_server.http.strict_json import load_json, pointer

MOST_PARAMETERS: Final = 20

REFUSALS: Final = (BodyTooLarge, InvalidContent, InvalidJson, PreconditionRequired, UnsupportedMediaType)
"""What a request is refused with that no use case has seen."""

_WHOLE: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,15})")
_REAL: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,15})(?:\.[0-9]{1,20})?(?:[eE][+-]?[0-9]{1,3})?")
_UTF8: Final = re.compile(r'application/json *(?:; *charset="?utf-8"? *)?', re.IGNORECASE)


def read_json(schema: Body) -> Any:
    """Read the body as JSON and load it.

    Raises:
        UnsupportedMediaType, BodyTooLarge, InvalidJson, InvalidContent: see there.
    """
    environ = request.environ
    body = read_body(environ, schema.body_bytes)
    if not body and schema.optional_body and not environ.get("HTTP_TRANSFER_ENCODING"):
        return load(schema, {}, pointer)
    _check_media_type(environ)
    return load(schema, load_json(body), pointer)


def read_body(environ: Mapping[str, Any], limit: int) -> bytes:
    """Read a body of at most `limit` bytes.

    Raises:
        BodyTooLarge: unread if its length was announced, else as soon as it is over the limit.
        InvalidJson: if less has come than was announced. What was cut off is not what was sent.
    """
    announced = environ.get("CONTENT_LENGTH") or ""
    if announced:
        if not (announced.isascii() and announced.isdigit()):
            raise InvalidContent([("Content-Length", f"is {announced[:20]!r}, which is no length")])
        # The digits come first: int() refuses to read very many.
        if len(announced) > 12 or int(announced) > limit:
            raise BodyTooLarge(limit)
        body = _read_at_most(environ["wsgi.input"], int(announced))
        if len(body) < int(announced):
            raise InvalidJson("", f"ended after {len(body)} of {announced} bytes")
        return body
    if not environ.get("wsgi.input_terminated"):
        return b""
    body = _read_at_most(environ["wsgi.input"], limit + 1)
    if len(body) > limit:
        raise BodyTooLarge(limit)
    return body


def read_query(schema: Query) -> Any:
    """Load the query; a parameter that is not known, or stands twice, is refused.

    Raises:
        InvalidContent: naming the parameter.
    """
    text = request.environ.get("QUERY_STRING", "")
    return load(schema, dict(_parameters(schema, text)), _name) if text else _of_no_query(schema)


@cache
def _of_no_query(schema: Query) -> Any:
    """What a query without parameters asks for: always the same value, which nobody changes."""
    return load(schema, {}, _name)


def read_headers(schema: Headers) -> Any:
    """Load the headers that the schema names; the others are not its business.

    Raises:
        InvalidContent: naming the header.
    """
    environ = request.environ
    sent = {}
    for name, variable in schema.variables:
        value = environ.get(variable)
        if value is not None:
            sent[name] = value
    return load(schema, sent, _name)


def load(schema: Schema, data: Any, place: Callable[[list[str | int]], str]) -> Any:
    """Load data by a schema.

    Args:
        schema: the schema.
        data: what was sent.
        place: writes where a fault is, given its path.
    Raises:
        InvalidContent: naming every place at fault.
    """
    try:
        return schema.load(data)
    except ValidationError as error:
        raise InvalidContent([(place(path), detail) for path, detail in _faults(error.messages, [])]) from None


def _check_media_type(environ: Mapping[str, Any]) -> None:
    media_type = environ.get("CONTENT_TYPE") or ""
    if media_type != "application/json" and not _UTF8.fullmatch(media_type):
        raise UnsupportedMediaType("Content-Type", media_type)
    coding = environ.get("HTTP_CONTENT_ENCODING")
    if coding and coding.lower() != "identity":
        raise UnsupportedMediaType("Content-Encoding", coding)


def _read_at_most(stream: IO[bytes], size: int) -> bytes:
    parts = []
    while size > 0 and (part := stream.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _parameters(schema: Schema, text: str) -> Iterator[tuple[str, Any]]:
    seen = set()
    for name, value in _pairs(text):
        if name in seen:
            raise InvalidContent([(name, "stands in the query more than once")])
        seen.add(name)
        yield name, _as_json(schema.fields.get(name), value)


def _pairs(text: str) -> list[tuple[str, str]]:
    try:
        # A server hands over the bytes as Latin-1; whatever is not ASCII should have been percent-encoded.
        text.encode("ascii")
        return parse_qsl(
            text, keep_blank_values=True, strict_parsing=True, errors="strict", max_num_fields=MOST_PARAMETERS
        )
    except ValueError:
        raise InvalidContent([("", f"has the query {text[:100]!r}, which cannot be read")]) from None


def _as_json(field: fields.Field[Any] | None, text: str) -> Any:
    """Give the JSON value that the text of a parameter stands for; the text itself where the field will refuse it."""
    if isinstance(field, fields.Integer) and _WHOLE.fullmatch(text):
        return int(text)
    if isinstance(field, fields.Float) and _REAL.fullmatch(text):
        return float(text)
    return text


def _faults(messages: Any, path: list[str | int]) -> Iterator[tuple[list[str | int], str]]:
    if isinstance(messages, dict):
        for name, inner in messages.items():
            yield from _faults(inner, path if name == "_schema" else [*path, name])
    elif isinstance(messages, list):
        for message in messages:
            yield from _faults(message, path)
    else:
        yield path, str(messages)


def _name(path: list[str | int]) -> str:
    return ".".join(map(str, path))
