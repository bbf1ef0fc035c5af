"""Proving a record: every shuffle, fact, score and hash follows from its seed and its commands. Changes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any, Final

from skyjo.chain import event_salt, genesis, next_hash, result_hash
from skyjo.errors import CorruptLog
from skyjo.facts import Event
from skyjo.notation import event_to_dict
from skyjo.reading import quoted
from skyjo.record import GameRecord, LoggedEvent, Result, Status
from skyjo.referee import Referee
from skyjo.state import Phase, State
from skyjo.view import seen_event

_NOTHING: Final = object()


def verify(record: GameRecord) -> None:
    """Prove a record, or say where it first departs from what must have happened.

    Checked are the commitment, that versions have no gap, that every action was legal, that timeouts and seats that
    left were played by default actions (rules 30 and 31), every fact, every opener, scores, totals and ranks, and the
    hash chain where there are hashes. Another game that follows the same rules from the same seed is not false: without
    hashes, nothing but the keeper's word says that this one was played, to this end, by players of these names.

    Raises:
        CorruptLog: with the game, and the version of the first event that is wrong; None for header and result.
    """
    check_commitment(record)
    referee = Referee(record)
    links = _Links(record)
    for logged in record.events:
        before = referee.state
        expected = referee.judge(logged.event)
        wrong = next(_differences(expected, logged.event), None) or links.wrong_link(logged, before)
        if wrong is not None:
            version = expected.version
            raise CorruptLog(f"game {record.game}, event {version}: {wrong}", game=str(record.game), version=version)
    check_result(record, referee.state)
    if (wrong := links.wrong_end()) is not None:
        raise CorruptLog(f"game {record.game}, result: {wrong}", game=str(record.game))


def check_commitment(record: GameRecord) -> None:
    """Refuse a seed that is not the one that was committed to.

    Raises:
        CorruptLog: without a version.
    """
    if record.commitment != (true := record.true_commitment()):
        difference = _difference("commitment", true.hex(), record.commitment.hex())
        raise CorruptLog(f"game {record.game}: {difference}, by its seed", game=str(record.game))


def check_result(record: GameRecord, state: State) -> None:
    """Refuse a result that is not the one of the last state.

    Raises:
        CorruptLog: without a version.
    """
    wrong = next(_result_differences(state, record.result), None)
    if wrong is not None:
        raise CorruptLog(f"game {record.game}, result after event {state.version}: {wrong}", game=str(record.game))


class _Links:
    """The hash chain of a record, followed event by event; silent where the record has no hash."""

    def __init__(self, record: GameRecord) -> None:
        self._record = record
        self._events_have = any(logged.hash is not None for logged in record.events)
        self._followed = self._events_have or record.hash is not None
        self._hash = genesis(record.game, record.commitment, record.rules, record.seats)

    def wrong_link(self, logged: LoggedEvent, before: State) -> str | None:
        """What is wrong with an event's hash or salt; None if nothing is."""
        salt = event_salt(self._record.seed, self._record.game, logged.event.version)
        if logged.salt is not None and logged.salt != salt:
            return _difference("salt", salt.hex(), logged.salt.hex())
        if not self._followed:
            return None
        self._hash = next_hash(self._hash, logged.event, seen_event(logged.event, before, None), salt)
        return _wrong_hash(self._hash, logged.hash) if self._events_have else None

    def wrong_end(self) -> str | None:
        """What is wrong with the hash of the result; None if nothing is."""
        found = self._record.hash
        return None if found is None else _wrong_hash(result_hash(self._hash, self._record.result), found)


def _wrong_hash(expected: bytes, found: bytes | None) -> str | None:
    if found == expected:
        return None
    return _difference("hash", expected.hex(), _NOTHING if found is None else found.hex())


def _result_differences(state: State, found: Result) -> Iterator[str]:
    over = state.phase is Phase.OVER
    if over != (found.status is Status.FINISHED):
        yield _difference("status", "finished" if over else "void or aborted", found.status.value)
    if found.totals != state.totals:
        yield _difference("totals", state.totals, found.totals)
    if found.ranks != state.ranks:
        yield _difference("ranks", state.ranks, found.ranks)


def _differences(expected: Event, found: Event) -> Iterator[str]:
    if expected != found:
        yield from _member_differences("", event_to_dict(expected), event_to_dict(found))
        yield _difference("opener", expected.opener, found.opener)


def _member_differences(name: str, expected: Any, found: Any) -> Iterator[str]:
    """Every difference between two JSON values, in their order, by the name of the member."""
    if isinstance(expected, Mapping) and isinstance(found, Mapping) and expected.keys() == found.keys():
        for member, value in expected.items():
            yield from _member_differences(f"{name}.{member}" if name else member, value, found[member])
    elif isinstance(expected, list) and isinstance(found, list):
        for index, (value, other) in enumerate(zip_longest(expected, found, fillvalue=_NOTHING)):
            yield from _member_differences(f"{name}[{index}]", value, other)
    elif expected != found:
        yield _difference(name, expected, found)


def _difference(name: str, expected: object, found: object) -> str:
    return f"{name} must be {_shown(expected)}, found {_shown(found)}"


def _shown(value: object) -> str:
    return "nothing" if value is _NOTHING else quoted(value)
