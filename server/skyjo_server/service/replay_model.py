"""What is asked and told of games that are looked at again: steps, proofs, forks, counts. No behaviour."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from skyjo import RuleSet
from skyjo.record import Board, Result
from skyjo_server.service.model import ClockRules, SeatRequest


class Perspective(StrEnum):
    """Who a step is shown as, if not as a seat: as a spectator saw it, or with every card open."""

    SPECTATOR = "spectator"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class NewFork:
    """A game to be begun from a step of another.

    Attributes:
        version: the last event that it repeats.
        seats: who goes on, in the order of the other game's seats; none of them open.
        clock: the time that they have.
    """

    version: int
    seats: tuple[SeatRequest, ...]
    clock: ClockRules


@dataclass(frozen=True, slots=True)
class Proof:
    """Everything that a game's chance came from, and what its log is bound to.

    Attributes:
        game_id: the game.
        rules: every option.
        seats: the players' names.
        commitment: 32 bytes, published before anybody could act.
        seed: 32 bytes; the board's, where there is one.
        entropy: by seat; empty if no seat gave any.
        board: the board that it shares its deals with, None = none.
        shuffled_as: the id that went into every shuffle: the board's, or its own.
        key: the 32 bytes that every shuffle came from.
        genesis: 32 bytes, where the hash chain begins.
        version: number of the last event.
        hash: 32 bytes, the chain up to that event.
        result: how it ended.
        result_hash: 32 bytes, the chain's end.
    """

    game_id: UUID
    rules: RuleSet
    seats: tuple[str, ...]
    commitment: bytes
    seed: bytes
    entropy: tuple[bytes, ...]
    board: Board | None
    shuffled_as: UUID
    key: bytes
    genesis: bytes
    version: int
    hash: bytes
    result: Result
    result_hash: bytes


@dataclass(frozen=True, slots=True)
class Commitments:
    """What has become of the seeds that games and events were bound to.

    Attributes:
        games: how many commitments of games there are, one each.
        pending: of games that are not over.
        embargoed: of games that are over, but not everywhere on their board.
        revealed: of games whose seed everybody can read.
        never_revealed: of games that are over, and whose seed nobody can read.
        tournaments: how many commitments of events there are, one each.
        tournaments_pending: of events that are not over.
        tournaments_revealed: of events whose seed everybody can read.
        tournaments_never_revealed: of events that are over, and whose seed nobody can read.
        counted_at: when that was so.
    """

    games: int
    pending: int
    embargoed: int
    revealed: int
    never_revealed: int
    tournaments: int
    tournaments_pending: int
    tournaments_revealed: int
    tournaments_never_revealed: int
    counted_at: datetime
