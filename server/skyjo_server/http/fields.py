"""Strict fields: a value is taken as what it is or refused, never turned into something else. Knows no schema.

The messages stand behind the name of the place ("wait must be …"), so they have no subject.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final, NoReturn
from uuid import UUID

from marshmallow import ValidationError, fields, validate
from marshmallow.types import ErrorMessages

from skyjo_server.service.secrets import holds_token
from skyjo_server.service.timestamps import timestamp

_LONGEST_SHOWN: Final = 60
UUID_PATTERN: Final = r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
_UUID: Final = re.compile(UUID_PATTERN)
_MOMENT: Final = re.compile(r"2\d{3}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)", re.ASCII)
_NO_TEXT: Final = re.compile("[\0\ud800-\udfff]")
_MESSAGES: Final[ErrorMessages] = {
    "required": "is required",
    "null": "may not be null",
    "type": "must be an object",
    "invalid": "must be a list",
}


def refuse(wanted: str, value: object) -> NoReturn:
    """Refuse a value, which is quoted, but not at any length.

    Raises:
        ValidationError: always.
    """
    shown = repr(value)
    if len(shown) > _LONGEST_SHOWN:
        shown = f"{shown[:_LONGEST_SHOWN]}…"
    raise ValidationError(f"must be {wanted}, not {shown}")


class _Strict:
    """What every field says for marshmallow's own checks."""

    default_error_messages: ErrorMessages = _MESSAGES


class Whole(_Strict, fields.Integer):
    """A whole number between two bounds, both included. 3.0, "3" and true are none."""

    def __init__(self, low: int, high: int, **options: Any) -> None:
        super().__init__(strict=True, validate=validate.Range(low, high), **options)
        self.low, self.high = low, high

    def deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """Read a value; the bounds are checked here, once."""
        if type(value) is int and self.low <= value <= self.high:
            return value
        return super().deserialize(value, *args, **kwargs)

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> int:
        refuse(f"a whole number from {self.low} to {self.high}", value)


class Real(_Strict, fields.Float):
    """A finite number between two bounds, both included."""

    def __init__(self, low: float, high: float, **options: Any) -> None:
        super().__init__(validate=validate.Range(low, high), **options)
        self.low, self.high = low, high

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> float:
        if type(value) in {int, float} and math.isfinite(value) and self.low <= value <= self.high:
            return float(value)
        refuse(f"a number from {self.low:g} to {self.high:g}", value)


class Flag(_Strict, fields.Boolean):
    """true or false."""

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> bool:
        if isinstance(value, bool):
            return value
        refuse("true or false", value)


class Text(_Strict, fields.String):
    """A text that follows a pattern as a whole; `shape` says it in words.

    It never has NUL or half a surrogate pair, nor a token: texts are kept, shown and logged, and tokens must not be.
    """

    def __init__(self, pattern: str, shape: str, **options: Any) -> None:
        self.pattern, self.shape = re.compile(pattern, re.ASCII), shape
        metadata = {"pattern": f"^{pattern.removeprefix('^').removesuffix('$')}$", **options.pop("metadata", {})}
        super().__init__(metadata=metadata, **options)

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> str:
        if isinstance(value, str) and self.pattern.fullmatch(value) and not _NO_TEXT.search(value):
            if holds_token(value):
                raise ValidationError("must not have a token in it")
            return value
        refuse(self.shape, value)


class Word(_Strict, fields.String):
    """One of a few words.

    Attributes:
        component: the name under which the document describes them; None = in place.
    """

    def __init__(self, words: Sequence[str], component: str | None = None, **options: Any) -> None:
        self.words, self.component = tuple(str(word) for word in words), component
        super().__init__(validate=validate.OneOf(self.words), **options)

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> str:
        if isinstance(value, str) and value in self.words:
            return value
        refuse(" or ".join(map(repr, self.words)), value)


class Uuid(_Strict, fields.UUID):
    """A UUID in its canonical form: lower case, with hyphens."""

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> UUID:
        if isinstance(value, str) and _UUID.fullmatch(value):
            return UUID(value)
        refuse("a UUID in lower case, such as '00112233-4455-6677-8899-aabbccddeeff'", value)


class Items(_Strict, fields.List[Any]):
    """A list of so many items."""

    def __init__(self, item: fields.Field[Any], low: int, high: int, **options: Any) -> None:
        super().__init__(item, validate=validate.Length(low, high), **options)
        self.low, self.high = low, high

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> list[Any]:
        # The length comes first: a million items need no reading to be refused.
        if not isinstance(value, list) or not self.low <= len(value) <= self.high:
            wanted = f"a list of {self.low} to {self.high} items"
            refuse(wanted, f"{len(value)} items" if isinstance(value, list) else value)
        return super()._deserialize(value, attr, data, **kwargs)


class Timestamp(_Strict, fields.DateTime):
    """A point in time, written as RFC 3339 in UTC. Answers only."""

    def _serialize(self, value: datetime | None, *_args: Any, **_kwargs: Any) -> str | None:
        return None if value is None else timestamp(value)


class Moment(_Strict, fields.DateTime):
    """A point in time in this millennium, as RFC 3339 writes it, with any offset; it becomes one in UTC."""

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> datetime:
        if isinstance(value, str) and _MOMENT.fullmatch(value):
            with suppress(ValueError):
                return datetime.fromisoformat(value.upper()).astimezone(UTC)
        refuse("a point in time from 2000 to 2999, such as '2030-01-02T03:04:05Z'", value)


class Inner(_Strict, fields.Nested):
    """An object with a schema of its own."""


class Named(_Strict, fields.Raw):
    """A value that another component describes, such as ``Action``.

    Attributes:
        component: that component's name.
    """

    component: str

    def __init__(self, component: str, **options: Any) -> None:
        super().__init__(**options)
        self.component = component
