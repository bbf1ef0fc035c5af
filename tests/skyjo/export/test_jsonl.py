"""JSON Lines: what is written reads back equal, and nothing but a log is read."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skyjo import GameRecord, InvalidText, LoggedEvent, Result, RuleSet, Status, read_jsonl, verify, write_jsonl
from skyjo.chain import hashed
from skyjo.reading import LINE_CHARACTERS
from skyjo.record import Board
from tests.skyjo.export.records import Lines, record_of, records, small_record, text_of, with_additions

Change = Callable[[Lines], object]


@settings(max_examples=60)
@given(st.lists(records(), min_size=1, max_size=2))
def test_games_read_back_equal_times_hashes_and_salts_included(games: list[GameRecord]) -> None:
    text = "".join(map(write_jsonl, games))
    assert list(read_jsonl(text)) == games
    assert list(read_jsonl(io.BytesIO(text.encode()))) == games
    assert text.isascii()


def test_empty_lines_and_other_line_ends_are_passed_over() -> None:
    record = small_record()
    text = write_jsonl(record)
    assert list(read_jsonl("\n" + text.replace("\n", "\r\n\n"))) == [record]
    assert list(read_jsonl(text.rstrip("\n"))) == [record]
    assert list(read_jsonl("")) == []


def test_the_order_of_members_is_free() -> None:
    record = hashed(small_record())
    lines = [json.loads(line) for line in write_jsonl(record).splitlines()]
    assert list(read_jsonl(text_of([dict(reversed(line.items())) for line in lines]))) == [record]


def test_a_game_without_any_event_is_a_game_that_was_stopped_before_its_deal() -> None:
    record = replace(small_record(), events=())
    assert list(read_jsonl(write_jsonl(record))) == [record]
    verify(record)


def base() -> Lines:
    """The lines of a small game with every optional member."""
    record = replace(small_record(), board=Board(small_record().game, bytes(32)))
    return [json.loads(line) for line in write_jsonl(with_additions(hashed(record))).splitlines()]


def edited(change: Change) -> str:
    lines = base()
    change(lines)
    return text_of(lines)


def put(line: int, *path: str | int, value: Any) -> Change:
    """Put a value at a path inside a line."""

    def change(lines: Lines) -> None:
        inside: Any = lines[line]
        for step in path[:-1]:
            inside = inside[step]
        inside[path[-1]] = value

    return change


HEADER, DEAL, CLOSING = 0, 1, 2

WRONG: list[tuple[Change, str]] = [
    # header
    (put(HEADER, "skyjo", value=2), "line 1: skyjo is 2, but this reader knows version 1"),
    (put(HEADER, "skyjo", value=True), "line 1: skyjo is True"),
    (put(HEADER, "skyjo", value=1.0), "line 1: skyjo is 1.0"),
    (put(HEADER, "extra", value=1), "line 1: a header has the unknown member 'extra'"),
    (lambda lines: lines[HEADER].pop("seed"), "line 1: a header lacks seed"),
    (put(HEADER, "game", value="{00000000-0000-0000-0000-000000000001}"), "line 1: game is .* but must be a UUID"),
    (put(HEADER, "game", value=1), "line 1: game is 1, but must be a UUID"),
    (put(HEADER, "rules", value="classic"), "line 1: rules is 'classic', but must be an object"),
    (lambda lines: lines[HEADER]["rules"].pop("max_rounds"), "line 1: rules lacks max_rounds"),
    (put(HEADER, "rules", "initial_flips", value=3.7), "line 1: initial_flips is 3.7, but must be a whole number"),
    (put(HEADER, "rules", "initial_flips", value=True), "line 1: initial_flips is True"),
    (put(HEADER, "rules", "house", value=1), "line 1: rules has the unknown member 'house'"),
    (put(HEADER, "seats", value=[{"name": "Ann"}]), "line 1: there are 1 seats, but must be 2 to 8"),
    (put(HEADER, "seats", value={"name": "Ann"}), "line 1: seats is .* but must be a list"),
    (put(HEADER, "seats", 0, value={"name": "Ann", "age": 3}), r"line 1: seats\[0\] has the unknown member 'age'"),
    (
        put(HEADER, "seats", 0, "name", value="A\0"),
        r"line 1: seats\[0\]\.name is 'A\\x00', but must be 1 to 200 printable",
    ),
    (put(HEADER, "seats", 0, "name", value="\ud800"), r"line 1: seats\[0\]\.name is '\\ud800', but must be"),
    (put(HEADER, "seats", 0, "name", value="A" * 201), r"line 1: seats\[0\]\.name is 'AAA.* but must be 1 to 200"),
    (put(HEADER, "commitment", value="00"), "line 1: commitment has 1 bytes, but must have 32"),
    (put(HEADER, "seed", value=2**255), "line 1: seed is .* but must be pairs of hexadecimal digits"),
    (put(HEADER, "seed", value="AB" * 32), "line 1: seed is 'ABAB.* but must be pairs of hexadecimal digits"),
    (put(HEADER, "seed", value="a b" * 16), "line 1: seed is .* but must be pairs"),
    (put(HEADER, "seed", value="٣٣" * 32), "line 1: seed is .* but must be pairs"),
    (put(HEADER, "entropy", value=["00"]), "line 1: entropy has 1 texts for 2 seats"),
    (put(HEADER, "entropy", value=["", ""]), "line 1: entropy has only empty texts"),
    (put(HEADER, "entropy", value=["00" * 65, ""]), "line 1: entropy of seat 0 has 65 bytes"),
    (put(HEADER, "board", value=None), "line 1: board is None, but must be an object"),
    (put(HEADER, "board", "salt", value="00"), "line 1: the board's salt has 1 bytes"),
    # events
    (put(DEAL, "game", value="other"), "line 2: game is 'other', but this line stands inside game"),
    (put(DEAL, "opener", value=0), "line 2: an event has the unknown member 'opener'"),
    (lambda lines: lines[DEAL].pop("cause"), "line 2: an event lacks cause"),
    (put(DEAL, "version", value="0"), "line 2: version is '0', but must be a whole number"),
    (put(DEAL, "version", value=10**40), "line 2: version is 10+, but must be a whole number"),
    (put(DEAL, "version", value=-1), "line 2: version is -1"),
    (put(DEAL, "version", value=float("inf")), "line 2: Infinity is no JSON number"),
    (put(DEAL, "version", value=float("nan")), "line 2: NaN is no JSON number"),
    (put(DEAL, "seat", value=8), "line 2: seat is 8, but must be a whole number from 0 to 7"),
    (put(DEAL, "action", value="draw "), "line 2: 'draw ' is not an action"),
    (put(DEAL, "action", value=["draw"]), r"line 2: action is \['draw'\], but must be a text"),
    (put(DEAL, "action", value="flip " * 9000), "line 2: action is 'flip .* but must be a text"),
    (put(DEAL, "cause", value="fate"), "line 2: cause is 'fate', but must be one of player, timeout"),
    (put(DEAL, "facts", value="none"), "line 2: facts is 'none', but must be a list"),
    (put(DEAL, "facts", value=[None]), r"line 2: facts\[0\]: None is no fact"),
    (put(DEAL, "facts", value=[{"kind": "dealt"}]), r"line 2: facts\[0\]: a 'dealt' fact has the members kind, round"),
    (put(DEAL, "facts", 0, "kind", value=["dealt"]), r"line 2: facts\[0\]: .* is no fact: its kind must be one of"),
    (
        put(DEAL, "facts", 0, "cards", 7, value=13),
        r"line 2: facts\[0\]: cards is 13, but must be a whole number",
    ),
    (put(DEAL, "facts", 0, "cards", 7, value=3.0), r"line 2: facts\[0\]: cards is 3.0"),
    (put(DEAL, "facts", 0, "cards", 7, value=None), r"line 2: facts\[0\]: cards is None"),
    (put(DEAL, "at", value="yesterday"), "line 2: at is 'yesterday', but must be a time such as"),
    (put(DEAL, "at", value="٢026-01-31T18:30:00Z"), "line 2: at is .* but must be a time"),
    (put(DEAL, "hash", value="00"), "line 2: hash is '00', but must have 64 hexadecimal digits"),
    (put(DEAL, "salt", value="00" * 32), "line 2: salt is .* but must have 32 hexadecimal digits"),
    # closing line and the order of lines
    (put(CLOSING, "game", value="other"), "line 3: game is 'other'"),
    (put(CLOSING, "hash", value=0), "line 3: hash is 0, but must be pairs of hexadecimal digits"),
    (put(CLOSING, "winner", value=0), "line 3: a closing line has the unknown member 'winner'"),
    (put(CLOSING, "result", value="void"), "line 3: result is 'void', but must be an object"),
    (put(CLOSING, "result", "status", value="won"), "line 3: status is 'won', but must be one of finished, void"),
    (put(CLOSING, "result", "totals", value=[0]), "line 3: the result has 1 totals"),
    (put(CLOSING, "result", "totals", value=[0, 1.5]), "line 3: totals is 1.5, but must be a whole number"),
    (put(CLOSING, "result", "ranks", value=[1, 2]), r"line 3: a void game has ranks \(1, 2\)"),
    (put(CLOSING, "result", "ranks", value=[1, 9]), "line 3: ranks is 9, but must be a whole number from 1 to 8"),
    (lambda lines: lines.pop(HEADER), "line 1: a game begins with a header"),
    (lambda lines: lines.pop(CLOSING), "line 2: the file ends inside game .*: its closing line is missing"),
    (lambda lines: lines.insert(2, lines[0]), "line 3: a new game begins, but game .* has no closing line yet"),
    (lambda lines: lines.append(lines[2]), "line 4: a game begins with a header"),
]


@pytest.mark.parametrize(("change", "message"), WRONG, ids=[message for _, message in WRONG])
def test_a_refusal_names_line_member_value_and_what_would_be_right(change: Change, message: str) -> None:
    with pytest.raises(InvalidText, match=f"^{message}"):
        list(read_jsonl(edited(change)))


def test_the_lines_that_those_refusals_start_from_are_read() -> None:
    (record,) = read_jsonl(text_of(base()))
    assert record.board is not None
    assert record.hash is not None
    assert all(logged.at and logged.hash and logged.salt for logged in record.events)


RAW: list[tuple[str, str]] = [
    ("{", "line 1: this is not JSON: Expecting property name"),
    ("[1]", r"line 1: a line must be a JSON object, but this is \[1\]"),
    ("null", "line 1: a line must be a JSON object, but this is None"),
    ('{"skyjo":1,"skyjo":1}', "line 1: the member 'skyjo' stands twice in one object"),
    ('{"skyjo":{"a":1,"b":2,"a":3}}', "line 1: the member 'a' stands twice"),
    ('{"skyjo":1e999}', "line 1: skyjo is inf"),
    ('{"skyjo":-Infinity}', "line 1: -Infinity is no JSON number"),
    ('{"skyjo":1_000}', "line 1: this is not JSON"),
    ('{"skyjo":٣}', "line 1: this is not JSON"),
    ('{"skyjo":01}', "line 1: this is not JSON"),
    ('{"skyjo":' + "9" * 5000 + "}", "line 1: this JSON has a number of thousands of digits"),
    ('{"skyjo":' + "9" * 4000 + "}", "line 1: skyjo is 9+"),
    ('{"skyjo":' + "[" * 1000 + "]" * 1000 + "}", "line 1: (this JSON is nested too deeply|skyjo is )"),
    ('{"skyjo":' + "[" * 30_000, "line 1: this JSON is nested too deeply"),
    ('{"skyjo":' + '{"a":' * 200 + "1" + "}" * 200 + "}", "line 1: skyjo is {'a': {'a'"),
    ('{"skyjo":1}' + " " * LINE_CHARACTERS, "line 1 is too long: a line has at most 65536 characters"),
    ('\ufeff{"skyjo":1}', "line 1: this is not JSON"),
    ('{"skyjo":"\0"}', "line 1: this is not JSON"),
]


@pytest.mark.parametrize("levels", [*range(900, 1000, 7), 5_000])
@pytest.mark.parametrize("path", [("rules", "initial_flips"), ("seats",), ("entropy",), ("skyjo",), ("game",)], ids=str)
def test_json_of_any_depth_anywhere_is_refused(path: tuple[str, ...], levels: int) -> None:
    lines = base()
    put(HEADER, *path, value="deep")(lines)
    text = text_of(lines).replace('"deep"', "[" * levels + "]" * levels)
    with pytest.raises(InvalidText, match=r"^line 1: ") as refusal:
        list(read_jsonl(text))
    assert len(str(refusal.value)) < 600


@pytest.mark.parametrize("value", ["a" * 50_000, [0] * 20_000], ids=["text", "list"])
def test_a_refusal_is_short_however_long_the_value(value: object) -> None:
    for change in (put(HEADER, "rules", "initial_flips", value=value), put(CLOSING, "result", "totals", value=value)):
        with pytest.raises(InvalidText) as refusal:
            list(read_jsonl(edited(change)))
        assert len(str(refusal.value)) < 600


@pytest.mark.parametrize(("text", "message"), RAW, ids=[text[:30] for text, _ in RAW])
def test_what_is_no_log_is_refused_in_one_short_line(text: str, message: str) -> None:
    for lines in (text, [text], io.BytesIO(text.encode())):
        with pytest.raises(InvalidText, match=f"^{message}") as refusal:
            list(read_jsonl(lines))
        assert len(str(refusal.value)) < 400


def test_bytes_that_are_no_utf_8_are_refused() -> None:
    with pytest.raises(InvalidText, match=r"^line 2 is not UTF-8: invalid start byte at byte 3$"):
        list(read_jsonl([b"\n", b"{}\xff"]))


def test_a_file_without_line_ends_is_never_taken_in_whole() -> None:
    class Endless:
        """A file that has one line, and that line no end."""

        asked = 0

        def __iter__(self) -> Any:
            raise AssertionError("a file is read by readline, which can be bounded")

        def readline(self, limit: int) -> bytes:
            self.asked += limit
            return b" " * limit

    file = Endless()
    with pytest.raises(InvalidText, match="line 1 is too long"):
        list(read_jsonl(file))
    assert file.asked <= 2 * LINE_CHARACTERS


@settings(max_examples=200)
@given(st.data())
def test_any_json_put_anywhere_is_read_or_refused_as_invalid_text(data: st.DataObject) -> None:
    lines: Lines = base()
    junk = st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
        max_leaves=5,
    )
    place: Any = lines[data.draw(st.integers(0, 2))]
    while True:
        steps = list(place) if isinstance(place, dict) else list(range(len(place)))
        step = data.draw(st.sampled_from(steps))
        if not isinstance(place[step], dict | list) or not place[step] or data.draw(st.booleans()):
            break
        place = place[step]
    place[step] = data.draw(junk)
    refusals: list[str] = []
    try:
        list(read_jsonl(text_of(lines)))
    except InvalidText as refusal:
        refusals.append(str(refusal))
    assert all(refusal.startswith("line ") for refusal in refusals)


@pytest.mark.parametrize(
    "parts",
    [
        {"seats": ("Ann",)},
        {"seed": b""},
        {"commitment": bytes(31)},
        {"entropy": (b"x",)},
        {"entropy": (b"x" * 65, b"")},
        {"result": Result(Status.FINISHED, (0, 0), None)},
        {"result": Result(Status.VOID, (0, 0, 0), None)},
        {"result": Result(Status.FINISHED, (0, 0), (1,))},
        {"board": Board(small_record().game, b"")},
    ],
    ids=str,
)
def test_a_record_that_can_belong_to_no_game_cannot_be_made(parts: dict[str, Any]) -> None:
    with pytest.raises(InvalidText):
        replace(small_record(), **parts)


def test_events_carry_only_the_additions_that_they_have() -> None:
    first, *_ = record_of(1).events
    plain = json.loads(write_jsonl(replace(record_of(1), events=(first,))).splitlines()[1])
    assert set(plain) == {"game", "version", "seat", "action", "cause", "facts"}
    timed = LoggedEvent(first.event, at="2026-01-31T18:30:00+01:00")
    line = json.loads(write_jsonl(replace(record_of(1), events=(timed,))).splitlines()[1])
    assert set(line) == set(plain) | {"at"}


def test_house_rules_are_written_with_every_option() -> None:
    record = small_record(rules=RuleSet(remove_rows=True))
    assert json.loads(write_jsonl(record).splitlines()[0])["rules"] == record.rules.to_dict()
