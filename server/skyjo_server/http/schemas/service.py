"""What the service says about itself."""

from __future__ import annotations

from skyjo_server.http.fields import Word
from skyjo_server.http.schemas.base import Answer


class Health(Answer):
    """The service is there."""

    status = Word(["ok"])
