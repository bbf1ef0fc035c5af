"""Bots and games for the tests of the use cases: registered and created through the service itself."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from skyjo import Decision, RuleSet
from skyjo_server.app import Service
from skyjo_server.service.model import Caller, GameInfo, NewGame, Scope, SeatKind, SeatRequest


@dataclass(frozen=True)
class Player:
    """A registered bot and its caller."""

    bot_id: UUID
    caller: Caller
    secret: str


def register(service: Service, *names: str) -> tuple[Player, ...]:
    """New bots, each of an owner of its own."""
    registrations = [service.arena.register(name, None) for name in names]
    return tuple(
        Player(made.bot.id, service.arena.authenticate(made.token.secret), made.token.secret) for made in registrations
    )


def organiser(service: Service) -> Caller:
    """Somebody who may seat any bot."""
    return service.arena.authenticate(service.arena.grant_token(Scope.ORGANISER).secret)


def bot_seat(player: Player) -> SeatRequest:
    return SeatRequest(SeatKind.BOT, player.bot_id)


def house_seat(name: str) -> SeatRequest:
    return SeatRequest(SeatKind.HOUSE, house=name)


OPEN_SEAT = SeatRequest(SeatKind.OPEN)


def new_game(service: Service, *seats: SeatRequest, rules: RuleSet | None = None) -> GameInfo:
    """A game, created by an organiser."""
    return service.arena.create_game(organiser(service), NewGame(rules or RuleSet(), seats))


def view(service: Service, player: Player, game: GameInfo) -> Decision:
    """What a player sees now."""
    return service.arena.view(player.caller, game.id, None, None, 0)


def play_on(service: Service, players: tuple[Player, ...], game: GameInfo, moves: int) -> int:
    """Play the first legal action of whoever is awaited, so many times at most; gives how many were played."""
    for count in range(moves):
        for player in players:
            seen = view(service, player, game)
            if seen.seat in seen.to_act:
                service.arena.play(player.caller, game.id, seen.version, seen.legal_actions[0], None)
                break
        else:
            return count
    return moves
