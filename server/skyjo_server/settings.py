"""The service's settings, read once from the environment and checked. Opens nothing."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from platformdirs import user_data_path

PEPPER_BYTES: Final = 32


class InvalidSetting(Exception):
    """A variable of the environment with a value that it cannot have. The message names it, and what would be right."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set; each field is read from `SKYJO_` and its name in capitals.

    Attributes:
        database_url: the PostgreSQL to use; None = the embedded one.
        data_dir: where the embedded PostgreSQL keeps its data; None = its own default.
        pepper: key of the tokens' hashes; it must be the same in every process, and is never in the database.
        workers: processes that answer requests.
        threads: threads of each process; more than `waiters`, so that those who wait never keep others from playing.
        waiters: requests of each process that may wait at once.
        followers: event streams of each process at once; threads of their own beside those of waiters.
        tables: games that each process keeps in memory.
        cors_origins: pages of these origins may call the API from a browser; none unless set, `*` = all.
        invitation: what registering a bot without a token takes; None = anybody may register.
        rate_limit: requests of one caller in ten seconds that each process answers, submissions of moves not counted;
            0 = no limit.
        compact_after: seconds after its end that a game becomes a transcript, a single row.
        receipt_days: days after the end of a game in which its idempotency keys are known.
        log_level: debug, info, warning or error.
    """

    pepper: bytes
    database_url: str | None = None
    data_dir: Path | None = None
    workers: int = 2
    threads: int = 608
    waiters: int = 400
    followers: int = 128
    tables: int = 4096
    cors_origins: tuple[str, ...] = ()
    invitation: str | None = None
    rate_limit: int = 3000
    compact_after: int = 3600
    receipt_days: int = 7
    log_level: str = "info"

    def __post_init__(self) -> None:
        if self.waiters + self.followers >= self.threads:
            raise InvalidSetting(
                f"SKYJO_WAITERS is {self.waiters}, SKYJO_FOLLOWERS is {self.followers} and SKYJO_THREADS is "
                f"{self.threads}: there must be more threads than both, or those who wait keep others from playing"
            )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """Read the settings.

        Raises:
            InvalidSetting: naming the variable and what it can be.
        """
        chosen = {
            name: _read(f"SKYJO_{name.upper()}", text, read)
            for name, read in _READERS.items()
            if (text := environment.get(f"SKYJO_{name.upper()}", "").strip())
        }
        if "pepper" not in chosen:
            chosen["pepper"] = _stored_pepper(_pepper_path(environment))
        return cls(**chosen)


def _read(variable: str, text: str, read: Callable[[str], Any]) -> Any:
    try:
        return read(text)
    except ValueError as error:
        raise InvalidSetting(f"{variable} is {text!r}: {error}") from error


def _between(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and low <= int(text) <= high):
            raise ValueError(f"it must be a whole number from {low} to {high}")
        return int(text)

    return read


def _origins(text: str) -> tuple[str, ...]:
    origins = tuple(origin.strip() for origin in text.split(",") if origin.strip())
    for origin in origins:
        if not re.fullmatch(r"\*|https?://[^/\s]+", origin):
            raise ValueError(f"{origin!r} is no origin: write 'https://name' or 'https://name:port', without a path")
    return origins


def _one_of(*words: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text.lower() not in words:
            raise ValueError(f"it must be one of {', '.join(words)}")
        return text.lower()

    return read


def _pepper(text: str) -> bytes:
    pepper = text.encode()
    if len(pepper) < PEPPER_BYTES:
        raise ValueError(f"it must have at least {PEPPER_BYTES} characters; 'openssl rand -hex 32' makes a good one")
    return pepper


def _pepper_path(environment: Mapping[str, str]) -> Path:
    chosen = environment.get("SKYJO_PEPPER_FILE", "").strip()
    return Path(chosen) if chosen else user_data_path("skyjo-arena") / "pepper"


def _stored_pepper(path: Path) -> bytes:
    """The pepper of this machine, made when it is first needed; whoever loses it must issue all tokens anew."""
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_hex(PEPPER_BYTES))
        try:
            os.link(draft, path)  # fails if another process was faster: then its pepper is the one
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return _pepper(path.read_text().strip())


_READERS: Final[dict[str, Callable[[str], Any]]] = {
    "pepper": _pepper,
    "database_url": str,
    "data_dir": Path,
    "workers": _between(1, 64),
    "threads": _between(2, 4096),
    "waiters": _between(1, 4095),
    "followers": _between(1, 4095),
    "tables": _between(1, 1_000_000),
    "cors_origins": _origins,
    "invitation": str,
    "rate_limit": _between(0, 1_000_000_000),
    "compact_after": _between(0, 1_000_000_000),
    "receipt_days": _between(0, 100_000),
    "log_level": _one_of("debug", "info", "warning", "error"),
}
