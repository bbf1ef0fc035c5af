"""Bots, owners and tokens: who may act, and for whom. Plays nothing."""

from __future__ import annotations

from hashlib import blake2b
from hmac import compare_digest
from secrets import token_bytes
from typing import Final
from uuid import UUID, uuid4

from skyjo_server.service import secrets
from skyjo_server.service.errors import Forbidden, KeyReused, NameTaken, NotFound, Unauthenticated
from skyjo_server.service.model import Bot, Caller, IssuedToken, Registration, Scope, Token
from skyjo_server.service.ports import AccountStore, NewToken

MOST_KNOWN: Final = 10_000
"""Tokens whose bearers a process remembers, by a quick hash with a key of its own; the tokens themselves it forgets."""


class Accounts:
    """Registration, tokens and authentication.

    Args:
        store: where they are kept.
        pepper: the key of the tokens' hashes; not in the database.
        invitation: what registering without a token takes; None = anybody may.
    """

    def __init__(self, store: AccountStore, pepper: bytes, invitation: str | None = None) -> None:
        self._store = store
        self._pepper = pepper
        self._invitation = invitation
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

    def register(
        self, name: str, caller: Caller | None, key: str | None = None, invitation: str | None = None
    ) -> Registration:
        """A new bot with its first token, of the caller's owner or else of a new one.

        Args:
            name: what people read.
            caller: whose bot it is to be; None = a new owner's.
            key: makes asking again harmless: the token follows from it and the pepper, so that the first answer can be
                given again though no token is stored. Whoever knows the key knows the token.
            invitation: the code that was given out, where one is needed.
        Raises:
            Forbidden: if an invitation is needed, and this is none.
            NameTaken: if there is a bot of that name, in whatever case.
            KeyReused: if the key came with another name, or its token has been revoked since.
        """
        if caller is None:
            self._check_invitation(invitation)
        owner_id = None if caller is None else caller.owner_id
        if key is None:
            return self._new_bot(owner_id, name, secrets.new_secret(), "")
        secret = secrets.derived_secret(self._pepper, f"{owner_id} {key}")
        registered = self._registered(secret) or self._new_or_raced_bot(owner_id, name, secret, key)
        if registered.bot.name != name:
            raise KeyReused(key)
        return registered

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
        secret = secrets.new_secret()
        token = self._new_token(secret, scope, bot_id or caller.bot_id)
        return IssuedToken(self._store.add_token(caller.owner_id, token), secret)

    def grant_token(self, scope: Scope) -> IssuedToken:
        """A token of any scope for a new owner: for those who run the service, not for callers."""
        secret = secrets.new_secret()
        return IssuedToken(self._store.add_token(None, self._new_token(secret, scope, None)), secret)

    def revoke_token(self, caller: Caller, token_id: UUID) -> None:
        """Refuse a token of the caller's owner from now on, in every process. Raises NotFound."""
        if not self._store.revoke_token(token_id, caller.owner_id):
            raise NotFound

    def _check_invitation(self, invitation: str | None) -> None:
        wanted = self._invitation
        if wanted is not None and not compare_digest((invitation or "").encode(), wanted.encode()):
            raise Forbidden("registering here takes an invitation", "ask who runs this service for its invitation code")

    def _new_or_raced_bot(self, owner_id: UUID | None, name: str, secret: str, key: str) -> Registration:
        """A new bot; the one that the same request has made, if it was sent twice at once and the other was faster."""
        try:
            return self._new_bot(owner_id, name, secret, key)
        except (NameTaken, KeyReused):
            if (raced := self._registered(secret)) is None:
                raise
            return raced

    def _new_bot(self, owner_id: UUID | None, name: str, secret: str, key: str) -> Registration:
        bot_id = uuid4()
        added = self._store.add_bot(owner_id, bot_id, name, self._new_token(secret, Scope.BOT, bot_id))
        if added is None:
            raise KeyReused(key)
        return Registration(added[0], IssuedToken(added[1], secret))

    def _registered(self, secret: str) -> Registration | None:
        """The bot whose first token this is, with the token told again."""
        caller = self._store.find_token(secrets.digest(self._pepper, secret))
        if caller is None or caller.bot_id is None:
            return None
        bot, token = self._store.bot(caller.bot_id), self._store.confirmed_token(caller.token_id)
        return None if bot is None or token is None else Registration(bot, IssuedToken(token, secret))

    def _new_token(self, secret: str, scope: Scope, bot_id: UUID | None) -> NewToken:
        digest, prefix = secrets.digest(self._pepper, secret), secrets.shown_prefix(secret)
        return NewToken(uuid4(), scope, bot_id, prefix, digest)
