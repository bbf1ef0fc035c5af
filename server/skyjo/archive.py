"""An event's archive as values: options, entries, log and tables. Opens no file, and judges nothing beyond their form.

:mod:`skyjo.proof` says whether it is true. Members that a proof has no use for are passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

from skyjo.cards import SEATS_MAX, SEATS_MIN
from skyjo.errors import InvalidText
from skyjo.reading import flag, hex_bytes, identity, items, one_of, quoted, seat_name, whole
from skyjo.record import HASH_BYTES
from skyjo.rules import RuleSet
from skyjo.shuffle import SEED_BYTES

ARCHIVE_VERSION: Final = 1
"""The number after ``skyjo-tournament`` in the options."""

NUMBER_MAX: Final = 2**32 - 1

OUTCOMES: Final = ("scheduled", "playing", "finished", "void", "aborted", "cancelled")
STATUSES: Final = ("entry", "running", "paused", "finished", "aborted")


class Ending(StrEnum):
    """How a table ended for a seat. The words are those of the archive."""

    FINISHED = "finished"
    TIMEOUT = "timeout"
    FORFEIT = "forfeit"
    NO_SHOW = "no-show"
    RESIGNED = "resigned"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class ArchivedEntry:
    """An entry.

    Attributes:
        number: from 0 in order of entry.
        name: what stands as a seat's name in its games.
        house: the house bot's name; None for a bot.
        owner: a number for each owner; None for a house bot, and for everybody while the event goes on.
        since_round: the first round that it can be paired in.
    """

    number: int
    name: str
    house: str | None
    owner: int | None
    since_round: int


@dataclass(frozen=True, slots=True)
class ArchivedSeat:
    """A seat of a table: its entry, and its result where there is one."""

    entry: int
    total: int | None
    rank: int | None
    cause: str | None


@dataclass(frozen=True, slots=True)
class ArchivedTable:
    """A table of the schedule, or another attempt at one whose game was void.

    Attributes:
        round: from 0.
        table: from 0 within the round.
        attempt: 0, or which replay.
        board: number of its duplicate board; None without one.
        seats: in order of seat.
        game: its game; None if none was begun.
        outcome: one of `OUTCOMES`.
        complete: whether its result is compared with others on its board; None if it has none.
    """

    round: int
    table: int
    attempt: int
    board: int | None
    seats: tuple[ArchivedSeat, ...]
    game: UUID | None
    outcome: str
    complete: bool | None

    @property
    def key(self) -> tuple[int, int, int]:
        """Round, table and attempt: what the log calls it by."""
        return self.round, self.table, self.attempt

    @property
    def entries(self) -> tuple[int, ...]:
        """The numbers of the entries, in order of seat."""
        return tuple(seat.entry for seat in self.seats)

    def __str__(self) -> str:
        attempt = f" (attempt {self.attempt})" if self.attempt else ""
        return f"round {self.round}, table {self.table}{attempt}"


@dataclass(frozen=True, slots=True)
class Pairing:
    """A round as the log tells it, or on a ladder some more tables.

    Attributes:
        round: its number.
        first_table: number of the first of the tables.
        tables: the entries of each, in order of seat.
        boards: the board of each; None without one, and for all of them while the event goes on.
        byes: the entries without a table.
    """

    round: int
    first_table: int
    tables: tuple[tuple[int, ...], ...]
    boards: tuple[int | None, ...]
    byes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LoggedStep:
    """One event of the log.

    Attributes:
        version: from 0.
        kind: what happened.
        data: its details, as they were read.
        pairing: of the kind `paired`; else None.
        entry: of whom the kinds `entered`, `withdrawn`, `disqualified` and `returned` tell; else None.
    """

    version: int
    kind: str
    data: Mapping[str, Any]
    pairing: Pairing | None = None
    entry: int | None = None


@dataclass(frozen=True, slots=True)
class EventArchive:
    """An event as its archive tells it, games apart.

    Attributes:
        id: of the event.
        status: one of `STATUSES`.
        options: everything that was asked for, by the names of the API.
        rules: of every game.
        commitment: 32 bytes, published when it was created.
        boards_commitment: 32 bytes, published before its first round; None without duplicate boards.
        seed: 32 bytes, None until no game can use it any more.
        version: of the last event of its log.
        entries: by number.
        log: everything that happened, version 0 first.
        tables: the schedule.
    """

    id: UUID
    status: str
    options: Mapping[str, Any]
    rules: RuleSet
    commitment: bytes
    boards_commitment: bytes | None
    seed: bytes | None
    version: int
    entries: tuple[ArchivedEntry, ...]
    log: tuple[LoggedStep, ...]
    tables: tuple[ArchivedTable, ...]

    def steps(self, kind: str) -> Iterable[LoggedStep]:
        """The events of the log of one kind."""
        return (step for step in self.log if step.kind == kind)


def read_archive(
    options: Mapping[str, Any],
    entries: Sequence[Any],
    log: Iterable[Mapping[str, Any]],
    tables: Sequence[Any],
) -> EventArchive:
    """Read the parts of an archive from their JSON values.

    Raises:
        InvalidText: naming the part and the member that has not its form.
    """
    version = member("tournament.json", options, "skyjo-tournament")
    if version != ARCHIVE_VERSION:
        raise InvalidText(f"this archive has version {quoted(version)}, but only version {ARCHIVE_VERSION} can be read")
    event_id = identity("id", member("tournament.json", options, "id"))
    rules = member("tournament.json", options, "rules")
    read_entries = tuple(_read_entry(number, entry) for number, entry in enumerate(entries))
    seed = _optional_bytes("seed", member("tournament.json", options, "seed"), SEED_BYTES)
    return EventArchive(
        id=event_id,
        status=one_of("status", member("tournament.json", options, "status"), STATUSES),
        options=options,
        rules=RuleSet.from_dict(_mapping("rules", rules)),
        commitment=_bytes("commitment", member("tournament.json", options, "commitment"), HASH_BYTES),
        boards_commitment=_optional_bytes(
            "boards_commitment", member("tournament.json", options, "boards_commitment"), HASH_BYTES
        ),
        seed=seed,
        version=_number("version", member("tournament.json", options, "version")),
        entries=read_entries,
        log=tuple(_read_step(str(event_id), len(read_entries), number, step) for number, step in enumerate(log)),
        tables=tuple(_read_table(table, len(read_entries)) for table in tables),
    )


def _read_entry(number: int, data: Any) -> ArchivedEntry:
    what = f"entry {number}"
    house, owner = member(what, data, "house"), data.get("owner")
    if member(what, data, "number") != number:
        raise InvalidText(f"{what} has the number {quoted(data['number'])}: entries stand in order, from 0")
    return ArchivedEntry(
        number=number,
        name=seat_name(f"{what}, name", member(what, data, "name")),
        house=None if house is None else seat_name(f"{what}, house", house),
        owner=None if owner is None else _number(f"{what}, owner", owner),
        since_round=_number(f"{what}, since_round", member(what, data, "since_round")),
    )


def _read_step(event_id: str, entries: int, number: int, step: Mapping[str, Any]) -> LoggedStep:
    what = f"event {number} of the log"
    if member(what, step, "tournament") != event_id:
        raise InvalidText(f"{what} is of another event, {quoted(step['tournament'])}")
    kind = seat_name(f"{what}, kind", member(what, step, "kind"))
    data = _mapping(f"{what}, data", member(what, step, "data"))
    return LoggedStep(
        version=_number(f"{what}, version", member(what, step, "version")),
        kind=kind,
        data=data,
        pairing=_read_pairing(what, data, entries) if kind == "paired" else None,
        entry=_entry(f"{what}, entry", member(what, data, "entry"), entries) if kind in _OF_AN_ENTRY else None,
    )


def _read_pairing(what: str, data: Mapping[str, Any], entries: int) -> Pairing:
    tables = items(f"{what}, tables", member(what, data, "tables"))
    # While an event goes on, nobody may know which tables share a board.
    boards = items(f"{what}, boards", data.get("boards", [None] * len(tables)))
    byes = items(f"{what}, byes", member(what, data, "byes"))
    if len(tables) != len(boards):
        raise InvalidText(f"{what} has {len(tables)} tables, but {len(boards)} boards")
    return Pairing(
        round=_number(f"{what}, round", member(what, data, "round")),
        first_table=_number(f"{what}, first_table", member(what, data, "first_table")),
        tables=tuple(
            tuple(_entry(f"{what}, a seat", seat, entries) for seat in items(f"{what}, a table", table))
            for table in tables
        ),
        boards=tuple(None if board is None else _number(f"{what}, a board", board) for board in boards),
        byes=tuple(_entry(f"{what}, a bye", bye, entries) for bye in byes),
    )


def _read_table(data: Any, entries: int) -> ArchivedTable:
    round_, table, attempt = read_key("a table", data)
    what = f"round {round_}, table {table}"
    board, game = member(what, data, "board"), member(what, data, "game")
    complete = member(what, data, "complete")
    seats = items(f"{what}, seats", member(what, data, "seats"))
    if not SEATS_MIN <= len(seats) <= SEATS_MAX:
        raise InvalidText(f"{what} has {len(seats)} seats, but must have {SEATS_MIN} to {SEATS_MAX}")
    return ArchivedTable(
        round=round_,
        table=table,
        attempt=attempt,
        board=None if board is None else _number(f"{what}, board", board),
        seats=tuple(_read_seat(f"{what}, seat {number}", seat, entries) for number, seat in enumerate(seats)),
        game=None if game is None else identity(f"{what}, game", game),
        outcome=one_of(f"{what}, outcome", member(what, data, "outcome"), OUTCOMES),
        complete=None if complete is None else flag(f"{what}, complete", complete),
    )


def _read_seat(what: str, data: Any, entries: int) -> ArchivedSeat:
    total, rank, cause = (member(what, data, name) for name in ("total", "rank", "cause"))
    return ArchivedSeat(
        entry=_entry(f"{what}, entry", member(what, data, "entry"), entries),
        total=None if total is None else whole(f"{what}, total", total, -NUMBER_MAX, NUMBER_MAX),
        rank=None if rank is None else whole(f"{what}, rank", rank, 1, SEATS_MAX),
        cause=None if cause is None else one_of(f"{what}, cause", cause, tuple(Ending)),
    )


def read_key(what: str, data: Any) -> tuple[int, int, int]:
    """Read round, table and attempt of a table from an object that names them.

    Raises:
        InvalidText: if it does not.
    """
    round_, table, attempt = (_number(f"{what}, {name}", member(what, data, name)) for name in _KEY)
    return round_, table, attempt


def member(what: str, data: Any, name: str) -> Any:
    """A member of a JSON object that must be there.

    Raises:
        InvalidText: if it is not.
    """
    if not isinstance(data, Mapping) or name not in data:
        raise InvalidText(f"{what} lacks {name}")
    return data[name]


_KEY: Final = ("round", "table", "attempt")
_OF_AN_ENTRY: Final = frozenset({"entered", "withdrawn", "disqualified", "returned"})


def _mapping(name: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidText(f"{name} is {quoted(value)}, but must be an object")
    return value


def _number(name: str, value: Any) -> int:
    return whole(name, value, 0, NUMBER_MAX)


def _entry(name: str, value: Any, entries: int) -> int:
    return whole(name, value, 0, entries - 1)


def _bytes(name: str, value: Any, length: int) -> bytes:
    read = hex_bytes(name, value)
    if len(read) != length:
        raise InvalidText(f"{name} has {len(read)} bytes, but must have {length}")
    return read


def _optional_bytes(name: str, value: Any, length: int) -> bytes | None:
    return None if value is None else _bytes(name, value, length)
