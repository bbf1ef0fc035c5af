"""Places of a grid and their names: rule 3."""

from __future__ import annotations

import pickle
from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyjo import PLACES, InvalidText, Place
from skyjo.places import PLACES_BY_ROW

NAMES = ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3", "d1", "d2", "d3"]
BY_ROW = ["a1", "b1", "c1", "d1", "a2", "b2", "c2", "d2", "a3", "b3", "c3", "d3"]
ARABIC_ONE = "\u0661"


def test_the_twelve_places_are_named_like_squares_column_by_column() -> None:
    assert [str(place) for place in PLACES] == NAMES
    assert [int(place) for place in PLACES] == list(range(12))


def test_default_flips_read_the_grid_row_by_row() -> None:
    assert [str(place) for place in PLACES_BY_ROW] == BY_ROW


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_a_place_knows_its_column_and_row_and_reads_back_from_its_texts(place: Place) -> None:
    assert str(place) == "abcd"[place.column] + "123"[place.row]
    assert Place.parse(str(place)) == place
    assert eval(repr(place), {"Place": Place}) == place  # noqa: S307 - it is our own text
    for copied in (pickle.loads(pickle.dumps(place)), deepcopy(place)):  # noqa: S301 - it is our own pickle
        assert (copied, type(copied), str(copied)) == (place, Place, str(place))


@pytest.mark.parametrize(
    "text",
    ["", "a", "1", "a0", "a4", "e1", "A1", " a1", "a1 ", "a11", "1a", "a" + ARABIC_ONE, None, 3, ["a1"]],
    ids=ascii,
)
def test_another_text_is_refused_with_the_text_and_what_would_be_right(text: object) -> None:
    with pytest.raises(InvalidText, match="is not a place: write a column a-d and a row 1-3, such as 'c2'") as refused:
        Place.parse(text)  # type: ignore[arg-type]  # whatever a caller may hand in
    assert repr(text) in str(refused.value)


@given(st.text(max_size=3))
def test_no_other_text_is_a_place(text: str) -> None:
    if text in NAMES:
        assert str(Place.parse(text)) == text
    else:
        with pytest.raises(InvalidText):
            Place.parse(text)


@pytest.mark.parametrize("index", [-1, 12, 100])
def test_an_index_that_no_grid_has_is_no_place(index: int) -> None:
    with pytest.raises(InvalidText, match=f"{index} is not a place: the indices are 0 to 11"):
        Place(index)
