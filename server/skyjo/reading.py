"""Strict readers of lines and JSON values: each refusal quotes the value and says what would be right. Knows no game.

Made for files from anywhere: a file is read line by line, a line has a greatest length, and no text can bring anything
but :class:`~skyjo.errors.InvalidText`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final
from uuid import UUID

from skyjo.errors import InvalidText

LINE_CHARACTERS: Final = 65_536
"""The longest line that is read, in characters. The longest that is written has about a tenth."""

NAME_CHARACTERS: Final = 200
"""The longest name of a seat."""

Lines = Iterable[str | bytes]
"""A text, an open file (best in binary), or its lines one by one; bytes are UTF-8."""

_QUOTED_CHARACTERS: Final = 80
_MESSAGE_CHARACTERS: Final = 500
_HEX: Final = re.compile(r"(?:[0-9a-f]{2})*")
_TIME: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?(?:Z|[+-][0-9]{2}:[0-9]{2})"
)


def quoted(value: object) -> str:
    """A value as a message shows it: never long, whatever it is.

    >>> quoted("c2"), len(quoted("c2" * 1000))
    ("'c2'", 80)
    """
    try:
        text = repr(value)
    except (RecursionError, ValueError):
        text = f"a {type(value).__name__}"
    return text if len(text) <= _QUOTED_CHARACTERS else text[: _QUOTED_CHARACTERS - 3] + "..."


def at_line(number: int, error: Exception) -> str:
    """What an error says, with the line that it is about; never long."""
    text = str(error)
    return f"line {number}: {text if len(text) <= _MESSAGE_CHARACTERS else text[:_MESSAGE_CHARACTERS] + '...'}"


def numbered_lines(lines: Lines) -> Iterator[tuple[int, str]]:
    """The lines of a text or file with their numbers from 1, without their ends; at most one is in memory.

    Raises:
        InvalidText: for a line that is too long or is no UTF-8.
    """
    for number, line in enumerate(_lines(lines), start=1):
        if len(line) > LINE_CHARACTERS:
            raise InvalidText(f"line {number} is too long: a line has at most {LINE_CHARACTERS} characters")
        yield number, (line if isinstance(line, str) else _decoded(number, line)).rstrip("\r\n")


def json_object(text: str) -> dict[str, Any]:
    """Read a JSON object, strictly.

    Raises:
        InvalidText: if it is something else, names a member twice, or has NaN, an infinity or an endless number.
    """
    value = json_value(text)
    if not isinstance(value, dict):
        raise InvalidText(f"a line must be a JSON object, but this is {quoted(value)}")
    return value


def json_value(text: str) -> Any:
    """Read any JSON value, as strictly as :func:`json_object`."""
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant)
    except InvalidText:
        raise
    except json.JSONDecodeError as error:
        raise InvalidText(f"this is not JSON: {error.msg} at character {error.pos + 1} of {quoted(text)}") from None
    except RecursionError:
        raise InvalidText("this JSON is nested too deeply: a game needs four levels") from None
    except ValueError:
        raise InvalidText("this JSON has a number of thousands of digits: no number of a game has ten") from None


def check_members(
    what: str, data: object, required: AbstractSet[str], optional: AbstractSet[str] = frozenset()
) -> None:
    """Refuse anything but an object with all required members, and no others but optional ones.

    Raises:
        InvalidText: naming what is missing or unknown.
    """
    if not isinstance(data, dict):
        raise InvalidText(f"{what} is {quoted(data)}, but must be an object")
    if missing := required - data.keys():
        raise InvalidText(f"{what} lacks {', '.join(sorted(missing))}")
    if unknown := data.keys() - required - optional:
        known = ", ".join(sorted(required | optional))
        raise InvalidText(f"{what} has the unknown member {quoted(min(unknown))}: its members are {known}")


def whole(name: str, value: Any, low: int, high: int) -> int:
    """Read a whole number within bounds."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise InvalidText(f"{name} is {quoted(value)}, but must be a whole number from {low} to {high}")
    return value


def flag(name: str, value: Any) -> bool:
    """Read true or false."""
    if not isinstance(value, bool):
        raise InvalidText(f"{name} is {quoted(value)}, but must be true or false")
    return value


def items(name: str, value: Any) -> Sequence[Any]:
    """Read a list; its items are for the caller to read."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise InvalidText(f"{name} is {quoted(value)}, but must be a list")
    return value


def hex_bytes(name: str, value: Any) -> bytes:
    """Read bytes written as lower-case hexadecimal digits."""
    if not isinstance(value, str) or not _HEX.fullmatch(value):
        raise InvalidText(f"{name} is {quoted(value)}, but must be pairs of hexadecimal digits 0-9 a-f")
    return bytes.fromhex(value)


def identity(name: str, value: Any) -> UUID:
    """Read a UUID in its one usual form."""
    try:
        read = UUID(value)
    except (ValueError, TypeError, AttributeError):
        read = None
    if read is None or str(read) != value:
        raise InvalidText(f"{name} is {quoted(value)}, but must be a UUID such as 00112233-4455-6677-8899-aabbccddeeff")
    return read


def seat_name(name: str, value: Any) -> str:
    """Read the name of a seat's player."""
    if not isinstance(value, str) or not value.isprintable() or not 1 <= len(value) <= NAME_CHARACTERS:
        raise InvalidText(f"{name} is {quoted(value)}, but must be 1 to {NAME_CHARACTERS} printable characters")
    return value


def time_text(name: str, value: Any) -> str:
    """Read a time; it stays a text."""
    if not isinstance(value, str) or not _TIME.fullmatch(value):
        raise InvalidText(f"{name} is {quoted(value)}, but must be a time such as 2026-01-31T18:30:00.5Z (RFC 3339)")
    return value


def one_of(name: str, value: Any, words: Sequence[str]) -> str:
    """Read one of a few words."""
    if not isinstance(value, str) or value not in words:
        raise InvalidText(f"{name} is {quoted(value)}, but must be one of {', '.join(words)}")
    return value


def _lines(lines: Lines) -> Iterable[str | bytes]:
    if isinstance(lines, str):
        return _lines_of_text(lines)
    readline = getattr(lines, "readline", None)
    return lines if readline is None else _lines_of_file(readline)


def _lines_of_text(text: str) -> Iterator[str]:
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield text[start:end]
        start = end + 1


def _lines_of_file(readline: Callable[[int], str | bytes]) -> Iterator[str | bytes]:
    """The lines of a file; of one that is too long only the beginning, which the caller refuses."""
    while line := readline(LINE_CHARACTERS + 1):
        yield line


def _decoded(number: int, line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise InvalidText(f"line {number} is not UTF-8: {error.reason} at byte {error.start + 1}") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidText(f"the member {quoted(twice)} stands twice in one object: write it once")
    return members


def _refuse_constant(word: str) -> Any:
    raise InvalidText(f"{word} is no JSON number: write a whole number")
