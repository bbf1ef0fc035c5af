"""Requests by hand, beside the SDK: one connection, no retries, whatever comes back as it is."""

from __future__ import annotations

import http.client
import json
import select
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from tests.faults.waiting import LONGEST_SECONDS


@dataclass(frozen=True)
class Answer:
    """What came back; header names are in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body, read."""
        return json.loads(self.body)


class Line:
    """One connection to the service, for one token."""

    def __init__(self, port: int, token: str | None = None) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LONGEST_SECONDS)
        self._headers = {} if token is None else {"Authorization": f"Bearer {token}"}

    def connect(self) -> None:
        """Connect now, and not with the first request."""
        self._connection.connect()

    def get(self, path: str) -> Answer:
        """Read something."""
        return self._send("GET", path, None, {})

    def post(self, path: str, body: Any, **headers: str) -> Answer:
        """Do something; a header's name is written with _ for -."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self._send("POST", path, json.dumps(body).encode(), {"Content-Type": "application/json", **named})

    def play(self, game: str, version: int, action: str, key: str) -> Answer:
        """Play one action."""
        return self.post(f"/v1/games/{game}/actions", {"action": action}, If_Match=f'"{version}"', Idempotency_Key=key)

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        self._connection.close()

    def _send(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Answer:
        if self._connection.sock is not None and select.select([self._connection.sock], [], [], 0)[0]:
            self.close()  # nothing is to be read but its end: the service has closed what was idle for long
        self._connection.request(method, path, body, self._headers | headers)
        response = self._connection.getresponse()
        return Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, response.read())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
