"""An event made anew from its log, its seed and its games: what its tables must say. Reads and writes none of them.

What was decided is in the log, and is not decided again: whom the lots brought together, when a game began, who left.
What follows from it, counts, results, scores, ranks, is made by the same functions that made it the first time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final
from uuid import UUID

from skyjo import CorruptLog, boards
from skyjo_server.service.tournament_model import (
    EntryInfo,
    EntryStatus,
    Progress,
    SequentialVerdict,
    TournamentEvent,
    TournamentInfo,
    TournamentStatus,
)
from skyjo_server.service.tournament_options import options_from_dict
from skyjo_server.service.tournament_pairing import KNOWN_AT_START
from skyjo_server.service.tournament_ports import GameEnd, StoredEntry, StoredTable
from skyjo_server.service.tournament_results import (
    CONTINUE,
    absences_after,
    judged,
    replay_of,
    scores_of,
    verdict_of,
)
from skyjo_server.service.tournament_schedule import values_of
from skyjo_server.tournaments.crosstable import Cell, Crosstable
from skyjo_server.tournaments.formats import round_count
from skyjo_server.tournaments.knockout import levels_won
from skyjo_server.tournaments.points import blocks_of, points_of
from skyjo_server.tournaments.standings import Standing, ranked
from skyjo_server.tournaments.tally import Tally
from skyjo_server.tournaments.values import RANK_LOTS, Cause, Format, Outcome, Round, Table, TableResult

Key = tuple[int, int, int]
"""A table's round, number and attempt."""

Ends = Callable[[Sequence[UUID]], Mapping[UUID, GameEnd]]
"""How games ended, by id; those that are not there are missing."""

_STATUS: Final = {
    "started": TournamentStatus.RUNNING,
    "paused": TournamentStatus.PAUSED,
    "resumed": TournamentStatus.RUNNING,
    "aborted": TournamentStatus.ABORTED,
    "finished": TournamentStatus.FINISHED,
}


class Refolding:
    """An event as its log leads to it, event by event.

    Args:
        created: the first event of the log.
        tournament_id: the event.
        seed: its secret.
        owners: whose each bot is.
        ends: looks up how games ended.
    Attributes:
        info: what everybody may see of it, its seed only once that is revealed.
        entries: by number.
        tables: by key, in the order in which they came up.
        met_boards: by board and owner, the round and number of the table at which they met.
        tallies: by entry.
        met: the crosstable, each pair once, the lower number first.
        revealed: the boards whose embargo is over.
        is_scored: whether there ever was anything to rank by.
    """

    def __init__(
        self, created: TournamentEvent, tournament_id: UUID, seed: bytes, owners: Mapping[UUID, UUID], ends: Ends
    ) -> None:
        if (created.version, created.kind) != (0, "created"):
            raise CorruptLog(
                f"the log begins with {created.kind!r} of version {created.version}, not with its creation"
            )
        self.info = _created(created, tournament_id)
        self.entries: dict[int, StoredEntry] = {}
        self.tables: dict[Key, StoredTable] = {}
        self.met_boards: dict[tuple[int, UUID], tuple[int, int]] = {}
        self.tallies: dict[int, Tally] = {}
        self.met: dict[tuple[int, int], Cell] = {}
        self.revealed: set[int] = set()
        self.is_scored = False
        self._seed = seed
        self._owners = owners
        self._ends = ends
        self._rounds: list[Round] = []
        self._on_board: dict[int, list[Key]] = {}
        self._is_ranked_anew = True
        self._is_untested = False

    def add(self, event: TournamentEvent) -> None:
        """Take the next event of the log.

        Raises:
            CorruptLog: if it cannot follow.
        """
        if event.version != self.info.version + 1:
            raise CorruptLog(f"event {event.version} follows event {self.info.version}", version=event.version)
        try:
            _STEPS[event.kind](self, event)
        except (KeyError, IndexError, TypeError, ValueError) as error:
            message = f"event {event.version}, {event.kind!r}, cannot follow: {error!r}"
            raise CorruptLog(message, version=event.version) from error
        self._note(version=event.version)

    def verdict(self) -> SequentialVerdict | None:
        """Where the sequential test stands."""
        self._test()
        return self.info.verdict

    @property
    def is_final(self) -> bool:
        """Whether it is over, and its ranking was made after the last change of its entries."""
        return self.info.status.is_over and self._is_ranked_anew

    def ranking(self) -> tuple[Standing, ...]:
        """The ranking of an event that is final."""
        shape, lots = self.info.new.shape, self._lots
        stages = None
        if shape.format is Format.KNOCKOUT:
            results = [each.result for _, each in sorted(self.tables.items()) if each.result is not None]
            points = points_of(shape, self._rounds, results)
            stages = levels_won(shape, values_of(self.entries.values()), lots, self._rounds, points)
        return ranked(shape, self.tallies, met=self._crosstable(), stages=stages, lots=lots(RANK_LOTS))

    def _go_on(self, event: TournamentEvent) -> None:
        self._note(status=_STATUS[event.kind])

    def _finish(self, event: TournamentEvent) -> None:
        self._go_on(event)
        self._note(finished_at=event.at, seed=self._seed)

    def _reveal_seed(self, _event: TournamentEvent) -> None:
        self._note(seed=self._seed)

    def _abort(self, event: TournamentEvent) -> None:
        self._go_on(event)
        self._note(finished_at=event.at)
        self._cancel(self._scheduled())

    def _decide(self, _event: TournamentEvent) -> None:
        self._test()
        self._cancel(self._scheduled())

    def _enter(self, event: TournamentEvent) -> None:
        self._test()  # of two entries alone
        data, number = event.data, len(self.entries)
        if data["entry"] != number:
            raise ValueError(f"entry {data['entry']} enters after {number} others")
        bot_id = None if data["bot"] is None else UUID(data["bot"])
        info = EntryInfo(
            number=number,
            bot_id=bot_id,
            house=data["house"],
            name=data["name"],
            status=EntryStatus.ACTIVE,
            reason=None,
            since_round=data["since_round"],
            entered_at=event.at,
        )
        self.entries[number] = StoredEntry(info, None if bot_id is None else self._owners[bot_id], 0, 0)
        self.tallies[number] = Tally()
        self._note(entries=number + 1)
        self._is_ranked_anew = False

    def _return(self, event: TournamentEvent) -> None:
        self._set_entry(event.data["entry"], EntryStatus.ACTIVE, None)

    def _leave(self, event: TournamentEvent) -> None:
        self._set_entry(event.data["entry"], EntryStatus(event.kind), event.data["reason"])
        self._cancel(map(_key, event.data["cancelled"]))

    def _set_entry(self, number: int, status: EntryStatus, reason: str | None, since_round: int | None = None) -> None:
        entry = self.entries[number]
        since = entry.info.since_round if since_round is None else since_round
        changed = replace(entry.info, status=status, reason=reason, since_round=since)
        self.entries[number] = replace(entry, info=changed, absences=0)
        if self.info.new.shape.format is Format.KNOCKOUT:
            self._is_ranked_anew = False

    def _start(self, event: TournamentEvent) -> None:
        for number, each in self.entries.items():
            if each.info.status is not EntryStatus.ACTIVE:
                self._set_entry(number, each.info.status, each.info.reason, since_round=1)
        active = values_of(each for each in self.entries.values() if each.info.status is EntryStatus.ACTIVE)
        self._progress(rounds=round_count(self.info.new.shape, active))
        told = event.data["boards_commitment"]
        committed = None if told is None else bytes.fromhex(told)
        self._note(status=TournamentStatus.RUNNING, started_at=event.at, boards_commitment=committed)

    def _pair(self, event: TournamentEvent) -> None:
        data, number, first = event.data, event.data["round"], event.data["first_table"]
        placed = enumerate(zip(data["tables"], data["boards"], strict=True), first)
        tables = tuple(Table(number, place, board, tuple(seats)) for place, (seats, board) in placed)
        self._rounds.append(Round(number, tables, tuple(data["byes"])))
        for table in tables:
            self._add_table(StoredTable(table, 0, own_deal=table.board is None))
            for entry in table.seats:
                self._seat(entry, table)
        shape, rounds = self.info.new.shape, self.info.progress.rounds
        self._progress(round=number, rounds=number + 1 if shape.format in KNOWN_AT_START else rounds)
        for entry in data["byes"]:
            self.tallies[entry] += Tally.bye(shape.boards)
        self._score([])

    def _seat(self, number: int, table: Table) -> None:
        entry = self.entries[number]
        self.entries[number] = replace(entry, tables=entry.tables + 1)
        if table.board is not None and entry.owner_id is not None:
            self.met_boards.setdefault((table.board, entry.owner_id), (table.round, table.table))

    def _add_table(self, table: StoredTable) -> None:
        key = _key_of(table)
        if key in self.tables:
            raise ValueError(f"there is a table {key} already")
        self.tables[key] = table
        if table.table.board is not None:
            self._on_board.setdefault(table.table.board, []).append(key)
        self._count(total=1)

    def _deal(self, event: TournamentEvent) -> None:
        dealt = event.data["tables"]
        for told in dealt:
            table = self.tables[_key(told)]
            self.tables[_key(told)] = replace(table, outcome=Outcome.PLAYING, game_id=UUID(told["game"]))
        self._count(playing=len(dealt))

    def _end(self, event: TournamentEvent) -> None:
        told = {_key(told): told["outcome"] for told in event.data["tables"]}
        ended = self._ended([self.tables[key] for key in told])
        for table, _ in ended:
            if table.outcome.value != told[_key_of(table)]:
                raise ValueError(f"table {_key_of(table)} is {told[_key_of(table)]}, but its game was {table.outcome}")
        for entry, count in absences_after(ended, self.entries).items():
            self.entries[entry] = replace(self.entries[entry], absences=count)
        self.tables.update((_key_of(table), table) for table, _ in ended)
        self._count(over=len(ended), playing=-len(ended))
        replayed = {_key(told) for told in event.data["replays"]}
        for again in (replay_of(table, end) for table, end in ended):
            if _key_of(again) in replayed:
                self._add_table(again)
        self._score_single(table for table, _ in ended)

    def _ended(self, tables: Sequence[StoredTable]) -> list[tuple[StoredTable, GameEnd]]:
        """Tables with their results, which their games give."""
        games = {table.game_id: table for table in tables if table.game_id is not None}
        ends = self._ends([*games])
        if len(ends) < len(tables):
            raise ValueError(f"of its games only {len(ends)} are stored and over")
        return [(judged(table, ends[game_id], self.entries), ends[game_id]) for game_id, table in games.items()]

    def _cancel(self, keys: Iterable[Key]) -> None:
        cancelled = [_cancelled(self.tables[key]) for key in keys]
        self.tables.update((_key_of(table), table) for table in cancelled)
        self._count(total=-len(cancelled))
        self._score_single(cancelled)

    def _scheduled(self) -> list[Key]:
        return [key for key, table in self.tables.items() if table.outcome is Outcome.SCHEDULED]

    def _reveal(self, event: TournamentEvent) -> None:
        told = event.data["boards"]
        self.revealed.update(told)
        on_them = (self.tables[key].result for board in told for key in self._on_board.get(board, ()))
        self._settle(blocks_of(result for result in on_them if result is not None))

    def _score_single(self, tables: Iterable[StoredTable]) -> None:
        blocks = [[table.result] for table in tables if table.table.board is None and table.result is not None]
        if blocks:
            self._settle(blocks)

    def _settle(self, blocks: Sequence[Sequence[TableResult]]) -> None:
        self._score(blocks)
        self._is_untested = True

    def _score(self, blocks: Sequence[Sequence[TableResult]]) -> None:
        tallies, met = scores_of(blocks)
        for entry, tally in tallies.items():
            self.tallies[entry] += tally
        for entry, cells in met.items():
            for other, cell in cells.items():
                if entry < other:
                    self.met[entry, other] = self.met.get((entry, other), Cell()) + cell
        self.is_scored = self._is_ranked_anew = True

    def _test(self) -> None:
        """Look at the sequential test, if there is one and there was anything new for it; it decides once."""
        test, before = self.info.new.shape.sequential, self.info.verdict
        if test is None or not self._is_untested or len(self.entries) != 2:
            return
        self._is_untested = False
        if before is None or before.decision == CONTINUE:
            latest = {key[:2]: table.result for key, table in sorted(self.tables.items())}
            self._note(verdict=verdict_of(test, [*latest.values()], self.info.new.shape.table_size))

    def _crosstable(self) -> Crosstable:
        cells: dict[int, dict[int, Cell]] = {}
        for (entry, other), cell in self.met.items():
            cells.setdefault(entry, {})[other] = cell
            cells.setdefault(other, {})[entry] = cell.mirrored
        return cells

    def _lots(self, number: int) -> Sequence[int]:
        return boards.lots(self._seed, self.info.id, number, len(self.entries))

    def _note(self, **changes: Any) -> None:
        self.info = replace(self.info, **changes)

    def _progress(self, **changes: Any) -> None:
        self._note(progress=replace(self.info.progress, **changes))

    def _count(self, total: int = 0, over: int = 0, playing: int = 0) -> None:
        now = self.info.progress
        self._progress(
            tables_total=now.tables_total + total,
            tables_over=now.tables_over + over,
            tables_playing=now.tables_playing + playing,
        )


_STEPS: Final[Mapping[str, Callable[[Refolding, TournamentEvent], None]]] = {
    "entered": Refolding._enter,
    "returned": Refolding._return,
    "withdrawn": Refolding._leave,
    "disqualified": Refolding._leave,
    "started": Refolding._start,
    "paired": Refolding._pair,
    "dealt": Refolding._deal,
    "ended": Refolding._end,
    "revealed": Refolding._reveal,
    "decided": Refolding._decide,
    "paused": Refolding._go_on,
    "resumed": Refolding._go_on,
    "aborted": Refolding._abort,
    "finished": Refolding._finish,
    "seed-revealed": Refolding._reveal_seed,
}
"""What each kind of event does."""


def _created(event: TournamentEvent, tournament_id: UUID) -> TournamentInfo:
    return TournamentInfo(
        id=tournament_id,
        status=TournamentStatus.ENTRY,
        new=options_from_dict(event.data["options"]),
        entries=0,
        progress=Progress(None, None, 0, 0, 0),
        commitment=bytes.fromhex(event.data["commitment"]),
        boards_commitment=None,
        seed=None,
        version=0,
        created_at=event.at,
        started_at=None,
        finished_at=None,
        verdict=None,
        rated=False,
    )


def _cancelled(table: StoredTable) -> StoredTable:
    causes = (Cause.VOID,) * len(table.table.seats)
    result = TableResult(table.table, Outcome.CANCELLED, None, None, causes, complete=False)
    return replace(table, outcome=Outcome.CANCELLED, result=result)


def _key(told: Mapping[str, Any]) -> Key:
    """A table as the log names it."""
    return told["round"], told["table"], told["attempt"]


def _key_of(table: StoredTable) -> Key:
    return table.table.round, table.table.table, table.attempt
