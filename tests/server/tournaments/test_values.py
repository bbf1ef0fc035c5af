"""Shapes that cannot be played are refused, with the member that is wrong and the way out."""

from __future__ import annotations

from typing import Any

import pytest

from skyjo_server.tournaments.values import Format, InvalidShape, Sequential, Shape, point_units


@pytest.mark.parametrize("format_", Format)
def test_the_defaults_of_every_format_can_be_played(format_: Format) -> None:
    assert Shape(format=format_).boards % Shape(format=format_).table_size == 0


@pytest.mark.parametrize(
    ("members", "wrong"),
    [
        ({"format": Format.SWISS, "table_size": 9}, "table_size"),
        ({"format": Format.SWISS, "table_size": 1}, "table_size"),
        ({"format": Format.SWISS, "boards": 0}, "boards"),
        ({"format": Format.SWISS, "boards": 3}, "boards"),
        ({"format": Format.SWISS, "rounds": 0}, "rounds"),
        ({"format": Format.SWISS, "entries_max": 1}, "entries_max"),
        ({"format": Format.SWISS, "entries_per_owner": 0}, "entries_per_owner"),
        ({"format": Format.SWISS, "tables_at_once": 0}, "tables_at_once"),
        ({"format": Format.LADDER, "duplicate": True}, "duplicate"),
        ({"format": Format.LADDER, "boards": 10}, "games_at_once"),
        ({"format": Format.LADDER, "tables_at_once": 1}, "tables_at_once"),
        ({"format": Format.KNOCKOUT, "table_size": 3, "boards": 3}, "table_size"),
        ({"format": Format.KNOCKOUT, "rounds": 3}, "rounds"),
        ({"format": Format.GAUNTLET, "duplicate": True}, "duplicate"),
        ({"format": Format.ROUND_ROBIN, "tables_max": 0}, "tables_max"),
        ({"format": Format.ROUND_ROBIN, "table_size": 3, "sequential": Sequential()}, "sequential"),
    ],
)
def test_a_shape_that_cannot_be_played_names_the_member_that_is_wrong(members: dict[str, Any], wrong: str) -> None:
    with pytest.raises(InvalidShape, match=wrong) as refused:
        Shape(**members)
    assert refused.value.member == wrong


@pytest.mark.parametrize(
    "members", [{"low": 10.0}, {"high": float("inf")}, {"low": float("nan")}, {"alpha": 0.0}, {"beta": 0.5}]
)
def test_a_sequential_test_that_could_decide_nothing_is_refused(members: dict[str, Any]) -> None:
    with pytest.raises(InvalidShape):
        Sequential(**members)


def test_equal_sums_are_equal_whatever_they_were_added_up_from() -> None:
    assert point_units([0.1] * 10) == point_units([1.0]) == point_units([2 / 3, 1 / 3])
