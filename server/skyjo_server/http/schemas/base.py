"""The kinds of schema: bodies, queries and headers come in, answers go out. Describes none of them."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar, Final

from marshmallow import EXCLUDE, RAISE, Schema, ValidationError, fields, missing, post_load

SMALL_BODY: Final = 64 * 1024
"""Bytes of the largest ordinary body."""

LARGE_BODY: Final = 1024 * 1024
"""Bytes of the largest body with many actions."""

_MESSAGES: Final = {"type": "must be an object", "unknown": "is not known here"}


class Request(Schema):
    """Something a client sends: a member that is not known is refused."""

    error_messages = _MESSAGES

    class Meta:
        unknown = RAISE

    def build(self, data: dict[str, Any]) -> Any:
        """Build the value that the loaded members stand for; the members themselves, unless a schema says otherwise."""
        return data

    def load(self, data: Any, **options: Any) -> Any:
        """Load data and build its value. What is sound takes half of marshmallow's time; what is not, marshmallow says.

        Raises:
            ValidationError: naming everything that is wrong.
        """
        if type(data) is dict and not options and self._keys.issuperset(data):
            try:
                loaded = {name: field.deserialize(data.get(key, missing)) for key, name, field in self._members}
                return self.build({name: value for name, value in loaded.items() if value is not missing})
            except ValidationError:
                pass
        return super().load(data, **options)

    @cached_property
    def _members(self) -> list[tuple[str, str, fields.Field[Any]]]:
        """The fields, each with the name that is sent and its own."""
        return [(field.data_key or name, name, field) for name, field in self.load_fields.items()]

    @cached_property
    def _keys(self) -> frozenset[str]:
        return frozenset(key for key, _, _ in self._members)

    @post_load
    def _built(self, data: dict[str, Any], **_kwargs: Any) -> Any:
        return self.build(data)


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


class Headers(Query):
    """Some headers of a request; there are always others, which are not looked at."""

    @cached_property
    def variables(self) -> list[tuple[str, str]]:
        """The headers' names, each with that of its variable in a WSGI environment."""
        return [(name, "HTTP_" + name.upper().replace("-", "_")) for name, _, _ in self._members]


class Answer(Schema):
    """Something the service gives. Every member is always there; more may be added in time."""

    class Meta:
        unknown = EXCLUDE

    def on_bind_field(self, _field_name: str, field_obj: fields.Field[Any]) -> None:
        """Note that the member is always there."""
        field_obj.required = True
