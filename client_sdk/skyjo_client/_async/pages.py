"""A page of a list, which iterates over itself and the pages after it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

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
