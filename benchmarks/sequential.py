"""How often the sequential test errs, and how long its matches are, by simulation. It plays no cards.

A match is simulated as a service plays one: many games at once, each as long as its result makes it. The test looks at
pairs of games in the order of the schedule; for comparison it is also shown what it would do in order of finish.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from random import Random
from typing import Final

from rich.progress import Progress

from benchmarks.report import Report, Row
from skyjo_server.tournaments.ratings import expected
from skyjo_server.tournaments.sequential import Accepted, Verdict, verdict
from skyjo_server.tournaments.values import Sequential

MATCHES: Final = 2_000
QUICK_MATCHES: Final = 100
BLOCKS_MAX: Final = 1_500
TESTS: Final = (Sequential(low=0, high=50), Sequential(low=0, high=100))


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """How a simulated match is played.

    Attributes:
        seconds_by_result: how long a game takes that the first entry loses, ties, wins.
        ties: share of games that are tied.
        at_once: games that run at the same time.
    """

    seconds_by_result: tuple[float, float, float] = (1, 1, 1)
    ties: float = 0.02
    at_once: int = 64


@dataclass(frozen=True, slots=True)
class ErrorRates:
    """What was found: how often `high` was accepted where `low` is true, the reverse, and the mean length in games."""

    alpha: float
    beta: float
    games: float


LEVEL: Final = Match()
UNEVEN: Final = Match(seconds_by_result=(1, 3, 8))


def run(progress: Progress, *, quick: bool = False) -> Report:
    """Simulate matches at the edge of either hypothesis."""
    matches = QUICK_MATCHES if quick else MATCHES
    rows: list[Row] = []
    for test in progress.track(TESTS, description="sequential"):
        for name, match, by_finish in (
            ("games of one length", LEVEL, False),
            ("won games eight times as long", UNEVEN, False),
            ("the same, in order of finish", UNEVEN, True),
        ):
            rows += _rows(test, name, error_rates(test, match, matches=matches, seed=7, by_finish=by_finish))
    return Report(
        "sequential",
        tuple(rows),
        (
            f"{matches} matches a side, true lead at the hypothesis, 64 games at once; α = β = 5 %.",
            "The yardstick of an error rate is the bound that was asked for.",
        ),
    )


def _rows(test: Sequential, name: str, rates: ErrorRates) -> Iterator[Row]:
    title = f"{test.low:g} against {test.high:g} Elo, {name}"
    for error, rate, bound in (("α", rates.alpha, test.alpha), ("β", rates.beta, test.beta)):
        yield Row(
            name=f"{title}: {error}", value=100 * rate, unit="%", yardstick="asked for", yardstick_value=100 * bound
        )
    yield Row(name=f"{title}: length", value=rates.games, unit="games")


def error_rates(test: Sequential, match: Match, *, matches: int, seed: int, by_finish: bool = False) -> ErrorRates:
    """Simulate matches with a true lead of `low`, and as many with `high`.

    Args:
        test: in Elo.
        match: how games go.
        matches: how many a side.
        seed: decides everything.
        by_finish: look at games in the order in which they finish, which the test never does.
    """
    look = in_order_of_finish if by_finish else in_order_of_schedule
    low = [_verdict(test, test.low, match, look, f"{seed} low {number}") for number in range(matches)]
    high = [_verdict(test, test.high, match, look, f"{seed} high {number}") for number in range(matches)]
    return ErrorRates(
        alpha=sum(found.accepted is Accepted.HIGH for found in low) / matches,
        beta=sum(found.accepted is Accepted.LOW for found in high) / matches,
        games=sum(2 * found.blocks for found in low + high) / (2 * matches),
    )


Look = Callable[[Sequence[float], Match], Sequence[float]]
"""Puts the results of games into the order in which they are looked at."""


def in_order_of_schedule(results: Sequence[float], match: Match) -> Sequence[float]:
    """As they were begun, whatever they take."""
    del match
    return results


def in_order_of_finish(results: Sequence[float], match: Match) -> Sequence[float]:
    """As they end, if so many run at once and each end begins the next."""
    running: list[tuple[float, int]] = []
    found = []
    for number, result in enumerate(results):
        begin = 0.0
        if len(running) == match.at_once:
            begin, ended = heappop(running)
            found.append(results[ended])
        heappush(running, (begin + match.seconds_by_result[int(2 * result)], number))
    return found


def _verdict(test: Sequential, lead: float, match: Match, look: Look, seed: str) -> Verdict:
    """Play and look at a few blocks, then at more, until the test decides."""
    chance = Random(seed)
    win = expected(lead, 0) - match.ties / 2
    results: list[float] = []
    found = verdict(test, results)
    for blocks in (60, 250, BLOCKS_MAX):
        while len(results) < 2 * blocks:
            drawn = chance.random()
            results.append(1.0 if drawn < win else 0.5 if drawn < win + match.ties else 0.0)
        seen = look(results, match)
        found = verdict(test, [(one + other) / 2 for one, other in zip(seen[::2], seen[1::2], strict=False)])
        if found.accepted is not Accepted.NEITHER:
            break
    return found
