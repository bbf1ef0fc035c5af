r"""The public hash chain of a game: one hash an event, over what everybody may see of it. Shuffles and judges nothing.

A hash may be shown at once. What the public may not see yet enters under a salt, so that nobody can find it by trying
the fifteen card values; the salts follow from the seed, and so are revealed with it. Byte for byte, with ``‖`` for
concatenation, ``LP(b)`` = length of b as two bytes big-endian ‖ b, and every text in UTF-8:

- genesis = SHA256(``"skyjo-log/1\0"`` ‖ game id (16) ‖ commitment (32) ‖ LP(rules name) ‖ u8(number of seats) ‖
  LP(name of seat 0) ‖ LP(name of seat 1) …). The rules name is :attr:`skyjo.RuleSet.canonical_name`.
- salt of a version = the first 16 bytes of HMAC-SHA256(seed, ``"skyjo-salt/1\0"`` ‖ game id (16) ‖ u32be(version)).
- hash of a version = SHA256(``"skyjo-event/1\0"`` ‖ previous hash (32) ‖ SHA256(salt ‖ private) ‖ public). Before
  version 0, the previous hash is the genesis.
- public: the event as a spectator of the running game is shown it, as JSON with ``action cause facts seat version``,
  the members of every object in alphabetical order, no space between tokens; each fact with its ``kind``. All texts are
  plain ASCII and all numbers whole, so no escape and no other way to write it exists. Cards that are not shown are
  ``null``: of a deal all 150 but the one that opens the discard pile, of a reshuffle all, of a draw the card. A choice
  of initial flips has action ``null`` and no facts until every seat has chosen; the event that completes the choice has
  its action and the flips of all seats, seats ascending, each in its own order, then what follows.
- private: the event in full, written the same way, if that differs from public; else nothing, zero bytes.
- hash of the result = SHA256(``"skyjo-result/1\0"`` ‖ hash of the last version ‖ result), with the result as JSON in
  the same form: ``ranks status totals``. It says that no event is missing at the end.

Not covered: times, and what others add to a log. Entropy and seed are not covered either: every deal depends on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

from skyjo.evolution import evolve
from skyjo.facts import (
    Dealt,
    Discarded,
    Drawn,
    Event,
    Flipped,
    GameEnded,
    Left,
    Placed,
    Removed,
    Reshuffled,
    RoundScored,
)
from skyjo.record import SALT_BYTES, GameRecord, Result
from skyjo.rules import RuleSet
from skyjo.state import initial_state
from skyjo.view import SeenDealt, SeenDrawn, SeenEvent, SeenReshuffled, seen_event

_BLOCK_BYTES: Final = 64
_INNER: Final = bytes(byte ^ 0x36 for byte in range(256))
_OUTER: Final = bytes(byte ^ 0x5C for byte in range(256))
"""What HMAC does to the bytes of its key, as tables of :meth:`bytes.translate`."""


def genesis(game_id: UUID, commitment: bytes, rules: RuleSet, names: Sequence[str]) -> bytes:
    """What stands before the hash of version 0: it binds the game, its rules and who sits where."""
    table = b"".join([_prefixed(rules.canonical_name), bytes([len(names)]), *map(_prefixed, names)])
    return sha256(b"skyjo-log/1\0" + game_id.bytes + commitment + table).digest()


def event_salt(seed: bytes, game_id: UUID, version: int) -> bytes:
    """The 16 bytes that hide the private part of an event until the seed is revealed."""
    message = b"skyjo-salt/1\0" + game_id.bytes + version.to_bytes(4, "big")
    # HMAC-SHA256 (RFC 2104) by hand: hmac.digest takes longer, and lets go of the interpreter, which a busy process is
    # slow to get back.
    key = seed.ljust(_BLOCK_BYTES, b"\0")
    return sha256(key.translate(_OUTER) + sha256(key.translate(_INNER) + message).digest()).digest()[:SALT_BYTES]


def next_hash(previous: bytes, event: Event, public: SeenEvent, salt: bytes) -> bytes:
    """The 32 bytes of the chain after an event.

    Args:
        previous: the hash of the version before, the genesis for version 0.
        event: the full event.
        public: the event as a spectator is shown it while the game is on, ``seen_event(event, before, None)``.
        salt: :func:`event_salt` of this version.
    """
    shown_in_full = public.facts == event.facts and public.action == event.action
    private = b"" if shown_in_full else canonical_json(event)
    return sha256(b"skyjo-event/1\0" + previous + sha256(salt + private).digest() + canonical_json(public)).digest()


def result_hash(previous: bytes, result: Result) -> bytes:
    """The 32 bytes that close a chain.

    Args:
        previous: the hash of the last version, the genesis if there is none.
        result: how the game ended.
    """
    ranks = "null" if result.ranks is None else f"[{_numbers(result.ranks)}]"
    text = f'{{"ranks":{ranks},"status":"{result.status.value}","totals":[{_numbers(result.totals)}]}}'
    return sha256(b"skyjo-result/1\0" + previous + text.encode()).digest()


def record_hashes(record: GameRecord) -> Iterator[bytes]:
    """The hash of every event of a record that follows the rules."""
    previous = genesis(record.game, record.commitment, record.rules, record.seats)
    state = initial_state(record.rules, len(record.seats))
    for event in record.bare_events():
        salt = event_salt(record.seed, record.game, event.version)
        previous = next_hash(previous, event, seen_event(event, state, None), salt)
        yield previous
        state = evolve(state, event)


def hashed(record: GameRecord) -> GameRecord:
    """The same record with the hash of every event, and of the result, in it."""
    last = genesis(record.game, record.commitment, record.rules, record.seats)
    events = []
    for logged, last in zip(record.events, record_hashes(record), strict=True):
        events.append(replace(logged, hash=last))
    return replace(record, events=tuple(events), hash=result_hash(last, record.result))


def canonical_json(event: Event | SeenEvent) -> bytes:
    """An event in the one form that enters the chain: JSON, members in alphabetical order, no spaces, ASCII.

    >>> from skyjo.actions import Action
    >>> from skyjo.facts import Cause
    >>> canonical_json(Event(7, 1, Action.draw(), Cause.PLAYER, (Drawn(1, -2),)))
    b'{"action":"draw","cause":"player","facts":[{"card":-2,"kind":"drawn","seat":1}],"seat":1,"version":7}'
    """
    action = "null" if event.action is None else f'"{event.action}"'
    seat = "null" if event.seat is None else event.seat
    facts = ",".join([_FACTS[type(fact)](fact) for fact in event.facts])
    whence = f'{{"action":{action},"cause":"{event.cause.value}"'
    return f'{whence},"facts":[{facts}],"seat":{seat},"version":{event.version}}}'.encode()


def _prefixed(text: str) -> bytes:
    data = text.encode()
    return len(data).to_bytes(2, "big") + data


def _numbers(values: Sequence[int | None]) -> str:
    return ",".join(["null" if value is None else str(value) for value in values])


def _dealt(fact: Dealt | SeenDealt) -> str:
    return f'{{"cards":[{_numbers(fact.cards)}],"kind":"dealt","round":{fact.round}}}'


def _drawn(fact: Drawn | SeenDrawn) -> str:
    return f'{{"card":{"null" if fact.card is None else fact.card},"kind":"drawn","seat":{fact.seat}}}'


def _reshuffled(fact: Reshuffled | SeenReshuffled) -> str:
    return f'{{"cards":[{_numbers(fact.cards)}],"kind":"reshuffled"}}'


def _flipped(fact: Flipped) -> str:
    return f'{{"card":{fact.card},"kind":"flipped","place":"{fact.place!s}","seat":{fact.seat}}}'


def _placed(fact: Placed) -> str:
    return f'{{"card":{fact.card},"kind":"placed","place":"{fact.place!s}","seat":{fact.seat}}}'


def _discarded(fact: Discarded) -> str:
    return f'{{"card":{fact.card},"kind":"discarded","seat":{fact.seat}}}'


def _removed(fact: Removed) -> str:
    places = ",".join([f'"{place!s}"' for place in fact.places])
    return f'{{"card":{fact.card},"kind":"removed","places":[{places}],"seat":{fact.seat}}}'


def _round_scored(fact: RoundScored) -> str:
    ender = "null" if fact.ender is None else fact.ender
    return (
        f'{{"ender":{ender},"final":[{_numbers(fact.final)}],"kind":"round_scored",'
        f'"raw":[{_numbers(fact.raw)}],"round":{fact.round},"totals":[{_numbers(fact.totals)}],'
        f'"truncated":{"true" if fact.truncated else "false"}}}'
    )


def _left(fact: Left) -> str:
    return f'{{"kind":"left","seat":{fact.seat}}}'


def _game_ended(fact: GameEnded) -> str:
    return f'{{"kind":"game_ended","ranks":[{_numbers(fact.ranks)}],"totals":[{_numbers(fact.totals)}]}}'


_FACTS: Final[dict[type[Any], Callable[[Any], str]]] = {
    Dealt: _dealt,
    SeenDealt: _dealt,
    Drawn: _drawn,
    SeenDrawn: _drawn,
    Reshuffled: _reshuffled,
    SeenReshuffled: _reshuffled,
    Flipped: _flipped,
    Placed: _placed,
    Discarded: _discarded,
    Removed: _removed,
    RoundScored: _round_scored,
    Left: _left,
    GameEnded: _game_ended,
}
