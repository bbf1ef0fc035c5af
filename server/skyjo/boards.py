"""What an event draws from its seed: boards, seeds of games, ids, lots. Knows no schedule, no entry and no result.

The seed is secret until the event is over, and committed to when it is created. Whatever the event needs is derived
from it or from its public id, so that an event that was interrupted goes on as the same one, and anyone can check it.
H is HMAC-SHA256; numbers enter as four bytes, big-endian.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from hmac import digest
from typing import Final
from uuid import UUID

from skyjo.shuffle import WordStream, commitment

_ID_BYTES: Final = 16


def event_commitment(seed: bytes, event_id: UUID) -> bytes:
    """The 32 bytes that are published when the event is created.

    Args:
        seed: 32 bytes.
        event_id: its public id.

    >>> event_commitment(bytes(32), UUID(int=1)).hex()[:16]
    '776c70653494fbd8'
    """
    return sha256(b"skyjo-event/1\0" + event_id.bytes + seed).digest()


def board_seed(seed: bytes, event_id: UUID, board: int) -> bytes:
    """The 32-byte seed of every shuffle on a board; numbers of boards go from 0 to 2**32 - 1."""
    return digest(seed, b"skyjo-board/1\0" + event_id.bytes + _u32(board), "sha256")


def board_id(event_id: UUID, board: int) -> UUID:
    """What stands in place of a game's id in the shuffles on a board."""
    return _as_uuid(b"skyjo-board-id/1\0" + event_id.bytes + _u32(board))


def board_commitment(seed: bytes, event_id: UUID, board: int, rules_name: str) -> bytes:
    """The 32 bytes that stand for a board's deals.

    Args:
        seed: the event's.
        event_id: its public id.
        board: number of the board.
        rules_name: :attr:`skyjo.RuleSet.canonical_name`.
    """
    return commitment(board_seed(seed, event_id, board), board_id(event_id, board), rules_name)


def boards_commitment(event_id: UUID, commitments: Iterable[bytes]) -> bytes:
    """The 32 bytes that fix all boards of an event, published before its first round."""
    return sha256(b"skyjo-boards/1\0" + event_id.bytes + b"".join(commitments)).digest()


def table_salt(seed: bytes, event_id: UUID, game_id: UUID) -> bytes:
    """The 32 bytes that hide a board inside the commitment of a table (:func:`skyjo.shuffle.table_commitment`)."""
    return digest(seed, b"skyjo-table-salt/1\0" + event_id.bytes + game_id.bytes, "sha256")


def game_id(event_id: UUID, round_: int, table: int, attempt: int) -> UUID:
    """The id of a game of an event; attempt 0 is the first, the next ones replace games that were void."""
    return _as_uuid(b"skyjo-game/1\0" + event_id.bytes + _u32(round_) + _u32(table) + _u32(attempt))


def game_seed(seed: bytes, event_id: UUID, game_id: UUID) -> bytes:
    """The 32-byte seed of a game that is on no board."""
    return digest(seed, b"skyjo-game-seed/1\0" + event_id.bytes + game_id.bytes, "sha256")


def lots(seed: bytes, event_id: UUID, round_: int, count: int) -> tuple[int, ...]:
    """The numbers from 0 to count - 1 in the order drawn for a round: all chance that is in a schedule.

    Shuffled as cards are, Fisher-Yates from the last place down to the second.

    >>> lots(bytes(32), UUID(int=1), 0, 5)
    (3, 0, 1, 4, 2)
    """
    stream = WordStream(seed, b"skyjo-lots/1\0" + event_id.bytes + _u32(round_))
    drawn = list(range(count))
    for last in range(count - 1, 0, -1):
        other = stream.uniform(last + 1)
        drawn[last], drawn[other] = drawn[other], drawn[last]
    return tuple(drawn)


def _u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def _as_uuid(message: bytes) -> UUID:
    return UUID(bytes=sha256(message).digest()[:_ID_BYTES], version=4)
