"""A service as options of a command: its address, the token, and what its refusals become. Asks nothing itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Final

import typer

from skyjo_client import (
    ApiError,
    Client,
    ConnectionFailed,
    InvalidRequest,
    RetryPolicy,
    SkyjoClientError,
    Unauthenticated,
)
from skyjo_server.cli.output import EXIT_USAGE, CommandFailed

UrlOption = Annotated[str, typer.Option("--url", envvar="SKYJO_URL", help="The service's address.", show_envvar=True)]
TokenOption = Annotated[str | None, typer.Option("--token", envvar="SKYJO_TOKEN", help="Your token.", show_envvar=True)]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]

DEFAULT_URL: Final = "http://127.0.0.1:8000"


@contextmanager
def service(url: str, token: str | None, retry: RetryPolicy | None = None) -> Iterator[Client]:
    """A client of the service; what it refuses becomes an error of the command."""
    try:
        with Client(url, token, retry=retry) as client:
            yield client
    except ConnectionFailed as error:
        raise CommandFailed(str(error), "see that the service runs, and name it with --url") from error
    except Unauthenticated as error:
        raise CommandFailed(error.detail, "give a token with --token or in SKYJO_TOKEN") from error
    except InvalidRequest as error:
        places = "; ".join(f"{place.lstrip('/')}: {detail}" for place, detail in error.errors)
        raise CommandFailed(places or error.detail, error.hint or "") from error
    except ApiError as error:
        raise CommandFailed(error.detail, error.hint or "") from error
    except SkyjoClientError as error:
        raise CommandFailed(str(error)) from error
    except ValueError as error:
        raise CommandFailed(str(error), code=EXIT_USAGE) from error
