"""Laws that every bot must keep, to be run in its author's own tests. Judges neither strength nor speed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final
from uuid import UUID

from skyjo import (
    Action,
    Chance,
    Decision,
    FairChance,
    Phase,
    RuleSet,
    State,
    decide,
    decision,
    evolve,
    initial_state,
    legal_actions,
    shuffle_key,
    start,
)
from skyjo.shuffle import WordStream
from skyjo_client.bots import BotLike, Choose, choices_of, chosen
from skyjo_client.errors import BotError, SkyjoClientError


def _short(rules: RuleSet) -> RuleSet:
    return replace(rules, max_rounds=2, max_turns_per_seat=60)


RULES: Final = (
    _short(RuleSet.preset("classic")),
    _short(RuleSet.preset("french")),
    _short(RuleSet(initial_flips=0, remove_rows=True, draw_streams="per_seat")),
    _short(RuleSet(initial_flips=11, remove_columns=False, flip_after_reject="optional")),
    _short(RuleSet(initial_flip_choice="random", remove_rows=True, next_starter="rotate")),
)
"""The rules that a bot is checked under: both presets and what is odd, in short games."""

SEATS: Final = (2, 3, 4, 8)
"""The sizes of the tables that it is checked at."""


class BotCheckFailed(SkyjoClientError, AssertionError):
    """A bot breaks a law; the message says which, where, and how to see it again.

    Attributes:
        seed: number of the game: ``check_bot(bot, seeds=[seed])`` plays it again.
    """

    def __init__(self, message: str, seed: int) -> None:
        super().__init__(message, seed)
        self.seed = seed

    def __str__(self) -> str:
        return f"{self.args[0]}\nTo see it again: check_bot(bot, seeds=[{self.seed}])"


@dataclass(frozen=True, slots=True)
class BotCheck:
    """What a bot was checked on: so many games, and so many decisions in each phase."""

    games: int
    decisions: dict[Phase, int]


def check_bot(bot: BotLike, *, seeds: Iterable[int] = range(20), rules: Sequence[RuleSet] = RULES) -> BotCheck:
    """Play games against random play, and hold the bot to its laws in every decision.

    The laws: it raises nothing; it chooses one of the legal actions; it leaves the decision as it was; a class can be
    instantiated anew in the middle of a game and goes on, as after a restart. Cards and opponents depend on the seed
    alone, so that a failure can be seen again, as long as the bot itself does the same again.

    Args:
        bot: a function, an object with `choose`, or a class of such.
        seeds: a game for each; the seed settles its rules, its size, the bot's seat and all chance.
        rules: what is played, in turn.
    Raises:
        BotCheckFailed: at the first law that is broken.

    >>> check_bot(lambda decision: decision.legal_actions[0], seeds=range(3)).games
    3
    """
    games, decisions = 0, dict.fromkeys((Phase.FLIP, Phase.TURN, Phase.DRAWN), 0)
    for seed in seeds:
        games += 1
        for phase in _Game(bot, seed, rules[seed % len(rules)]).phases():
            decisions[phase] += 1
    return BotCheck(games, decisions)


class _Game:
    """One game of a bot against random play."""

    def __init__(self, bot: BotLike, seed: int, rules: RuleSet) -> None:
        self._new_choice = choices_of(bot)
        self._choose = self._new_choice()
        self._seed = seed
        self._id = UUID(int=seed % 2**128)
        key = shuffle_key(sha256(str(seed).encode()).digest(), self._id, rules.canonical_name)
        self._chance: Chance = FairChance(key)
        self._random = WordStream(key, b"opponents")
        seats = SEATS[seed // len(RULES) % len(SEATS)]
        self._seat = self._random.uniform(seats)
        self._state: State = evolve(initial_state(rules, seats), start(rules, seats, self._chance))

    def phases(self) -> Iterable[Phase]:
        """Play to the end, and give the phase of each of the bot's decisions."""
        while self._state.phase is not Phase.OVER:
            seat = self._state.to_act[-1]
            if seat == self._seat:
                yield self._state.phase
                # A restart can come at any moment: here, before every fifth decision or so.
                if self._random.uniform(5) == 0:
                    self._choose = self._new_choice()
                action = self._checked(self._choose)
            else:
                listed = legal_actions(self._state, seat)
                action = listed[self._random.uniform(len(listed))]
            self._state = evolve(self._state, decide(self._state, seat, action, self._chance))

    def _checked(self, choose: Choose) -> Action:
        seen = self._decision()
        try:
            action = chosen(choose, seen)
        except BotError as error:
            raise BotCheckFailed(str(error), self._seed) from error
        if seen != self._decision():
            raise BotCheckFailed(f"the bot changed the decision in version {seen.version}", self._seed)
        return action

    def _decision(self) -> Decision:
        """What the bot would get over HTTP: read from its JSON form, with a clock in every other version."""
        deadline = "2026-01-31T12:00:00+00:00" if self._state.version % 2 else None
        seen = decision(self._state, self._seat, game=str(self._id), deadline=deadline)
        return Decision.from_dict(seen.to_dict())
