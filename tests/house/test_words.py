"""The project's words: what no file says."""

from __future__ import annotations

import re

from tests.house.tree import ROOT, shown, text_files

WORDS = ROOT / "tests" / "house" / "words.txt"


def listed_words() -> list[re.Pattern[str]]:
    lines = WORDS.read_text(encoding="utf-8").splitlines()
    return [re.compile(line, re.IGNORECASE) for line in lines if line and not line.startswith("#")]


def places_of(words: list[re.Pattern[str]], text: str) -> list[str]:
    """Say where the words stand in a text, as "line: word"."""
    lines = enumerate(text.splitlines(), start=1)
    return [f"{number}: {found.group()}" for number, line in lines for word in words for found in word.finditer(line)]


def test_no_file_has_a_word_of_the_list() -> None:
    words = listed_words()
    found = [
        f"{shown(path)}:{place}" for path, text in text_files() if path != WORDS for place in places_of(words, text)
    ]
    assert not found, "\n".join(found)


def test_a_word_is_found_in_every_line_and_in_capitals() -> None:
    words = [re.compile(r"\bgrand", re.IGNORECASE)]
    assert places_of(words, "Grand plans\nfor a grandiose end\nare ungrand") == ["1: Grand", "2: grand"]
    assert listed_words()
