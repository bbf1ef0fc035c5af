"""Flask without a database: the yardstick for reads, under the same server. Part of no service.

It gives the same kind of answer as the service's read of legal actions, at such a path, as one writes it with Flask:
what the ratio leaves is the price of the token, of the table's news from the database, and of the view.
"""

from __future__ import annotations

from itertools import combinations
from typing import Final
from uuid import UUID

from flask import Flask, Response, jsonify

from skyjo_server.app import collect_rarely

PATH: Final = "/v1/games/00112233-4455-6677-8899-aabbccddeeff/actions"
_PLACES: Final = [f"{column}{row}" for column in "abcd" for row in "123"]
_FLIPS: Final = [f"flip {first} {second}" for first, second in combinations(_PLACES, 2)]


def create_worker() -> Flask:
    """The WSGI application of one worker."""
    app = Flask("plain", static_folder=None)

    @app.get("/v1/games/<uuid:game_id>/actions")
    def plain(game_id: UUID) -> Response:
        return jsonify(game=str(game_id), version=41, seat=0, legal_actions=_FLIPS)

    collect_rarely()
    return app
