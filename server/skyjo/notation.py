"""Facts and events as JSON-ready objects, in the words of the log. Reads and writes; judges nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, Final

from skyjo.actions import Action
from skyjo.cards import HIGHEST, LOWEST, SEATS_MAX
from skyjo.errors import InvalidText
from skyjo.facts import (
    Cause,
    Dealt,
    Discarded,
    Drawn,
    Event,
    Fact,
    Flipped,
    GameEnded,
    Left,
    Placed,
    Removed,
    Reshuffled,
    RoundScored,
)
from skyjo.places import Place
from skyjo.reading import flag, items, one_of, quoted, whole
from skyjo.view import SeenDealt, SeenDrawn, SeenEvent, SeenFact, SeenReshuffled

ACTION_CHARACTERS: Final = 37
"""The length of the longest action, which flips eleven cards."""

POINTS_MAX: Final = 10**9
"""The greatest number of points that is read: more than any rules can bring about."""

KINDS: Final[dict[str, type[Fact]]] = {
    "dealt": Dealt,
    "flipped": Flipped,
    "drawn": Drawn,
    "placed": Placed,
    "discarded": Discarded,
    "removed": Removed,
    "reshuffled": Reshuffled,
    "round_scored": RoundScored,
    "left": Left,
    "game_ended": GameEnded,
}
"""The kinds of fact, by their name in the log."""

_SEEN: Final[dict[str, type[SeenFact]]] = {"dealt": SeenDealt, "drawn": SeenDrawn, "reshuffled": SeenReshuffled}
_KIND_OF: Final = {fact: kind for kinds in (KINDS, _SEEN) for kind, fact in kinds.items()}
_NAMES: Final = {fact: tuple(field.name for field in fields(fact)) for fact in _KIND_OF}


def fact_to_dict(fact: SeenFact) -> dict[str, Any]:
    """A fact as ``{"kind": …}`` with places as texts and cards as whole numbers.

    >>> fact_to_dict(Flipped(1, Place.parse("c2"), -2))
    {'kind': 'flipped', 'seat': 1, 'place': 'c2', 'card': -2}
    """
    written: dict[str, Any] = {"kind": _KIND_OF[type(fact)]}
    for name in _NAMES[type(fact)]:
        written[name] = _WRITE.get(name, _same)(getattr(fact, name))
    return written


def fact_from_dict(data: Mapping[str, Any]) -> Fact:
    """Read a fact.

    Raises:
        InvalidText: for an unknown kind, a missing or unknown member, or a value out of range.
    """
    kind = _kind(data)
    fact: Fact = _read_fact(kind, KINDS[kind], data, _READ)
    return fact


def seen_fact_from_dict(data: Mapping[str, Any]) -> SeenFact:
    """Read a fact as a viewer was shown it: the cards of a deal, a draw or a reshuffle may be null.

    Raises:
        InvalidText: as :func:`fact_from_dict`.
    """
    kind = _kind(data)
    fact: SeenFact = _read_fact(kind, _SEEN.get(kind, KINDS[kind]), data, _READ_SEEN if kind in _SEEN else _READ)
    return fact


def _kind(data: object) -> str:
    kind = data.get("kind") if isinstance(data, Mapping) else None
    if not isinstance(kind, str) or kind not in KINDS:
        raise InvalidText(f"{quoted(data)} is no fact: its kind must be one of {', '.join(KINDS)}")
    return kind


def _read_fact(
    kind: str, fact: type[Any], data: Mapping[str, Any], read: Mapping[str, Callable[[str, Any], Any]]
) -> Any:
    names = _NAMES[fact]
    if set(data) != {"kind", *names}:
        found = quoted(", ".join(sorted(data)))
        raise InvalidText(f"a {kind!r} fact has the members kind, {', '.join(names)}, but here are {found}")
    return fact(**{name: read[name](name, data[name]) for name in names})


def event_to_dict(event: Event | SeenEvent) -> dict[str, Any]:
    """An event as the log writes it, without its game, time and hash."""
    return {
        "version": event.version,
        "seat": event.seat,
        "action": None if event.action is None else str(event.action),
        "cause": event.cause.value,
        "facts": [fact_to_dict(fact) for fact in event.facts],
    }


def event_from_dict(data: Mapping[str, Any], opener: int | None = None) -> Event:
    """Read an event; members beside the five of :func:`event_to_dict` are left alone.

    Raises:
        InvalidText: naming the member that cannot be read.
    """
    return Event(**_read_event(data, fact_from_dict), opener=opener)


def seen_event_from_dict(data: Mapping[str, Any]) -> SeenEvent:
    """Read an event as a viewer was shown it.

    Raises:
        InvalidText: naming the member that cannot be read.
    """
    return SeenEvent(**_read_event(data, seen_fact_from_dict))


def _read_event(data: Mapping[str, Any], read_fact: Callable[[Mapping[str, Any]], Any]) -> dict[str, Any]:
    missing = {"version", "seat", "action", "cause", "facts"} - set(data)
    if missing:
        raise InvalidText(f"an event lacks {', '.join(sorted(missing))}")
    return {
        "version": whole("version", data["version"], 0, 10**9),
        "seat": None if data["seat"] is None else _seat("seat", data["seat"]),
        "action": None if data["action"] is None else _action(data["action"]),
        "cause": Cause(one_of("cause", data["cause"], tuple(Cause))),
        "facts": _read_facts(data["facts"], read_fact),
    }


def _read_facts(data: Any, read_fact: Callable[[Mapping[str, Any]], Any]) -> tuple[Any, ...]:
    facts: list[Any] = []
    listed = items("facts", data)
    try:
        facts.extend(map(read_fact, listed))
    except InvalidText as error:
        raise InvalidText(f"facts[{len(facts)}]: {error}") from None
    return tuple(facts)


def _same(value: Any) -> Any:
    return value


_Reader = Callable[[str, Any], Any]

_WRITE: Final[dict[str, Callable[[Any], Any]]] = {
    "place": str,
    "places": lambda places: [str(place) for place in places],
    **dict.fromkeys(("cards", "raw", "final", "totals", "ranks"), list),
}


def _action(value: Any) -> Action:
    if not isinstance(value, str) or len(value) > ACTION_CHARACTERS:
        raise InvalidText(f"action is {quoted(value)}, but must be a text such as 'take c2', or null")
    return Action.parse(value)


def _seat(name: str, value: Any) -> int:
    return whole(name, value, 0, SEATS_MAX - 1)


def _card(name: str, value: Any) -> int:
    return whole(name, value, LOWEST, HIGHEST)


def _list(read: _Reader) -> _Reader:
    return lambda name, value: tuple([read(name, item) for item in items(name, value)])


def _points(name: str, value: Any) -> int:
    return whole(name, value, -POINTS_MAX, POINTS_MAX)


def _rank(name: str, value: Any) -> int:
    return whole(name, value, 1, SEATS_MAX)


def _read_place(name: str, value: Any) -> Place:
    try:
        return Place.parse(value)
    except InvalidText:
        raise InvalidText(f"{name} is {quoted(value)}, but must be a column a-d and a row 1-3, such as 'c2'") from None


_READ: Final[dict[str, _Reader]] = {
    "round": lambda name, value: whole(name, value, 1, 10**9),
    "seat": _seat,
    "ender": lambda name, value: None if value is None else _seat(name, value),
    "card": _card,
    "place": _read_place,
    "places": _list(_read_place),
    "cards": _list(_card),
    "raw": _list(_points),
    "final": _list(_points),
    "totals": _list(_points),
    "ranks": _list(_rank),
    "truncated": flag,
}

_READ_SEEN: Final[dict[str, _Reader]] = {
    **_READ,
    "card": lambda name, value: None if value is None else _card(name, value),
    "cards": _list(lambda name, value: None if value is None else _card(name, value)),
}
