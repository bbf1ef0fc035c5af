# Written by client_sdk/generate_sync.py from client_sdk/skyjo_client/_async/accounts.py.
"""Bots and tokens: one class for each, one method for each request."""

from __future__ import annotations

from skyjo_client._sync.api import Api
from skyjo_client.exchange import Request, as_nothing, get, path, post
from skyjo_client.models import Bot, IssuedToken, Registration, Scope
from skyjo_client.submissions import new_key


class Bots:
    """Bots: ``client.bots``."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def register(self, name: str, *, invitation: str | None = None, key: str | None = None) -> Registration:
        """Register a bot: without a token as a new owner, with one as another bot of the same owner.

        Sent again after a lost answer, with the same key, it gives the same bot and the same token.

        Args:
            name: 1 to 40 letters, digits, spaces and ``._-``; nobody else's.
            invitation: the code that registering takes where it is not open to everybody.
            key: 16 to 64 of ``A-Z a-z 0-9 . _ : -``, chosen at random: whoever knows it can get the token; None = a new
                one.
        Raises:
            NameTaken: if it is somebody else's.
            InvalidRequest: if it is no such name.
            Forbidden: if an invitation is needed.
        """
        body = {"name": name} if invitation is None else {"name": name, "invitation": invitation}
        return self._api.send(post(path("bots"), Registration.from_dict, body, key=key or new_key()))

    def get(self, bot_id: str) -> Bot:
        """A bot by its id.

        Raises:
            NotFound: if there is none.
        """
        return self._api.send(get(path("bots", bot_id), Bot.from_dict))


class Tokens:
    """Tokens: ``client.tokens``."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def create(self, *, scope: Scope | None = None, bot: str | None = None) -> IssuedToken:
        """Issue a token. It is sent once.

        Args:
            scope: not above the caller's own; None = `bot`.
            bot: id of a bot of the caller's owner; None = the caller's own bot.
        Raises:
            Forbidden: if the scope is above the caller's.
            NotFound: if the bot is not the owner's.
        """
        body = {"scope": scope, "bot": bot}
        return self._api.send(post(path("tokens"), IssuedToken.from_dict, body))

    def revoke(self, token_id: str) -> None:
        """Revoke a token, at once and for good.

        Raises:
            NotFound: if it is not the owner's.
        """
        self._api.send(Request("DELETE", path("tokens", token_id), as_nothing, repeatable=True))
