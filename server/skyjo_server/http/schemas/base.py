"""The kinds of schema: bodies, queries and headers come in, answers go out. Describes none of them."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar, Final

from marshmallow import EXCLUDE, RAISE, Schema, fields

SMALL_BODY: Final = 64 * 1024
"""Bytes of the largest ordinary body."""

LARGE_BODY: Final = 1024 * 1024
"""Bytes of the largest body with many actions."""

_MESSAGES: Final = {"type": "must be an object", "unknown": "is not known here"}


class _Described(Schema):
    """A schema whose docstring describes its component."""

    error_messages = _MESSAGES


class Request(_Described):
    """Something a client sends: a member that is not known is refused."""

    class Meta:
        unknown = RAISE


class Body(Request):
    """A whole body.

    Attributes:
        body_bytes: its greatest size.
        optional_body: whether no body at all counts as an empty object.
    """

    body_bytes: ClassVar[int] = SMALL_BODY
    optional_body: ClassVar[bool] = False


class Query(Request):
    """The parameters after the question mark."""

    def on_bind_field(self, _field_name: str, field_obj: fields.Field[Any]) -> None:
        """Note that no parameter can be null: it is there, or it is not."""
        field_obj.allow_none = False


class Headers(_Described):
    """Some headers of a request; there are always others."""

    class Meta:
        unknown = EXCLUDE

    def on_bind_field(self, _field_name: str, field_obj: fields.Field[Any]) -> None:
        """Note that no header can be null: it is there, or it is not."""
        field_obj.allow_none = False

    @cached_property
    def variables(self) -> list[tuple[str, str]]:
        """The headers' names, each with that of its variable in a WSGI environment."""
        names = [field.data_key or name for name, field in self.fields.items()]
        return [(name, "HTTP_" + name.upper().replace("-", "_")) for name in names]


class Answer(_Described):
    """Something the service gives. Every member is always there; more may be added in time."""

    class Meta:
        unknown = EXCLUDE

    def on_bind_field(self, _field_name: str, field_obj: fields.Field[Any]) -> None:
        """Note that the member is always there."""
        field_obj.required = True
