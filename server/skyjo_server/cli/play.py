"""`skyjo play`: a bot at a service, for as long as it takes. The SDK does the work."""

from __future__ import annotations

import secrets
import signal
import threading
from dataclasses import asdict
from enum import StrEnum
from typing import Annotated

import typer
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from skyjo_client import (
    BotError,
    BotFailed,
    BotSeat,
    Client,
    HouseSeat,
    Interrupted,
    NameTaken,
    OpenSeat,
    Played,
    Refused,
    Registration,
    RunEvent,
    SkyjoClientError,
    Unauthenticated,
    run_bot,
)
from skyjo_server.cli.bots import BOT_HELP, online_bot
from skyjo_server.cli.kept_tokens import keep_token, kept_token, token_file
from skyjo_server.cli.output import ERR, EXIT_USAGE, OUT, CommandFailed, print_json
from skyjo_server.cli.remote import DEFAULT_URL, UrlOption, service
from skyjo_server.cli.rules import RulesOption, read_rules


class OnBotError(StrEnum):
    """What to do when the bot raises, or chooses what is not legal."""

    STOP = "stop"
    DEFAULT = "default"
    RESIGN = "resign"


Name = Annotated[
    str | None, typer.Option(help="Register a bot of this name, or come back as it: its token is kept here.")
]
Invitation = Annotated[
    str | None,
    typer.Option(envvar="SKYJO_INVITATION_CODE", help="What --name takes where registering is not open."),
]
Against = Annotated[
    list[str] | None, typer.Option(help="Start games against these house bots; give it again for more seats.")
]


def play(
    bot: Annotated[str, typer.Argument(metavar="BOT", help=BOT_HELP)],
    url: UrlOption = DEFAULT_URL,
    token: Annotated[str | None, typer.Option(envvar="SKYJO_TOKEN", help="The bot's token.", show_envvar=True)] = None,
    name: Name = None,
    invitation: Invitation = None,
    against: Against = None,
    games: Annotated[int, typer.Option(help="How many games to start with --against.", min=1, max=10_000)] = 1,
    rules: RulesOption = "classic",
    tournament: Annotated[
        str | None, typer.Option(help="Enter this tournament, play in it, and leave when it is over.")
    ] = None,
    until_done: Annotated[bool, typer.Option("--until-done", help="Leave when the bot has no game left.")] = False,
    on_bot_error: Annotated[OnBotError, typer.Option(help="What to do when the bot fails.")] = OnBotError.STOP,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object at the end.")] = False,
) -> None:
    """Play all games of a bot on a service, through its inbox, until told to stop (Ctrl-C, SIGTERM).

    It survives lost answers, and restarts of the service and of itself: no move is lost, and none is played twice.
    With --name it registers a new bot, or comes back as the one that it registered before; with --against it starts
    games against house bots and leaves when they are over; with --tournament it enters an event, or comes back to it,
    and leaves when that is over.
    """
    player = online_bot(bot, secrets.token_bytes(32))
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: stop.set())
    try:
        secret = _token_of(url, token, name, invitation)
        if against:
            _start_games(url, secret, against, games, rules)
        with _Reporter(shown=not as_json) as reporter:
            summary = run_bot(
                player,
                url,
                secret,
                tournament=tournament,
                stop=stop,
                until_done=until_done or bool(against),
                on_bot_error=on_bot_error.value,
                on_event=reporter.tell,
            )
    except BotError as error:
        raise CommandFailed(str(error), "try the bot offline: skyjo arena BOT random --games 20") from error
    except SkyjoClientError as error:
        raise CommandFailed(str(error), "see that the service runs at --url, and that the token is whole") from error
    if as_json:
        print_json(asdict(summary))
    else:
        OUT.print(f"{summary.played} moves played, {summary.refused} refused, {summary.interruptions} interruptions")


class _Reporter:
    """Shows a run as it goes: a line that counts, and a message for what is not as it should be."""

    def __init__(self, *, shown: bool) -> None:
        self._bar = Progress(
            SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn(), console=ERR, disable=not shown
        )
        self._task = self._bar.add_task("waiting for the first decision", total=None)
        self._played = 0

    def __enter__(self) -> _Reporter:
        self._bar.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._bar.stop()

    def tell(self, event: RunEvent) -> None:
        """Show an event."""
        match event:
            case Played():
                self._played += 1
                self._bar.update(self._task, description=f"{self._played} moves played")
            case Refused(submission, error):
                self._bar.console.print(
                    f"refused: {submission.action} in game {submission.game}: {error}", markup=False
                )
            case Interrupted(error, attempt, delay_seconds):
                self._bar.console.print(
                    f"try {attempt} failed, the next in {delay_seconds:.1f} s: {error}", markup=False
                )
            case BotFailed(error, remedy):
                self._bar.console.print(f"the bot failed ({remedy}): {error}", markup=False)


def _token_of(url: str, token: str | None, name: str | None, invitation: str | None) -> str:
    """The token to play with: by a bot's name the one that is kept here, if the service knows it still, or a new bot's.

    A token that was given goes before, unless it is another's: it may stand in the environment for other purposes.
    """
    if name is None:
        if token is None:
            raise CommandFailed("there is no token", "give --token, or --name to register a new bot", EXIT_USAGE)
        with service(url, token):
            return token  # it can be one
    if token is not None and _bot_of(url, token) == name:
        return token
    kept = kept_token(url, name)
    if kept is not None and _bot_of(url, kept) is not None:
        ERR.print(f"back as {name!r}, by the token in {token_file(url, name)}", markup=False)
        return kept
    with service(url, None) as client:
        made = _registered(client, name, invitation)
    secret = made.token.token
    where = f"kept in {token_file(url, name)}" if keep_token(url, name, secret) else "shown this once"
    ERR.print(f"registered {name!r}; its token, {where}: {secret}", markup=False)
    return secret


def _registered(client: Client, name: str, invitation: str | None) -> Registration:
    try:
        return client.bots.register(name, invitation=invitation)
    except NameTaken as error:
        way_out = "choose another --name, or give the token that it was registered with: --token, SKYJO_TOKEN"
        raise CommandFailed(f"there is a bot named {name!r}, and its token is not kept here", way_out) from error


def _bot_of(url: str, token: str) -> str | None:
    """The name of a token's bot; None if it plays for none, or is no good any more."""
    try:
        with Client(url, token) as client:
            bot = client.me().bot
    except (Unauthenticated, ValueError):
        return None
    return None if bot is None else bot.name


def _start_games(url: str, token: str, against: list[str], games: int, rules: str) -> None:
    options = read_rules(rules)
    with service(url, token) as client:
        bot = client.me().bot
        if bot is None:
            raise CommandFailed("the token plays for no bot", "give the token of a bot", EXIT_USAGE)
        for number in range(games):
            seats: list[BotSeat | HouseSeat | OpenSeat] = [BotSeat(bot.id), *map(HouseSeat, against)]
            shift = number % len(seats)
            client.games.create(seats=seats[shift:] + seats[:shift], rules=options)
