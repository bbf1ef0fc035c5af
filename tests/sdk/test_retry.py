"""When the client tries again, and after how long: the policy as a function."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyjo_client import AnswerUnreadable, ApiError, ConnectionFailed, ContractMismatch, Problem, RetryPolicy
from skyjo_client.retry import NEVER, NOT_CARRIED_OUT, TEMPORARY, retry_after_seconds

POLICY = RetryPolicy()
LOST = ConnectionFailed("reset")
JITTER = st.floats(0, 1)


def refused(status: int, retry_after: float | None = None) -> ApiError:
    return ApiError(Problem(status, "any", "Any", "any", retry_after_seconds=retry_after))


@given(st.integers(1, 10**6), JITTER)
def test_a_pause_is_at_most_the_doubled_first_one_and_at_most_the_cap(attempt: int, jitter: float) -> None:
    policy = RetryPolicy(attempts=None)
    seconds = policy.delay_seconds(LOST, attempt=attempt, repeatable=True, jitter=jitter)
    assert seconds is not None
    assert 0 <= seconds <= policy.cap_seconds
    assert attempt > 50 or seconds <= policy.first_seconds * 2 ** (attempt - 1)


@given(st.integers(1, 4))
def test_jitter_spreads_pauses_over_the_whole_span(attempt: int) -> None:
    none = POLICY.delay_seconds(LOST, attempt=attempt, repeatable=True, jitter=0)
    half = POLICY.delay_seconds(LOST, attempt=attempt, repeatable=True, jitter=0.5)
    assert none == 0
    assert half == 0.25 * 2 ** (attempt - 1) / 2


@given(st.floats(0, 60), st.integers(1, 4), JITTER)
def test_nobody_comes_back_earlier_than_the_server_asked(asked: float, attempt: int, jitter: float) -> None:
    seconds = POLICY.delay_seconds(refused(503, asked), attempt=attempt, repeatable=True, jitter=jitter)
    assert seconds is not None
    assert asked <= seconds <= asked + POLICY.first_seconds


def test_a_longer_pause_than_allowed_is_none() -> None:
    assert POLICY.delay_seconds(refused(429, 60.5), attempt=1, repeatable=True, jitter=0) is None


@given(st.integers(400, 599), st.booleans())
def test_only_what_may_change_by_itself_is_tried_again(status: int, repeatable: bool) -> None:
    seconds = POLICY.delay_seconds(refused(status), attempt=1, repeatable=repeatable, jitter=1)
    assert (seconds is not None) == (status in (TEMPORARY if repeatable else NOT_CARRIED_OUT))


@pytest.mark.parametrize("status", [409, 412, 422, 428])
def test_a_refused_move_is_final(status: int) -> None:
    assert POLICY.delay_seconds(refused(status), attempt=1, repeatable=True, jitter=1) is None


def test_a_page_that_came_with_success_is_not_asked_for_again() -> None:
    page = AnswerUnreadable("a log-in page", 200)
    assert POLICY.delay_seconds(page, attempt=1, repeatable=True, jitter=1) is None


def test_another_version_of_the_api_stays_another() -> None:
    assert POLICY.delay_seconds(ContractMismatch("2", "1"), attempt=1, repeatable=True, jitter=1) is None


@pytest.mark.parametrize(("repeatable", "sent", "again"), [(True, True, 1), (False, True, 0), (False, False, 1)])
def test_what_may_have_arrived_is_sent_again_only_if_it_may_arrive_twice(
    repeatable: bool, sent: bool, again: int
) -> None:
    error = ConnectionFailed("gone", sent=sent)
    assert (POLICY.delay_seconds(error, attempt=1, repeatable=repeatable, jitter=1) is not None) == again


def test_the_last_attempt_is_the_last() -> None:
    assert POLICY.delay_seconds(LOST, attempt=4, repeatable=True, jitter=1) is not None
    assert POLICY.delay_seconds(LOST, attempt=5, repeatable=True, jitter=1) is None
    assert NEVER.delay_seconds(LOST, attempt=1, repeatable=True, jitter=1) is None


@given(st.integers(0, 10**400))
def test_seconds_are_read_as_they_are(seconds: int) -> None:
    read = retry_after_seconds({"Retry-After": str(seconds)})
    assert read == (float(seconds) if seconds < 10**300 else read)
    assert read is not None


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "Thu, 01 Jan 2026 00:01:00 GMT", "Date": "Thu, 01 Jan 2026 00:00:00 GMT"}, 60),
        ({"Retry-After": "Thu, 01 Jan 2026 01:01:00 +0100", "Date": "Thu, 01 Jan 2026 00:00:00 -0000"}, 60),
        ({"Retry-After": "Thu, 01 Jan 2026 00:00:00 GMT", "Date": "Thu, 01 Jan 2026 00:01:00 GMT"}, 0),
        ({"Retry-After": "Thu, 01 Jan 2026 00:01:00 GMT"}, None),
        ({"Retry-After": "-1"}, None),
        ({"Retry-After": "1.5"}, None),
        ({"Retry-After": "٣"}, None),
        ({"Retry-After": ""}, None),
        ({}, None),
    ],
)
def test_dates_are_read_against_the_answers_own_and_nonsense_is_not_read(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert retry_after_seconds(headers) == seconds
