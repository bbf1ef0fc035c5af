"""The page in a real browser: it follows games as they are played, and replays and proves what was played."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from skyjo import verify
from skyjo.transcript import read_transcript
from tests.faults.serving import RunningService
from tests.viewer.looking import Look, judge, photograph
from tests.viewer.tables import EVERYTHING, Table, finished

pytestmark = pytest.mark.browser

VERIFIED = re.compile("Verified in your browser")


@pytest.fixture(scope="module")
def pair(running: RunningService) -> Table:
    """A finished game of two."""
    return finished(running.url, 2)


@pytest.fixture(scope="module")
def eight(running: RunningService) -> Table:
    """A finished game of eight, under rules far from the usual ones."""
    return finished(running.url, 8, EVERYTHING)


def step_shown(page: Page) -> int:
    """The step that the page shows."""
    return int(page.locator(".where").inner_text().split(" / ")[0])


def expect_step(page: Page, step: int) -> None:
    """Wait until the page shows a step."""
    expect(page.locator(".where")).to_have_text(re.compile(rf"^{step} / "))


def test_a_running_game_is_followed_to_its_end_and_then_proved(page: Page, running: RunningService) -> None:
    table = Table(running.url, 3)
    table.play(4)
    page.goto(table.address)
    expect(page.locator(".status.live")).to_be_visible()
    expect(page.locator(".where")).to_have_text(re.compile(r"^[1-9]\d* / "))
    before = step_shown(page)
    table.play(4)
    page.wait_for_function("before => parseInt(document.querySelector('.where').textContent) > before", arg=before)
    # Nobody may know these cards yet: there is no number on the back of any, and no option to see one.
    expect(page.locator(".card.down").first).to_be_visible()
    expect(page.locator(".peek")).to_have_count(0)
    expect(page.get_by_label("Seen by")).to_have_count(0)
    photograph(page, "live-desk")
    table.play()
    expect(page.get_by_text(VERIFIED)).to_be_visible()
    expect(page.locator(".status.live")).to_have_count(0)
    expect(page.get_by_label("Seen by")).to_be_visible()
    # Whoever saw the game end is not sent to its beginning.
    expect(page.locator(".waiting")).to_contain_text("The game is over")


def test_a_replay_is_stepped_scrubbed_and_linked_to(page: Page, pair: Table) -> None:
    page.goto(pair.address)
    expect(page.get_by_text(VERIFIED)).to_be_visible()
    expect(page.locator(".what")).to_have_text("The cards are dealt")
    for key, step in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1)):
        page.keyboard.press(key)
        expect_step(page, step)
    page.keyboard.press("End")
    expect(page.locator(".waiting")).to_contain_text("The game is over")
    last = step_shown(page)
    page.get_by_label("Step", exact=True).fill(str(last // 2))
    expect_step(page, last // 2)
    expect(page.locator(".log [aria-current=step]")).to_have_attribute("data-step", str(last // 2))
    page.get_by_label("Round", exact=True).select_option("2")
    expect(page.locator(".waiting")).to_contain_text("Round 2")
    step = step_shown(page)
    assert step > 0
    page.get_by_label("Seen by").select_option("1")
    expect(page.locator(".peek")).to_have_count(0)
    expect(page).to_have_url(re.compile(rf"step={step}&as=1$"))
    page.reload()
    expect(page.get_by_text(VERIFIED)).to_be_visible()
    expect_step(page, step)
    expect(page.get_by_label("Seen by")).to_have_value("1")
    page.get_by_role("button", name="Play").click()
    page.wait_for_function("step => parseInt(document.querySelector('.where').textContent) > step", arg=step)
    page.get_by_role("button", name="Pause").click()
    photograph(page, "replay-desk")


def test_the_transcript_that_is_downloaded_proves_the_game(page: Page, pair: Table, tmp_path: Path) -> None:
    page.goto(pair.address)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download transcript").click()
    download.value.save_as(tmp_path / "game.skyjo")
    with (tmp_path / "game.skyjo").open("rb") as file:
        (record,) = read_transcript(file)
    verify(record)
    assert str(record.game) == pair.game


def test_the_page_survives_the_death_of_the_service(look: Look, running: RunningService) -> None:
    table = Table(running.url, 2)
    table.play(3)
    with look.desk() as page, look.desk() as lobby:
        page.goto(table.address)
        lobby.goto("/")
        expect(page.locator(".status.live")).to_be_visible()
        expect(lobby.get_by_role("heading", name="Running games")).to_be_visible()
        running.kill()
        expect(page.locator(".status.lost")).to_contain_text("The connection was lost. Trying again")
        expect(lobby.locator(".status.lost")).to_be_visible()
        photograph(page, "lost-desk")
        # What was there stays, and can still be stepped through.
        page.keyboard.press("Home")
        expect(page.locator(".what")).to_have_text("The cards are dealt")
        running.start()
        expect(page.locator(".status.live")).to_be_visible()
        expect(lobby.locator(".status.lost")).to_have_count(0)
        table.play()
        expect(page.get_by_text(VERIFIED)).to_be_visible()


def test_axe_finds_no_barrier_on_a_desk_or_a_phone_in_light_or_dark(
    look: Look, pair: Table, eight: Table, cup: str, bracket: str
) -> None:
    views = {
        "pair": f"{pair.address}?step=30",
        "eight": f"{eight.address}?step=60&as=3",
        "event": f"/#/event/{cup}",
        "bracket": f"/#/event/{bracket}",
        "leaderboard": "/#/leaderboard",
        "lobby": "/",
    }
    for opened, name, judged in (
        (look.desk("light"), "desk-light", {"pair", "event", "bracket", "leaderboard", "lobby"}),
        (look.phone("dark"), "phone-dark", {"eight", "event", "bracket", "leaderboard"}),
    ):
        with opened as page:
            for view, address in views.items():
                page.goto("about:blank")
                page.goto(address)
                expect(page.locator("h1, .where").first).to_be_visible()
                expect(page.locator("text=/Loading|Connecting|Checking/")).to_have_count(0)
                photograph(page, f"{view}-{name}")
                if view in judged:
                    judge(page)


def test_after_a_game_each_decision_is_shown_beside_the_best_one(page: Page, pair: Table) -> None:
    page.goto(pair.address)
    losses = page.get_by_role("region", name="Where points were lost")
    expect(losses).to_be_visible()
    expect(losses.locator(".strip")).to_have_count(2)
    worst = losses.get_by_role("button", name=re.compile(r"^Step \d+: .+, best .+, cost \d+\.\d$")).first
    step = int(re.findall(r"\d+", worst.inner_text())[0])
    worst.click()
    expect_step(page, step)
    expect(page.locator(".notes")).to_contain_text("points lost")
    losses.scroll_into_view_if_needed()
    photograph(page, "losses-desk")


def test_everything_can_be_reached_by_keyboard_and_every_card_says_what_it_is(page: Page, eight: Table) -> None:
    page.goto(f"{eight.address}?step=20")
    expect(page.get_by_text(VERIFIED)).to_be_visible()
    cards = page.locator(".seat .card")
    assert cards.count() == 8 * 12
    for label in cards.evaluate_all("cards => cards.map(card => card.getAttribute('aria-label'))"):
        assert re.fullmatch(r"[a-d][1-3]: (−?\d+|empty|face down(, −?\d+)?)", label), label
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to the content")).to_be_focused()
    for _ in range(12):
        page.keyboard.press("Tab")
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none", page.evaluate("document.activeElement.outerHTML")


def test_the_colours_can_be_chosen_and_the_choice_is_kept(page: Page) -> None:
    page.goto("/")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_role("button", name="Colours: auto").click()
    page.get_by_role("button", name="Colours: light").click()
    expect(page.get_by_role("button", name="Colours: dark")).to_be_visible()
    dark = page.evaluate(ground)
    assert dark != light
    page.reload()
    assert page.evaluate(ground) == dark
