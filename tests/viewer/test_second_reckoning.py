"""The viewer's own reckoning of `greedy`, under Node: every action of every decision costs what this service says."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from skyjo import PLACES, GameRecord, LoggedEvent, Result, RuleSet, Status, decision, evolve, initial_state, read_jsonl
from skyjo.analysis import ScoredDecision, analyse
from skyjo.bots import evaluate
from skyjo.notation import fact_to_dict
from skyjo_client import Arena, load_bot
from skyjo_server.http import viewer
from tests.house.tree import ROOT
from tests.logs.write import FOLDER
from tests.playthroughs.games import kept_games
from tests.skyjo.export.records import VECTORS
from tests.skyjo.tables import Script, first_deal, grid
from tests.strategies import PlayedGame, games, rule_sets, seat_counts, seeds
from tests.viewer.node import HERE, asked

pytestmark = pytest.mark.node

Said = dict[str, Any]
"""What the viewer says of a decision; `told` is its cost as the page is told it, `costs` those of all legal actions."""

CLOSE: Final = 1e-9
"""How far two costs may be apart: points, or parts of a cost that is higher than one point."""

FROZEN: Final = tuple(sorted(FOLDER.glob("[0-9]*.jsonl")))


def records_of(path: Path) -> list[GameRecord]:
    """The games of a file."""
    with path.open("rb") as file:
        return list(read_jsonl(file))


def played_record(game: PlayedGame) -> GameRecord:
    """A game whose chance was not drawn from its seed, in the form in which it is analysed."""
    names, events = tuple(f"seat {seat}" for seat in range(game.seats)), tuple(map(LoggedEvent, game.events))
    result = Result(Status.VOID, game.state.totals, None)
    return GameRecord(UUID(int=1), game.rules, names, bytes(32), bytes(32), (), events, result)


def as_question(record: GameRecord) -> dict[str, Any]:
    """As much of a record as its analysis takes."""
    events = [
        {
            "version": event.version,
            "seat": event.seat,
            "action": None if event.action is None else str(event.action),
            "cause": event.cause.value,
            "facts": [fact_to_dict(fact) for fact in event.facts],
            "opener": event.opener,
        }
        for event in record.bare_events()
    ]
    return {"rules": record.rules.to_dict(), "seats": list(record.seats), "events": events}


def reckoned(record: GameRecord) -> Iterator[tuple[ScoredDecision, dict[str, float]]]:
    """What this service says of each decision, and the costs of all legal actions in their order."""
    states = [initial_state(record.rules, len(record.seats))]
    for event in record.bare_events():
        states.append(evolve(states[-1], event))
    for scored in analyse(record):
        costs = evaluate(decision(states[scored.version], scored.seat))
        yield scored, {str(action): cost for action, cost in costs.items()}


def close(one: float, other: float) -> bool:
    """Whether two costs differ in nothing but rounding."""
    return abs(one - other) <= CLOSE * max(1.0, abs(one))


def agree(scored: ScoredDecision, costs: dict[str, float], said: Said) -> bool:
    """Whether the viewer says the same of a decision."""
    told, best = scored.to_dict(), said["best"]
    return (
        [*said["costs"]] == [*costs]
        and all(map(close, costs.values(), said["costs"].values()))
        and close(scored.cost, said["cost"])
        and told["cost"] == said["told"]
        and all(told[name] == said[name] for name in ("version", "seat", "played"))
        and told["best"] == best
    )


def disagreements(records: Iterable[GameRecord], answers: Sequence[Said]) -> list[object]:
    """The decisions of some games of which the two say different things, as both say them."""
    expected = [reckoning for record in records for reckoning in reckoned(record)]
    if len(expected) != len(answers):
        return [f"{len(answers)} decisions instead of {len(expected)}"]
    pairs = zip(expected, answers, strict=True)
    return [(scored, said) for (scored, costs), said in pairs if not agree(scored, costs, said)]


def disagreed(records: Iterable[GameRecord], program: str = "analyse.mjs") -> list[object]:
    """The same of games that are in no file."""
    kept = list(records)
    answers = asked(program, map(as_question, kept))
    return [found for record, said in zip(kept, answers, strict=True) for found in disagreements([record], said)]


def test_the_published_and_the_frozen_games_cost_what_this_service_says() -> None:
    files = (VECTORS / "games.jsonl", *FROZEN)
    answers = asked("analyse.mjs", (path.read_text(encoding="utf-8") for path in files))
    assert sum(map(len, answers)) > 5000
    for path, said in zip(files, answers, strict=True):
        assert disagreements(records_of(path), said) == [], path


def test_the_kept_playthroughs_cost_what_this_service_says() -> None:
    assert disagreed(played_record(kept.played()) for kept in kept_games()) == []


def laid_record(rules: RuleSet, *grids: str, actions: Iterable[str]) -> GameRecord:
    """A game that begins with these grids: eleven cards open, the one in brackets face down."""
    flips = [[str(place) for place in PLACES if grid(text).open >> place & 1] for text in grids]
    table = first_deal(rules, *grids, chance=Script(flips=flips)).play(*actions)
    return played_record(PlayedGame(table.chance, tuple(table.events), (table.state,)))


@cache
def laid_records() -> tuple[GameRecord, ...]:
    """Games that come to what is rare: a card that completes a row and a column, and seats that wait for ever."""
    rules = RuleSet(initial_flips=11, initial_flip_choice="random", remove_rows=True, max_turns_per_seat=None)
    corner, other = "5 5 5 (5) / 1 3 6 5 / 2 4 7 5", "9 8 9 (1) / 1 7 -1 10 / 9 10 8 4"
    open_corner = "5 5 5 9 / 1 (3) 6 5 / 2 4 7 5"
    low, as_low = "-2 0 -2 (-2) / -1 1 0 -1 / 0 -1 1 0", "-1 0 2 (-1) / 0 1 -1 0 / 1 -1 0 -2"
    harsh = replace(rules, double_non_positive=True)
    return (
        laid_record(rules, corner, other, actions=["draw", "keep b2"] * 4),
        laid_record(rules, corner, other, actions=["draw", "keep b2"] * 130),
        laid_record(rules, open_corner, other, actions=["draw", "keep c3"] * 4),
        laid_record(harsh, low, as_low, actions=["draw", "keep b2"] * 4),
    )


def test_rare_tables_cost_what_this_service_says() -> None:
    assert disagreed(laid_records()) == []


@settings(max_examples=4, phases=[Phase.generate])
@given(st.lists(games(), min_size=10, max_size=10))
def test_whatever_is_played_under_whatever_rules_costs_what_this_service_says(played: list[PlayedGame]) -> None:
    assert disagreed(map(played_record, played)) == []


def house_game(rules: RuleSet, seats: int, seed: int) -> GameRecord:
    """A game of house bots, which come to other tables than random play: with pairs, and with somebody about to end."""
    bots = [load_bot(("greedy", "threshold", "random")[seed // 3**seat % 3]) for seat in range(seats)]
    record = Arena(bots, rules=rules, seed=str(seed)).play_one(0, record=True).record
    assert record is not None
    return record


@settings(max_examples=3, phases=[Phase.generate])
@given(st.lists(st.builds(house_game, rule_sets(max_rounds=1), seat_counts(), seeds()), min_size=10, max_size=10))
def test_games_of_house_bots_under_whatever_rules_cost_what_this_service_says(played: list[GameRecord]) -> None:
    assert disagreed(played) == []


PLANTED: Final = [
    ("analysis.js", 'event.cause === "player"', 'event.cause !== "forfeit"'),
    ("analysis.js", "toFixed(4)", "toFixed(3)"),
    ("analysis.js", "find(([, each]) => each === cheapest)", "findLast(([, each]) => each === cheapest)"),
    ("greedy/columns.js", "middle < HIDDEN ? middle", "middle < HIDDEN ? low"),
    ("greedy/ending.js", "? HALF_POINT : -HALF_POINT", "? -HALF_POINT : HALF_POINT"),
    ("greedy/ending.js", "FRACTION_TERMS = 60", "FRACTION_TERMS = 3"),
    ("greedy/ending.js", "raw <= 0 && !rules.double_non_positive", "raw <= 0"),
    ("greedy/horizon.js", "PATIENCE = 100", "PATIENCE = 80"),
    ("greedy/horizon.js", "limit - 1", "limit"),
    ("greedy/knowledge.js", "THROWN_AWAY : 0", "THROWN_AWAY : THROWN_AWAY"),
    ("greedy/opening.js", "GRID_SIZE - rules.initial_flips", "0"),
    ("greedy/outlook.js", "PRICE = 3.5", "PRICE = 3.500001"),
    ("greedy/reckoning.js", "costs[symbol] += gifts[symbol] - gift", "costs[symbol] -= gift"),
    ("greedy/reckoning.js", "leaving.get(symbol) ?? 0", "0"),
    ("greedy/rows.js", "COMPLETING[rest] === completing ? EMPTY :", "false ? EMPTY :"),
    ("greedy/rows.js", "this.#value[own] + changed", "this.#value[own]"),
]
"""Changes of the viewer's modules: the file, a text in it, and what stands there instead."""


@cache
def few_games() -> tuple[GameRecord, ...]:
    """Games in which every change that is planted shows."""
    frozen = [
        record for path in FROZEN if "french" in path.name or "timeouts" in path.name for record in records_of(path)
    ]
    limited = RuleSet(initial_flips=8, max_turns_per_seat=3, max_rounds=1)
    return (*frozen, *laid_records(), house_game(limited, 3, 7))


def with_change(folder: Path, module: str, text: str, instead: str) -> str:
    """A copy of the viewer's modules with one change, and of the program that asks them."""
    program, modules = folder / HERE.relative_to(ROOT) / "analyse.mjs", folder / viewer.FOLDER.relative_to(ROOT)
    shutil.copytree(viewer.FOLDER, modules)
    program.parent.mkdir(parents=True)
    shutil.copy(HERE / program.name, program)
    changed = modules / "game" / module
    source = changed.read_text(encoding="utf-8")
    assert source.count(text) == 1
    changed.write_text(source.replace(text, instead), encoding="utf-8")
    return str(program)


@pytest.mark.parametrize(("module", "text", "instead"), PLANTED)
def test_a_planted_change_is_found(module: str, text: str, instead: str, tmp_path: Path) -> None:
    program = with_change(tmp_path, module, text, instead)
    assert disagreed(few_games(), program) != []
