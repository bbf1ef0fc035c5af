"""Where it is noted what is asked of each route. Asks nothing itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from tests.acceptance.leaks.sights import Sight
from tests.acceptance.leaks.worlds import Ask

Entry = Callable[[Sight], Iterable[Ask]]

ENTRIES: Final[dict[str, Entry]] = {}
"""What is asked of each route, by method and path as the OpenAPI document writes it."""


def entry(route: str) -> Callable[[Entry], Entry]:
    """Note what is asked of a route."""

    def note(asks: Entry) -> Entry:
        ENTRIES[route] = asks
        return asks

    return note
