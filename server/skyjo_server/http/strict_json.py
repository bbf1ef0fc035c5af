"""JSON as this service takes it: bounded, in UTF-8, nothing doubtful, refused with the place. Knows no schema.

A sound body is read once, by the C scanner. Only a body with a fault is read a second time, to find where the fault is.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from skyjo_server.http.errors import InvalidJson

MAX_DEPTH: Final = 16
"""Levels of objects and arrays, one inside the other."""

MAX_WHOLE: Final = 2**53 - 1
"""The greatest whole number that every JSON reader keeps exactly; its negative is the least."""

_UNFIT: Final = re.compile("[\0\ud800-\udfff]")
_BRACKETS: Final = (b"[", b"{")
_CONTAINERS: Final = frozenset((dict, list))


@dataclass(frozen=True, slots=True)
class _Fault:
    """Stands in a value that was read where the body has something that is refused."""

    detail: str
    member: str | None = None

    def place_in(self, place: str) -> str:
        """Where it is, given the place of the value that holds it."""
        # A name that no text may have would make the answer about it one that cannot be sent.
        return place if self.member is None or _UNFIT.search(self.member) else place + pointer([self.member])


class _Faulty(Exception):
    """The body has a fault somewhere."""


def load_json(body: bytes) -> Any:
    """Read a body.

    Raises:
        InvalidJson: for anything but one JSON value in UTF-8 of at most 16 levels, in which no member stands twice,
            every number is finite, every whole number lies within ±(2^53 - 1) and no text has NUL or half a surrogate
            pair; names the place as a JSON pointer.
    """
    text = _decode(body)
    try:
        value, sound = _read(text, body)
    except RecursionError:
        raise InvalidJson("", f"has more than {MAX_DEPTH} levels") from None
    except json.JSONDecodeError as error:
        raise InvalidJson("", f"is not JSON: {error.msg} (line {error.lineno}, column {error.colno})") from None
    if not sound:
        for place, detail in _faults(value, "", 1):
            raise InvalidJson(place, detail)
    return value


def pointer(parts: Sequence[str | int]) -> str:
    """Write a JSON pointer (RFC 6901).

    >>> pointer(["actions", 0, "a/b"])
    '/actions/0/a~1b'
    """
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def _read(text: str, body: bytes) -> tuple[Any, bool]:
    """Read a text; False beside the value if it must be searched for faults."""
    try:
        value = _QUICK.decode(text)
    except _Faulty:
        return _MARKING.decode(text), False
    # Only an escape can bring in a character that UTF-8 text cannot have.
    return value, b"\\u" not in body and not (_may_be_deep(body) and _is_deep(value))


def _decode(body: bytes) -> str:
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidJson("", f"is not UTF-8 at byte {error.start}") from None
    if text.startswith("\ufeff"):
        raise InvalidJson("", "begins with a byte order mark")
    return text


def _may_be_deep(body: bytes) -> bool:
    return sum(map(body.count, _BRACKETS)) > MAX_DEPTH


def _is_deep(value: object) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [inner for outer in level for inner in _contents(outer) if type(inner) in _CONTAINERS]
        if not level:
            return False
    return True


def _contents(outer: object) -> Iterable[object]:
    if type(outer) is dict:
        return outer.values()
    return outer if type(outer) is list else ()


def _faults(value: object, place: str, depth: int) -> Iterator[tuple[str, str]]:
    """Give what is wrong, in the order of the body; `depth` is the level of `value`, from 1."""
    match value:
        case _Fault():
            yield value.place_in(place), value.detail
        case str() if _UNFIT.search(value):
            yield place, "has a character that no text may have: NUL or half a surrogate pair"
        case dict() | list() if depth > MAX_DEPTH:
            yield place, f"lies deeper than {MAX_DEPTH} levels"
        case dict():
            for name, member in value.items():
                yield from _faults(name, place, depth)
                yield from _faults(member, place + pointer([name]), depth + 1)
        case list():
            for index, item in enumerate(value):
                yield from _faults(item, f"{place}/{index}", depth + 1)
        case _:
            return


def _mark_members(members: list[tuple[str, Any]]) -> dict[str, Any] | _Fault:
    read = dict(members)
    if len(read) == len(members):
        return read
    counted = Counter(name for name, _ in members)
    return _Fault("stands here twice", next(name for name, count in counted.items() if count > 1))


def _mark_whole(text: str) -> int | _Fault:
    # The length comes first: turning a million digits into a number would take long.
    if len(text) <= 17 and -MAX_WHOLE <= (number := int(text)) <= MAX_WHOLE:
        return number
    return _Fault("is beyond ±(2^53 - 1)")


def _mark_real(text: str) -> float | _Fault:
    number = float(text)
    return number if math.isfinite(number) else _Fault("is too large for a number")


def _mark_constant(text: str) -> _Fault:
    return _Fault(f"is {text}, which is no number")


def _members(members: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(members)
    if len(read) != len(members):
        raise _Faulty
    return read


def _whole(text: str) -> int:
    if len(text) > 15 and isinstance(_mark_whole(text), _Fault):
        raise _Faulty
    return int(text)


def _real(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise _Faulty
    return number


def _constant(_text: str) -> float:
    raise _Faulty


_QUICK: Final = json.JSONDecoder(
    object_pairs_hook=_members, parse_int=_whole, parse_float=_real, parse_constant=_constant
)
_MARKING: Final = json.JSONDecoder(
    object_pairs_hook=_mark_members, parse_int=_mark_whole, parse_float=_mark_real, parse_constant=_mark_constant
)
