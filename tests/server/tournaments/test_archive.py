"""An event's archive is proved: a true one holds up in every format, and whatever is changed in one is found."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from skyjo import InvalidText, SkyjoError, write_jsonl, write_transcript
from skyjo_server.cli.archives import Archive, archive_faults
from skyjo_server.tournaments.values import Format, Scoring, Shape
from tests.server.tournaments.archives import Files, Plain, files_of, packed, zipped
from tests.server.tournaments.events import entries_of

SHAPES = {
    "round robin": Shape(format=Format.ROUND_ROBIN, boards=1),
    "round robin on boards": Shape(format=Format.ROUND_ROBIN, duplicate=True, entries_per_owner=2),
    "tables of three": Shape(format=Format.ROUND_ROBIN, table_size=3, boards=1, duplicate=True, scoring=Scoring.POINTS),
    "swiss": Shape(format=Format.SWISS, duplicate=True, rounds=3, scoring=Scoring.POINTS),
    "swiss by ranks": Shape(format=Format.SWISS, rounds=3),
    "gauntlet": Shape(format=Format.GAUNTLET, challengers=2, duplicate=True),
    "knockout": Shape(format=Format.KNOCKOUT, duplicate=True),
}
ENTRIES = entries_of(["ann", "bob", "eve", None, "joe", "kim"])
ANNS = entries_of(["ann", "ann", "bob", None, "eve"])


@cache
def event(name: str) -> Files:
    """The files of an event; not to be changed."""
    return files_of(SHAPES[name], ANNS if SHAPES[name].entries_per_owner > 1 else ENTRIES)


def faults(path: Path, archive: bytes) -> list[str]:
    """What is said against an archive."""
    file = path / "event.zip"
    file.write_bytes(archive)
    try:
        with Archive(file) as opened:
            return list(archive_faults(opened, lambda: None))
    except SkyjoError as error:
        return [str(error)]


@pytest.mark.parametrize("name", SHAPES)
def test_a_true_archive_holds_up(tmp_path: Path, name: str) -> None:
    assert faults(tmp_path, packed(event(name))) == []


def first(files: Files, kind: str) -> Plain:
    step: Plain = next(step["data"] for step in files["log.jsonl"] if step["kind"] == kind)
    return step


def swapped(values: list[Any], one: int = 0, other: int = 1) -> None:
    values[one], values[other] = values[other], values[one]


def other_hex(digits: str) -> str:
    return ("0" if digits[0] != "0" else "1") + digits[1:]


def change_seed(files: Files) -> None:
    seed = other_hex(files["tournament.json"]["seed"])
    files["tournament.json"]["seed"] = seed
    files["log.jsonl"][-1]["data"]["seed"] = seed


def change_commitment(files: Files) -> None:
    files["tournament.json"]["commitment"] = other_hex(files["tournament.json"]["commitment"])


def change_boards_commitment(files: Files) -> None:
    files["tournament.json"]["boards_commitment"] = other_hex(files["tournament.json"]["boards_commitment"])


def change_the_number_of_boards(files: Files) -> None:
    first(files, "started")["boards"] -= 1


def change_rules(files: Files) -> None:
    files["tournament.json"]["rules"]["double_on_tie"] = False


def leave_out_an_event_of_the_log(files: Files) -> None:
    del files["log.jsonl"][3]


def swap_two_tables_of_a_round(files: Files) -> None:
    """Consistently: in the pairing and in the schedule, so that only the draw tells."""
    pairing = first(files, "paired")
    swapped(pairing["tables"])
    for table, seats in zip(files["tables.json"], pairing["tables"], strict=False):
        table["seats"] = [dict(seat, entry=entry) for seat, entry in zip(table["seats"], seats, strict=True)]


def swap_two_seats(files: Files) -> None:
    swapped(first(files, "paired")["tables"][0])
    swapped(files["tables.json"][0]["seats"])


def pair_somebody_else(files: Files) -> None:
    first(files, "paired")["tables"][0][0] = first(files, "paired")["tables"][1][0]


def add_a_bye(files: Files) -> None:
    first(files, "paired")["byes"].append(0)


def pair_a_round_again(files: Files) -> None:
    step = next(step for step in files["log.jsonl"] if step["kind"] == "paired")
    files["log.jsonl"].append({**deepcopy(step), "version": len(files["log.jsonl"])})
    files["tournament.json"]["version"] += 1


def withdraw_somebody_before_all(files: Files) -> None:
    at = next(place for place, step in enumerate(files["log.jsonl"]) if step["kind"] == "started")
    step = {**files["log.jsonl"][at], "kind": "withdrawn", "data": {"entry": 2, "reason": "withdrawn", "cancelled": []}}
    files["log.jsonl"].insert(at, step)
    for version, each in enumerate(files["log.jsonl"]):
        each["version"] = version
    files["tournament.json"]["version"] += 1


def reveal_a_board_before_it_is_over(files: Files) -> None:
    at = {
        kind: place for place, step in enumerate(files["log.jsonl"]) if (kind := step["kind"]) in {"ended", "revealed"}
    }
    swapped(files["log.jsonl"], at["ended"], at["revealed"])
    for version, each in enumerate(files["log.jsonl"]):
        each["version"] = version


def leave_out_a_table(files: Files) -> None:
    del files["tables.json"][1]


def change_a_board(files: Files) -> None:
    files["tables.json"][0]["board"] += 1


def change_a_total(files: Files) -> None:
    files["tables.json"][0]["seats"][0]["total"] += 1


def change_a_rank(files: Files) -> None:
    files["tables.json"][0]["seats"][0]["rank"] = 3 - files["tables.json"][0]["seats"][0]["rank"]


def change_a_cause(files: Files) -> None:
    seat = files["tables.json"][0]["seats"][0]
    seat["cause"] = "timeout" if seat["cause"] != "timeout" else "finished"


def call_a_table_void(files: Files) -> None:
    files["tables.json"][0]["outcome"] = "void"


def swap_the_games_of_two_tables(files: Files) -> None:
    one, other = files["tables.json"][:2]
    one["game"], other["game"] = other["game"], one["game"]


def leave_out_a_game(files: Files) -> None:
    del files["games"][2]


def give_a_game_twice(files: Files) -> None:
    files["games"].append(files["games"][0])


def play_on_another_board(files: Files) -> None:
    one, other = files["games"][0], files["games"][-1]
    files["games"][0] = replace(other, game=one.game, commitment=replace(other, game=one.game).true_commitment())


def give_a_game_other_names(files: Files) -> None:
    files["games"][0] = replace(files["games"][0], seats=("bot 8", "bot 9"))


def give_a_deal_of_its_own(files: Files) -> None:
    plain = replace(files["games"][0], board=None)
    files["games"][0] = replace(plain, commitment=plain.true_commitment())


def give_two_entries_one_owner(files: Files) -> None:
    owners = [entry["owner"] for entry in files["entries.json"] if entry["owner"] is not None]
    for entry in files["entries.json"]:
        entry["owner"] = owners[0] if entry["owner"] is not None else None


def swap_two_rows_of_the_standings(files: Files) -> None:
    swapped(files["standings.json"])
    for rank, row in enumerate(files["standings.json"], 1):
        row["rank"] = rank


def change_a_score(files: Files) -> None:
    files["standings.json"][1]["score"] += 0.01


def leave_out_a_row_of_the_standings(files: Files) -> None:
    files["standings.json"].pop()


CHANGES: list[Callable[[Files], None]] = [
    change_seed,
    change_commitment,
    change_boards_commitment,
    change_the_number_of_boards,
    change_rules,
    leave_out_an_event_of_the_log,
    swap_two_tables_of_a_round,
    swap_two_seats,
    pair_somebody_else,
    add_a_bye,
    pair_a_round_again,
    withdraw_somebody_before_all,
    reveal_a_board_before_it_is_over,
    leave_out_a_table,
    change_a_board,
    change_a_total,
    change_a_rank,
    change_a_cause,
    call_a_table_void,
    swap_the_games_of_two_tables,
    leave_out_a_game,
    give_a_game_twice,
    play_on_another_board,
    give_a_game_other_names,
    give_a_deal_of_its_own,
    give_two_entries_one_owner,
    swap_two_rows_of_the_standings,
    change_a_score,
    leave_out_a_row_of_the_standings,
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__.replace("_", " "))
def test_a_change_is_found(tmp_path: Path, change: Callable[[Files], None]) -> None:
    files = {name: deepcopy(value) if name != "games" else list(value) for name, value in event("swiss").items()}
    change(files)
    assert faults(tmp_path, packed(files)) != []


def test_an_event_that_goes_on_is_proved_as_far_as_it_is_known(tmp_path: Path) -> None:
    files = dict(event("round robin"))
    files["tournament.json"] = {**files["tournament.json"], "seed": None, "status": "running"}
    files["log.jsonl"] = [step for step in files["log.jsonl"] if step["kind"] != "finished"]
    files["tournament.json"]["version"] -= 1
    files["entries.json"] = [{**entry, "owner": None} for entry in files["entries.json"]]
    files["games"] = files["games"][:3]
    assert faults(tmp_path, packed(files)) == []


def members(files: Files) -> dict[str, bytes]:
    """What is in an archive, by name."""
    with zipfile.ZipFile(BytesIO(packed(files))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_a_transcript_of_another_game_is_found(tmp_path: Path) -> None:
    files, games = members(event("round robin")), event("round robin")["games"]
    files[f"games/{games[0].game}.skyjo"] = write_transcript(games[1]).encode()
    assert len(faults(tmp_path, zipped(files))) == 1


def test_a_transcript_without_its_game_is_found(tmp_path: Path) -> None:
    files, games = members(event("round robin")), event("round robin")["games"]
    files["games.jsonl"] = "".join(map(write_jsonl, games[1:])).encode()
    assert len(faults(tmp_path, zipped(files))) == 2


HOSTILE: dict[str, dict[str, bytes]] = {
    "a name that leads out": {"../evil": b""},
    "an absolute name": {"/etc/passwd": b""},
    "a file that belongs to no event": {"readme.txt": b"hello"},
    "a bomb of zeros": {"standings.csv": bytes(20_000_000)},
    "a bomb of empty lines": {"games.jsonl": b"\n" * 20_000_000},
    "a bomb in small pieces": {f"games/00000000-0000-4000-8000-{n:012}.skyjo": bytes(999_999) for n in range(40)},
    "JSON of a thousand levels": {"entries.json": b"[" * 100_000 + b"]" * 100_000},
    "no JSON": {"tables.json": b"nothing"},
    "an object for a list": {"tables.json": b"{}"},
    "a number for an object": {"tournament.json": b"1"},
    "no UTF-8": {"tournament.json": b"\xff{}"},
    "a member twice": {"tournament.json": b'{"id":1,"id":2}'},
    "NaN": {"standings.json": b"[NaN]"},
    "rows that are no objects": {"standings.json": b"[1]"},
    "a game that is none": {"games.jsonl": b'{"skyjo":1}\n'},
    "a log of lists": {"log.jsonl": b"[]\n"},
    "an endless number": {"log.jsonl": b'{"version":' + b"9" * 100_000 + b"}\n"},
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_archive_is_refused_with_a_sentence(tmp_path: Path, what: str) -> None:
    said = faults(tmp_path, zipped({**members(event("round robin")), **HOSTILE[what]}))
    assert said
    assert all(len(sentence) < 1_000 for sentence in said)


@pytest.mark.parametrize("missing", ["tournament.json", "entries.json", "log.jsonl", "tables.json", "games.jsonl"])
def test_an_archive_that_lacks_a_file_is_refused(tmp_path: Path, missing: str) -> None:
    files = members(event("round robin"))
    del files[missing]
    assert missing in faults(tmp_path, zipped(files))[0]


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    whole = packed(event("round robin")).replace(b"games.jsonl", b"tables.json")
    assert "two files of one name" in faults(tmp_path, whole)[0]


def test_torn_flipped_and_oddly_packed_archives_are_refused(tmp_path: Path) -> None:
    whole = packed(event("round robin"))
    texts = members(event("round robin"))
    for archive in (b"PK", whole[:-30], whole[: len(whole) // 2], zipped(texts, zipfile.ZIP_LZMA)):
        assert len(faults(tmp_path, archive)) == 1
    middle = whole.index(b"games.jsonl") + 5_000
    assert faults(tmp_path, whole[:middle] + bytes([whole[middle] ^ 0x55]) + whole[middle + 1 :])


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("boards", 1_000),
        ("rounds", 1_000_000),
        ("tables_max", 1_000_000),
        ("table_size", 9),
        ("format", "chess"),
        ("boards", "2"),
        ("boards", None),
        ("sequential", {"low": 1}),
        ("sequential", 7),
    ],
)
def test_options_that_were_not_played_are_found_at_once(tmp_path: Path, member: str, value: object) -> None:
    files = dict(event("round robin on boards"))
    files["tournament.json"] = {**files["tournament.json"], member: value}
    found = faults(tmp_path, packed(files))
    assert found or member == "tables_max", "more room than was needed changes nothing"


def test_two_thousand_who_are_said_to_have_met_are_not_paired_again(tmp_path: Path) -> None:
    """The schedule that is made anew is never larger than the one in the log."""
    files = dict(event("round robin on boards"))
    entered = files["log.jsonl"][1]
    more = [{**entered, "data": {**entered["data"], "entry": number}} for number in range(5, 2_000)]
    files["log.jsonl"] = [*files["log.jsonl"][:6], *more, *files["log.jsonl"][6:]]
    files["log.jsonl"] = [{**step, "version": version} for version, step in enumerate(files["log.jsonl"])]
    files["entries.json"] = [*files["entries.json"], *(crowd(files["entries.json"][-1]))]
    files["tournament.json"] = {**files["tournament.json"], "version": len(files["log.jsonl"]) - 1}
    assert faults(tmp_path, packed(files))


def crowd(entry: Plain) -> list[Plain]:
    return [{**entry, "number": number, "name": f"bot {number}", "owner": number} for number in range(5, 2_000)]


def test_a_file_that_is_not_there_is_no_archive(tmp_path: Path) -> None:
    with pytest.raises(InvalidText):
        Archive(tmp_path / "nothing.zip")
