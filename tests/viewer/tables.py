"""Games on the running service for the page to show, played as far as a test wants. Looks at none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from skyjo import RuleSet
from skyjo.bots import HOUSE_BOTS
from skyjo_client import BotSeat, Client, HouseSeat, TournamentFormat, TournamentOptions, TournamentStatus
from skyjo_client.bots import default_of
from skyjo_server.app import open_service
from skyjo_server.service.model import Scope
from skyjo_server.settings import Settings
from tests.database import PEPPER
from tests.faults.playing import register
from tests.faults.serving import RunningService
from tests.faults.waiting import until

SHORT: Final = RuleSet(score_limit=None, max_rounds=2)
EVERYTHING: Final = RuleSet(
    initial_flips=5,
    initial_flip_choice="random",
    first_starter="random",
    remove_rows=True,
    draw_streams="per_seat",
    ender_multiplier=3,
    score_limit=None,
    max_rounds=2,
)
"""Options far from the presets, for the table of eight."""

CUP: Final = TournamentOptions(
    name="House cup",
    format=TournamentFormat.ROUND_ROBIN,
    house=tuple(sorted(HOUSE_BOTS)),
    duplicate=True,
    rules=RuleSet(max_rounds=1),
)


class Table:
    """One game of a bot of ours against bots of the house."""

    def __init__(self, url: str, seats: int, rules: RuleSet = SHORT) -> None:
        self._url = url
        (self.account,) = register(url, 1)
        houses = [HouseSeat(sorted(HOUSE_BOTS)[seat % len(HOUSE_BOTS)]) for seat in range(seats - 1)]
        with Client(url, self.account.token) as client:
            self.game = client.games.create(seats=[BotSeat(self.account.id), *houses], rules=rules).id

    def play(self, moves: int | None = None) -> bool:
        """Play so many moves of ours, None = all; tell whether the game is over."""
        random = Random(7)
        with Client(self._url, self.account.token) as client:
            for _ in range(moves or 10_000):
                seen = client.games.view(self.game)
                if not seen.legal_actions:
                    return True
                action = random.choice(list(seen.legal_actions)) if random.random() < 0.3 else default_of(seen)
                client.games.play(self.game, version=seen.version, action=action)
        return False

    @property
    def address(self) -> str:
        """Where the page shows it."""
        return f"/#/game/{self.game}"

    @property
    def lines(self) -> str:
        """The finished game as JSON Lines."""
        with Client(self._url) as client:
            return client.games.export(self.game)


def finished(url: str, seats: int, rules: RuleSet = SHORT) -> Table:
    """A game that is over."""
    table = Table(url, seats, rules)
    assert table.play()
    return table


@dataclass(frozen=True)
class Event:
    """A tournament that nobody has started yet, and its organiser's token."""

    url: str
    id: str
    token: str

    def play(self) -> None:
        """Start it, and wait for its end."""
        with Client(self.url, self.token) as client:
            client.tournaments.start(self.id)
            until(lambda: client.tournaments.get(self.id).status is TournamentStatus.FINISHED, "the end of the event")


def new_event(service: RunningService, **options: Any) -> Event:
    """A tournament of the house that waits for its start.

    Args:
        service: where it will be played.
        options: what is other than in `CUP`.
    """
    opened = open_service(Settings(pepper=PEPPER, workers=1), service.conninfo)
    token = opened.arena.grant_token(Scope.ORGANISER).secret
    opened.close()
    with Client(service.url, token) as client:
        made = client.tournaments.create(replace(CUP, **options))
    return Event(service.url, made.id, token)


def event(service: RunningService, **options: Any) -> str:
    """The same, played to its end; gives its id."""
    made = new_event(service, **options)
    made.play()
    return made.id
