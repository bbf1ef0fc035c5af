"""The page at / that watches and replays games: its files, from this process alone. Knows nothing of any game.

The files lie in the folder `page`, as a browser reads them: there is no step that builds them. What the page shows, it
asks of the same operations as every other client.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from flask import Flask, Response

from skyjo_server.http.answers import public_answer

PAGE_PATH: Final = "/"
FILES_PATH: Final = "/viewer"
FOLDER: Final = Path(__file__).with_name("page")

# With `require-trusted-types-for`, the browser itself refuses to read a text as HTML anywhere but in the templates of
# the library lit-html, which hold no data; so a player's name can be nothing but text.
POLICY: Final = (
    "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types lit-html skyjo-viewer"
)
"""The Content-Security-Policy of the page: it can load nothing from elsewhere, run no text, and be in no frame."""

MEDIA_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".LICENSE": "text/plain; charset=utf-8",
}
"""What is served, by the ending of a file's name."""

_HEADERS: Final = {"Content-Security-Policy": POLICY, "Referrer-Policy": "no-referrer"}


def register(app: Flask) -> None:
    """Serve the page and all that it loads."""
    app.add_url_rule(PAGE_PATH, "viewer", partial(_answer, FOLDER / "index.html"))
    for path in files():
        name = path.relative_to(FOLDER).as_posix()
        # Flask takes dots in the name of an endpoint for those of a blueprint.
        endpoint = f"viewer-{name}".replace("/", "-").replace(".", "-")
        app.add_url_rule(f"{FILES_PATH}/{name}", endpoint, partial(_answer, path))


def files() -> Iterator[Path]:
    """Every file that the page is made of but the page itself, sorted."""
    for path in sorted(FOLDER.rglob("*")):
        if path.suffix in MEDIA_TYPES and path.suffix != ".html":
            yield path


def _answer(path: Path) -> Response:
    return public_answer(path.read_bytes(), MEDIA_TYPES[path.suffix], _HEADERS)
