"""The costs of a turn's actions, from what its seat knows. Chooses nothing.

Costs are kept in lists by card: what it costs to put each of the fifteen cards on a place. Taking the discard reads one
entry, keeping the drawn card another, and drawing averages over the best of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from skyjo.actions import Action, Verb
from skyjo.bots.columns import CARDS, COMPLETING, MISSING, NO_CARD, OPEN_IN, PAIRING, REST_OF, Values, average
from skyjo.bots.ending import Prospect, ender_cost, prospect
from skyjo.bots.horizon import turns_to_go, waiting_cost
from skyjo.bots.knowledge import Knowledge
from skyjo.bots.outlook import PRICE, Outlook, outlook, pair_values
from skyjo.bots.rows import Rows
from skyjo.bots.sums import total
from skyjo.cards import COLUMNS, ROWS
from skyjo.places import PLACES, Place
from skyjo.view import GONE, Cell, Decision

NO_GIFTS: Final = (0.0,) * len(CARDS)


class Reckoning:
    """The costs of all actions at one decision of a turn, alive for one choice only.

    A cost is what the seat will score in this round, in points, plus what the action gives to the others on average.
    """

    __slots__ = (
        "_any_gift", "_current", "_decision", "_ending", "_flips", "_gifts", "_going_on", "_know", "_look", "_puts",
        "_rows",
    )  # fmt: skip

    def __init__(self, decision: Decision) -> None:
        rules, know = decision.rules, Knowledge(decision)
        turns = turns_to_go(rules, len(know.hidden), min(know.hidden)) if know.ender is None else 0
        self._decision = decision
        self._know = know
        self._look = outlook(turns, rules)
        self._current = [self._value(self._look, state) for state in know.states[know.seat]]
        self._gifts = self._gifts_to_next()
        self._any_gift = average(know.chance, self._gifts)
        self._going_on = total(self._current) - turns * PRICE
        self._ending = know.ender is None and know.hidden[know.seat] == 1
        if self._ending:
            waiting = waiting_cost(decision.version, decision.round, len(know.hidden))
            self._going_on += waiting + self._gain_of_others(turns)
        self._rows: Rows | None = None
        if rules.remove_rows:
            pair = pair_values(turns, rules)
            self._rows = Rows(decision.own, self._look.value, pair, self._current, know.surplus)
        self._puts: dict[Place, Values] = {}
        self._flips: dict[Place, float] = {}
        self._reckon_places()

    def costs(self) -> Sequence[float]:
        """The cost of each legal action, in their order."""
        decision = self._decision
        card = decision.discard_pile[-1] if decision.drawn is None else decision.drawn
        return [self._cost(action, card) for action in decision.legal_actions]

    def _cost(self, action: Action, card: int) -> float:
        verb, places = action.verb, action.places
        if verb is Verb.DRAW:
            return self._draw()
        if verb is not Verb.REJECT:
            return self._puts[places[0]][card]
        return (self._flips[places[0]] if places else self._going_on) + self._gifts[card]

    def _draw(self) -> float:
        """The average over all unseen cards, each played in the best way."""
        rows = list({id(row): row for row in self._puts.values()}.values())
        keep = map(min, *rows) if len(rows) > 1 else rows[0]
        flips = self._flips.values()
        reject = min(flips, default=self._going_on)
        if self._decision.rules.flip_after_reject == "optional":
            reject = min(reject, self._going_on)
        rejects = [reject + gift for gift in self._gifts]
        return average(self._know.chance, map(min, keep, rejects))

    def _reckon_places(self) -> None:
        """Fill in the costs of every place; equal cells of equal columns cost the same."""
        decision, know = self._decision, self._know
        known: dict[object, tuple[Values, float]] = {}
        for column, (cells, state) in enumerate(zip(decision.own.columns, know.states[know.seat], strict=True)):
            if cells is None:
                continue
            for row, cell in enumerate(cells):
                if cell == GONE:
                    continue
                place = PLACES[column * ROWS + row]
                key = (state, cell) if self._rows is None else place
                if key not in known:
                    known[key] = self._reckon(place, cell, REST_OF[cells[row - 2], cells[row - 1]])
                self._puts[place], flip = known[key]
                if cell is None:
                    self._flips[place] = flip

    def _reckon(self, place: Place, cell: Cell, rest: int) -> tuple[Values, float]:
        """What each card costs on a place, and what turning up the card there costs, if it is hidden."""
        know, gifts = self._know, self._gifts
        values: Values = self._values_after(place, rest)
        base = self._going_on - self._current[place.column]
        if not isinstance(cell, int):
            if self._ending:
                values, base = self._end_costs(place, rest), 0.0
            flip, gift = average(know.chance, values) + base, self._any_gift
        else:
            flip, gift = 0.0, gifts[cell]
        base += gift
        costs = [value + base for value in values]
        for symbol in self._completed(place, rest):
            # The removed cards lie on top of the replaced one (rule 17).
            costs[symbol] += gifts[symbol] - gift
        return costs, flip

    def _value(self, look: Outlook, state: int) -> float:
        """What a column is worth, its pair's chance corrected by how many of the missing card are unseen."""
        return look.value[state] - look.pair[state] * self._know.surplus[MISSING[state]]

    def _values_after(self, place: Place, rest: int) -> list[float]:
        """By card, what a column is worth once the card is put there."""
        values, pair, surplus = list(self._look.placed[rest]), self._look.pair, self._know.surplus
        for card, state, missing in PAIRING[rest]:
            values[card] -= pair[state] * surplus[missing]
        if self._rows is not None:
            self._rows.correct(values, place, rest)
        return values

    def _completed(self, place: Place, rest: int) -> dict[int, int]:
        """By symbol of the cards that complete a line there, how many open cards leave the grid with them."""
        leaving = {COMPLETING[rest]: ROWS - 1} if self._decision.rules.remove_columns else {}
        if self._rows is not None:
            symbol = self._rows.completing(place)
            leaving[symbol] = leaving.get(symbol, 0) + COLUMNS - 1
        leaving.pop(NO_CARD, None)
        return leaving

    def _gifts_to_next(self) -> Values:
        """By card, what it gives to the next seat on top of the discard pile: what it gains over a draw.

        A bot that leaves this out loses 1.8 points a round to the same bot with it (12,800 two-player games).
        """
        know = self._know
        follower = know.clockwise[1]
        if know.ender == follower:
            return NO_GIFTS
        gains = list(map(min, *[self._look.gain[state] for state in know.states[follower]]))
        drawing = total([chance * gain for chance, gain in zip(know.chance, gains, strict=True) if gain < 0])
        share = 1 / (len(know.clockwise) - 1)
        return [(drawing - gain) * share if gain < drawing else 0.0 for gain in gains]

    def _prospects(self) -> Sequence[Prospect]:
        """What every other seat will score if this one ends the round now."""
        know, look = self._know, outlook(1, self._decision.rules)
        return [
            prospect(total([self._value(look, state) for state in know.states[seat]]) - PRICE, know.hidden[seat])
            for seat in know.clockwise[1:]
        ]

    def _gain_of_others(self, turns: int) -> float:
        """What the others gain on average by playing on for so many turns instead of one."""
        know, prospects = self._know, self._prospects()
        later = total([self._value(self._look, state) for seat in know.clockwise[1:] for state in know.states[seat]])
        return total(soon.mean for soon in prospects) / len(prospects) - later / len(prospects) + turns * PRICE

    def _end_costs(self, place: Place, rest: int) -> Values:
        """By card, what the seat scores if that card lies on its last hidden place."""
        rules, prospects = self._decision.rules, self._prospects()
        raw = sum([sum(OPEN_IN[state]) for state in self._know.states[self._know.seat]])
        raws = [raw + card for card in CARDS]
        for symbol, leaving in self._completed(place, rest).items():
            raws[symbol] = raw - leaving * CARDS[symbol]
        return [ender_cost(rules, score, prospects) for score in raws]
