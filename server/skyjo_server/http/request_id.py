"""The id of a request: the caller's own if it is a plain one, else drawn here. Logs nothing.

It is logged, so that one with a token in it is not plain.
"""

from __future__ import annotations

import re
import secrets
from typing import Any, Final

from skyjo_server.service.secrets import holds_token

HEADER: Final = "X-Request-Id"
PATTERN: Final = r"[A-Za-z0-9._-]{1,64}"

_VARIABLE: Final = "skyjo.request_id"
_PLAIN: Final = re.compile(PATTERN)


def request_id(environ: dict[str, Any]) -> str:
    """Give the id of the request with this WSGI environment; always the same for the same one."""
    known: str | None = environ.get(_VARIABLE)
    if known is None:
        sent = environ.get("HTTP_X_REQUEST_ID", "")
        known = environ[_VARIABLE] = sent if _PLAIN.fullmatch(sent) and not holds_token(sent) else secrets.token_hex(12)
    return known
