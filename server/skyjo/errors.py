"""Everything the rules package raises, and nothing else raises it.

SkyjoError
 ├── InvalidText (ValueError)       a text that cannot be read: an action, a place, a card list, a file
 ├── InvalidRules (ValueError)      an option of a RuleSet out of its bounds, or a combination that cannot be played
 ├── IllegalAction (ValueError)     readable, but refused here and now; carries a Reason
 └── CorruptLog (ValueError)        a log that does not follow from its own start; names the first diverging event
"""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """Why an action is refused. The values are the codes on the wire."""

    GAME_OVER = "game-over"
    NOT_YOUR_TURN = "not-your-turn"
    ALREADY_CHOSEN = "already-chosen"
    WRONG_PHASE = "wrong-phase"
    FLIP_COUNT = "flip-count"
    PLACE_TWICE = "place-twice"
    PLACE_EMPTY = "place-empty"
    PLACE_OPEN = "place-open"
    FLIP_REQUIRED = "flip-required"
    DRAW_IMPOSSIBLE = "draw-impossible"
    ALREADY_LEFT = "already-left"
    NO_SUCH_SEAT = "no-such-seat"


class SkyjoError(Exception):
    """Base of every error of this package."""


class InvalidText(SkyjoError, ValueError):
    """A text that does not follow its notation. The message quotes it and says what would be right."""


class InvalidRules(SkyjoError, ValueError):
    """A rules option with a value it cannot have.

    Attributes:
        option: name of the offending option.
    """

    def __init__(self, option: str, message: str) -> None:
        super().__init__(message)
        self.option = option


class IllegalAction(SkyjoError, ValueError):
    """An action that the rules refuse in this position. Nothing has changed.

    Attributes:
        reason: the code of the refusal.
    """

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class CorruptLog(SkyjoError, ValueError):
    """A log that contradicts the rules, its own facts or its commitment.

    Attributes:
        game: the game's id as written in the file, None if unknown.
        version: version of the first diverging event; None if the header or the result diverges.
    """

    def __init__(self, message: str, *, game: str | None = None, version: int | None = None) -> None:
        super().__init__(message)
        self.game = game
        self.version = version
