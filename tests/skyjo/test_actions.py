"""Actions and their texts: reading and writing are each other's inverse, and nothing else is read."""

from __future__ import annotations

import re
from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyjo import ACTION_PATTERN, PLACES, Action, InvalidText, Place, Verb
from skyjo.actions import DRAW, KEEPS, REJECT, REJECTS, TAKES

FLIPS = st.lists(st.sampled_from(PLACES), min_size=1, max_size=11, unique=True).map(lambda places: Action.flip(*places))
ACTIONS = st.sampled_from((DRAW, REJECT, *TAKES, *KEEPS, *REJECTS)) | FLIPS
WORDS = ["draw", "take", "keep", "reject", "flip", "a1", "b2", "c3", "d1", "e1", "a4", "", "\n"]
NEARLY = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)

WIDE_ONE = "\uff11"
CYRILLIC_A = "\u0430"


@given(ACTIONS)
def test_an_action_reads_back_from_its_text_and_its_repr(action: Action) -> None:
    assert Action.parse(str(action)) == action
    assert eval(repr(action), {"Action": Action}) == action  # noqa: S307 - it is our own text
    assert deepcopy(action) == action
    assert hash(Action.parse(str(action))) == hash(action)


@given(ACTIONS)
def test_the_published_pattern_matches_every_action(action: Action) -> None:
    assert re.search(ACTION_PATTERN, str(action))


def test_actions_are_named_by_what_a_seat_does() -> None:
    made = (Action.draw(), Action.take("c2"), Action.keep("c2"), Action.reject(), Action.reject("c2"))
    assert [str(action) for action in made] == ["draw", "take c2", "keep c2", "reject", "reject c2"]
    assert str(Action.flip("b1", "a1")) == "flip b1 a1"
    assert Action.take(Place.parse("c2")) == Action.take("c2") == Action(Verb.TAKE, (PLACES[7],))


def test_the_order_of_flips_is_kept() -> None:
    assert Action.parse("flip b1 a1").places == (3, 0)
    assert Action.parse("flip b1 a1") != Action.parse("flip a1 b1")


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "draw ",
        " draw",
        "DRAW",
        "Draw",
        "draw a1",
        "take",
        "take  a1",
        "take a1 b1",
        "take a4",
        "take e1",
        "take A1",
        "keep",
        "keep a1 ",
        "reject a1 b1",
        "reject ",
        "flip",
        "flip ",
        "flip a1  b1",
        "flip a1 a1",
        "flip a1,b1",
        "pass",
        "take\ta1",
        "take a1\n",
        "flip a1 a2 a3 b1 b2 b3 c1 c2 c3 d1 d2 d3",
        "take a" + WIDE_ONE,
        "dr" + CYRILLIC_A + "w",
    ],
    ids=ascii,
)
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(InvalidText):
        Action.parse(text)


def test_a_long_text_is_refused_too() -> None:
    with pytest.raises(InvalidText):
        Action.parse("flip " + "a1 " * 10_000)


@given(NEARLY)
def test_a_text_is_read_exactly_when_it_matches_the_pattern_and_names_no_place_twice(text: str) -> None:
    words = text.split(" ")
    matches = re.fullmatch(ACTION_PATTERN.strip("^$"), text) is not None and len(set(words)) == len(words)
    try:
        read = str(Action.parse(text)) == text
    except InvalidText:
        read = False
    assert read == matches


def test_a_refusal_says_what_was_wrong_and_what_can_be_written() -> None:
    with pytest.raises(InvalidText, match="'pass' is not an action: write 'flip a1 b1', 'take c2', 'draw', 'keep c2'"):
        Action.parse("pass")
    with pytest.raises(InvalidText, match="'flip a1 a1' names a place twice"):
        Action.parse("flip a1 a1")
    with pytest.raises(InvalidText, match="'e9' is not a place"):
        Action.parse("flip a1 e9")


@pytest.mark.parametrize(
    ("verb", "places"),
    [
        (Verb.DRAW, PLACES[:1]),
        (Verb.TAKE, ()),
        (Verb.TAKE, PLACES[:2]),
        (Verb.KEEP, ()),
        (Verb.REJECT, PLACES[:2]),
        (Verb.TAKE, (7,)),
        (Verb.TAKE, ("c2",)),
    ],
)
def test_an_action_that_could_not_be_written_cannot_be_made(verb: Verb, places: tuple[Place, ...]) -> None:
    with pytest.raises(InvalidText, match=f"'{verb}' with "):
        Action(verb, places)
