"""Known tables with known results, each played through the engine to its end.

Sources: OFF is the publisher's English manual, S3 the English guide; the others are worked examples of the rules.
"""

from __future__ import annotations

import doctest

import pytest

from skyjo import RuleSet
from skyjo.facts import Removed
from tests.skyjo import tables
from tests.skyjo.tables import position, summing_to

A = "(0) 2 1 -1 / 0 -2 1 3 / 5 3 0 -2"
B = "(1) 3 7 4 / -2 0 -1 0 / 1 0 12 -1"
C = "(2) -2 5 3 / 0 0 2 -1 / 2 -1 0 0"
LOSER = "(1) 2 3 4 / 5 6 7 8 / 9 10 11 12"
HIGH = "(12) 12 12 12 / 12 12 12 12 / 11 11 10 10"
HIGHEST = "(12) 12 12 12 / 12 12 12 12 / 11 11 11 11"


@pytest.mark.parametrize(("ended_by", "final"), [(0, (20, 24, 10)), (1, (10, 48, 10)), (2, (10, 24, 20))])
def test_off_the_example_of_10_24_and_10(ended_by: int, final: tuple[int, ...]) -> None:
    table = position(A, B, C, turn=ended_by, draws="9 9 9").play_out()
    assert (table.scored.ender, table.scored.raw, table.scored.final) == (ended_by, (10, 24, 10), final)


def test_s3_nine_cards_beside_an_emptied_column_count_24() -> None:
    table = position("7 (12) 7 1 / 7 5 2 -2 / (7) -1 0 0", LOSER, draws="9 9 9 9")
    table.play("draw", "reject a3", "draw", "reject a1").play_out()
    assert table.scored.raw == (24, 78)


@pytest.mark.parametrize(
    ("raw", "ender", "final"),
    [
        ((30, 30, 50), 0, (60, 30, 50)),
        ((-1, -5), 0, (-1, -5)),
        ((0, -3), 0, (0, -3)),
        ((24, 24), 1, (24, 48)),
        ((24, 24), 0, (48, 24)),
    ],
)
def test_what_the_enders_score_becomes(raw: tuple[int, ...], ender: int, final: tuple[int, ...]) -> None:
    table = position(*map(summing_to, raw), turn=ender).play_out()
    assert (table.scored.ender, table.scored.raw, table.scored.final) == (ender, raw, final)


def test_an_ender_on_seat_1_with_18_against_138_keeps_its_18() -> None:
    table = position(HIGH, summing_to(18), turn=1, draws="5 5").play_out()
    assert (table.scored.ender, table.scored.raw, table.scored.final) == (1, (138, 18), (138, 18))


def test_two_adjacent_columns_that_the_final_reveal_completes_both_go() -> None:
    table = position(LOSER, "9 8 (1) 0 / (9) (8) 2 5 / (9) (8) 3 6", draws="4 4").play_out()
    assert table.scored.raw[1] == 17
    assert [fact.card for fact in table.facts(Removed)] == [9, 8]
    assert set(table.facts(Removed)) <= set(table.events[-1].facts)


def test_with_the_rows_option_only_the_row_of_fours_goes() -> None:
    table = position("4 4 4 (4) / 1 2 3 5 / (1) 2 3 6", LOSER, hand=9, rules=RuleSet(remove_rows=True))
    table.play("reject d1")
    assert [(" ".join(map(str, fact.places)), fact.card) for fact in table.facts(Removed)] == [("a1 b1 c1 d1", 4)]
    revealed = position(LOSER, "4 4 4 (4) / 1 (2) 3 5 / (1) 2 3 6", draws="9 9", rules=RuleSet(remove_rows=True))
    revealed.play_out()
    assert [(len(fact.places), fact.card) for fact in revealed.facts(Removed)] == [(4, 4)]
    assert revealed.scored.raw[1] == 23


def test_clearing_three_twelves_puts_three_twelves_on_the_discards() -> None:
    table = position("12 (1) 2 3 / 12 4 5 6 / 7 8 9 10", LOSER, discard="0 12").play("take a3")
    assert table.state.discard_pile == (0, 7, 12, 12, 12)


def test_the_highest_and_lowest_raw_scores_can_be_had() -> None:
    highest = position(LOSER, HIGHEST, draws="5 5").play_out()
    assert highest.scored.raw[1] == 140
    lowest = position(LOSER, "(-2) -2 -2 -2 / -2 -1 -1 -1 / -1 -1 -1 -1", draws="5 5").play_out()
    assert lowest.scored.raw[1] == -17
    doubled = position(HIGHEST, A, draws="5 5").play_out()
    assert doubled.scored.final == (280, 10)


def test_the_examples_of_the_tables_themselves_are_true() -> None:
    failed, tried = doctest.testmod(tables)
    assert (failed, tried > 0) == (0, True)
