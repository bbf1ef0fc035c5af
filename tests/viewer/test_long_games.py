"""The longest games: eight seats and a hundred rounds are stepped through like any other."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from skyjo import GameRecord, RuleSet, evolve, initial_state, write_jsonl
from skyjo_client import Arena, load_bot
from tests.viewer.looking import judge, photograph

pytestmark = pytest.mark.browser

ROUNDS = 100


@pytest.fixture(scope="module")
def long() -> GameRecord:
    """A game of eight bots that want nothing."""
    rules = RuleSet(score_limit=None, max_rounds=ROUNDS)
    game = Arena([load_bot("random")] * 8, rules=rules, seed="long").play_one(0, record=True).record
    assert game is not None
    return game


def test_a_game_of_eight_seats_and_a_hundred_rounds_is_stepped_through(
    page: Page, long: GameRecord, tmp_path: Path
) -> None:
    file = tmp_path / "long.jsonl"
    file.write_text(write_jsonl(long))
    page.goto("/")
    page.get_by_label("Choose a file").set_input_files(file)
    expect(page.get_by_text(f"Verified in your browser: {len(long.events)} events")).to_be_visible()
    for step in (len(long.events) - 1, len(long.events) // 2, len(long.events) // 3):
        page.get_by_role("slider", name="Step").fill(str(step))
        expect(page.locator(".log [aria-current=step]")).to_have_attribute("data-step", str(step))
        expect(page.locator(".waiting")).to_contain_text(f"Round {round_after(long, step)} ")
        assert 1 < page.locator(".log > li").count() < 1000, "the log is that of a round"
    page.get_by_label("Round", exact=True).select_option(str(ROUNDS - 1))
    expect(page.get_by_role("heading", name=f"Log of round {ROUNDS - 1}", exact=True)).to_be_visible()
    judge(page)
    photograph(page, "long-desk")


def round_after(game: GameRecord, step: int) -> int:
    """The number of the round after an event."""
    state = initial_state(game.rules, len(game.seats))
    for event in game.bare_events():
        state = evolve(state, event)
        if event.version == step:
            return state.round
    raise AssertionError(f"there is no event {step}")
