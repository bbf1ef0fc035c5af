"""The headers of a transcript: what was agreed before a game and how it ended, as names and values. Knows no move.

:mod:`skyjo.transcript` shows the form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from skyjo.cards import SEATS_MAX
from skyjo.errors import InvalidText
from skyjo.notation import POINTS_MAX
from skyjo.reading import hex_bytes, identity, one_of, quoted, seat_name, time_text, whole
from skyjo.record import LOG_VERSION, Board, GameRecord, Result, Status
from skyjo.rules import PRESETS, RuleSet

HEADER_NAMES: Final = (
    "Skyjo", "Game", "Board", "BoardSalt", "Date", "Rules", *(f"Seat{seat}" for seat in range(SEATS_MAX)),
    "Commitment", "Seed", *(f"Entropy{seat}" for seat in range(SEATS_MAX)), "Result", "Totals", "Ranks", "Hash",
)  # fmt: skip
"""Every header there is, in the order in which they are written."""

_WITH: Final = " with "
_OPTION: Final = re.compile(r"([a-z_]+)=(?:(-?[0-9]{1,9})|([a-z_]+))")
_WORDS: Final = {"true": True, "false": False, "none": None}
_NUMBER: Final = re.compile(r"-?[0-9]{1,10}")


def write_headers(record: GameRecord) -> Iterator[tuple[str, str]]:
    """The headers of a game by name, in their order."""
    yield "Skyjo", str(LOG_VERSION)
    yield "Game", str(record.game)
    if record.board is not None:
        yield "Board", str(record.board.id)
        yield "BoardSalt", record.board.salt.hex()
    if record.events and (date := record.events[0].at) is not None:
        yield "Date", date
    yield "Rules", _rules_text(record.rules)
    yield from ((f"Seat{seat}", name) for seat, name in enumerate(record.seats))
    yield "Commitment", record.commitment.hex()
    yield "Seed", record.seed.hex()
    yield from ((f"Entropy{seat}", given.hex()) for seat, given in enumerate(record.entropy))
    yield "Result", record.result.status.value
    yield "Totals", " ".join(map(str, record.result.totals))
    if record.result.ranks is not None:
        yield "Ranks", " ".join(map(str, record.result.ranks))
    if record.hash is not None:
        yield "Hash", record.hash.hex()


def read_headers(headers: dict[str, str]) -> GameRecord:
    """The game that its headers describe, still without events; Date and Hash are for the caller.

    Raises:
        InvalidText: for a header that is missing, or has a value it cannot have.
        InvalidRules: for a rules option out of its bounds.
    """
    if (version := _header(headers, "Skyjo")) != str(LOG_VERSION):
        raise InvalidText(f"Skyjo is {quoted(version)}, but this reader knows version {LOG_VERSION} of the transcript")
    if "Date" in headers:
        time_text("Date", headers["Date"])
    return GameRecord(
        game=identity("Game", _header(headers, "Game")),
        rules=_read_rules(_header(headers, "Rules")),
        seats=tuple(seat_name(f"Seat{seat}", name) for seat, name in enumerate(_by_seat(headers, "Seat"))),
        commitment=hex_bytes("Commitment", _header(headers, "Commitment")),
        seed=hex_bytes("Seed", _header(headers, "Seed")),
        entropy=tuple(hex_bytes(f"Entropy{seat}", given) for seat, given in enumerate(_by_seat(headers, "Entropy"))),
        events=(),
        result=_read_result(headers),
        board=_read_board(headers),
    )


def _header(headers: dict[str, str], name: str) -> str:
    if name not in headers:
        raise InvalidText(f"the header {name} is missing: there is {', '.join(headers) or 'none'}")
    return headers[name]


def _by_seat(headers: dict[str, str], name: str) -> list[str]:
    """The values of Seat0, Seat1 … or Entropy0, Entropy1 …, which have no gap."""
    count = sum(f"{name}{seat}" in headers for seat in range(SEATS_MAX))
    return [_header(headers, f"{name}{seat}") for seat in range(count)]


def _read_result(headers: dict[str, str]) -> Result:
    status = Status(one_of("Result", _header(headers, "Result"), tuple(Status)))
    totals = _numbers("Totals", _header(headers, "Totals"), -POINTS_MAX)
    return Result(status, totals, _numbers("Ranks", headers["Ranks"], 1) if "Ranks" in headers else None)


def _numbers(name: str, text: str, low: int) -> tuple[int, ...]:
    words = text.split(" ")
    if not all(map(_NUMBER.fullmatch, words)):
        raise InvalidText(f"{name} is {quoted(text)}, but must be whole numbers by seat, such as '12 -3'")
    return tuple(whole(name, int(word), low, POINTS_MAX) for word in words)


def _read_board(headers: dict[str, str]) -> Board | None:
    if "Board" not in headers and "BoardSalt" not in headers:
        return None
    salt = hex_bytes("BoardSalt", _header(headers, "BoardSalt"))
    return Board(identity("Board", _header(headers, "Board")), salt)


def _rules_text(rules: RuleSet) -> str:
    """The preset, or how the rules differ from the default ones.

    >>> _rules_text(RuleSet.preset("french")), _rules_text(RuleSet(score_limit=None, max_rounds=1, remove_rows=True))
    ('french', 'classic with remove_rows=true score_limit=none max_rounds=1')
    """
    if rules.name is not None:
        return rules.name
    defaults = RuleSet().to_dict()
    changed = {name: value for name, value in rules.to_dict().items() if value != defaults[name]}
    return f"{RuleSet().name}{_WITH}{' '.join(f'{name}={str(value).lower()}' for name, value in changed.items())}"


def _read_rules(text: str) -> RuleSet:
    preset, with_, changed = text.partition(_WITH)
    if preset not in PRESETS:
        raise InvalidText(f"Rules is {quoted(text)}, but must begin with a preset: {', '.join(PRESETS)}")
    options: dict[str, Any] = {}
    for word in changed.split(" ") if with_ else ():
        found = _OPTION.fullmatch(word)
        if found is None or found[1] in options:
            raise InvalidText(f"Rules has {quoted(word)}, but must have options such as initial_flips=3, each once")
        options[found[1]] = int(found[2]) if found[2] else _WORDS.get(found[3], found[3])
    return RuleSet.from_dict(PRESETS[preset].to_dict() | options)
