"""How the little service refuses: a code, a status and what else there is to say."""

from __future__ import annotations

from typing import Any, Final

STATUSES: Final = {
    "invalid-request": 422,
    "invalid-rules": 422,
    "unauthenticated": 401,
    "forbidden": 403,
    "not-found": 404,
    "illegal-action": 422,
    "idempotency-key-reused": 422,
    "precondition-required": 428,
    "stale-version": 412,
    "deadline-passed": 409,
    "game-not-started": 409,
    "game-not-finished": 409,
    "game-over": 409,
    "game-full": 409,
    "already-seated": 409,
    "name-taken": 409,
}


class Refusal(Exception):
    """A request that is not carried out."""

    def __init__(self, code: str, detail: str = "", **extras: Any) -> None:
        super().__init__(detail or code)
        self.code = code
        self.status = STATUSES[code]
        self.extras = extras

    def to_dict(self) -> dict[str, Any]:
        """As the API writes it."""
        return {
            "type": f"urn:skyjo:problem:{self.code}",
            "title": self.code.replace("-", " ").capitalize(),
            "status": self.status,
            "detail": str(self),
            "hint": "Read the documentation.",
            **self.extras,
        }
