"""Ways in which a log is falsified or damaged: each changes parsed lines in place. Asserts nothing."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any, Final

from tests.skyjo.export.records import Lines

Mutation = Callable[[Random, Lines], object]

ADDED: Final = ("at", "hash", "salt")
"""Members that are not content."""

CAUSES: Final = ("player", "timeout", "forfeit", "system")
PLACES: Final = tuple(f"{column}{row}" for column in "abcd" for row in "123")


def content(lines: Lines) -> Lines:
    """What lines say, without additions."""
    return [{name: value for name, value in line.items() if name not in ADDED} for line in lines]


def changed_leaf(random: Random, lines: Lines) -> None:
    """One number, word, flag or null, anywhere, becomes another of its kind."""
    place, step = _leaf(random, random.choice(lines))
    place[step] = _another(random, place[step])


def changed_fact(random: Random, lines: Lines) -> None:
    """One value of one event's facts."""
    place, step = _leaf(random, random.choice(_events(lines))["facts"])
    place[step] = _another(random, place[step])


def swapped_cards(random: Random, lines: Lines) -> None:
    """Two cards of a deal or a reshuffle change places."""
    piles = [fact["cards"] for line in _events(lines) for fact in line["facts"] if "cards" in fact]
    cards = random.choice(piles)
    first, second = random.sample(range(len(cards)), 2)
    cards[first], cards[second] = cards[second], cards[first]


def another_action(random: Random, lines: Lines) -> None:
    """An event tells of another action, with the facts of the first."""
    line = random.choice(_events(lines))
    verb = random.choice(["take", "keep", "reject"])
    flips = f"flip {' '.join(random.sample(PLACES, 2))}"
    line["action"] = random.choice([None, "draw", "reject", flips, f"{verb} {random.choice(PLACES)}"])


def another_cause(random: Random, lines: Lines) -> None:
    """Somebody's own action becomes a timeout, or the other way round."""
    line = random.choice(_events(lines))
    line["cause"] = random.choice([cause for cause in CAUSES if cause != line["cause"]])


def another_seat(random: Random, lines: Lines) -> None:
    """Another seat did it, in the event and in its facts."""
    line = random.choice(_events(lines)[1:])
    seat = (line["seat"] + random.randint(1, len(lines[0]["seats"]) - 1)) % len(lines[0]["seats"])
    for fact in line["facts"]:
        if fact.get("seat") == line["seat"]:
            fact["seat"] = seat
    line["seat"] = seat


def edited_score(random: Random, lines: Lines) -> None:
    """A score, total or rank, in a fact or in the result."""
    scored = [
        fact for line in _events(lines) for fact in line["facts"] if fact["kind"] in ("round_scored", "game_ended")
    ]
    told = random.choice([*scored, lines[-1]["result"]])
    points = told[random.choice([name for name in ("raw", "final", "totals", "ranks") if told.get(name)])]
    points[random.randrange(len(points))] += random.choice([-10, -1, 1, 10])


def deleted_line(random: Random, lines: Lines) -> None:
    """A line is gone."""
    del lines[random.randrange(len(lines))]


def deleted_event(random: Random, lines: Lines) -> None:
    """An event is gone, and the versions are closed up."""
    del lines[random.randrange(1, len(lines) - 1)]
    _renumber(lines)


def repeated_event(random: Random, lines: Lines) -> None:
    """An event stands twice, or again somewhere else, and the versions are counted anew."""
    lines.insert(random.randrange(1, len(lines)), deepcopy(random.choice(_events(lines))))
    _renumber(lines)


def swapped_events(random: Random, lines: Lines) -> None:
    """Two neighbours change places and versions."""
    at = random.randrange(1, len(lines) - 2)
    lines[at], lines[at + 1] = lines[at + 1], lines[at]
    _renumber(lines)


def cut_short(random: Random, lines: Lines) -> None:
    """The last events are gone; the result stays, or is that of a stopped game."""
    keep = random.randrange(1, len(lines) - 1)
    del lines[keep:-1]
    if random.random() < 0.5:
        lines[-1]["result"] |= {"status": "void", "ranks": None}


def changed_list(random: Random, lines: Lines) -> None:
    """An item of a list is gone, stands twice, or changes places with its neighbour."""
    at = random.choice([found for line in lines for found in _lists(line) if found])
    index = random.randrange(len(at))
    match random.choice(["delete", "repeat", "swap"]):
        case "delete":
            del at[index]
        case "repeat":
            at.insert(index, deepcopy(at[index]))
        case _:
            at[index - 1], at[index] = at[index], at[index - 1]


def deleted_member(random: Random, lines: Lines) -> None:
    """A member of an object is gone."""
    found = random.choice([inner for line in lines for inner in _objects(line)])
    del found[random.choice(list(found))]


def renamed_player(random: Random, lines: Lines) -> None:
    """Somebody else played this, or the players change seats."""
    seats = lines[0]["seats"]
    if random.random() < 0.5:
        seats[random.randrange(len(seats))]["name"] += "a"
    else:
        seats[0], seats[-1] = seats[-1], seats[0]


MUTATIONS: Final[tuple[Mutation, ...]] = (
    changed_leaf,
    changed_fact,
    swapped_cards,
    another_action,
    another_cause,
    another_seat,
    edited_score,
    deleted_line,
    deleted_event,
    repeated_event,
    swapped_events,
    cut_short,
    changed_list,
    deleted_member,
    renamed_player,
)


def _events(lines: Lines) -> Lines:
    return lines[1:-1]


def _renumber(lines: Lines) -> None:
    for version, line in enumerate(_events(lines)):
        line["version"] = version


def _leaf(random: Random, place: Any) -> tuple[Any, Any]:
    """A container and a step that leads to a value in it which is no container, or an empty one."""
    while True:
        step = random.choice(list(place)) if isinstance(place, dict) else random.randrange(len(place))
        if not isinstance(place[step], dict | list) or not place[step]:
            return place, step
        place = place[step]


def _another(random: Random, value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return value + random.choice([-7, -1, 1, 2])
        case str() if value in PLACES:
            return random.choice([place for place in PLACES if place != value])
        case str() if value:
            at = random.randrange(len(value))
            return value[:at] + ("0" if value[at] != "0" else "1") + value[at + 1 :]
        case None:
            return random.choice([0, 1, "draw"])
        case _:
            return [0]


def _lists(value: Any) -> list[list[Any]]:
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return ([value] if isinstance(value, list) else []) + [found for item in inner for found in _lists(item)]


def _objects(value: Any) -> list[dict[str, Any]]:
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return ([value] if isinstance(value, dict) else []) + [found for item in inner for found in _objects(item)]
