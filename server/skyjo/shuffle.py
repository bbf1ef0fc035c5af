"""``skyjo-shuffle/1``: fair shuffles that anyone can check from a seed. Knows cards and places, not the game.

LP(b) is the length of b as two bytes, big-endian, then b; H is HMAC-SHA256. From a 32-byte seed, fixed by a commitment
before anybody acts, and optional entropy of the seats comes a key; from the key every deal, reshuffle and other chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from hmac import digest
from operator import mod
from struct import Struct, unpack
from typing import Final, Protocol
from uuid import UUID

from skyjo.cards import DECK
from skyjo.errors import InvalidText
from skyjo.places import PLACES, Place

SEED_BYTES: Final = 32
ENTROPY_BYTES_MAX: Final = 64

_WORD_SPAN: Final = 1 << 32
_WORD_BYTES: Final = 4
_BLOCK_WORDS: Final = 8
_HASH_BLOCK_BYTES: Final = 64
_unpack_block = Struct(f">{_BLOCK_WORDS}I").unpack


class _Hash(Protocol):
    def copy(self) -> _Hash: ...
    def update(self, data: bytes, /) -> None: ...
    def digest(self) -> bytes: ...


class Chance(Protocol):
    """Where every random outcome of a game comes from."""

    def deal(self, round_: int) -> tuple[int, ...]:
        """All 150 cards for a round, first dealt first."""

    def reshuffle(self, round_: int, count: int, cards: Sequence[int]) -> tuple[int, ...]:
        """The cards of the discard pile, shuffled; count = 1, 2 … within the round."""

    def flips(self, round_: int, seats: int, count: int) -> tuple[tuple[Place, ...], ...]:
        """For each seat, `count` places to turn up, in the order drawn."""

    def starter(self, round_: int, candidates: int) -> int:
        """Index of the opener among the candidates, 0 to candidates - 1."""


def commitment(seed: bytes, game_id: UUID, rules_name: str) -> bytes:
    """The 32 bytes that are published before any seat can act."""
    return sha256(b"skyjo-commit/1\0" + game_id.bytes + _prefixed(rules_name.encode()) + seed).digest()


def table_commitment(game_id: UUID, salt: bytes, committed: bytes) -> bytes:
    """What a table on a duplicate board publishes in place of the board's commitment: nobody can tell which share one.

    Args:
        game_id: the table's game.
        salt: 32 bytes of the table's own.
        committed: the commitment of the board.
    """
    return sha256(b"skyjo-table/1\0" + game_id.bytes + salt + committed).digest()


def shuffle_key(seed: bytes, game_id: UUID, rules_name: str, entropy: Sequence[bytes] = ()) -> bytes:
    """The key of all chance of a game.

    Args:
        seed: 32 bytes.
        game_id: the game's id, or the board's on a duplicate board.
        rules_name: :attr:`skyjo.RuleSet.canonical_name`.
        entropy: one text of at most 64 bytes per seat, missing ones empty; nothing at all if no seat gave any.
    Raises:
        InvalidText: if the seed or an entropy has the wrong length.
    """
    if len(seed) != SEED_BYTES:
        raise InvalidText(f"the seed has {len(seed)} bytes, but must have {SEED_BYTES}")
    for seat, given in enumerate(entropy):
        if len(given) > ENTROPY_BYTES_MAX:
            raise InvalidText(f"seat {seat}'s entropy has {len(given)} bytes, but may have {ENTROPY_BYTES_MAX} at most")
    message = b"skyjo-key/1\0" + game_id.bytes + _prefixed(rules_name.encode()) + bytes([len(entropy)])
    return digest(seed, message + b"".join(map(_prefixed, entropy)), "sha256")


class WordStream:
    """An endless stream of 32-bit words, and uniform whole numbers from it; its key has at most 64 bytes."""

    __slots__ = ("_words",)

    def __init__(self, key: bytes, label: bytes) -> None:
        self._words = _words(key, label)

    def word(self) -> int:
        """The next word, 0 to 2**32 - 1."""
        return next(self._words)

    def uniform(self, n: int) -> int:
        """A whole number from 0 to n - 1, each equally likely."""
        limit = _WORD_SPAN - _WORD_SPAN % n
        while (word := next(self._words)) >= limit:
            pass
        return word % n


class FairChance:
    """The :class:`Chance` of ``skyjo-shuffle/1``.

    >>> from uuid import UUID
    >>> game = UUID("00112233-4455-6677-8899-aabbccddeeff")
    >>> FairChance(shuffle_key(bytes(range(32)), game, "classic")).deal(1)[:6]
    (0, 2, 2, 9, -1, 0)
    """

    __slots__ = ("_key",)

    def __init__(self, key: bytes) -> None:
        self._key = key

    def deal(self, round_: int) -> tuple[int, ...]:
        """All 150 cards for a round, first dealt first."""
        return self.reshuffle(round_, 0, DECK)

    def reshuffle(self, round_: int, count: int, cards: Sequence[int]) -> tuple[int, ...]:
        """The cards in a new order: Fisher-Yates from the last place down to the second."""
        shuffled = list(cards)
        label = b"skyjo-deck/1\0" + round_.to_bytes(4, "big") + count.to_bytes(4, "big")
        last = len(shuffled)
        for other in _uniforms(self._key, label, last):
            last -= 1
            shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
        return tuple(shuffled)

    def flips(self, round_: int, seats: int, count: int) -> tuple[tuple[Place, ...], ...]:
        """For each seat, `count` places to turn up; one stream for all seats, ascending."""
        stream = self.stream(round_, "flips")
        return tuple(_draw_places(stream, count) for _ in range(seats))

    def starter(self, round_: int, candidates: int) -> int:
        """Index of the opener among at least two candidates."""
        return self.stream(round_, "starter").uniform(candidates)

    def stream(self, round_: int, purpose: str) -> WordStream:
        """The words of a round for any other purpose."""
        return WordStream(self._key, b"skyjo-chance/1\0" + round_.to_bytes(4, "big") + _prefixed(purpose.encode()))


def _prefixed(data: bytes) -> bytes:
    return len(data).to_bytes(2, "big") + data


def _uniforms(key: bytes, label: bytes, size: int) -> Iterable[int]:
    """What a stream gives for uniform(size), uniform(size - 1) … uniform(2), all at once."""
    blocks = _blocks(_keyed(key, label), _FIRST_NUMBERS[: -(-(size - 1) // _BLOCK_WORDS)])
    if size <= len(DECK) and _REJECTED not in blocks:
        return map(mod, unpack(f">{len(blocks) // _WORD_BYTES}I", blocks), range(size, 1, -1))
    stream = WordStream(key, label)
    return (stream.uniform(n) for n in range(size, 1, -1))


def _words(key: bytes, label: bytes) -> Iterator[int]:
    keyed = _keyed(key, label)
    for number in range(_WORD_SPAN):
        yield from _unpack_block(_blocks(keyed, (number.to_bytes(4, "big"),)))


def _keyed(key: bytes, label: bytes) -> tuple[_Hash, _Hash]:
    """HMAC-SHA256 as far as every block of a stream shares it: the inner hash with the label, and the outer one.

    Spelt out as in RFC 2104 because nothing else lets blocks share it.
    """
    padded = key.ljust(_HASH_BLOCK_BYTES, b"\0")
    return sha256(padded.translate(_INNER_PAD) + label), sha256(padded.translate(_OUTER_PAD))


def _blocks(keyed: tuple[_Hash, _Hash], numbers: Iterable[bytes]) -> bytes:
    """The blocks of these numbers, one after another."""
    copy_inner, copy_outer = keyed[0].copy, keyed[1].copy
    blocks = []
    for number in numbers:
        message, block = copy_inner(), copy_outer()
        message.update(number)
        block.update(message.digest())
        blocks.append(block.digest())
    return b"".join(blocks)


def _draw_places(stream: WordStream, count: int) -> tuple[Place, ...]:
    places = list(PLACES)
    for index in range(count):
        other = index + stream.uniform(len(places) - index)
        places[index], places[other] = places[other], places[index]
    return tuple(places[:count])


_INNER_PAD: Final = bytes(byte ^ 0x36 for byte in range(256))
_OUTER_PAD: Final = bytes(byte ^ 0x5C for byte in range(256))
_FIRST_NUMBERS: Final = tuple(number.to_bytes(4, "big") for number in range(-(-len(DECK) // _BLOCK_WORDS)))
"""The numbers of the blocks that a shuffle of the whole deck takes, as far as no word is rejected."""

_REJECTED: Final = b"\xff\xff\xff"
"""How every word begins that some bound up to the whole deck's rejects: it is at least 2**32 - 149."""
