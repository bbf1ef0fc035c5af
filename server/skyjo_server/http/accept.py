"""Which of several media types a client gets. Writes none of them."""

from __future__ import annotations

from flask import request

from skyjo_server.http.errors import NotAcceptable


def best_of(*offered: str) -> str:
    """The media type that the client likes best; a client that does not say gets the first.

    Raises:
        NotAcceptable: if it takes none of them.
    """
    accepted = request.accept_mimetypes
    if not accepted:
        return offered[0]
    media_type = accepted.best_match(offered)
    if media_type is None:
        raise NotAcceptable(str(accepted), list(offered))
    return media_type
