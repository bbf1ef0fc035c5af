"""Proof: verify accepts what was played, finds every falsification, and names the first event that is wrong."""

from __future__ import annotations

import json
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings

from skyjo import (
    Action,
    Cause,
    CorruptLog,
    Event,
    GameRecord,
    InvalidText,
    LoggedEvent,
    Result,
    RuleSet,
    Status,
    read_jsonl,
    verify,
    write_jsonl,
)
from skyjo.chain import hashed
from skyjo.record import Board
from skyjo.referee import Referee
from tests.skyjo.export.mutations import MUTATIONS, Mutation, changed_fact, content, swapped_cards
from tests.skyjo.export.records import (
    NUMBERS,
    Lines,
    record_of,
    records,
    small_record,
    text_of,
    vector_lines,
    with_additions,
)

EACH = 5
"""How often each kind of mutation is tried on each published game: 34 × 15 × 5 mutations in all."""


def hashed_lines(number: int) -> Lines:
    return [json.loads(line) for line in write_jsonl(hashed(record_of(number))).splitlines()]


def refusal(lines: Lines) -> CorruptLog | InvalidText | None:
    """What is said against lines; None if they are read and proved."""
    try:
        for record in read_jsonl(text_of(lines)):
            verify(record)
    except (CorruptLog, InvalidText) as error:
        return error
    return None


@pytest.mark.parametrize("number", NUMBERS)
def test_a_mutated_log_is_found_or_says_the_same(number: int) -> None:
    original = hashed_lines(number)
    text, said = json.dumps(original), content(original)
    accepted: list[tuple[str, int]] = []
    for mutation in MUTATIONS:
        for seed in range(EACH):
            lines = json.loads(text)
            mutation(Random(f"{number} {mutation.__name__} {seed}"), lines)
            if content(lines) != said and refusal(lines) is None:
                accepted.append((mutation.__name__, seed))
    assert accepted == []


@pytest.mark.parametrize("mutation", [changed_fact, swapped_cards], ids=["a fact", "two cards"])
@pytest.mark.parametrize("number", NUMBERS)
def test_the_first_wrong_event_is_named(number: int, mutation: Mutation) -> None:
    original = vector_lines(number)
    for seed in range(3):
        lines = deepcopy(original)
        mutation(Random(f"{number} {seed}"), lines)
        if lines == original:
            continue
        version = next(at for at, line in enumerate(lines[1:]) if line != original[at + 1])
        match refusal(lines):
            case CorruptLog() as error:
                assert error.version == version
                assert f"event {version}: facts[" in str(error)
                assert error.game == original[0]["game"]
            case error:
                assert str(error).startswith(f"line {version + 2}: ")


@settings(max_examples=60)
@given(records())
def test_whatever_is_played_is_accepted(record: GameRecord) -> None:
    verify(record)
    verify(hashed(record))


def with_event(record: GameRecord, number: int, **parts: object) -> GameRecord:
    """The record with other parts in one event."""
    events = list(record.events)
    events[number] = replace(events[number], event=replace(events[number].event, **parts))  # type: ignore[arg-type] # any part
    return replace(record, events=tuple(events))


def told(record: GameRecord, *commands: tuple[int | None, str | None, Cause]) -> GameRecord:
    """The record, its events those that these commands cause, until one is not allowed, and its facts are empty."""
    referee, events = Referee(record), [record.events[0]]
    referee.judge(record.events[0].event)
    for seat, action, cause in commands:
        event = Event(len(events), seat, None if action is None else Action.parse(action), cause, ())
        with suppress(CorruptLog):
            event = referee.judge(event)
        events.append(LoggedEvent(event))
    return replace(record, events=tuple(events))


BOTH_FLIPPED = ((0, "flip a1 b1", Cause.PLAYER), (1, "flip a1 b1", Cause.PLAYER))
"""In the small game seat 0 opens after these."""
PLAYER, TIMEOUT, FORFEIT, SYSTEM = Cause.PLAYER, Cause.TIMEOUT, Cause.FORFEIT, Cause.SYSTEM

NOT_ALLOWED = {
    "an illegal action": ((0, "take a1", PLAYER), "'take a1' is not possible now"),
    "a seat that is not there": ((5, "flip a1 b1", PLAYER), "there is no seat 5"),
    "nobody": ((None, "flip a1 b1", PLAYER), "only version 0 is the system's: this needs a seat, 0 to 1"),
    "the system as a player": ((0, "flip a1 b1", SYSTEM), "the system does not play"),
    "a timeout that chooses": (
        (0, "flip a1 a2", TIMEOUT),
        "but the default action is 'flip a1 b1'",
    ),
    "a forfeit of a seat that is there": ((0, "flip a1 b1", FORFEIT), "seat 0 has not left, but acts by cause forfeit"),
    "leaving by a timeout": ((0, None, TIMEOUT), "a seat leaves by cause player or forfeit, not timeout"),
}


@pytest.mark.parametrize("case", NOT_ALLOWED.values(), ids=NOT_ALLOWED)
def test_a_command_that_the_rules_do_not_allow_is_named(
    case: tuple[tuple[int | None, str | None, Cause], str],
) -> None:
    command, message = case
    with pytest.raises(CorruptLog, match=f"event 1: .*{message}") as refused:
        verify(told(small_record(), command))
    assert refused.value.version == 1


def test_a_turn_that_a_timeout_begins_a_timeout_ends() -> None:
    record = told(small_record(), *BOTH_FLIPPED)
    opener = Referee(record)
    for logged in record.events:
        opener.judge(logged.event)
    (seat,) = opener.state.to_act
    begun = (*BOTH_FLIPPED, (seat, "draw", TIMEOUT))
    verify(told(small_record(), *begun, (seat, "reject a2", TIMEOUT)))
    with pytest.raises(CorruptLog, match="event 4: a timeout began this turn, so a timeout must end it"):
        verify(told(small_record(), *begun, (seat, "reject a2", PLAYER)))


def test_a_seat_that_has_left_is_played_by_forfeit_alone() -> None:
    record = record_of(26)
    forfeited = next(
        logged.event.version for logged in record.events if logged.event.action and logged.event.cause is Cause.FORFEIT
    )
    for cause in (Cause.PLAYER, Cause.TIMEOUT):
        with pytest.raises(CorruptLog, match=f"seat 0 has left, but acts by cause {cause}") as refused:
            verify(with_event(record, forfeited, cause=cause))
        assert refused.value.version == forfeited


@pytest.mark.parametrize("parts", [{"seat": 0}, {"cause": Cause.PLAYER}, {"action": Action.draw()}], ids=str)
def test_version_0_is_the_systems(parts: dict[str, object]) -> None:
    with pytest.raises(CorruptLog, match="event 0: a game begins with the system's deal"):
        verify(with_event(small_record(), 0, **parts))


def test_a_gap_in_the_versions_is_named() -> None:
    with pytest.raises(CorruptLog, match="event 3: version must be 3, found 4"):
        verify(with_event(record_of(1), 3, version=4))


def test_nothing_happens_after_the_end() -> None:
    record = record_of(28)
    last = record.events[-1]
    after = replace(last, event=replace(last.event, version=len(record.events), seat=1))
    with pytest.raises(CorruptLog, match=f"event {len(record.events)}: the game is over"):
        verify(replace(record, events=(*record.events, after)))


def test_a_seed_that_was_not_committed_to_is_named() -> None:
    for part in ({"seed": bytes(32)}, {"commitment": bytes(32)}, {"rules": RuleSet.preset("french")}):
        with pytest.raises(CorruptLog, match=r"commitment must be .* by its seed") as refused:
            verify(replace(record_of(1), **part))
        assert refused.value.version is None


def test_entropy_that_was_not_given_shows_in_the_first_deal() -> None:
    with pytest.raises(CorruptLog, match=r"event 0: facts\[0\]\.cards\[0\] must be"):
        verify(replace(record_of(1), entropy=(b"a", b"")))


FINISHED = record_of(1).result
WRONG_RESULTS = {
    "status": (replace(FINISHED, status=Status.VOID, ranks=None), "status must be 'finished', found 'void'"),
    "total": (replace(FINISHED, totals=(101, 134)), r"totals must be \(101, 135\), found \(101, 134\)"),
    "rank": (replace(FINISHED, ranks=(1, 1)), r"ranks must be \(1, 2\), found \(1, 1\)"),
}


@pytest.mark.parametrize("case", WRONG_RESULTS.values(), ids=WRONG_RESULTS)
def test_a_wrong_result_is_named(case: tuple[Result, str]) -> None:
    result, message = case
    with pytest.raises(CorruptLog, match=f"result after event 265: {message}") as refused:
        verify(replace(record_of(1), result=result))
    assert refused.value.version is None


def test_a_game_that_has_not_ended_is_not_finished() -> None:
    with pytest.raises(CorruptLog, match="status must be 'void or aborted', found 'finished'"):
        verify(replace(small_record(), result=Result(Status.FINISHED, (0, 0), (1, 1))))


def test_an_opener_that_chance_did_not_choose_is_named() -> None:
    record = record_of(9)
    version, opener = next((e.event.version, e.event.opener) for e in record.events if e.event.opener is not None)
    with pytest.raises(CorruptLog, match=f"event {version}: opener must be {opener}, found None"):
        verify(with_event(record, version, opener=None))


def test_hashes_stand_beside_every_event_or_none_and_salts_are_the_seeds() -> None:
    record = with_additions(hashed(record_of(28)))
    verify(record)
    first, second, *others = record.events
    for wrong, message in (
        (replace(second, hash=None), "hash must be .* found nothing"),
        (replace(second, hash=first.hash), "hash must be"),
        (replace(second, salt=first.salt), "salt must be"),
    ):
        with pytest.raises(CorruptLog, match=f"event 1: {message}") as refused:
            verify(replace(record, events=(first, wrong, *others)))
        assert refused.value.version == 1


def test_without_hashes_another_game_by_the_same_rules_is_true_too_and_with_them_it_is_not() -> None:
    """Two seats chose their flips in the other order: as legal as what was played, so only hashes tell them apart."""
    record = record_of(1)
    deal, first, second, *others = hashed(record).events
    swapped = (
        replace(second, event=replace(second.event, version=1)),
        replace(first, event=replace(first.event, version=2)),
    )
    another = replace(hashed(record), events=(deal, *swapped, *others))
    with pytest.raises(CorruptLog, match="event 1: hash must be"):
        verify(another)
    verify(replace(another, events=tuple(replace(logged, hash=None) for logged in another.events), hash=None))


def test_a_stopped_game_without_its_last_event_is_found_by_the_hash_of_its_result() -> None:
    record = hashed(record_of(34))
    verify(record)
    shorter = replace(record, events=record.events[:-1])
    with pytest.raises(CorruptLog, match="result: hash must be"):
        verify(shorter)
    verify(replace(shorter, hash=None))


def test_a_tables_commitment_hides_its_board_until_the_salt_is_known() -> None:
    played = small_record()
    board = Board(played.game, bytes(range(32)))
    table = replace(played, game=record_of(1).game, board=board)
    table = replace(table, commitment=table.true_commitment())
    verify(table)
    assert table.true_commitment() != played.true_commitment()
    with pytest.raises(CorruptLog, match="commitment must be"):
        verify(replace(table, board=replace(board, salt=bytes(32))))
    with pytest.raises(CorruptLog, match="commitment must be"):
        verify(replace(table, board=None))
