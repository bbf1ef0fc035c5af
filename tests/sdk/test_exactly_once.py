"""Exactly once, seen from the client: no fault of the network changes what is in the log."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from skyjo_client import RunEvent
from tests.sdk.little.faults import Fault, Handler
from tests.sdk.little.http import LittleApp
from tests.sdk.worlds import World, by_default, own_moves, told_moves

Moves = list[list[tuple[int, str]]]


def moves_over(faults: list[Fault], handler: Handler) -> Moves:
    """What a bot plays in two games over such a network; what it was told is what is in the log."""
    world = World(handler)
    bot, token = world.bot()
    games = [world.game(bot, token).id for _ in range(2)]
    events: list[RunEvent] = []
    with world.client(token, faults=faults) as client:
        world.runner(client, by_default, until_done=True, on_event=events.append).run()
    moves = [own_moves(world, token, game) for game in games]
    assert moves == [told_moves(events, game) for game in games]
    return moves


UNDISTURBED = moves_over([], LittleApp())
FAULTS = st.lists(st.sampled_from(Fault), max_size=30)


@settings(max_examples=50)
@given(faults=FAULTS)
def test_whatever_is_lost_doubled_or_delayed_the_log_is_the_one_of_a_perfect_network(faults: list[Fault]) -> None:
    assert moves_over(faults, LittleApp()) == UNDISTURBED


@settings(max_examples=15)
@given(faults=FAULTS)
def test_whatever_is_lost_doubled_or_delayed_the_real_log_is_what_the_bot_was_told(
    shared_handler: Handler, faults: list[Fault]
) -> None:
    assert all(moves_over(faults, shared_handler))


def test_the_perfect_network_lets_a_bot_play() -> None:
    assert [len(moves) for moves in UNDISTURBED] == [9, 9]
