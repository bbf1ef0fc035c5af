/** What a seat knows at a decision: which cards are still unseen, and where everybody stands. Weighs nothing. */

import { COLUMNS } from "../cards.js";
import { DOWN, GONE as GONE_FACE } from "../state.js";
import { tableSeenBy } from "../view.js";
import { COPIES, GONE, HIDDEN, HIDDEN_IN, OPEN_IN, SHARES, stateOf, sum, symbolOf } from "./columns.js";

/** How often others throw away a card that a pair waits for, in parts of how often a full deck brings it. */
const THROWN_AWAY = 0.5;

const PER_SHARE = SHARES.map((share) => 1 / share);
const BY_FACE = { [DOWN]: HIDDEN, [GONE_FACE]: GONE };

/**
 * A decision as its seat reads it. Cards that were reshuffled into the draw pile are unseen again.
 *
 * `clockwise`: all seats in playing order, the one that reads first. `cells`: by seat, the symbols of its twelve places.
 * `states`: by seat, the states of its columns. `hidden`: by seat, how many cards lie face down. `ender`: the seat that has
 * ended the round, or null. `hand`: the drawn card, or null. `chance`: by card, how likely an unseen card is it. `surplus`:
 * by symbol, by how much likelier than from a full deck the card will come; of NO_CARD there is none.
 */
export class Knowledge {
  /** What may be known of a state is asked of the view, so nothing here can see more. */
  constructor(state, seat) {
    const { grids, hand } = tableSeenBy(state, seat);
    this.seat = seat;
    this.hand = hand;
    this.clockwise = grids.map((_, step) => (seat + step) % grids.length);
    this.cells = grids.map((cells) => cells.map(({ face, card }) => BY_FACE[face] ?? symbolOf(card)));
    this.states = this.cells.map((cells) => COLUMNS.map((column) => stateOf(...column.map((index) => cells[index]))));
    this.hidden = this.states.map((states) => sum(states.map((column) => HIDDEN_IN[column])));
    // The first seat clockwise with nothing hidden: all between the ender and this one have played their last.
    this.ender = this.clockwise.slice(1).find((other) => this.hidden[other] === 0) ?? null;
    this.#count(state.discards);
  }

  #count(discards) {
    const unseen = [...COPIES];
    const open = this.states.flatMap((states) => states.flatMap((column) => OPEN_IN[column]));
    for (const card of [...open, ...discards, ...(this.hand === null ? [] : [this.hand])]) unseen[symbolOf(card)] -= 1;
    const total = sum(unseen);
    this.chance = total === 0 ? SHARES : unseen.map((left) => left / total);
    // During the last lap nobody throws away for the others any more.
    const base = (this.ender === null ? THROWN_AWAY : 0) - 1;
    this.surplus = [...this.chance.map((chance, card) => chance * PER_SHARE[card] + base), 0];
  }
}
