"""Over the wire: bodies without end, lengths that lie, floods of headers are refused, and play goes on. Cases 57-59."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from skyjo_client import BotSeat, Client, HouseSeat
from skyjo_server.http.openapi import document as described
from tests.contract.document import Document
from tests.contract.fuzz.wire import Outcome, connected, exchange, header_values
from tests.faults.playing import Account, register
from tests.faults.serving import RunningService
from tests.server.http.test_hostile_input import BODIES

DOCUMENT = Document(described())
MEGABYTE = 1_000_000
ENDLESS = 256 * MEGABYTE
"""What a test would send at most of a body without end."""
ON_THE_WAY = 32 * MEGABYTE
"""More than all the buffers between a client and the service hold."""

BOTS = b"POST /v1/bots HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n"
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: test\r\n"
LAST = b"Connection: close\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"


def of_length(announced: object, *more: bytes) -> bytes:
    """The head of a request to register a bot with a body of this length."""
    return BOTS + b"".join(more) + f"Content-Length: {announced}\r\n\r\n".encode()


def chunks(size: int) -> Iterator[bytes]:
    """A chunked body without end: no JSON, but blank."""
    for _ in range(ENDLESS // size):
        yield b"%x\r\n%b\r\n" % (size, b" " * size)


def signed(path: str, account: Account) -> bytes:
    """The head of a request of a bot, but for its length."""
    start = f"POST {path} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer {account.token}\r\n"
    return start.encode() + b"Content-Type: application/json\r\n"


def assert_problem(outcome: Outcome, status: int, code: str, path: str = "/v1/bots") -> None:
    """The answer is a problem of this code, as the document describes it."""
    answer = outcome.answer
    assert answer is not None
    assert answer.status == status, answer.whole
    DOCUMENT.check("POST", path, status, header_values(answer), answer.body)
    assert json.loads(answer.body)["type"] == f"urn:skyjo:problem:{code}"


@pytest.fixture(autouse=True)
def unharmed(running: RunningService) -> Iterator[None]:
    """After every test the same processes answer as before, and none has noted a failure."""
    before = running.workers()
    yield
    assert running.is_ready()
    assert running.workers() == before
    assert "request-failed" not in running.log_tail()


@pytest.fixture(scope="module")
def account(running: RunningService) -> Account:
    (account,) = register(running.url, 1)
    return account


@pytest.mark.parametrize("more", [b"", b"Expect: 100-continue\r\n"], ids=["", "asks first"])
@pytest.mark.parametrize("announced", [64 * 1024 + 1, 20 * MEGABYTE, 1000 * MEGABYTE, 10**18])
def test_a_body_that_is_announced_as_too_large_is_refused_before_any_of_it_is_sent(
    running: RunningService, announced: int, more: bytes
) -> None:
    outcome = exchange(running.port, of_length(announced, more))
    assert_problem(outcome, 413, "body-too-large")
    assert outcome.closed


def test_twenty_megabytes_are_not_read(running: RunningService) -> None:
    outcome = exchange(running.port, of_length(20 * MEGABYTE), (b" " * 10_000 for _ in range(2000)))
    assert_problem(outcome, 413, "body-too-large")
    assert outcome.sent_bytes < 20 * MEGABYTE


@pytest.mark.parametrize("size", [1, 1000, 65536])
def test_a_body_without_an_end_is_read_to_the_limit_and_no_further(running: RunningService, size: int) -> None:
    outcome = exchange(running.port, BOTS + CHUNKED, chunks(size))
    assert_problem(outcome, 413, "body-too-large")
    assert outcome.sent_bytes < ON_THE_WAY
    assert outcome.closed


def test_a_batch_without_an_end_has_its_own_limit(running: RunningService, account: Account) -> None:
    outcome = exchange(running.port, signed("/v1/turns", account) + CHUNKED, chunks(65536))
    assert_problem(outcome, 413, "body-too-large", "/v1/turns")
    assert MEGABYTE < outcome.sent_bytes < ON_THE_WAY


@pytest.mark.parametrize("path", ["/v1/bots", "/v1/turns"])
@pytest.mark.parametrize("chunked", [False, True], ids=["announced", "chunked"])
@pytest.mark.parametrize("name", sorted(BODIES.keys() - {"20 MB"}))
def test_a_body_that_cannot_be_is_refused_over_the_wire_too(
    running: RunningService, account: Account, path: str, chunked: bool, name: str
) -> None:
    body, code = BODIES[name]
    framing = CHUNKED if chunked else b"Content-Length: %d\r\n\r\n" % len(body)
    sent = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body) if chunked else body
    outcome = exchange(running.port, signed(path, account) + LAST + framing + sent)
    assert_problem(outcome, 400 if code == "invalid-json" else 422, code, path)


@pytest.mark.parametrize("sent", [b"", b"{", b'{"scope": "bot"}'])
def test_a_body_that_is_cut_off_is_not_taken_for_all_of_it(
    running: RunningService, account: Account, sent: bytes
) -> None:
    head = signed("/v1/tokens", account) + b"Content-Length: 40\r\n\r\n"
    assert_problem(exchange(running.port, head + sent, hang_up=True), 400, "invalid-json", "/v1/tokens")


def test_a_body_of_which_not_even_a_chunk_has_come_is_not_taken_for_none(
    running: RunningService, account: Account
) -> None:
    outcome = exchange(running.port, signed("/v1/tokens", account) + CHUNKED, hang_up=True)
    assert_problem(outcome, 400, "invalid-json", "/v1/tokens")


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (of_length(-1), 400),
        (of_length("1e3"), 400),
        (of_length("٣"), 400),
        (of_length("2, 3"), 400),
        (of_length(10**30), 400),
        (of_length(2**64 - 1), 431),
        (of_length(2, b"Content-Length: 3\r\n") + b"{}", 400),
        (BOTS + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n", 400),
        (BOTS + CHUNKED + b"not a length\r\n", 400),
        (BOTS + CHUNKED + b"f" * 30 + b"\r\n", 400),
        (HEALTH + b"X-Odd: a\0b\r\n\r\n", 400),
        (HEALTH + b"X-Odd: a\r\n b\r\n\r\n", 400),
        (HEALTH + b"X-Odd : a\r\n\r\n", 400),
        (HEALTH + b"no colon\r\n\r\n", 400),
        (b"GET /healthz\r\n\r\n", 400),
        (b"GET /healthz HTTP/3.7\r\n\r\n", 400),
        (b"GET /heal\0thz HTTP/1.1\r\nHost: test\r\n\r\n", 400),
        (b"GET /healthz?\xff HTTP/1.1\r\nHost: test\r\n\r\n", 400),
        (b"\x16\x03\x01\x00\xa5\x01\x00", 400),
        (b"\0" * 100 + b"\r\n\r\n", 400),
        (HEALTH + b"X-Many: 1\r\n" * 200 + b"\r\n", 431),
        (HEALTH + b"X-Long: " + b"x" * MEGABYTE + b"\r\n\r\n", 431),
        (b"GET /v1/" + b"x" * 100_000 + b" HTTP/1.1\r\nHost: test\r\n\r\n", 414),
    ],
)
def test_what_is_no_request_is_refused_and_its_connection_closed(
    running: RunningService, request_: bytes, status: int
) -> None:
    outcome = exchange(running.port, request_)
    assert outcome.status == status
    assert outcome.closed


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (HEALTH + LAST + b"".join(b"X-Many-%d: 1\r\n" % number for number in range(95)) + b"\r\n", 200),
        (HEALTH + LAST + b"X-Long: " + b"x" * 300_000 + b"\r\n\r\n", 200),
        (b"GET /v1/" + b"x" * 60_000 + b" HTTP/1.1\r\nHost: test\r\n" + LAST + b"\r\n", 404),
        (b"GET http://elsewhere.example/healthz HTTP/1.1\r\nHost: test\r\n" + LAST + b"\r\n", 200),
        (b"GET /v1/\xc3\xa4 HTTP/1.1\r\nHost: test\r\n" + LAST + b"\r\n", 404),
        (b"OPTIONS * HTTP/1.1\r\nHost: test\r\n" + LAST + b"\r\n", 404),
        (b"CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: test\r\n" + LAST + b"\r\n", 404),
        (b"GET /v1/me HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer \xff\r\n" + LAST + b"\r\n", 401),
    ],
)
def test_what_is_an_odd_request_is_answered(running: RunningService, request_: bytes, status: int) -> None:
    assert exchange(running.port, request_).status == status


def test_a_request_that_says_two_lengths_hides_no_second_one(running: RunningService) -> None:
    hidden = HEALTH + LAST + b"\r\n"
    outcome = exchange(
        running.port, of_length(5 + len(hidden), b"Transfer-Encoding: chunked\r\n") + b"0\r\n\r\n" + hidden
    )
    assert_problem(outcome, 400, "invalid-json")
    assert outcome.closed, "the hidden one was answered"


def test_play_goes_on_while_hundreds_never_finish_what_they_say(running: RunningService, account: Account) -> None:
    with ExitStack() as hanging:
        for started in (HEALTH, of_length(1000) + b"{"):
            for _ in range(150):
                hanging.enter_context(connected(running.port)).sendall(started)
        play_a_game(running.url, account)


def play_a_game(url: str, account: Account) -> None:
    with Client(url, account.token) as client:
        game = client.games.create(seats=[BotSeat(account.id), HouseSeat("greedy")])
        seen = client.games.view(game.id)
        while seen.legal_actions:
            seen = client.games.play(game.id, version=seen.version, action=seen.legal_actions[0])
        assert client.games.get(game.id).status == "finished"
