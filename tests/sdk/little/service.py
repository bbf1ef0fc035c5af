"""The little service: bots, tokens, games, and who may do what. Knows no HTTP."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from skyjo import Action, InvalidRules, RuleSet
from tests.sdk.little.problems import Refusal
from tests.sdk.little.table import Seat, Table, rfc3339


@dataclass
class Token:
    id: str
    secret: str
    owner: str
    bot: str
    scope: str = "bot"
    revoked_at: float | None = None


@dataclass
class LittleService:
    """Everything in memory; ids count up, so that two services that are asked the same answer the same."""

    time: float = 1_767_225_600.0
    """Seconds since 1970, moved on by tests alone."""
    bots: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Name and owner by id."""
    tokens: dict[str, Token] = field(default_factory=dict)
    """By secret."""
    tables: dict[str, Table] = field(default_factory=dict)
    created: dict[tuple[str, str], tuple[object, str]] = field(default_factory=dict)
    """By token and idempotency key, what was asked and the game that it made."""
    ids: int = 0

    def new_id(self) -> UUID:
        self.ids += 1
        return UUID(int=self.ids)

    def caller(self, secret: str | None) -> Token | None:
        if secret is None:
            return None
        token = self.tokens.get(secret)
        if token is None or token.revoked_at is not None:
            raise Refusal("unauthenticated", "this token is not good")
        return token

    def register(self, token: Token | None, name: str) -> dict[str, Any]:
        if any(name == taken for taken, _ in self.bots.values()):
            raise Refusal("name-taken", f"{name!r} is taken")
        if not 1 <= len(name) <= 40:
            raise Refusal("invalid-request", errors=[{"place": "/name", "detail": "1 to 40 characters"}])
        bot, owner = str(self.new_id()), token.owner if token else str(self.new_id())
        self.bots[bot] = (name, owner)
        return {"bot": self.bot(bot), "token": self.issue(owner, bot)}

    def bot(self, bot: str) -> dict[str, Any]:
        if bot not in self.bots:
            raise Refusal("not-found")
        return {"id": bot, "name": self.bots[bot][0], "created_at": rfc3339(self.time)}

    def issue(self, owner: str, bot: str) -> dict[str, Any]:
        if self.bots.get(bot, ("", ""))[1] != owner:
            raise Refusal("not-found")
        number = self.new_id()
        token = Token(str(number), f"skj_{number.hex}", owner, bot)
        self.tokens[token.secret] = token
        return {**self.show(token), "token": token.secret}

    def show(self, token: Token) -> dict[str, Any]:
        revoked_at = None if token.revoked_at is None else rfc3339(token.revoked_at)
        return {
            "id": token.id,
            "scope": token.scope,
            "prefix": token.secret[:8],
            "bot": token.bot,
            "created_at": rfc3339(self.time),
            "revoked_at": revoked_at,
        }

    def revoke(self, owner: str, token_id: str) -> None:
        token = next((token for token in self.tokens.values() if (token.id, token.owner) == (token_id, owner)), None)
        if token is None:
            raise Refusal("not-found")
        token.revoked_at = self.time

    def create(self, caller: Token, body: Mapping[str, Any], key: str | None) -> Table:
        known = self.created.get((caller.id, key or ""))
        if known is not None:
            if known[0] != body:
                raise Refusal("idempotency-key-reused")
            return self.tables[known[1]]
        table = self._new_table(caller, body)
        self.tables[str(table.id)] = table
        if key is not None:
            self.created[caller.id, key] = (body, str(table.id))
        return table

    def games(self, status: str | None, bot: str | None) -> list[Table]:
        """Newest first."""
        return [
            table
            for table in reversed(self.tables.values())
            if status in {None, table.status} and (bot is None or table.seat_of(bot) is not None)
        ]

    def table(self, game: str) -> Table:
        if game not in self.tables:
            raise Refusal("not-found", f"there is no game {game}")
        self.tables[game].sweep()
        return self.tables[game]

    def join(self, caller: Token, game: str, bot: str | None, entropy: str | None) -> tuple[int, Table]:
        table, bot = self.table(game), bot or caller.bot
        if (seated := table.seat_of(bot)) is not None:
            raise Refusal("already-seated", seat=seated)
        number = next((number for number, seat in enumerate(table.seats) if seat.kind == "open"), None)
        if number is None:
            raise Refusal("game-full")
        table.seats[number] = Seat("bot", bot, self.bots[bot][0], bytes.fromhex(entropy or ""))
        table.start_if_full()
        return number, table

    def play(self, caller: Token, game: str, version: int, action: str, key: str | None) -> int:
        """Play an action once for each key; gives the version of its event."""
        table = self.table(game)
        seat = table.seat_of(caller.bot)
        if seat is None:
            raise Refusal("not-found")
        if table.state.version < 0:
            raise Refusal("game-not-started")
        content = (version, action)
        known = table.answers.get((caller.bot, key)) if key is not None else None
        if known is not None:
            if known[0] != content:
                raise Refusal("idempotency-key-reused")
            return known[1]
        accepted = table.play(seat, version, Action.parse(action))
        if key is not None:
            table.answers[caller.bot, key] = (content, accepted)
        return accepted

    def submit(self, caller: Token, actions: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        return [self._submit_one(caller, item) for item in actions]

    def pending(self, caller: Token, limit: int) -> list[dict[str, Any]]:
        waiting = []
        for table in self.tables.values():
            table.sweep()
            seat = table.seat_of(caller.bot)
            if seat is not None and seat in table.state.to_act and table.status == "running":
                waiting.append((table.deadline or float("inf"), table.view(seat).to_dict()))
        return [decision for _, decision in sorted(waiting, key=lambda item: item[0])][:limit]

    def _submit_one(self, caller: Token, item: Mapping[str, Any]) -> dict[str, Any]:
        game = item["game"]
        try:
            version = self.play(caller, game, item["version"], item["action"], item.get("key"))
        except Refusal as refusal:
            now = self.tables[game].state.version if game in self.tables else None
            return {"game": game, "version": now, "status": "refused", "problem": refusal.to_dict()}
        return {"game": game, "version": version, "status": "accepted", "problem": None}

    def _new_table(self, caller: Token, body: Mapping[str, Any]) -> Table:
        try:
            rules = RuleSet.preset(body["preset"]) if body.get("preset") else RuleSet.from_dict(body.get("rules", {}))
        except InvalidRules as error:
            raise Refusal("invalid-rules", str(error), option=error.option) from error
        seats = [self._new_seat(caller, seat) for seat in body["seats"]]
        return Table(self.new_id(), rules, seats, body.get("move_seconds"), lambda: self.time)

    def _new_seat(self, caller: Token, wanted: Mapping[str, str]) -> Seat:
        match wanted:
            case {"kind": "bot", "bot": bot}:
                if self.bots.get(bot, ("", ""))[1] != caller.owner:
                    raise Refusal("not-found")
                return Seat("bot", bot, self.bots[bot][0])
            case {"kind": "house", "house": house}:
                return Seat("house", None, house)
            case _:
                return Seat("open")
