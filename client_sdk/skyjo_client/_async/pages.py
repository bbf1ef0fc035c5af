"""A page of a list, which iterates over itself and the pages after it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from skyjo_client._async.api import AsyncApi
from skyjo_client.exchange import Request, as_json
from skyjo_client.reading import Members

Item = TypeVar("Item")


class AsyncFetch(Protocol[Item]):
    """Gets the page that a cursor points to."""

    async def __call__(self, cursor: str, /) -> AsyncPage[Item]:
        """Ask for the page."""


@dataclass(frozen=True, slots=True)
class AsyncPage(Generic[Item]):
    """Some items of a list. Iterating gives these, then asks for each page that follows, until there is none.

    Attributes:
        items: what this page holds.
        next_cursor: where the next page begins; None if this is the last.
    """

    items: tuple[Item, ...]
    next_cursor: str | None
    _fetch: AsyncFetch[Item] = field(repr=False, compare=False)

    async def next_page(self) -> AsyncPage[Item] | None:
        """The page after this one; None if this is the last."""
        return None if self.next_cursor is None else await self._fetch(self.next_cursor)

    async def __aiter__(self) -> AsyncIterator[Item]:
        page: AsyncPage[Item] | None = self
        while page is not None:
            for item in page.items:
                yield item
            page = await page.next_page()


async def page_of(
    api: AsyncApi,
    where: str,
    read: Callable[[Any], Item],
    query: Mapping[str, str | float | None],
    cursor: str | None = None,
) -> AsyncPage[Item]:
    """Ask for a page of a list.

    Args:
        api: the connection.
        where: the list's path.
        read: reads an item.
        query: what is asked for, by name; None is left out.
        cursor: where the page begins; None = at the beginning.
    """

    def read_page(data: object) -> AsyncPage[Item]:
        page = Members("Page", data)
        following = page.optional("next_cursor", page.text)
        return AsyncPage(page.items("items", read), following, partial(page_of, api, where, read, query))

    asked = {**query, "cursor": cursor}
    return await api.send(Request("GET", where, as_json(read_page), query=asked, repeatable=True))
