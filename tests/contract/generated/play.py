"""Plays one whole game against a bot of the house, and reads it back: ``python play.py ADDRESS NAME``.

It knows the service from the package that was generated from openapi.yaml, and from nothing else. Whatever is not as
described ends it with an error; at the end it prints what it has seen, as one line of JSON.
"""

from __future__ import annotations

import json
import sys
from typing import TypeVar
from uuid import UUID

from skyjo_arena_client import AuthenticatedClient, Client
from skyjo_arena_client.api.bots import get_me, issue_token, register_bot, revoke_token
from skyjo_arena_client.api.games import create_game, get_game, list_games
from skyjo_arena_client.api.play import get_view, play_action
from skyjo_arena_client.api.replay import get_transcript, list_events
from skyjo_arena_client.api.turns import play_turns
from skyjo_arena_client.models import (
    ActionSubmission,
    BotSeat,
    DealtFact,
    Decision,
    Event,
    EventPage,
    Game,
    GameEndedFact,
    GamePage,
    GameStatus,
    HouseBot,
    HouseSeat,
    IllegalActionProblem,
    IssuedToken,
    Me,
    NewBot,
    NewGame,
    NewToken,
    NextStarter,
    OpenSeat,
    Phase,
    Preset,
    Problem,
    ProblemType,
    Reason,
    Registration,
    RoundScoredFact,
    RuleOptions,
    StaleVersionProblem,
    Turn,
    TurnsAnswer,
    TurnStatus,
    TurnSubmission,
)

Answer = TypeVar("Answer")


class NotSo(Exception):
    """Something is not as the document says."""


def demand(holds: bool, what: str) -> None:
    if not holds:
        raise NotSo(what)


def expect(kind: type[Answer], answer: object) -> Answer:
    """Give an answer as what it should be."""
    if not isinstance(answer, kind):
        raise NotSo(f"{kind.__name__} expected, not {answer}")
    return answer


def connect(address: str, token: str, accept: str = "*/*") -> AuthenticatedClient:
    return AuthenticatedClient(address, token=token, headers={"Accept": accept}, raise_on_unexpected_status=True)


def choose(decision: Decision) -> str:
    """Choose by the one card that can be had: a low one goes where it helps most, a high one is not taken."""
    if decision.phase is Phase.FLIP:
        return decision.legal_actions[0]
    if decision.phase is Phase.TURN:
        return f"take {target(decision)}" if decision.discard_pile[-1] <= 3 else "draw"
    assert decision.drawn is not None
    return f"{'keep' if decision.drawn <= 3 else 'reject'} {target(decision)}"


def target(decision: Decision) -> str:
    """Name the first own place with a hidden card."""
    assert decision.seat is not None
    for letter, column in zip("abcd", decision.seats[decision.seat].columns, strict=True):
        if column is not None and None in column:
            return f"{letter}{column.index(None) + 1}"
    raise NotSo("no hidden card is left")


def register(address: str, name: str) -> tuple[AuthenticatedClient, UUID]:
    anybody = Client(address, raise_on_unexpected_status=True)
    # The document says that no token is needed; the generator knows only operations that need one or take none.
    made = expect(Registration, register_bot.sync(client=anybody, body=NewBot(name)))  # type: ignore[arg-type]  # see above
    client = connect(address, made.token.token)
    taken = expect(Problem, register_bot.sync(client=client, body=NewBot(name)))
    demand(taken.type_ is ProblemType.URNSKYJOPROBLEMNAME_TAKEN, "a name is given once")
    return client, made.bot.id


def rotate(address: str, client: AuthenticatedClient) -> AuthenticatedClient:
    """Replace the token, and see that the replaced one is refused from then on."""
    old = expect(Me, get_me.sync(client=client)).token
    fresh = connect(address, expect(IssuedToken, issue_token.sync(client=client, body=NewToken())).token)
    demand(revoke_token.sync_detailed(old.id, client=fresh).status_code == 204, "a token can be revoked")
    refused = expect(Problem, get_me.sync(client=client))
    demand(refused.type_ is ProblemType.URNSKYJOPROBLEMUNAUTHENTICATED, "a revoked token is refused")
    return fresh


def create_french(client: AuthenticatedClient) -> None:
    """An option that is left out is the preset's, not another's."""
    wanted = NewGame([OpenSeat("open"), OpenSeat("open")], preset=Preset.FRENCH, rules=RuleOptions(initial_flips=3))
    rules = expect(Game, create_game.sync(client=client, body=wanted)).rules
    demand(rules.initial_flips == 3, "the option is as wanted")
    demand(rules.next_starter is NextStarter.WINNER and not rules.double_on_tie, "the others are the preset's")


def view(client: AuthenticatedClient, game: UUID) -> Decision:
    seen = get_view.sync_detailed(game, client=client)
    again = get_view.sync_detailed(game, client=client, if_none_match=seen.headers["ETag"])
    demand(again.status_code == 304, "what is known is not sent again")
    return expect(Decision, seen.parsed)


def play(client: AuthenticatedClient, decision: Decision, action: str) -> object:
    tag, key = f'"{decision.version}"', f"{action.replace(' ', '-')}-{decision.version}"
    body = ActionSubmission(action)
    return play_action.sync(decision.game, client=client, body=body, if_match=tag, idempotency_key=key)


def stumble(client: AuthenticatedClient, start: Decision) -> Decision:
    """Do what the rules refuse, and what comes too late: each is a problem of its own that says how to go on."""
    illegal = expect(IllegalActionProblem, play(client, start, "keep a1"))
    demand(illegal.reason is Reason.WRONG_PHASE and illegal.version == start.version, "nothing has changed")
    demand(illegal.legal_actions == start.legal_actions, "it says what is legal")
    played = expect(Decision, play(client, start, illegal.legal_actions[0]))
    stale = expect(StaleVersionProblem, play(client, start, illegal.legal_actions[1]))
    demand(stale.decision == played and stale.version == played.version, "it shows what to decide now")
    return stale.decision


def play_among_others(client: AuthenticatedClient, decision: Decision) -> None:
    """Play one action with those of all other games, as a bot with many games does."""
    action = choose(decision)
    turns = [Turn(decision.game, decision.version, action, key) for key in ("one", f"other-{decision.version}")]
    turns[0].key = None
    accepted, refused = expect(TurnsAnswer, play_turns.sync(client=client, body=TurnSubmission(turns))).results
    demand(accepted.status is TurnStatus.ACCEPTED and accepted.problem is None, "the first is played")
    demand(refused.status is TurnStatus.REFUSED, "the second comes too late")
    problem = expect(StaleVersionProblem, refused.problem)
    demand(problem.decision.version > decision.version, "the game has moved on")


def play_out(client: AuthenticatedClient, decision: Decision) -> Decision:
    turn = 0
    while decision.phase is not Phase.OVER:
        turn += 1
        if turn % 5 == 0:
            play_among_others(client, decision)
            decision = view(client, decision.game)
        else:
            decision = expect(Decision, play(client, decision, choose(decision)))
    return decision


def read_events(client: AuthenticatedClient, game: UUID) -> list[Event]:
    events: list[Event] = []
    while True:
        page = expect(EventPage, list_events.sync(game, client=client, after=len(events) - 1, limit=50))
        events += page.events
        if len(events) > page.version:
            demand([event.version for event in events] == list(range(len(events))), "no event is skipped")
            return events


def count(events: list[Event]) -> list[int]:
    """Count the points from the events alone."""
    totals = [0, 0]
    for fact in (fact for event in events for fact in event.facts):
        if isinstance(fact, DealtFact):
            demand(None not in fact.cards, "when all is over, all cards are shown")
        elif isinstance(fact, RoundScoredFact):
            totals = [total + points for total, points in zip(totals, fact.final, strict=True)]
            demand(totals == fact.totals, "the totals are the sums")
        elif isinstance(fact, GameEndedFact):
            demand(totals == fact.totals, "the last totals count")
    return totals


def finished(client: AuthenticatedClient, bot: UUID, game: UUID) -> list[int]:
    """See that the game is over; give its totals."""
    found = expect(Game, get_game.sync(game, client=client))
    demand(found.result is not None and found.status is GameStatus.FINISHED, "the game was played out")
    mine = expect(GamePage, list_games.sync(client=client, bot=bot, status=GameStatus.FINISHED))
    demand(mine.items == [found], "it is found among the bot's games")
    assert found.result is not None
    return found.result.totals


def main(address: str, name: str) -> None:
    client, bot = register(address, name)
    client = rotate(address, client)
    create_french(client)
    wanted = NewGame([BotSeat("bot", bot), HouseSeat("house", HouseBot.GREEDY)], preset=Preset.CLASSIC)
    game = expect(Game, create_game.sync(client=client, body=wanted)).id
    early = expect(Problem, get_transcript.sync(game, client=client))
    demand(early.type_ is ProblemType.URNSKYJOPROBLEMGAME_NOT_FINISHED, "there is no replay before the end")
    end = play_out(client, stumble(client, view(client, game)))
    totals = finished(client, bot, game)
    events = read_events(client, game)
    demand(len(events) == end.version + 1, "there is an event for each version")
    demand(count(events) == totals, "the events lead to the result")
    text, lines = (
        expect(str, get_transcript.sync(game, client=connect(address, client.token, accept)))
        for accept in ("text/plain", "application/jsonl")
    )
    print(json.dumps({"game": str(game), "version": end.version, "totals": totals, "text": text, "lines": lines}))


if __name__ == "__main__":
    main(*sys.argv[1:])
