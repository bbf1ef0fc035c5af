"""A body is bounded before it is read, and while it is read. Cases 57 and 58."""

from __future__ import annotations

from typing import Any

import pytest

from skyjo_server.http.errors import BodyTooLarge, InvalidContent, InvalidJson
from skyjo_server.http.intake import read_body

LIMIT = 1000


class Stream:
    """A body that counts what is read of it, and gives at most so much at once.

    Attributes:
        taken: bytes that were read.
    """

    def __init__(self, size: int, at_once: int = 10**9) -> None:
        self._left = size
        self._at_once = at_once
        self.taken = 0

    def read(self, size: int) -> bytes:
        given = min(size, self._left, self._at_once)
        self._left -= given
        self.taken += given
        return b"x" * given


def environment(stream: Stream, **more: Any) -> dict[str, Any]:
    return {"wsgi.input": stream, "wsgi.input_terminated": True, **more}


@pytest.mark.parametrize("announced", ["1001", "1000000000", "9" * 5000])
def test_a_body_that_announces_too_much_is_refused_unread(announced: str) -> None:
    stream = Stream(10**9)
    with pytest.raises(BodyTooLarge):
        read_body(environment(stream, CONTENT_LENGTH=announced), LIMIT)
    assert stream.taken == 0


@pytest.mark.parametrize("at_once", [10**9, 7])
def test_a_body_of_unknown_length_is_read_no_further_than_one_byte_over_the_limit(at_once: int) -> None:
    stream = Stream(10**9, at_once)
    with pytest.raises(BodyTooLarge):
        read_body(environment(stream), LIMIT)
    assert stream.taken == LIMIT + 1


@pytest.mark.parametrize("announced", ["", "1000"])
@pytest.mark.parametrize("at_once", [10**9, 7])
def test_a_body_of_just_the_limit_is_read_whole(announced: str, at_once: int) -> None:
    assert read_body(environment(Stream(LIMIT, at_once), CONTENT_LENGTH=announced), LIMIT) == b"x" * LIMIT


@pytest.mark.parametrize("came", [0, 1, 999])
def test_a_body_that_ends_before_the_length_that_was_announced_is_refused(came: int) -> None:
    with pytest.raises(InvalidJson, match=f"ended after {came} of 1000 bytes"):
        read_body(environment(Stream(came), CONTENT_LENGTH="1000"), LIMIT)


@pytest.mark.parametrize("announced", ["-1", "+1", "1e3", " 5", "0x10", "٣", "five"])
def test_a_length_that_is_none_is_refused_unread(announced: str) -> None:
    stream = Stream(LIMIT)
    with pytest.raises(InvalidContent):
        read_body(environment(stream, CONTENT_LENGTH=announced), LIMIT)
    assert stream.taken == 0


def test_without_a_length_and_an_end_there_is_no_body() -> None:
    stream = Stream(LIMIT)
    assert read_body({"wsgi.input": stream}, LIMIT) == b""
    assert stream.taken == 0
