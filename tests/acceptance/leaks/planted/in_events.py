"""Leaks in the log as its readers are given it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final

import pytest

from skyjo import Action, Event, SeenEvent, State, Verb, full_event, seen_event
from skyjo.facts import Drawn, Reshuffled
from skyjo_server.service import follow as following
from skyjo_server.service import play as playing
from skyjo_server.service import viewers
from skyjo_server.service.model import GameStatus, StampedEvent
from skyjo_server.service.ports import StoredEvent
from skyjo_server.service.table import Table
from tests.acceptance.leaks.planted.plants import Plants, card_in_hand, flips_hidden, reshuffled

PLANTS: Final = Plants()


def _change_events(patch: pytest.MonkeyPatch, change: Callable[[SeenEvent, Event, int | None], SeenEvent]) -> None:
    def careless(event: Event, before: State, viewer: int | None) -> SeenEvent:
        return change(seen_event(event, before, viewer), event, viewer)

    patch.setattr(viewers, "seen_event", careless)


def _is(event: Event, verb: Verb) -> bool:
    return event.action is not None and event.action.verb is verb


@PLANTS.note()
def a_spectator_is_given_events_in_full(patch: pytest.MonkeyPatch) -> None:
    _change_events(patch, lambda seen, event, viewer: full_event(event) if viewer is None else seen)


@PLANTS.note()
def the_deal_is_given_in_full(patch: pytest.MonkeyPatch) -> None:
    _change_events(patch, lambda seen, event, _: full_event(event) if event.version == 0 else seen)


@PLANTS.note(card_in_hand)
def everybody_is_given_a_draw_in_full(patch: pytest.MonkeyPatch) -> None:
    _change_events(patch, lambda seen, event, _: full_event(event) if event.action == Action.draw() else seen)


@PLANTS.note(flips_hidden)
def flips_are_shown_before_all_seats_have_chosen(patch: pytest.MonkeyPatch) -> None:
    _change_events(patch, lambda seen, event, _: full_event(event) if _is(event, Verb.FLIP) else seen)


@PLANTS.note(flips_hidden)
def the_places_of_flips_are_told_before_all_seats_have_chosen(patch: pytest.MonkeyPatch) -> None:
    _change_events(patch, lambda seen, event, _: replace(seen, action=event.action))


@PLANTS.note(reshuffled)
def the_order_of_a_reshuffled_pile_is_told(patch: pytest.MonkeyPatch) -> None:
    def change(seen: SeenEvent, event: Event, _viewer: int | None) -> SeenEvent:
        if not any(isinstance(fact, Reshuffled) for fact in event.facts):
            return seen
        shown = zip(event.facts, seen.facts, strict=True)
        return replace(seen, facts=tuple(full if isinstance(full, Reshuffled) else fact for full, fact in shown))

    _change_events(patch, change)


@PLANTS.note(card_in_hand)
def only_the_first_page_of_events_is_redacted(patch: pytest.MonkeyPatch) -> None:
    honest = viewers.seen_events

    def careless(
        table: Table, viewer: int | None, events: Sequence[StoredEvent], after: int, limit: int
    ) -> tuple[StampedEvent, ...]:
        known = table if after < 0 else replace(table, status=GameStatus.ABORTED)
        return honest(known, viewer, events, after, limit)

    patch.setattr(playing, "seen_events", careless)


@PLANTS.note(card_in_hand)
def the_time_of_a_draw_has_the_card_in_its_last_digits(patch: pytest.MonkeyPatch) -> None:
    def careless(event: SeenEvent, stored: StoredEvent) -> StampedEvent:
        cards = [fact.card for fact in stored.event.facts if isinstance(fact, Drawn)]
        return StampedEvent(event, stored.at + timedelta(microseconds=sum(cards)), stored.thinking_seconds)

    patch.setattr(viewers, "stamped", careless)


@PLANTS.note(card_in_hand)
def whoever_follows_is_given_events_in_full(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(following, "seen_event", lambda event, _before, _viewer: full_event(event))
