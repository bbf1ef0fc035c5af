"""A finished game as one small value, and back: the seed and the commands are kept, the rules give all the rest.

Kept is what cannot be derived: who sat where, the seed, who did what, and when. Facts, hashes, openers, scores, ranks,
and how long each seat took are derived again. Whoever packs a game unpacks it at once and compares: a game that the
rules do not give back as it was is refused. Reads and writes no table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from typing import Any, Final
from uuid import UUID

import msgpack

from skyjo import CorruptLog, Event, GameRecord, RuleSet
from skyjo.record import Board, Result, Status
from skyjo_server.service.model import (
    ClockRules,
    ForkPoint,
    GameInfo,
    GameResult,
    GameStatus,
    OnTimeout,
    Seat,
    SeatKind,
)
from skyjo_server.service.ports import StoredEvent, StoredGame
from skyjo_server.service.replaying import DEAL, Replay
from skyjo_server.service.times import from_microseconds, microseconds
from skyjo_server.storage.commands import CommandReader, write_command
from skyjo_server.storage.numbers import deflate, inflate, pack_numbers, unpack_numbers
from skyjo_server.tournaments.values import Cause as Ending

FORMAT: Final = 1
"""The first member of a body. What was written in an older format is read for ever: see `_READERS`."""

_UNITS: Final = (1_000, 1)
"""Microseconds of the unit that a game's times are kept in: milliseconds if all of them are whole ones."""

_USUAL: Final = {GameStatus.FINISHED: Ending.FINISHED}
"""How games end for a seat; stopped ones are void."""


class NotPackable(Exception):
    """A game that the rules do not give back as it is stored. It is kept as it is."""


@dataclass(frozen=True, slots=True)
class PackedGame:
    """A finished game in its compact form.

    Attributes:
        game_id: its id.
        status: how it came to its end.
        version: number of its last event.
        created_at: when it was created.
        bots: the bots at its seats, in their order; house bots have no id.
        tournament_id: the event that it belongs to.
        body: everything else that cannot be derived.
    """

    game_id: UUID
    status: GameStatus
    version: int
    created_at: datetime
    bots: tuple[UUID, ...]
    tournament_id: UUID | None
    body: bytes


def pack(game: StoredGame) -> PackedGame:
    """A finished game, packed.

    Raises:
        NotPackable: if it would not come back exactly as it is.
    """
    info = game.info
    if not info.status.is_over or info.embargoed or len(game.events) != info.version + 1 or not game.events:
        raise NotPackable(f"game {info.id} is {info.status}, with {len(game.events)} events")
    try:
        packed = _packed(game)
        again = unpack(packed)
    except (CorruptLog, AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        # What is told is packed without a question, and only then compared: it may not fold, or not be played again.
        raise NotPackable(f"game {info.id}: {error!r}") from error
    if again != game:
        raise NotPackable(f"game {info.id} is not what its seed and its commands give")
    return packed


def unpack(packed: PackedGame) -> StoredGame:
    """The game as it was stored: every event, time and hash. Takes as long as playing it."""
    version, *members = msgpack.unpackb(packed.body, strict_map_key=False)
    return _READERS[version][0](packed, members)


def unpack_info(packed: PackedGame) -> GameInfo:
    """The public part of the game as it was stored; this plays nothing."""
    version, *members = msgpack.unpackb(packed.body, strict_map_key=False)
    return _READERS[version][1](packed, members)


def _packed(game: StoredGame) -> PackedGame:
    info = game.info
    body: bytes = msgpack.packb([FORMAT, *_setup(game), *_story(game)])
    bots = tuple(seat.bot_id for seat in info.seats if seat.bot_id is not None)
    return PackedGame(info.id, info.status, info.version, info.created_at, bots, info.tournament_id, body)


def _setup(game: StoredGame) -> list[Any]:
    """What was agreed, and how it ended."""
    info, result = game.info, game.info.result
    if result is None:
        raise ValueError("it has no result")
    usual = set(result.causes) == {_USUAL.get(info.status, Ending.VOID)}
    return [
        _written_rules(info.rules),
        None if info.clock == ClockRules() else _written_clock(info.clock),
        _written_seats(info.seats),
        game.seed,
        list(game.entropy) if any(game.entropy) else None,
        None if game.board is None else [game.board.id.bytes, game.board.salt],
        _since(info.created_at, info.started_at),
        _since(info.created_at, info.finished_at),
        list(result.totals),
        result.ranks,
        None if usual else [cause.value for cause in result.causes],
        sum(1 << seat.seat for seat in info.seats if seat.left),
        None if info.forked is None else [info.forked.game_id.bytes, info.forked.version],
    ]


def _story(game: StoredGame) -> list[Any]:
    """Who did what, and when."""
    replay = _replay(game.info, game.seed, game.entropy, game.board)
    commands, thinking = [], {}
    for stored in game.events:
        event = stored.event
        if event.version:
            commands.append(write_command(replay.state, event))
        if stored.thinking_seconds != replay.expected_thinking(event, stored.at):
            thinking[event.version] = stored.thinking_seconds
        replay.follow(stored)
    if (replay.state.totals, replay.state.ranks) != _points(game.info.result):
        raise ValueError("its result is not that of its last event")
    if replay.state.left != tuple(seat.left for seat in game.info.seats):
        raise ValueError("other seats have left than its events say")
    ats = [microseconds(stored.at) for stored in game.events]
    steps = [later - earlier for earlier, later in pairwise(ats)]
    unit = next(unit for unit in _UNITS if all(step % unit == 0 for step in steps))
    return [
        _since(game.info.created_at, game.events[0].at),
        unit,
        *pack_numbers([step // unit for step in steps]),
        thinking or None,
        deflate(b"".join(commands)),
    ]


def _read_1(packed: PackedGame, members: Sequence[Any]) -> StoredGame:
    info, seed = _read_info_1(packed, members), members[3]
    entropy, board = tuple(members[4] or (b"",) * len(info.seats)), _read_board(members[5])
    began, unit, least, bits, low, high, thinking, commands = members[13:]
    steps = [number * unit for number in unpack_numbers((least, bits, low, high), packed.version)]
    replay = _replay(info, seed, entropy, board)
    at = microseconds(packed.created_at) + began
    events = tuple(_events(replay, inflate(commands), at, steps, thinking or {}))
    return StoredGame(replace(info, commitment=replay.commitment), seed, entropy, events, board)


def _read_info_1(packed: PackedGame, members: Sequence[Any]) -> GameInfo:
    rules, clock, seats, seed, _, board, started, finished, totals, ranks, causes, left, forked = members[:13]
    read_seats = tuple(_read_seats(seats, iter(packed.bots), left))
    return _with_commitment(
        GameInfo(
            id=packed.game_id,
            status=packed.status,
            rules=_read_rules(rules),
            seats=read_seats,
            version=packed.version,
            commitment=bytes(32),
            clock=ClockRules() if clock is None else _read_clock(clock),
            created_at=packed.created_at,
            started_at=_after(packed.created_at, started),
            finished_at=_after(packed.created_at, finished),
            result=GameResult(
                packed.status,
                tuple(totals),
                None if ranks is None else tuple(ranks),
                _read_causes(packed.status, causes, len(read_seats)),
            ),
            tournament_id=packed.tournament_id,
            forked=None if forked is None else ForkPoint(UUID(bytes=forked[0]), forked[1]),
        ),
        seed,
        _read_board(board),
    )


_READERS: Final[
    dict[
        int,
        tuple[
            Callable[[PackedGame, Sequence[Any]], StoredGame],
            Callable[[PackedGame, Sequence[Any]], GameInfo],
        ],
    ]
] = {1: (_read_1, _read_info_1)}
"""By format, what reads all of it, and what reads its public part."""


def _events(
    replay: Replay, commands: bytes, at: int, steps: Sequence[int], thinking: Mapping[int, float | None]
) -> Iterator[StoredEvent]:
    """Play a game again from its commands.

    Args:
        replay: before its deal.
        commands: what :func:`write_command` wrote.
        at: when it was dealt, in microseconds.
        steps: how long after the one before each later event was committed, likewise.
        thinking: by version, how long a seat took, where that does not follow from the times.
    """
    reader = CommandReader(commands)
    for version in range(len(steps) + 1):
        told: Event = reader.read(replay.state) if version else DEAL
        at += steps[version - 1] if version else 0
        moment = from_microseconds(at)
        guess = replay.expected_thinking(told, moment)
        yield replay.play(told, moment, thinking.get(version, guess))


def _record(info: GameInfo, seed: bytes, entropy: tuple[bytes, ...], board: Board | None) -> GameRecord:
    """The record of a game without its events."""
    names = tuple(seat.name or "" for seat in info.seats)
    nothing = Result(Status.VOID, (0,) * len(names), None)
    given = entropy if any(entropy) else ()
    return GameRecord(info.id, info.rules, names, bytes(32), seed, given, (), nothing, board)


def _replay(info: GameInfo, seed: bytes, entropy: tuple[bytes, ...], board: Board | None) -> Replay:
    return Replay(_record(info, seed, entropy, board), info.seats, info.clock)


def _with_commitment(info: GameInfo, seed: bytes, board: Board | None) -> GameInfo:
    return replace(info, commitment=_record(info, seed, (), board).true_commitment())


def _points(result: GameResult | None) -> tuple[tuple[int, ...], tuple[int, ...] | None] | None:
    return None if result is None else (result.totals, result.ranks)


def _since(moment: datetime, later: datetime | None) -> int | None:
    """Microseconds from one moment to another."""
    return None if later is None else microseconds(later) - microseconds(moment)


def _after(moment: datetime, since: int | None) -> datetime | None:
    return None if since is None else from_microseconds(microseconds(moment) + since)


def _read_board(written: Sequence[bytes] | None) -> Board | None:
    return None if written is None else Board(UUID(bytes=written[0]), written[1])


def _written_rules(rules: RuleSet) -> str | dict[str, Any]:
    """The preset, or what differs from the default ones."""
    if rules.name is not None:
        return rules.name
    defaults = RuleSet().to_dict()
    return {name: value for name, value in rules.to_dict().items() if value != defaults[name]}


def _read_rules(written: str | Mapping[str, Any]) -> RuleSet:
    return (
        RuleSet.preset(written) if isinstance(written, str) else RuleSet.from_dict({**RuleSet().to_dict(), **written})
    )


def _written_clock(clock: ClockRules) -> list[Any]:
    return [clock.move_seconds, clock.bank_seconds, clock.on_timeout.value, clock.max_timeouts]


def _read_clock(written: Sequence[Any]) -> ClockRules:
    move, bank, on_timeout, max_timeouts = written
    return ClockRules(move, bank, OnTimeout(on_timeout), max_timeouts)


def _written_seats(seats: Sequence[Seat]) -> list[Any]:
    """Each seat: a house bot's name alone, or kind, whether it has a bot's id, owner, house and name."""
    owners = [seat.owner_id for seat in seats]
    written: list[Any] = []
    for number, seat in enumerate(seats):
        first = owners.index(seat.owner_id)
        owner = None if seat.owner_id is None else seat.owner_id.bytes if first == number else first
        if seat == Seat(number, SeatKind.HOUSE, None, None, seat.house, seat.house, seat.left):
            written.append(seat.house)
        else:
            written.append([seat.kind.value, seat.bot_id is not None, owner, seat.house, seat.name])
    return written


def _read_seats(written: Sequence[Any], bots: Iterator[UUID], left: int) -> Iterator[Seat]:
    owners: list[UUID | None] = []
    for number, seat in enumerate(written):
        gone = bool(left >> number & 1)
        if isinstance(seat, str):
            owners.append(None)
            yield Seat(number, SeatKind.HOUSE, None, None, seat, seat, gone)
            continue
        kind, has_bot, owner, house, name = seat
        owners.append(owners[owner] if isinstance(owner, int) else None if owner is None else UUID(bytes=owner))
        yield Seat(number, SeatKind(kind), next(bots) if has_bot else None, owners[number], house, name, gone)


def _read_causes(status: GameStatus, written: Sequence[str] | None, seats: int) -> tuple[Ending, ...]:
    return (_USUAL.get(status, Ending.VOID),) * seats if written is None else tuple(map(Ending, written))
