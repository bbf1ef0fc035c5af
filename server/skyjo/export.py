"""Games as JSON Lines: a header, a line for every event, a closing line; one game after another. Judges no move.

A header names the format and the rules' version in one: ``{"skyjo": 1, …}``, :data:`skyjo.record.LOG_VERSION`; older
versions are read through :mod:`skyjo.upcast`. Only these members are optional: ``board`` in a header (``id``, ``salt``;
a game on a duplicate board); ``at``, ``hash`` and ``salt`` in an event; ``hash`` in a closing line. Nothing else may be
missing or be there. Who opened a round by chance is not in a log: the reader takes it from the seed. What was read has
the right form, no more: :func:`skyjo.verify.verify` says whether it is true, and comes before any replay.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

from skyjo.cards import SEATS_MAX
from skyjo.errors import CorruptLog, InvalidText, SkyjoError
from skyjo.notation import POINTS_MAX, event_from_dict, event_to_dict
from skyjo.reading import (
    Lines,
    at_line,
    check_members,
    hex_bytes,
    identity,
    items,
    json_object,
    numbered_lines,
    one_of,
    quoted,
    seat_name,
    time_text,
    whole,
)
from skyjo.record import HASH_BYTES, LOG_VERSION, SALT_BYTES, Board, GameRecord, LoggedEvent, Result, Status
from skyjo.referee import Referee
from skyjo.rules import RuleSet
from skyjo.upcast import STEPS, Step, is_known, upcast

_HEADER: Final = frozenset({"skyjo", "game", "rules", "seats", "commitment", "seed", "entropy"})
_EVENT: Final = frozenset({"game", "version", "seat", "action", "cause", "facts"})
_ADDED: Final = frozenset({"at", "hash", "salt"})
_CLOSING: Final = frozenset({"game", "result"})
_OPTIONS: Final = frozenset(option.name for option in fields(RuleSet))


def write_jsonl(record: GameRecord) -> str:
    """A game as lines of JSON in ASCII, each with its line feed."""
    game = str(record.game)
    lines = [_header(record), *(_event(game, logged) for logged in record.events), _closing(game, record)]
    return "".join([json.dumps(line, separators=(",", ":")) + "\n" for line in lines])


def read_jsonl(lines: Lines, steps: Mapping[int, Step] = STEPS) -> Iterator[GameRecord]:
    """Read the games of a text or file, one after another; no more than one is in memory.

    Args:
        lines: a text, an open file (best in binary), or lines. Empty lines are passed over.
        steps: how lines of older versions become those of today's (:mod:`skyjo.upcast`).
    Raises:
        InvalidText: naming the line, the member, its value and what would be right.
    """
    reader, number = _Reader(steps=steps), 0
    for number, line in numbered_lines(lines):
        if not line.strip():
            continue
        try:
            record = reader.take(json_object(line))
        except SkyjoError as error:
            raise InvalidText(at_line(number, error)) from error
        except RecursionError:
            raise InvalidText(
                f"line {number}: this is nested too deeply to be shown: a game needs four levels"
            ) from None
        if record is not None:
            yield record
    if reader.game is not None:
        raise InvalidText(f"line {number}: the file ends inside game {reader.game.game}: its closing line is missing")


@dataclass(slots=True)
class _Reader:
    """A file in the course of being read.

    Attributes:
        game: the game whose events are being read, as its header gives it; None between games.
        events: its events so far.
        version: that of the log it stands in.
        steps: how lines of older versions become those of today's.
    """

    game: GameRecord | None = None
    events: list[LoggedEvent] = field(default_factory=list)
    version: int = LOG_VERSION
    steps: Mapping[int, Step] = field(default_factory=lambda: STEPS)

    def take(self, data: dict[str, Any]) -> GameRecord | None:
        """Read one line; give the game that it completes."""
        if "skyjo" in data:
            if self.game is not None:
                raise InvalidText(f"a new game begins, but game {self.game.game} has no closing line yet")
            self.version = self._version(data["skyjo"])
            self.game, self.events = _read_header(upcast(data, self.version, self.steps)), []
            return None
        if self.game is None:
            raise InvalidText('a game begins with a header, {"skyjo":1,…}, and this line is none')
        data = upcast(data, self.version, self.steps)
        if "result" in data:
            return self._close(self.game, data)
        check_members("an event", data, _EVENT, _ADDED)
        _check_game(self.game, data)
        self.events.append(_read_event(data))
        return None

    def _version(self, told: object) -> int:
        if not isinstance(told, int) or not is_known(told, self.steps):
            raise InvalidText(f"skyjo is {quoted(told)}, but this reader knows version {LOG_VERSION} of the log")
        return told

    def _close(self, game: GameRecord, data: dict[str, Any]) -> GameRecord:
        check_members("a closing line", data, _CLOSING, frozenset({"hash"}))
        _check_game(game, data)
        hash_ = _read_bytes("hash", data["hash"], HASH_BYTES) if "hash" in data else None
        record = replace(game, events=tuple(self.events), result=_read_result(data["result"]), hash=hash_)
        self.game, self.events = None, []
        return _with_openers(record)


def _header(record: GameRecord) -> dict[str, Any]:
    header: dict[str, Any] = {
        "skyjo": LOG_VERSION,
        "game": str(record.game),
        "rules": record.rules.to_dict(),
        "seats": [{"name": name} for name in record.seats],
        "commitment": record.commitment.hex(),
        "seed": record.seed.hex(),
        "entropy": [given.hex() for given in record.entropy],
    }
    if record.board is not None:
        header["board"] = {"id": str(record.board.id), "salt": record.board.salt.hex()}
    return header


def _event(game: str, logged: LoggedEvent) -> dict[str, Any]:
    line = {"game": game, **event_to_dict(logged.event)}
    if logged.at is not None:
        line["at"] = logged.at
    if logged.hash is not None:
        line["hash"] = logged.hash.hex()
    if logged.salt is not None:
        line["salt"] = logged.salt.hex()
    return line


def _closing(game: str, record: GameRecord) -> dict[str, Any]:
    result = record.result
    ranks = None if result.ranks is None else list(result.ranks)
    line = {"game": game, "result": {"status": result.status, "totals": list(result.totals), "ranks": ranks}}
    return line if record.hash is None else line | {"hash": record.hash.hex()}


def _read_header(data: dict[str, Any]) -> GameRecord:
    """The game as its header gives it, without events; its result is not known yet."""
    check_members("a header", data, _HEADER, frozenset({"board"}))
    names = tuple(_read_seat(f"seats[{seat}]", read) for seat, read in enumerate(items("seats", data["seats"])))
    return GameRecord(
        game=identity("game", data["game"]),
        rules=_read_rules(data["rules"]),
        seats=names,
        commitment=hex_bytes("commitment", data["commitment"]),
        seed=hex_bytes("seed", data["seed"]),
        entropy=tuple(hex_bytes("entropy", given) for given in items("entropy", data["entropy"])),
        events=(),
        result=Result(Status.ABORTED, (0,) * len(names), None),
        board=_read_board(data["board"]) if "board" in data else None,
    )


def _read_seat(place: str, data: Any) -> str:
    check_members(place, data, frozenset({"name"}))
    return seat_name(f"{place}.name", data["name"])


def _read_rules(data: Any) -> RuleSet:
    check_members("rules", data, _OPTIONS)
    return RuleSet.from_dict(data)


def _read_board(data: Any) -> Board:
    check_members("board", data, frozenset({"id", "salt"}))
    return Board(identity("id", data["id"]), hex_bytes("salt", data["salt"]))


def _read_event(data: Mapping[str, Any]) -> LoggedEvent:
    return LoggedEvent(
        event_from_dict(data),
        at=time_text("at", data["at"]) if "at" in data else None,
        hash=_read_bytes("hash", data["hash"], HASH_BYTES) if "hash" in data else None,
        salt=_read_bytes("salt", data["salt"], SALT_BYTES) if "salt" in data else None,
    )


def _read_bytes(name: str, value: object, length: int) -> bytes:
    read = hex_bytes(name, value)
    if len(read) != length:
        raise InvalidText(f"{name} is {quoted(value)}, but must have {2 * length} hexadecimal digits")
    return read


def _read_result(data: Any) -> Result:
    check_members("result", data, frozenset({"status", "totals", "ranks"}))
    status = Status(one_of("status", data["status"], tuple(Status)))
    totals = tuple(whole("totals", total, -POINTS_MAX, POINTS_MAX) for total in items("totals", data["totals"]))
    if data["ranks"] is None:
        return Result(status, totals, None)
    return Result(status, totals, tuple(whole("ranks", rank, 1, SEATS_MAX) for rank in items("ranks", data["ranks"])))


def _check_game(game: GameRecord, data: Mapping[str, Any]) -> None:
    if data["game"] != str(game.game):
        raise InvalidText(f"game is {quoted(data['game'])}, but this line stands inside game {game.game}")


def _with_openers(record: GameRecord) -> GameRecord:
    """The record with the openers that chance chose, as far as its events follow the rules."""
    if "random" not in (record.rules.first_starter, record.rules.starter_tie):
        return record
    told = list(record.events)
    referee = Referee(record)
    for index, logged in enumerate(told):
        try:
            event = referee.judge(logged.event)
        except CorruptLog:
            break
        if replace(event, opener=None) != logged.event:
            break
        told[index] = replace(logged, event=event)
    return replace(record, events=tuple(told))
