"""Sending requests and waiting between tries. Knows no endpoint."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Protocol

import httpx

from skyjo_client.errors import SkyjoClientError
from skyjo_client.exchange import NO_PROXY, Request, T, answer, base_url, client_headers, failure
from skyjo_client.retry import Idleness, RetryPolicy


class AsyncSleep(Protocol):
    """Waits."""

    async def __call__(self, seconds: float, /) -> None:
        """Return after so many seconds."""


class AsyncApi:
    """A connection to one service with one token.

    Args:
        url: the service's address.
        token: ``skj_…``; None for what needs none.
        timeout_seconds: how long the server may take for an answer, beside what it was asked to wait.
        retry: when to try again.
        transport: what carries requests; None = the network.
        sleep: waits between tries.
        jitter: gives a random number from 0 to 1.
    Raises:
        ValueError: if the address or the token cannot be one.
    """

    def __init__(
        self,
        url: str,
        token: str | None,
        *,
        timeout_seconds: float = 10.0,
        retry: RetryPolicy | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: AsyncSleep = asyncio.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._http = httpx.AsyncClient(
            base_url=base_url(url), headers=client_headers(token), transport=transport, mounts=NO_PROXY
        )
        self._timeout_seconds = timeout_seconds
        self._retry = retry or RetryPolicy()
        self._sleep = sleep
        self._jitter = jitter

    async def send(self, request: Request[T]) -> T:
        """Send a request, again where that is right, and read its answer.

        Raises:
            SkyjoClientError: the last failure, when there is nothing more to try.
        """
        attempt = 0
        while True:
            attempt += 1
            try:
                return await self._send_once(request)
            except SkyjoClientError as error:
                delay_seconds = self._retry.delay_seconds(
                    error, attempt=attempt, repeatable=request.repeatable, jitter=self._jitter()
                )
                if delay_seconds is None:
                    raise
            await self._sleep(delay_seconds)

    async def idle(self, idleness: Idleness, *, fruitful: bool, early: bool) -> None:
        """Wait before the same is asked again, if the last answer gives a reason to."""
        seconds = idleness.pause_seconds(fruitful=fruitful, early=early, jitter=self._jitter())
        if seconds:
            await self._sleep(seconds)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def _send_once(self, request: Request[T]) -> T:
        try:
            response = await self._http.request(**request.arguments(self._timeout_seconds))
        except httpx.RequestError as error:
            raise failure(error, request) from error
        return answer(response, request)
