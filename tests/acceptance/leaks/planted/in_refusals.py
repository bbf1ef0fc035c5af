"""Leaks in what is said when something is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from uuid import UUID

import pytest

from skyjo import Action, Decision, State
from skyjo.record import GameRecord
from skyjo_server.service import play as playing
from skyjo_server.service import viewers
from skyjo_server.service.errors import GameNotFinished, IllegalMove, NotFound, ProblemCode, StaleVersion
from skyjo_server.service.games import Games
from skyjo_server.service.model import Caller
from skyjo_server.service.table import Hand, Table
from tests.acceptance.leaks.planted.plants import Plants, card_in_hand, hidden_sum, peek, top_of_pile

PLANTS: Final = Plants()


def _change_refusals(patch: pytest.MonkeyPatch, change: Callable[[IllegalMove, State], None]) -> None:
    honest = Hand.play

    def careless(hand: Hand, seat: int, action: Action, key: str | None) -> int:
        try:
            return honest(hand, seat, action, key)
        except IllegalMove as error:
            change(error, hand.state)
            raise

    patch.setattr(Hand, "play", careless)


@PLANTS.note()
def the_text_of_a_refusal_names_a_hidden_card(patch: pytest.MonkeyPatch) -> None:
    def change(error: IllegalMove, state: State) -> None:
        error.detail += f" (a1 is {state.grids[0].cards[0]}, c2 is {state.grids[1].cards[7]})"

    _change_refusals(patch, change)


@PLANTS.note(lambda scene: scene.state.turn is not None)
def a_refusal_lists_only_those_legal_actions_that_are_worth_it(patch: pytest.MonkeyPatch) -> None:
    def change(error: IllegalMove, state: State) -> None:
        cards = state.grids[state.turn or 0].cards
        listed = [Action.parse(text) for text in error.extras["legal_actions"]]
        worth = [action for action in listed if not action.places or cards[action.places[0]] > 4]
        error.extras["legal_actions"] = [str(action) for action in worth]

    _change_refusals(patch, change)


@PLANTS.note()
def the_status_of_a_refusal_depends_on_the_next_card(patch: pytest.MonkeyPatch) -> None:
    class Gone(IllegalMove):
        code = ProblemCode.GAME_OVER

    def change(error: IllegalMove, state: State) -> None:
        error.__class__ = Gone if top_of_pile(state) > 5 else IllegalMove

    _change_refusals(patch, change)


@PLANTS.note()
def the_hint_of_a_refusal_is_the_better_for_what_lies_hidden(patch: pytest.MonkeyPatch) -> None:
    def change(error: IllegalMove, state: State) -> None:
        error.hint += ": draw" if top_of_pile(state) < 5 else ""

    _change_refusals(patch, change)


@PLANTS.note(card_in_hand)
def whoever_is_stale_is_shown_the_view_of_the_seat_on_move(patch: pytest.MonkeyPatch) -> None:
    last, honest = peek(patch), Table.decision

    class Careless(StaleVersion):
        def __init__(self, sent: int, _seen: Decision) -> None:
            table = last[0]
            super().__init__(sent, honest(table, table.state.turn))

    patch.setattr(playing, "StaleVersion", Careless)


@PLANTS.note()
def whoever_asks_for_a_transcript_too_early_is_told_what_is_to_come(patch: pytest.MonkeyPatch) -> None:
    honest = Games.record

    def careless(games: Games, game_id: UUID) -> GameRecord:
        try:
            return honest(games, game_id)
        except GameNotFinished as error:
            stored = games._log.load(game_id)
            assert stored is not None
            error.detail += f": {hidden_sum(Table.of(stored).state, 0)} points are not counted yet"
            raise

    patch.setattr(Games, "record", careless)


@PLANTS.note()
def whoever_asks_for_the_view_of_another_is_told_what_it_would_have_been(patch: pytest.MonkeyPatch) -> None:
    honest = viewers.viewer_of

    def careless(table: Table, caller: Caller | None, bot_id: UUID | None) -> int | None:
        try:
            return honest(table, caller, bot_id)
        except NotFound as error:
            error.detail += f" (the seat has {hidden_sum(table.state, table.setup.seat_of(bot_id) or 0)} points)"
            raise

    patch.setattr(playing, "viewer_of", careless)
