"""Who looks at the tables: bots with seats, and everybody else who can send a request. Registered by the service."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from skyjo import RuleSet
from skyjo_server.service import Arena
from skyjo_server.service.model import (
    Caller,
    ClockRules,
    GameInfo,
    NewGame,
    Scope,
    SeatKind,
    SeatRequest,
)
from skyjo_server.service.tournament_model import NewTournament, TournamentInfo
from skyjo_server.tournaments.values import Format, Shape

BOTS: Final = 10
CAPTAINS: Final = 2
"""How many of the bots belong to one owner, the captain."""

EVENT: Final = NewTournament("Cup", Shape(format=Format.SWISS, duplicate=True, entries_max=2))
EVENT_KEY: Final = "an-event"

SHORT: Final = RuleSet(max_rounds=1, max_turns_per_seat=2, score_limit=None)


@dataclass(frozen=True, slots=True)
class Person:
    """Whoever holds a token.

    Attributes:
        owner: whose token it is.
        bots: the bots that it speaks for.
        is_bot: whether the token plays for one bot alone; else it speaks for an owner.
    """

    name: str
    token: str | None
    owner: UUID | None = None
    bots: tuple[UUID, ...] = ()
    is_bot: bool = False


@dataclass(frozen=True, slots=True)
class People:
    """Everybody, and three games that are the same in both worlds.

    Attributes:
        bots: those that can be seated; the first ones are the captain's.
        outsiders: those who have no seat anywhere, with a token or without.
        captain: the owner of two bots.
        owner: who creates the games.
        open_game: it waits for players.
        running_game: a table that goes on.
        finished_game: one that is over.
        event: a tournament that is full and has not begun.
        entered: the bots that have entered it.
    """

    bots: tuple[Person, ...]
    outsiders: tuple[Person, ...]
    captain: Person
    owner: UUID
    open_game: GameInfo
    running_game: GameInfo
    finished_game: GameInfo
    event: TournamentInfo
    entered: tuple[Person, ...]

    def may_steer(self, person: Person) -> bool:
        """Whether somebody could steer some tournament or other, and set one up."""
        return person in (*self.outsiders, self.captain) and not person.is_bot and person.token is not None


def settle(arena: Arena) -> People:
    """Register everybody and play the games that stand by."""
    captain = _owner(arena, "captain", Scope.ORGANISER)
    callers = [arena.authenticate(captain.token or "")] * CAPTAINS + [None] * (BOTS - CAPTAINS)
    bots = tuple(_bot(arena, f"bot {number}", caller) for number, caller in enumerate(callers))
    organiser, admin = _owner(arena, "organiser", Scope.ORGANISER), _owner(arena, "admin", Scope.ADMIN)
    creator = arena.authenticate(organiser.token or "")
    return People(
        bots=bots,
        outsiders=(Person("spectator", None), _bot(arena, "stranger", None), organiser, admin),
        captain=replace(captain, bots=tuple(bot.bots[0] for bot in bots[:CAPTAINS])),
        owner=creator.owner_id,
        open_game=arena.create_game(creator, NewGame(RuleSet(), (_seat(bots[0]), SeatRequest(SeatKind.OPEN)))),
        running_game=arena.create_game(creator, NewGame(RuleSet(), tuple(map(_seat, bots[:8])), ClockRules(3600.0))),
        finished_game=_finished(arena, creator, bots[:2]),
        event=_full(arena, creator, bots[2:4]),
        entered=bots[2:4],
    )


def _bot(arena: Arena, name: str, owner: Caller | None) -> Person:
    made = arena.register(name, owner)
    owner_id = arena.authenticate(made.token.secret).owner_id
    return Person(name, made.token.secret, owner_id, (made.bot.id,), is_bot=True)


def _owner(arena: Arena, name: str, scope: Scope) -> Person:
    secret = arena.grant_token(scope).secret
    return Person(name, secret, arena.authenticate(secret).owner_id)


def _seat(bot: Person) -> SeatRequest:
    return SeatRequest(SeatKind.BOT, bot.bots[0])


def _full(arena: Arena, creator: Caller, players: tuple[Person, ...]) -> TournamentInfo:
    event = arena.create_tournament(creator, EVENT, EVENT_KEY)
    for player in players:
        arena.enter(arena.authenticate(player.token or ""), event.id)
    return arena.tournament(event.id)


def _finished(arena: Arena, creator: Caller, players: tuple[Person, ...]) -> GameInfo:
    game = arena.create_game(creator, NewGame(SHORT, tuple(map(_seat, players))))
    callers = [arena.authenticate(player.token or "") for player in players]
    while not arena.game(game.id).status.is_over:
        for caller in callers:
            seen = arena.view(caller, game.id, None, None, 0)
            if seen.seat in seen.to_act:
                arena.play(caller, game.id, seen.version, seen.legal_actions[0], None)
    return arena.game(game.id)
