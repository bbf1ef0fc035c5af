"""Logs that were written once are read and proved for ever, whatever becomes of the format; nobody edits them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from skyjo import InvalidText, read_jsonl, verify, write_jsonl
from skyjo.record import LOG_VERSION
from tests.logs.write import FOLDER, GAMES, SUMS, name_of, record

FILES = sorted(FOLDER.glob("[0-9]*.jsonl"))


def sums() -> dict[str, str]:
    """The hash of each file, as it was when it was written."""
    lines = (line.split("  ") for line in SUMS.read_text(encoding="ascii").splitlines())
    return {name: digest for digest, name in lines}


def test_every_version_has_its_games_and_every_file_its_hash() -> None:
    assert [path.name for path in FILES] == [name for name in sorted(sums()) if name[0].isdigit()]
    assert {name_of(version, game) for version in range(1, LOG_VERSION + 1) for game in GAMES} <= {*sums()}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_nobody_has_edited_a_frozen_log(path: Path) -> None:
    assert sha256(path.read_bytes()).hexdigest() == sums()[path.name]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_frozen_log_replays_and_proves(path: Path) -> None:
    with path.open("rb") as file:
        (read,) = read_jsonl(file)
    verify(read)
    assert read.hash is not None


@pytest.mark.parametrize("game", GAMES)
def test_what_is_written_today_is_what_is_frozen(game: str) -> None:
    assert write_jsonl(record(game)) == (FOLDER / name_of(LOG_VERSION, game)).read_text(encoding="ascii")


def test_the_frozen_games_are_of_every_kind() -> None:
    text = "".join(path.read_text(encoding="ascii") for path in FILES)
    kinds = ("timeout", "forfeit", "left", "board", "void", "removed", "reshuffled")
    assert [kind for kind in kinds if f'"{kind}"' not in text] == []


def older(line: dict[str, Any]) -> dict[str, Any]:
    """A line as a version that never was might have written it: scores under another name, seats from 1."""
    line = dict(line)
    if "skyjo" in line:
        line["skyjo"] = LOG_VERSION - 2
    if line.get("seat") is not None:
        line["place"] = line.pop("seat") + 1
    return line


def seats_by_name(line: dict[str, Any]) -> dict[str, Any]:
    """From that version to the next one."""
    return {("seat" if name == "place" else name): value for name, value in line.items()}


def seats_from_nought(line: dict[str, Any]) -> dict[str, Any]:
    """From the next one to today's."""
    line = line | {"skyjo": LOG_VERSION} if "skyjo" in line else line
    return line | {"seat": line["seat"] - 1} if line.get("seat") is not None else line


def lines_of(game: str) -> Iterator[dict[str, Any]]:
    text = (FOLDER / name_of(LOG_VERSION, game)).read_text(encoding="ascii")
    return map(json.loads, text.splitlines())


@pytest.mark.parametrize("game", GAMES)
def test_a_log_of_an_older_version_is_read_step_by_step(game: str) -> None:
    written = "\n".join(json.dumps(older(line)) for line in lines_of(game))
    steps = {LOG_VERSION - 2: seats_by_name, LOG_VERSION - 1: seats_from_nought}
    (read,) = read_jsonl(written, steps)
    assert read == record(game)
    with pytest.raises(InvalidText, match=f"skyjo is {LOG_VERSION - 2}, but this reader knows"):
        list(read_jsonl(written))


def test_one_file_may_hold_logs_of_several_versions() -> None:
    old = "\n".join(json.dumps(older(line)) for line in lines_of("timeouts-2"))
    new = (FOLDER / name_of(LOG_VERSION, "blind-2")).read_text(encoding="ascii")
    steps = {LOG_VERSION - 2: seats_by_name, LOG_VERSION - 1: seats_from_nought}
    assert list(read_jsonl(f"{new}{old}\n{new}", steps)) == [record("blind-2"), record("timeouts-2"), record("blind-2")]
