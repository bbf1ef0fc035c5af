"""Proving an event: what its seed, its log and its games say must be one story. Scores and pairings are not its matter.

What is wrong is told as a sentence that names the place; there may be many, and each stands for itself.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from skyjo.archive import ArchivedTable, Ending, EventArchive, LoggedStep, Pairing, member, read_key
from skyjo.boards import (
    board_commitment,
    board_id,
    board_seed,
    boards_commitment,
    event_commitment,
    game_id,
    game_seed,
    table_salt,
)
from skyjo.errors import CorruptLog, InvalidText
from skyjo.facts import Cause
from skyjo.reading import items, quoted, whole
from skyjo.record import Board, GameRecord, Status
from skyjo.verify import verify

BOARDS_MAX: Final = 1_000_000
"""So many boards of an event are proved; each costs two hashes."""

_Key = tuple[int, int, int]


def prove_event(event: EventArchive) -> Iterator[str]:
    """Prove everything but games: commitments, ids, that the log is one story, boards and seats.

    Gives a sentence for each fault; none for an event that holds up. Of an event that goes on, what needs its seed
    is left out.
    """
    yield from _log_faults(event)
    story = _Story()
    try:
        for step in event.log:
            yield from story.add(step)
        yield from _table_faults(event, story)
        if event.seed is not None:
            yield from _commitment_faults(event, event.seed)
    except InvalidText as error:
        yield f"the log cannot be read: {error}"
    yield from _seat_faults(event)
    yield from _owner_faults(event)


def prove_game(event: EventArchive, table: ArchivedTable, record: GameRecord) -> Iterator[str]:
    """Prove the game of a table: its seed comes from the event's, the game from its seed, and the result from the game.

    Gives a sentence for each fault.
    """
    try:
        verify(record)
    except CorruptLog as error:
        yield str(error)
        return
    where = f"{table}, game {record.game}"
    names = tuple(event.entries[entry].name for entry in table.entries)
    if record.seats != names:
        yield f"{where}: its seats are {quoted(record.seats)}, but must be {quoted(names)}"
    if record.rules != event.rules:
        yield f"{where}: its rules are not those of the event"
    if event.seed is not None:
        yield from _deal_faults(event, event.seed, table, record)
    yield from _result_faults(event, table, record)


def endings(record: GameRecord) -> tuple[Ending, ...]:
    """How a game that finished ended for each seat.

    A seat left by itself, or was made to, without an action of its own or with; or stayed, in time or not always.
    """
    return tuple(_ending(record, seat) for seat in range(len(record.seats)))


def _ending(record: GameRecord, seat: int) -> Ending:
    own = [event for event in record.bare_events() if event.seat == seat]
    left = next((event.cause for event in own if event.action is None), None)
    causes = {event.cause for event in own if event.action is not None}
    if left is Cause.PLAYER:
        return Ending.RESIGNED
    if left is not None:
        return Ending.FORFEIT if Cause.PLAYER in causes else Ending.NO_SHOW
    return Ending.TIMEOUT if Cause.TIMEOUT in causes else Ending.FINISHED


def _has_begun(event: EventArchive, table: ArchivedTable, record: GameRecord) -> bool:
    """Whether a bot did anything by itself, or there is none; otherwise the game is void, whatever came of it."""
    bots = {seat for seat, entry in enumerate(table.entries) if event.entries[entry].house is None}
    acted = {played.seat for played in record.bare_events() if played.cause is Cause.PLAYER}
    return not bots or bool(bots & acted)


@dataclass(slots=True)
class _Story:
    """What the log tells of tables: when each was paired, begun and over, and when boards were revealed; by version."""

    paired: dict[tuple[int, int], tuple[tuple[int, ...], int | None]] = field(default_factory=dict)
    dealt: dict[_Key, tuple[int, str]] = field(default_factory=dict)
    ended: dict[_Key, int] = field(default_factory=dict)
    revealed: dict[int, int] = field(default_factory=dict)
    gone: set[int] = field(default_factory=set)

    def add(self, step: LoggedStep) -> Iterator[str]:
        """Take the next event of the log; give what cannot be."""
        match step.kind:
            case "paired" if step.pairing is not None:
                yield from self._pair(step.version, step.pairing)
            case "dealt":
                yield from self._deal(step)
            case "ended":
                yield from self._end(step)
            case "revealed":
                for board in items("boards", member("revealed", step.data, "boards")):
                    self.revealed.setdefault(whole("board", board, 0, BOARDS_MAX), step.version)
            case "withdrawn" | "disqualified" if step.entry is not None:
                self.gone.add(step.entry)
            case "returned" if step.entry is not None:
                self.gone.discard(step.entry)
            case _:
                pass

    def _pair(self, version: int, pairing: Pairing) -> Iterator[str]:
        for place, (entries, board) in enumerate(zip(pairing.tables, pairing.boards, strict=True)):
            number = pairing.first_table + place
            if self.gone.intersection(entries):
                yield f"event {version} of the log pairs {entries}, of whom somebody had left"
            if (pairing.round, number) in self.paired:
                yield f"event {version} of the log pairs round {pairing.round}, table {number} again"
            self.paired[pairing.round, number] = entries, board

    def _deal(self, step: LoggedStep) -> Iterator[str]:
        for table in items("tables", member("dealt", step.data, "tables")):
            key = read_key("a table that was dealt", table)
            if key in self.dealt or key[:2] not in self.paired:
                yield f"event {step.version} of the log begins {_named(key)} without its pairing, or again"
            self.dealt[key] = step.version, str(member("a table that was dealt", table, "game"))

    def _end(self, step: LoggedStep) -> Iterator[str]:
        for table in items("tables", member("ended", step.data, "tables")):
            key = read_key("a table that ended", table)
            if key in self.ended or key not in self.dealt:
                yield f"event {step.version} of the log ends {_named(key)}, which was not on"
            self.ended[key] = step.version


def _log_faults(event: EventArchive) -> Iterator[str]:
    """Versions without a gap up to the event's own, and a seed that is the one revealed."""
    if [step.version for step in event.log] != list(range(event.version + 1)):
        yield f"the log has not the versions 0 to {event.version}, each once and in order"
    for kind in ("finished", "seed-revealed"):
        for step in event.steps(kind):
            told = step.data.get("seed")
            if event.seed is None or told != event.seed.hex():
                yield f"event {step.version} of the log reveals {quoted(told)}, which is not the event's seed"


def _table_faults(event: EventArchive, story: _Story) -> Iterator[str]:
    """Every table as it was paired, begun once and over once, and secret until its board was over everywhere."""
    attempts: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for table in event.tables:
        attempts[table.key[:2]].append(table.attempt)
        entries, board = story.paired.get(table.key[:2], ((), None))
        if entries != table.entries:
            yield f"{table} has the entries {table.entries}, but was paired with {quoted(entries)}"
        if event.seed is not None and table.board != board:
            yield f"{table} is on board {table.board}, but was paired on {quoted(board)}"
        yield from _game_faults(event, table, story)
    for place, numbers in attempts.items():
        if sorted(numbers) != list(range(len(numbers))):
            yield f"round {place[0]}, table {place[1]} has the attempts {sorted(numbers)}, but they are counted from 0"
    for round_, number in story.paired.keys() - attempts.keys():
        yield f"round {round_}, table {number} was paired, but is not among the tables"


def _game_faults(event: EventArchive, table: ArchivedTable, story: _Story) -> Iterator[str]:
    dealt, game = story.dealt.get(table.key, (None, None))
    if (None if table.game is None else str(table.game)) != game:
        yield f"{table} has the game {table.game}, but the log says {game}"
    if table.game is not None and table.game != (true := game_id(event.id, *table.key)):
        yield f"{table} has the game {table.game}, but its id must be {true}"
    ended = story.ended.get(table.key)
    is_over = table.outcome in {"finished", "void", "aborted"} and dealt is not None
    if is_over != (ended is not None):
        yield f"{table} is {table.outcome}, but the log {'ends it' if ended is not None else 'never ends it'}"
    revealed = story.revealed.get(table.board) if table.board is not None else None
    if revealed is not None and ended is not None and ended > revealed:
        yield f"{table} ended after its board {table.board} had been revealed"


def _commitment_faults(event: EventArchive, seed: bytes) -> Iterator[str]:
    """The seed is the one committed to, and so are the boards that come from it."""
    if event_commitment(seed, event.id) != event.commitment:
        yield "the event's commitment is not that of its seed"
    for step in event.steps("started"):
        boards = whole("boards", member("started", step.data, "boards"), 0, BOARDS_MAX)
        rules = event.rules.canonical_name
        each = (board_commitment(seed, event.id, board, rules) for board in range(boards))
        expected = boards_commitment(event.id, each) if boards else None
        told = step.data.get("boards_commitment")
        if event.boards_commitment != expected or told != (None if expected is None else expected.hex()):
            yield f"the commitment to the {boards} boards is not that of the seed"
        beyond = sorted({table.board for table in event.tables if table.board is not None and table.board >= boards})
        if beyond:
            yield f"the boards {quoted(beyond)} were played, but committed to were only {boards}"


def _deal_faults(event: EventArchive, seed: bytes, table: ArchivedTable, record: GameRecord) -> Iterator[str]:
    """The deal is that of the table's board, or of the game alone where that is allowed."""
    where = f"{table}, game {record.game}"
    if record.board is None:
        if table.board is not None and (table.complete or not table.attempt):
            yield f"{where} has a deal of its own, but must be played on board {table.board}"
        expected = game_seed(seed, event.id, record.game)
    elif table.board is None:
        yield f"{where} is on a board, but must have a deal of its own"
        return
    else:
        expected = board_seed(seed, event.id, table.board)
        true = Board(board_id(event.id, table.board), table_salt(seed, event.id, record.game))
        if record.board != true:
            yield f"{where} is on another board than {table.board}, or its salt is wrong"
    if record.seed != expected:
        yield f"{where} has a seed that does not come from the event's"


def _result_faults(event: EventArchive, table: ArchivedTable, record: GameRecord) -> Iterator[str]:
    counts = record.result.status is Status.FINISHED and _has_begun(event, table, record)
    if (table.outcome == "finished") != counts:
        yield f"{table} is {table.outcome}, but its game {record.game} is {record.result.status}: one of them is wrong"
        return
    if not counts:
        return
    found = tuple((seat.total, seat.rank, seat.cause) for seat in table.seats)
    causes = (ending.value for ending in endings(record))
    true = tuple(zip(record.result.totals, record.result.ranks or (), causes, strict=True))
    if found != true:
        yield f"{table}: totals, ranks and causes are {quoted(found)}, but its game says {quoted(true)}"


def _seat_faults(event: EventArchive) -> Iterator[str]:
    """Nobody sits in one seat two times more often than in another, over the whole schedule."""
    counts: defaultdict[int, Counter[int]] = defaultdict(Counter)
    seats = 0
    for table in event.tables:
        if not table.attempt:
            seats = max(seats, len(table.seats))
            for seat, entry in enumerate(table.entries):
                counts[entry][seat] += 1
    for entry, by_seat in sorted(counts.items()):
        row = [by_seat[seat] for seat in range(seats)]
        if max(row) - min(row) > 1:
            yield f"entry {entry} sits in its seats {row} times: no two may differ by more than one"


def _owner_faults(event: EventArchive) -> Iterator[str]:
    """No owner is at two tables of one board."""
    met: defaultdict[tuple[int, int], set[tuple[int, int]]] = defaultdict(set)
    for table in event.tables:
        for entry in table.entries:
            owner = event.entries[entry].owner
            if owner is not None and table.board is not None:
                met[table.board, owner].add(table.key[:2])
    for (board, owner), tables in sorted(met.items()):
        if len(tables) > 1:
            yield f"owner {owner} meets board {board} at {len(tables)} tables"


def _named(key: _Key) -> str:
    return f"round {key[0]}, table {key[1]}, attempt {key[2]}"


def games_of(event: EventArchive) -> Mapping[UUID, ArchivedTable]:
    """The tables that have a game, by its id."""
    return {table.game: table for table in event.tables if table.game is not None}
