"""What a bot may be, and how one choice is got out of it. Plays no game and sends nothing.

A bot is a function from :class:`skyjo.Decision` to an action, or an object with such a method ``choose``, or a class of
such objects. A function or an object is shared by all games that it plays; a class is instantiated, without arguments,
once for each game, and once more for a game that goes on after a restart: what it needs, it must find in the decision.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from skyjo import Action, Decision, InvalidText, Phase, Verb
from skyjo.places import PLACES_BY_ROW
from skyjo_client.errors import BotError

Choose = Callable[[Decision], Action | str]
"""A bot as a function: what it is asked, and what it plays, as a value or in the words of the notation."""


class Chooser(Protocol):
    """A bot as an object."""

    def choose(self, decision: Decision) -> Action | str:
        """Choose one of ``decision.legal_actions``."""


BotLike = Choose | Chooser | type[Chooser]
"""Whatever plays."""


def choices_of(bot: BotLike) -> Callable[[], Choose]:
    """What to call for each game to get the function that chooses in it.

    Raises:
        TypeError: if it is no bot.

    >>> choices_of(lambda decision: "draw")()(None)
    'draw'
    """
    if isinstance(bot, type):
        if not hasattr(bot, "choose"):
            raise TypeError(f"{bot!r} is no bot: the class has no method 'choose'")
        return lambda: _Instance(bot)
    choose: object = getattr(bot, "choose", bot)
    if not callable(choose):
        raise TypeError(f"{bot!r} is no bot: it is neither a function nor an object with a method 'choose'")
    return lambda: choose


class _Instance:
    """An object of a bot's class, made when it first has to choose, so that what its making raises is the bot's."""

    __slots__ = ("_choose", "_make")

    def __init__(self, make: Callable[[], Chooser]) -> None:
        self._make = make
        self._choose: Choose | None = None

    def __call__(self, decision: Decision) -> Action | str:
        if self._choose is None:
            self._choose = self._make().choose
        return self._choose(decision)


def chosen(choose: Choose, decision: Decision) -> Action:
    """The action that a bot chooses.

    Raises:
        BotError: if it raises, or chooses what is not a legal action.
    """
    try:
        choice = choose(decision)
    except Exception as error:
        raise BotError(f"the bot raised {error!r} {_where(decision)}", decision) from error
    return _checked(choice, decision)


def default_of(decision: Decision) -> Action:
    """The action that the service plays for a seat that lets its time run out (rule 30).

    Raises:
        ValueError: if the decision waits for no action of its viewer.
    """
    if not decision.legal_actions:
        raise ValueError(f"there is nothing to choose {_where(decision)}")
    if decision.phase is Phase.FLIP:
        return Action.flip(*PLACES_BY_ROW[: decision.rules.initial_flips])
    if decision.phase is Phase.TURN:
        return decision.legal_actions[0]
    return next(action for action in decision.legal_actions if action.verb is Verb.REJECT)


def _checked(choice: object, decision: Decision) -> Action:
    if not isinstance(choice, Action | str):
        raise BotError(f"the bot chose {choice!r}, which is no action, {_where(decision)}", decision, repr(choice))
    try:
        action = Action.parse(str(choice))
    except InvalidText as error:
        raise BotError(f"the bot chose {str(choice)!r} {_where(decision)}: {error}", decision, str(choice)) from error
    if action not in decision.legal_actions:
        raise BotError(
            f"the bot chose '{action}', which is not legal {_where(decision)}: {_legal(decision)}",
            decision,
            str(action),
        )
    return action


def _where(decision: Decision) -> str:
    return f"in game {decision.game}, version {decision.version}, seat {decision.seat}, phase {decision.phase}"


def _legal(decision: Decision) -> str:
    listed = [f"'{action}'" for action in decision.legal_actions[:5]]
    more = len(decision.legal_actions) - len(listed)
    return f"legal are {', '.join(listed)}" + (f" and {more} more" if more > 0 else "")
