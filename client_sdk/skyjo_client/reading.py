"""Reading the members of a JSON object, each with its type. Knows no member by name, and leaves the others alone.

Every refusal is a ValueError whose message names the object, the member and the value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, TypeGuard, TypeVar

_T = TypeVar("_T")


class Members:
    """The members of one object of an answer.

    >>> Members("Bot", {"name": "kiebitz"}).text("name")
    'kiebitz'
    >>> Members("Bot", {"name": 7}).text("name")
    Traceback (most recent call last):
    ValueError: Bot.name is 7, but must be a text
    """

    __slots__ = ("_data", "_what")

    def __init__(self, what: str, data: object) -> None:
        if not isinstance(data, Mapping):
            raise ValueError(f"{what} is {data!r}, but must be an object")  # noqa: TRY004 - as for every wrong member
        self._what = what
        self._data = data

    def text(self, name: str) -> str:
        """A text."""
        return self._typed(name, str, "a text")

    def whole(self, name: str) -> int:
        """A whole number."""
        return self._typed(name, int, "a whole number")

    def number(self, name: str) -> float:
        """A number."""
        value = self._member(name)
        return float(value) if _is(value, int) else self._typed(name, float, "a number")

    def flag(self, name: str) -> bool:
        """True or false."""
        return self._typed(name, bool, "true or false")

    def moment(self, name: str) -> datetime:
        """A point in time with its zone, written as RFC 3339 says."""
        text = self.text(name)
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            raise self._wrong(name, text, "a time such as 2026-01-31T12:00:00Z") from None
        if moment.tzinfo is None:
            raise self._wrong(name, text, "a time with its zone")
        return moment

    def nested(self, name: str, read: Callable[[Any], _T]) -> _T:
        """An object, read by `read`."""
        member: Mapping[str, Any] = self._typed(name, dict, "an object")
        return read(member)

    def items(self, name: str, read: Callable[[Any], _T]) -> tuple[_T, ...]:
        """A list, each item read by `read`."""
        return tuple(map(read, self._typed(name, list, "a list")))

    def wholes(self, name: str) -> tuple[int, ...]:
        """A list of whole numbers."""
        values = self._typed(name, list, "a list")
        if not all(_is(value, int) for value in values):
            raise self._wrong(name, values, "a list of whole numbers")
        return tuple(values)

    def optional(self, name: str, read: Callable[[str], _T]) -> _T | None:
        """A member that may be null, else read by one of the other methods."""
        return None if self._member(name) is None else read(name)

    def itself(self, read: Callable[[Any], _T]) -> _T:
        """The object as a whole, read by `read`."""
        return read(self._data)

    def others(self, *known: str) -> dict[str, Any]:
        """Every member that is not one of these, as it is."""
        return {name: value for name, value in self._data.items() if name not in known}

    def _member(self, name: str) -> object:
        if name not in self._data:
            raise ValueError(f"{self._what} has no member {name!r}: it has {', '.join(self._data) or 'none'}")
        return self._data[name]

    def _typed(self, name: str, kind: type[_T], wanted: str) -> _T:
        value = self._member(name)
        if not _is(value, kind):
            raise self._wrong(name, value, wanted)
        return value

    def _wrong(self, name: str, value: object, wanted: str) -> ValueError:
        return ValueError(f"{self._what}.{name} is {value!r}, but must be {wanted}")


def _is(value: object, kind: type[_T]) -> TypeGuard[_T]:
    """Whether a value is of a type; true and false are no numbers."""
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
