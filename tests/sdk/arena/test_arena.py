"""Games between bots without a service: fair, repeatable, and the same wherever they are played."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skyjo import Action, Cause, Decision, RuleSet, read_jsonl, verify, write_jsonl
from skyjo_client import Arena, BotError, NamedBot, load_bot, standings
from tests.strategies import rule_sets

QUICK = RuleSet(max_rounds=1)
RANDOM = load_bot("random")


def first_legal(decision: Decision) -> Action:
    return decision.legal_actions[0]


def last_legal(decision: Decision) -> str:
    return str(decision.legal_actions[-1])


def stubborn(_decision: Decision) -> str:
    return "keep a1"


FIRST = NamedBot("first", bot=first_legal)
LAST = NamedBot("last", bot=last_legal)


def test_every_bot_takes_every_seat_in_turn() -> None:
    games = Arena([FIRST, LAST, RANDOM], rules=QUICK).play(6)
    assert [game.seats for game in games] == [
        ("first", "last", "random"),
        ("last", "random", "first"),
        ("random", "first", "last"),
    ] * 2


def test_the_same_seed_plays_the_same_games_and_another_seed_plays_others() -> None:
    def play(seed: str) -> list[object]:
        return list(Arena([RANDOM, RANDOM], seed=seed).play(4))

    assert play("a") == play("a")
    assert play("a") != play("b")


def test_the_deals_do_not_depend_on_who_plays() -> None:
    def deals(bots: list[NamedBot]) -> list[object]:
        games = Arena(bots, rules=QUICK, seed="deal").play(4, records=True)
        return [game.record.events[0].event.facts for game in games if game.record is not None]

    assert deals([FIRST, FIRST]) == deals([RANDOM, LAST])
    assert len(deals([FIRST, FIRST])) == 4


@pytest.mark.parametrize("workers", [1, 3])
def test_the_results_are_the_same_in_other_processes(workers: int) -> None:
    arena = Arena([RANDOM, RANDOM], rules=QUICK, seed="jobs")
    here = list(arena.play(20))
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as executor:
        assert list(arena.play(20, executor=executor)) == here


def test_any_executor_will_do() -> None:
    arena = Arena([FIRST, LAST], rules=QUICK)
    with ThreadPoolExecutor(2) as executor:
        assert list(arena.play(5, executor=executor)) == list(arena.play(5))


@settings(max_examples=25)
@given(rules=rule_sets(max_rounds=1, max_turns_per_seat=30), seats=st.integers(2, 8), seed=st.text(max_size=8))
def test_a_record_is_proved_and_read_back_whatever_the_rules(rules: RuleSet, seats: int, seed: str) -> None:
    (game,) = Arena([RANDOM] * seats, rules=rules, seed=seed).play(1, records=True)
    assert game.record is not None
    verify(game.record)
    assert list(read_jsonl(write_jsonl(game.record))) == [game.record]
    assert game.record.result.totals == game.totals
    assert game.actions == len(game.record.events) - 1


def test_a_bot_that_fails_ends_the_arena_and_is_named_with_its_game_and_version() -> None:
    with pytest.raises(BotError, match=r"stubborn: the bot chose 'keep a1', which is not legal in game \S+, version 0"):
        list(Arena([NamedBot("stubborn", bot=stubborn), FIRST]).play(1))


def test_a_bot_that_fails_may_instead_leave_its_game() -> None:
    stubborn_bot = NamedBot("stubborn", bot=stubborn)
    games = list(Arena([stubborn_bot, FIRST], on_bot_error="forfeit").play(2, records=True))
    assert [dict(zip(game.seats, game.ranks, strict=True)) for game in games] == [{"first": 1, "stubborn": 2}] * 2
    for game in games:
        assert game.record is not None
        verify(game.record)


def test_at_a_larger_table_the_others_play_on_and_the_seat_that_left_is_played_by_default() -> None:
    arena = Arena([FIRST, NamedBot("stubborn", bot=stubborn), LAST], rules=QUICK, on_bot_error="forfeit")
    for game in arena.play(3, records=True):
        assert dict(zip(game.seats, game.ranks, strict=True))["stubborn"] == 3
        assert game.record is not None
        verify(game.record)
        forced = [logged.event for logged in game.record.events if logged.event.cause is Cause.FORFEIT]
        assert {game.seats[event.seat] for event in forced if event.seat is not None} == {"stubborn"}
        assert forced[0].action is None
        assert len(forced) > 2


def test_bots_of_one_name_are_told_apart() -> None:
    assert [bot.name for bot in Arena([RANDOM, RANDOM, RANDOM]).bots] == ["random", "random-2", "random-3"]


@pytest.mark.parametrize("count", [0, 1, 9])
def test_a_table_has_two_to_eight_bots(count: int) -> None:
    with pytest.raises(ValueError, match="2 to 8"):
        Arena([RANDOM] * count)


def test_the_ranking_counts_shared_wins_in_parts_and_adds_up() -> None:
    games = list(Arena([RANDOM, RANDOM, FIRST], rules=QUICK, seed="ranking").play(30))
    ranking = standings(games)
    assert sum(row.wins for row in ranking) == pytest.approx(30)
    assert {row.games for row in ranking} == {30}
    for row in ranking:
        totals = [dict(zip(game.seats, game.totals, strict=True))[row.name] for game in games]
        assert row.mean_points == pytest.approx(sum(totals) / 30)
    assert [row.win_rate for row in ranking] == sorted((row.win_rate for row in ranking), reverse=True)
