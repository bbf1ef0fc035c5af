"""Whatever a client sends, the answer is one of the document: never a 5xx, never a guess. Case 57."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from werkzeug.test import TestResponse

from skyjo_server.http.openapi import document as described
from tests.contract.document import Document, Operation
from tests.server.http.client import Client, places, problem_code
from tests.server.http.conftest import Player

OPERATIONS = list(Document(described()).operations())
WITH_QUERY = [operation for operation in OPERATIONS if operation.parameters("query")]
WITH_BODY = [operation for operation in OPERATIONS if "requestBody" in operation.described]
UUID = "00112233-4455-6677-8899-aabbccddeeff"

BODIES: dict[str, tuple[bytes, str]] = {
    "no JSON": (b"take c2", "invalid-json"),
    "cut short": (b'{"action": "take', "invalid-json"),
    "two values": (b"{} {}", "invalid-json"),
    "UTF-16": ('{"action": "draw"}'.encode("utf-16"), "invalid-json"),
    "no UTF-8": (b'{"action": "\xff"}', "invalid-json"),
    "a byte order mark": (b'\xef\xbb\xbf{"action": "draw"}', "invalid-json"),
    "NUL": (b'{"action": "dr\\u0000aw"}', "invalid-json"),
    "a raw NUL": (b'{"action": "dr\x00aw"}', "invalid-json"),
    "half a surrogate pair": (b'{"action": "\\ud800"}', "invalid-json"),
    "half a surrogate pair as a name": (b'{"\\udc00": 1}', "invalid-json"),
    "a member twice": (b'{"action": "draw", "action": "draw"}', "invalid-json"),
    "NaN": (b'{"wait": NaN}', "invalid-json"),
    "an infinity": (b'{"wait": -Infinity}', "invalid-json"),
    "1e999": (b'{"wait": 1e999}', "invalid-json"),
    "10^40": (b'{"wait": 1' + b"0" * 40 + b"}", "invalid-json"),
    "five thousand digits": (b'{"wait": ' + b"7" * 5000 + b"}", "invalid-json"),
    "1_000": (b'{"limit": 1_000}', "invalid-json"),
    "Arabic digits": ('{"limit": ٣}'.encode(), "invalid-json"),
    "a thousand levels": (b'{"action":' * 1000 + b"1" + b"}" * 1000, "invalid-json"),
    "thirty thousand levels, open": (b"[" * 30_000, "invalid-json"),
    "a list": (b"[]", "invalid-request"),
    "null": (b"null", "invalid-request"),
    "a number": (b"3", "invalid-request"),
    "a text": (b'"draw"', "invalid-request"),
    "an unknown member": (b'{"__class__": {"a": 1}}', "invalid-request"),
    "many unknown members": (b"{" + b",".join(b'"%d":1' % i for i in range(3000)) + b"}", "invalid-request"),
    "20 MB": (b'{"action": "' + b"x" * 20_000_000 + b'"}', "body-too-large"),
}

WRONG_MOMENTS = (
    "2030-01-02",
    "2030-01-02T03:04:05",
    "2030-01-02 03:04:05Z",
    "2030-01-02T03:04Z",
    "2030-02-30T03:04:05Z",
    "2030-01-02T03:04:60Z",
    "2030-01-02T24:00:01Z",
    "2030-01-02T03:04:05+25:00",
    "2030-01-02T03:04:05Z ",
    "1999-12-31T23:59:59Z",
    "3000-01-01T00:00:00Z",
    "٢030-01-02T03:04:05Z",
    "2030-01-02T03:04:05." + "0" * 40 + "Z",
)

WRONG: dict[str, tuple[Any, ...]] = {
    "action": (None, 1, True, "", "draw ", "DRAW", "take e1", "take c2\n", "take  c2", "flip a1 a1", "٣", ["draw"], {}),
    "name": (None, 1, True, "", " a", "a ", "a\nb", "a" * 41, "ä", "<b>", "٣", [], {}),
    "invitation": (1, True, "", "a b", "ä", "a" * 201, [], {}),
    "scope": (None, 1, True, "", "BOT", "root", [], {}),
    "bot": (1, True, "", UUID.upper(), UUID.replace("-", ""), f"{{{UUID}}}", f"{UUID} ", "٣", [], {}),
    "entropy": (None, 1, "0", "0G", "FF", "00" * 65, "٣٣", [], {}),
    "preset": (None, 1, "Classic", "", "__proto__", [], {}),
    "rules": (None, 1, "classic", [], [{}]),
    "seats": (None, 1, {}, [], ["bot"], [{"kind": "open"}], [{"kind": "open"}] * 9, [{"kind": []}] * 2, [{}] * 2),
    "move_seconds": (0, -1, "1", True, 1e300, [], {}),
    "bank_seconds": (None, -1, "1", True, 1e300, [], {}),
    "on_timeout": (None, 1, "", "DEFAULT", [], {}),
    "max_timeouts": (None, 0, -1, 3.0, 3.7, "3", True, 10**9, [], {}),
    "version": (None, -1, 3.0, 3.7, "3", True, 2**40, [], {}),
    "actions": (None, 1, "draw", {}, ["draw"], [{}], [None], [[]]),
    "wait": (None, -1, 30.5, "1", True, [], {}),
    "limit": (None, 0, -1, 3.0, 3.7, "3", " 3 ", "1_000", "٣", True, 257, 10**15, [], {}),
    "format": (None, 1, True, "", "SWISS", "round robin", [], {}),
    "table_size": (None, 0, 1, 9, 3.0, "3", True, [], {}),
    "boards": (None, 0, -1, 3, 1001, 2.0, "2", True, [], {}),
    "rounds": (0, -1, 3.0, "3", True, 10**7, [], {}),
    "duplicate": (None, 0, 1, "true", [], {}),
    "scoring": (None, 1, "", "RANKS", [], {}),
    "entries_max": (0, 1, 3.0, "3", True, 10**6, [], {}),
    "entries_per_owner": (None, 0, 3.0, "3", True, 10**6, [], {}),
    "challengers": (None, 0, 3.0, "3", True, 10**6, [], {}),
    "seeded": (None, 0, 1, "true", [], {}),
    "tables_max": (None, 0, 3.0, "3", True, 10**7, [], {}),
    "tables_at_once": (None, 0, 3.0, "3", True, 10**5, [], {}),
    "games_at_once": (None, 0, 3.0, "3", True, 10**5, [], {}),
    "sequential": (1, True, "elo", [], {"low": "0"}, {"unit": "ELO"}, {"low": 5, "high": 5}, {"beta": 0.5}, {"m": 1}),
    "house": (None, "greedy", ["Greedy"], [1], ["greedy"] * 257, {}),
    "filler": (1, True, "", "Greedy", [], {}),
    "start_at": (1, True, "", "tomorrow", *WRONG_MOMENTS, [], {}),
    "start_when_full": (None, 0, 1, "true", [], {}),
    "closes_at": (1, True, "", "tomorrow", *WRONG_MOMENTS, [], {}),
    "late_entry": (None, 0, 1, "true", [], {}),
    "entry": (None, -1, 3.0, "3", True, 10**6, [], {}),
    "reason": (None, 1, True, "", "a\nb", "a\u0085b", "a" * 201, [], {}),
}
"""Values that a member of a body cannot have, though they are JSON."""

SOUND: dict[str, Any] = {
    "action": "draw",
    "name": "nobody",
    "seats": [{"kind": "open"}, {"kind": "open"}],
    "actions": [],
    "format": "swiss",
    "entry": 0,
    "version": 0,
    "reason": "two bots of one author",
}
"""What is required of a body, where another member is at fault."""

QUERIES = {
    "an unknown parameter": "nonsense=1",
    "no value": "wait",
    "nothing but signs": "&&=&",
    "no UTF-8": "wait=%FF",
    "half a percent": "wait=%",
    "NUL": "wait=%00",
    "half a surrogate pair": "cursor=%ED%A0%80",
    "very many": "&".join(f"p{number}=1" for number in range(500)),
    "very long": "cursor=" + "a" * 60_000,
}
WRONG_WHOLE = ("", "3.0", "3.7", "1_000", "٣", " 3 ", "+3", "%203", "03", "0x3", "1e3", "-2", "1" + "0" * 40, "null")
WRONG_REAL = ("", "1,5", "1_0", "٣", " 3 ", "-1", "31", "1e999", "nan", "inf", "Infinity", "0x1", "1" + "0" * 400)
WRONG_TEXT = ("", " ", "٣", "a b", "%00", "null")


def url(operation: Operation) -> str:
    path = operation.path
    for name, parameter in operation.parameters("path").items():
        path = path.replace(f"{{{name}}}", "0" if parameter["schema"]["type"] == "integer" else UUID)
    return path


def headers(operation: Operation) -> dict[str, str]:
    return {"If-Match": '"3"'} if "If-Match" in operation.parameters("header") else {}


def ask(client: Client, operation: Operation, token: str, **options: Any) -> TestResponse:
    return client.send(operation.method.upper(), url(operation), token, {**headers(operation)}, **options)


def wrong_members() -> list[Any]:
    return list(_wrong_members())


def _wrong_members() -> Iterator[Any]:
    components = described()["components"]["schemas"]
    for operation in WITH_BODY:
        name = operation.described["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        for member in components[name]["properties"]:
            required = {key: value for key, value in SOUND.items() if key in components[name].get("required", ())}
            yield pytest.param(operation, required, member, id=f"{operation.operation_id}-{member}")


@pytest.mark.parametrize("operation", WITH_BODY, ids=lambda operation: operation.operation_id)
@pytest.mark.parametrize("body", BODIES)
def test_a_body_that_cannot_be_is_refused(client: Client, ada: Player, operation: Operation, body: str) -> None:
    data, code = BODIES[body]
    answer = ask(client, operation, ada.token, data=data, content_type="application/json")
    assert problem_code(answer) == code
    assert len(answer.data) < 20_000


@pytest.mark.parametrize(("operation", "required", "member"), wrong_members())
def test_a_member_that_cannot_be_is_named(
    client: Client, ada: Player, operation: Operation, required: dict[str, Any], member: str
) -> None:
    for value in WRONG[member]:
        answer = ask(client, operation, ada.token, json={**required, member: value})
        assert problem_code(answer) == "invalid-request", value
        assert all(place == f"/{member}" or place.startswith(f"/{member}/") for place in places(answer)), value


@pytest.mark.parametrize("operation", WITH_BODY, ids=lambda operation: operation.operation_id)
@pytest.mark.parametrize(
    "content_type",
    ["", "text/plain", "application/xml", "application/json; charset=utf-16", "application/jsonx", "a" * 5000, "ä"],
)
def test_a_body_that_does_not_say_it_is_json_is_refused(
    client: Client, ada: Player, operation: Operation, content_type: str
) -> None:
    answer = ask(client, operation, ada.token, data=b"{}", content_type=content_type)
    assert problem_code(answer) == "unsupported-media-type"


@pytest.mark.parametrize("content_type", ["application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"'])
def test_a_body_may_say_that_it_is_utf8(client: Client, ada: Player, content_type: str) -> None:
    answer = client.send("POST", "/v1/turns", ada.token, data=b'{"actions": []}', content_type=content_type)
    assert answer.status_code == 200


def test_a_compressed_body_is_refused(client: Client, ada: Player) -> None:
    sent = {"Content-Encoding": "gzip"}
    answer = client.send("POST", "/v1/turns", ada.token, sent, data=b"{}", content_type="application/json")
    assert problem_code(answer) == "unsupported-media-type"


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.operation_id)
@pytest.mark.parametrize("query", QUERIES)
def test_a_query_that_cannot_be_is_refused_whether_there_is_one_or_not(
    client: Client, ada: Player, operation: Operation, query: str
) -> None:
    answer = ask(client, operation, ada.token, query_string=QUERIES[query])
    assert problem_code(answer) == "invalid-request"


@pytest.mark.parametrize("operation", WITH_QUERY, ids=lambda operation: operation.operation_id)
def test_a_parameter_that_cannot_be_is_named(client: Client, ada: Player, operation: Operation) -> None:
    for name, parameter in operation.parameters("query").items():
        kind = parameter["schema"].get("type")
        for value in {"integer": WRONG_WHOLE, "number": WRONG_REAL}.get(kind, WRONG_TEXT):
            query = f"{name}={value if '%' in value else quote(value)}"
            answer = ask(client, operation, ada.token, query_string=query)
            assert problem_code(answer) == "invalid-request", value
            assert places(answer) == [name], value
        answer = ask(client, operation, ada.token, query_string=f"{name}=1&{name}=1")
        assert places(answer) == [name]


@pytest.mark.parametrize(
    ("header", "value"),
    [
        *(
            ("If-Match", tag)
            for tag in ["3", '"03"', 'W/"3"', "*", '"3", "4"', '"٣"', '" 3 "', '"-1"', '"1e9"', '"', ""]
        ),
        *(("If-Match", '"' + "9" * digits + '"') for digits in (10, 40, 5000)),
        *(("Idempotency-Key", key) for key in ["", " ", "a b", "ä", "k" * 65, '"quoted"', "a\tb", "a/b"]),
    ],
)
def test_a_header_that_cannot_be_is_named(client: Client, ada: Player, header: str, value: str) -> None:
    sent = {"If-Match": '"3"', header: value}
    answer = client.post(f"/v1/games/{UUID}/actions", {"action": "draw"}, ada.token, headers=sent)
    assert problem_code(answer) == "invalid-request"
    assert places(answer) == [header]


@pytest.mark.parametrize(
    "header",
    ["", "Bearer", "Bearer ", "Basic YTpi", "skj_1", "Bearer skj_", "Bearer ä", "Bearer a b", "Bearer " + "x" * 60_000],
)
def test_an_authorization_that_cannot_be_is_no_caller(client: Client, header: str) -> None:
    for path in ("/v1/me", "/v1/turns", f"/v1/games/{UUID}/view"):
        answer = client.get(path, headers={"Authorization": header})
        assert problem_code(answer) == "unauthenticated"
        assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(
    "path",
    [
        "/v1",
        "/v1/",
        "/v2/games",
        "//v1/games",
        "/v1//games",
        "/v1/games/",
        "/V1/games",
        "/v1/games/1",
        f"/v1/games/{UUID.upper()}",
        f"/v1/games/{UUID}/",
        f"/v1/games/{UUID}%00",
        "/v1/games/%FF",
        *(f"/v1/tournaments/{UUID}/tables/{number}/0/void" for number in ("00", "-1", "1.0", "%D9%A3", "9" * 10, UUID)),
        "/v1/games/%ED%A0%80",
        "/v1/games/../me",
        "/v1/games/%2e%2e/me",
        "/v1/" + "x" * 60_000,
        "/docs/../../etc/passwd",
        "/docs/swagger-ui.js",
    ],
)
def test_a_path_that_is_none_has_nothing(client: Client, path: str) -> None:
    assert problem_code(client.get(path)) == "not-found"


@pytest.mark.parametrize("method", ["PUT", "PATCH", "OPTIONS", "TRACE", "CONNECT", "BREW", "DELETE"])
def test_a_method_that_a_path_does_not_have_is_refused_with_those_it_has(client: Client, method: str) -> None:
    answer = client.send(method, "/v1/games")
    assert problem_code(answer) == "method-not-allowed"
    assert answer.headers["Allow"] == "GET, HEAD, POST"


@pytest.mark.parametrize("host", ["", "[", "a b", "ä", "localhost:99999999", "x" * 5000, "evil.example"])
def test_what_a_client_takes_for_the_host_changes_nothing(client: Client, host: str) -> None:
    assert client.get("/healthz", headers={"Host": host}).json == {"status": "ok"}


@pytest.mark.parametrize("known", ["", "*", '"', '"a", W/"b"', "x" * 60_000, "ä"])
def test_an_entity_tag_that_is_none_is_no_error(client: Client, ada: Player, known: str) -> None:
    answer = client.get(f"/v1/bots/{ada.bot}", headers={"If-None-Match": known})
    assert answer.status_code == (304 if known == "*" else 200)


@pytest.mark.parametrize(
    "accept",
    [
        "",
        ";",
        ",,,",
        "*",
        "text",
        "text/plain;q=x",
        "text/plain;q=-1",
        "*/*;q=1e999",
        "a/b;" * 5000,
        "ä/ä",
        "text/plain;q=0",
    ],
)
def test_an_accept_header_that_is_none_is_taken_for_something_or_refused(client: Client, accept: str) -> None:
    answer = client.get(f"/v1/games/{UUID}/transcript", headers={"Accept": accept})
    assert problem_code(answer) in {"not-found", "not-acceptable"}
