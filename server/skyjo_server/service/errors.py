"""What the service refuses, and why: one class per reason, one closed list of codes. Knows nothing of HTTP statuses.

ServiceError
 ├── Unauthenticated · Forbidden · NotFound
 ├── InvalidRequest · RulesInvalid · NameTaken · KeyReused
 ├── IllegalMove · StaleVersion · DeadlinePassed
 ├── GameNotStarted · GameNotFinished · GameOver · GameFull · AlreadySeated · Embargoed
 ├── EntryClosed · EntryLimit · AlreadyEntered · TooFewEntries
 ├── TournamentNotStarted · TournamentOver · TableNotPlaying
 └── RateLimited · Unavailable
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, ClassVar

from skyjo import Decision, IllegalAction, InvalidRules, LegalActions


class ProblemCode(StrEnum):
    """Every kind of problem that an answer can have. The values are the codes on the wire."""

    INVALID_JSON = "invalid-json"
    INVALID_REQUEST = "invalid-request"
    INVALID_RULES = "invalid-rules"
    UNAUTHENTICATED = "unauthenticated"
    FORBIDDEN = "forbidden"
    NOT_FOUND = "not-found"
    METHOD_NOT_ALLOWED = "method-not-allowed"
    NOT_ACCEPTABLE = "not-acceptable"
    BODY_TOO_LARGE = "body-too-large"
    UNSUPPORTED_MEDIA_TYPE = "unsupported-media-type"
    ILLEGAL_ACTION = "illegal-action"
    IDEMPOTENCY_KEY_REUSED = "idempotency-key-reused"
    PRECONDITION_REQUIRED = "precondition-required"
    STALE_VERSION = "stale-version"
    DEADLINE_PASSED = "deadline-passed"
    GAME_NOT_STARTED = "game-not-started"
    GAME_NOT_FINISHED = "game-not-finished"
    GAME_OVER = "game-over"
    GAME_FULL = "game-full"
    ALREADY_SEATED = "already-seated"
    EMBARGOED = "embargoed"
    ENTRY_CLOSED = "entry-closed"
    ENTRY_LIMIT = "entry-limit"
    ALREADY_ENTERED = "already-entered"
    TOO_FEW_ENTRIES = "too-few-entries"
    TOURNAMENT_NOT_STARTED = "tournament-not-started"
    TOURNAMENT_OVER = "tournament-over"
    TABLE_NOT_PLAYING = "table-not-playing"
    NAME_TAKEN = "name-taken"
    RATE_LIMITED = "rate-limited"
    UNAVAILABLE = "unavailable"
    INTERNAL_ERROR = "internal-error"


class ServiceError(Exception):
    """Base of everything that the service refuses.

    Attributes:
        code: the kind of problem.
        detail: what is wrong, with the offending value.
        hint: the way out.
        extras: further members of the problem, JSON-ready.
        retry_after_seconds: when to try again, None if that would not help.
    """

    code: ClassVar[ProblemCode] = ProblemCode.INTERNAL_ERROR

    def __init__(
        self,
        detail: str,
        hint: str,
        *,
        extras: Mapping[str, Any] | None = None,
        retry_after_seconds: int | None = None,
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.hint = hint
        self.extras = dict(extras or {})
        self.retry_after_seconds = retry_after_seconds


class Unauthenticated(ServiceError):
    """No token, or one that is malformed, unknown or revoked."""

    code = ProblemCode.UNAUTHENTICATED

    def __init__(self, detail: str = "this needs a valid token") -> None:
        super().__init__(detail, "send 'Authorization: Bearer skj_…'; POST /v1/bots gives a token")


class Forbidden(ServiceError):
    """A valid token whose scope does not reach so far."""

    code = ProblemCode.FORBIDDEN


class NotFound(ServiceError):
    """Missing, or not the caller's to see: the two cannot be told apart."""

    code = ProblemCode.NOT_FOUND

    def __init__(self) -> None:
        super().__init__("there is nothing here that you may see", "check the id, and whose token you send")


class InvalidRequest(ServiceError):
    """Well-formed, but a value in it cannot be; `place` is a JSON pointer or the parameter's name."""

    code = ProblemCode.INVALID_REQUEST

    def __init__(self, place: str, detail: str, hint: str) -> None:
        super().__init__(detail, hint, extras={"errors": [{"place": place, "detail": detail}]})


class RulesInvalid(ServiceError):
    """Rules options that cannot be played."""

    code = ProblemCode.INVALID_RULES

    def __init__(self, error: InvalidRules) -> None:
        super().__init__(str(error), "see the options in the description of Rules", extras={"option": error.option})


class NameTaken(ServiceError):
    """A bot of that name exists."""

    code = ProblemCode.NAME_TAKEN

    def __init__(self, name: str) -> None:
        super().__init__(f"there is a bot named {name!r} already", "choose another name")


class KeyReused(ServiceError):
    """An idempotency key that came with other content before."""

    code = ProblemCode.IDEMPOTENCY_KEY_REUSED

    def __init__(self, key: str) -> None:
        super().__init__(f"the idempotency key {key!r} was used for something else", "use a new key for each request")


class IllegalMove(ServiceError):
    """An action that the rules refuse here and now."""

    code = ProblemCode.ILLEGAL_ACTION

    def __init__(self, error: IllegalAction, version: int, legal: LegalActions) -> None:
        extras = {"reason": error.reason.value, "version": version, "legal_actions": [str(action) for action in legal]}
        super().__init__(str(error), "choose one of legal_actions", extras=extras)


class StaleVersion(ServiceError):
    """The action answers a version that is not the current one."""

    code = ProblemCode.STALE_VERSION

    def __init__(self, sent: int, decision: Decision) -> None:
        super().__init__(
            f"the action answers version {sent}, but the game is at version {decision.version}",
            "decide again from the current decision",
            extras={"version": decision.version, "decision": decision.to_dict()},
        )


class DeadlinePassed(ServiceError):
    """The action came after the seat's time."""

    code = ProblemCode.DEADLINE_PASSED

    def __init__(self, decision: Decision, played: Sequence[str]) -> None:
        what = f"{', '.join(played)} was played for it" if played else "it was made to leave"
        super().__init__(
            f"the seat's time had run out, and {what}",
            "decide again from the current decision",
            extras={"version": decision.version, "played": list(played), "decision": decision.to_dict()},
        )


class GameNotStarted(ServiceError):
    """Some seats are still open."""

    code = ProblemCode.GAME_NOT_STARTED

    def __init__(self) -> None:
        super().__init__("the game has open seats and has not been dealt", "wait until every seat is taken")


class GameNotFinished(ServiceError):
    """Asked for what only a game that is over gives."""

    code = ProblemCode.GAME_NOT_FINISHED

    def __init__(self) -> None:
        super().__init__("the game is not over", "wait until its status is finished, void or aborted")


class GameOver(ServiceError):
    """Asked for what only a game that is on gives."""

    code = ProblemCode.GAME_OVER

    def __init__(self) -> None:
        super().__init__("the game is over", "nothing can be changed in it any more")


class GameFull(ServiceError):
    """No open seat is left."""

    code = ProblemCode.GAME_FULL

    def __init__(self) -> None:
        super().__init__("the game has no open seat", "look for another with GET /v1/games?status=open")


class AlreadySeated(ServiceError):
    """The bot sits in this game already."""

    code = ProblemCode.ALREADY_SEATED

    def __init__(self, seat: int) -> None:
        super().__init__(f"the bot has seat {seat} of this game already", "play that seat", extras={"seat": seat})


class EntryClosed(ServiceError):
    """An event that takes no more entries: it has begun, its time for entering is over, or it is full."""

    code = ProblemCode.ENTRY_CLOSED

    def __init__(self, why: str) -> None:
        super().__init__(f"the event takes no more entries: {why}", "look for another with GET /v1/tournaments")


class EntryLimit(ServiceError):
    """An owner has as many bots in the event as it may have."""

    code = ProblemCode.ENTRY_LIMIT

    def __init__(self, most: int) -> None:
        bots = "1 bot" if most == 1 else f"{most} bots"
        super().__init__(f"an owner may enter {bots} here, and yours are in", "withdraw one before the event begins")


class AlreadyEntered(ServiceError):
    """The bot has an entry that it has left, or was taken out of; it cannot come back."""

    code = ProblemCode.ALREADY_ENTERED

    def __init__(self, entry: int, status: str) -> None:
        super().__init__(
            f"the bot is entry {entry} of this event already, and is {status}",
            "enter another bot",
            extras={"entry": entry},
        )


class TooFewEntries(ServiceError):
    """An event that cannot begin yet."""

    code = ProblemCode.TOO_FEW_ENTRIES

    def __init__(self, entries: int, needed: int) -> None:
        super().__init__(
            f"there are {entries} active entries, but the event needs {needed} at least",
            "wait for more bots to enter, or set up the event with house bots",
        )


class TournamentNotStarted(ServiceError):
    """Asked for what only an event that has begun can do."""

    code = ProblemCode.TOURNAMENT_NOT_STARTED

    def __init__(self) -> None:
        super().__init__("the event has not begun", "start it first, or wait until it starts")


class TournamentOver(ServiceError):
    """Asked for what only an event that is on can do."""

    code = ProblemCode.TOURNAMENT_OVER

    def __init__(self, status: str) -> None:
        super().__init__(f"the event is {status}", "nothing can be changed in it any more")


class TableNotPlaying(ServiceError):
    """A table whose game cannot be stopped, as it is not being played now."""

    code = ProblemCode.TABLE_NOT_PLAYING

    def __init__(self, outcome: str) -> None:
        super().__init__(f"the table is {outcome}", "only a game that is being played can be declared void")


class Embargoed(ServiceError):
    """Asked for a table whose deal is still in play at another one."""

    code = ProblemCode.EMBARGOED

    def __init__(self) -> None:
        super().__init__(
            "the game's board is still in play at another table: until it is over there, only its seats see the game",
            "wait until embargoed is false in GET /v1/games/{game_id}",
        )


class RateLimited(ServiceError):
    """Too many requests of this kind."""

    code = ProblemCode.RATE_LIMITED


class Unavailable(ServiceError):
    """The service cannot answer now; nothing is known to have been lost or changed."""

    code = ProblemCode.UNAVAILABLE

    def __init__(self, detail: str, retry_after_seconds: int = 1) -> None:
        super().__init__(
            detail,
            "send the same request again, with the same idempotency key",
            retry_after_seconds=retry_after_seconds,
        )
