"""Every published game: imported, played again, proved, exported and written as a transcript."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from skyjo import (
    Action,
    Cause,
    FairChance,
    Phase,
    RuleSet,
    Status,
    commitment,
    decide,
    decide_leave,
    default_action,
    evolve,
    initial_state,
    read_jsonl,
    read_transcript,
    replay,
    shuffle_key,
    start,
    verify,
    write_jsonl,
    write_transcript,
)
from skyjo.chain import hashed
from skyjo.notation import event_to_dict
from tests.skyjo.export.records import NUMBERS, VECTORS, record_of, vector_lines, vector_records, vector_texts


def test_there_are_34_games() -> None:
    assert len(vector_records()) == len(vector_texts()) == len(NUMBERS)


@pytest.mark.parametrize("number", NUMBERS)
def test_its_actions_played_again_give_every_fact_score_total_and_rank(number: int) -> None:
    header, *told, closing = vector_lines(number)
    record = record_of(number)
    rules, seed = RuleSet.from_dict(header["rules"]), bytes.fromhex(header["seed"])
    assert commitment(seed, record.game, rules.canonical_name).hex() == header["commitment"]
    entropy = [bytes.fromhex(given) for given in header["entropy"]]
    chance = FairChance(shuffle_key(seed, record.game, rules.canonical_name, entropy))
    state = initial_state(rules, len(header["seats"]))
    for line in told:
        action, cause = line["action"] and Action.parse(line["action"]), Cause(line["cause"])
        if line["version"] == 0:
            event = start(rules, state.seats, chance)
        elif action is None:
            event = decide_leave(state, line["seat"], cause)
        else:
            event = decide(state, line["seat"], action, chance, cause)
            assert cause is Cause.PLAYER or action == default_action(state, line["seat"])
        assert {"game": header["game"], **event_to_dict(event)} == line
        state = evolve(state, event)
    assert list(state.totals) == closing["result"]["totals"]
    assert (state.ranks and list(state.ranks)) == closing["result"]["ranks"]
    assert (state.phase is Phase.OVER) == (closing["result"]["status"] == "finished")


@pytest.mark.parametrize("number", NUMBERS)
def test_its_log_folds_into_its_result(number: int) -> None:
    record = record_of(number)
    state = replay(record.rules, len(record.seats), record.bare_events())
    assert (state.totals, state.ranks) == (record.result.totals, record.result.ranks)


@pytest.mark.parametrize("number", NUMBERS)
def test_verify_accepts_it_with_and_without_hashes(number: int) -> None:
    verify(record_of(number))
    verify(hashed(record_of(number)))


@pytest.mark.parametrize("number", NUMBERS)
def test_exported_again_its_content_is_equal(number: int) -> None:
    exported = [json.loads(line) for line in write_jsonl(record_of(number)).splitlines()]
    assert exported == vector_lines(number)


@pytest.mark.parametrize("number", NUMBERS)
def test_read_again_after_an_export_it_is_the_same_record(number: int) -> None:
    record = hashed(record_of(number))
    assert list(read_jsonl(write_jsonl(record))) == [record]


@pytest.mark.parametrize("number", NUMBERS)
def test_its_transcript_reads_back_as_the_same_record(number: int) -> None:
    for record in (record_of(number), hashed(record_of(number))):
        assert list(read_transcript(write_transcript(record))) == [record]


def test_all_games_come_one_after_another_from_one_transcript() -> None:
    text = "".join(map(write_transcript, vector_records()))
    assert tuple(read_transcript(text)) == vector_records()


def test_a_void_game_is_kept_as_far_as_it_was_played() -> None:
    record = record_of(34)
    assert (record.result.status, record.result.ranks) == (Status.VOID, None)


@pytest.mark.parametrize("number", [9, 12, 13])
def test_openers_that_chance_chose_are_read_from_the_seed(number: int) -> None:
    record = record_of(number)
    chosen = [logged for logged in record.events if logged.event.opener is not None]
    assert chosen
    forgotten = tuple(replace(logged, event=replace(logged.event, opener=None)) for logged in record.events)
    assert list(read_jsonl(write_jsonl(replace(record, events=forgotten)))) == [record]


def test_the_file_is_read_line_by_line_from_bytes_text_and_a_list() -> None:
    path = VECTORS / "games.jsonl"
    text = path.read_text(encoding="utf-8")
    with path.open("rb") as file:
        assert next(read_jsonl(file)) == vector_records()[0]
        # The second game has not been touched: the file stands right behind the first one's closing line.
        assert file.readline().startswith(b'{"skyjo":1')
    for lines in (text, text.splitlines(), path.read_bytes().splitlines(keepends=True)):
        assert next(read_jsonl(lines)) == vector_records()[0]
