"""How many games plain play and duplicate boards need to tell two bots apart, with and without corrections for luck.

Two bots of a known difference meet the same opponent: they are one bot that slips more or less often. In plain play
each of their games has a deal of its own; on duplicate boards both get the same deal in the same seat, at different
tables. What is measured is the lead. All ways have the same expectation, so only their variances matter: the number of
games is what a two-sided test at 5 % needs to find the difference nine times out of ten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from hashlib import blake2b
from multiprocessing import get_context
from os import cpu_count
from statistics import NormalDist, fmean
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.progress import Progress

from benchmarks.report import Report, Row
from skyjo import Action, Decision, RuleSet
from skyjo.bots import HOUSE_BOTS, evaluate
from skyjo.rules import DrawStreams
from skyjo.shuffle import WordStream
from skyjo_client import Arena
from skyjo_client.loading import NamedBot
from skyjo_server.tournaments.luck import luck

FLOOR: Final = 1.5
DEVIATIONS: Final = NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(0.9)
"""How many standard errors the difference must be, to be found nine times out of ten."""

LEAST_DIFFERENCE: Final = 0.1
"""Points; less can come out only where a few boards are played to try everything."""

LEAST_SPREAD: Final = 1e-6
"""A variance, in squared points, below which a few boards were drawn such that nothing varies."""

RESAMPLES: Final = 2_000


@dataclass(frozen=True, slots=True)
class Careless:
    """The house bot `threshold`, but that it plays any legal action in a share of its decisions.

    Attributes:
        name: its own; when it slips follows from it and from the decision.
        share: part of the decisions, 0 to 1.
    """

    name: str
    share: float

    def choose(self, decision: Decision) -> Action:
        """What the house bot plays, or anything."""
        drawn = _drawn(self.name, decision)
        if drawn < self.share:
            return decision.legal_actions[int(drawn / self.share * len(decision.legal_actions))]
        return HOUSE_BOTS["threshold"](WordStream(b"", b"")).choose(decision)


@dataclass(frozen=True, slots=True)
class Wavering:
    """The house bot `greedy`, but that it plays its second choice in a share of its decisions.

    Attributes:
        name: its own; when it wavers follows from it and from the decision.
        share: part of the decisions, 0 to 1.
    """

    name: str
    share: float

    def choose(self, decision: Decision) -> Action:
        """The cheapest action by what `greedy` expects, or the one that comes next."""
        costs = evaluate(decision)
        first, *others = sorted(costs, key=costs.__getitem__)
        return others[0] if others and _drawn(self.name, decision) < self.share else first


def _drawn(name: str, decision: Decision) -> float:
    """A number from 0 to 1 that belongs to a bot and a decision."""
    text = f"{name} {decision.game} {decision.version} {decision.seat}"
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") / 2**64


Bot = Careless | Wavering


@dataclass(frozen=True, slots=True)
class Pair:
    """Two bots to be told apart, and whom both meet.

    Attributes:
        name: what the report calls them.
        better: slips less often.
        worse: slips more often.
        opponent: whom both meet.
        boards: how many are played, each in both ways to draw.
        quick_boards: how many in a short time.
    """

    name: str
    better: Bot
    worse: Bot
    opponent: Bot
    boards: int
    quick_boards: int


PAIRS: Final = (
    Pair("careless", Careless("A", 0.01), Careless("B", 0.03), Careless("F", 0.02), boards=400, quick_boards=12),
    Pair("wavering", Wavering("A", 0.1), Wavering("B", 0.25), Wavering("greedy", 0.0), boards=300, quick_boards=6),
)

STREAMS: Final[tuple[DrawStreams, ...]] = ("per_seat", "shared")


class Task(NamedTuple):
    """One game: which bot, against its opponent, on which board, drawn in which way."""

    bot: Bot
    opponent: Bot
    streams: DrawStreams
    board: int


class Played(NamedTuple):
    """A bot's lead at the end of a game, and how much of it was luck, in points."""

    lead: float
    luck: float


Leads = NDArray[np.floating]
"""By board: the better's lead, the worse's, the better's luck, the worse's."""


def run(progress: Progress, *, quick: bool = False) -> Report:
    """Play every pair on its boards, both ways, in as many processes as there are processors."""
    rows: list[Row] = []
    with ProcessPoolExecutor(cpu_count(), get_context("spawn")) as executor:
        for pair in PAIRS:
            boards = pair.quick_boards if quick else pair.boards
            tasks = list(_tasks(pair, boards))
            played = executor.map(play, tasks, chunksize=4)
            found = dict(zip(tasks, progress.track(played, total=len(tasks), description=pair.name), strict=True))
            rows += _rows(pair, {streams: _leads(pair, boards, streams, found) for streams in STREAMS}, quick=quick)
    return Report(
        "luck",
        tuple(rows),
        (
            "Games that a test at 5 % needs to find the difference nine times out of ten, beside another way to play.",
            "Corrected: less a share of the luck that the logs show, fitted to these games; docs/luck.md says how.",
        ),
    )


def _tasks(pair: Pair, boards: int) -> Iterator[Task]:
    for board in range(boards):
        for streams in STREAMS:
            yield Task(pair.better, pair.opponent, streams, board)
            yield Task(pair.worse, pair.opponent, streams, board)


def play(task: Task) -> Played:
    """Play one game; the seats are taken in turn, board by board."""
    bots = [NamedBot(bot.name, None, bot) for bot in (task.bot, task.opponent)]
    arena = Arena(bots, rules=RuleSet(draw_streams=task.streams), seed="luck")
    game = arena.play_one(task.board, record=True)
    assert game.record is not None
    seat = game.seats.index(task.bot.name)
    return Played(game.totals[1 - seat] - game.totals[seat], luck(game.record.bare_events(), 2)[seat])


def _leads(pair: Pair, boards: int, streams: DrawStreams, found: Mapping[Task, Played]) -> Leads:
    better = [found[Task(pair.better, pair.opponent, streams, board)] for board in range(boards)]
    worse = [found[Task(pair.worse, pair.opponent, streams, board)] for board in range(boards)]
    return np.array([(one.lead, other.lead, one.luck, other.luck) for one, other in zip(better, worse, strict=True)])


def plain(leads: Leads) -> float:
    """The variance of a difference of two games with deals of their own."""
    return float(leads[:, 0].var(ddof=1) + leads[:, 1].var(ddof=1))


def duplicate(leads: Leads) -> float:
    """The variance of a difference of two games on one board."""
    return float((leads[:, 0] - leads[:, 1]).var(ddof=1))


def plain_corrected(leads: Leads) -> float:
    """The same, each lead corrected for its luck."""
    return _fitted(leads[:, 0], leads[:, 2:3])[1] + _fitted(leads[:, 1], leads[:, 3:])[1]


def duplicate_corrected(leads: Leads) -> float:
    """The variance of a difference of two games on one board, corrected for the luck of both."""
    return _fitted(leads[:, 0] - leads[:, 1], leads[:, 2:])[1]


def _fitted(values: Leads, lucks: Leads) -> tuple[float, float]:
    """Take from values the share of luck that leaves the least variance.

    Returns:
        what is left on average, which is unbiased since luck is nought in expectation; and how it varies.
    """
    known = np.column_stack([np.ones(len(values)), lucks])
    shares = np.linalg.lstsq(known, values, rcond=None)[0]
    rest = values - known @ shares
    return float(shares[0]), float(rest @ rest) / max(len(values) - known.shape[1], 1)


WAYS: Final[tuple[tuple[str, Callable[[Leads], float]], ...]] = (
    ("plain play", plain),
    ("plain play, corrected", plain_corrected),
    ("duplicate boards", duplicate),
    ("duplicate boards, corrected", duplicate_corrected),
)


def _rows(pair: Pair, leads: Mapping[DrawStreams, Leads], *, quick: bool) -> Iterator[Row]:
    difference = _difference(list(leads.values()))
    yield Row(name=f"{pair.name}: difference of the two", value=difference, unit="points a game")
    for streams, kept in leads.items():
        base = _games(plain(kept), difference)
        for name, variance in WAYS[1:]:
            low, high = ratio_interval(kept, variance)
            held = streams == "per_seat" and variance is duplicate and not quick
            yield Row(
                name=f"{pair.name}, {streams}: plain ({low:.2f}–{high:.2f}×)",
                value=base,
                unit="games",
                yardstick=name,
                yardstick_value=_games(variance(kept), difference),
                floor=FLOOR if held else None,
            )


def _difference(leads: Sequence[Leads]) -> float:
    """The best estimate of the two bots' difference, in points: of both ways to draw, corrected."""
    return abs(fmean(_fitted(kept[:, 0] - kept[:, 1], kept[:, 2:])[0] for kept in leads))


def _games(variance: float, difference: float) -> float:
    """Games of both bots together."""
    return 2 * DEVIATIONS**2 * variance / max(difference, LEAST_DIFFERENCE) ** 2


def ratio_interval(leads: Leads, variance: Callable[[Leads], float]) -> tuple[float, float]:
    """Where the ratio of plain play's games to another way's lies at 95 %, by bootstrap over boards."""
    chance = np.random.default_rng(1)
    drawn = (leads[chance.integers(0, len(leads), len(leads))] for _ in range(RESAMPLES))
    ratios = [plain(sample) / spread for sample in drawn if (spread := variance(sample)) > LEAST_SPREAD]
    low, high = np.quantile(ratios, (0.025, 0.975))
    return float(low), float(high)
