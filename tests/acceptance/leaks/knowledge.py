"""Who knows what of a game, by a table that has no part in the service's redaction, and what else might be the case."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random

from skyjo import PLACES, Action, Cause, Event, Phase, Verb
from skyjo.facts import Dealt
from tests.acceptance.leaks.people import People, Person
from tests.acceptance.leaks.setting import Setting
from tests.acceptance.leaks.steps import Performance, Play, Step
from tests.skyjo.shadow import Card, Shadow


@dataclass(frozen=True, slots=True)
class Group:
    """Viewers who know the same.

    Attributes:
        viewers: who they are.
        seats: the seats that are theirs.
        known: the cards whose face they have been shown.
    """

    viewers: tuple[Person, ...]
    seats: frozenset[int]
    known: frozenset[Card]


class Knowledge:
    """What can be known of a game after its last event.

    Args:
        setting: the game.
        played: the game as it was played.
    Attributes:
        value: what is printed on each card.
        choices: the events, by version, that are choices of flips which only their seats know yet.
    """

    def __init__(self, setting: Setting, played: Performance) -> None:
        self._setting = setting
        self._shadow = shadow = Shadow(setting.rules, len(setting.seats))
        for event in played.events:
            shadow.watch(event)
        self.value = shadow.value
        self._known = {viewer: frozenset(cards) for viewer, cards in shadow.known.items()}
        self.choices = _hidden_choices(played)

    def groups(self, people: People) -> list[Group]:
        """Everybody who may look at the table, put together with those who know the same; outsiders first."""
        groups: dict[object, list[Person]] = {}
        for person in self._viewers(people):
            seats = self._seats(person)
            own_choices = seats.intersection(event.seat for event in self.choices.values())
            groups.setdefault((self._known_to(seats), own_choices), []).append(person)
        return [
            Group(
                tuple(viewers), frozenset().union(*map(self._seats, viewers)), self._known_to(self._seats(viewers[0]))
            )
            for viewers in groups.values()
        ]

    def everybody(self, people: People, seat: int) -> Group:
        """All viewers as one who also knows each card that one action of a seat may show."""
        within_reach = {
            *filter(None, self._shadow.grids[seat]),
            *(stream[0] for stream in self._shadow.streams if stream),
        }
        seats = frozenset(range(len(self._setting.seats)))
        return Group(tuple(self._viewers(people)), seats, self._known_to(seats) | within_reach)

    def shown(self) -> dict[Card, int]:
        """Every card that has been shown to anybody, and what is printed on it."""
        return {card: self.value[card] for cards in self._known.values() for card in cards}

    def other_values(self, group: Group, rng: Random) -> dict[Card, int]:
        """New values for the cards that a group has not been shown; those of one shuffle change places."""
        changed: dict[Card, int] = {}
        unknown = [card for card in self.value if card not in group.known]
        for shuffle in sorted({card[:2] for card in unknown}):
            cards = [card for card in unknown if card[:2] == shuffle]
            values = [self.value[card] for card in cards]
            rng.shuffle(values)
            changed.update(zip(cards, values, strict=True))
        return {card: value for card, value in changed.items() if value != self.value[card]}

    def other_choices(self, group: Group, steps: Sequence[Step], rng: Random) -> list[Step]:
        """The same steps, but for the choices of flips that a group does not know."""
        return [self._other_choice(group, step, rng) for step in steps]

    def _other_choice(self, group: Group, step: Step, rng: Random) -> Step:
        if isinstance(step, Play) and step.version + 1 in self.choices and step.seat not in group.seats:
            return replace(step, action=Action.flip(*rng.sample(PLACES, len(step.action.places))))
        return step

    def _viewers(self, people: People) -> Iterable[Person]:
        yield from people.outsiders
        yield from (person for person in self._setting.seats if person is not None)
        if self._seats(people.captain):
            yield people.captain

    def _seats(self, person: Person) -> frozenset[int]:
        sitting = enumerate(self._setting.info.seats)
        return frozenset(number for number, seat in sitting if seat.bot_id in person.bots)

    def _known_to(self, seats: Iterable[int]) -> frozenset[Card]:
        return self._known[None].union(*(self._known[seat] for seat in seats))


def _hidden_choices(played: Performance) -> dict[int, Event]:
    """The choices of a round that still waits for others; what a default action chose, everybody can work out."""
    if played.state.phase is not Phase.FLIP:
        return {}
    choices: dict[int, Event] = {}
    for event in reversed(played.events):
        if any(isinstance(fact, Dealt) for fact in event.facts):
            break
        if event.cause is Cause.PLAYER and event.action is not None and event.action.verb is Verb.FLIP:
            choices[event.version] = event
    return choices
