"""Finding bots by name: a house bot, ``module:attribute``, or ``file.py:attribute``. Plays nothing."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

from skyjo.bots import HOUSE_BOTS
from skyjo.shuffle import WordStream
from skyjo_client.bots import BotLike, Choose, choices_of
from skyjo_client.errors import SkyjoClientError


class BotNotFound(SkyjoClientError):
    """There is no bot of that name; the message says what there is instead."""


@dataclass(frozen=True, slots=True)
class NamedBot:
    """A bot and what to call it; it can be sent to another process if the bot can, or if it was found by name.

    Attributes:
        name: what people read.
        source: what it was found by; None if it was handed over as it is.
        bot: the bot, if it was handed over.
    """

    name: str
    source: str | None = None
    bot: BotLike | None = None

    def player(self, stream: WordStream) -> Choose:
        """What chooses in one game.

        Args:
            stream: the house bots' randomness; other bots bring their own.
        """
        if self.source in HOUSE_BOTS:
            return HOUSE_BOTS[self.source](stream).choose
        return choices_of(self.load())()

    def load(self) -> BotLike:
        """The bot itself; not for a house bot, which needs a stream."""
        return self.bot if self.bot is not None else _found(self.source or "")


def load_bot(source: str) -> NamedBot:
    """The bot that a text names.

    Args:
        source: ``random``, ``threshold`` or ``greedy``; ``package.module:attribute``; ``path/to/file.py:attribute``.
    Raises:
        BotNotFound: saying which part there is not, and what there is.

    >>> load_bot("greedy").name
    'greedy'
    """
    if source in HOUSE_BOTS:
        return NamedBot(source, source)
    bot = _found(source)
    try:
        choices_of(bot)
    except TypeError as error:
        raise BotNotFound(f"{source}: {error}") from error
    place, _, attribute = source.rpartition(":")
    name = Path(place).stem if place.endswith(".py") else place.rpartition(".")[2]
    return NamedBot(name if attribute in {"choose", "Bot"} else attribute, source)


def named_bots(bots: list[NamedBot]) -> list[NamedBot]:
    """The same bots, those of one name told apart by a number."""
    named: list[NamedBot] = []
    for bot in bots:
        taken = {other.name for other in named}
        name, number = bot.name, 2
        while name in taken:
            name, number = f"{bot.name}-{number}", number + 1
        named.append(NamedBot(name, bot.source, bot.bot))
    return named


def _found(source: str) -> BotLike:
    place, colon, attribute = source.rpartition(":")
    if not colon or not place or not attribute:
        raise BotNotFound(
            f"there is no house bot {source!r}: name one of {', '.join(HOUSE_BOTS)}, or a bot of your own as "
            "'module:attribute' or 'file.py:attribute'"
        )
    module = _module_of_file(Path(place)) if place.endswith(".py") else _module(place)
    try:
        found: Any = getattr(module, attribute)
    except AttributeError as error:
        there = ", ".join(name for name in vars(module) if not name.startswith("_"))
        raise BotNotFound(f"{source}: {place} has no {attribute!r}; it has {there or 'nothing'}") from error
    bot: BotLike = found
    return bot


def _module(name: str) -> ModuleType:
    if "" not in sys.path:
        sys.path.insert(0, "")  # a module in the folder of whoever asks, as `python -m` finds it
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not name.startswith(error.name):
            raise
        raise BotNotFound(f"there is no module {name!r}: is it installed, or in this folder?") from error


def _module_of_file(path: Path) -> ModuleType:
    name = f"skyjo_bot_{sha256(str(path.resolve()).encode()).hexdigest()[:16]}"
    if name in sys.modules:
        return sys.modules[name]
    if not path.is_file():
        raise BotNotFound(f"there is no file {str(path)!r}")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None  # noqa: S101 - a path that ends in .py has a loader
    assert spec.loader is not None  # noqa: S101 - as above
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
