"""The guide at /docs/guide: the Markdown pages of `docs/`, each rendered when it is first asked for.

It has no words of its own. An installed package brings the pages along in its folder `pages`; in a working copy they
are read where they are written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

GUIDE_PATH: Final = "/docs/guide"
STYLE_PATH: Final = f"{GUIDE_PATH}/guide.css"

NAVIGATION: Final[Mapping[str, str]] = {
    "index": "Home",
    "quickstart-bot": "Bot author",
    "quickstart-organiser": "Organiser",
    "quickstart-frontend": "Frontend author",
    "quickstart-replayer": "Replayer",
    "protocol": "Protocol",
    "tournaments": "Tournaments",
    "errors": "Error catalogue",
    "rules": "Rules",
    "formats": "Formats and archives",
    "ratings": "Scores and ratings",
    "luck": "Luck",
    "house-bots": "House bots",
    "files": "File formats",
    "viewer": "The page to watch",
    "sdk": "Python SDK",
    "operating": "Operating guide",
    "scale": "More than one machine",
    "storage": "Storage that lasts",
    "performance": "Performance",
}
"""Every page in order, by the name of its file, and what it is called in the navigation."""

FRAME: Final = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · Skyjo Arena</title>
<link rel="stylesheet" href="/docs/guide/guide.css">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
</head>
<body>
<nav aria-label="Pages"><ul>
{links}
<li><a href="/docs">API reference</a></li>
</ul></nav>
<main>
{content}</main>
</body>
</html>
"""

STYLE: Final = """\
:root { color-scheme: light dark; font: 16px/1.55 system-ui, sans-serif; }
body { display: flex; flex-wrap: wrap; gap: 2rem; max-width: 75rem; margin: 0 auto; padding: 1.5rem; }
nav { flex: 0 0 11rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li { margin: 0.3rem 0; }
main { flex: 1 1 30rem; min-width: 0; }
h1 { margin-top: 0; }
a[aria-current] { font-weight: bold; text-decoration: none; }
pre { overflow-x: auto; padding: 0.8rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
code { font: 0.9em ui-monospace, monospace; }
table { display: block; overflow-x: auto; border-collapse: collapse; }
th, td { padding: 0.3rem 0.7rem; text-align: left; vertical-align: top; }
th, td { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
"""

_MARKDOWN: Final = MarkdownIt("commonmark").enable("table")


def files() -> dict[str, tuple[Callable[[], str], str]]:
    """Everything that the guide serves, by path: what gives its text, and its media type."""
    pages = {address(name): (partial(page, name), "text/html; charset=utf-8") for name in NAVIGATION}
    return {**pages, STYLE_PATH: (lambda: STYLE, "text/css; charset=utf-8")}


def address(name: str) -> str:
    """Where a page is.

    >>> address("index"), address("rules")
    ('/docs/guide', '/docs/guide/rules')
    """
    return GUIDE_PATH if name == "index" else f"{GUIDE_PATH}/{name}"


@cache
def page(name: str) -> str:
    """A page in its frame."""
    markdown = (_folder() / f"{name}.md").read_text(encoding="utf-8")
    return FRAME.format(title=escape(NAVIGATION[name]), links=_links(name), content=render(markdown))


def render(markdown: str) -> str:
    r"""Render a page's Markdown: headings get anchors, links to other pages lead to where these are served.

    >>> render("## One move")
    '<h2 id="one-move">One move</h2>\n'
    >>> render("[x](rules.md#options)")
    '<p><a href="/docs/guide/rules#options">x</a></p>\n'
    """
    tokens = _MARKDOWN.parse(markdown)
    # The pages hold no HTML but remarks, which are not for readers.
    kept = [token for token in tokens if token.type != "html_block"]
    for token, following in pairwise(kept):
        if token.type == "heading_open":
            token.attrSet("id", anchor(following.content))
    for token in kept:
        _lead_links(token)
    return str(_MARKDOWN.renderer.render(kept, _MARKDOWN.options, {}))


def anchor(heading: str) -> str:
    """The anchor of a heading, as the published site makes it.

    >>> anchor("Clocks and `downtime`")
    'clocks-and-downtime'
    """
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())


def _lead_links(token: Token) -> None:
    for child in token.children or ():
        target = str(child.attrs.get("href", ""))
        name, mark, rest = target.partition(".md")
        if child.type == "link_open" and mark and name in NAVIGATION:
            child.attrSet("href", address(name) + rest)


def _links(current: str) -> str:
    def link(name: str, title: str) -> str:
        here = ' aria-current="page"' if name == current else ""
        return f'<li><a href="{address(name)}"{here}>{escape(title)}</a></li>'

    return "\n".join(link(name, title) for name, title in NAVIGATION.items())


def _folder() -> Path:
    installed = Path(__file__).with_name("pages")
    return installed if installed.is_dir() else Path(__file__).parents[3] / "docs"
