"""An endpoint of Flask that asks no database: the yardstick for reads, under the same server. Part of no service."""

from __future__ import annotations

from typing import Final

import orjson
from flask import Flask, Response

PATH: Final = "/plain"
_ANSWER: Final = {"game": "00112233-4455-6677-8899-aabbccddeeff", "version": 41, "seat": 0, "legal_actions": ["draw"]}


def create_worker() -> Flask:
    """The WSGI application of one worker."""
    app = Flask("plain", static_folder=None)

    @app.get(PATH)
    def plain() -> Response:
        return Response(orjson.dumps(_ANSWER), content_type="application/json")

    return app
