"""From an event to its games, lots and boards: what formats are given, and what tables become. Pairs nobody itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from skyjo import boards, commitment
from skyjo.record import Board
from skyjo.shuffle import table_commitment
from skyjo_server.service.model import Seat, SeatKind
from skyjo_server.service.ports import NewStoredGame
from skyjo_server.service.tournament_model import EntryStatus
from skyjo_server.service.tournament_ports import Book, StoredEntry, StoredTable, StoredTournament
from skyjo_server.tournaments.values import Entry, Format, Lots, Shape

HOUSE: Final = "house "
"""How the name begins by which a house bot's live rating is found; a bot's is its id."""

FILLED: Final = frozenset({Format.ROUND_ROBIN, Format.SWISS, Format.GAUNTLET})
"""Formats in which a filler makes the numbers divide; a knockout has byes for that, and a ladder needs nothing."""


def values_of(entries: Iterable[StoredEntry]) -> tuple[Entry, ...]:
    """Entries as formats know them."""
    return tuple(
        Entry(
            number=each.info.number,
            owner=None if each.owner_id is None else str(each.owner_id),
            active=each.info.status is EntryStatus.ACTIVE,
            since_round=each.info.since_round,
        )
        for each in entries
    )


def lots_of(event: StoredTournament, count: int) -> Lots:
    """The lots of an event, over so many entries by index."""
    return lambda number: boards.lots(event.seed, event.info.id, number, count)


def fillers_needed(shape: Shape, active: int) -> int:
    """How many house bots make the numbers divide.

    >>> fillers_needed(Shape(format=Format.SWISS, table_size=4, boards=4), 9)
    3
    """
    if shape.format not in FILLED:
        return 0
    if shape.format is Format.GAUNTLET:
        return -(active - shape.challengers) % (shape.table_size - 1)
    return -active % shape.table_size


def least_entries(shape: Shape) -> int:
    """How many active entries an event needs to begin; a ladder begins with nobody."""
    if shape.format is Format.LADDER:
        return 0
    return shape.challengers + shape.table_size - 1 if shape.format is Format.GAUNTLET else shape.table_size


def commitment_of_boards(event: StoredTournament, count: int) -> bytes:
    """What fixes all boards of an event."""
    info, rules = event.info, event.info.new.rules.canonical_name
    single = (boards.board_commitment(event.seed, info.id, board, rules) for board in range(count))
    return boards.boards_commitment(info.id, single)


def new_game(event: StoredTournament, stored: StoredTable, entries: Mapping[int, StoredEntry]) -> NewStoredGame:
    """The game of a table: on its board, or on a deal of its own."""
    info, table = event.info, stored.table
    game_id = boards.game_id(info.id, table.round, table.table, stored.attempt)
    rules, board = info.new.rules, None
    if stored.own_deal or table.board is None:
        seed = boards.game_seed(event.seed, info.id, game_id)
        committed = commitment(seed, game_id, rules.canonical_name)
    else:
        seed = boards.board_seed(event.seed, info.id, table.board)
        board = Board(boards.board_id(info.id, table.board), boards.table_salt(event.seed, info.id, game_id))
        committed = table_commitment(
            game_id, board.salt, boards.board_commitment(event.seed, info.id, table.board, rules.canonical_name)
        )
    return NewStoredGame(
        game_id=game_id,
        owner_id=event.owner_id,
        rules=rules,
        seats=tuple(_seat(number, entries[entry]) for number, entry in enumerate(table.seats)),
        seed=seed,
        commitment=committed,
        clock=info.new.clock,
        key=None,
        tournament_id=info.id,
        board=board,
        embargoed=board is not None,
    )


def seated(tables: Sequence[StoredTable]) -> set[int]:
    """The entries that sit at some tables."""
    return {entry for table in tables for entry in table.table.seats}


def entries_at(book: Book, tables: Sequence[StoredTable]) -> dict[int, StoredEntry]:
    """The entries that sit at some tables, by number."""
    return {each.info.number: each for each in book.entries(seated(tables))}


def _seat(number: int, entry: StoredEntry) -> Seat:
    info = entry.info
    kind = SeatKind.HOUSE if info.bot_id is None else SeatKind.BOT
    return Seat(number, kind, info.bot_id, entry.owner_id, info.house, info.name)


def player_of(entry: StoredEntry) -> str:
    """The name by which the live rating of an entry's player is found."""
    info = entry.info
    return f"{HOUSE}{info.house}" if info.bot_id is None else str(info.bot_id)
