"""The tokens of bots that were registered from here: a file each, for its user alone, so that a bot can come back."""

from __future__ import annotations

import tempfile
from hashlib import sha256
from pathlib import Path

from platformdirs import user_data_path


def token_file(url: str, name: str) -> Path:
    """Where the token of a bot is kept; the file's name follows from the service's address and the bot's name."""
    mark = sha256(f"{url.rstrip('/')}\n{name}".encode()).hexdigest()[:32]
    return user_data_path("skyjo-arena") / "bots" / f"{mark}.token"


def kept_token(url: str, name: str) -> str | None:
    """The token that is kept for a bot; None if there is none that can be read."""
    try:
        return token_file(url, name).read_text(encoding="ascii").strip() or None
    except (OSError, UnicodeDecodeError):
        return None


def keep_token(url: str, name: str, token: str) -> bool:
    """Keep a bot's token, in place of an older one; says whether that could be done."""
    file = token_file(url, name)
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # A temporary file is its owner's alone from the beginning.
        with tempfile.NamedTemporaryFile("w", encoding="ascii", dir=file.parent, delete=False) as written:
            written.write(f"{token}\n")
        Path(written.name).replace(file)
    except OSError:
        return False
    return True
