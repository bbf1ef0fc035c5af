"""Adding up floats in the same way on every version of Python, so that a bot plays the same games on all of them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import add


def total(values: Iterable[float]) -> float:
    """The values added one after another, each sum rounded; the built-in one makes up for rounding from 3.12 on.

    >>> total([1e16, 1.0, -1e16])
    0.0
    """
    return reduce(add, values, 0.0)
