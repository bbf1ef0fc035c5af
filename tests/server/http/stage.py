"""Who may ask, and what may be asked about: the actors and objects of the matrix of access. Expects nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final
from uuid import UUID, uuid4

from werkzeug.test import TestResponse

from skyjo_server.service import Arena
from skyjo_server.service.model import Scope
from skyjo_server.service.secrets import new_secret
from tests.server.http.client import Client, members

OPEN: Final = {"kind": "open"}
EVENTS: Final = frozenset({"entry-event", "live-event", "over-event"})

Options = dict[str, Any]


@dataclass(frozen=True)
class Actor:
    """Somebody who sends requests: a token, None for nobody, and the bot to name where one must be named."""

    token: str | None
    bot: str | None


class Stage:
    """Ada and Bob, who play; and everybody who may ask about them.

    Attributes:
        actors: by what they are to Ada's games. `revoked` is a token of Ada's that she has revoked.
    """

    def __init__(self, client: Client, arena: Arena) -> None:
        self._client, self._arena = client, arena
        self._ada, self._bob, stranger = (self._register(None) for _ in range(3))
        sibling = self._register(self._ada.token)
        staff = [arena.grant_token(scope).secret for scope in (Scope.ORGANISER, Scope.ADMIN)]
        self._host = Actor(arena.grant_token(Scope.ORGANISER).secret, None)
        organiser, admin = (Actor(token, self._register(token).bot) for token in staff)
        self.actors = {
            "nobody": Actor(None, None),
            "malformed": Actor("skj_x", None),
            "unknown": Actor(new_secret(), None),
            "revoked": Actor(self._revoked(self._ada)["token"], None),
            "stranger": stranger,
            "seated": self._ada,
            "sibling": sibling,
            "organiser": organiser,
            "admin": admin,
        }
        self._events: dict[str, str] = {}
        self._objects = self._kinds_of_object()
        self._operations = self._game_operations() | self._event_operations()

    def _kinds_of_object(self) -> dict[str, Callable[[Actor], str]]:
        return {
            "open": self._open_game,
            "running": self._running_game,
            "finished": self._finished_game,
            "no-game": _nothing,
            "her-bot": lambda _: self._ada.bot or "",
            "no-bot": _nothing,
            "her-token": lambda _: str(self._issue(self._ada)["id"]),
            "her-old-token": lambda _: str(self._revoked(self._ada)["id"]),
            "no-token": _nothing,
            "entry-event": self._entry_event,
            "live-event": self._live_event,
            "over-event": self._over_event,
            "no-event": _nothing,
        }

    def _game_operations(self) -> dict[str, Callable[..., TestResponse]]:
        return {
            "registerBot": self._register_bot,
            "getBot": partial(self._read, "/v1/bots/{}"),
            "getMe": partial(self._read, "/v1/me"),
            "issueToken": self._issue_token,
            "revokeToken": self._revoke_token,
            "createGame": self._create_game,
            "listGames": partial(self._read, "/v1/games"),
            "getGame": partial(self._read, "/v1/games/{}"),
            "takeSeat": self._take_seat,
            "resign": self._resign,
            "getView": partial(self._look, "view"),
            "getLegalActions": partial(self._look, "actions"),
            "playAction": self._play_action,
            "listTurns": partial(self._read, "/v1/turns"),
            "playTurns": self._play_turns,
            "listEvents": self._list_events,
            "getTranscript": partial(self._read, "/v1/games/{}/transcript"),
            "getState": self._get_state,
            "getProof": partial(self._read, "/v1/games/{}/proof"),
            "getAnalysis": partial(self._read, "/v1/games/{}/analysis"),
            "forkGame": self._fork_game,
            "getFairness": partial(self._read, "/v1/fairness"),
            "getHealth": partial(self._read, "/healthz"),
            "getReadiness": partial(self._read, "/readyz"),
        }

    def _event_operations(self) -> dict[str, Callable[..., TestResponse]]:
        return {
            "createTournament": self._create_tournament,
            "listTournaments": partial(self._read, "/v1/tournaments"),
            "getTournament": partial(self._read, "/v1/tournaments/{}"),
            "enterTournament": partial(self._take_part, "entries"),
            "listEntries": partial(self._read, "/v1/tournaments/{}/entries"),
            "withdraw": partial(self._take_part, "withdrawal"),
            "disqualify": self._disqualify,
            "startTournament": partial(self._steer, "start"),
            "pauseTournament": partial(self._steer, "pause"),
            "resumeTournament": partial(self._steer, "resume"),
            "abortTournament": partial(self._steer, "abortion"),
            "listTables": partial(self._read, "/v1/tournaments/{}/tables"),
            "voidTable": partial(self._steer, "tables/0/0/void"),
            "getStandings": partial(self._read, "/v1/tournaments/{}/standings"),
            "getCrosstable": partial(self._read, "/v1/tournaments/{}/crosstable"),
            "listTournamentEvents": partial(self._list_events, path="/v1/tournaments/{}/events"),
            "exportTournament": partial(self._read, "/v1/tournaments/{}/export"),
            "getLeaderboard": partial(self._read, "/v1/leaderboard"),
        }

    def ask(self, operation: str, words: tuple[str, ...], actor: Actor) -> tuple[TestResponse, list[str]]:
        """Carry out an operation on new objects of these kinds; gives the ids that were sent, too.

        A word that is no kind of object is handed to the operation as it is. Events take long to make: one is kept for
        as long as nobody has changed it.
        """
        sent = [self._object(word, actor) if word in self._objects else word for word in words]
        answer = self._operations[operation](actor, *sent)
        if answer.status_code < 400 and answer.request.method == "POST":
            for word in words:
                self._events.pop(word, None)
        return answer, sent

    def _object(self, word: str, actor: Actor) -> str:
        if word not in EVENTS:
            return self._objects[word](actor)
        if word not in self._events:
            self._events[word] = self._objects[word](actor)
        return self._events[word]

    def _register(self, token: str | None) -> Actor:
        made = members(self._client.post("/v1/bots", {"name": uuid4().hex}, token))
        return Actor(made["token"]["token"], made["bot"]["id"])

    def _issue(self, actor: Actor) -> dict[str, Any]:
        return members(self._client.post("/v1/tokens", None, actor.token))

    def _revoked(self, actor: Actor) -> dict[str, Any]:
        issued = self._issue(actor)
        assert self._client.delete(f"/v1/tokens/{issued['id']}", actor.token).status_code == 204
        return issued

    def _created(self, *seats: Options) -> str:
        game = members(self._client.post("/v1/games", {"seats": list(seats)}, self.actors["organiser"].token))
        return str(game["id"])

    def _open_game(self, _actor: Actor) -> str:
        return self._created(_bot_seat(self._ada), OPEN)

    def _running_game(self, _actor: Actor) -> str:
        return self._created(_bot_seat(self._ada), _bot_seat(self._bob))

    def _finished_game(self, actor: Actor) -> str:
        game = self._running_game(actor)
        assert self._client.post(f"/v1/games/{game}/resignation", None, self._bob.token).status_code == 200
        return game

    def _entry_event(self, _actor: Actor) -> str:
        return self._event(self.actors["organiser"])

    def _live_event(self, _actor: Actor) -> str:
        """An event of somebody else, whose games are on."""
        event = self._event(self._host)
        assert self._steer("start", self._host, event).status_code == 200
        assert self._arena.runner.step(UUID(event))
        return event

    def _over_event(self, _actor: Actor) -> str:
        event = self._event(self.actors["organiser"])
        assert self._steer("abortion", self.actors["organiser"], event).status_code == 200
        return event

    def _event(self, host: Actor) -> str:
        """An event that Ada and Bob have entered."""
        event = str(members(self._create_tournament(host))["id"])
        for actor in (self._ada, self._bob):
            assert self._take_part("entries", actor, event).status_code == 201
        return event

    def _read(self, path: str, actor: Actor, *ids: str) -> TestResponse:
        return self._client.get(path.format(*ids), actor.token)

    def _register_bot(self, actor: Actor) -> TestResponse:
        return self._client.post("/v1/bots", {"name": uuid4().hex}, actor.token)

    def _issue_token(self, actor: Actor, what: str = "") -> TestResponse:
        body = {"scope": what} if what in {*Scope} else {"bot": what} if what else {}
        return self._client.post("/v1/tokens", body, actor.token)

    def _revoke_token(self, actor: Actor, what: str) -> TestResponse:
        if what == "own-token":
            issued = members(self._client.post("/v1/tokens", None, actor.token))
            return self._client.delete(f"/v1/tokens/{issued.get('id', uuid4())}", issued.get("token", actor.token))
        return self._client.delete(f"/v1/tokens/{what}", actor.token)

    def _create_game(self, actor: Actor, bot: str = "") -> TestResponse:
        seat = {"kind": "bot", "bot": bot} if bot else OPEN
        return self._client.post("/v1/games", {"seats": [OPEN, seat]}, actor.token)

    def _take_seat(self, actor: Actor, game: str, bot: str | None = None) -> TestResponse:
        return self._client.post(f"/v1/games/{game}/seats", {"bot": bot or actor.bot}, actor.token)

    def _resign(self, actor: Actor, game: str, bot: str | None = None) -> TestResponse:
        return self._client.post(f"/v1/games/{game}/resignation{_named(bot)}", None, actor.token)

    def _look(self, part: str, actor: Actor, game: str, bot: str | None = None) -> TestResponse:
        return self._client.get(f"/v1/games/{game}/{part}{_named(bot)}", actor.token)

    def _play_action(self, actor: Actor, game: str) -> TestResponse:
        headers = {"If-Match": f'"{self._version(game)}"'}
        return self._client.post(f"/v1/games/{game}/actions", {"action": "flip a1 b1"}, actor.token, headers=headers)

    def _play_turns(self, actor: Actor, game: str | None = None) -> TestResponse:
        actions = [{"game": game, "version": self._version(game), "action": "flip a1 b1"}] if game else []
        return self._client.post("/v1/turns", {"actions": actions}, actor.token)

    def _list_events(
        self, actor: Actor, what: str, accept: str = "application/json", path: str = "/v1/games/{}/events"
    ) -> TestResponse:
        return self._client.get(path.format(what), actor.token, headers={"Accept": accept})

    def _get_state(self, actor: Actor, game: str, query: str = "") -> TestResponse:
        return self._client.get(f"/v1/games/{game}/states/0{query}", actor.token)

    def _fork_game(self, actor: Actor, game: str, bot: str | None = None) -> TestResponse:
        greedy = {"kind": "house", "house": "greedy"}
        body = {"version": 0, "seats": [{"kind": "bot", "bot": bot} if bot else greedy, greedy]}
        return self._client.post(f"/v1/games/{game}/forks", body, actor.token)

    def _create_tournament(self, actor: Actor) -> TestResponse:
        return self._client.post("/v1/tournaments", {"name": "Cup", "format": "round-robin"}, actor.token)

    def _take_part(self, part: str, actor: Actor, event: str, bot: str | None = None) -> TestResponse:
        return self._client.post(f"/v1/tournaments/{event}/{part}", {"bot": bot or actor.bot}, actor.token)

    def _disqualify(self, actor: Actor, event: str) -> TestResponse:
        body = {"entry": 0, "reason": "two bots of one author"}
        return self._client.post(f"/v1/tournaments/{event}/disqualifications", body, actor.token)

    def _steer(self, how: str, actor: Actor, event: str) -> TestResponse:
        return self._client.post(f"/v1/tournaments/{event}/{how}", None, actor.token)

    def _version(self, game: str) -> int:
        version: int = members(self._client.get(f"/v1/games/{game}")).get("version", 0)
        return max(0, version)


def _bot_seat(actor: Actor) -> Options:
    return {"kind": "bot", "bot": actor.bot}


def _named(bot: str | None) -> str:
    return "" if bot is None else f"?bot={bot}"


def _nothing(_actor: Actor) -> str:
    return str(uuid4())
