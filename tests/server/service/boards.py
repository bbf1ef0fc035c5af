"""Tables of one duplicate board for the tests of the use cases, begun as an event begins them."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID, uuid4

import psycopg

from skyjo import RuleSet, boards
from skyjo.record import Board
from skyjo.shuffle import table_commitment
from skyjo_server.app import Service
from skyjo_server.service.model import ClockRules, GameInfo, Seat, SeatKind
from skyjo_server.service.ports import NewStoredGame
from skyjo_server.service.table import dealing_move
from skyjo_server.storage.engine import transaction
from skyjo_server.storage.games import add_games
from tests.server.service.people import Player

EVENT_SEED = bytes(range(32))
RULES = RuleSet(draw_streams="per_seat", max_rounds=1, max_turns_per_seat=9, score_limit=None)


def table(event_id: UUID, number: int, players: Sequence[Player], *, embargoed: bool = True) -> NewStoredGame:
    """A game of the event's first board between bots."""
    game_id = boards.game_id(event_id, 0, number, 0)
    salt = boards.table_salt(EVENT_SEED, event_id, game_id)
    return NewStoredGame(
        game_id=game_id,
        owner_id=players[0].caller.owner_id,
        rules=RULES,
        seats=tuple(
            Seat(seat, SeatKind.BOT, player.bot_id, player.caller.owner_id, None, player.secret[:8])
            for seat, player in enumerate(players)
        ),
        seed=boards.board_seed(EVENT_SEED, event_id, 0),
        commitment=table_commitment(
            game_id, salt, boards.board_commitment(EVENT_SEED, event_id, 0, RULES.canonical_name)
        ),
        clock=ClockRules(),
        key=None,
        tournament_id=event_id,
        board=Board(boards.board_id(event_id, 0), salt),
        embargoed=embargoed,
    )


def begin(service: Service, *tables: NewStoredGame) -> tuple[GameInfo, ...]:
    """Create and deal games in one transaction; gives those that are new."""
    with transaction(service.storage.games._engine) as connection:
        return add_games(connection, tables, dealing_move)


def two_tables(service: Service, players: Sequence[Player], *, embargoed: bool = True) -> tuple[GameInfo, GameInfo]:
    """One board at two tables: the first two players at one, the others at the other."""
    event_id = uuid4()
    one, other = begin(
        service,
        table(event_id, 0, players[:2], embargoed=embargoed),
        table(event_id, 1, players[2:4], embargoed=embargoed),
    )
    return one, other


def lift(conninfo: str, *games: GameInfo) -> None:
    """Say that a board is over everywhere, as an event does."""
    with psycopg.connect(conninfo) as connection:
        connection.execute("UPDATE games SET embargoed = false WHERE game_id = ANY(%s)", ([game.id for game in games],))
