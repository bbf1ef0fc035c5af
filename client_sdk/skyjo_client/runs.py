"""What happens while a bot plays, as values, and the choices of whoever runs it. Plays nothing itself."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from skyjo_client.errors import ApiError, BotError, SkyjoClientError
from skyjo_client.retry import RetryPolicy
from skyjo_client.submissions import Submission

_LOG: Final = logging.getLogger("skyjo_client")

OnBotError = Literal["stop", "default", "resign"]
"""What to do when a bot raises, or chooses what is not legal: `stop` ends the run with the BotError, `default` plays
the default action of rule 30 in its place, `resign` leaves that game and plays on in the others."""


@dataclass(frozen=True, slots=True)
class Played:
    """The server has accepted an action; `version` is that of its event."""

    submission: Submission
    version: int | None


@dataclass(frozen=True, slots=True)
class Refused:
    """The server has refused an action: it came too late, or the game had moved on. The others are not touched."""

    submission: Submission
    error: ApiError


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A request failed, and will be sent again, unchanged, after a pause."""

    error: SkyjoClientError
    attempt: int
    delay_seconds: float


@dataclass(frozen=True, slots=True)
class BotFailed:
    """The bot raised, or chose what is not legal; `remedy` is what is done about it."""

    error: BotError
    remedy: OnBotError


RunEvent = Played | Refused | Interrupted | BotFailed
"""What happens while a bot plays."""

OnEvent = Callable[[RunEvent], None]
"""Whoever wants to know what happens; what it raises ends the run."""


def log_event(event: RunEvent) -> None:
    """Write an event to the log ``skyjo_client``: moves as debug, the rest as warnings and errors."""
    match event:
        case Played(submission, version):
            _LOG.debug("played %s in game %s as version %s", submission.action, submission.game, version)
        case Refused(submission, error):
            _LOG.warning("refused: %s in game %s: %s", submission.action, submission.game, error)
        case Interrupted(error, attempt, delay_seconds):
            _LOG.warning("try %d failed, the next in %.1f s: %s", attempt, delay_seconds, error)
        case BotFailed(error, remedy):
            _LOG.error("%s (remedy: %s)", error, remedy, exc_info=error)


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What came of a run.

    Attributes:
        played: actions that the server accepted.
        refused: actions that it refused.
        interruptions: requests that failed and were sent again.
        bot_errors: how often the bot raised, or chose what is not legal.
        entry: its number in the tournament that it entered; None if there was none, or it was over already.
    """

    played: int = 0
    refused: int = 0
    interruptions: int = 0
    bot_errors: int = 0
    entry: int | None = None


@dataclass(frozen=True, slots=True)
class Pace:
    """How requests are cut. The defaults suit a bot that takes milliseconds.

    Attributes:
        wait_seconds: how long a request waits for the next decision, 0 to 30. A run that is told to stop may take so
            long to notice.
        limit: decisions that are taken at a time, 1 to 256.
        batch_seconds: when choosing takes longer, what is chosen so far is sent; the rest is asked for again.
    """

    wait_seconds: float = 5.0
    limit: int = 64
    batch_seconds: float = 1.0


class Stop(Protocol):
    """What tells a run to stop: an Event of threading, multiprocessing or asyncio, or anything else that can be set."""

    def is_set(self) -> bool:
        """Whether to stop."""


class Never:
    """A :class:`Stop` that is never set."""

    def is_set(self) -> bool:
        """No."""
        return False


class Stopped(Exception):
    """A run was told to stop while it waited for the server to come back. It does not leave the run."""


UNTIL_STOPPED: Final = RetryPolicy(attempts=None, cap_seconds=20.0, retry_after_cap_seconds=float("inf"))
"""A run outlives every absence of the server."""
