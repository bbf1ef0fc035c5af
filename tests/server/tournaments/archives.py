"""Archives of events that were played without a service: made from the seed on, or falsified. Asserts nothing."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import count
from typing import Any

from skyjo import FairChance, GameRecord, LoggedEvent, RuleSet, Status, shuffle_key, write_jsonl, write_transcript
from skyjo import boards as draw
from skyjo.facts import Cause as Deed
from skyjo.facts import Event as Played
from skyjo.proof import endings
from skyjo.record import Board
from skyjo_server.tournaments.crosstable import crosstable, encounters
from skyjo_server.tournaments.formats import board_count, first_rounds, next_round
from skyjo_server.tournaments.knockout import levels_won
from skyjo_server.tournaments.points import blocks_of, points_of
from skyjo_server.tournaments.scoring import score_board
from skyjo_server.tournaments.standings import ranked
from skyjo_server.tournaments.tally import Tally
from skyjo_server.tournaments.values import (
    RANK_LOTS,
    Cause,
    Entry,
    Format,
    Outcome,
    Round,
    Scoring,
    Shape,
    Table,
    TableResult,
)
from tests.skyjo.export.records import played, result_of
from tests.strategies import GAME_ID, Habits, action_stream

SEED = bytes(range(32))
RULES = RuleSet(score_limit=None, max_rounds=1, draw_streams="per_seat")
HABITS = Habits(timeout_one_in=200, leave_one_in=300)
"""Most games are played to the end in time."""

Plain = dict[str, Any]
Files = dict[str, Any]


@dataclass
class Event:
    """An event in the course of being played."""

    shape: Shape
    entries: tuple[Entry, ...]
    log: list[Plain] = field(default_factory=list)
    tables: list[Plain] = field(default_factory=list)
    games: list[GameRecord] = field(default_factory=list)
    results: list[TableResult] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)

    def tell(self, kind: str, **data: Any) -> None:
        """Add to the log."""
        step = {"tournament": str(GAME_ID), "version": len(self.log), "kind": kind, "at": "2026-01-31T18:30:00Z"}
        self.log.append({**step, "data": data})

    def lots(self, number: int) -> Sequence[int]:
        return draw.lots(SEED, GAME_ID, number, len(self.entries))

    def play(self, rounds: Sequence[Round]) -> None:
        """Pair rounds, and play all their tables."""
        self.rounds += rounds
        for round_ in rounds:
            seats, boards = [list(t.seats) for t in round_.tables], [table.board for table in round_.tables]
            self.tell("paired", round=round_.number, first_table=0, tables=seats, boards=boards, byes=list(round_.byes))
        tables = [table for round_ in rounds for table in round_.tables]
        self.tell("dealt", tables=[{**key(table), "game": str(game_of(table))} for table in tables])
        for table in tables:
            self.end(table)
        self.tell("ended", tables=[{**key(table), "outcome": "finished"} for table in tables], replays=[])
        if self.shape.duplicate:
            self.tell("revealed", boards=sorted({table.board for table in tables if table.board is not None}))

    def end(self, table: Table) -> None:
        record = play_table(table)
        causes = tuple(Cause(ending) for ending in endings(record))
        ranks = record.result.ranks or ()
        self.games.append(record)
        self.results.append(TableResult(table, Outcome.FINISHED, record.result.totals, ranks, causes))
        seats = [
            {"entry": entry, "name": name(entry), "bot": None, "total": total, "rank": rank, "cause": cause.value}
            for entry, total, rank, cause in zip(table.seats, record.result.totals, ranks, causes, strict=True)
        ]
        told = {"board": table.board, "seats": seats, "game": str(record.game), "outcome": "finished"}
        self.tables.append({**key(table), **told, "embargoed": False, "complete": True})


def files_of(shape: Shape, entries: tuple[Entry, ...]) -> Files:
    """The files of an archive by name, as JSON values, of a whole event; the games as records."""
    event = Event(shape, entries)
    event.tell("created")
    for entry in entries:
        event.tell("entered", entry=entry.number, bot=None, house=None, name=name(entry.number), since_round=0)
    boards = board_count(shape, entries)
    each = (draw.board_commitment(SEED, GAME_ID, board, RULES.canonical_name) for board in range(boards))
    committed = draw.boards_commitment(GAME_ID, each).hex() if boards else None
    event.tell("started", boards=boards, boards_commitment=committed)
    event.play(first_rounds(shape, entries, event.lots))
    while shape.format in {Format.SWISS, Format.KNOCKOUT}:
        following = next_round(shape, entries, event.lots, event.rounds, points(event))
        if following is None:
            break
        event.play([following])
    event.tell("finished", seed=SEED.hex())
    options = {"skyjo-tournament": 1, "id": str(GAME_ID), "status": "finished", **asdict(shape)}
    options |= {"rules": RULES.to_dict(), "commitment": draw.event_commitment(SEED, GAME_ID).hex()}
    return {
        "tournament.json": options
        | {"boards_commitment": committed, "seed": SEED.hex(), "version": len(event.log) - 1},
        "entries.json": [told_entry(entry) for entry in entries],
        "log.jsonl": event.log,
        "tables.json": event.tables,
        "standings.json": list(standings(event)),
        "games": event.games,
    }


def packed(files: Files) -> bytes:
    """An archive as a ZIP file."""
    games: list[GameRecord] = files["games"]
    texts = {name: json.dumps(value) for name, value in files.items() if name.endswith(".json")}
    texts["log.jsonl"] = "".join(json.dumps(step) + "\n" for step in files["log.jsonl"])
    texts["games.jsonl"] = "".join(map(write_jsonl, games))
    texts |= {f"games/{game.game}.skyjo": write_transcript(game) for game in games}
    return zipped(texts)


def zipped(texts: dict[str, str] | dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for member, text in texts.items():
            archive.writestr(member, text)
    return out.getvalue()


def play_table(table: Table) -> GameRecord:
    """The game of a table, with random play."""
    game = game_of(table)
    seed, board = draw.game_seed(SEED, GAME_ID, game), None
    if table.board is not None:
        seed = draw.board_seed(SEED, GAME_ID, table.board)
        board = Board(draw.board_id(GAME_ID, table.board), draw.table_salt(SEED, GAME_ID, game))
    chance = FairChance(shuffle_key(seed, board.id if board else game, RULES.canonical_name))
    seats = len(table.seats)
    events = next(events for attempt in count(1_009 * table.table) if acted(events := any_play(chance, seats, attempt)))
    names = tuple(map(name, table.seats))
    result = result_of(RULES, seats, events, Status.VOID)
    logged = tuple(map(LoggedEvent, events))
    record = GameRecord(game, RULES, names, bytes(32), seed, (), logged, result, board)
    return replace(record, commitment=record.true_commitment())


def any_play(chance: FairChance, seats: int, number: int) -> list[Played]:
    return played(RULES, seats, chance, action_stream(number), 10_000, HABITS)


def acted(events: Sequence[Played]) -> bool:
    """Whether anybody did anything by itself: otherwise the game would be void."""
    return any(event.cause is Deed.PLAYER for event in events)


def points(event: Event) -> dict[int, Sequence[float]]:
    got = points_of(event.shape, event.rounds, event.results)
    return {entry.number: got.get(entry.number, [0.0] * len(event.rounds)) for entry in event.entries}


def standings(event: Event) -> Iterator[Plain]:
    """The rows of the standings, with the members that can be audited."""
    tallies = {entry.number: Tally() for entry in event.entries}
    for block in blocks_of(event.results):
        scores = score_board(block)
        for entry in {score.entry for score in scores}:
            tallies[entry] += Tally.of([score for score in scores if score.entry == entry])
    for bye in (entry for round_ in event.rounds for entry in round_.byes):
        tallies[bye] += Tally.bye(event.shape.boards)
    met = crosstable(each for result in event.results for each in encounters(result))
    won = None
    if event.shape.format is Format.KNOCKOUT:
        won = levels_won(event.shape, event.entries, event.lots, event.rounds, points(event))
    for row in ranked(event.shape, tallies, met=met, stages=won, lots=event.lots(RANK_LOTS)):
        tally, size = row.tally, event.shape.table_size
        sums = {"tables": tally.tables, "wins": tally.wins, "shared": tally.shared, "byes": tally.byes}
        means = {"match_points": tally.mean(Scoring.RANKS, size), "points": tally.mean(Scoring.POINTS, size)}
        yield {"rank": row.place, "entry": row.entry, "score": row.score, "boards": tally.boards, **sums, **means}


def told_entry(entry: Entry) -> Plain:
    return {
        "number": entry.number,
        "bot": None,
        "house": None if entry.owner else "random",
        "name": name(entry.number),
        "status": "active",
        "reason": None,
        "since_round": 0,
        "owner": None if entry.owner is None else int.from_bytes(entry.owner.encode()[-3:], "big"),
    }


def key(table: Table) -> Plain:
    return {"round": table.round, "table": table.table, "attempt": 0}


def game_of(table: Table) -> Any:
    return draw.game_id(GAME_ID, table.round, table.table, 0)


def name(entry: int) -> str:
    return f"bot {entry}"
