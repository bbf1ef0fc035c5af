"""Everything the client raises. Knows no HTTP library: an error is made from values.

SkyjoClientError
 ├── ConnectionFailed            no answer came: what was asked may have been carried out, or not
 ├── AnswerUnreadable            an answer came that is not this API's: a proxy's page, a body that makes no sense
 ├── ContractMismatch            the server speaks another version of the API than this client
 ├── BotError                    a bot raised, or chose what is not legal
 └── ApiError                    the server refused, and says why: code, title, detail and a hint
      ├── InvalidRequest         a member of the request is wrong; names the places
      ├── InvalidRules           an option of the rules is wrong; names it
      ├── Unauthenticated        no token, or one that is not known or no longer good
      ├── Forbidden              the token may not do this
      ├── NotFound               there is no such thing for this caller
      ├── IllegalAction          the rules refuse the action; says why, and what is legal
      ├── IdempotencyKeyReused   the key was used for something else before
      ├── StaleVersion           the game has moved on; brings the decision as it is now
      ├── DeadlinePassed         the move came too late; brings the decision as it is now
      ├── GameNotStarted         the game still waits for seats to be taken
      ├── GameNotFinished        only a game that is over gives this
      ├── GameOver               the game is over
      ├── GameFull               no seat is open
      ├── AlreadySeated          the bot has a seat in this game
      ├── NameTaken              another bot has this name
      ├── EntryClosed            the tournament takes no more entries
      ├── EntryLimit             the owner has as many bots in the tournament as it may have
      ├── AlreadyEntered         the bot has left the tournament, for good
      ├── TooFewEntries          the tournament cannot begin yet
      ├── TournamentNotStarted   only a tournament that has begun can do this
      ├── TournamentOver         only a tournament that is on can do this
      ├── TableNotPlaying        only a table that is being played can be declared void
      ├── Embargoed              the deal is still being played at another table
      ├── RateLimited            too many requests; says when to come back
      ├── Unavailable            the service cannot answer now; says when to come back
      └── InternalError          the service failed; give its request id to whoever runs it

The class of an ApiError is its problem's code in capitals; a code that has no class here is an ApiError itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from skyjo import Action, Decision, LegalActions
from skyjo_client.problem import Problem


class SkyjoClientError(Exception):
    """Base of every error of this package.

    Attributes:
        status: HTTP status of the answer; None if there was none.
        retry_after_seconds: how long the server asked to be left alone; None if it did not ask.
    """

    status: int | None = None
    retry_after_seconds: float | None = None


class ConnectionFailed(SkyjoClientError):
    """No answer came. Unless it was never sent, the request may have been carried out all the same.

    Attributes:
        sent: False if the request certainly never left, as when the connection was refused.
    """

    def __init__(self, message: str, sent: bool = True) -> None:
        super().__init__(message, sent)
        self.sent = sent

    def __str__(self) -> str:
        return str(self.args[0])


class AnswerUnreadable(SkyjoClientError):
    """An answer that is not in the words of the API, such as a proxy's HTML page.

    Attributes:
        status: its HTTP status.
    """

    def __init__(self, message: str, status: int, retry_after_seconds: float | None = None) -> None:
        super().__init__(message, status, retry_after_seconds)
        self.status = status
        self.retry_after_seconds = retry_after_seconds

    def __str__(self) -> str:
        return str(self.args[0])


class ContractMismatch(SkyjoClientError):
    """The server speaks another version of the API, so that its answers would be misread.

    Attributes:
        server: the version that the server speaks.
        client: the version that this client speaks.
    """

    def __init__(self, server: str, client: str) -> None:
        super().__init__(server, client)
        self.server = server
        self.client = client

    def __str__(self) -> str:
        return (
            f"the server speaks version {self.server} of the API, this client version {self.client}: "
            "install the release of skyjo-arena that goes with the server"
        )


class BotError(SkyjoClientError):
    """A bot raised (then its error is the cause), or chose what is not legal.

    Attributes:
        decision: what it had to decide; ``decision.game`` and ``decision.version`` say where.
        action: what it chose, as text; None if it chose nothing.
    """

    def __init__(self, message: str, decision: Decision, action: str | None = None) -> None:
        super().__init__(message, decision, action)
        self.decision = decision
        self.action = action

    def __str__(self) -> str:
        return str(self.args[0])


class ApiError(SkyjoClientError):
    """The server refused.

    Attributes:
        problem: everything it said.
    """

    CODE: ClassVar[str | None] = None

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem
        self.status = problem.status
        self.retry_after_seconds = problem.retry_after_seconds

    @property
    def code(self) -> str:
        """The problem's code, such as ``stale-version``."""
        return self.problem.code

    @property
    def detail(self) -> str:
        """What was wrong with this request."""
        return self.problem.detail

    @property
    def hint(self) -> str | None:
        """What to do instead."""
        return self.problem.hint

    @property
    def request_id(self) -> str | None:
        """Names the request in the server's log."""
        return self.problem.request_id


class InvalidRequest(ApiError):
    """A member of the request is wrong.

    Attributes:
        errors: (place, detail) of each.
    """

    CODE = "invalid-request"

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.errors = tuple((str(error["place"]), str(error["detail"])) for error in problem.extras.get("errors", ()))


class InvalidRules(ApiError):
    """An option of the rules is wrong.

    Attributes:
        option: its name.
    """

    CODE = "invalid-rules"

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.option = str(problem.extras.get("option", ""))


class Unauthenticated(ApiError):
    """No token came along, or one that is not known or no longer good."""

    CODE = "unauthenticated"


class Forbidden(ApiError):
    """The token may not do this."""

    CODE = "forbidden"


class NotFound(ApiError):
    """There is no such thing, or not for this caller."""

    CODE = "not-found"


class IllegalAction(ApiError):
    """The rules refuse the action; nothing has changed.

    Attributes:
        reason: why: one of the values of :class:`skyjo.Reason`.
        version: the version that it was judged at; None if it was not said.
        legal_actions: what is legal there.
    """

    CODE = "illegal-action"

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.reason = str(problem.extras.get("reason", ""))
        self.version: int | None = problem.extras.get("version")
        self.legal_actions = LegalActions(tuple(map(Action.parse, problem.extras.get("legal_actions", ()))))


class IdempotencyKeyReused(ApiError):
    """The idempotency key was used for another request before."""

    CODE = "idempotency-key-reused"


class _Overtaken(ApiError):
    """What the two refusals have in common that bring the decision as it is now.

    Attributes:
        version: the version of the game now; None if it was not said.
        decision: what the seat sees now; None if the answer leaves it out.
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        seen = problem.extras.get("decision")
        self.version: int | None = problem.extras.get("version")
        self.decision = None if seen is None else Decision.from_dict(seen)


class StaleVersion(_Overtaken):
    """The game has moved on: the action answered an older version and was not played."""

    CODE = "stale-version"


class DeadlinePassed(_Overtaken):
    """The move came too late; the default action was played instead."""

    CODE = "deadline-passed"


class GameNotStarted(ApiError):
    """The game still waits for seats to be taken."""

    CODE = "game-not-started"


class GameNotFinished(ApiError):
    """Only a game that is over gives this."""

    CODE = "game-not-finished"


class GameOver(ApiError):
    """The game is over."""

    CODE = "game-over"


class GameFull(ApiError):
    """No seat of the game is open."""

    CODE = "game-full"


class AlreadySeated(ApiError):
    """The bot has a seat in this game.

    Attributes:
        seat: its number; None if it was not said.
    """

    CODE = "already-seated"

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.seat: int | None = problem.extras.get("seat")


class NameTaken(ApiError):
    """Another bot has this name."""

    CODE = "name-taken"


class EntryClosed(ApiError):
    """The tournament takes no more entries."""

    CODE = "entry-closed"


class EntryLimit(ApiError):
    """The owner has as many bots in the tournament as it may have."""

    CODE = "entry-limit"


class AlreadyEntered(ApiError):
    """The bot has left the tournament, or was taken out of it, and cannot come back."""

    CODE = "already-entered"


class TooFewEntries(ApiError):
    """The tournament cannot begin yet."""

    CODE = "too-few-entries"


class TournamentNotStarted(ApiError):
    """Only a tournament that has begun can do this."""

    CODE = "tournament-not-started"


class TournamentOver(ApiError):
    """Only a tournament that is on can do this."""

    CODE = "tournament-over"


class TableNotPlaying(ApiError):
    """Only a table that is being played can be declared void."""

    CODE = "table-not-playing"


class Embargoed(ApiError):
    """The game's deal is still being played at another table: until then only its seats see the game."""

    CODE = "embargoed"


class RateLimited(ApiError):
    """Too many requests; the request was not carried out. See `retry_after_seconds`."""

    CODE = "rate-limited"


class Unavailable(ApiError):
    """The service cannot answer now. See `retry_after_seconds`."""

    CODE = "unavailable"


class InternalError(ApiError):
    """The service failed. `request_id` names the request in its log."""

    CODE = "internal-error"


def api_error(problem: Problem) -> ApiError:
    """The error of a problem: of the class of its code, or an ApiError.

    Raises:
        AttributeError, KeyError, TypeError, ValueError: if its extras are not what its code promises.

    >>> type(api_error(Problem(409, "game-full", "Game full", "All seats are taken.")))
    <class 'skyjo_client.errors.GameFull'>
    """
    return _BY_CODE.get(problem.code, ApiError)(problem)


_BY_CODE: Final[Mapping[str, type[ApiError]]] = {
    str(error.CODE): error
    for error in (
        AlreadyEntered, AlreadySeated, DeadlinePassed, Embargoed, EntryClosed, EntryLimit, Forbidden, GameFull,
        GameNotFinished, GameNotStarted, GameOver, IdempotencyKeyReused, IllegalAction, InternalError, InvalidRequest,
        InvalidRules, NameTaken, NotFound, RateLimited, StaleVersion, TableNotPlaying, TooFewEntries,
        TournamentNotStarted, TournamentOver, Unauthenticated, Unavailable,
    )
}  # fmt: skip
