"""The viewer's own shuffle, rules, readers and proof, under Node: they agree with this service's on all there is."""

from __future__ import annotations

import json
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from skyjo import CorruptLog, GameRecord, InvalidText, legal_actions, read_jsonl, verify, write_jsonl
from skyjo.chain import hashed
from skyjo.notation import fact_to_dict
from skyjo.places import PLACES
from skyjo.state import Grid
from skyjo.transcript import read_transcript, write_transcript
from tests.playthroughs.games import kept_games
from tests.skyjo.export.mutations import MUTATIONS, content
from tests.skyjo.export.records import NUMBERS, Lines, record_of, records, text_of, vector_lines, vector_texts
from tests.strategies import PlayedGame
from tests.viewer.node import asked, run

pytestmark = pytest.mark.node

EACH = 5
"""One kind of mutation in so many is tried on a game: on all of them, the service's own tests try every kind."""

ROUNDS_MAX = 4
"""The most rounds of a game that is kept."""


def judged(texts: Iterable[str]) -> list[dict[str, Any]]:
    """What the viewer says of each text."""
    return asked("judge.mjs", texts)


def verdict(text: str) -> tuple[str, int | None]:
    """What this service says of a text: `proved`, `false` with the first wrong event's version, or `unreadable`."""
    read = read_transcript if text.startswith("[") else read_jsonl
    try:
        for record in read(text):
            verify(record)
    except CorruptLog as error:
        return "false", error.version
    except InvalidText:
        return "unreadable", None
    return "proved", None


def told(answer: dict[str, Any]) -> tuple[str, int | None]:
    """The same of a viewer's answer."""
    if "message" not in answer:
        return "proved", None
    return ("false", answer["version"]) if "version" in answer else ("unreadable", None)


def test_shuffles_chance_and_hashes_are_those_of_the_published_vectors() -> None:
    said = run("--test", "--test-reporter=tap", "vectors.test.mjs")
    assert "# fail 0" in said
    assert "# pass 7" in said


def test_the_published_games_are_proved_as_lines_as_transcripts_and_with_hashes() -> None:
    games = [record_of(number) for number in NUMBERS]
    chained = [hashed(game) for game in games]
    texts = ["".join(f"{line}\n" for line in lines) for lines in vector_texts()]
    texts += [write(game) for write in (write_jsonl, write_transcript) for game in chained]
    answers = judged(texts)
    assert [answer.get("message") for answer in answers] == [None] * len(texts)
    for game, answer in zip([*games, *chained, *chained], answers, strict=True):
        (proved,) = answer["games"]
        assert proved["game"] == str(game.game)
        assert proved["hashes"] == (game.hash is not None)
        assert [event["facts"] for event in proved["events"]] == [
            [fact_to_dict(fact) for fact in event.facts] for event in game.bare_events()
        ]
        assert [event["opener"] for event in proved["events"]] == [event.opener for event in game.bare_events()]


def test_a_file_of_many_games_is_proved_game_by_game() -> None:
    text = "".join(f"{line}\n" for lines in vector_texts()[:6] for line in lines)
    transcripts = "".join(write_transcript(record_of(number)) for number in NUMBERS[:6])
    assert [len(answer["games"]) for answer in judged([text, transcripts])] == [6, 6]


def as_questions(games: Iterable[PlayedGame]) -> list[dict[str, Any]]:
    """Kept games as the program that replays them takes them: what was done, and what chance had to say."""
    return [
        {
            "rules": game.rules.to_dict(),
            "seats": game.seats,
            "starters": [
                [0, 0, *(game.chance.starter(round_, count) for count in range(2, game.seats + 1))]
                for round_ in range(1, ROUNDS_MAX + 1)
            ],
            "events": [
                {
                    "seat": event.seat,
                    "action": None if event.action is None else str(event.action),
                    "cause": event.cause.value,
                    "facts": [fact_to_dict(fact) for fact in event.facts],
                }
                for event in game.events
            ],
        }
        for game in games
    ]


def faces(grid: Grid) -> str:
    """How the cards of a grid lie."""
    return " ".join(
        "down" if grid.hidden >> place & 1 else "up" if grid.open >> place & 1 else "gone" for place in PLACES
    )


def test_every_step_of_the_kept_playthroughs_comes_to_the_same_facts_and_the_same_choices() -> None:
    games = [kept.played() for kept in kept_games()]
    for game, steps in zip(games, asked("replay.mjs", as_questions(games)), strict=True):
        for event, state, step in zip(game.events, game.states, steps, strict=True):
            assert step["facts"] == [fact_to_dict(fact) for fact in event.facts]
            assert step["opener"] == event.opener
            assert step["legal"] == [
                [seat, [str(action) for action in legal_actions(state, seat)]] for seat in state.to_act
            ]
            assert step["faces"] == [faces(grid) for grid in state.grids]
            assert tuple(step["discards"]) == state.discard_pile


@settings(max_examples=4, phases=[Phase.generate])
@given(st.lists(records(), min_size=10, max_size=10))
def test_whatever_is_played_under_whatever_rules_is_proved(played: list[GameRecord]) -> None:
    texts = [write(record) for record in played for write in (write_jsonl, write_transcript)]
    assert [answer.get("message") for answer in judged(texts)] == [None] * len(texts)


def mutated(number: int) -> Iterable[str]:
    """Falsified and damaged exports of a published game; each kind meets every fifth game."""
    original = [json.loads(line) for line in write_jsonl(hashed(record_of(number))).splitlines()]
    for mutation in MUTATIONS[number % EACH :: EACH]:
        lines: Lines = json.loads(json.dumps(original))
        mutation(Random(f"viewer {number} {mutation.__name__}"), lines)
        if content(lines) != content(original):
            yield text_of(lines)


def test_of_mutated_exports_each_is_refused_and_the_same_first_wrong_event_named() -> None:
    texts = [text for number in NUMBERS for text in mutated(number)]
    assert len(texts) > 90
    verdicts = [verdict(text) for text in texts]
    answers = judged(texts)
    assert [answer for answer in answers if "message" not in answer] == []
    agreed = [
        (text, expected, answer)
        for text, expected, answer in zip(texts, verdicts, answers, strict=True)
        # What has not the form of a fact, one reader refuses as a text and the other as untrue: never neither.
        if expected[0] == told(answer)[0] == "false" and expected != told(answer)
    ]
    assert agreed == []


def test_a_changed_character_of_a_transcript_is_refused_or_changes_nothing() -> None:
    texts = []
    for number in (1, 9, 15, 25):
        text, random = write_transcript(hashed(record_of(number))), Random(number)
        for _ in range(30):
            at = random.randrange(len(text))
            texts.append(f"{text[:at]}{random.choice('0 1a;[{)' + chr(10))}{text[at + 1 :]}")
    verdicts = [verdict(text)[0] == "proved" for text in texts]
    assert [told(answer)[0] == "proved" for answer in judged(texts)] == verdicts


NO_GAMES = [
    ('{"skyjo":1,"skyjo":1}', "stands twice"),
    ('{"skyjo":1e0}', "not the JSON of a game"),
    ('{"skyjo":1.0}', "not the JSON of a game"),
    ('{"skyjo":-0}', "not the JSON of a game"),
    ('{"skyjo":NaN}', "not the JSON of a game"),
    ("[" * 10, "a game begins with"),
    ('{"a":' * 50, "nested too deeply"),
    ("{" + " " * 70_000, "too long"),
    ('{"__proto__":{},"skyjo":1}', "a header lacks game"),
    ("<script>alert(1)</script>", "neither JSON Lines nor a transcript"),
    ("PK\x03\x04", "neither JSON Lines nor a transcript"),
    ('{"game":"x"}', "a game begins with a header"),
]
"""Lines, and what is said of them."""


def test_what_is_no_game_is_refused_with_its_line() -> None:
    answers = judged(f"\n{line}" for line, _ in NO_GAMES)
    for (line, said), answer in zip(NO_GAMES, answers, strict=True):
        assert answer["games"] == [], line
        assert answer["message"].startswith("line 2: ")
        assert said in answer["message"]


def test_a_file_that_ends_inside_a_game_is_refused() -> None:
    lines = vector_lines(1)
    (answer,) = judged([text_of(lines[:-1])])
    assert "its closing line is missing" in answer["message"]
