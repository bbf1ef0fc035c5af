"""Leaks in what a viewer sees of the table, and in how that is answered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

import pytest
from flask import Response

from skyjo import Action, Decision, LegalActions, Phase, State
from skyjo.cards import DECK, ROWS
from skyjo_server.http import answers
from skyjo_server.service import replays
from skyjo_server.service.table import Table
from tests.acceptance.leaks.planted.plants import (
    Plants,
    card_in_hand,
    change_decisions,
    digest,
    on_move,
    peek,
    top_of_pile,
)

PLANTS: Final = Plants()


def _change_answers(patch: pytest.MonkeyPatch, change: Callable[[Response, State], None]) -> None:
    last, honest = peek(patch), answers.decision_answer

    def careless(seen: Decision) -> Response:
        answer = honest(seen)
        change(answer, last[0].state)
        return answer

    patch.setattr(answers, "decision_answer", careless)


@PLANTS.note()
def the_entity_tag_is_a_hash_of_the_whole_state(patch: pytest.MonkeyPatch) -> None:
    last = peek(patch)
    patch.setattr(answers, "decision_tag", lambda seen: f'"{seen.version}-{digest(last[0].state)}"')


@PLANTS.note()
def a_header_tells_a_hash_of_the_draw_pile(patch: pytest.MonkeyPatch) -> None:
    def change(answer: Response, state: State) -> None:
        answer.headers["X-Deck"] = digest(state.pile)

    _change_answers(patch, change)


@PLANTS.note()
def the_body_is_as_much_longer_as_the_next_card_is_high(patch: pytest.MonkeyPatch) -> None:
    def change(answer: Response, state: State) -> None:
        answer.set_data(answer.get_data() + b" " * (top_of_pile(state) + 2))

    _change_answers(patch, change)


@PLANTS.note()
def whether_a_view_is_known_already_depends_on_the_next_card(patch: pytest.MonkeyPatch) -> None:
    last, honest = peek(patch), answers._is_known
    patch.setattr(answers, "_is_known", lambda tag: honest(tag) and not (last and top_of_pile(last[0].state) % 2))


@PLANTS.note(card_in_hand)
def everybody_sees_the_drawn_card(patch: pytest.MonkeyPatch) -> None:
    change_decisions(patch, lambda seen, state: replace(seen, drawn=state.hand))


@PLANTS.note()
def the_steps_of_a_game_are_open_before_its_end(patch: pytest.MonkeyPatch) -> None:
    honest = Table.step
    patch.setattr(Table, "step", lambda table, viewer, _complete: honest(table, viewer, True))


@PLANTS.note(card_in_hand)
def whoever_asks_for_the_step_of_a_seat_gets_it(patch: pytest.MonkeyPatch) -> None:
    def careless(table: Table, _caller: object, seat: int | None, _perspective: object) -> tuple[int | None, None]:
        return (seat if seat in range(len(table.setup.seats)) else None), None

    patch.setattr(replays, "_sight", careless)


@PLANTS.note()
def the_total_of_a_seat_is_a_preview_that_counts_hidden_cards(patch: pytest.MonkeyPatch) -> None:
    def change(seen: Decision, state: State) -> Decision:
        counted = (replace(seat, total=grid.score()) for seat, grid in zip(seen.seats, state.grids, strict=True))
        return replace(seen, seats=tuple(counted))

    change_decisions(patch, change)


@PLANTS.note()
def a_hidden_card_goes_by_its_number_in_the_deck(patch: pytest.MonkeyPatch) -> None:
    def named(column: Any, cards: Sequence[int]) -> Any:
        if column is None:
            return None
        return tuple(f"#{DECK.index(card)}" if cell is None else cell for cell, card in zip(column, cards, strict=True))

    def change(seen: Decision, state: State) -> Decision:
        seats = []
        for seat, grid in zip(seen.seats, state.grids, strict=True):
            starts = range(0, len(grid.cards), ROWS)
            columns = tuple(named(seat.columns[at // ROWS], grid.cards[at : at + ROWS]) for at in starts)
            seats.append(replace(seat, columns=columns))
        return replace(seen, seats=tuple(seats))

    change_decisions(patch, change)


@PLANTS.note()
def the_size_of_the_draw_pile_leaves_out_what_is_there_twice(patch: pytest.MonkeyPatch) -> None:
    def change(seen: Decision, state: State) -> Decision:
        return replace(seen, draw_pile_size=len(set(state.pile[sum(state.taken) :][:20])))

    change_decisions(patch, change)


@PLANTS.note(on_move)
def legal_actions_are_sorted_by_the_cards_that_lie_there(patch: pytest.MonkeyPatch) -> None:
    def change(seen: Decision, state: State) -> Decision:
        def card(action: Action) -> int:
            return state.grids[state.turn or 0].cards[action.places[0]] if action.places else 99

        return replace(seen, legal_actions=LegalActions(tuple(sorted(seen.legal_actions, key=card))))

    change_decisions(patch, change)


@PLANTS.note()
def a_column_that_will_go_is_gone_while_it_is_hidden(patch: pytest.MonkeyPatch) -> None:
    def change(seen: Decision, state: State) -> Decision:
        seats = []
        for seat, grid in zip(seen.seats, state.grids, strict=True):
            starts = range(0, len(grid.cards), ROWS)
            pairs = (len(set(grid.cards[at : at + ROWS])) < ROWS for at in starts)
            columns = zip(seat.columns, pairs, strict=True)
            seats.append(replace(seat, columns=tuple(None if pair else column for column, pair in columns)))
        return replace(seen, seats=tuple(seats))

    change_decisions(patch, change)


@PLANTS.note(lambda scene: scene.setting.info.clock.move_seconds is not None and scene.state.phase is not Phase.FLIP)
def a_deadline_is_later_for_a_seat_with_much_to_think_about(patch: pytest.MonkeyPatch) -> None:
    def change(seen: Decision, state: State) -> Decision:
        if seen.deadline is None:
            return seen
        return replace(seen, deadline=f"{seen.deadline[:-1]}{state.grids[state.turn or 0].score() + 20}Z")

    change_decisions(patch, change)
