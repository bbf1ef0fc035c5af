"""What those who run the service ask it."""

from __future__ import annotations

from typing import cast

from skyjo_server.http import create_http_app
from skyjo_server.http.ports import AllUseCases
from skyjo_server.service.errors import Unavailable
from tests.contract.document import Document
from tests.server.http.client import Client, problem_code


class NotReady:
    """Stands in for a service whose database is away."""

    def ready(self) -> None:
        raise Unavailable("the database does not answer", 2)


def test_a_service_with_its_database_is_alive_and_ready(client: Client) -> None:
    assert client.get("/healthz").json == client.get("/readyz").json == {"status": "ok"}


def test_a_service_without_its_database_is_alive_and_not_ready(document: Document) -> None:
    client = Client(create_http_app(cast(AllUseCases, NotReady())), document)
    assert client.get("/healthz").status_code == 200
    answer = client.get("/readyz")
    assert (answer.status_code, problem_code(answer), answer.headers["Retry-After"]) == (503, "unavailable", "2")
