"""Leaks in games, in lists of them and in what the database is asked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final
from uuid import UUID

import pytest

from skyjo import Decision
from skyjo_server.service.games import Games
from skyjo_server.service.model import Caller, GameInfo, Page
from skyjo_server.service.play import Play
from skyjo_server.service.table import Table
from skyjo_server.service.tables import Tables
from tests.acceptance.leaks.planted.plants import Plants, flips_hidden, hidden_sum, top_of_pile

PLANTS: Final = Plants()


@PLANTS.note()
def the_seed_stands_where_the_commitment_should(patch: pytest.MonkeyPatch) -> None:
    honest = Games.game

    def careless(games: Games, game_id: UUID) -> GameInfo:
        info = honest(games, game_id)
        stored = games._log.load(game_id)
        return info if stored is None else replace(info, commitment=stored.seed)

    patch.setattr(Games, "game", careless)


@PLANTS.note()
def the_cursor_of_a_list_contains_the_seed_of_its_last_game(patch: pytest.MonkeyPatch) -> None:
    honest = Games.games

    def careless(games: Games, *wanted: Any) -> Page[GameInfo]:
        page = honest(games, *wanted)
        last = games._log.load(page.items[-1].id) if page.items else None
        return page if last is None else replace(page, next_cursor=f"{page.next_cursor}{last.seed.hex()[:8]}")

    patch.setattr(Games, "games", careless)


@PLANTS.note()
def the_seats_of_a_game_are_in_the_order_of_their_true_scores(patch: pytest.MonkeyPatch) -> None:
    honest = Games.game

    def careless(games: Games, game_id: UUID) -> GameInfo:
        info = honest(games, game_id)
        stored = games._log.load(game_id)
        if stored is None or not stored.events:
            return info
        state = Table.of(stored).state
        return replace(info, seats=tuple(sorted(info.seats, key=lambda seat: state.grids[seat.seat].score())))

    patch.setattr(Games, "game", careless)


@PLANTS.note(flips_hidden)
def the_inbox_is_in_the_order_of_what_lies_hidden(patch: pytest.MonkeyPatch) -> None:
    honest = Play._pending

    def careless(play: Play, bot_id: UUID, caller: Caller, limit: int) -> tuple[Decision, ...]:
        def hidden(seen: Decision) -> int:
            return hidden_sum(play._tables.cached(UUID(seen.game)).state, seen.seat or 0)

        return tuple(sorted(honest(play, bot_id, caller, limit), key=hidden))

    patch.setattr(Play, "_pending", careless)


@PLANTS.note()
def the_database_is_asked_once_more_when_the_next_card_is_high(patch: pytest.MonkeyPatch) -> None:
    honest = Tables.fresh

    def careless(tables: Tables, game_id: UUID, caller: Caller | None = None) -> Table:
        table = honest(tables, game_id, caller)
        return table if top_of_pile(table.state) < 6 else honest(tables, game_id, caller)

    patch.setattr(Tables, "fresh", careless)
