"""A whole game as it is kept and exchanged: what was agreed, every event, the result, and the seed. Judges no move.

:mod:`skyjo.export` and :mod:`skyjo.transcript` write and read it, :mod:`skyjo.verify` proves it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from uuid import UUID

from skyjo.cards import SEATS_MAX, SEATS_MIN
from skyjo.errors import InvalidText
from skyjo.facts import Event
from skyjo.rules import RuleSet
from skyjo.shuffle import ENTROPY_BYTES_MAX, SEED_BYTES, FairChance, commitment, shuffle_key, table_commitment

LOG_VERSION: Final = 1
"""The version of rules and log at once: the number after ``skyjo`` in a header. What an action causes, or how it is
written, changes only together with this number."""

HASH_BYTES: Final = 32
SALT_BYTES: Final = 16


class Status(StrEnum):
    """How a game came to its end."""

    FINISHED = "finished"
    VOID = "void"
    ABORTED = "aborted"


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: totals by seat, and ranks by seat unless it was stopped (rule 31)."""

    status: Status
    totals: tuple[int, ...]
    ranks: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event and what a keeper of logs added to it.

    Attributes:
        event: the full event.
        at: when it was committed, RFC 3339.
        hash: the hash chain up to this event, 32 bytes (:mod:`skyjo.chain`); None if it was not kept.
        salt: 16 bytes; never needed, as the seed gives it.
    """

    event: Event
    at: str | None = None
    hash: bytes | None = None
    salt: bytes | None = None


@dataclass(frozen=True, slots=True)
class Board:
    """A duplicate board: the deal that several tables share.

    Attributes:
        id: stands in place of the game's id in every shuffle.
        salt: 32 bytes that hid the board inside the table's commitment.
    """

    id: UUID
    salt: bytes


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game that is over, seed included.

    Attributes:
        game: its id.
        rules: every option.
        seats: the names of the players by seat.
        commitment: 32 bytes, published before anybody could act.
        seed: 32 bytes.
        entropy: at most 64 bytes by seat; empty if no seat gave any.
        events: version 0 first.
        result: how it ended.
        board: the duplicate board that it was played on, None = a deal of its own.
        hash: the hash chain up to the result, 32 bytes; None if it was not kept.

    Raises:
        InvalidText: at creation, for a part that cannot belong to any game.
    """

    game: UUID
    rules: RuleSet
    seats: tuple[str, ...]
    commitment: bytes
    seed: bytes
    entropy: tuple[bytes, ...]
    events: tuple[LoggedEvent, ...]
    result: Result
    board: Board | None = None
    hash: bytes | None = None

    def __post_init__(self) -> None:
        if not SEATS_MIN <= len(self.seats) <= SEATS_MAX:
            raise InvalidText(f"there are {len(self.seats)} seats, but must be {SEATS_MIN} to {SEATS_MAX}")
        _check_length("commitment", self.commitment, HASH_BYTES)
        _check_length("seed", self.seed, SEED_BYTES)
        if self.board is not None:
            _check_length("the board's salt", self.board.salt, HASH_BYTES)
        _check_entropy(self.entropy, len(self.seats))
        _check_result(self.result, len(self.seats))

    def bare_events(self) -> Iterable[Event]:
        """The events without times and hashes, for a replay."""
        return (logged.event for logged in self.events)

    def chance(self) -> FairChance:
        """Where every shuffle of this game came from."""
        return FairChance(shuffle_key(self.seed, self._shuffled_as, self.rules.canonical_name, self.entropy))

    def true_commitment(self) -> bytes:
        """The commitment that the seed stands for; one of a table hides its board."""
        committed = commitment(self.seed, self._shuffled_as, self.rules.canonical_name)
        if self.board is None:
            return committed
        return table_commitment(self.game, self.board.salt, committed)

    @property
    def _shuffled_as(self) -> UUID:
        return self.game if self.board is None else self.board.id


def _check_length(name: str, value: bytes, length: int) -> None:
    if len(value) != length:
        raise InvalidText(f"{name} has {len(value)} bytes, but must have {length}")


def _check_entropy(entropy: tuple[bytes, ...], seats: int) -> None:
    if len(entropy) not in (0, seats):
        raise InvalidText(f"entropy has {len(entropy)} texts for {seats} seats: write one a seat, or none at all")
    if entropy and not any(entropy):
        raise InvalidText("entropy has only empty texts: if no seat gave any, the list is empty")
    for seat, given in enumerate(entropy):
        if len(given) > ENTROPY_BYTES_MAX:
            raise InvalidText(f"entropy of seat {seat} has {len(given)} bytes, but at most {ENTROPY_BYTES_MAX} count")


def _check_result(result: Result, seats: int) -> None:
    if len(result.totals) != seats or (result.ranks is not None and len(result.ranks) != seats):
        raise InvalidText(f"the result has {len(result.totals)} totals and {result.ranks} as ranks for {seats} seats")
    if (result.status is Status.FINISHED) != (result.ranks is not None):
        raise InvalidText(f"a {result.status} game has ranks {result.ranks}: only a finished one has any, and must")
