"""Files that somebody drops on the page: replayed if they are games, refused with a message that says why if not."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import FilePayload, Page, expect

from skyjo import Status, write_jsonl
from skyjo.chain import hashed
from skyjo.transcript import write_transcript
from tests.skyjo.export.records import NUMBERS, Lines, record_of, text_of, vector_lines, vector_texts
from tests.viewer.looking import judge, photograph

pytestmark = pytest.mark.browser

STOPPED: Final = next(number for number in NUMBERS if record_of(number).result.status is not Status.FINISHED)
HOSTILE: Final = ('<img src=x onerror="alert(1)">', "</span><script>alert(2)</script>", '"><svg onload=alert(3)>')


def choose(page: Page, name: str, content: str | bytes) -> None:
    """Choose a file on the page."""
    data = content.encode() if isinstance(content, str) else content
    if not page.url.startswith("http"):
        page.goto("/")
    page.get_by_label("Choose a file").set_input_files(FilePayload(name=name, mimeType="", buffer=data))


def refused(page: Page, name: str, content: str | bytes) -> str:
    """What the page says of a file that it refuses."""
    page.goto("about:blank")
    choose(page, name, content)
    said = page.locator(".status.refused")
    expect(said).to_be_visible()
    return said.inner_text()


def test_a_file_with_hostile_names_is_replayed_and_the_names_are_nothing_but_text(page: Page) -> None:
    record = hashed(replace(record_of(2), seats=HOSTILE))
    for name, text in (("game.skyjo", write_transcript(record)), ("game.jsonl", write_jsonl(record))):
        page.goto("about:blank")
        choose(page, name, text)
        expect(page.get_by_text(re.compile("Verified in your browser.*hash chain"))).to_be_visible()
        for seat, hostile in enumerate(HOSTILE):
            expect(page.get_by_role("region", name=f"Seat {seat}, ").locator("h2")).to_have_text(hostile)
        page.keyboard.press("End")
        expect(page.locator(".waiting")).to_contain_text("The game is over")
        assert page.locator("img[src=x], main script, svg[onload]").count() == 0
    judge(page)
    photograph(page, "hostile-desk")


def falsified(change: Callable[[Lines], object]) -> str:
    """A published game after a change."""
    lines = vector_lines(1)
    change(lines)
    return text_of(lines)


def test_a_falsified_file_is_refused_and_the_first_wrong_event_named(page: Page) -> None:
    def swap(lines: Lines) -> None:
        cards = lines[1]["facts"][0]["cards"]
        cards[0], cards[-1] = cards[-1], cards[0]

    def score(lines: Lines) -> None:
        lines[-1]["result"]["totals"][0] -= 10

    def move(lines: Lines) -> None:
        lines[20]["action"] = "take a1" if lines[20]["action"] != "take a1" else "take a2"

    assert "event 0: facts[0].cards[" in refused(page, "swapped.jsonl", falsified(swap))
    assert "result: totals[0] must be" in refused(page, "score.jsonl", falsified(score))
    assert "event 19: " in refused(page, "move.jsonl", falsified(move))
    judge(page)
    photograph(page, "refused-desk")


def test_what_is_no_game_is_refused_and_the_page_goes_on(page: Page, tmp_path: Path) -> None:
    whole = text_of(vector_lines(1))
    assert "neither JSON Lines nor a transcript" in refused(page, "page.html", "<h1>hello</h1>")
    assert "no text in UTF-8" in refused(page, "noise.jsonl", b'{"a":"\xff\xfe"}')
    assert "closing line is missing" in refused(page, "cut.jsonl", whole[: len(whole) // 2].rsplit("\n", 1)[0])
    assert "too long" in refused(page, "line.jsonl", "{" + "x" * 5_000_000)
    assert "this file is empty" in refused(page, "empty.jsonl", "")
    assert "archive is damaged" in refused(page, "broken.zip", b"PK\x03\x04" + bytes(100))
    for megabytes, said in ((100, "line is too long"), (300, "this file has 300 MB, and at most 256 MB are read here")):
        huge = tmp_path / f"{megabytes}.jsonl"
        with huge.open("wb") as file:
            file.truncate(megabytes * 2**20)
        page.goto("about:blank")
        page.goto("/")
        page.get_by_label("Choose a file").set_input_files(huge)
        expect(page.locator(".status.refused")).to_contain_text(said)
    page.get_by_role("link", name="Games", exact=True).click()
    expect(page.get_by_role("heading", name="Finished games")).to_be_visible()


def test_an_archive_of_many_games_is_read_and_each_can_be_opened(page: Page, tmp_path: Path) -> None:
    archive = tmp_path / "event.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("event.json", json.dumps({"name": "not a game"}))
        for number in NUMBERS[:6]:
            packed.writestr(f"games/{number}.skyjo", write_transcript(record_of(number)))
        packed.writestr("more.jsonl", "".join(f"{line}\n" for lines in vector_texts()[6:12] for line in lines))
    page.goto("/")
    page.get_by_label("Choose a file").set_input_files(archive)
    expect(page.locator(".status.proved")).to_contain_text("12 games, all verified in your browser")
    judge(page)
    photograph(page, "archive-desk")
    page.locator("ul.games a").nth(7).click()
    expect(page.get_by_text(re.compile("Verified in your browser"))).to_be_visible()
    expect(page.locator("code", has_text=str(record_of(8).game))).to_be_visible()
    page.get_by_role("link", name=re.compile("All games of event.zip")).click()
    expect(page.locator("ul.games > li")).to_have_count(12)


def analysed(path: Path) -> dict[str, list[dict[str, Any]]]:
    """What `skyjo analyse` says of the games of a file: decisions by the game's id."""
    command = [sys.executable, "-m", "skyjo_server.cli", "analyse", str(path), "--json"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return {game["game"]: game["decisions"] for game in map(json.loads, lines)}


def strips(names: tuple[str, ...], decisions: list[dict[str, Any]]) -> list[str]:
    """What stands over the strip of each seat."""
    costs = [[one["cost"] for one in decisions if one["seat"] == seat] for seat in range(len(names))]
    return [f"{name} {len(own)} decisions, {sum(own):.1f} points lost" for name, own in zip(names, costs, strict=True)]


@pytest.mark.parametrize("number", [2, STOPPED])
def test_a_dropped_game_shows_where_points_were_lost_as_the_command_line_says(
    page: Page, tmp_path: Path, number: int
) -> None:
    record, path = record_of(number), tmp_path / "game.skyjo"
    path.write_text(write_transcript(record), encoding="utf-8")
    decisions = analysed(path)[str(record.game)]
    choose(page, path.name, path.read_bytes())
    losses = page.get_by_role("region", name="Where points were lost")
    expect(losses.get_by_role("heading", level=3)).to_have_text(strips(record.seats, decisions))
    dearest = max(decisions, key=lambda one: float(one["cost"]))
    named = f"Step {dearest['version']}: {dearest['played']}, best {dearest['best']}, cost {dearest['cost']:.1f}"
    losses.get_by_role("button", name=named).click()
    expect(page.locator(".where")).to_have_text(f"{dearest['version']} / {len(record.events) - 1}")
    expect(page.locator(".notes")).to_contain_text(f"Best was {dearest['best']}")
    judge(page)
    losses.scroll_into_view_if_needed()
    photograph(page, f"dropped-losses-{number}-desk")


def test_each_game_of_an_archive_has_its_own_strip(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "two.jsonl"
    path.write_text("".join(write_jsonl(record_of(number)) for number in (1, 3)), encoding="utf-8")
    choose(page, path.name, path.read_bytes())
    said = analysed(path)
    for index, number in enumerate((1, 3)):
        record = record_of(number)
        page.locator("ul.games a").nth(index).click()
        losses = page.get_by_role("region", name="Where points were lost")
        expect(losses.get_by_role("heading", level=3)).to_have_text(strips(record.seats, said[str(record.game)]))
        page.get_by_role("link", name=re.compile("All games of two.jsonl")).click()
