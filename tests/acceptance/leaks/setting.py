"""A random table before its deal: rules, seats, clock. Everything that both worlds of a pair share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from random import Random
from typing import Any, Final
from uuid import UUID

from skyjo import PRESETS, RuleSet, shuffle_key
from skyjo.bots import HOUSE_BOTS
from skyjo.cards import SEATS_MAX, SEATS_MIN
from skyjo.record import HASH_BYTES, Board
from skyjo.rules import CHOICES, FLAGS
from skyjo_server.service.model import ClockRules, GameInfo, GameStatus, Seat, SeatKind
from skyjo_server.service.ports import NewStoredGame, StoredGame
from tests.acceptance.leaks.deals import Order
from tests.acceptance.leaks.people import People, Person

BOARD: Final = UUID("b0a4d000-0000-4000-8000-000000000000")
CREATED: Final = datetime(2026, 2, 1, tzinfo=UTC)

_SPANS: Final = (1, 1, 30, 75, 150)
_NUMBERS: Final[dict[str, tuple[int | None, ...]]] = {
    "initial_flips": (0, 1, 2, 2, 2, 3, 4, 6, 11),
    "ender_multiplier": (1, 2, 3),
    "score_limit": (100, 300, None),
    "max_rounds": (None, 3, 9),
    "max_turns_per_seat": (200, None, 5, 12),
}
_CLOCKS: Final = (ClockRules(), ClockRules(), ClockRules(60.0, 30.0), ClockRules(5.0, 0.0, max_timeouts=9))


@dataclass(frozen=True, slots=True)
class Setting:
    """A game before its deal.

    Attributes:
        number: which of the random games it is.
        info: its public part.
        owner: who created it.
        seats: who sits where; None = a house bot.
        seed: the first world's.
        order: how its shuffles are arranged.
        embargoed: whether it is played on a board that is in play elsewhere, too.
    """

    number: int
    info: GameInfo
    owner: UUID
    seats: tuple[Person | None, ...]
    seed: bytes
    order: Order
    embargoed: bool = False

    @property
    def rules(self) -> RuleSet:
        """The options."""
        return self.info.rules

    @property
    def key(self) -> bytes:
        """The key of the first world's shuffles."""
        return shuffle_key(self.seed, self.info.id, self.rules.canonical_name)

    def stored(self, seed: bytes) -> StoredGame:
        """The game as the service reads it before its deal."""
        return StoredGame(self.info, seed, (), ())

    def new(self, seed: bytes) -> NewStoredGame:
        """The game as it is given to storage."""
        return NewStoredGame(
            self.info.id,
            self.owner,
            self.rules,
            self.info.seats,
            seed,
            self.info.commitment,
            self.info.clock,
            key=self.creation_key,
            board=Board(BOARD, bytes(HASH_BYTES)) if self.embargoed else None,
            embargoed=self.embargoed,
        )

    @property
    def creation_key(self) -> str:
        """The idempotency key with which the game was created."""
        return f"game-{self.number}"


def random_setting(people: People, rng: Random, number: int) -> Setting:
    """A random table; the commitment stands for any seed, as the hash over 32 secret bytes that it is."""
    persons = _seated(people, rng)
    info = GameInfo(
        id=UUID(int=rng.getrandbits(128), version=4),
        status=GameStatus.OPEN,
        rules=_rules(rng),
        seats=tuple(_seat(seat, person, rng) for seat, person in enumerate(persons)),
        version=-1,
        commitment=sha256(b"stands for a commitment %d" % number).digest(),
        clock=rng.choice(_CLOCKS),
        created_at=CREATED,
        started_at=None,
        finished_at=None,
        result=None,
    )
    return Setting(number, info, people.owner, persons, rng.randbytes(32), _order(info.rules, rng))


def _order(rules: RuleSet, rng: Random) -> Order:
    return Order(rng.choice(_SPANS), across=rules.remove_rows and rng.random() < 0.8)


def _seated(people: People, rng: Random) -> tuple[Person | None, ...]:
    count = rng.randint(SEATS_MIN, SEATS_MAX)
    persons: list[Person | None] = [*rng.sample(people.bots, count)]
    if rng.random() < 0.25:
        for seat in rng.sample(range(count), rng.randint(1, max(1, count // 3))):
            persons[seat] = None
    return tuple(persons)


def _seat(number: int, person: Person | None, rng: Random) -> Seat:
    if person is None:
        house = rng.choice(sorted(HOUSE_BOTS))
        return Seat(number, SeatKind.HOUSE, None, None, house, house)
    return Seat(number, SeatKind.BOT, person.bots[0], person.owner, None, person.name)


def _rules(rng: Random) -> RuleSet:
    if rng.random() < 0.4:
        return rng.choice(sorted(PRESETS.values(), key=str))
    options: dict[str, Any] = {}
    for name, values in _options():
        if rng.random() < 0.4 or name == "remove_rows":
            options[name] = rng.choice(values)
    if options.get("score_limit", 100) is None:
        options["max_rounds"] = 9
    return RuleSet(**options)


def _options() -> Sequence[tuple[str, Sequence[Any]]]:
    return [*CHOICES.items(), *((flag, (False, True)) for flag in FLAGS), *_NUMBERS.items()]
