# Written by client_sdk/generate_sync.py from client_sdk/skyjo_client/_async/pages.py.
"""A page of a list, which iterates over itself and the pages after it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from skyjo_client._sync.api import Api
from skyjo_client.exchange import Request, as_json
from skyjo_client.reading import Members

Item = TypeVar("Item")


class Fetch(Protocol[Item]):
    """Gets the page that a cursor points to."""

    def __call__(self, cursor: str, /) -> Page[Item]:
        """Ask for the page."""


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """Some items of a list. Iterating gives these, then asks for each page that follows, until there is none.

    Attributes:
        items: what this page holds.
        next_cursor: where the next page begins; None if this is the last.
    """

    items: tuple[Item, ...]
    next_cursor: str | None
    _fetch: Fetch[Item] = field(repr=False, compare=False)

    def next_page(self) -> Page[Item] | None:
        """The page after this one; None if this is the last."""
        return None if self.next_cursor is None else self._fetch(self.next_cursor)

    def __iter__(self) -> Iterator[Item]:
        page: Page[Item] | None = self
        while page is not None:
            yield from page.items
            page = page.next_page()


def page_of(
    api: Api,
    where: str,
    read: Callable[[Any], Item],
    query: Mapping[str, str | float | None],
    cursor: str | None = None,
) -> Page[Item]:
    """Ask for a page of a list.

    Args:
        api: the connection.
        where: the list's path.
        read: reads an item.
        query: what is asked for, by name; None is left out.
        cursor: where the page begins; None = at the beginning.
    """

    def read_page(data: object) -> Page[Item]:
        page = Members("Page", data)
        following = page.optional("next_cursor", page.text)
        return Page(page.items("items", read), following, partial(page_of, api, where, read, query))

    asked = {**query, "cursor": cursor}
    return api.send(Request("GET", where, as_json(read_page), query=asked, repeatable=True))
