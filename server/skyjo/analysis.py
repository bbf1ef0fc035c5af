"""What each decision of a game cost by the reckoning of the bot `greedy`: where points were lost. Proves nothing.

A decision is judged by what its seat could know when it took it, never by the cards that came afterwards: luck costs
nothing. The reckoning is that of :func:`skyjo.bots.evaluate`, one turn ahead; a seat that knows better than `greedy` is
charged for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from skyjo.actions import Action, Verb
from skyjo.bots import evaluate
from skyjo.evolution import evolve
from skyjo.facts import Cause, Event
from skyjo.record import GameRecord
from skyjo.state import State, initial_state
from skyjo.view import decision


@dataclass(frozen=True, slots=True)
class ScoredDecision:
    """A decision of a seat, and what it cost.

    Attributes:
        version: the event that the decision became; what the seat saw is the view of the version before.
        seat: who decided.
        played: what it chose.
        best: what it should have chosen; `played` itself where nothing was cheaper.
        cost: what `played` loses against `best`, in expected points; 0 or more.
    """

    version: int
    seat: int
    played: Action
    best: Action
    cost: float

    def to_dict(self) -> dict[str, Any]:
        """The decision, JSON-ready; the cost in points to four places."""
        return {
            "version": self.version,
            "seat": self.seat,
            "played": str(self.played),
            "best": str(self.best),
            "cost": round(self.cost, 4),
        }


def analyse(record: GameRecord) -> tuple[ScoredDecision, ...]:
    """Score every decision that a seat took itself, in the order of the game.

    Choices of initial flips count too: what they differ by is small, but not nothing. What a timeout or a forfeit
    played is left out, as no seat chose it, and so is leaving. Takes a quarter of a millisecond a decision, and half a
    second once for each rules and number of seats.

    Args:
        record: a game that :func:`skyjo.verify` accepts; stopped games are scored as far as they went.

    >>> from uuid import UUID
    >>> from skyjo import Event, FairChance, LoggedEvent, Result, RuleSet, Status, decide, shuffle_key, start
    >>> rules, chance = RuleSet(initial_flip_choice="random"), FairChance(bytes(32))
    >>> deal = start(rules, 2, chance)
    >>> table = evolve(initial_state(rules, 2), deal)
    >>> draw = decide(table, 0, Action.draw(), chance)
    >>> events, result = (LoggedEvent(deal), LoggedEvent(draw)), Result(Status.VOID, (0, 0), None)
    >>> game = GameRecord(UUID(int=1), rules, ("Ann", "Ben"), bytes(32), bytes(32), (), events, result)
    >>> [(scored.version, str(scored.played), str(scored.best), round(scored.cost, 1)) for scored in analyse(game)]
    [(1, 'draw', 'take a3', 0.9)]
    """
    return tuple(_scored(record))


def _scored(record: GameRecord) -> Iterator[ScoredDecision]:
    state = initial_state(record.rules, len(record.seats))
    for event in record.bare_events():
        if event.seat is not None and event.action is not None and event.cause is Cause.PLAYER:
            yield _judged(state, event, event.seat, event.action)
        state = evolve(state, event)


def _judged(before: State, event: Event, seat: int, played: Action) -> ScoredDecision:
    costs = evaluate(decision(before, seat))
    cheapest = min(costs, key=costs.__getitem__)
    cost = costs[_as_listed(played)] - costs[cheapest]
    return ScoredDecision(event.version, seat, played, cheapest if cost > 0 else played, cost)


def _as_listed(action: Action) -> Action:
    """The action as :class:`skyjo.LegalActions` lists it: flips in the order of their places."""
    return Action.flip(*sorted(action.places)) if action.verb is Verb.FLIP else action
