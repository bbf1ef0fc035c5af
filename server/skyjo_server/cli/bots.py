"""Bots as arguments of a command: a house bot's name, `module:attribute`, or `file.py:attribute`."""

from __future__ import annotations

from skyjo.bots import HOUSE_BOTS
from skyjo.shuffle import WordStream
from skyjo_client import BotLike, BotNotFound, NamedBot, load_bot
from skyjo_server.cli.output import EXIT_USAGE, CommandFailed

BOT_HELP = "A house bot's name (random, threshold, greedy), module:attribute, or file.py:attribute."


def named_bot(source: str) -> NamedBot:
    """The bot that an argument names.

    Raises:
        CommandFailed: if there is none; the message says what there is.
    """
    try:
        return load_bot(source)
    except BotNotFound as error:
        raise CommandFailed(str(error), code=EXIT_USAGE) from error


def online_bot(source: str, seed: bytes) -> BotLike:
    """The bot that an argument names, ready for a service; a house bot draws its chance from a seed of its own."""
    named = named_bot(source)
    if named.source in HOUSE_BOTS:
        return named.player(WordStream(seed, b"skyjo-play-bot/1\0"))
    return named.load()
