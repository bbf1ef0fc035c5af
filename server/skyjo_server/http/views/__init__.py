"""The operations, by topic. A view is what its decorators say and a few lines that call one use case."""

from __future__ import annotations

from typing import Final

from skyjo_server.http.blueprint import Blueprint
from skyjo_server.http.views.bots import bots
from skyjo_server.http.views.games import games
from skyjo_server.http.views.play import play
from skyjo_server.http.views.replay import replay
from skyjo_server.http.views.service import service
from skyjo_server.http.views.tournament_entries import entries
from skyjo_server.http.views.tournament_results import results
from skyjo_server.http.views.tournaments import tournaments
from skyjo_server.http.views.turns import turns

VERSIONED: Final[tuple[Blueprint, ...]] = (bots, games, play, turns, replay, tournaments, entries, results)
"""What lies under /v1."""

UNVERSIONED: Final[tuple[Blueprint, ...]] = (service,)
"""What lies at the root."""
