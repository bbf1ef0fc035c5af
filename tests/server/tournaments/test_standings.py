"""Standings: tallies add up in any order, ties are broken by the stated rules, and nothing else decides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyjo_server.tournaments.crosstable import Crosstable, crosstable, encounters
from skyjo_server.tournaments.scoring import SeatScore, score_board
from skyjo_server.tournaments.standings import TieBreak, ranked
from skyjo_server.tournaments.tally import Moments, Tally, from_numbers, to_numbers
from skyjo_server.tournaments.values import Cause, Format, Scoring, Shape, Table, TableResult
from tests.server.tournaments.results import boards, ended, played, results

ROUND_ROBIN = Shape(format=Format.ROUND_ROBIN)
SWISS = Shape(format=Format.SWISS)


@st.composite
def meetings(draw: st.DrawFn) -> list[TableResult]:
    """Tables of two or three between a few entries, each with a deal of its own."""
    size = draw(st.integers(2, 3))
    pairs = draw(st.lists(st.permutations(range(5)), max_size=12))
    return [draw(results(Table(0, number, None, tuple(pair[:size])))) for number, pair in enumerate(pairs)]


def tallies_of(tables: Sequence[TableResult], entries: int = 5) -> dict[int, Tally]:
    found = {entry: Tally() for entry in range(entries)}
    for result in tables:
        by_entry: dict[int, list[SeatScore]] = defaultdict(list)
        for score in score_board([result]):
            by_entry[score.entry].append(score)
        for entry, scores in by_entry.items():
            found[entry] += Tally.of(scores)
    return found


def met_in(tables: Sequence[TableResult]) -> Crosstable:
    return crosstable(encounter for result in tables for encounter in encounters(result))


@given(meetings(), st.randoms(use_true_random=False), st.sampled_from(Format), st.sampled_from(Scoring))
def test_the_order_of_games_and_of_entries_changes_no_row(
    tables: list[TableResult], chance: Random, format_: Format, scoring: Scoring
) -> None:
    mixed = list(tables)
    chance.shuffle(mixed)
    shape = Shape(format=format_, scoring=scoring)
    rows = ranked(shape, tallies_of(tables), met=met_in(tables))
    turned = dict(reversed(tallies_of(mixed).items()))
    assert ranked(shape, turned, met=met_in(mixed)) == rows
    assert [row.place for row in rows] == [1, 2, 3, 4, 5]
    assert sorted(row.entry for row in rows) == [0, 1, 2, 3, 4]


@given(meetings(), st.sampled_from([format_ for format_ in Format if format_ is not Format.KNOCKOUT]))
def test_nobody_stands_above_a_better_score(tables: list[TableResult], format_: Format) -> None:
    rows = ranked(Shape(format=format_), tallies_of(tables), met=met_in(tables))
    scores = [-1.0 if row.score is None else row.score for row in rows]
    assert scores == sorted(scores, reverse=True)


@given(boards())
def test_a_tally_survives_storage_and_counts_what_was_scored(tables: list[TableResult]) -> None:
    for score in score_board(tables):
        tally = Tally.of([score])
        assert from_numbers(to_numbers(tally)) == tally
        assert tally.tables == (score.halves is not None) == sum(tally.seats)
        assert tally.compared == (score.points is not None)
        assert sum(tally.causes) == tally.count(score.cause) == 1


@given(st.lists(st.lists(st.integers(-300, 300), min_size=1, max_size=4), min_size=2, max_size=30))
def test_an_interval_holds_the_mean_and_closes_where_nothing_varies(blocks: list[list[int]]) -> None:
    moments = sum((Moments.of(block) for block in blocks), Moments())
    interval = moments.interval(1)
    assert interval is not None
    mean = moments.s / moments.n
    assert interval.low <= mean + 1e-9
    assert mean <= interval.high + 1e-9
    if len({value for block in blocks for value in block}) == 1:
        assert interval == pytest.approx((mean, mean))


@given(meetings())
def test_a_share_of_match_points_lies_between_none_and_all_of_them(tables: list[TableResult]) -> None:
    for tally in tallies_of(tables).values():
        interval = tally.interval(Scoring.RANKS, 3)
        assert interval is None or 0 <= interval.low <= interval.high <= 1


def test_below_two_boards_there_is_no_interval() -> None:
    assert Moments.of([3, 4]).interval(1) is None
    assert Moments.of([]) == Moments()


def test_of_two_with_the_same_score_who_won_their_encounter_stands_first() -> None:
    tables = [
        played(0, (1, 0), (10, 20)), played(1, (0, 2), (10, 20)), played(2, (0, 3), (10, 20)),
        played(3, (2, 1), (10, 20)), played(4, (1, 3), (10, 20)), played(5, (3, 2), (10, 20)),
    ]  # fmt: skip
    rows = ranked(ROUND_ROBIN, tallies_of(tables, 4), met=met_in(tables))
    assert [(row.entry, row.score, row.decided_by) for row in rows] == [
        (1, 2 / 3, None),
        (0, 2 / 3, TieBreak.DIRECT),
        (3, 1 / 3, TieBreak.SCORE),
        (2, 1 / 3, TieBreak.DIRECT),
    ]


def test_in_swiss_a_bye_is_worth_a_win_at_each_of_its_tables_and_counts_as_an_opponent_like_oneself() -> None:
    tallies = tallies_of([played(0, (0, 1), (10, 20)), played(1, (1, 0), (10, 20))], 3)
    tallies[2] += Tally.bye(2)
    rows = ranked(SWISS, tallies, met=met_in([played(0, (0, 1), (10, 20)), played(1, (1, 0), (10, 20))]))
    assert [(row.entry, row.score, row.buchholz) for row in rows] == [(2, 2.0, 2.0), (0, 1.0, 1.0), (1, 1.0, 1.0)]


def test_the_winner_of_a_knockout_stands_first_whatever_others_scored_on_their_way() -> None:
    shape = Shape(format=Format.KNOCKOUT)
    tallies = {0: Tally.bye(2), 1: Tally(), 2: Tally.bye(5), 3: Tally()}
    rows = ranked(shape, tallies, stages={0: 2, 1: 0, 2: 1, 3: 0}, lots=[3, 1])
    assert [(row.entry, row.decided_by) for row in rows] == [
        (0, None), (2, TieBreak.STAGE), (3, TieBreak.STAGE), (1, TieBreak.LOTS),
    ]  # fmt: skip


def test_an_event_without_a_single_game_has_standings_by_lots() -> None:
    rows = ranked(ROUND_ROBIN, {0: Tally(), 1: Tally()}, lots=[1, 0])
    assert [(row.entry, row.score, row.interval) for row in rows] == [(1, None, None), (0, None, None)]
    assert ranked(ROUND_ROBIN, {}) == ()


def test_the_scores_of_several_entries_make_no_tally() -> None:
    with pytest.raises(ValueError, match="several entries"):
        Tally.of(score_board([played(0, (1, 2), (1, 2))]))


@given(meetings())
def test_the_crosstable_is_the_same_from_both_sides(tables: list[TableResult]) -> None:
    cells = met_in(tables)
    for entry, row in cells.items():
        for other, cell in row.items():
            assert cells[other][entry] == cell.mirrored
            assert 0 <= cell.share <= 1
            assert cell.mirrored.mirrored == cell


@given(meetings())
def test_the_crosstable_of_tables_of_two_adds_up_to_the_tallies(tables: list[TableResult]) -> None:
    pairs = [result for result in tables if len(result.table.seats) == 2]
    cells = met_in(pairs)
    for entry, tally in tallies_of(pairs).items():
        assert sum(cell.halves for cell in cells.get(entry, {}).values()) == tally.halves.s
        assert sum(cell.tables for cell in cells.get(entry, {}).values()) == tally.tables


def test_a_margin_leaves_out_tables_that_one_of_the_two_left() -> None:
    left = ended(Table(0, 0, None, (0, 1, 2)), (5, 90, 40), (Cause.FINISHED, Cause.FORFEIT, Cause.FINISHED))
    cells = met_in([left])
    assert [(cells[0][1].halves, cells[0][1].margin), (cells[0][2].halves, cells[0][2].margin)] == [(2, 0), (2, 35)]
