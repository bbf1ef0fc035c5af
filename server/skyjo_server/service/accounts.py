"""Bots, owners and tokens: who may act, and for whom. Plays nothing."""

from __future__ import annotations

from hashlib import blake2b
from secrets import token_bytes
from typing import Final
from uuid import UUID, uuid4

from skyjo_server.service import secrets
from skyjo_server.service.errors import Forbidden, NotFound, Unauthenticated
from skyjo_server.service.model import Bot, Caller, IssuedToken, Registration, Scope, Token
from skyjo_server.service.ports import AccountStore, NewToken

MOST_KNOWN: Final = 10_000
"""Tokens whose bearers a process remembers, by a quick hash with a key of its own; the tokens themselves it forgets."""


class Accounts:
    """Registration, tokens and authentication.

    Args:
        store: where they are kept.
        pepper: the key of the tokens' hashes; not in the database.
    """

    def __init__(self, store: AccountStore, pepper: bytes) -> None:
        self._store = store
        self._pepper = pepper
        self._known: dict[bytes, Caller] = {}
        self._key = token_bytes(blake2b.MAX_KEY_SIZE)

    def authenticate(self, secret: str) -> Caller:
        """The bearer of a token.

        Raises:
            Unauthenticated: if it is malformed, unknown or revoked.
        """
        caller = self._store.find_token(secrets.digest(self._pepper, secret))
        if caller is None:
            raise Unauthenticated("the token is unknown or has been revoked")
        return caller

    def recognise(self, secret: str) -> Caller:
        """The bearer of a token that may have been revoked since this process last heard of it.

        For use cases that have the database say so in the very statement that they need anyway. Whose token it is never
        changes, so nothing else about a caller can be out of date.

        Raises:
            Unauthenticated: if it is malformed or unknown, or was revoked before this process knew it.
        """
        mark = blake2b(secret.encode(), key=self._key).digest()
        known = self._known.get(mark)
        if known is None:
            known = self.authenticate(secret)
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[mark] = known
        return known

    def register(self, name: str, caller: Caller | None) -> Registration:
        """A new bot with its first token, of the caller's owner or else of a new one.

        Raises:
            NameTaken: if there is a bot of that name, in whatever case.
        """
        bot_id = uuid4()
        secret, token = self._new_token(Scope.BOT, bot_id)
        bot, stored = self._store.add_bot(None if caller is None else caller.owner_id, bot_id, name, token)
        return Registration(bot, IssuedToken(stored, secret))

    def bot(self, bot_id: UUID) -> Bot:
        """A bot by id. Raises NotFound."""
        bot = self._store.bot(bot_id)
        if bot is None:
            raise NotFound
        return bot

    def me(self, caller: Caller) -> tuple[Bot | None, Token]:
        """The caller's bot, if it plays for one, and its token."""
        token = self._store.token(caller.token_id, caller.owner_id)
        if token is None:
            raise Unauthenticated
        return (None if caller.bot_id is None else self._store.bot(caller.bot_id)), token

    def issue_token(self, caller: Caller, scope: Scope, bot_id: UUID | None) -> IssuedToken:
        """A further token for a bot of the caller's owner; the caller's own bot if none is named.

        Raises:
            Forbidden: for a scope beyond the caller's own.
            NotFound: for a bot of somebody else.
        """
        if not caller.scope.covers(scope):
            raise Forbidden(
                f"a token of scope {caller.scope.value!r} cannot give scope {scope.value!r}",
                "ask for a scope that your own token covers",
            )
        if bot_id is not None and self._store.bot_owner(bot_id) != caller.owner_id:
            raise NotFound
        secret, token = self._new_token(scope, bot_id or caller.bot_id)
        return IssuedToken(self._store.add_token(caller.owner_id, token), secret)

    def grant_token(self, scope: Scope) -> IssuedToken:
        """A token of any scope for a new owner: for those who run the service, not for callers."""
        secret, token = self._new_token(scope, None)
        return IssuedToken(self._store.add_token(None, token), secret)

    def revoke_token(self, caller: Caller, token_id: UUID) -> None:
        """Refuse a token of the caller's owner from now on, in every process. Raises NotFound."""
        if not self._store.revoke_token(token_id, caller.owner_id):
            raise NotFound

    def _new_token(self, scope: Scope, bot_id: UUID | None) -> tuple[str, NewToken]:
        secret = secrets.new_secret()
        stored = NewToken(uuid4(), scope, bot_id, secrets.shown_prefix(secret), secrets.digest(self._pepper, secret))
        return secret, stored
