"""Pages in a real browser: how they are opened, judged and photographed. Knows no game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from tests.house.tree import ROOT

PHONE: Final = (390, 844)
DESK: Final = (1280, 800)
PICTURES: Final = ROOT / "out" / "viewer"
"""Where pictures are put, for people to look at; nothing is compared with them."""

PATIENCE_MS: Final = 30_000
"""Many times what anything here takes, on a busy machine too."""

_ABSENT: Final = "Failed to load resource"
"""What the browser says of every answer that is an error, though the page expects it."""

Scheme = Literal["light", "dark"]

expect.set_options(timeout=PATIENCE_MS)


class Look:
    """Opens pages of one service in one browser."""

    def __init__(self, browser: Browser, url: str) -> None:
        self._browser = browser
        self.url = url

    @contextmanager
    def at(self, size: tuple[int, int], scheme: Scheme = "light") -> Iterator[Page]:
        """A page of a size, in a context of its own. Fails if the page throws, or breaks its policy."""
        width, height = size
        with self._browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce", base_url=self.url
        ) as context:
            context.set_default_timeout(PATIENCE_MS)
            page = context.new_page()
            wrong: list[str] = []
            page.on("pageerror", lambda error: wrong.append(str(error)))
            page.on("console", lambda message: wrong.extend(_complaint(message)))
            page.on("dialog", lambda dialog: wrong.append(f"a dialog: {dialog.message}"))
            yield page
            assert wrong == []

    def desk(self, scheme: Scheme = "light") -> Any:
        """A page on a desk."""
        return self.at(DESK, scheme)

    def phone(self, scheme: Scheme = "light") -> Any:
        """A page on a phone."""
        return self.at(PHONE, scheme)


def _complaint(message: ConsoleMessage) -> list[str]:
    complains = message.type in {"error", "warning"} and not message.text.startswith(_ABSENT)
    return [message.text] if complains else []


def judge(page: Page) -> None:
    """Fail if axe finds a barrier on the page as it is, or if it is wider than its window."""
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def photograph(page: Page, name: str) -> None:
    """Put a picture of the page where people can look at it."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"{name}.png")
