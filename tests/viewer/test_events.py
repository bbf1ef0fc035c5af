"""Events and the leaderboard in a real browser: what the service tells of them is what the page shows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import psycopg
import pytest
from playwright.sync_api import Page, expect

from skyjo_client import Client, CrosstableCell, SequentialTest, TieBreak
from tests.faults.serving import RunningService
from tests.viewer.looking import Look, judge, photograph
from tests.viewer.tables import event, new_event

pytestmark = pytest.mark.browser

HOSTILE: Final = ('<img src=x onerror="alert(1)">', "</th><script>alert(2)</script>", '"><svg onload=alert(3)>')
SHOWN_AT_ONCE: Final = 16
"""Entries of a crosstable before anybody asks for more."""


def cell_shown(cell: CrosstableCell | None, *, own: bool) -> str:
    """What a cell of a crosstable says, to those who see it and those who hear it."""
    if own:
        return "the same"
    return "–never met" if cell is None else f"{cell.score:g}/{cell.tables}"


def figure(value: float) -> str:
    """A rating as the page writes it."""
    return f"{value:.0f}".replace("-", "−")


def expect_crosstable(page: Page, url: str, cup: str, entries: int) -> None:
    """Wait until the page shows the crosstable of so many entries, and hold it against what the service tells."""
    with Client(url) as client:
        told = client.tournaments.crosstable(cup)
    table = page.get_by_role("region", name="Everybody against everybody").get_by_role("table")
    expect(table.get_by_role("rowheader")).to_have_count(entries)
    assert table.get_by_role("columnheader").all_text_contents() == [
        "Name",
        *(f"{row.rank}, {row.name}" for row in told.entries[:entries]),
    ]
    for number, (row, cells) in enumerate(zip(told.entries[:entries], told.cells[:entries], strict=True)):
        shown = table.locator("tbody tr").nth(number)
        expect(shown.get_by_role("rowheader")).to_have_text(f"{row.rank} {row.name}")
        expected = [cell_shown(cell, own=other == number) for other, cell in enumerate(cells[:entries])]
        assert shown.get_by_role("cell").all_text_contents() == expected


def test_an_event_shows_its_standings_and_leads_to_its_games_and_its_archive(
    page: Page, cup: str, tmp_path: Path
) -> None:
    page.goto("/")
    page.get_by_role("link", name=re.compile("House cup")).click()
    assert page.url.endswith(f"#/event/{cup}")
    expect(page.get_by_role("heading", name="House cup")).to_be_visible()
    expect(page.get_by_role("region", name="Standings", exact=True).locator("tbody tr")).to_have_count(3)
    expect(page.get_by_role("region", name="Standings", exact=True)).to_contain_text("greedy")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download archive").click()
    download.value.save_as(tmp_path / "cup.zip")
    page.get_by_role("region", name="Tables that are over").get_by_role("link").first.click()
    # These games share their deals with other tables, and the proof knows it.
    expect(page.get_by_text("Verified in your browser")).to_be_visible()
    page.goto("/")
    page.get_by_label("Choose a file").set_input_files(tmp_path / "cup.zip")
    expect(page.get_by_text(re.compile(r"[1-9]\d* games, all verified in your browser"))).to_be_visible()


def test_an_event_shows_what_each_did_against_each_as_the_service_tells_it(
    page: Page, running: RunningService, cup: str, bracket: str
) -> None:
    page.goto(f"/#/event/{cup}")
    expect_crosstable(page, running.url, cup, 3)
    page.get_by_role("heading", name="Crosstable").scroll_into_view_if_needed()
    photograph(page, "crosstable-desk")
    page.goto(f"/#/event/{bracket}")
    expect_crosstable(page, running.url, bracket, SHOWN_AT_ONCE)
    expect(page.get_by_text("–never met").first).to_be_visible()
    expect(page.get_by_text(f"The best {SHOWN_AT_ONCE} of 20 entries")).to_be_visible()
    page.get_by_role("button", name="Show more of the crosstable").click()
    expect_crosstable(page, running.url, bracket, 20)
    expect(page.get_by_role("button", name="Show more of the crosstable")).to_have_count(0)


def test_a_crosstable_is_asked_for_again_only_after_results_have_changed(page: Page, cup: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[1].split("?")[0]))
    page.goto(f"/#/event/{cup}")
    for _ in range(2):
        with page.expect_response(re.compile("/standings")):
            pass
    assert asked.count("standings") >= 2
    assert asked.count("crosstable") == 1


def test_a_crosstable_fills_as_results_come(page: Page, running: RunningService) -> None:
    cup = new_event(running, name="Late cup")
    page.goto(f"/#/event/{cup.id}")
    expect(page.get_by_role("region", name="Crosstable")).to_contain_text("No results yet.")
    cup.play()
    expect(page.get_by_text("finished", exact=True)).to_be_visible()
    expect_crosstable(page, running.url, cup.id, 3)


def test_on_a_phone_a_wide_crosstable_scrolls_by_keyboard_beside_the_names(look: Look, bracket: str) -> None:
    with look.phone() as page:
        page.goto(f"/#/event/{bracket}")
        region = page.get_by_role("region", name="Everybody against everybody")
        name = region.get_by_role("rowheader").first
        expect(name).to_be_visible()
        before = name.bounding_box()
        region.focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_function("() => document.activeElement.scrollLeft > 0")
        after = name.bounding_box()
        assert before is not None
        assert after is not None
        assert after["x"] == before["x"]
        photograph(page, "crosstable-phone")


def test_the_standings_say_what_decided_where_the_score_did_not(
    page: Page, running: RunningService, bracket: str
) -> None:
    with Client(running.url) as client:
        rows = list(client.tournaments.standings(bracket))
    assert TieBreak.STAGE in {row.decided_by for row in rows}
    page.goto(f"/#/event/{bracket}")
    ranking = page.get_by_role("region", name="Ranking")
    expect(ranking.locator("tbody tr")).to_have_count(len(rows))
    said = {None: "–", TieBreak.SCORE: "–", TieBreak.STAGE: "how far it got", TieBreak.OTHER: "points ahead"}
    assert ranking.locator("tbody td:last-child").all_inner_texts() == [
        said.get(row.decided_by, str(row.decided_by)) for row in rows
    ]


def test_a_match_of_two_shows_what_its_test_has_found(page: Page, running: RunningService) -> None:
    test = SequentialTest(low=0, high=300)
    match = event(running, name="House match", house=("greedy", "random"), entries_max=2, boards=40, sequential=test)
    with Client(running.url) as client:
        verdict = client.tournaments.get(match).verdict
    assert verdict is not None
    page.goto(f"/#/event/{match}")
    shown = page.get_by_role("region", name="Sequential test")
    expect(shown).to_contain_text("greedy is better than random")
    expect(shown).to_contain_text(f"a lead of 300 Elo against 0. After {verdict.boards} boards")
    expect(shown).to_contain_text(f"{verdict.llr:.2f}".rstrip("0").rstrip("."))
    photograph(page, "match-desk")
    judge(page)


def test_the_leaderboard_says_how_to_begin_and_then_shows_who_has_played(page: Page, running: RunningService) -> None:
    with psycopg.connect(running.conninfo) as connection:
        connection.execute("DELETE FROM ratings")
    page.goto("/")
    page.get_by_role("navigation").get_by_role("link", name="Leaderboard").click()
    expect(page.get_by_role("heading", name="Leaderboard")).to_be_visible()
    expect(page.get_by_text("No bot has a rating yet")).to_be_visible()
    judge(page)
    event(running, name="Rated cup")
    rows = page.get_by_role("region", name="Ratings").locator("tbody tr")
    expect(rows).to_have_count(3)
    page.reload()
    expect(rows).to_have_count(3)
    with Client(running.url) as client:
        told = list(client.leaderboard())
    assert [re.sub(r"\s+", " ", row) for row in rows.all_inner_texts()] == [
        f"{one.rank} {one.name} house {figure(one.rating)} {figure(one.mu)} ± {figure(one.sigma)} {one.games}"
        for one in told
    ]


def test_hostile_names_in_an_event_and_on_a_long_leaderboard_are_nothing_but_text(
    page: Page, running: RunningService
) -> None:
    masked = event(running, name="Masked cup")
    with psycopg.connect(running.conninfo) as connection:
        for entry, name in enumerate(HOSTILE):
            named = "UPDATE tournament_entries SET name = %s WHERE tournament_id = %s AND entry = %s"
            connection.execute(named, (name, masked, entry))
        rated = "INSERT INTO ratings (player, house, mu, sigma, shown, games) VALUES (%s, %s, 0, 100, %s, 1)"
        for number, name in enumerate([*HOSTILE, *(f"masked {number}" for number in range(60))]):
            connection.execute(rated, (f"house {name}", name, -300 - number))
    page.goto(f"/#/event/{masked}")
    for name in HOSTILE:
        for region in ("Ranking", "Everybody against everybody"):
            expect(page.get_by_role("region", name=region).get_by_role("rowheader", name=name)).to_have_count(1)
    photograph(page, "hostile-event-desk")
    page.goto("/#/leaderboard")
    ratings = page.get_by_role("region", name="Ratings")
    for name in HOSTILE:
        expect(ratings.get_by_role("rowheader", name=name)).to_have_count(1)
    expect(ratings.locator("tbody tr")).to_have_count(50)
    page.get_by_role("button", name="Show more").click()
    expect(ratings.get_by_role("rowheader", name="masked 59")).to_have_count(1)
    expect(page.get_by_role("button", name="Show more")).to_have_count(0)
    assert page.locator("main :is(img, script)").count() == 0
