"""Token secrets: how they are made, recognised offline and digested. Stores nothing."""

from __future__ import annotations

import hmac
import re
import secrets
import string
import zlib
from typing import Final

from skyjo_server.service.errors import Unauthenticated

PREFIX: Final = "skj_"
SHOWN_CHARACTERS: Final = 8

_ALPHABET: Final = string.digits + string.ascii_uppercase + string.ascii_lowercase
_RANDOM_CHARACTERS: Final = 30
_CHECK_CHARACTERS: Final = 6
_INSIDE: Final = re.compile(f"{PREFIX}[0-9A-Za-z]{{{_RANDOM_CHARACTERS + _CHECK_CHARACTERS}}}")


def new_secret() -> str:
    """A new token: ``skj_``, 30 random characters (178 bits), 6 characters of checksum."""
    body = "".join(secrets.choice(_ALPHABET) for _ in range(_RANDOM_CHARACTERS))
    return PREFIX + body + _checksum(body)


def derived_secret(pepper: bytes, key: str) -> str:
    """The token that belongs to a key: always the same, and nobody's guess without the key."""
    number = int.from_bytes(hmac.digest(pepper, b"skyjo-registration/1\0" + key.encode(), "sha256"), "big")
    body = ""
    for _ in range(_RANDOM_CHARACTERS):
        number, digit = divmod(number, len(_ALPHABET))
        body += _ALPHABET[digit]
    return PREFIX + body + _checksum(body)


def digest(pepper: bytes, secret: str) -> bytes:
    """The keyed hash under which a token is stored and looked up.

    Raises:
        Unauthenticated: if the text cannot be a token; the checksum tells without asking the database.
    """
    if not _is_well_formed(secret):
        raise Unauthenticated("the token is not well-formed: copy it whole, from 'skj_' to its last character")
    # Unlike hmac.digest this keeps the interpreter's lock, which a busy process takes long to get back.
    return hmac.new(pepper, secret.encode(), "sha256").digest()


def holds_token(text: str) -> bool:
    """Say whether a token stands anywhere in a text, known or not: such a text must be kept and shown nowhere."""
    return PREFIX in text and any(map(_is_well_formed, _INSIDE.findall(text)))


def without_tokens(text: str) -> str:
    """A text with whatever looks like a token cut down to the part that may be shown."""
    return _INSIDE.sub(lambda found: f"{shown_prefix(found[0])}…", text) if PREFIX in text else text


def shown_prefix(secret: str) -> str:
    """The part of a token that may be shown, to tell tokens apart."""
    return secret[: len(PREFIX) + SHOWN_CHARACTERS]


def _is_well_formed(secret: str) -> bool:
    body, check = secret[len(PREFIX) : -_CHECK_CHARACTERS], secret[-_CHECK_CHARACTERS:]
    well_formed = secret.isascii() and secret.startswith(PREFIX) and len(body) == _RANDOM_CHARACTERS
    return well_formed and hmac.compare_digest(_checksum(body), check)


def _checksum(body: str) -> str:
    value, text = zlib.crc32(body.encode()), ""
    for _ in range(_CHECK_CHARACTERS):
        value, digit = divmod(value, len(_ALPHABET))
        text = _ALPHABET[digit] + text
    return text
