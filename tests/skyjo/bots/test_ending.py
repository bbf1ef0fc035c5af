"""What ending a round costs its ender, where what the others will score is all but sure."""

from __future__ import annotations

import pytest

from skyjo import RuleSet
from skyjo.bots.ending import Prospect, ender_cost, prospect
from skyjo.scoring import final_scores


@pytest.mark.parametrize("double_on_tie", [True, False])
@pytest.mark.parametrize("double_non_positive", [True, False])
@pytest.mark.parametrize("times", [1, 2, 3])
@pytest.mark.parametrize("raw", [-3, 0, 9, 10, 11])
def test_against_sure_scores_it_is_what_the_rules_score(
    double_on_tie: bool, double_non_positive: bool, times: int, raw: int
) -> None:
    rules = RuleSet(ender_multiplier=times, double_on_tie=double_on_tie, double_non_positive=double_non_positive)
    for others in ([10, 24], [-3, 10], [-5, 3]):
        sure = [Prospect(score, 0.01) for score in others]
        assert ender_cost(rules, raw, sure) == pytest.approx(final_scores(rules, [raw, *others], 0)[0])


def test_what_lies_face_down_makes_a_score_less_sure() -> None:
    assert prospect(10, 0).deviation < prospect(10, 1).deviation < prospect(10, 5).deviation
