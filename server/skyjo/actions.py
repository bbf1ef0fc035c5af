"""What a seat can do, and how it is written. Says nothing about when an action is legal."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from skyjo.errors import InvalidText
from skyjo.places import PLACES, Place


class Verb(StrEnum):
    """The five kinds of action."""

    FLIP = "flip"
    TAKE = "take"
    DRAW = "draw"
    KEEP = "keep"
    REJECT = "reject"


@dataclass(frozen=True, slots=True)
class Action:
    """One action of one seat, in the words of the notation.

    ``flip a1 b1`` turns up the initial cards · ``take c2`` puts the top discard on c2 · ``draw`` ·
    ``keep c2`` puts the drawn card on c2 · ``reject c2`` discards it and flips c2 · ``reject``.

    >>> Action.parse("reject c2")
    Action.parse('reject c2')
    >>> str(Action.flip("a1", "b1")), Action.draw() == Action.parse("draw")
    ('flip a1 b1', True)

    Raises:
        InvalidText: at creation, if the verb goes with another number of places.
    """

    verb: Verb
    places: tuple[Place, ...] = ()
    _text: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        fewest, most = _PLACE_COUNTS[self.verb]
        if not fewest <= len(self.places) <= most or not all(isinstance(place, Place) for place in self.places):
            wanted = f"{fewest}" if fewest == most else f"{fewest} to {most}"
            raise InvalidText(f"{self.verb.value!r} with {self.places!r}: it goes with {wanted} places of a grid")
        # Written once: an action is written far more often than made.
        object.__setattr__(self, "_text", " ".join((self.verb.value, *map(str, self.places))))

    @classmethod
    def parse(cls, text: str) -> Action:
        """Read an action. Single spaces, lower case, nothing else: ``str`` gives back the same text.

        Raises:
            InvalidText: if the text is not an action.
        """
        known = _INTERNED.get(str(text))
        return known if known is not None else _parse_flip(str(text))

    @classmethod
    def flip(cls, *places: Place | str) -> Action:
        """The initial cards to turn up, in this order (rule 6)."""
        return cls(Verb.FLIP, tuple(_place(place) for place in places))

    @classmethod
    def take(cls, place: Place | str) -> Action:
        """Put the top discard on an own place (rule 10)."""
        return TAKES[_place(place)]

    @classmethod
    def draw(cls) -> Action:
        """Draw from the draw pile (rule 11)."""
        return DRAW

    @classmethod
    def keep(cls, place: Place | str) -> Action:
        """Put the drawn card on an own place (rule 11)."""
        return KEEPS[_place(place)]

    @classmethod
    def reject(cls, place: Place | str | None = None) -> Action:
        """Discard the drawn card and turn up an own hidden card, or none where that is allowed (rule 11)."""
        return REJECT if place is None else REJECTS[_place(place)]

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Action.parse('{self}')"


ACTION_PATTERN: Final = (
    r"^(draw|reject|(take|keep|reject) [a-d][1-3]|flip( (?:"
    + "|".join(f"{column}{row}" for column in "abcd" for row in "123")
    + r")){1,11})$"
)
"""The notation as a regular expression, exact but for a place named twice in a flip."""


_PLACE_COUNTS: Final = {
    Verb.FLIP: (0, len(PLACES)),  # how many and how different they must be, the rules of a game say
    Verb.TAKE: (1, 1),
    Verb.DRAW: (0, 0),
    Verb.KEEP: (1, 1),
    Verb.REJECT: (0, 1),
}


def _place(place: Place | str) -> Place:
    return place if isinstance(place, Place) else Place.parse(place)


def _parse_flip(text: str) -> Action:
    words = text.split(" ")
    if words[0] != Verb.FLIP or not 2 <= len(words) <= len(PLACES):
        raise InvalidText(
            f"{text!r} is not an action: write 'flip a1 b1', 'take c2', 'draw', 'keep c2', 'reject c2' or 'reject'"
        )
    places = tuple(Place.parse(word) for word in words[1:])
    if len(set(places)) < len(places):
        raise InvalidText(f"{text!r} names a place twice: a flip turns up different places")
    return Action(Verb.FLIP, places)


DRAW: Final = Action(Verb.DRAW)
REJECT: Final = Action(Verb.REJECT)
TAKES: Final = tuple(Action(Verb.TAKE, (place,)) for place in PLACES)
KEEPS: Final = tuple(Action(Verb.KEEP, (place,)) for place in PLACES)
REJECTS: Final = tuple(Action(Verb.REJECT, (place,)) for place in PLACES)

_INTERNED: Final = {str(action): action for action in (DRAW, REJECT, *TAKES, *KEEPS, *REJECTS)}
