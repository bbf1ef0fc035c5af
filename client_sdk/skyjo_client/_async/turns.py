"""All games of a bot at once: its inbox, and the answers to it."""

from __future__ import annotations

from collections.abc import Sequence

from skyjo import Decision
from skyjo_client._async.api import AsyncApi
from skyjo_client.exchange import Request, as_json, get, path, plain
from skyjo_client.models import TurnsAnswer
from skyjo_client.reading import Members
from skyjo_client.submissions import Submission


class AsyncTurns:
    """All games of a bot at once: ``client.turns``."""

    def __init__(self, api: AsyncApi) -> None:
        self._api = api

    async def pending(self, *, wait_seconds: float = 0.0, limit: int | None = None) -> tuple[Decision, ...]:
        """Every decision that waits for the token's bot, the earliest deadline first.

        Args:
            wait_seconds: if there is none, wait so long for one, 0 to 30.
            limit: decisions at most; None = as many as the server gives.
        """

        def read(data: object) -> tuple[Decision, ...]:
            return Members("Turns", data).items("decisions", Decision.from_dict)

        return await self._api.send(get(path("turns"), read, wait_seconds=wait_seconds, limit=limit))

    async def submit(
        self, submissions: Sequence[Submission], *, wait_seconds: float = 0.0, limit: int | None = None
    ) -> TurnsAnswer:
        """Play actions in many games, and receive each one's result and the decisions that wait then.

        Each stands alone: a refused one is an error in its result and changes nothing for the others. Several of one
        game are played in sequence. Sent again after a lost answer, each is played once.

        Args:
            submissions: at most 256.
            wait_seconds: if no decision waits, wait so long for one, 0 to 30.
            limit: decisions at most; None = as many as the server gives.
        """

        def read(data: object) -> TurnsAnswer:
            answer = TurnsAnswer.from_dict(data)
            if len(answer.results) != len(submissions):
                raise ValueError(f"{len(submissions)} actions were submitted, but {len(answer.results)} have a result")
            return answer

        request = Request(
            "POST",
            path("turns"),
            as_json(read),
            body={
                "actions": [submission.to_dict() for submission in submissions],
                "wait": plain(wait_seconds),
                **({} if limit is None else {"limit": limit}),
            },
            repeatable=True,
            wait_seconds=wait_seconds,
        )
        return await self._api.send(request)
