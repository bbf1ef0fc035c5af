"""Waiting for news: woken by what happens here and elsewhere, and by the watcher when every hint is lost."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID, uuid4

from skyjo_server.app import Service, open_service
from skyjo_server.service.hub import Hub
from skyjo_server.service.model import GameStatus
from skyjo_server.settings import Settings
from tests.server.service.people import OPEN_SEAT, bot_seat, house_seat, new_game, play_on, register, view

LONG = 30.0


class NoNews:
    """A watcher's source that never has any."""

    def changed(self, _games: Iterable[UUID], _bots: Iterable[UUID], /) -> tuple[dict[UUID, int], set[UUID]]:
        return {}, set()


def test_an_inbox_waits_until_the_bot_has_a_decision(service: Service) -> None:
    (player,) = register(service, "Ada")
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(service.arena.pending, player.caller, LONG, 10)
        game = new_game(service, bot_seat(player), house_seat("random"))
        assert [decision.game for decision in waiting.result()] == [str(game.id)]


def test_an_inbox_is_woken_by_a_move_in_another_process(service: Service, settings: Settings, conninfo: str) -> None:
    ada, bob = register(service, "Ada", "Bob")
    game = new_game(service, bot_seat(ada), bot_seat(bob))
    play_on(service, (ada, bob), game, 2)
    opener, other = sorted(
        (ada, bob), key=lambda player: view(service, player, game).seat not in view(service, player, game).to_act
    )
    elsewhere = open_service(settings, conninfo)
    try:
        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(service.arena.pending, other.caller, LONG, 10)
            play_on(elsewhere, (opener,), game, 2)
            (decision,) = waiting.result()
    finally:
        elsewhere.close()
    assert decision.seat in decision.to_act


def test_a_view_waits_for_a_later_version_and_is_given_as_it_is_when_time_is_over(service: Service) -> None:
    (player,) = register(service, "Ada")
    game = new_game(service, bot_seat(player), house_seat("random"))
    seen = view(service, player, game)
    assert service.arena.view(player.caller, game.id, None, seen.version, 0.05) == seen
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(service.arena.view, None, game.id, None, seen.version, LONG)
        played = service.arena.play(player.caller, game.id, seen.version, seen.legal_actions[0], None)
        assert waiting.result().version == played.version


def test_events_of_an_open_game_are_none_yet_and_whoever_waits_for_them_sees_the_deal(service: Service) -> None:
    ada, bob = register(service, "Ada", "Bob")
    game = new_game(service, bot_seat(ada), OPEN_SEAT)
    page = service.arena.events(None, game.id, -1, 10, 0.05)
    assert (page.events, page.version, page.status) == ((), -1, GameStatus.OPEN)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(service.arena.events, ada.caller, game.id, -1, 10, LONG)
        service.arena.join(bob.caller, game.id, None, b"")
        page = waiting.result()
    assert ([stamped.event.version for stamped in page.events], page.status) == ([0], GameStatus.RUNNING)


def test_a_waiter_that_gets_no_hint_is_woken_by_the_watcher() -> None:
    topic, looks = uuid4(), iter([None, None, "news"])

    class LateNews(NoNews):
        def changed(self, _games: Iterable[UUID], _bots: Iterable[UUID], /) -> tuple[dict[UUID, int], set[UUID]]:
            return {}, {topic}

    hub = Hub(LateNews(), 4)
    assert hub.wait(topic, LONG, lambda: next(looks)) == "news"
    hub.close()


def test_what_happens_between_the_look_and_the_sleep_is_not_missed() -> None:
    hub, topic = Hub(NoNews(), 4), uuid4()
    news: list[str] = []

    def look() -> str | None:
        found = news[0] if news else None
        if not news:
            news.append("news")  # it happens just after the look …
            hub.wake([topic])  # … and the hint comes before the sleep
        return found

    assert hub.wait(topic, LONG, look) == "news"
    hub.close()


def test_beyond_the_limit_nobody_waits_and_nobody_is_refused() -> None:
    hub = Hub(NoNews(), 1)
    inside, topic = threading.Event(), uuid4()

    def look() -> None:
        inside.set()

    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(hub.wait, topic, LONG, look)
        inside.wait()
        assert hub.wait(uuid4(), LONG, lambda: None) is None
        hub.close()
        assert first.result() is None


def test_closing_lets_everybody_go(service: Service) -> None:
    (player,) = register(service, "Ada")
    started = threading.Event()

    def wait() -> object:
        started.set()
        return service.arena.pending(player.caller, LONG, 10)

    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(wait)
        started.wait()
        service.hub.close()
        assert waiting.result() == ()
