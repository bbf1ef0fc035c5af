"""The whole API as requests: for each route what is asked of it, as any viewer. A missing route is a fault.

The requests change nothing at the table: what is legal is played by :mod:`tests.acceptance.leaks.twins`, step by step.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from flask import Flask

from skyjo_server.http import reference, viewer
from tests.acceptance.leaks import events  # noqa: F401 - it notes what is asked of tournaments
from tests.acceptance.leaks.entries import ENTRIES, entry
from tests.acceptance.leaks.sights import NOBODY, Sight
from tests.acceptance.leaks.worlds import Ask

ILLEGAL_AT_ONCE: Final = 6


def everything(sight: Sight) -> Iterator[Ask]:
    """All that a viewer asks about a position."""
    for asks in ENTRIES.values():
        yield from asks(sight)


@entry("GET /v1/games/{game_id}/view")
def _view(sight: Sight) -> Iterator[Ask]:
    path = f"{sight.game}/view"
    yield sight.get(path)
    for bot in (*sight.person.bots[sight.person.is_bot :], *sight.others[:1]):
        yield sight.get(path, f"bot={bot}")
    if sight.once_in(2):
        yield sight.get(path, f"after={sight.version - 1}&wait=5")
    if sight.once_in(6):
        yield replace(sight.get(path, f"after={sight.version}&wait=0.001"), counted=False)
        yield sight.get(path, "bot=nobody&after=x")
        yield sight.get(f"/v1/games/{NOBODY}/view")


@entry("GET /v1/games/{game_id}/actions")
def _legal_actions(sight: Sight) -> Iterator[Ask]:
    yield sight.get(f"{sight.game}/actions")
    for bot in sight.person.bots[sight.person.is_bot :]:
        yield sight.get(f"{sight.game}/actions", f"bot={bot}")
    if sight.once_in(6):
        yield sight.get(f"{sight.game}/actions", f"bot={NOBODY}")
        yield sight.get(f"/v1/games/{NOBODY}/actions")


@entry("POST /v1/games/{game_id}/actions")
def _play(sight: Sight) -> Iterator[Ask]:
    for action in sight.illegal(2):
        yield sight.act(action)
    some = sight.rng.choice(sight.legal or sight.illegal(9))
    yield sight.act(some, sight.version - 1 if sight.version and sight.once_in(2) else sight.version + 1)
    if sight.once_in(3):
        yield sight.act(some, sight.version + 1, Idempotency_Key="never-seen")
        yield sight.post(f"{sight.game}/actions", {"action": str(some)})
    yield from _play_again(sight)
    if sight.once_in(6):
        yield sight.act("peek a1")
        yield sight.act("flip a1 a1")
        yield sight.post(f"{sight.game}/actions", b'{"action": ', If_Match=f'"{sight.version}"')
        yield sight.post(f"/v1/games/{NOBODY}/actions", {"action": "draw"}, If_Match='"0"')


def _play_again(sight: Sight) -> Iterator[Ask]:
    """Send a play with its idempotency key once more, and another one with the same key."""
    if (first := sight.keyed) is not None and first.key is not None:
        yield sight.act(first.action, first.version, Idempotency_Key=first.key)
        yield sight.act("reject", first.version, Idempotency_Key=first.key)


@entry("GET /v1/games/{game_id}/events")
def _events(sight: Sight) -> Iterator[Ask]:
    path, newest = f"{sight.game}/events", sight.version
    yield sight.get(path, "limit=1000")
    after = newest - 1 if sight.once_in(3) else sight.rng.randint(-1, newest + 1)
    yield sight.get(path, f"after={after}&limit={sight.rng.randint(1, 9)}")
    if sight.once_in(3):
        yield sight.follow()
        yield sight.follow(Last_Event_ID=str(max(after, 0)))
    if sight.once_in(10):
        yield from (sight.get(path, f"after={after}&limit=1&wait=5") for after in range(-1, min(newest, 9)))
        yield from (sight.get(path, f"after={after}&limit=2") for after in range(max(newest - 5, -1), newest + 2))
    if sight.once_in(6):
        yield replace(sight.get(path, f"after={newest}&wait=0.001"), counted=False)
        yield sight.get(path, "after=-2", Accept="application/json")
        yield sight.get(path, Accept="image/png")
        yield sight.follow(Last_Event_ID="x")
        yield sight.get(f"/v1/games/{NOBODY}/events")


@entry("GET /v1/games/{game_id}/transcript")
def _transcript(sight: Sight) -> Iterator[Ask]:
    yield sight.get(f"{sight.game}/transcript", Accept=sight.rng.choice(("text/plain", "application/jsonl")))
    if sight.once_in(6):
        yield sight.get(f"{sight.game}/transcript", Accept="image/png")
        yield sight.get(f"/v1/games/{NOBODY}/transcript")
        yield sight.get(f"/v1/games/{sight.people.finished_game.id}/transcript")


@entry("GET /v1/games/{game_id}/states/{version}")
def _states(sight: Sight) -> Iterator[Ask]:
    newest = sight.version
    version = sight.rng.choice((newest, sight.rng.randint(0, newest)))
    turn, anyone = sight.scene.state.turn, sight.rng.randint(0, 7)
    seat = anyone if turn is None or sight.once_in(2) else turn
    yield sight.get(f"{sight.game}/states/{version}", f"seat={seat}")
    yield sight.get(f"{sight.game}/states/{version}", sight.rng.choice(("", "view=open", "view=spectator")))
    if sight.once_in(6):
        yield sight.get(f"{sight.game}/states/{newest + 1}")
        yield sight.get(f"{sight.game}/states/{newest}", "seat=0&view=open")
        yield sight.get(f"/v1/games/{NOBODY}/states/0")


@entry("GET /v1/games/{game_id}/proof")
def _proof(sight: Sight) -> Iterator[Ask]:
    if sight.once_in(3):
        yield sight.get(f"{sight.game}/proof")
    if sight.once_in(12):
        yield sight.get(f"/v1/games/{NOBODY}/proof")


@entry("GET /v1/games/{game_id}/analysis")
def _analysis(sight: Sight) -> Iterator[Ask]:
    if sight.once_in(3):
        yield sight.get(f"{sight.game}/analysis")
    if sight.once_in(12):
        yield sight.get(f"/v1/games/{NOBODY}/analysis")


@entry("POST /v1/games/{game_id}/forks")
def _fork(sight: Sight) -> Iterator[Ask]:
    seats = [{"kind": "house", "house": "greedy"}] * len(sight.scene.setting.seats)
    if sight.once_in(3):
        yield sight.post(f"{sight.game}/forks", {"version": 0, "seats": seats}, Idempotency_Key="a-fork")
    if sight.once_in(12):
        yield sight.post(f"{sight.game}/forks", {"version": sight.version, "seats": []})
        yield sight.post(f"/v1/games/{NOBODY}/forks", {"version": 0, "seats": seats})


@entry("GET /v1/fairness")
def _fairness(sight: Sight) -> Iterator[Ask]:
    if sight.once_in(12):
        yield sight.get("/v1/fairness")


@entry("GET /v1/games/{game_id}")
def _game(sight: Sight) -> Iterator[Ask]:
    yield sight.get(sight.game)
    if sight.once_in(6):
        yield sight.get(f"/v1/games/{NOBODY}")
        yield sight.get(sight.game.upper().replace("/V1/GAMES", "/v1/games"))


@entry("GET /v1/games")
def _games(sight: Sight) -> Iterator[Ask]:
    bot = sight.rng.choice((*sight.others, *sight.person.bots))
    yield sight.get("/v1/games", f"status=running&bot={bot}&limit=1")
    if sight.once_in(12):
        yield sight.get("/v1/games")
        yield sight.get("/v1/games", "limit=0&cursor=none")
        yield sight.get("/v1/games", f"tournament={NOBODY}")


@entry("POST /v1/games")
def _create(sight: Sight) -> Iterator[Ask]:
    setting = sight.scene.setting
    seats = [
        {"kind": "house", "house": seat.house} if seat.house else {"kind": "bot", "bot": str(seat.bot_id)}
        for seat in setting.info.seats
    ]
    again = {"rules": setting.rules.to_dict(), "seats": seats, **_clock(sight)}
    if sight.person.owner == setting.owner:
        yield sight.post("/v1/games", again, Idempotency_Key=setting.creation_key)
        yield sight.post("/v1/games", again | {"preset": "french", "rules": {}}, Idempotency_Key=setting.creation_key)
    if sight.once_in(12):
        first = {"kind": "bot", "bot": str(sight.person.bots[0])} if sight.person.bots else {"kind": "open"}
        yield _creating(sight.post("/v1/games", {"seats": [first, {"kind": "open"}]}))


def _creating(ask: Ask) -> Ask:
    return replace(ask, creates=True)


def _clock(sight: Sight) -> dict[str, object]:
    clock = sight.scene.setting.info.clock
    return {
        "move_seconds": clock.move_seconds,
        "bank_seconds": clock.bank_seconds,
        "on_timeout": clock.on_timeout.value,
        "max_timeouts": clock.max_timeouts,
    }


@entry("POST /v1/games/{game_id}/seats")
def _take_seat(sight: Sight) -> Iterator[Ask]:
    if sight.once_in(2):
        yield sight.post(f"{sight.game}/seats", {"entropy": "00ff"})
    if sight.once_in(6):
        yield sight.post(f"{sight.game}/seats", {"bot": str(sight.others[0])} if sight.others else {})
        yield sight.post(f"/v1/games/{NOBODY}/seats")


@entry("POST /v1/games/{game_id}/resignation")
def _resign(sight: Sight) -> Iterator[Ask]:
    """Only resignations that are refused: who leaves in earnest does so among the later steps."""
    if sight.others and sight.once_in(2):
        yield sight.post(f"{sight.game}/resignation", query=f"bot={sight.others[0]}")
    if sight.once_in(6):
        yield sight.post(f"/v1/games/{NOBODY}/resignation")


@entry("GET /v1/turns")
def _turns(sight: Sight) -> Iterator[Ask]:
    yield sight.get("/v1/turns")
    if sight.once_in(6):
        yield sight.get("/v1/turns", "limit=1")
        yield replace(sight.get("/v1/turns", "wait=0.001"), counted=False)


@entry("POST /v1/turns")
def _play_turns(sight: Sight) -> Iterator[Ask]:
    """A batch in which nothing can be played."""
    game = str(sight.scene.setting.info.id)
    illegal = [_turn(game, sight.version, action) for action in sight.illegal(ILLEGAL_AT_ONCE)]
    stale = [_turn(game, sight.version + 1, "draw")]
    foreign = [_turn(str(NOBODY), 0, "draw"), _turn(str(sight.people.open_game.id), 0, "draw")]
    first = sight.keyed
    again = [] if first is None else [_turn(game, first.version, first.action, first.key)]
    yield sight.post("/v1/turns", {"actions": [*illegal, *stale, *again, *foreign], "limit": 2})
    if sight.once_in(6):
        yield sight.post("/v1/turns", {"actions": []})
        yield sight.post("/v1/turns", {"actions": [{"game": game}], "wait": 99})


def _turn(game: str, version: int, action: object, key: str | None = None) -> dict[str, object]:
    return {"game": game, "version": version, "action": str(action), "key": key}


@entry("GET /v1/bots/{bot_id}")
def _bot(sight: Sight) -> Iterator[Ask]:
    if sight.once_in(6):
        yield sight.get(f"/v1/bots/{sight.rng.choice([NOBODY, *sight.others])}")


@entry("POST /v1/bots")
def _register(sight: Sight) -> Iterator[Ask]:
    if sight.once_in(12):
        yield sight.post("/v1/bots", {"name": "bot 1"})
        name = f"new {sight.rng.random()}"
        for _ in range(2):
            yield _creating(sight.post("/v1/bots", {"name": name}, Idempotency_Key=name.replace(" ", "-")))
        yield sight.post("/v1/bots", {"name": "bot 2"}, Idempotency_Key=name.replace(" ", "-"))


@entry("GET /v1/me")
def _me(sight: Sight) -> Iterator[Ask]:
    if sight.once_in(6):
        yield sight.get("/v1/me")


@entry("POST /v1/tokens")
def _issue_token(sight: Sight) -> Iterator[Ask]:
    if sight.once_in(12):
        yield _creating(sight.post("/v1/tokens", {"scope": "bot"}))
        yield _creating(sight.post("/v1/tokens", {"bot": str(sight.others[0] if sight.others else NOBODY)}))


@entry("DELETE /v1/tokens/{token_id}")
def _revoke_token(sight: Sight) -> Iterator[Ask]:
    if sight.once_in(6):
        yield Ask("DELETE", f"/v1/tokens/{NOBODY}", sight.person.token)


def _pages() -> list[str]:
    """The reference, the guide, the document, and the page that watches games."""
    app = Flask("pages", static_folder=None)
    reference.register(app, {})
    viewer.register(app)
    return sorted(rule.rule for rule in app.url_map.iter_rules())


STILL: Final = (*_pages(), "/healthz", "/readyz")
"""Paths that say the same at any time. One of them is asked for at each sight."""


def _still(number: int, path: str) -> None:
    @entry(f"GET {path}")
    def _asks(sight: Sight) -> Iterator[Ask]:
        if sight.number % len(STILL) == number:
            yield sight.get(path)


for _number, _path in enumerate(STILL):
    _still(_number, _path)
