"""How a round ends and what it scores: rules 20 to 25, 29."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyjo import Phase, RuleSet
from skyjo.facts import Flipped, Removed, RoundScored
from skyjo.scoring import final_scores
from tests.skyjo.tables import CLASSIC, FRENCH, Table, position, summing_to
from tests.strategies import SOME, PlayedGame, games, rule_sets

PLAIN = "(1) (2) (3) (4) / 5 6 7 8 / 9 10 11 12"
OTHER = "(4) (3) (2) (1) / 12 11 10 9 / 8 7 6 5"
LAST_HIDDEN = "(1) 2 3 4 / 5 6 7 8 / 9 10 11 12"
LOW = "(1) 2 3 4 / 1 0 0 0 / 5 0 0 0"
NEVER = RuleSet(final_removal="never")


def test_a_seat_with_no_hidden_card_left_ends_the_round() -> None:
    assert position(LAST_HIDDEN, OTHER).play("take a1").state.ender == 0
    assert position(LAST_HIDDEN, OTHER).play("take b1").state.ender is None
    assert position(LAST_HIDDEN, OTHER, hand=5).play("reject a1").state.ender == 0


def test_hidden_cards_are_counted_after_removal_and_an_empty_grid_ends_the_round_too() -> None:
    table = position("7 . . . / 7 . . . / (7) . . .", OTHER, hand=5).play("reject a3")
    assert table.state.grids[0].held == 0
    assert table.state.ender == 0


def test_a_second_seat_without_hidden_cards_in_the_last_lap_is_not_the_ender() -> None:
    table = position(LAST_HIDDEN, LAST_HIDDEN, PLAIN).play("take a1", "take a1")
    assert table.state.ender == 0
    table.play("take a1")
    assert [scored.ender for scored in table.facts(RoundScored)] == [0]


@pytest.mark.parametrize("seats", range(2, 9))
def test_every_other_seat_plays_exactly_one_more_turn_wrapping_past_seat_0(seats: int) -> None:
    for ender in (0, 1, seats - 1):
        grids = ["-1 (0) 0 0 / 0 -1 0 1 / 1 0 (1) 0"] + ["1 (2) 3 4 / 5 (6) 7 8 / 9 10 11 12"] * (seats - 1)
        grids[0], grids[ender] = grids[ender], grids[0]
        grids[ender] = grids[ender].replace("(", "").replace(")", "").replace("-1", "(-1)", 1)
        table = position(*grids, turn=ender, rules=RuleSet(remove_columns=False))
        table.play_out()
        actors = [event.seat for event in table.events]
        assert actors == [(ender + step) % seats for step in range(seats) for _ in range(2)]


def test_hidden_cards_stay_hidden_until_the_lap_is_over_and_are_then_turned_together() -> None:
    table = position(LAST_HIDDEN, OTHER, PLAIN).play("take a1", "take a1")
    assert table.view().seats[1].hidden_places == (3, 6, 9)
    assert table.facts(Flipped) == []
    table.play("take a1")
    shown = [(fact.seat, str(fact.place), fact.card) for fact in table.facts(Flipped)]
    assert shown == [(1, "b1", 3), (1, "c1", 2), (1, "d1", 1), (2, "b1", 2), (2, "c1", 3), (2, "d1", 4)]


def test_the_facts_of_a_rounds_end_stand_in_the_order_in_which_they_happen() -> None:
    table = position(LAST_HIDDEN, "9 8 (3) 0 / (9) (8) 2 5 / (9) (8) 3 6", draws="5 5").play_out()
    kinds = [type(fact).__name__ for fact in table.events[-1].facts]
    assert kinds == ["Discarded", *["Flipped"] * 5, "Removed", "Removed", "RoundScored", "GameEnded"]


COLUMN_AT_THE_END = "9 1 2 3 / (9) (4) 5 6 / (9) (7) 8 10"
BELOW_ZERO = "-1 1 2 3 / (-1) (4) 5 6 / (-1) (7) 8 10"
ZEROS = "0 1 2 3 / (0) (4) 5 6 / (0) (7) 8 10"


@pytest.mark.parametrize(
    ("how", "grid", "goes"),
    [
        ("mandatory", COLUMN_AT_THE_END, True),
        ("mandatory", BELOW_ZERO, True),
        ("mandatory", ZEROS, True),
        ("beneficial", COLUMN_AT_THE_END, True),
        ("beneficial", BELOW_ZERO, False),
        ("beneficial", ZEROS, False),
        ("never", COLUMN_AT_THE_END, False),
        ("never", BELOW_ZERO, False),
    ],
)
def test_lines_at_the_final_reveal_go_as_the_option_says(how: str, grid: str, goes: bool) -> None:
    rules = RuleSet.from_dict({"final_removal": how})
    table = position(LAST_HIDDEN, grid, draws="5 5", rules=rules).play_out()
    card = int(grid.split(maxsplit=1)[0])
    assert [fact.card for fact in table.facts(Removed)] == [card] * goes
    assert table.scored.raw[1] == 46 + (0 if goes else 3 * card)


def test_in_a_turn_a_line_goes_whatever_the_final_option_says() -> None:
    table = position("-1 (2) (3) 4 / -1 6 0 8 / (-1) 10 11 12", OTHER, hand=5, rules=NEVER).play("reject a3")
    assert len(table.facts(Removed)) == 1


@pytest.mark.parametrize(
    ("rules", "lines"),
    [(RuleSet(remove_rows=True), 1), (RuleSet(remove_rows=True, final_removal="never"), 0), (CLASSIC, 0)],
)
def test_rows_go_at_the_final_reveal_where_they_are_enabled(rules: RuleSet, lines: int) -> None:
    table = position(LAST_HIDDEN, "4 4 4 (4) / (5) 6 7 8 / 9 10 11 12", rules=rules)
    table.play("draw", "reject a1", "draw", "reject a2")
    assert len(table.facts(Removed)) == lines


def test_an_empty_grid_scores_nothing_and_the_round_goes_on_to_its_end() -> None:
    table = position("7 . . . / 7 . . . / (7) . . .", OTHER, draws="5 5").play("draw", "reject a3").play_out()
    assert table.scored.raw == (0, 78)
    assert table.scored.final == (0, 78)


@pytest.mark.parametrize(
    ("raw", "rules", "final"),
    [
        ((10, 24, 10), CLASSIC, (20, 24, 10)),
        ((10, 24, 10), FRENCH, (10, 24, 10)),
        ((10, 24, 9), FRENCH, (20, 24, 9)),
        ((30, 30, 50), CLASSIC, (60, 30, 50)),
        ((9, 30, 50), CLASSIC, (9, 30, 50)),
        ((0, -3, 5), CLASSIC, (0, -3, 5)),
        ((-1, -5, 5), CLASSIC, (-1, -5, 5)),
        ((-1, -5, 5), RuleSet(double_non_positive=True), (-2, -5, 5)),
        ((-5, -5, 5), RuleSet(double_non_positive=True), (-10, -5, 5)),
        ((-5, -5, 5), RuleSet(double_non_positive=True, double_on_tie=False), (-5, -5, 5)),
        ((-6, -5, 5), RuleSet(double_non_positive=True), (-6, -5, 5)),
        ((10, 24, 10), RuleSet(ender_multiplier=3), (30, 24, 10)),
        ((10, 24, 10), RuleSet(ender_multiplier=1), (10, 24, 10)),
    ],
)
def test_the_enders_score_is_multiplied_as_the_options_say(
    raw: tuple[int, ...], rules: RuleSet, final: tuple[int, ...]
) -> None:
    table = position(*map(summing_to, raw), rules=rules).play_out()
    assert (table.scored.ender, table.scored.raw, table.scored.final) == (0, raw, final)
    assert final_scores(rules, raw, 0) == final


@given(st.lists(st.integers(-17, 140), min_size=2, max_size=8), st.integers(0, 7), rule_sets())
def test_only_the_ender_is_multiplied_and_it_compares_itself_with_all_others(
    raw: list[int], seat: int, rules: RuleSet
) -> None:
    ender = seat % len(raw)
    others = [score for other, score in enumerate(raw) if other != ender]
    beaten = raw[ender] > min(others) or (raw[ender] == min(others) and rules.double_on_tie)
    times = rules.ender_multiplier if beaten and (raw[ender] > 0 or rules.double_non_positive) else 1
    expected = [score * times if other == ender else score for other, score in enumerate(raw)]
    assert list(final_scores(rules, raw, ender)) == expected
    assert list(final_scores(rules, raw, None)) == raw


def stalled(limit: int, turns: list[int], ender: int | None = None, **more: object) -> Table:
    """Two seats of which the first is on move."""
    rules = RuleSet.from_dict({"max_turns_per_seat": limit} | more)
    return position(PLAIN, OTHER, rules=rules, turns=turns, ender=ender, draws="5 5 5")


def test_a_round_is_truncated_when_a_seat_finishes_its_last_allowed_turn_and_nobody_has_ended_it() -> None:
    table = stalled(3, [2, 1]).play("draw")
    assert table.state.rounds == ()
    table.play("keep d3")
    assert table.scored == RoundScored(1, (71, 78), (71, 78), (71, 78), None, truncated=True)
    assert table.state.round == 2


@pytest.mark.parametrize("action", ["take a1", "keep a1", "reject a1"])
def test_any_end_of_the_last_allowed_turn_truncates(action: str) -> None:
    table = stalled(1, [0, 0])
    if not action.startswith("take"):
        table.play("draw")
    assert table.play(action).scored.truncated


def test_the_turn_limit_is_each_seats_own() -> None:
    table = stalled(3, [1, 2]).play("take d3")
    assert table.state.rounds == ()
    assert table.play("take d3").scored.truncated


def test_a_truncated_round_turns_up_everything_removes_lines_and_doubles_nobody() -> None:
    rules = RuleSet(max_turns_per_seat=1)
    table = position("7 (2) 3 4 / (7) 6 7 8 / (7) 10 11 12", OTHER, rules=rules).play("take d3")
    assert len(table.facts(Flipped)) == 3 + 4
    assert [fact.card for fact in table.facts(Removed)] == [7]
    assert table.scored.raw == table.scored.final
    assert table.scored.ender is None


def test_the_last_allowed_turn_may_still_end_the_round_and_then_the_lap_is_played() -> None:
    rules = RuleSet(max_turns_per_seat=1)
    table = position(LAST_HIDDEN, OTHER, PLAIN, rules=rules, turns=[0, 0, 0]).play("take a1")
    assert (table.state.ender, table.state.rounds) == (0, ())
    table.play("take a1", "take a1")
    assert (table.scored.ender, table.scored.truncated) == (0, False)


def test_a_last_lap_that_has_begun_is_played_to_its_end_past_the_limit() -> None:
    table = stalled(3, [2, 3], ender=1, final_removal="never").play("take d3")
    assert (table.scored.ender, table.scored.truncated) == (1, False)


def test_without_the_limit_a_round_can_go_on_for_ever() -> None:
    rules = RuleSet(max_turns_per_seat=None)
    table = position(PLAIN, OTHER, rules=rules, turns=[5000, 5000]).play(*["take d3"] * 50)
    assert table.state.rounds == ()
    assert table.state.turns == (5025, 5025)


def test_the_limit_is_200_turns_unless_the_rules_say_otherwise() -> None:
    table = position(PLAIN, OTHER, turns=[198, 198]).play("take d3", "take d3")
    assert table.state.rounds == ()
    assert table.play("take d3").scored.truncated


@SOME
@given(games(rule_sets(max_turns_per_seat=1)))
def test_a_round_is_marked_truncated_exactly_when_it_has_no_ender(game: PlayedGame) -> None:
    for scored in game.state.rounds:
        assert scored.truncated == (scored.ender is None)
        assert not scored.truncated or scored.final == scored.raw


@SOME
@given(games())
def test_after_the_last_lap_a_new_round_or_the_games_end_follows_in_the_same_event(game: PlayedGame) -> None:
    for before, event, after in zip(game.states, game.events[1:], game.states[1:], strict=False):
        if any(isinstance(fact, RoundScored) for fact in event.facts):
            assert after.phase is Phase.OVER or after.round == before.round + 1
