"""JSON is taken as what it says, or refused with the place. Cases 57 and 58."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyjo_server.http.errors import MOST_FAULTS, InvalidContent, InvalidJson
from skyjo_server.http.strict_json import MAX_DEPTH, MAX_WHOLE, load_json

TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
WHOLE = st.integers(-MAX_WHOLE, MAX_WHOLE)
VALUES = st.recursive(
    st.none() | st.booleans() | WHOLE | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


def place_of(body: bytes) -> str:
    with pytest.raises(InvalidJson) as refused:
        load_json(body)
    (error,) = refused.value.extras["errors"]
    place: str = error["place"]
    return place


@given(VALUES, st.booleans())
def test_a_sound_value_is_read_as_it_was_written(value: Any, ascii_only: bool) -> None:
    assert load_json(json.dumps(value, ensure_ascii=ascii_only).encode()) == value


@given(st.binary(max_size=40))
def test_bytes_are_read_as_the_standard_library_reads_them_or_are_refused(body: bytes) -> None:
    try:
        value = load_json(body)
    except InvalidJson:
        return
    assert json.loads(body.decode("utf-8")) == value


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (b'{"a": 1, "a": 1}', "/a"),
        (b'{"a": [{"b": 1, "c": 2, "b": 3}]}', "/a/0/b"),
        (b'{"a": NaN}', "/a"),
        (b"[0, Infinity]", "/1"),
        (b"[-Infinity]", "/0"),
        (b'{"a/b": {"m~n": 1e999}}', "/a~1b/m~0n"),
        (b'{"version": 10000000000000000000000000000000000000000}', "/version"),
        (b"[9007199254740992]", "/0"),
        (b"[-9007199254740992]", "/0"),
        (b'{"a": "\\u0000"}', "/a"),
        (b'{"a": ["x", "\\ud800"]}', "/a/1"),
        (b'{"a": {"\\udfff": 1}}', "/a"),
        (b'{"\\ud800": 1, "\\ud800": 2}', ""),
        (b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1), "/0" * MAX_DEPTH),
        (b'{"a": ' * (MAX_DEPTH + 1) + b"1" + b"}" * (MAX_DEPTH + 1), "/a" * MAX_DEPTH),
        (b"9" * 5000, ""),
    ],
)
def test_what_is_refused_is_named_by_a_json_pointer(body: bytes, place: str) -> None:
    assert place_of(body) == place


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b" ",
        b"nul",
        b"{'a': 1}",
        b"[1,]",
        b"01",
        b"1_000",
        b"+1",
        "٣".encode(),
        b'"a\x00"',
        b"\xff",
        b"\xef\xbb\xbf{}",
        '{"a": 1}'.encode("utf-16"),
        b'{"a": 1}}',
        b"[" * 60_000,
        b'{"a":' * 10_000,
        b'{"a": 1, "a": 1} x',
        b"[NaN, " + b"[" * 5000,
    ],
)
def test_what_is_no_json_at_all_is_refused_as_a_whole(body: bytes) -> None:
    assert place_of(body) == ""


@pytest.mark.parametrize("depth", [1_000, 30_000])
def test_far_too_many_levels_are_refused_wherever_the_standard_library_gives_up(depth: int) -> None:
    assert place_of(b"[" * depth + b"]" * depth) in {"", "/0" * MAX_DEPTH}


def test_the_deepest_and_the_greatest_that_are_possible_are_read() -> None:
    deep: Any = []
    for _ in range(MAX_DEPTH - 1):
        deep = [deep]
    wide = [[MAX_WHOLE, -MAX_WHOLE]] * 100
    assert load_json(json.dumps(deep).encode()) == deep
    assert load_json(json.dumps(wide).encode()) == wide


def test_a_refusal_does_not_grow_with_what_was_sent() -> None:
    error = InvalidContent([(f"/{'x' * 10_000}{number}", "is not known here") for number in range(10_000)])
    assert len(error.extras["errors"]) == MOST_FAULTS
    assert len(json.dumps(error.extras)) + len(error.detail) < 10_000
