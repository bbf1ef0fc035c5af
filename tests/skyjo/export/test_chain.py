"""The hash chain, followed a second time by other means: from a log's JSON alone, as its description says."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings

from skyjo import COPIES, GameRecord, evolve, initial_state, seen_event, write_jsonl
from skyjo.chain import canonical_json, event_salt, genesis, hashed, next_hash, record_hashes
from skyjo.facts import Drawn
from skyjo.notation import event_to_dict
from tests.skyjo.export.records import NUMBERS, Lines, record_of, records, small_record, vector_lines


def dumped(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def length_prefixed(text: str) -> bytes:
    return len(text.encode()).to_bytes(2, "big") + text.encode()


class Table:
    """What a spectator must remember of a log to see what is public in it: the flips chosen so far."""

    def __init__(self, header: dict[str, Any]) -> None:
        self.seats = len(header["seats"])
        self.chosen: dict[int, list[dict[str, Any]]] = {}

    def public(self, event: dict[str, Any]) -> dict[str, Any]:
        if str(event["action"]).startswith("flip"):
            return self.public_choice(event)
        return event | {"facts": [self.public_fact(fact) for fact in event["facts"]]}

    def public_choice(self, event: dict[str, Any]) -> dict[str, Any]:
        self.chosen[event["seat"]] = [fact for fact in event["facts"] if fact["kind"] == "flipped"]
        if len(self.chosen) < self.seats:
            return event | {"action": None, "facts": []}
        flips = [fact for seat in range(self.seats) for fact in self.chosen[seat]]
        self.chosen = {}
        return event | {"facts": flips + [fact for fact in event["facts"] if fact["kind"] != "flipped"]}

    def public_fact(self, fact: dict[str, Any]) -> dict[str, Any]:
        match fact:
            case {"kind": "dealt", "cards": cards}:
                opens = 12 * self.seats
                return fact | {"cards": [card if at == opens else None for at, card in enumerate(cards)]}
            case {"kind": "reshuffled", "cards": cards}:
                return fact | {"cards": [None] * len(cards)}
            case {"kind": "drawn"}:
                return fact | {"card": None}
            case _:
                return fact


def rules_name(number: int, header: dict[str, Any]) -> str:
    return record_of(number).rules.name or dumped(header["rules"]).decode()


def hashes_by_hand(lines: Lines, name: str) -> Iterator[str]:
    """The hash of every event, then that of the result."""
    header, *events, closing = lines
    table, game, seed = Table(header), UUID(header["game"]).bytes, bytes.fromhex(header["seed"])
    seated = b"".join([length_prefixed(name), bytes([len(header["seats"])])])
    seated += b"".join(length_prefixed(seat["name"]) for seat in header["seats"])
    last = hashlib.sha256(b"skyjo-log/1\0" + game + bytes.fromhex(header["commitment"]) + seated).digest()
    for line in events:
        event = {member: value for member, value in line.items() if member != "game"}
        public, full = dumped(table.public(event)), dumped(event)
        label = b"skyjo-salt/1\0" + game + event["version"].to_bytes(4, "big")
        salt = hmac.new(seed, label, "sha256").digest()[:16]
        private = hashlib.sha256(salt + (b"" if public == full else full)).digest()
        last = hashlib.sha256(b"skyjo-event/1\0" + last + private + public).digest()
        yield last.hex()
    yield hashlib.sha256(b"skyjo-result/1\0" + last + dumped(closing["result"])).hexdigest()


@pytest.mark.parametrize("number", NUMBERS)
def test_the_chain_follows_from_a_log_by_its_description_alone(number: int) -> None:
    lines = vector_lines(number)
    *expected, closing = hashes_by_hand(lines, rules_name(number, lines[0]))
    assert [hash_.hex() for hash_ in record_hashes(record_of(number))] == expected
    record = hashed(record_of(number))
    assert [logged.hash and logged.hash.hex() for logged in record.events] == expected
    assert record.hash == bytes.fromhex(closing)


@settings(max_examples=30)
@given(records())
def test_an_event_enters_as_sorted_json_without_spaces(record: GameRecord) -> None:
    state = initial_state(record.rules, len(record.seats))
    for event in record.bare_events():
        seen = seen_event(event, state, None)
        assert canonical_json(event) == dumped(event_to_dict(event))
        assert canonical_json(seen) == dumped(event_to_dict(seen))
        state = evolve(state, event)


def test_the_chain_has_not_changed_since_it_was_first_published() -> None:
    last = [logged.hash and logged.hash.hex() for logged in (hashed(record_of(n)).events[-1] for n in (11, 28))]
    assert last == [
        "6b92df886dd337eb4c62b0e47f19a6e2c9e7e5dca0668428112f0d8db3b87126",
        "9e713d1befcada859abddae4dcb55ce7e9bddc0efd0dc89bd72fc35d757b5c79",
    ]


def test_every_name_rule_and_commitment_changes_the_genesis() -> None:
    record = small_record()
    start = (record.game, record.commitment, record.rules, record.seats)
    others = [
        (UUID(int=9), *start[1:]),
        (record.game, bytes(32), *start[2:]),
        (*start[:2], replace(record.rules, remove_rows=True), record.seats),
        (*start[:3], ("Ann", "Bea")),
        (*start[:3], ("AnnB", "en")),
    ]
    assert len({genesis(*start), *(genesis(*other) for other in others)}) == 1 + len(others)


def test_what_is_hidden_cannot_be_found_by_trying_without_the_salt() -> None:
    """All fifteen values that a drawn card can have are tried, with the salt and with another one."""
    record = record_of(1)
    version, state = 0, initial_state(record.rules, len(record.seats))
    events = list(record.bare_events())
    while str(events[version].action) != "draw":
        state = evolve(state, events[version])
        version += 1
    seat = events[version].seat
    assert seat is not None
    public, salt = seen_event(events[version], state, None), event_salt(record.seed, record.game, version)
    published = next_hash(bytes(32), events[version], public, salt)
    tries = [replace(events[version], facts=(Drawn(seat, card),)) for card in COPIES]
    assert published in [next_hash(bytes(32), event, public, salt) for event in tries]
    assert published not in [next_hash(bytes(32), event, public, bytes(16)) for event in tries]


def test_the_same_public_event_gives_another_hash_in_another_place() -> None:
    record = hashed(record_of(28))
    hashes = [logged.hash for logged in record.events]
    assert None not in hashes
    assert len(set(hashes)) == len(hashes)
    assert all(logged.hash and logged.hash.hex() in write_jsonl(record) for logged in record.events)
