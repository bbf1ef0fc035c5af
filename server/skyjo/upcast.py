"""Lines of logs in older formats, made into lines of today's: one step for each version. Judges nothing.

A log names its version in its header. What was written once is read for ever: whoever changes the form of a log gives
it the next number (:data:`skyjo.record.LOG_VERSION`) and writes here how a line of the last one becomes one of the new.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from skyjo.record import LOG_VERSION

Line = dict[str, Any]
Step = Callable[[Line], Line]
"""What makes of a line of one version a line of the next one."""

STEPS: Final[Mapping[int, Step]] = {}
"""By version, how its lines become those of the next one; there has been no other version than the first."""


def is_known(version: object, steps: Mapping[int, Step] = STEPS) -> bool:
    """Whether logs of a version can be read."""
    return type(version) is int and (version == LOG_VERSION or version in steps)


def upcast(line: Line, version: int, steps: Mapping[int, Step] = STEPS) -> Line:
    """A line as today's version writes it.

    Args:
        line: header, event or closing line.
        version: that of its log.
        steps: how lines of each version become those of the next one.

    >>> steps = {-1: lambda line: {**line, "cause": "player"}, 0: lambda line: {**line, "seat": line["seat"] - 1}}
    >>> upcast({"seat": 2}, -1, steps)
    {'seat': 1, 'cause': 'player'}
    >>> upcast({"seat": 2}, LOG_VERSION, steps)
    {'seat': 2}
    """
    for number in range(version, LOG_VERSION):
        line = steps[number](line)
    return line
