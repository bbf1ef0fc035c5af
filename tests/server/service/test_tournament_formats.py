"""Events of every format run from entry to a revealed seed, and what they publish follows from it and the games."""

from __future__ import annotations

from collections import Counter

import pytest

from skyjo import boards, verify
from skyjo.record import GameRecord
from skyjo_server.app import Service
from skyjo_server.service.model import GameStatus
from skyjo_server.service.tournament_model import TournamentInfo, TournamentStatus
from skyjo_server.tournaments.scoring import SeatScore, score_board
from skyjo_server.tournaments.tally import Tally
from skyjo_server.tournaments.values import Cause, Format, Outcome, Table, TableResult
from tests.server.service.cups import HOUSE, SHAPES, cup, log, run, schedule, standings
from tests.server.service.people import organiser


@pytest.mark.parametrize("name", SHAPES)
def test_an_event_of_house_bots_runs_to_its_end_and_all_it_publishes_follows_from_its_seed_and_its_games(
    service: Service, name: str
) -> None:
    host = organiser(service)
    info = cup(service, host, SHAPES[name], *HOUSE)
    service.arena.start_tournament(host, info.id)
    over = run(service, info.id)
    played = schedule(service, over.id)
    assert over.status is TournamentStatus.FINISHED
    assert {table.outcome for table in played} == {Outcome.FINISHED}
    assert not any(table.embargoed for table in played)
    check_seed(service, over)
    check_games(service, over)
    check_standings(service, over)
    check_seats(service, over)
    check_shares(service, over)


def results(service: Service, info: TournamentInfo) -> list[TableResult]:
    """What the schedule says of every table, as the scoring takes it."""
    return [
        TableResult(
            Table(table.round, table.table, table.board, tuple(seat.entry for seat in table.seats)),
            table.outcome,
            tuple(seat.total or 0 for seat in table.seats),
            tuple(seat.rank or 0 for seat in table.seats),
            tuple(seat.cause or Cause.VOID for seat in table.seats),
            bool(table.complete),
        )
        for table in schedule(service, info.id)
    ]


def blocks(found: list[TableResult]) -> list[list[TableResult]]:
    alone = [[result] for result in found if result.table.board is None]
    shared: dict[int, list[TableResult]] = {}
    for result in found:
        if result.table.board is not None:
            shared.setdefault(result.table.board, []).append(result)
    return [*alone, *shared.values()]


def check_seed(service: Service, over: TournamentInfo) -> None:
    """What was published before the first round stands for the seed that was revealed after the last."""
    assert over.seed is not None
    assert over.commitment == boards.event_commitment(over.seed, over.id)
    made = next(event.data["boards"] for event in log(service, over.id) if event.kind == "started")
    assert (made > 0) == over.new.shape.duplicate == (over.boards_commitment is not None)
    if over.new.shape.duplicate:
        rules = over.new.rules.canonical_name
        each = [boards.board_commitment(over.seed, over.id, board, rules) for board in range(made)]
        assert over.boards_commitment == boards.boards_commitment(over.id, each)


def check_games(service: Service, over: TournamentInfo) -> None:
    """Every game is one of the event's, proves itself, and has the id, the deal and the result of its table."""
    played = schedule(service, over.id)
    games = service.arena.games(None, None, over.id, 100, None).items
    assert {game.id for game in games} == {table.game_id for table in played}
    assert all(game.status is GameStatus.FINISHED for game in games)
    for table in played:
        record = service.arena.transcript(boards.game_id(over.id, table.round, table.table, table.attempt))
        assert record.game == table.game_id
        assert record.seed == expected_seed(over, table.board, record)
        assert [seat.total for seat in table.seats] == list(record.result.totals)
        verify(record)


def expected_seed(over: TournamentInfo, board: int | None, record: GameRecord) -> bytes:
    assert over.seed is not None
    if board is None:
        assert record.board is None
        return boards.game_seed(over.seed, over.id, record.game)
    assert record.board is not None
    assert record.board.id == boards.board_id(over.id, board)
    return boards.board_seed(over.seed, over.id, board)


def check_standings(service: Service, over: TournamentInfo) -> None:
    """The standings are those that the schedule gives when it is added up anew."""
    tallies: dict[int, Tally] = {}
    for block in blocks(results(service, over)):
        scores: dict[int, list[SeatScore]] = {}
        for score in score_board(block):
            scores.setdefault(score.entry, []).append(score)
        for entry, own in scores.items():
            tallies[entry] = tallies.get(entry, Tally()) + Tally.of(own)
    byes = Counter(entry for event in log(service, over.id) if event.kind == "paired" for entry in event.data["byes"])
    for entry, count in byes.items():
        tallies[entry] = tallies.get(entry, Tally()) + Tally.bye(count * over.new.shape.boards)
    rows = standings(service, over.id)
    assert {row.entry: row.tally for row in rows} == tallies
    assert [row.rank for row in rows] == list(range(1, len(HOUSE) + 1))
    assert all(row.rating is not None for row in rows)


def check_seats(service: Service, over: TournamentInfo) -> None:
    """No entry has one seat twice more often than another."""
    seats = Counter(
        (seat.entry, place) for table in schedule(service, over.id) for place, seat in enumerate(table.seats)
    )
    for entry in range(len(HOUSE)):
        counts = [seats[entry, place] for place in range(over.new.shape.table_size)]
        assert max(counts) - min(counts) <= 1


def check_shares(service: Service, over: TournamentInfo) -> None:
    """A ladder gives everybody a fair share of games, and no fewer than were asked for."""
    if over.new.shape.format is Format.LADDER and over.new.shape.rounds is not None:
        shares = [row.tally.tables for row in standings(service, over.id)]
        assert min(shares) >= over.new.shape.rounds
        assert max(shares) - min(shares) <= over.new.shape.boards
