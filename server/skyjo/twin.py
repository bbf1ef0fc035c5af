"""The mutable twin of a game, for play at speed: the same rules, changed in place, without events.

A Twin answers what a State answers, so :func:`skyjo.legal_actions`, :func:`skyjo.default_action` and
:func:`skyjo.decision` take either; a property holds the two equal. It keeps no log: the events follow from the same
chance and the same actions, through :func:`skyjo.start`, :func:`skyjo.decide` and :func:`skyjo.evolve`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from skyjo.actions import Action, Verb
from skyjo.cards import GRID_SIZE, ROWS
from skyjo.engine import check_seats
from skyjo.facts import RoundScored
from skyjo.legal import LegalActions, all_turn_choices, check_action, check_leave, legal_actions
from skyjo.lines import COLUMN_MATES, complete_lines, final_lines, lines_completed
from skyjo.opening import chance_opener, opener_candidates
from skyjo.places import Place
from skyjo.quick import quick
from skyjo.rules import RuleSet
from skyjo.scoring import final_scores, game_is_over, ranks
from skyjo.shuffle import Chance
from skyjo.state import ALL_PLACES, PLACES_OF_MASK, Grid, Phase, State, mask_of, next_stream, stream_counts

_FLIP: Final = Verb.FLIP
_DRAW: Final = Verb.DRAW
_TAKE: Final = Verb.TAKE
_KEEP: Final = Verb.KEEP
_TURN: Final = Phase.TURN
_DRAWN: Final = Phase.DRAWN
_NO_LIMIT: Final = 10**9

_scored: Final = quick(RoundScored)


class TwinGrid:
    """One seat's twelve places, changed in place; the attributes are those of :class:`skyjo.Grid`."""

    __slots__ = ("cards", "hidden", "open")

    def __init__(self, cards: Sequence[int]) -> None:
        self.cards = list(cards)
        self.hidden = ALL_PLACES
        self.open = 0

    def open_sum(self) -> int:
        """Sum of the open cards."""
        return sum([self.cards[place] for place in PLACES_OF_MASK[self.open]])

    def turn_up(self, mask: int) -> None:
        """Turn up the hidden cards of a mask."""
        self.hidden &= ~mask
        self.open |= mask


class Twin:
    """A game in play; the attributes are those of :class:`skyjo.State`, with lists where it has tuples.

    Args:
        rules: the options.
        seats: 2 to 8.
        chance: where every deal and all other chance comes from; the first deal at once.
    Raises:
        InvalidRules: if there are not 2 to 8 seats.

    >>> from skyjo import FairChance, RuleSet
    >>> game = Twin(RuleSet(), 2, FairChance(bytes(32)))
    >>> game.play(0, Action.parse("flip a1 a2"))
    >>> game.version, game.to_act
    (1, (1,))
    """

    __slots__ = (
        "_choices", "_limit", "_rows", "chance", "chosen", "discard_pile", "draw_pile_size", "ender", "grids", "hand",
        "left", "opener", "phase", "pile", "ranks", "reshuffles", "round", "rounds", "rules", "seats", "taken", "turn",
        "turns", "version",
    )  # fmt: skip

    turn: int | None
    hand: int | None
    ender: int | None
    turns: list[int]
    reshuffles: int
    draw_pile_size: int
    chosen: list[tuple[Place, ...] | None]

    def __init__(self, rules: RuleSet, seats: int, chance: Chance) -> None:
        check_seats(seats)
        self._choices = all_turn_choices()
        self._rows = rules.remove_rows
        self._limit = rules.max_turns_per_seat or _NO_LIMIT
        self.rules = rules
        self.seats = seats
        self.chance = chance
        self.version = 0
        self.round = 0
        self.opener: int | None = None
        self.ranks: tuple[int, ...] | None = None
        self.left = [False] * seats
        self.rounds: list[RoundScored] = []
        self._deal()

    @property
    def totals(self) -> tuple[int, ...]:
        """Points by seat over the rounds scored."""
        return self.rounds[-1].totals if self.rounds else (0,) * self.seats

    @property
    def to_act(self) -> tuple[int, ...]:
        """Seats whose action the game waits for, ascending; several only while initial flips are chosen."""
        if self.turn is not None:
            return (self.turn,)
        if self.phase is Phase.OVER:
            return ()
        return tuple(seat for seat, places in enumerate(self.chosen) if places is None)

    def state(self) -> State:
        """The game as it stands, as an immutable value of its own."""
        return State(
            self.rules, self.version, self.round, self.phase, self.turn,
            tuple(Grid(tuple(grid.cards), grid.hidden, grid.open) for grid in self.grids),
            self.pile, tuple(self.taken), tuple(self.discard_pile), self.hand, tuple(self.chosen), self.opener,
            self.ender, tuple(self.turns), self.reshuffles, tuple(self.rounds), tuple(self.left), self.ranks,
        )  # fmt: skip

    def legal_actions(self, seat: int) -> LegalActions:
        """Every action that a seat may play now, as :func:`skyjo.legal_actions` lists them.

        Raises:
            IllegalAction: `no-such-seat`.
        """
        if seat == self.turn and self.phase is _TURN and self.draw_pile_size:
            grid = self.grids[seat]
            return self._choices[grid.hidden | grid.open]
        return legal_actions(self, seat)

    def play(self, seat: int, action: Action) -> None:
        """Play an action of a seat.

        Raises:
            IllegalAction: with its reason; nothing has changed.
        """
        if action.verb is not _TAKE or seat != self.turn or self.phase is not _TURN:
            self._play_other(seat, action)
            return
        # To take is written out, not called: nothing is played as often, and every call costs.
        grid, place = self.grids[seat], action.places[0]
        bit = 1 << place
        if grid.hidden & bit:
            grid.hidden ^= bit
            grid.open ^= bit
        elif not grid.open & bit:
            check_action(self, seat, action)
        self.version += 1
        cards, pile = grid.cards, self.discard_pile
        card = pile[-1]
        pile[-1] = cards[place]
        cards[place] = card
        one, other = COLUMN_MATES[place]
        if (cards[one] == card and cards[other] == card) or self._rows:
            self._remove(grid, lines_completed(self.rules, grid, place, card))
        turns = self.turns[seat] + 1
        if grid.hidden and self.ender is None and turns < self._limit:
            self.turns[seat] = turns
            self.turn = (seat + 1) % self.seats
        else:
            self._pass_on(seat, grid)

    def leave(self, seat: int) -> None:
        """Let a seat leave. Source: rule 31.

        Raises:
            IllegalAction: `no-such-seat`, `game-over` or `already-left`.
        """
        check_leave(self, seat)
        self.left[seat] = True
        self.version += 1
        if self.left.count(False) == 1:
            self._end_game()

    def _play_other(self, seat: int, action: Action) -> None:
        check_action(self, seat, action)
        self.version += 1
        verb = action.verb
        if verb is _DRAW:
            self._draw(seat)
        elif verb is _FLIP:
            self.chosen[seat] = action.places
            if None not in self.chosen:
                self._open_round()
        else:
            self._put_down(seat, action)

    def _draw(self, seat: int) -> None:
        """Draw, from the discards if the pile is empty (rules 11 and 28)."""
        if not self.draw_pile_size:
            self.reshuffles += 1
            self.pile = self.chance.reshuffle(self.round, self.reshuffles, self.discard_pile[:-1])
            self.taken = list(stream_counts(self.rules, self.seats))
            self.draw_pile_size = len(self.pile)
            del self.discard_pile[:-1]
        taken = self.taken
        stream = next_stream(len(self.pile), taken, seat)
        self.hand = self.pile[stream + len(taken) * taken[stream]]
        taken[stream] += 1
        self.draw_pile_size -= 1
        self.phase = _DRAWN

    def _put_down(self, seat: int, action: Action) -> None:
        """Keep or reject the drawn card (rule 11)."""
        grid, hand = self.grids[seat], self.hand
        assert hand is not None  # noqa: S101 - check_action saw the phase `drawn`, which has a hand
        self.hand = None
        self.phase = _TURN
        if not action.places:
            self.discard_pile.append(hand)
        else:
            place = action.places[0]
            if action.verb is _KEEP:
                grid.cards[place], hand = hand, grid.cards[place]
            self.discard_pile.append(hand)
            grid.turn_up(1 << place)
            self._remove(grid, lines_completed(self.rules, grid, place, grid.cards[place]))
        self._pass_on(seat, grid)

    def _pass_on(self, seat: int, grid: TwinGrid) -> None:
        """End a seat's turn: the next seat is on move, unless the round ends. Source: rules 20, 21 and 29."""
        after, turns = (seat + 1) % self.seats, self.turns[seat] + 1
        if after == self.ender or (self.ender is None and grid.hidden and turns >= self._limit):
            self._end_round()
            return
        if self.ender is None and not grid.hidden:
            self.ender = seat
        self.turns[seat] = turns
        self.turn = after

    def _end_round(self) -> None:
        """Final reveal, removals, scores, then the next deal or the end. Source: rules 22 to 29."""
        rules, ender = self.rules, self.ender
        for grid in self.grids:
            grid.turn_up(grid.hidden)
            self._remove(grid, final_lines(rules, grid))
        raw = tuple([grid.open_sum() for grid in self.grids])
        final = final_scores(rules, raw, ender)
        totals = tuple([total + score for total, score in zip(self.totals, final, strict=True)])
        scored = _scored(self.round, raw, final, totals, ender, ender is None)
        self.rounds.append(scored)
        if game_is_over(rules, scored):
            self._end_game()
        else:
            self._deal()

    def _end_game(self) -> None:
        self.phase = Phase.OVER
        self.turn = None
        self.ranks = ranks(self.totals, self.left)

    def _deal(self) -> None:
        """Deal the next round, and open it where nobody has flips to choose. Source: rules 5 to 9."""
        rules, seats = self.rules, self.seats
        self.round += 1
        cards = self.chance.deal(self.round)
        dealt = seats * GRID_SIZE
        self.grids = [TwinGrid(cards[start : start + GRID_SIZE]) for start in range(0, dealt, GRID_SIZE)]
        self.discard_pile = [cards[dealt]]
        self.pile = cards[dealt + 1 :]
        self.taken = list(stream_counts(rules, seats))
        self.draw_pile_size = len(self.pile)
        self.phase, self.turn, self.hand, self.ender = Phase.FLIP, None, None, None
        self.turns = [0] * seats
        self.reshuffles = 0
        self.chosen = self._first_choices()
        if None not in self.chosen:
            self._open_round()

    def _first_choices(self) -> list[tuple[Place, ...] | None]:
        rules, seats = self.rules, self.seats
        if not rules.initial_flips:
            return [()] * seats
        if rules.initial_flip_choice == "player":
            return [None] * seats
        return list(self.chance.flips(self.round, seats, rules.initial_flips))

    def _open_round(self) -> None:
        """Show the first flips, settle who opens, then remove the lines. Source: rules 6 to 9."""
        rules, grids = self.rules, self.grids
        for grid, places in zip(grids, self.chosen, strict=True):
            grid.turn_up(mask_of(places or ()))
        opener = chance_opener(rules, self.round, self.rounds, self.opener, grids, self.chance)
        if opener is None:
            opener = opener_candidates(rules, self.round, self.rounds, self.opener, grids)[0]
        self.turn = self.opener = opener
        self.phase = _TURN
        if rules.initial_flips >= ROWS:
            for grid in grids:
                self._remove(grid, complete_lines(rules, grid))

    def _remove(self, grid: TwinGrid, lines: Sequence[int]) -> None:
        """Remove lines found on one snapshot, in order; a card that a line before has taken does not go twice."""
        for mask in lines:
            self.discard_pile += [grid.cards[place] for place in PLACES_OF_MASK[mask & grid.open]]
            grid.open &= ~mask
