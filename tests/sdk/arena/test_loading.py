"""Finding bots by name, and saying what there is when there is none."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from skyjo.bots import HOUSE_BOTS
from skyjo.shuffle import WordStream
from skyjo_client import BotNotFound, load_bot

STREAM = WordStream(b"a key", b"a label")

BOTS = """
def choose(decision):
    return decision.legal_actions[0]

class Careful:
    def choose(self, decision):
        return "draw"

answer = 42
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(BOTS)
    return path


@pytest.mark.parametrize("name", sorted(HOUSE_BOTS))
def test_a_house_bot_is_found_by_its_name(name: str) -> None:
    assert callable(load_bot(name).player(STREAM))
    assert load_bot(name).name == name


def test_a_bot_is_found_in_a_file_and_called_after_it(file: Path) -> None:
    assert load_bot(f"{file}:choose").name == "mine"
    assert load_bot(f"{file}:Careful").name == "Careful"
    assert callable(load_bot(f"{file}:Careful").player(STREAM))


def test_a_bot_is_found_in_a_module() -> None:
    found = load_bot("skyjo_client.examples.first_bot:choose")
    assert (found.name, callable(found.player(STREAM))) == ("first_bot", True)


def test_a_found_bot_can_be_sent_to_another_process(file: Path) -> None:
    assert callable(pickle.loads(pickle.dumps(load_bot(f"{file}:choose"))).player(STREAM))  # noqa: S301 - our own bytes


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("gready", "name one of"),
        ("", "name one of"),
        (":choose", "name one of"),
        ("no.such.module:choose", "no module 'no.such.module'"),
        ("nowhere.py:choose", "no file 'nowhere.py'"),
        ("skyjo_client.examples.first_bot:chose", "it has"),
        ("skyjo:DECK", "is no bot"),
    ],
)
def test_a_bot_that_is_not_there_is_refused_saying_what_is(source: str, says: str) -> None:
    with pytest.raises(BotNotFound, match=says):
        load_bot(source)


def test_what_a_file_raises_when_it_is_read_is_not_hidden(tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text("1 / 0")
    with pytest.raises(ZeroDivisionError):
        load_bot(f"{path}:choose")
