"""Random rules, tables and positions for property tests: everything that play can reach. Asserts nothing.

``games()`` gives whole played games with every event and every state; ``rule_sets()`` gives rules over all options.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, Literal, get_args
from uuid import UUID

from hypothesis import settings
from hypothesis import strategies as st

from skyjo import (
    PRESETS,
    Action,
    Cause,
    Chance,
    Event,
    FairChance,
    Phase,
    RuleSet,
    State,
    Verb,
    decide,
    decide_leave,
    default_action,
    evolve,
    forced_seat,
    initial_state,
    legal_actions,
    shuffle_key,
    start,
)
from skyjo.cards import SEATS_MAX, SEATS_MIN
from skyjo.rules import CHOICES, FLAGS
from skyjo.shuffle import WordStream

GAME_ID: Final = UUID("5b0f1f2e-52a3-4f0e-9c1d-7d7c2f0a9e11")
"""The id of every random game; which one it is does not matter."""

STEPS: Final = (0, 1, 4, 15, 40, 80, 120, 180, 250, 320, 400)
"""Events of a random game after the deal: none, a few, or enough for several rounds."""

SOME: Final = settings(max_examples=40)
"""For properties that hundreds of states of one game hold or break alike: fewer games will do."""

_NUMBERS: Final[dict[str, tuple[int | None, ...]]] = {
    "initial_flips": (2, *range(12)),
    "ender_multiplier": (1, 2, 3, 100),
    "score_limit": (100, None, 1, 60, 300),
    "max_rounds": (None, 1, 2, 4),
    "max_turns_per_seat": (200, None, 1, 5, 12, 30),
}
"""Values of numeric options, small enough that each of them matters within a random game."""


class RunsChance(FairChance):
    """A fair chance whose shuffles bring equal cards together, so that lines are completed often.

    Within each slice of `span` cards, equal cards follow each other; a span of 1 is the fair shuffle itself.
    """

    __slots__ = ("_span",)

    def __init__(self, key: bytes, span: int) -> None:
        super().__init__(key)
        self._span = span

    def reshuffle(self, round_: int, count: int, cards: Sequence[int]) -> tuple[int, ...]:
        """The cards, shuffled and then gathered slice by slice."""
        shuffled = super().reshuffle(round_, count, cards)
        slices = [shuffled[at : at + self._span] for at in range(0, len(shuffled), self._span)]
        return tuple(card for part in slices for card in sorted(part, key=part.index))


Style = Literal["any", "by_verb", "stalling"]


@dataclass(frozen=True, slots=True)
class Habits:
    """How the seats of a random game act.

    Attributes:
        style: ``any``: all legal actions are alike; ``by_verb``: what to do is chosen first and where second, so that
            rounds end sooner; ``stalling``: mostly draw and swap open cards, so that rounds outlast the draw pile.
        timeout_one_in: one action in so many is a default action; 0 = none.
        leave_one_in: before one action in so many, a seat leaves; 0 = nobody does.
    """

    style: Style = "by_verb"
    timeout_one_in: int = 0
    leave_one_in: int = 0


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game as far as it was played: state i is the one after event i."""

    chance: Chance
    events: tuple[Event, ...]
    states: tuple[State, ...]

    @property
    def state(self) -> State:
        """The last state."""
        return self.states[-1]

    @property
    def rules(self) -> RuleSet:
        """The options."""
        return self.state.rules

    @property
    def seats(self) -> int:
        """Number of seats."""
        return self.state.seats

    def __repr__(self) -> str:
        default = RuleSet().to_dict()
        options = {name: value for name, value in self.rules.to_dict().items() if value != default[name]}
        moves = ", ".join(f"{event.seat} {event.action or 'leaves'}" for event in self.events[1:])
        return f"<{self.seats} seats, {options or 'classic'}: {moves}>"


def fair_chance(seed: int, rules: RuleSet | None = None) -> FairChance:
    """The fair chance of a numbered game."""
    return FairChance(_key(seed, rules or RuleSet()))


def play(
    rules: RuleSet, seats: int, chance: Chance, words: WordStream, steps: int, habits: Habits = Habits()
) -> PlayedGame:
    """Play a game of random legal actions, at most so many events after the deal."""
    event = start(rules, seats, chance)
    events, states = [event], [evolve(initial_state(rules, seats), event)]
    while len(events) <= steps and states[-1].phase is not Phase.OVER:
        event = _next_event(states[-1], chance, words, habits)
        events.append(event)
        states.append(evolve(states[-1], event))
    return PlayedGame(chance, tuple(events), tuple(states))


def random_action(state: State, seat: int, words: WordStream, style: Style = "by_verb") -> Action:
    """One of the legal actions of a seat."""
    listed: Sequence[Action] = legal_actions(state, seat)
    if style == "stalling" and words.uniform(12):
        open_ = state.grids[seat].open
        listed = [action for action in listed if _stalls(action, open_)] or listed
    if style != "any":
        verbs = sorted({action.verb for action in listed})
        verb = verbs[words.uniform(len(verbs))]
        listed = [action for action in listed if action.verb is verb]
    return listed[words.uniform(len(listed))]


def action_stream(seed: int) -> WordStream:
    """Words for the choices of the players of a numbered game, apart from its shuffles."""
    return WordStream(seed.to_bytes(32, "big"), b"players")


def universe(rules: RuleSet) -> Iterator[Action]:
    """Every action that can be written, but for flips: of those, several choices of every number of places."""
    yield from (Action.draw(), Action.reject())
    named = [f"{column}{row}" for column in "abcd" for row in "123"]
    for make in (Action.take, Action.keep, Action.reject):
        yield from (make(place) for place in named)
    for count in range(1, 12):
        yield Action.flip(*named[:count])
        yield Action.flip(*named[-count:])
        yield Action.flip(*reversed(named[:count]))
    for place in named:
        yield Action.flip(place, *[other for other in named if other != place][: max(rules.initial_flips - 1, 0)])
        yield Action.flip(place, place)


@st.composite
def rule_sets(draw: st.DrawFn, /, **fixed: Any) -> RuleSet:
    """Rules over all options; those given are kept as they are."""
    options: dict[str, Any] = {}
    for field in fields(RuleSet):
        options[field.name] = fixed[field.name] if field.name in fixed else draw(_option(field.name))
    if options["score_limit"] is None and options["max_rounds"] is None:
        options["score_limit" if "max_rounds" in fixed else "max_rounds"] = 2
    return RuleSet(**options)


def presets() -> st.SearchStrategy[RuleSet]:
    """The rules of a preset."""
    return st.sampled_from(list(PRESETS.values()))


def seat_counts() -> st.SearchStrategy[int]:
    """2 to 8 seats."""
    return st.sampled_from(range(SEATS_MIN, SEATS_MAX + 1))


def seeds() -> st.SearchStrategy[int]:
    """Numbers of random games."""
    return st.integers(0, 2**32 - 1)


def habits() -> st.SearchStrategy[Habits]:
    """How seats act: with and without timeouts and leavers."""
    return st.builds(
        Habits,
        st.sampled_from(get_args(Style)),
        st.sampled_from([0, 0, 3, 20]),
        st.sampled_from([0, 0, 0, 60, 200]),
    )


@st.composite
def chances(draw: st.DrawFn) -> Chance:
    """Fair shuffles, and shuffles that bring equal cards together."""
    return RunsChance(_key(draw(seeds()), RuleSet()), draw(st.sampled_from([1, 30, 75, 150])))


@st.composite
def games(
    draw: st.DrawFn,
    rules: st.SearchStrategy[RuleSet] | None = None,
    seats: st.SearchStrategy[int] | None = None,
    steps: st.SearchStrategy[int] | None = None,
) -> PlayedGame:
    """A game from its deal to some version, or to its end."""
    return play(
        draw(presets() | rule_sets() if rules is None else rules),
        draw(seat_counts() if seats is None else seats),
        draw(chances()),
        action_stream(draw(seeds())),
        draw(st.sampled_from(STEPS) if steps is None else steps),
        draw(habits()),
    )


def states() -> st.SearchStrategy[State]:
    """A state that play can reach."""
    return games().map(lambda game: game.state)


def _option(name: str) -> st.SearchStrategy[Any]:
    if name in CHOICES:
        return st.sampled_from(CHOICES[name])
    return st.booleans() if name in FLAGS else st.sampled_from(_NUMBERS[name])


def _key(seed: int, rules: RuleSet) -> bytes:
    return shuffle_key(seed.to_bytes(32, "big"), GAME_ID, rules.canonical_name)


def _next_event(state: State, chance: Chance, words: WordStream, habits: Habits) -> Event:
    if _one_in(habits.leave_one_in, words):
        stay = [seat for seat, left in enumerate(state.left) if not left]
        return decide_leave(state, stay[words.uniform(len(stay))], (Cause.PLAYER, Cause.FORFEIT)[words.uniform(2)])
    forced = forced_seat(state)
    if forced is not None:
        return decide(state, forced, default_action(state, forced), chance, Cause.FORFEIT)
    seat = state.to_act[words.uniform(len(state.to_act))]
    if _one_in(habits.timeout_one_in, words):
        return decide(state, seat, default_action(state, seat), chance, Cause.TIMEOUT)
    return decide(state, seat, random_action(state, seat, words, habits.style), chance)


def _stalls(action: Action, open_: int) -> bool:
    return action.verb is Verb.DRAW or (action.verb is Verb.KEEP and bool(open_ >> action.places[0] & 1))


def _one_in(count: int, words: WordStream) -> bool:
    return count > 0 and words.uniform(count) == 0
