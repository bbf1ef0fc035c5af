"""The options of a game: what each may be, and what is said about anything else."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyjo import PRESETS, InvalidRules, RuleSet
from skyjo.rules import BOUNDS, CHOICES, FLAGS, NULLABLE
from tests.strategies import rule_sets

NAMES = [field.name for field in fields(RuleSet)]
WORDS = {
    "initial_flip_choice": ["player", "random"],
    "first_starter": ["highest_sum", "lowest_seat", "random"],
    "starter_tie": ["lowest_seat", "random"],
    "next_starter": ["ender", "winner", "highest_sum", "rotate"],
    "flip_after_reject": ["required", "optional"],
    "final_removal": ["mandatory", "beneficial", "never"],
    "draw_streams": ["shared", "per_seat"],
}
"""The words as the rules name them."""

NO_FLAG: list[object] = [None, 0, 1, "", "yes", "true", 1.0, [], {}]
NO_WORD = [None, True, 0, "", "Player", "ENDER", " ender", "none", ["ender"], {"ender": 1}]
NO_NUMBER = [True, False, "2", "", 2.0, 2.5, float("nan"), float("inf"), [2], {}]


def refusal(**options: Any) -> InvalidRules:
    """How options are refused, the same by name and from a mapping."""
    with pytest.raises(InvalidRules) as by_name:
        RuleSet(**options)
    with pytest.raises(InvalidRules) as from_mapping:
        RuleSet.from_dict(options)
    assert str(by_name.value) == str(from_mapping.value)
    return by_name.value


def assert_says(refused: InvalidRules, name: str, value: object, wanted: str) -> None:
    assert refused.option == name
    assert str(refused) == f"{name} is {value!r}, but must be {wanted}"


def test_the_options_are_those_of_the_rules_and_each_is_of_one_kind() -> None:
    assert {*CHOICES, *FLAGS, *BOUNDS} == set(NAMES)
    assert len(CHOICES) + len(FLAGS) + len(BOUNDS) == len(NAMES)
    assert {name: list(words) for name, words in CHOICES.items()} == WORDS


def test_the_defaults_are_the_classic_game() -> None:
    assert RuleSet().to_dict() == {
        "initial_flips": 2,
        "initial_flip_choice": "player",
        "first_starter": "highest_sum",
        "starter_tie": "lowest_seat",
        "next_starter": "ender",
        "flip_after_reject": "required",
        "remove_columns": True,
        "remove_rows": False,
        "final_removal": "mandatory",
        "ender_multiplier": 2,
        "double_on_tie": True,
        "double_non_positive": False,
        "score_limit": 100,
        "max_rounds": None,
        "draw_streams": "shared",
        "max_turns_per_seat": 200,
    }
    assert RuleSet() == RuleSet.preset("classic") == RuleSet.from_dict({})


def test_french_differs_from_classic_in_four_options() -> None:
    classic, french = RuleSet.preset("classic").to_dict(), RuleSet.preset("french").to_dict()
    assert {name: french[name] for name in NAMES if french[name] != classic[name]} == {
        "next_starter": "winner",
        "flip_after_reject": "optional",
        "final_removal": "beneficial",
        "double_on_tie": False,
    }


@pytest.mark.parametrize(("name", "word"), [(name, word) for name, words in WORDS.items() for word in words])
def test_every_word_of_an_option_is_accepted(name: str, word: str) -> None:
    assert RuleSet.from_dict({name: word}).to_dict()[name] == word


@pytest.mark.parametrize("name", list(WORDS))
def test_anything_else_than_an_options_words_is_refused(name: str) -> None:
    for value in NO_WORD:
        if value not in WORDS[name]:
            assert_says(refusal(**{name: value}), name, value, "one of " + ", ".join(WORDS[name]))


@pytest.mark.parametrize("name", FLAGS)
def test_a_flag_is_true_or_false_and_nothing_that_resembles_it(name: str) -> None:
    assert [RuleSet.from_dict({name: value}).to_dict()[name] for value in (True, False)] == [True, False]
    for value in NO_FLAG:
        assert_says(refusal(**{name: value}), name, value, "true or false")


@pytest.mark.parametrize("name", list(BOUNDS))
def test_a_number_lies_within_its_bounds(name: str) -> None:
    low, high = BOUNDS[name]
    wanted = f"a whole number from {low} to {high}" + (", or none" if name in NULLABLE else "")
    for value in (low, low + 1, high - 1, high):
        assert RuleSet.from_dict({name: value}).to_dict()[name] == value
    for wrong in (low - 1, high + 1, -(10**40), 10**40, *NO_NUMBER, *([] if name in NULLABLE else [None])):
        assert_says(refusal(**{name: wrong}), name, wrong, wanted)


def test_first_flips_a_multiplier_and_limits_have_the_bounds_of_the_rules() -> None:
    assert BOUNDS["initial_flips"] == (0, 11)
    assert BOUNDS["ender_multiplier"][0] == 1
    assert set(NULLABLE) == {"score_limit", "max_rounds", "max_turns_per_seat"}


def test_a_game_that_would_never_end_is_refused() -> None:
    refused = refusal(score_limit=None, max_rounds=None)
    assert refused.option == "max_rounds"
    assert "score_limit and max_rounds are both none" in str(refused)
    assert RuleSet(score_limit=None, max_rounds=1).score_limit is None
    assert RuleSet(max_turns_per_seat=None).max_turns_per_seat is None


@pytest.mark.parametrize("name", ["", "initial_flip", "Initial_flips", "players", "seats", 7])
def test_an_unknown_option_is_refused_with_the_options_there_are(name: object) -> None:
    with pytest.raises(InvalidRules, match="is no option: the options are") as refused:
        RuleSet.from_dict({name: 1})  # type: ignore[dict-item]  # whatever a caller may hand in
    assert refused.value.option == str(name)
    assert repr(name) in str(refused.value)
    assert all(option in str(refused.value) for option in NAMES)


@pytest.mark.parametrize("name", ["", "Classic", "german", None, 1, ["classic"]])
def test_an_unknown_preset_is_refused_with_the_presets_there_are(name: object) -> None:
    with pytest.raises(InvalidRules, match="is no preset: choose one of classic, french") as refused:
        RuleSet.preset(name)  # type: ignore[arg-type]  # whatever a caller may hand in
    assert refused.value.option == "preset"


@given(rule_sets())
def test_rules_read_back_from_their_options_also_through_json(rules: RuleSet) -> None:
    assert RuleSet.from_dict(rules.to_dict()) == rules
    assert RuleSet.from_dict(json.loads(json.dumps(rules.to_dict()))) == rules
    assert list(rules.to_dict()) == NAMES


@given(rule_sets())
def test_rules_with_a_presets_options_have_its_name_and_others_their_canonical_json(rules: RuleSet) -> None:
    presets = [name for name, preset in PRESETS.items() if preset.to_dict() == rules.to_dict()]
    assert rules.name == (presets[0] if presets else None)
    if rules.name:
        assert rules.canonical_name == rules.name
    else:
        assert " " not in rules.canonical_name
        assert rules.canonical_name.isascii()
        assert list(json.loads(rules.canonical_name)) == sorted(NAMES)
        assert json.loads(rules.canonical_name) == rules.to_dict()


@given(rule_sets(), st.sampled_from(NAMES))
def test_rules_are_fixed_once_made(rules: RuleSet, name: str) -> None:
    with pytest.raises(FrozenInstanceError):
        setattr(rules, name, rules.to_dict()[name])


def test_presets_are_known_by_name() -> None:
    assert {name: rules.name for name, rules in PRESETS.items()} == {"classic": "classic", "french": "french"}
    assert RuleSet(initial_flips=3).name is None
