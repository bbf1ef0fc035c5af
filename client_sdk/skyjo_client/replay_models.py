"""What the API answers about games that are looked at again, as frozen values. Reads answers; proves nothing.

A decision's cost is a :class:`skyjo.analysis.ScoredDecision`; boards and results of a proof are those of
:mod:`skyjo.record`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import partial
from uuid import UUID

from skyjo import Action, RuleSet
from skyjo.analysis import ScoredDecision
from skyjo.record import Board, Result, Status
from skyjo_client.reading import Members


class Perspective(StrEnum):
    """Who a step is shown as, if not as a seat."""

    SPECTATOR = "spectator"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class ForkPoint:
    """Where a game was forked from another, which it repeats up to a version."""

    game: str
    version: int

    @classmethod
    def from_dict(cls, data: object) -> ForkPoint:
        """Read a part of a game."""
        read = Members("ForkPoint", data)
        return cls(read.text("game"), read.whole("version"))


@dataclass(frozen=True, slots=True)
class Proof:
    """Everything that a game's chance came from, and what its log is bound to; all bytes are as they enter the hashes.

    Attributes:
        game: the game's id.
        rules: every option.
        rules_name: the rules as they enter the hashes.
        seats: the players' names.
        commitment: 32 bytes, published before anybody could act.
        seed: 32 bytes; the board's, where there is one.
        entropy: by seat; empty if no seat gave any.
        board: the board whose deals it shares with other games, None = none.
        shuffled_as: the id that went into every shuffle: the board's, or the game's.
        key: 32 bytes, the key of every shuffle.
        genesis: 32 bytes, where the hash chain begins.
        version: number of the last event.
        hash: 32 bytes, the chain up to that event.
        result: how it ended.
        result_hash: 32 bytes, where the chain ends.
    """

    game: str
    rules: RuleSet
    rules_name: str
    seats: tuple[str, ...]
    commitment: bytes
    seed: bytes
    entropy: tuple[bytes, ...]
    board: Board | None
    shuffled_as: str
    key: bytes
    genesis: bytes
    version: int
    hash: bytes
    result: Result
    result_hash: bytes

    @classmethod
    def from_dict(cls, data: object) -> Proof:
        """Read a proof of an answer."""
        read = Members("Proof", data)

        def raw(name: str) -> bytes:
            return bytes.fromhex(read.text(name))

        return cls(
            game=read.text("game"),
            rules=read.nested("rules", RuleSet.from_dict),
            rules_name=read.text("rules_name"),
            seats=read.items("seats", str),
            commitment=raw("commitment"),
            seed=raw("seed"),
            entropy=read.items("entropy", bytes.fromhex),
            board=read.optional("board", partial(read.nested, read=_board)),
            shuffled_as=read.text("shuffled_as"),
            key=raw("key"),
            genesis=raw("genesis"),
            version=read.whole("version"),
            hash=raw("hash"),
            result=read.nested("result", _result),
            result_hash=raw("result_hash"),
        )


@dataclass(frozen=True, slots=True)
class Commitments:
    """What has become of the seeds that games and tournaments were bound to before they began.

    Attributes:
        games: how many games there are.
        pending: those that are not over.
        embargoed: those that are over, but whose deals are still in play.
        revealed: those whose seed everybody can read.
        never_revealed: those that are over and whose seed nobody can read: 0.
        tournaments: how many tournaments there are.
        tournaments_pending: those that are not over.
        tournaments_revealed: those whose seed everybody can read.
        tournaments_never_revealed: those that are over and whose seed nobody can read: 0.
        counted_at: when it was counted.
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

    @classmethod
    def from_dict(cls, data: object) -> Commitments:
        """Read the counts of an answer."""
        read = Members("Commitments", data)
        return cls(
            games=read.whole("games"),
            pending=read.whole("pending"),
            embargoed=read.whole("embargoed"),
            revealed=read.whole("revealed"),
            never_revealed=read.whole("never_revealed"),
            tournaments=read.whole("tournaments"),
            tournaments_pending=read.whole("tournaments_pending"),
            tournaments_revealed=read.whole("tournaments_revealed"),
            tournaments_never_revealed=read.whole("tournaments_never_revealed"),
            counted_at=read.moment("counted_at"),
        )


def read_analysis(data: object) -> tuple[ScoredDecision, ...]:
    """Read the decisions of an analysis."""
    return Members("Analysis", data).items("decisions", _scored)


def _scored(data: object) -> ScoredDecision:
    read = Members("ScoredDecision", data)
    return ScoredDecision(
        read.whole("version"),
        read.whole("seat"),
        Action.parse(read.text("played")),
        Action.parse(read.text("best")),
        read.number("cost"),
    )


def _board(data: object) -> Board:
    read = Members("Board", data)
    return Board(UUID(read.text("id")), bytes.fromhex(read.text("salt")))


def _result(data: object) -> Result:
    read = Members("PlayedResult", data)
    return Result(Status(read.text("status")), read.wholes("totals"), read.optional("ranks", read.wholes))
