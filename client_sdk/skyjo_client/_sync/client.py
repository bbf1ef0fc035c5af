# Written by client_sdk/generate_sync.py from client_sdk/skyjo_client/_async/client.py.
"""The client: one attribute for each resource. Holds the connection, and no state beside it."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

import httpx

from skyjo_client._sync.accounts import Bots, Tokens
from skyjo_client._sync.api import Api, Sleep
from skyjo_client._sync.games import Games
from skyjo_client._sync.pages import Page, page_of
from skyjo_client._sync.tournaments import Tournaments
from skyjo_client._sync.turns import Turns
from skyjo_client.exchange import get, path
from skyjo_client.models import Me
from skyjo_client.retry import RetryPolicy
from skyjo_client.tournament_results import Leader


class Client:
    """A client of the service, to be used as a context manager or closed by hand.

    A request that may arrive twice without harm is sent again after a failure, as `retry` says: those that change
    nothing, and those with an idempotency key, which is made once for each call and kept for every sending.

    Args:
        url: the service's address, such as ``http://127.0.0.1:8000``.
        token: ``skj_…``; None for what needs none.
        timeout_seconds: how long the server may take for an answer, beside what it was asked to wait.
        retry: when to try again; None = up to five times in all.
        transport: what carries requests; None = the network.
        sleep: waits between tries.
        jitter: gives a random number from 0 to 1.
    Attributes:
        bots: registers and looks up bots.
        tokens: issues and revokes tokens.
        games: creates, lists, joins, plays and follows games.
        turns: plays all games of a bot at once.
        tournaments: creates, lists, enters, steers and follows tournaments.
    Raises:
        ValueError: if the address or the token cannot be one.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        timeout_seconds: float = 10.0,
        retry: RetryPolicy | None = None,
        transport: httpx.BaseTransport | None = None,
        sleep: Sleep = time.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._api = Api(
            url, token, timeout_seconds=timeout_seconds, retry=retry, transport=transport, sleep=sleep, jitter=jitter
        )
        self.bots = Bots(self._api)
        self.tokens = Tokens(self._api)
        self.games = Games(self._api)
        self.turns = Turns(self._api)
        self.tournaments = Tournaments(self._api)

    def me(self) -> Me:
        """Who the token is.

        Raises:
            Unauthenticated: if there is none, or it is no longer good.
        """
        return self._api.send(get(path("me"), Me.from_dict))

    def leaderboard(self, *, limit: int | None = None, cursor: str | None = None) -> Page[Leader]:
        """The live ratings over all tournaments, best first, page by page.

        Args:
            limit: rows on a page, 1 to 1000; None = 100.
            cursor: where to begin, from an earlier page.
        """
        return page_of(self._api, path("leaderboard"), Leader.from_dict, {"limit": limit}, cursor)

    def close(self) -> None:
        """Close the connections."""
        self._api.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
