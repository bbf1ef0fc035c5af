"""What a caller hands in: actions to play, seats to fill. Values that can be written as JSON, nothing more."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from skyjo import Action, Decision


def new_key() -> str:
    """An idempotency key that nobody has used."""
    return uuid4().hex


@dataclass(frozen=True, slots=True)
class Submission:
    """An action to play. It is made once and may be sent often: the key makes every sending after the first harmless.

    Attributes:
        game: the game's id.
        version: the version of the decision that it answers.
        action: what to play.
        key: names this submission for the server: 1 to 64 of ``A-Z a-z 0-9 . _ : -``.
    """

    game: str
    version: int
    action: Action
    key: str = field(default_factory=new_key)

    @classmethod
    def answering(cls, decision: Decision, action: Action | str) -> Submission:
        """The answer to a decision.

        Raises:
            InvalidText: if the text is no action.
        """
        return cls(decision.game, decision.version, as_action(action))

    def to_dict(self) -> dict[str, Any]:
        """As the API reads it."""
        return {"game": self.game, "version": self.version, "action": str(self.action), "key": self.key}


@dataclass(frozen=True, slots=True)
class BotSeat:
    """A seat for a registered bot, by its id."""

    bot: str

    def to_dict(self) -> dict[str, Any]:
        """As the API reads it."""
        return {"kind": "bot", "bot": self.bot}


@dataclass(frozen=True, slots=True)
class HouseSeat:
    """A seat for a bot of the house, by its name: ``random``, ``threshold`` or ``greedy``."""

    house: str

    def to_dict(self) -> dict[str, Any]:
        """As the API reads it."""
        return {"kind": "house", "house": self.house}


@dataclass(frozen=True, slots=True)
class OpenSeat:
    """A seat that anybody may take; the game starts when none is left."""

    def to_dict(self) -> dict[str, Any]:
        """As the API reads it."""
        return {"kind": "open"}


SeatRequest = BotSeat | HouseSeat | OpenSeat
"""What a new game asks for one seat."""


def as_action(action: Action | str) -> Action:
    """An action, read if it is a text.

    Raises:
        InvalidText: if the text is no action.
    """
    return Action.parse(action) if isinstance(action, str) else action
