"""Leaks in who is taken for whom, and in what is played for others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final
from uuid import UUID

import pytest

from skyjo import Action, Decision, Verb, decision, legal_actions
from skyjo.legal import default_action
from skyjo.state import PLACES_OF_MASK, State
from skyjo_server.service import play as playing
from skyjo_server.service import table as tabling
from skyjo_server.service import viewers
from skyjo_server.service.model import Caller, GameStatus, Scope, Submission
from skyjo_server.service.play import Play
from skyjo_server.service.ports import GameLog, Receipt
from skyjo_server.service.table import Hand, Table
from tests.acceptance.leaks.planted.plants import (
    Plants,
    card_in_hand,
    house_plays_later,
    keyed,
    time_runs_out_later,
)

PLANTS: Final = Plants()


@PLANTS.note(card_in_hand)
def whoever_names_a_bot_sees_what_it_sees(patch: pytest.MonkeyPatch) -> None:
    honest = viewers.viewer_of

    def careless(table: Table, caller: Caller | None, bot_id: UUID | None) -> int | None:
        return honest(table, caller, None) if bot_id is None else table.setup.seat_of(bot_id)

    patch.setattr(playing, "viewer_of", careless)


@PLANTS.note()
def an_organiser_sees_everything(patch: pytest.MonkeyPatch) -> None:
    honest = Play.view

    def careless(play: Play, caller: Caller | None, game_id: UUID, *wanted: Any) -> Decision:
        seen = honest(play, caller, game_id, *wanted)
        if caller is None or not caller.scope.covers(Scope.ORGANISER):
            return seen
        return decision(play._tables.cached(game_id).state, seen.seat, game=seen.game, stopped=True)

    patch.setattr(Play, "view", careless)


@PLANTS.note(card_in_hand)
def whoever_waits_for_news_sees_what_the_seat_on_move_sees(patch: pytest.MonkeyPatch) -> None:
    honest = Play.view

    def careless(
        play: Play, caller: Caller | None, game_id: UUID, bot_id: UUID | None, after: int | None, wait_seconds: float
    ) -> Decision:
        seen = honest(play, caller, game_id, bot_id, after, wait_seconds)
        if after is None:
            return seen
        table = play._tables.cached(game_id)
        return table.decision(table.state.turn)

    patch.setattr(Play, "view", careless)


@PLANTS.note(keyed)
def a_play_that_is_sent_again_is_answered_with_all_cards_open(patch: pytest.MonkeyPatch) -> None:
    honest = playing._first_answer

    def careless(log: GameLog, table: Table, seat: int, sent: Submission, receipt: Receipt) -> Any:
        answer: Any = honest(log, table, seat, sent, receipt)
        return replace(answer, table=replace(answer.table, status=GameStatus.ABORTED))

    patch.setattr(playing, "_first_answer", careless)


@PLANTS.note(house_plays_later)
def a_house_bot_knows_the_cards_that_it_cannot_see(patch: pytest.MonkeyPatch) -> None:
    def careless(hand: Hand, seat: int) -> Action:
        listed = list(legal_actions(hand.state, seat))
        pile = hand.state.pile[sum(hand.state.taken) :][1:6]
        return listed[sum(pile) % len(listed)]

    patch.setattr(Hand, "_house_action", careless)


@PLANTS.note(time_runs_out_later)
def a_default_action_flips_the_lowest_card(patch: pytest.MonkeyPatch) -> None:
    def careless(state: State, seat: int) -> Action:
        action, grid = default_action(state, seat), state.grids[seat]
        hidden: Sequence[Any] = PLACES_OF_MASK[grid.hidden]
        if action.verb is not Verb.REJECT or not hidden:
            return action
        return Action.reject(min(hidden, key=lambda place: grid.cards[place]))

    patch.setattr(tabling, "default_action", careless)
