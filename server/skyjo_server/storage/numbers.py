"""Many whole numbers in few bytes, such as the times between the events of a game. Knows no game, and no table.

The low bits of numbers that chance made cannot be compressed: they stand side by side. What is above them is small
and much alike: it is deflated.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

_SEVEN: Final = 0x7F
_MORE: Final = 0x80
_RAW: Final = -15
"""Deflate without a header and a checksum: what is stored is checked by whoever wrote it."""

Packed = tuple[int, int, bytes, bytes]
"""The least number, the low bits of each, those bits, and what is above them."""


def deflate(data: bytes) -> bytes:
    """Data in as few bytes as zlib finds."""
    packer = zlib.compressobj(9, zlib.DEFLATED, _RAW, 9)
    return packer.compress(data) + packer.flush()


def inflate(data: bytes) -> bytes:
    """What :func:`deflate` was given."""
    return zlib.decompress(data, _RAW)


def pack_numbers(numbers: Sequence[int]) -> Packed:
    """Numbers, packed; how many they are must be remembered elsewhere.

    >>> unpack_numbers(pack_numbers([7, -3, 1_000_000]), 3)
    [7, -3, 1000000]
    """
    least = min(numbers, default=0)
    above = [number - least for number in numbers]
    bits = max(0, (sum(above) // max(1, len(above))).bit_length() - 1)
    low = 0
    for number in reversed(above):
        low = low << bits | (number & ((1 << bits) - 1))
    high = b"".join([_varint(number >> bits) for number in above])
    return least, bits, low.to_bytes((bits * len(above) + 7) // 8, "little"), deflate(high)


def unpack_numbers(packed: Packed, count: int) -> list[int]:
    """The first numbers of those that were packed."""
    least, bits, data, deflated = packed
    low, mask = int.from_bytes(data, "little"), (1 << bits) - 1
    numbers = []
    for high in islice(_varints(inflate(deflated)), count):
        numbers.append(least + (high << bits | low & mask))
        low >>= bits
    return numbers


def _varint(number: int) -> bytes:
    """A number of 0 or more, seven bits a byte, the lowest first; all bytes but the last have their eighth bit set."""
    out = bytearray()
    while number > _SEVEN:
        out.append(number & _SEVEN | _MORE)
        number >>= 7
    out.append(number)
    return bytes(out)


def _varints(data: Iterable[int]) -> Iterator[int]:
    number = shift = 0
    for byte in data:
        number |= (byte & _SEVEN) << shift
        shift += 7
        if byte <= _SEVEN:
            yield number
            number = shift = 0
