"""Transcripts: what is written reads back equal, every word of a text is checked, and nothing else is read."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skyjo import (
    CorruptLog,
    GameRecord,
    InvalidText,
    RuleSet,
    SkyjoError,
    read_transcript,
    verify,
    write_transcript,
)
from skyjo.chain import hashed
from skyjo.record import Board
from skyjo.transcript import WIDTH
from tests.skyjo.export.records import NUMBERS, record_of, records, small_record, vector_records, with_additions


def kept(record: GameRecord) -> GameRecord:
    """What a transcript keeps of a record: the first time, and hashes if there is one of the result."""
    events = [replace(logged, at=None, hash=None, salt=None) for logged in record.events]
    if events:
        events[0] = replace(events[0], at=record.events[0].at)
    without = replace(record, events=tuple(events), hash=None)
    return without if record.hash is None else hashed(without)


@settings(max_examples=60)
@given(st.lists(records(), min_size=1, max_size=2))
def test_games_read_back_equal_but_for_later_times_and_salts(games: list[GameRecord]) -> None:
    text = "".join(map(write_transcript, games))
    read = list(read_transcript(text))
    assert read == [kept(game) for game in games]
    assert list(read_transcript(io.BytesIO(text.encode()))) == read
    assert "".join(map(write_transcript, read)) == text


@pytest.mark.parametrize("number", NUMBERS)
def test_no_line_is_too_wide_to_read(number: int) -> None:
    # A header is one line however long it is; two actions of one turn stay together.
    lines = write_transcript(record_of(number)).splitlines()
    assert [line for line in lines if len(line) > WIDTH and not line.startswith("[")] == []


SHORT = """\
[Skyjo "1"]
[Game "10504428-ed4f-4cd3-a98a-8aed92652904"]
[Rules "classic"]
[Seat0 "Ann"]
[Seat1 "Ben"]
[Commitment "4c0b1896574c19a89c744a5a633796e8702d05d14a02a2167635f9b35e86e6c0"]
[Seed "27b95fd8bde2a82d4a3d5f337e705e76947f83b76faee63350749dbe255c2b02"]
[Result "finished"]
[Totals "0 0"]
[Ranks "2 1"]

Round 1
Deal 0: 5 6 3 / -1 12 11 / 6 6 -2 / 1 -1 2
Deal 1: 8 -1 10 / 4 12 6 / 9 9 4 / -1 8 6
Discard 2
Pile 3 1 11 5 4 5 7 7 12 12 0 7 0 3 -2 -1 2 5 5 12 11 12 11 11 10 -1 5 4 0 2 9 6 9 3 4 2 9 1 0 11 3
  10 6 -1 0 0 0 11 3 0 2 9 10 9 12 -1 8 6 7 3 8 8 8 1 7 0 3 4 4 2 5 8 7 1 1 4 7 0 6 7 8 -1 10 0 9 6
  4 7 3 10 0 0 12 0 -2 2 2 1 8 12 1 12 5 9 -2 2 1 -1 11 8 5 7 9 10 11 5 -2 4 10 1 11 10 0 3 10
0: flip b1 c1 {-1 6} 1: flip d2 a1 {8 8} take d2 {2 8} 0: draw {3} keep c1 {6} (forfeit) leave
End totals 0 0 ranks 2 1

"""
"""The published game in which one of two seats is made to leave."""


def test_a_transcript_looks_like_this() -> None:
    assert write_transcript(record_of(28)) == SHORT


def test_remarks_empty_lines_line_ends_and_line_breaks_between_actions_are_free() -> None:
    other_breaks = (
        SHORT.replace("} 1:", "}\n\n; a remark\n1:").replace("take d2", "\ntake   d2").replace("\n  10 6", "\n 10 6")
    )
    for text in (SHORT.replace("\n", "\r\n"), f"; a remark\n\n{SHORT}; the end", other_breaks, SHORT.rstrip()):
        assert list(read_transcript(text)) == [record_of(28)]


def test_headers_may_stand_in_any_order_behind_the_first() -> None:
    first, *headers, body = SHORT.split("\n", 10)
    assert list(read_transcript("\n".join([first, *reversed(headers), body]))) == [record_of(28)]


def test_marks_inside_names_are_escaped() -> None:
    record = replace(small_record(), seats=('A "B" \\ C]', "[D;"))
    text = write_transcript(record)
    assert '[Seat0 "A \\"B\\" \\\\ C]"]' in text
    assert list(read_transcript(text)) == [record]


def test_house_rules_are_written_as_what_differs_from_classic() -> None:
    rules = RuleSet(initial_flips=3, remove_rows=True, score_limit=None, max_rounds=1, final_removal="never")
    text = write_transcript(small_record(rules=rules))
    assert (
        '[Rules "classic with initial_flips=3 remove_rows=true final_removal=never score_limit=none max_rounds=1"]'
        in text
    )
    assert next(read_transcript(text)).rules == rules


def test_a_time_a_board_and_hashes_have_headers() -> None:
    played = small_record()
    table = replace(played, game=record_of(1).game, board=Board(played.game, bytes(32)))
    table = with_additions(hashed(replace(table, commitment=table.true_commitment())))
    text = write_transcript(table)
    for header in ("Board", "BoardSalt", "Date", "Hash"):
        assert f"[{header} " in text
    (read,) = read_transcript(text)
    verify(read)
    assert read == kept(table)


def test_a_game_that_was_stopped_before_its_deal_has_headers_alone() -> None:
    record = replace(small_record(), events=())
    assert write_transcript(record).endswith('[Totals "0 0"]\n\n')
    assert list(read_transcript(write_transcript(record))) == [record]


def test_several_games_are_read_one_by_one() -> None:
    file = io.StringIO("".join(map(write_transcript, vector_records()[:3])) + "nonsense that is not reached")
    games = read_transcript(file)
    assert [next(games), next(games)] == list(vector_records()[:2])


def words_of(text: str) -> list[re.Match[str]]:
    return list(re.finditer(r"\S+", text))


@pytest.mark.parametrize("number", [11, 15, 26, 28])
def test_every_word_of_every_round_is_checked(number: int) -> None:
    """Each word in turn becomes another one, or is gone. The hash tells apart what the rules would allow as well."""
    text = write_transcript(hashed(record_of(number)))
    body = text.index("Round 1")
    found = words_of(text[body:])
    for word in found[:: max(1, len(found) // 150)]:
        for instead in ("", "7" if word[0] != "7" else "8"):
            damaged = text[: body + word.start()] + instead + text[body + word.end() :]
            with pytest.raises(SkyjoError, match=r"^line [0-9]+: "):
                list(read_transcript(damaged))


HEADERS = ("Game", "Rules", "Seat0", "Commitment", "Seed", "Result", "Totals", "Ranks", "Hash")


@pytest.mark.parametrize("header", HEADERS)
def test_every_header_is_needed_and_checked(header: str) -> None:
    text = write_transcript(hashed(record_of(28)))
    line = next(line for line in text.splitlines() if line.startswith(f"[{header} "))
    value = line.split('"')[1]
    other = {"Rules": "french", "Result": "void", "Seat0": "Bob"}.get(
        header, value.translate(str.maketrans("0123", "1230"))
    )
    assert other != value
    with pytest.raises(SkyjoError, match=r"^line [0-9]+: "):
        list(read_transcript(text.replace(line, line.replace(value, other))))
    if header != "Hash":
        with pytest.raises(SkyjoError, match=r"^line [0-9]+: "):
            list(read_transcript(text.replace(line, "")))


WRONG: list[tuple[str, str, str]] = [
    # replaced, by, message
    ('[Skyjo "1"]\n', "", r"line 1: a game begins with \[Skyjo \"1\"\], but here is '\[Game"),
    ('[Skyjo "1"]', '[Skyjo "2"]', "line 12: Skyjo is '2', but this reader knows version 1"),
    ('[Rules "classic"]', "[Rules classic]", r"line 3: '\[Rules classic\]' is no header"),
    ('[Rules "classic"]', '[Rule "classic"]', "line 3: there is no header 'Rule': the headers are Skyjo, Game"),
    ('[Rules "classic"]', '[Skyjo "1"]', "line 2: the header Rules is missing: there is Skyjo, Game"),
    (
        '[Rules "classic"]',
        '[Rules "house"]',
        "line 12: Rules is 'house', but must begin with a preset: classic, french",
    ),
    ('[Rules "classic"]', '[Rules "classic with x"]', "line 12: Rules has 'x', but must have options such as"),
    ('[Rules "classic"]', '[Rules "classic with x=1"]', "line 12: 'x' is no option"),
    ('[Rules "classic"]', '[Rules "classic with initial_flips=99"]', "line 12: initial_flips is 99, but must be"),
    ('[Rules "classic"]', '[Rules "classic with initial_flips=1 initial_flips=2"]', "line 12: Rules has .* each once"),
    ('[Seat1 "Ben"]', '[Seat2 "Ben"]', "line 12: the header Seat1 is missing"),
    ('[Seat1 "Ben"]', '[Seat0 "Ben"]', "line 5: the header Seat0 stands here twice"),
    ('[Seat1 "Ben"]', '[Seat1 "Be\\n"]', r"line 5: '.*' is no header"),
    ('[Seat1 "Ben"]', '[Seat1 ""]', "line 12: Seat1 is '', but must be 1 to 200 printable characters"),
    ('[Seat1 "Ben"]', '[Seat1 "Ben"]\n[Entropy0 "00"]', "line 13: entropy has 1 texts for 2 seats"),
    ('[Seat1 "Ben"]', '[Seat1 "Ben"]\n[Date "today"]', "line 13: Date is 'today', but must be a time"),
    ('[Totals "0 0"]', '[Totals "0 0.5"]', "line 12: Totals is '0 0.5', but must be whole numbers by seat"),
    ('[Totals "0 0"]', '[Totals "0 ٣"]', "line 12: Totals is '0 ٣', but must be whole numbers by seat"),
    ('[Ranks "2 1"]', '[Ranks "2 0"]', "line 12: Ranks is 0, but must be a whole number from 1"),
    ("0: flip b1 c1", "flip b1 c1", "line 19: 'flip b1 c1' names no seat: write it as '0: flip b1 c1'"),
    ("0: flip b1 c1", "0: flip b1 c4", r"line 19: 'c4' is no part of a move: write as in"),
    ("0: flip b1 c1", "0: jump b1 c1", "line 19: 'jump b1 c1' is not an action"),
    ("0: flip b1 c1", "9: flip b1 c1", "line 19: '9:' is no part of a move"),
    ("0: flip b1 c1 {-1 6}", "0: flip b1 c1 {-1 6", "line 19: '{-1' is no part of a move"),
    ("0: draw", "0: (system) draw", r"line 19: '\(system\)' is no part of a move"),
    ("End", "[End 1]\nEnd", r"line 20: '\[End 1\]' stands among the moves"),
]


@pytest.mark.parametrize(("part", "instead", "message"), WRONG, ids=[instead or part for part, instead, _ in WRONG])
def test_a_refusal_names_the_line_and_what_would_be_right(part: str, instead: str, message: str) -> None:
    assert part in SHORT
    with pytest.raises(SkyjoError, match=f"^(?:{message})") as refused:
        list(read_transcript(SHORT.replace(part, instead)))
    assert len(str(refused.value)) < 400


FALSE: list[tuple[str, str, str]] = [
    ("Deal 0: 5", "Deal 0: 4", "line 13: game .*, event 0: must be '5', found '4' in line 13"),
    ("0: draw {3}", "0: draw {4}", r"line 19: game .*, event 4: must be '\{3\}', found '\{4\}' in line 19"),
    ("take d2", "take d3", "line 19: game .*, event 3: must be '6}', found '8}'"),
    ("1: flip d2 a1", "0: flip d2 a1", "line 19: game .*, event 2: seat 0 has chosen its flips"),
    ("0: draw {3} keep c1", "0: (timeout) draw {3} keep c1", "line 19: game .*, event 5: a timeout began this turn"),
    ("End totals 0 0 ranks 2 1", "End totals 0 0 ranks 2", "line 20: game .*, event 6: the text ends before '1'"),
    (
        "End totals 0 0 ranks 2 1",
        "End totals 0 0 ranks 2 1\nEnd",
        "line 21: game .*, event 7: 'End' in line 21 follows from nothing",
    ),
    (
        '[Result "finished"]\n[Totals "0 0"]\n[Ranks "2 1"]',
        '[Result "void"]\n[Totals "0 0"]',
        "line 19: game .*, result after event 6: status",
    ),
]


@pytest.mark.parametrize(("part", "instead", "message"), FALSE, ids=[instead for _, instead, _ in FALSE])
def test_what_does_not_follow_from_moves_and_seed_is_false(part: str, instead: str, message: str) -> None:
    assert part in SHORT
    with pytest.raises(CorruptLog, match=f"^(?:{message})") as refused:
        list(read_transcript(SHORT.replace(part, instead)))
    assert refused.value.game == str(record_of(28).game)


def test_notes_that_nothing_follows_from_are_refused_before_they_fill_the_memory() -> None:
    read = 0

    def endless() -> object:
        nonlocal read
        yield from SHORT.splitlines()
        while True:
            read += 1
            yield "End of the world"

    with pytest.raises(CorruptLog, match="follows from nothing before it"):
        list(read_transcript(endless()))  # type: ignore[arg-type] # a generator of lines
    assert read < 1000


@settings(max_examples=200)
@given(
    st.text(max_size=60) | st.text(st.sampled_from('0123: {}()[]"abcdfliprwtkek\n'), max_size=60),
    st.integers(0, len(SHORT)),
)
def test_any_text_put_anywhere_is_read_or_refused(junk: str, at: int) -> None:
    found: list[GameRecord] = []
    try:
        found.extend(read_transcript(SHORT[:at] + junk + SHORT[at:]))
    except (InvalidText, CorruptLog):
        found.append(record_of(28))
    assert [record.events for record in found] == [record_of(28).events]
