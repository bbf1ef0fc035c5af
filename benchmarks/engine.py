"""How fast the rules play at random, on values and on the twin, beside the cost of calling a function. No service.

Each action is listed as legal and validated before it is applied; whole games are played, their fair shuffles included.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from random import Random
from time import process_time
from typing import Final

from rich.progress import Progress

from benchmarks.report import Report, Row
from skyjo import FairChance, Phase, RuleSet, State, decide, decision, evolve, initial_state, legal_actions, start
from skyjo.twin import Twin
from skyjo_client import Arena, load_bot

ROUNDS: Final = 24
SLICE_SECONDS: Final = 0.12
QUICK_ROUNDS: Final = 4
QUICK_SLICE_SECONDS: Final = 0.03
CALLS: Final = 20_000

RULES: Final = RuleSet()
_OVER: Final = Phase.OVER

Work = Callable[[], int]
"""Does a little of something; gives how much."""


@dataclass(frozen=True, slots=True)
class Rates:
    """What was measured of each work, in its unit a second of processor time."""

    calls: float
    values_2: float
    values_8: float
    twin_2: float
    twin_8: float
    shuffles: float
    decisions: float
    games: float

    def rows(self) -> tuple[Row, ...]:
        """The rows of the report."""
        return (
            _held("decide and evolve, 2 seats", self.values_2, "empty calls", self.calls, 0.008),
            _held("decide and evolve, 8 seats", self.values_8, "2 seats", self.values_2, 0.7),
            _held("twin (arena), 2 seats", self.twin_2, "empty calls", self.calls, 0.02),
            _held("twin (arena), 8 seats", self.twin_8, "2 seats", self.twin_2, 0.7),
            Row(name="arena, greedy against greedy", value=self.games, unit="games/s"),
            Row(name="deals shuffled", value=self.shuffles, unit="deals/s"),
            Row(name="decisions built, 2 seats", value=self.decisions, unit="decisions/s"),
        )


def run(progress: Progress, *, quick: bool = False) -> Report:
    """Measure everything in turns, so that whatever disturbs the machine disturbs all of it."""
    _check_the_paths_agree()
    rounds, seconds = (QUICK_ROUNDS, QUICK_SLICE_SECONDS) if quick else (ROUNDS, SLICE_SECONDS)
    works = _works()
    found: list[list[float]] = [[] for _ in works]
    for _ in progress.track(range(rounds), description="engine"):
        for work, rates in zip(works, found, strict=True):
            rates.append(_rate(work, seconds))
    return Report(
        "engine",
        Rates(*map(_upper_quartile, found)).rows(),
        (
            "Random play of whole games, shuffles included, in one process; rates are per second of processor time.",
            f"The upper quartile of {rounds} turns each: a disturbance only ever slows.",
        ),
    )


def _works() -> Sequence[Work]:
    """What is measured, in the order of :class:`Rates`."""
    pick, keys = Random(7), count(1)
    return (
        _call,
        lambda: play_values(2, next(keys), pick).version,
        lambda: play_values(8, next(keys), pick).version,
        lambda: play_twin(2, next(keys), pick).version,
        lambda: play_twin(8, next(keys), pick).version,
        lambda: _deal(next(keys)),
        _decisions(),
        _arena_games(),
    )


def play_values(seats: int, key: int, pick: Random) -> State:
    """Play a game at random through `legal_actions`, `decide` and `evolve`."""
    random_bits = pick.getrandbits
    chance = FairChance(key.to_bytes(32, "big"))
    state = evolve(initial_state(RULES, seats), start(RULES, seats, chance))
    while state.phase is not _OVER:
        seat = state.turn if state.turn is not None else state.to_act[0]
        actions = legal_actions(state, seat)
        state = evolve(state, decide(state, seat, actions[random_bits(30) % len(actions)], chance))
    return state


def play_twin(seats: int, key: int, pick: Random) -> Twin:
    """Play a game at random on the twin, as the arena does."""
    random_bits = pick.getrandbits
    game = Twin(RULES, seats, FairChance(key.to_bytes(32, "big")))
    while game.phase is not _OVER:
        seat = game.turn if game.turn is not None else game.to_act[0]
        actions = game.legal_actions(seat)
        game.play(seat, actions[random_bits(30) % len(actions)])
    return game


def _check_the_paths_agree() -> None:
    for seats in (2, 8):
        assert play_values(seats, 1, Random(1)) == play_twin(seats, 1, Random(1)).state()


def _nothing(_first: int, _second: int) -> None:
    """The yardstick: what Python takes to call a function of two arguments."""


def _call() -> int:
    for _ in range(CALLS):
        _nothing(1, 2)
    return CALLS


def _deal(key: int) -> int:
    FairChance(key.to_bytes(32, "big")).deal(1)
    return 1


def _decisions() -> Work:
    game = Twin(RULES, 2, FairChance(bytes(32)))
    pick = Random(3)
    for _ in range(40):
        seat = game.to_act[0]
        game.play(seat, pick.choice(game.legal_actions(seat)))
    seat = game.to_act[0]

    def build() -> int:
        decision(game, seat)
        return 1

    return build


def _arena_games() -> Work:
    arena, numbers = Arena([load_bot("greedy"), load_bot("greedy")], seed="benchmark"), count()

    def play() -> int:
        arena.play_one(next(numbers))
        return 1

    return play


def _rate(work: Work, seconds: float) -> float:
    """How much of a work is done in a second, measured over at least so many seconds of processor time."""
    done, spent, began = 0, 0.0, process_time()
    while spent < seconds:
        done += work()
        spent = process_time() - began
    return done / spent


def _upper_quartile(rates: list[float]) -> float:
    return sorted(rates)[-1 - len(rates) // 4]


def _held(name: str, value: float, yardstick: str, yardstick_value: float, floor: float) -> Row:
    return Row(
        name=name, value=value, unit="actions/s", yardstick=yardstick, yardstick_value=yardstick_value, floor=floor
    )
