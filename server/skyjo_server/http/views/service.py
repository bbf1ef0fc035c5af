"""Operations about the service itself, for those who run it."""

from __future__ import annotations

from typing import Final

from flask import Response

from skyjo_server.http.answers import json_answer
from skyjo_server.http.blueprint import Blueprint, Resource
from skyjo_server.http.callers import arena
from skyjo_server.http.schemas.service import Health

service: Final = Blueprint("service", "The service itself.")


@service.route("/healthz")
class Healthz(Resource):
    """The process."""

    @service.operation("getHealth")
    @service.response(200, Health)
    def get(self) -> Response:
        """Say that the process is alive."""
        return json_answer({"status": "ok"})


@service.route("/readyz")
class Readyz(Resource):
    """The process and what it needs."""

    @service.operation("getReadiness")
    @service.response(200, Health)
    def get(self) -> Response:
        """Say that requests can be served: the database answers and has the schema that this version needs."""
        arena().ready()
        return json_answer({"status": "ok"})
