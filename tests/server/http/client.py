"""A client of the application in this process: as little as a test needs to read well. Its answers are checked."""

from __future__ import annotations

from typing import Any

from flask import Flask
from werkzeug.test import Client as WsgiClient
from werkzeug.test import TestResponse

from tests.contract.checked import Checked
from tests.contract.document import Document


class Client:
    """Sends requests to an application, each answer held against its document.

    Attributes:
        checked: what was seen so far.
    """

    def __init__(self, app: Flask, document: Document) -> None:
        self.checked = Checked(app, document)
        self._client = WsgiClient(self.checked)

    def get(self, path: str, token: str | None = None, **options: Any) -> TestResponse:
        return self.send("GET", path, token, **options)

    def post(self, path: str, body: object = None, token: str | None = None, **options: Any) -> TestResponse:
        if body is not None:
            options["json"] = body
        return self.send("POST", path, token, **options)

    def delete(self, path: str, token: str | None = None) -> TestResponse:
        return self.send("DELETE", path, token)

    def send(
        self, method: str, path: str, token: str | None = None, headers: dict[str, str] | None = None, **options: Any
    ) -> TestResponse:
        sent = dict(headers or {})
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        return self._client.open(path, method=method, headers=sent, **options)


def members(answer: TestResponse) -> dict[str, Any]:
    """The object in an answer."""
    found = answer.json
    assert isinstance(found, dict)
    return found


def problem_code(answer: TestResponse) -> str:
    """The code of the problem that an answer is."""
    assert answer.mimetype == "application/problem+json", answer.data
    code: str = members(answer)["type"].removeprefix("urn:skyjo:problem:")
    return code


def places(answer: TestResponse) -> list[str]:
    """The places at fault that a problem names."""
    return [error["place"] for error in members(answer)["errors"]]
